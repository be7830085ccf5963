"""A game written in GDL, evaluated directly from its rules: initial state, moves, successors, ends and goals.

This is the slow reference for every faster machine (planner/machines/). Each state is given to an engine of
coded rules (matcher/), which derives all consequences, including absences. If there are too many of them, the
rules are evaluated goal by goal (evaluation.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import read_text, shown
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.errors import EngineError, FactLimitError
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.evaluation import GoalDirected, evaluation_of
from hornbook.planner.gdl.flattening import Relation, Shapes
from hornbook.planner.gdl.ground import (
    Ground,
    columns_of,
    matches,
    order_of,
    shape_of,
    term_of,
    words_of,
    worth_of,
)
from hornbook.planner.gdl.kif import Expression, KifList, KifWord
from hornbook.planner.gdl.proofs.why import Proof, proof_of
from hornbook.planner.gdl.proofs.why_not import DEPTH, ClauseAttempt, attempts
from hornbook.planner.gdl.wellformed import ValidatedSheet, validate

State = frozenset[Ground]
"""A state: the terms for which `true` holds in it."""
Moves = Mapping[str, Ground]
"""A joint move: the move of each role."""


@renamed_members
class Game:
    """A game, made from the text of its sheet. Raises TheoryError with all errors of the sheet."""

    def __init__(self, text: str, file: str = "<text>") -> None:
        self.validated_sheet = validate(text, file)
        """The clauses of the sheet, and its diagnostics: only warnings, because the sheet has no error."""
        program = _without_errors(self.validated_sheet, text, file)
        try:
            self._set_program(program)
        except EngineError as problem:
            # No engine can read the sheet: it has too many columns or conditions.
            span = _span_of(problem, program, file)
            help_ = "write clauses with fewer arguments and conditions, and fewer combinations"
            raise TheoryError(
                [error("HB004", f"too large: {problem}", span, help_)], {file: text}
            ) from problem

    @classmethod
    def of_program(cls, program: CodedGame) -> Game:
        """Return the game of a program that no sheet states. Raises EngineError if no engine can read it."""
        game = cls.__new__(cls)
        game.validated_sheet = ValidatedSheet((), program, ())
        cls._set_program(game, program)
        return game

    def _set_program(self, program: CodedGame) -> None:
        self._program = program
        self._cells = {word: cell for cell, word in enumerate(program.words)}
        self._words = list(program.words)
        self._relations: dict[str, list[tuple[int, Shapes]]] = {}
        for (name, shapes), number in program.numbers.items():
            self._relations.setdefault(name, []).append((number, shapes))
        self._evaluation = evaluation_of(program)
        roles = {number for number, _ in self._relations.get("role", ())}
        self.roles: tuple[str, ...] = tuple(
            program.words[fact.cells[0]] for fact in program.facts if fact.predicate in roles
        )
        self.initial: State = frozenset(term for (term,) in self._rows("init"))

    @classmethod
    def read_kif(cls, path: Path) -> Game:
        """Return the game of a sheet in a file. Raises TheoryError."""
        return cls(read_text(path, shown(path)), shown(path))

    def legal(self, state: State) -> dict[str, tuple[Ground, ...]]:
        """Return the legal moves of each role, sorted."""
        self._set_state(state)
        found: dict[str, list[Ground]] = {role: [] for role in self.roles}
        for role, move in self._rows("legal"):
            if role in found:
                found[str(role)].append(move)
        return {role: tuple(sorted(moves, key=str)) for role, moves in found.items()}

    def next(self, state: State, moves: Moves) -> State:
        """Return the state after a joint move, whose legality is not checked."""
        self._set_state(state, moves)
        return frozenset(term for (term,) in self._rows("next"))

    def terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        self._set_state(state)
        return any(True for _ in self._rows("terminal"))

    def goal(self, state: State) -> dict[str, tuple[int, ...]]:
        """Return the goal values of each role in a state.

        Usually there is one, but a sheet may define none or several. A term that is not an integer from 0 to
        100 is omitted.
        """
        return {
            role: tuple(sorted(worth for term in terms if (worth := worth_of(term)) is not None))
            for role, terms in self.goal_terms(state).items()
        }

    def goal_terms(self, state: State) -> dict[str, tuple[Ground, ...]]:
        """Return the goal terms of each role in a state, sorted."""
        self._set_state(state)
        found: dict[str, list[Ground]] = {role: [] for role in self.roles}
        for role, term in self._rows("goal"):
            if role in found:
                found[str(role)].append(term)
        return {role: tuple(sorted(terms, key=order_of)) for role, terms in found.items()}

    @property
    def program(self) -> CodedGame:
        """The coded rules."""
        return self._program

    @property
    def relations(self) -> dict[str, frozenset[int]]:
        """The relations that the sheet mentions, each with its arities.

        The names of the relations that flattening and coding add contain a space.
        """
        found: dict[str, frozenset[int]] = {}
        for name, shapes in self._program.numbers:
            if " " not in name:
                found[name] = found.get(name, frozenset()) | {len(shapes)}
        return found

    @renamed_parameters
    def query(
        self, state: State, query: Expression, moves: Moves | None = None
    ) -> list[tuple[Ground, dict[str, Ground]]]:
        """Return the sorted instances of a query that hold, each with the values of the query's variables.

        The query is a relation with its arguments. The relation `does` has the facts of `moves`.
        """
        self._set_state(state, moves)
        name, terms = (query.items[0], query.items[1:]) if isinstance(query, KifList) else (query, ())
        assert isinstance(name, KifWord)
        found: list[tuple[Ground, dict[str, Ground]]] = []
        for row in self._rows(name.name, terms):
            binding: dict[str, Ground] = {}
            if len(row) == len(terms) and all(
                matches(*pair, binding) for pair in zip(terms, row, strict=True)
            ):
                found.append(((name.name, *row) if row else name.name, binding))
        return sorted(found, key=lambda each: str(each[0]))

    def why(self, state: State, conclusion: Ground, moves: Moves | None = None) -> Proof | None:
        """Return the proof of a conclusion in a state with the given moves, or None if it does not hold."""
        self._set_state(state, moves)
        name, terms = (
            (conclusion, ()) if isinstance(conclusion, str) else (str(conclusion[0]), conclusion[1:])
        )
        fact = self._fact(name, terms)
        if fact is None or not any(True for _ in self._evaluation.facts(*fact)):
            return None
        return proof_of(fact, self._program, self._evaluation, self._words)

    @renamed_parameters
    def why_not(
        self, state: State, query: Expression, moves: Moves | None = None, depth: int = DEPTH
    ) -> tuple[ClauseAttempt, ...]:
        """Explain why no instance of a query holds in a state.

        The result has the first failing condition of each clause that could conclude an instance. A failing
        condition is explained in the same way, down to `depth` levels.
        """
        self._set_state(state, moves)
        name, terms = (query.items[0], query.items[1:]) if isinstance(query, KifList) else (query, ())
        assert isinstance(name, KifWord)
        patterns = [
            ((name.name, shapes), columns)
            for _, shapes in self._relations.get(name.name, ())
            if (columns := columns_of(shapes, terms)) is not None
        ]
        return attempts(patterns, self._program, self._matching_rows, self._proof_of_row, depth)

    def _matching_rows(self, relation: Relation, columns: Sequence[str | None]) -> Iterator[Sequence[str]]:
        """Yield the rows of a relation that have these words; None matches any word."""
        number = self._program.numbers.get(relation)
        if number is not None:
            cells = [None if word is None else self._cell(word) for word in columns]
            yield from ([self._words[cell] for cell in row] for row in self._evaluation.facts(number, cells))

    def _proof_of_row(self, relation: Relation, row: Sequence[str]) -> Proof:
        fact = Fact(self._program.numbers[relation], tuple(map(self._cell, row)))
        return proof_of(fact, self._program, self._evaluation, self._words)

    def _set_state(self, state: State, moves: Moves | None = None) -> None:
        """Replace the state and the joint move of the evaluation by these."""
        true_facts = frozenset(fact for term in state if (fact := self._fact("true", (term,))) is not None)
        does_facts = frozenset(
            fact
            for role, move in (moves or {}).items()
            if (fact := self._fact("does", (role, move))) is not None
        )
        try:
            self._evaluation.set_state(true_facts, does_facts)
        except FactLimitError:
            self._evaluation = GoalDirected(self._program)
            self._evaluation.set_state(true_facts, does_facts)

    def _fact(self, name: str, terms: Sequence[Ground]) -> Fact | None:
        """Return the fact that a relation holds of terms, or None if no rule can mention it."""
        shapes, words = tuple(map(shape_of, terms)), [word for term in terms for word in words_of(term)]
        number = self._program.numbers.get((name, shapes))
        if number is None:
            return None
        # A word that no clause mentions gets a new cell, which equals no constant of a condition.
        return Fact(number, tuple(map(self._cell, words)))

    def _cell(self, word: str) -> int:
        """Return the number of a word for the engine. A new word gets the next number."""
        cell = self._cells.setdefault(word, len(self._cells))
        if cell == len(self._words):
            self._words.append(word)
        return cell

    def _rows(self, name: str, terms: Sequence[Expression] | None = None) -> Iterator[tuple[Ground, ...]]:
        """Yield the rows of a relation that hold.

        If `terms` are given, only their arity, their functions and their words restrict the rows. The result
        may therefore have rows in which one variable would have two values.
        """
        words = self._words
        for number, shapes in self._relations.get(name, ()):
            columns = columns_of(shapes, [None] * len(shapes) if terms is None else terms)
            if columns is None:
                continue
            cells = [None if word is None else self._cell(word) for word in columns]
            for row in self._evaluation.facts(number, cells):
                words_left = iter([words[cell] for cell in row])
                yield tuple(term_of(shape, words_left) for shape in shapes)


def program_of(text: str, file: str) -> CodedGame:
    """Return the program of a sheet. Raises TheoryError with all its errors."""
    return _without_errors(validate(text, file), text, file)


def _without_errors(validated_sheet: ValidatedSheet, text: str, file: str) -> CodedGame:
    if validated_sheet.program is None:
        raise TheoryError(validated_sheet.diagnostics, {file: text})
    return validated_sheet.program


def _span_of(problem: EngineError, program: CodedGame, file: str) -> Span:
    """Return the place of the rule that an engine refuses, or the beginning of the sheet."""
    number = getattr(problem, "rule", None)
    return Span(file, 1, 1, 1, 1) if number is None else program.origins[number].rule.clause.span
