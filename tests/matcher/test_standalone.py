"""Tests of rules as a C++ program.

It has the facts of the plain engine, stores the selected ones, and refuses wrong input.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from random import Random

import pytest

from hornbook.matcher.program.coded import Apply, CodedPredicate, CodedRule, Compare, Fact, Match, Var
from hornbook.matcher.program.errors import EngineError
from hornbook.matcher.standalone.shared_library import LibraryError, LibraryMatcher, RuleLibrary
from oracles.engine.random_programs import ProgramMaker, RandomProgram
from oracles.engine.standalone_programs import built, cells, together, written
from oracles.reference.engine import ReferenceEngine

WARNINGS = (
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-Wshadow",
    "-Wno-unused-function",
    "-Wno-tautological-compare",
)
x, y, z = Var(0), Var(1), Var(2)


def following(program: RandomProgram, given: list[Fact]) -> set[tuple[int, tuple[int, ...]]] | None:
    """Return the facts of the plain engine, or None if it refuses them."""
    engine = ReferenceEngine(program.predicates)
    try:
        engine.update(add=given, add_rules=program.rules)
    except EngineError:
        return None
    return {(number, row) for number in range(len(program.predicates)) for row in engine.facts(number)}


@pytest.mark.deep
def test_the_facts_are_those_of_the_plain_engine(tmp_path, times):
    programs = [ProgramMaker().program(Random(seed)) for seed in range(20 * times)]
    all_of_them = together(
        program for program in programs if following(program, list(program.given)) is not None
    )
    matcher = built(tmp_path, written(all_of_them), *WARNINGS).matcher()
    random, outcomes = Random(1), Counter[str]()
    for share in (1.0, 0.9, 0.7, 0.3, 1.0, 0.0, 0.5):
        given = [fact for fact in all_of_them.given if random.random() < share]
        expected = following(all_of_them, given)
        found = matcher.answers(cells(given))
        if expected is None:
            assert found is None
            outcomes["refused"] += 1
            continue
        assert found is not None
        assert set(found) == expected
        assert found == sorted(expected)
        outcomes["facts"] += 1
    assert outcomes["facts"] > 3


@pytest.mark.deep
def test_what_the_plain_engine_refuses_is_refused(tmp_path):
    refused = 0
    for seed in range(60):
        program = ProgramMaker(huge=seed % 2 == 0).program(Random(seed))
        if following(program, list(program.given)) is not None:
            continue
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert built(folder, written(program)).matcher().answers(cells(program.given)) is None, seed
        refused += 1
        if refused == 2:
            break
    assert refused == 2


EDGE, PATH, AGE, TWICE = range(4)
PATHS = RandomProgram(
    (CodedPredicate(2), CodedPredicate(2), CodedPredicate(2, key=1), CodedPredicate(2)),
    (),
    (
        CodedRule("edge", Match(PATH, (x, y)), (Match(EDGE, (x, y)),), 2),
        CodedRule("on", Match(PATH, (x, z)), (Match(EDGE, (x, y)), Match(PATH, (y, z))), 3),
        CodedRule("twice", Match(TWICE, (x, z)), (Match(AGE, (x, y)), Compare("=", z, Apply("*", y, 2))), 3),
    ),
)


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> RuleLibrary:
    """Build the library of rules with a recursion, a key and a product; the theory states one edge."""
    return built(tmp_path_factory.mktemp("paths"), written(PATHS, [Fact(EDGE, (8, 9))]), *WARNINGS)


def found(matcher: LibraryMatcher, *facts: Fact) -> set[tuple[int, tuple[int, ...]]] | None:
    answers = matcher.answers(cells(facts))
    return None if answers is None else {(number, row) for number, row in answers if number in (PATH, TWICE)}


def test_a_state_leaves_nothing_behind(paths):
    one, other = paths.matcher(), paths.matcher()
    stated = {(PATH, (8, 9))}
    chain = [Fact(EDGE, (n, n + 1)) for n in range(5, 8)]
    assert found(one) == stated
    assert found(one, *chain, *chain) == {(PATH, (n, m)) for n in range(5, 10) for m in range(n + 1, 10)}
    assert found(other, Fact(AGE, (1, -7))) == stated | {(TWICE, (1, -14))}
    assert found(one, Fact(EDGE, (9, 8))) == {(PATH, (n, m)) for n in (8, 9) for m in (8, 9)}
    assert found(one) == stated
    for size in (500, 3, 500):  # tables grow and are cleared
        ring = [Fact(EDGE, (10 * n, 10 * n + 1)) for n in range(1000, 1000 + size)]
        assert found(one, *ring) == stated | {(PATH, fact.cells) for fact in ring}


def test_what_is_wrong_is_refused_and_the_next_state_is_not(paths):
    matcher = paths.matcher()
    good = {(PATH, (8, 9)), (PATH, (1, 2))}
    for wrong in (
        cells([Fact(AGE, (1, 2)), Fact(AGE, (1, 3))]),
        cells([Fact(AGE, (1, 2**62))]),
        array("q", (99, 1, 1)).tobytes(),
        array("q", (-1, 1, 1)).tobytes(),
        array("q", (EDGE, 2, 1, 2)).tobytes(),
        array("q", (EDGE, -1)).tobytes(),
        array("q", (EDGE, 2**62, 1, 2)).tobytes(),
        array("q", (EDGE,)).tobytes(),
    ):
        assert matcher.answers(wrong) is None
        assert found(matcher, Fact(EDGE, (1, 2))) == good


def test_what_is_stored_stays_until_other_facts_are_stored(paths):
    matcher = paths.matcher()
    matcher.keep(cells([Fact(EDGE, (1, 2)), Fact(EDGE, (2, 3)), Fact(AGE, (1, 4))]))
    stored = {(PATH, (8, 9)), (PATH, (1, 2)), (PATH, (2, 3)), (PATH, (1, 3)), (TWICE, (1, 8))}
    for _ in range(2):
        assert found(matcher) == stored
        assert found(matcher, Fact(EDGE, (3, 1)), Fact(EDGE, (1, 2))) == stored | {
            (PATH, (n, m)) for n in (1, 2, 3) for m in (1, 2, 3)
        }
    assert found(matcher, Fact(AGE, (1, 5))) is None
    assert found(matcher) == stored
    matcher.keep(cells([Fact(AGE, (2, 1)), Fact(AGE, (2, 2))]))
    assert found(matcher) is None, "what is kept contradicts itself"
    matcher.keep(b"")
    assert found(matcher) == {(PATH, (8, 9))}


def test_the_functions_of_the_header(paths):
    functions, opened = paths._library, paths._library.hornbook_open()
    functions.hornbook_add.argtypes = [
        ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)), ctypes.c_int32, ctypes.c_int64
    ]  # fmt: skip
    functions.hornbook_code.restype = ctypes.c_int64
    functions.hornbook_code.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    functions.hornbook_relation_name.restype = ctypes.c_char_p

    def columns(*of: list[int]) -> ctypes.Array[ctypes._Pointer[ctypes.c_int64]]:
        made = [(ctypes.c_int64 * len(each))(*each) for each in of]
        return (ctypes.POINTER(ctypes.c_int64) * len(of))(
            *[ctypes.cast(m, ctypes.POINTER(ctypes.c_int64)) for m in made]
        )

    assert functions.hornbook_relation(b"r1") == PATH
    assert functions.hornbook_relation(b"none") == -1
    assert functions.hornbook_relation_name(PATH) == b"r1"
    assert functions.hornbook_relation_name(1000) is None
    assert functions.hornbook_relation_columns(EDGE) == 2
    assert functions.hornbook_relation_is_word(EDGE, 0) == 0
    assert functions.hornbook_relation_is_word(EDGE, 2) == -1
    assert [functions.hornbook_code(opened, word) for word in (b"a", "b\u00e9".encode(), b"a")] == [0, 1, 0]
    assert functions.hornbook_word(opened, 1).decode() == "b\u00e9"
    assert functions.hornbook_word(opened, 2) is None
    assert functions.hornbook_clear(opened) == 0
    assert functions.hornbook_add(opened, EDGE, columns([1, 2], [2, 3]), 2, 2) == 0
    assert functions.hornbook_solve(opened) == 0
    assert functions.hornbook_answers(opened) == 7  # three edges, three paths, and one path more
    assert functions.hornbook_answer_rule(opened, 7) == -1
    assert not functions.hornbook_answer_values(opened, -1)
    assert functions.hornbook_add(opened, EDGE, columns([1], [2]), 2, 1) == 5, "it is solved"
    assert functions.hornbook_answers(opened) == 7
    for relation, number in ((EDGE, 3), (77, 2), (-1, 2)):
        assert functions.hornbook_clear(opened) == 0
        assert functions.hornbook_add(opened, relation, columns([1], [2], [3]), number, 1) == 5
        assert functions.hornbook_solve(opened) == 5
        assert functions.hornbook_answers(opened) == 0
    functions.hornbook_close(opened)


def test_what_is_no_library_of_this_version_is_refused(tmp_path):
    with pytest.raises(LibraryError, match="no such file"):
        RuleLibrary(tmp_path)
    text = written(PATHS).replace("return HORNBOOK_RULES_VERSION;", "return 99;")
    with pytest.raises(LibraryError, match="another version"):
        built(tmp_path, text)


def test_equal_programs_have_equal_texts():
    assert written(PATHS) == written(RandomProgram(PATHS.predicates, (), PATHS.rules))
    assert written(PATHS) != written(RandomProgram(PATHS.predicates, (), PATHS.rules[:2]))
