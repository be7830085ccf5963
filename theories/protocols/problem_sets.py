"""Files of problems: reading, making, answering and scoring them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.deprecations import warn_renamed
from hornbook.kb.sources.files import read_text
from hornbook.theories import problems
from hornbook.theories.problems import ProblemQuery, ProblemRequest, ProblemScore, ProblemSolution, ProofTask
from hornbook.theories.protocols.games import Games
from hornbook.theories.protocols.missing_member import missing


class ProblemSets(Games, Protocol):
    """Problems of a domain, by default games of states with a number of moves."""

    suffixes: tuple[str, ...] = (".jsonl",)
    """Suffixes of the names of problem files."""
    values: tuple[str, ...] = ()
    """Values that `solve` counts, in this order; by default the values that occur."""

    def knows(self, keys: Mapping[str, Any]) -> bool:
        """Return whether a problem file belongs to this domain, given the keys of its first line of JSON."""
        return False

    def read_problems(self, path: Path) -> Sequence[Any]:
        """Return the problems of a file. Raise TheoryError if it is malformed."""
        return problems.parse(read_text(path), str(path), self.adapter)

    def write_problems(self, found: Sequence[Any], path: Path) -> None:
        """Write a file of problems atomically."""
        problems.write(found, path)

    def shipped(self) -> Path:
        """Return the path of the shipped problems for learning: `problems/learn.jsonl` beside the adapter."""
        path = Path(str(self.adapter.__file__)).parent / "problems" / "learn.jsonl"
        if not path.exists():
            missing(self, ProblemSets.shipped)
        return path

    def make_problems(self, request: ProblemRequest) -> Iterator[Any]:
        """Yield new problems from a seed; by default states of random games whose first moves are judged by
        search.
        """
        return problems.make(self, request)

    def lessons(self, path: Path, theory: Theory) -> list[ProofTask]:
        """Return the lessons of a problem file in learning order."""
        found = (p.lesson for p in self.read_problems(path) if p.won)
        return sorted(found, key=lambda lesson: lesson.moves)

    def query_of(self, problem: Any) -> ProblemQuery:
        """Return the query of a problem."""
        if type(self).asked is not ProblemSets.asked:
            return self.asked(problem)
        query: ProblemQuery = problem.query
        return query

    def asked(self, problem: Any) -> ProblemQuery:
        """Return the query of a problem: the old name of `query_of`, which a domain may still override."""
        warn_renamed("Domain.asked", "Domain.query_of")
        if type(self).query_of is not ProblemSets.query_of:
            return self.query_of(problem)
        query: ProblemQuery = problem.query
        return query

    def answer(self, problem: Any, solved: ProblemSolution, levels: int) -> str:
        """Return the rules' answer to a problem, as a line of JSON that `score` reads."""
        return problems.answer(self.query_of(problem), solved, self.write_move)

    def score(self, problems_file: Path, answers: Path) -> ProblemScore:
        """Return the score of a file of answers."""
        return problems.score(self.read_problems(problems_file), read_text(answers), str(answers))
