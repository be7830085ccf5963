"""Tests of string functions in rules and queries.

The tests cover the results in every engine, the refusals, and that no rules about them are learned.
"""

from __future__ import annotations

from itertools import product

import pytest

from hornbook.compiler.match.as_code import NotCompiledError, program_of
from hornbook.kb.ast.operators import FUNCTIONS, PARTIAL, is_of_integers
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_ready, beside, ready_rules
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.lower.word_functions import MOST_CHARACTERS, OF_WORDS, value_of
from hornbook.matcher.program.coded import Limits
from oracles.pages.engines import engines_with
from oracles.proofs.learned_rules import theory_of

ENGINES = engines_with("functions")
TEXT = """theory words.
sort name. sort n = int.
static w(name).
static at(n).
derived size(name, n).
derived loud(name).
derived pair(name).
derived piece(name, n, name).
derived longer(name).
w(ann). w('bob smith'). w('12'). w('a,b,,c').
at(1). at(2). at(3). at(4). at(5).
size: size(?w, ?n) :- w(?w), ?n = length(?w).
loud: loud(?x) :- w(?w), ?x = upper(?w).
pair: pair(?x) :- w(?w), w(?v), ?x = concat(?w, '-', ?v), length(?x) < 8.
piece: piece(?w, ?n, ?p) :- w(?w), at(?n), ?p = split(?w, ',', ?n).
begun: longer(?w) :- w(?w), length(?w) = 2.
more: longer(?v) :- longer(?w), ?v = concat(?w, 'a'), length(?v) < 5.
"""


@pytest.fixture(params=ENGINES)
def base(request):
    return KnowledgeBase(load_text(TEXT), engine=request.param)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("size(?w, ?n)", [("12", 2), ("a,b,,c", 6), ("ann", 3), ("bob smith", 9)]),
        ("loud(?x)", [("12",), ("A,B,,C",), ("ANN",), ("BOB SMITH",)]),
        ("pair(?x)", [("12-12",), ("12-ann",), ("ann-12",), ("ann-ann",)]),
        ("piece('a,b,,c', ?n, ?p)", [(1, "a"), (2, "b"), (4, "c")]),
        ("longer(?w)", [("12",), ("12a",), ("12aa",)]),
        ("w(?w), int(?w) + 1 = 13", [("12",)]),
        ("w(?w), int(?w) != 5", [("12",)]),
        ("w(?w), absent (?n = int(?w))", [("a,b,,c",), ("ann",), ("bob smith",)]),
        ("w(?w), matches(?w, '*b?s*') = 1", [("bob smith",)]),
        ("w(?w), contains(?w, 'b') = 1, starts_with(?w, 'b') = 0", [("a,b,,c",)]),
        ("w(?w), ends_with(?w, upper('h')) = ends_with(?w, 'h'), ends_with(?w, 'n') = 1", [("ann",)]),
        ("?x = part('abcdef', 2, 3)", [("bc",)]),
        ("?x = word(5 + 3), length(?x) = 1", [("8",)]),
        ("?n = count ?x where (w(?w), ?x = part(?w, 1, 1))", [(3,)]),
        ("?n = sum ?m where (w(?w), ?m = length(?w))", [(20,)]),
        (
            "loud(?x), ?y = lower(?x), w(?y)",
            [("12", "12"), ("A,B,,C", "a,b,,c"), ("ANN", "ann"), ("BOB SMITH", "bob smith")],
        ),
    ],
)
def test_answers(base, question, answers):
    assert list(base.query(question).rows) == answers


