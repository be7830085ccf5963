"""Tests of the facts of boards as columns: they are those of `question.parts`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.match.states import FEW, StateMatcher
from hornbook.compiler.rules import rulebase
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.load.loader import load
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import columns
from hornbook.theories.go.states.board import BoardError, Colour, GoBoard
from hornbook.theories.go.states.diagram import print_diagram
from hornbook.theories.protocols.columns import ColumnStates, Kinds

RULES = Path(__file__).parent / "capture_rules.horn"
OUTLASTED_RULES = Path(adapter.__file__).parent / "safety" / "outlasted.horn"
Facts = dict[str, list[tuple[object, ...]]]
SHAPES = [(1, 1), (1, 4), (3, 1), (2, 2), (4, 3), (5, 5), (7, 7), (9, 9), (19, 19), (21, 3)]
_COLOURS: dict[str, Colour] = {"X": "black", "O": "white", ".": "empty"}
KO = GoBoard(3, 4, tuple(_COLOURS[each] for each in ".XO.X.XO.XO."), 5)


def random_board(random: Random, rows: int, columns: int) -> GoBoard | None:
    choices: tuple[Colour, ...] = ("black", "white", "empty")
    colours = random.choices(choices, [1, 1, random.choice((1, 2, 4))], k=rows * columns)
    try:
        return GoBoard(rows, columns, tuple(colours))
    except BoardError:
        return None


def boards(random: Random, rows: int, columns: int, number: int) -> list[GoBoard]:
    found = (random_board(random, rows, columns) for _ in range(40 * number))
    return [board for board in found if board is not None][:number]


def facts_of(
    tables: Iterable[tuple[str, Iterable[bytes]]], kinds_of: Kinds, words: dict[int, str], *, states: bool
) -> Facts:
    """Return the rows of columns with words in place of their numbers; the first column may be of states."""
    found: Facts = {}
    for name, data in tables:
        kinds = kinds_of[name]
        cells = [array("q", column) for column in data]
        kinds = ("integer", *kinds) if states else kinds
        found[name] = [
            tuple(cell if kind == "integer" else words[cell] for cell, kind in zip(row, kinds, strict=True))
            for row in zip(*cells, strict=True)
        ]
    return found


def numbering(random: Random) -> tuple[dict[str, int], dict[int, str]]:
    """Return a function that gives words random numbers, and the words by number."""
    numbers: dict[str, int] = {}
    free = list(range(3000))
    random.shuffle(free)

    class Numbers(dict[str, int]):
        def __missing__(self, word: str) -> int:
            self[word] = numbers[word] = free[len(self)]
            return self[word]

    return Numbers(), numbers  # type: ignore[return-value]


@pytest.mark.parametrize(("rows", "columns_"), SHAPES)
@pytest.mark.parametrize("about", ["go", "outlasting"])
def test_columns_have_the_facts_of_the_parts(about, rows, columns_, times):
    random, theory = Random(rows * 100 + columns_), load(about)
    found = boards(random, rows, columns_, 4 * times)
    if (rows, columns_) == (4, 3):
        found = [KO, GoBoard(3, 4, KO.colours)]
        assert KO.banned == "white"
    for group in ([b for b in found if b.ko is None], [b for b in found if b.ko is not None]):
        queries = [
            query
            for board in group
            for query in columns.queries(columns.compact_state(board), None, theory) or ()
        ]
        if not queries:
            continue
        cell, numbers = numbering(random)
        block = columns.block(queries, cell.__getitem__)
        words = {number: word for word, number in numbers.items()}
        common = facts_of(block.common.items(), queries[0].kinds, words, states=False)
        given = facts_of(block.given.items(), queries[0].kinds, words, states=True)
        for state, query in enumerate(queries):
            expected: Facts = {}
            for part in query.rule_query().parts:
                for (name, _), values in part.rows().items():
                    expected.setdefault(name, []).extend(values)
            written = {name: [row[1:] for row in rows if row[0] == state] for name, rows in given.items()}
            assert expected.keys() <= query.kinds.keys()
            for name in query.kinds:
                of_state = [*common.get(name, []), *written.get(name, [])]
                assert sorted(map(str, of_state)) == sorted(map(str, expected.get(name, []))), name
            games = {
                (name, words[point])
                for name, data in block.games.items()
                for number, point in zip(*(array("q", column) for column in data), strict=True)
                if number == state
            }
            asked = [(game.predicate, game.terms[0].value) for game in query.rule_query().games]
            assert games == set(asked)
        for name, data in block.given.items():
            rows_ = list(zip(*(array("q", column) for column in data), strict=True))
            assert rows_ == sorted(rows_), name


@pytest.mark.parametrize(("about", "rules"), [("go", RULES), ("outlasting", OUTLASTED_RULES)])
def test_boards_are_evaluated_as_columns(about, rules):
    theory = load(about)
    certified = [entry.answering for entry in rulebase.read(rules, theory, verify=False)]
    matcher = StateMatcher(theory, DOMAIN.focus_predicate, certified, writer=DOMAIN)
    states = [columns.compact_state(board) for board in boards(Random(8), 5, 5, 2 * FEW)]
    queries = [query for state in states for query in columns.queries(state, None, theory) or ()]
    assert len(matcher.statements(queries)) == len(queries) > FEW
    assert matcher._block is not None
    assert [*matcher._block._columns.values()] == [True]


def test_a_game_names_a_stone():
    theory = load("go")
    board = columns.compact_state(KO)
    point = KO.name(1)
    (query,) = columns.queries(board, Atom("take", (Constant(point),)), theory) or ()
    assert query.rule_query() == DOMAIN.question(KO, Atom("take", (Constant(point),)))
    for name in ("a1", "z9", 3):
        assert columns.queries(board, Atom("take", (Constant(name),)), theory) is None
    assert columns.queries(board, Atom("take", ()), theory) is None
    assert isinstance(DOMAIN, ColumnStates)


def damaged(random: Random, text: str) -> str:
    """Return a text with small changes, most of which are mistakes."""
    for _ in range(random.randint(1, 2)):
        place = random.randrange(len(text) + 1)
        length = random.choice((0, 0, 1, 1, 3))
        text = (
            text[:place]
            + random.choice(["", *"XO. a1b0\n%:(\r\té@", "ko: a1\n", "to play: white\n"])
            + text[place + length :]
        )
    return text


def test_texts_are_read_as_by_the_adapter(times):
    random = Random(5)
    compact = refused = 0
    for _ in range(400 * times):
        rows, columns_ = random.choice(SHAPES)
        board = random_board(random, rows, columns_)
        if board is None:
            continue
        text = print_diagram(board)
        for each in (text, damaged(random, text), damaged(random, text)):
            (found,) = columns.compact_texts([each])
            if found is None:
                refused += 1
                continue
            compact += 1
            try:
                read = adapter.read(each, "<state>")
            except TheoryError as problem:
                raise AssertionError(each) from problem
            assert (read.rows, read.columns, read.ko) == (found.rows, found.columns, None)
            assert [*read.colours] == [("black", "white", "empty")[colour] for colour in found.colours]
    assert compact > 200 * times
    assert refused > 50 * times


def test_illegal_boards_and_other_texts_are_left_to_the_adapter():
    for text in ("X", "XO\nO.", "(;SZ[9])", "", "ko: a1\n.X", "to play: red\n.", "2 .\n2 .", "0 .", "\ud800"):
        assert columns.compact_texts([text]) == [None]
    assert columns.compact_texts(["XO\n.."]) != [None]
