"""Which problems the front door knows, by theory: a table from what only positions of a domain have to who reads them.

Each domain is a module with the functions of `Domain`; it is imported when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import typer

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.files import read_text

if TYPE_CHECKING:  # who only solves does not load the prover
    from hornbook.compiler.learn.lessons import Lesson
    from hornbook.compiler.match.chains import Turns
    from hornbook.compiler.match.position import Matcher
    from hornbook.compiler.prove.winning import Play

_MODULES = {"castling": "hornbook.games.chess_problems"}
"""By a fluent that the theory declares. Problems of Go, the first domain, are read by the commands themselves."""
_KEYS = {"fen": "hornbook.games.chess_problems"}
"""By a key that each of a domain's problems has."""


class Solved(Protocol):
    """One problem's answer, as a line of JSON and in counts."""

    @property
    def line(self) -> str: ...

    @property
    def value(self) -> str: ...

    @property
    def matched(self) -> int: ...

    @property
    def rule(self) -> str | None:
        """The rule that answers it."""

    @property
    def stopped(self) -> str | None:
        """Which bound was passed, where not all was asked."""


class Solving(Protocol):
    """Rules, ready to be asked about one problem of a file after the other."""

    def __len__(self) -> int: ...

    @property
    def matcher(self) -> Matcher: ...

    def solved(self, number: int, levels: int) -> Solved: ...


class Domain(Protocol):
    """What a domain's problems are to the commands."""

    @property
    def play(self) -> Play: ...

    @property
    def turns(self) -> Turns: ...

    def lessons(self, path: Path) -> list[Lesson]:
        """The problems of a file that are won, as lessons."""

    def solving(
        self, theory: Theory, rules: Sequence[Rule], path: Path, budget: Budget | None = None
    ) -> Solving:
        """Rules, ready to be asked about the problems of a file, each of which has the whole budget."""

    def score(self, problems: Path, answers: Path, *, json_output: bool) -> bool:
        """Prints how well problems were answered; whether none was answered wrongly."""


def domain_of(theory: Theory) -> Domain | None:
    """The domain of a theory, where it is one of the table."""
    predicates = theory.vocabulary.predicates
    return next((_domain(name) for word, name in _MODULES.items() if word in predicates), None)


def must_have_problems(theory: Theory) -> None:
    """Raises BadParameter where there are no problems of a theory."""
    if domain_of(theory) is None and not speaks_of_captures(theory):
        raise typer.BadParameter(
            f"`{theory.name}` says nothing of captures; there are problems of `go` and of `chess`",
            param_hint="THEORY",
        )


def speaks_of_captures(theory: Theory) -> bool:
    return theory.replies_of("take") is not None


def domain_of_problems(path: Path) -> Domain | None:
    """The domain of a file of problems, by its first line."""
    first = read_text(path).lstrip().partition("\n")[0]
    try:
        keys = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return next(
        (_domain(name) for key, name in _KEYS.items() if isinstance(keys, dict) and key in keys), None
    )


def _domain(name: str) -> Domain:
    return cast(Domain, import_module(name))