@pytest.mark.parametrize(
    ("name", "operands", "value"),
    [
        ("length", ("größe",), 5), ("upper", ("straße",), "STRASSE"),
        ("part", ("abc", 1, 3), "abc"), ("part", ("abc", 0, 1), None), ("part", ("abc", 2, 4), None),
        ("part", ("abc", 3, 2), None), ("part", ("abc", 1, 2**62), None),
        ("split", ("a--b", "--", 2), "b"), ("split", ("a", ",", 0), None), ("split", ("a", ",", 2), None),
        ("split", (",a", ",", 1), None), ("split", ("a", "", 1), None),
        ("int", ("-7",), -7), ("int", ("007",), 7), ("int", ("+7",), None), ("int", ("1.5",), None), ("int", ("",), None),
        ("int", ("-",), None), ("int", ("٣",), None), ("int", (str(2**63),), None), ("int", (str(-(2**63)),), -(2**63)),
        ("int", ("9" * 5000,), None), ("word", (-3,), "-3"), ("concat", ("", ""), None),
        ("matches", ("", ""), 1), ("matches", ("", "*"), 1), ("matches", ("abc", "abc"), 1), ("matches", ("abc", "ab"), 0),
        ("matches", ("abc", "*c"), 1), ("matches", ("aXbXc", "a*b*c"), 1), ("matches", ("abcb", "*b"), 1),
        ("matches", ("ab", "?"), 0), ("matches", ("a*b", "a?b"), 1), ("matches", ("a" * 5000, "*a" * 500 + "b"), 0),
        ("contains", ("abc", ""), 1), ("starts_with", ("abc", "ab"), 1), ("ends_with", ("abc", "ab"), 0),
    ],
)  # fmt: skip
def test_values(name, operands, value):
    assert value_of(name, operands) == value


def test_a_proof_shows_the_calculation():
    base = KnowledgeBase(load_text(TEXT))
    assert "'12aa' = concat('12a', a)  [holds]" in str(base.why("longer('12aa')"))
    assert "fails: 4 = length(ann)" in str(base.why_not("size(ann, 4)"))


@pytest.mark.parametrize("engine", ENGINES)
def test_words_that_grow_are_stopped_by_limits(engine):
    text = "theory t. sort s. static w(s). w(ab). double: w(?v) :- w(?u), ?v = concat(?u, ?u)."
    with pytest.raises(KnowledgeBaseError, match=f"more than {MOST_CHARACTERS:,} characters"):
        KnowledgeBase(load_text(text), engine=engine).query("w(?x)")
    one_more = "theory t. sort s. static w(s). w(ab). more: w(?v) :- w(?u), ?v = concat(?u, 'x')."
    with pytest.raises(KnowledgeBaseError, match="more than 50 facts"):
        KnowledgeBase(load_text(one_more), engine=engine, limits=Limits(facts=50)).query("w(?x)")


def test_every_function_has_its_meaning():
    assert {name for name in FUNCTIONS if not is_of_integers(name)} == set(OF_WORDS)


def test_those_that_may_have_no_value_are_reported():
    values = ("", "a", "A", "12", "a,b", 0, 1, -1, 5)
    for name in OF_WORDS:
        kinds = FUNCTIONS[name].operands
        fitting = product(*([v for v in values if isinstance(v, str) == (kind == "word")] for kind in kinds))
        assert any(value_of(name, each) is None for each in fitting) == (name in PARTIAL), name


GAME = """
sort thing.
fluent name(thing -> thing).
static tag(thing, thing).
action call(thing, thing).
game named(thing).
tag(a, b).
renamed: after name(?t, ?n) :- call(?t, ?n), tag(?t, ?n), before name(?t, ?m), length(?n) < 5.
done: before named(?t) by call(?t, ?n) is GI :- after name(?t, ?n), tag(?t, ?n).
"""


def test_rules_that_call_are_not_compiled_to_code():
    theory = theory_of(GAME)
    with pytest.raises(NotCompiledError, match="`renamed` calls a function of words"):
        program_of(theory, "name", [])


def test_rules_that_are_ready_for_other_bases_go_next_to_rules_that_make_words():
    theory = theory_of(
        "sort thing. fluent at(thing). derived loud(thing). game won(thing). action go(thing). static s(thing). s(ab). s(xy)."
        "loud: loud(?v) :- at(?t), ?v = concat(upper(?t), '!'). said: loud(?v) :- s(?t), ?v = concat(?t, '?')."
    )
    one = KnowledgeBase(theory)
    one.query("at(some), at(more)")
    ready = ready_rules(one)
    other = beside(ready)
    add_ready(other, ready)
    other.add([GroundFact("at", ("new",))])
    assert other.query("loud(?t)").rows == (("NEW!",), ("ab?",), ("xy?",))
