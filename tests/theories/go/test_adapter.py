"""Tests of the Go adapter: it emits only true primitive facts, and never plays a move."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Rule, statements
from hornbook.kb.parse.syntax import parse
from hornbook.theories.go import adapter
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.go.gnugo_client import PROGRAM, GnuGo
from oracles.go.go_positions import COLOURS, positions

FOLDER = Path(adapter.__file__).parent
CLAUSES = parse((FOLDER / "parts" / "board.horn").read_text(encoding="utf-8"), "board.horn").clauses
DECLARED = {clause.name: clause for clause in CLAUSES if isinstance(clause, Predicate)}
BOARD = parse_diagram(
    """
    to play: white
    ko: c3
    . . . . .
    . . X O .
    . X . X O
    . . X O .
    . . . . ."""
)


def table(board):
    """Return the facts of a board by relation."""
    found = defaultdict(list)
    for fact in adapter.facts(board):
        assert fact.tense is None
        found[fact.relation].append(fact.values)
    return found


# Primitive facts


def concluded_timelessly() -> set[str]:
    """Return the predicates that a rule concludes without a tense."""
    found = set()
    for clause in CLAUSES:
        if isinstance(clause, Rule) and not clause.is_fact:
            tenses = {statement.tense for statement in (clause.head, *statements(clause.body))}
            if tenses == {None}:
                found.add(clause.head.relation)
    return found


def test_what_the_adapter_gives_is_declared_and_concluded_by_no_rule():
    assert {DECLARED[name].kind for name in adapter.EMITS} == {"static", "fluent", "action"}
    assert concluded_timelessly() == {"legal", "illegal", "airless"}
    assert not adapter.EMITS & concluded_timelessly()
    assert not adapter.EMITS & {
        clause.head.relation for clause in CLAUSES if isinstance(clause, Rule) and clause.is_fact
    }


def test_every_primitive_predicate_is_given_by_the_adapter_or_stated_in_the_theory():
    stated = {clause.head.relation for clause in CLAUSES if isinstance(clause, Rule) and clause.is_fact}
    primitive = {
        name for name, predicate in DECLARED.items() if predicate.kind in ("static", "fluent", "action")
    }
    assert primitive == adapter.EMITS | stated


def test_facts_and_actions_are_of_what_it_says_it_gives_and_of_the_declared_width():
    given = [*adapter.facts(BOARD), *adapter.actions(BOARD)]
    assert {fact.relation for fact in given} == adapter.EMITS
    assert all(len(fact.values) == DECLARED[fact.relation].arity for fact in given)
    kinds = {name: DECLARED[name].kind for name in adapter.EMITS}
    assert {kinds[fact.relation] for fact in adapter.facts(BOARD)} == {"static", "fluent"}
    assert {kinds[fact.relation] for fact in adapter.actions(BOARD)} == {"action"}


def files_behind(name: str) -> set[str]:
    """Return the files of the folder that a module imports, including the module."""
    found, left = {"__init__.py"}, {f"{name}.py"}
    while left:
        file = left.pop()
        found.add(file)
        names = re.findall(r"theories\.((?:go|boards)\.[\w.]+)", (FOLDER / file).read_text(encoding="utf-8"))
        left |= {f"../{name.replace('.', '/')}.py".replace("../go/", "") for name in names} - found
    return found


def test_no_function_of_the_adapter_plays_a_move():
    """List each function behind the adapter; add a new one only after a review.

    All of them read, name or print a position. `follow` alone re-enacts the moves of an SGF record: it passes
    them to sgfmill's board. Code that plays and searches is in other files, which the adapter does not
    import.
    """
    found = {}
    files = [FOLDER / name for name in sorted(files_behind("adapter"))]
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found[str(file.relative_to(FOLDER)) if ".." in file.parts else file.name] = sorted(
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        )
    assert found == {
        "__init__.py": [],
        "adapter.py": ["actions", "block_rows", "decode", "facts", "game_starts", "ko_rows", "neighbour_rows", "point_rows", "read"],
        "board.py": ["__post_init__", "_block", "_check_ko", "_neighbours", "_points", "banned", "blocks_on", "column_name", "has", "name", "neighbours", "point", "points"],
        "diagram.py": ["parse_diagram", "print_diagram"],
        "../boards/diagram.py": ["_row", "at", "check_coordinates", "last", "player", "printed", "read"],
        "sgf.py": ["__init__", "_check_game", "_check_setup", "_side", "_warn_of_ko", "_warn_of_move", "_warn_of_suicide", "_with_plain_size", "board", "fail", "follow", "is_problem", "move", "of", "of_tree", "parse_sgf", "player", "print_sgf", "sets_up", "sgf_module", "warn_of_handicap"],
        "sgf_text.py": ["__init__", "_after_space", "_begin_node", "_charset", "_codec", "_decoded", "_fail_at_charset", "_is_utf_8", "_main_line", "_of_no_named_encoding", "_property", "_refuse_rest", "_written", "decode_sgf", "fail", "is_sgf", "place", "place_of", "text", "tree", "tree_starts", "trees", "value"],
    }  # fmt: skip
    plays = [file.name for file in files if ".play(" in file.read_text(encoding="utf-8")]
    assert plays == ["sgf.py"]


# True facts


def test_the_facts_of_a_small_board():
    facts = table(parse_diagram(". X X O ."))
    assert facts["colour"] == [
        ("a1", "empty"),
        ("b1", "black"),
        ("c1", "black"),
        ("d1", "white"),
        ("e1", "empty"),
    ]
    assert sorted(facts["same_block"]) == [
        ("b1", "b1"),
        ("b1", "c1"),
        ("c1", "b1"),
        ("c1", "c1"),
        ("d1", "d1"),
    ]
    assert facts["stones"] == [("b1", 2), ("c1", 2), ("d1", 1)]
    assert sorted(facts["liberty"]) == [("b1", "a1"), ("c1", "a1"), ("d1", "e1")]
    assert facts["liberties"] == [("b1", 1), ("c1", 1), ("d1", 1)]
    assert sorted(facts["contact"]) == [("b1", "d1"), ("c1", "d1"), ("d1", "c1")]
    assert sorted(facts["beside"]) == [
        ("a1", "black", "b1"),
        ("b1", "black", "c1"),
        ("b1", "empty", "a1"),
        ("c1", "black", "b1"),
        ("c1", "white", "d1"),
        ("d1", "black", "c1"),
        ("d1", "empty", "e1"),
        ("e1", "white", "d1"),
    ]
    assert [row for row in facts["besides"] if row[0] == "c1"] == [
        ("c1", "black", 1),
        ("c1", "white", 1),
        ("c1", "empty", 0),
    ]
    assert facts["neighbours"] == [("a1", 1), ("b1", 2), ("c1", 2), ("d1", 2), ("e1", 1)]
    assert {value for *_, value in facts["ko"]} == {"free"}


def test_a_ban_is_the_retakers_only():
    ko = table(BOARD)["ko"]
    assert [row for row in ko if row[2] == "banned"] == [("white", "c3", "banned")]
    assert len(ko) == len(set(ko)) == 2 * 25


def test_every_closed_set_is_as_large_as_its_count_says():
    facts = table(BOARD)
    for count, predicate in DECLARED.items():
        if predicate.counts is None:
            continue
        members = Counter(tuple(key) for *key, _ in set(facts[predicate.counts.name]))
        counts = {tuple(key): number for *key, number in facts[count]}
        assert {key: members[key] for key in counts} == counts
        assert members.keys() <= counts.keys()


def test_actions_are_those_of_the_player_to_play_on_the_empty_points():
    empty = BOARD.colours.count("empty")
    actions = list(adapter.actions(BOARD))
    assert len(set(actions)) == len(actions) == empty + 1
    assert {fact.values[0] for fact in actions} == {"white"}
    # A banned move is offered like any other: the theory decides whether it is legal.
    assert ("move", ("white", "c3"), None) in actions
    assert {fact.values[0] for fact in adapter.actions(parse_diagram(". ."))} == {"black", "white"}


@pytest.mark.judges
@pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")
@pytest.mark.parametrize("seed", [101, 102])
def test_blocks_liberties_and_contacts_are_those_of_gnugo(seed):
    captured = 0
    with GnuGo() as engine:
        for position in positions(engine, seed, 100):
            board = adapter.read(position.sgf, "a game")
            assert board.to_play == position.to_play
            facts = table(board)
            for colour, other in zip(COLOURS, reversed(COLOURS), strict=True):
                stones = {point for point, found in facts["colour"] if found == colour}
                assert stones == position.stones[colour]
                blocks = engine.blocks(colour)
                assert {p: {q for r, q in facts["same_block"] if r == p} for p in stones} == {
                    p: block for block in blocks for p in block
                }
                for block in blocks:
                    liberties = engine.liberties(min(block))
                    next_to = {q for p, q in facts["neighbour"] if p in block} & position.stones[other]
                    for stone in block:
                        assert {q for p, q in facts["liberty"] if p == stone} == liberties
                        assert {q for p, q in facts["contact"] if p == stone} == next_to
                        assert dict(facts["liberties"])[stone] == len(liberties)
                        assert dict(facts["stones"])[stone] == len(block)
                        assert dict(facts["contacts"])[stone] == len(next_to)
            captured += position.sgf.count(";") - 1 - sum(len(found) for found in position.stones.values())
    assert captured > 1000
