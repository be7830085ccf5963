"""The notations of states: terms in KIF for games in GDL, and facts of the language for theories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.tables.readers.fact_texts import FactTexts
from hornbook.matcher.program.coded import Match
from hornbook.planner.gdl.flattening import WORD
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, order_of, text_of
from hornbook.planner.gdl.user_input import state as read_state
from hornbook.planner.theory_games.theory_game import ENDS, deciding_game
from hornbook.play.machines.pictures import lines_of_texts, picture_lines


class Notation(Protocol):
    """The texts of states. A text that is written has one line, and can be read."""

    def read(self, text: str, name: str) -> State:
        """Return the state of a text; `name` is that of its file. Raises TheoryError or TableError."""

    def write(self, state: State) -> str:
        """Return the text of a state."""

    def lines(self, state: State, initial: State) -> list[str]:
        """Return a state as lines for a person."""


class KifNotation:
    """States as terms in KIF: `(cell 1 1 b) (control white)`."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def read(self, text: str, name: str) -> State:
        return read_state(text, name, self._game)

    def write(self, state: State) -> str:
        return " ".join(sorted(map(text_of, state)))

    def lines(self, state: State, initial: State) -> list[str]:
        return picture_lines(state, initial)


class FactNotation:
    """States as the fluents of a theory: `pawn(white, a1). to_move(white).`

    A text may have statics and fluents that the game does not need. They are ignored.
    """

    def __init__(self, theory: Theory, game: Game) -> None:
        column = deciding_game(theory).columns
        ends = {name: Predicate("fluent", name, column) for name in ENDS}
        words = Vocabulary(theory.vocabulary.sorts, {**theory.vocabulary.predicates, **ends})
        self._vocabulary = words
        self._reader: Adapter = FactTexts(replace(theory, vocabulary=words))
        program = game.program
        without = program.numbers.get(("true", (WORD,)))
        self._names = {str(shapes[0][0]) for name, shapes in program.numbers if name == "true" and shapes[0]}
        self._names |= {
            program.words[each.terms[0]]
            for rule in program.rules
            for each in rule.body
            if isinstance(each, Match) and each.predicate == without and isinstance(each.terms[0], int)
        }
        """The fluents of the game, including those without columns."""

    def read(self, text: str, name: str) -> State:
        return self.state(self._reader.read(text, name))

    def state(self, facts: Iterable[GroundFact]) -> State:
        """Return the state of these facts."""
        found: set[Ground] = set()
        for fact in facts:
            if self._vocabulary.predicates[fact.relation].kind != "fluent":
                continue
            if fact.relation in self._names:
                found.add((fact.relation, *map(str, fact.values)) if fact.values else fact.relation)
        return frozenset(found)

    def facts(self, state: State) -> Iterator[GroundFact]:
        """Yield the fluents that hold in a state, sorted; those of ENDS are not of the theory."""
        for term in sorted(state, key=order_of):
            name, *values = (term,) if isinstance(term, str) else map(str, term)
            yield GroundFact(name, self._values(name, values))

    def action(self, move: Ground) -> GroundFact:
        """Return the action of a move."""
        name, *values = (move,) if isinstance(move, str) else map(str, move)
        return GroundFact(name, self._values(name, values))

    def write(self, state: State) -> str:
        return " ".join(f"{text}." for text in self._texts(state))

    def lines(self, state: State, initial: State) -> list[str]:
        return lines_of_texts((text.partition("(")[0], f"{text}.") for text in self._texts(state))

    def _texts(self, state: State) -> Iterator[str]:
        """Yield the facts of a state, sorted."""
        for fact in self.facts(state):
            yield print_condition(Atom(fact.relation, tuple(map(Constant, fact.values))))

    def _values(self, name: str, words: Sequence[str]) -> tuple[str | int, ...]:
        """Return the values of the columns of a predicate from their words."""
        sorts = (self._vocabulary.sorts[column.name] for column in self._vocabulary.predicates[name].columns)
        return tuple(
            int(word) if sort.kind == "integer" else word for sort, word in zip(sorts, words, strict=True)
        )
