"""Tests of the fast reader of states, and of their evaluation: each has the facts that it has alone."""

from __future__ import annotations

from functools import partial
from random import Random

import pyarrow
import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.state_evaluation import StateEvaluator
from hornbook.kb.base.state_reading import StateFacts
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.coding import Relation
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.table_values import mixed_text
from hornbook.matcher.program.coded import Limits

WORKSHOP = """
theory workshop.
sort part.
sort kind = pump | seal | 'big motor'.
sort bar = int.
sort tag = word | int.
static kind(part -> kind).
static near(part, part).
static parts(part -> int) counts near.
static norm(kind, bar) stated.
static in(part).
fluent pressure(part -> bar).
fluent spares(kind, int).
fluent tagged(part, tag).
fluent dark.
action replace(part).
action wait.
derived linked(part, part).
derived strong(part).
derived alike(part, part).
norm(pump, 3).
one: linked(?a, ?b) :- near(?a, ?b).
more: linked(?a, ?c) :- linked(?a, ?b), near(?b, ?c).
firm: strong(?p) :- pressure(?p, ?x), kind(?p, ?k), norm(?k, ?n), ?x + 1 > ?n.
same: alike(?a, ?b) :- tagged(?a, ?t), tagged(?b, ?t).
filled: after pressure(?p, ?y) :- replace(?p), before pressure(?p, ?x), ?y = ?x + 1.
"""

WORDS = [
    "a",
    "b",
    "b_2",
    "aB9",
    "pump",
    "seal",
    "'big motor'",
    "'a'",
    "'x y'",
    "before",
    "in",
    "count",
    "min",
    "mod",
]
ODD_WORDS = [
    "Big",
    "_",
    "_x",
    "é",
    "'it''s'",
    "''",
    "'a\nb'",
    "'a\\b'",
    "?x",
    "$x",
    '"a"',
    "a\0b",
    "\ud800",
    "ﬁ",
    "x" * 9999,
]
PARTS = ["a", "b", "b_2", "aB9", "'a'", "p1", "p2"]
NUMBERS = ["0", "1", "7", "-3", "9223372036854775807", "-9223372036854775807"]
ODD_NUMBERS = [
    "-9223372036854775808",
    "9223372036854775808",
    "007",
    "- 1",
    "1.5",
    "1x",
    "0x1",
    "--1",
    "+1",
    "٣",
    "9" * 500,
]
NAMES = ["kind", "near", "parts", "pressure", "spares", "tagged", "replace", "dark", "wait"]
ODD_NAMES = ["norm", "in", "linked", "strong", "unknown", "before", "rule", "example", "Kind", "n" * 9999]
BLANKS = ["", "", "", " ", "\n", "\t", "\r\n"]
ODD_BLANKS = ["%c\n", "\u00a0", "\f", "/* c */", "\0", "\u2028", "\v", "\ufeff"]
ARITIES = {
    "kind": "ww",
    "near": "ww",
    "parts": "wi",
    "pressure": "wi",
    "spares": "wi",
    "tagged": "wm",
    "replace": "w",
    "dark": "",
    "wait": "",
}


def random_text(random: Random, oddness: float, most: int = 5) -> str:
    """Return facts in the language, with a mistake or rarity at each place with some probability."""

    def one(usual, odd):
        return random.choice(odd if random.random() < oddness else usual)

    def blank():
        return one(BLANKS, ODD_BLANKS)

    pieces = []
    for _ in range(random.randint(0, most)):
        name = one(NAMES, ODD_NAMES)
        shape = ARITIES.get(name, "ww")
        if random.random() < oddness:
            shape += "w"
        known = [WORDS[4:7] if name in ("kind", "spares") and random.random() < 0.8 else PARTS, NUMBERS]
        arguments = []
        for place, kind in enumerate(shape):
            usual = (
                known[1]
                if kind == "i"
                else ["5", "'5'", "-3", "a", "'x y'"]
                if kind == "m"
                else known[0]
                if place or name == "spares"
                else WORDS[:4]
            )
            mixed = [*usual, *WORDS, *NUMBERS, *ODD_WORDS, *ODD_NUMBERS, "1 + 1", "f(a)", "a mod b"]
            arguments.append(f"{blank()}{one(usual, mixed)}{blank()}")
        before = "before " if name in ("pressure", "spares", "dark") and random.random() < 0.3 else ""
        before = one([before], ["after ", "before ", "before\n", "beforex ", "label: "])
        body = f"({','.join(arguments)})" if arguments else one([""], ["()", "( )"])
        end = one(["."], ["", "..", ";", ",", " :- dark.", ".dark", "?", "\0."])
        pieces.append(f"{blank()}{before}{blank()}{name}{blank()}{body}{blank()}{end}{blank()}")
    return "".join(pieces)


@pytest.fixture(scope="module")
def workshop():
    return load_text(WORKSHOP)


def facts_of(base: KnowledgeBase, facts: StateFacts) -> list[set[GroundFact]]:
    """Return the facts of each state that are in columns."""
    coding = base.engine.coding
    found: list[set[GroundFact]] = [set() for _ in range(facts.states)]
    for number, (states, *cells) in facts.columns.items():
        shape = coding.relations[number]
        for row, state in enumerate(states.tolist()):
            values = tuple(
                coding.value(int(column[row]), kind)
                for column, kind in zip(cells, shape.columns, strict=True)
            )
            found[state].add(GroundFact(shape.template.relation, values, shape.template.tense))
    return found


def parsed(base: KnowledgeBase, text: str) -> set[GroundFact] | set[str]:
    """Return the facts that the parser finds in a text, or the codes of its mistakes."""
    try:
        clauses = base.read_clauses(text)
        if clauses.rules:
            return {"rules"}
        return {base.engine.coding.ground(base.engine.encode(fact)) for fact in clauses.facts}
    except TheoryError as problem:
        return {diagnostic.code for diagnostic in problem.diagnostics}


def of_single(base: KnowledgeBase, facts, ask):
    """Return what a knowledge base says with some more facts, or None if it refuses them."""
    base.push()
    try:
        base.add(facts)
        return ask()
    except (FactError, KnowledgeBaseError):
        return None
    finally:
        base.pop()


def answer_type(names: str, kinds: str) -> pyarrow.DataType:
    types = {"i": pyarrow.int64(), "w": pyarrow.string(), "m": pyarrow.string()}
    return pyarrow.list_(pyarrow.struct([(n, types[k]) for n, k in zip(names, kinds, strict=True)]))


QUERIES = {
    "linked(?a, ?b)": answer_type("ab", "ww"),
    "strong(?p), pressure(?p, ?x)": answer_type("px", "wi"),
    "near(?a, ?b) or linked(?b, ?a)": answer_type("ab", "ww"),
    "alike(?a, ?b), tagged(?a, ?t)": answer_type("abt", "wwm"),
    "after pressure(?p, ?x)": answer_type("px", "wi"),
    "pressure(?p, ?x), ?y = ?x * 1000": answer_type("pxy", "wii"),
    "dark": pyarrow.bool_(),
    "dark or wait": pyarrow.bool_(),
}


def single_answers(base: KnowledgeBase, query: str, most: int):
    found = base.query(query, max_answers=most)
    if not found.variables:
        return bool(found)
    return found.to_arrow().to_pylist() if found.mixed else found.to_dicts()


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("given", ["", "near(b, b_2). dark.", "replace(a)."])
def test_each_state_has_the_answers_of_a_single_state(workshop, query, given, times):
    base = KnowledgeBase(workshop)
    base.add_text(given)
    random = Random(f"{query} {given}")
    texts = [random_text(random, 0.003, 12) for _ in range(120 * times)]
    evaluator = StateEvaluator(base, Limits())
    facts = evaluator.read(texts)
    most = 4
    found = evaluator.answers(facts, base.engine.parse_queries(query), most, QUERIES[query])
    compared = 0
    for state, text in enumerate(texts):
        if state in facts.missing:
            continue
        try:
            ground = base.read_clauses(text).facts
        except TheoryError:
            assert state in found.missing
            continue
        expected = of_single(base, ground, partial(single_answers, base, query, most))
        assert (expected is None) == (state in found.missing), text
        assert expected is None or found.answers[state].as_py() == expected, text
        compared += 1
    assert compared > len(texts) // 8


def all_facts(base: KnowledgeBase, shape: Relation) -> list[GroundFact]:
    return list(base.facts(shape.template.relation, shape.template.tense))


def test_each_state_has_the_facts_of_a_single_state(workshop, times):
    base = KnowledgeBase(workshop)
    coding = base.engine.coding
    random = Random("facts")
    texts = [random_text(random, 0.003, 12) for _ in range(200 * times)]
    evaluator = StateEvaluator(base, Limits())
    facts = evaluator.read(texts)
    wanted = {
        number: ("state", *(f"c{place}" for place in range(len(shape.columns))))
        for number, shape in enumerate(coding.relations)
    }
    found = evaluator.relations(facts, wanted)
    tables = {number: found.tables[number].to_pylist() for number in wanted}
    for state, text in enumerate(texts):
        rows = {n: [tuple(r.values())[1:] for r in each if r["state"] == state] for n, each in tables.items()}
        if state in found.missing:
            assert not any(rows.values())
            continue
        for number, shape in enumerate(coding.relations):
            expected = of_single(base, base.read_clauses(text).facts, partial(all_facts, base, shape))
            values = [
                tuple(
                    mixed_text(v) if k == "mixed" else v for v, k in zip(f.values, shape.columns, strict=True)
                )
                for f in expected
            ]
            assert rows[number] == values, (shape, text)


def test_facts_that_do_not_fit_are_left_out(workshop):
    base = KnowledgeBase(workshop)
    states = {
        0: [GroundFact("near", ("a", "b")), GroundFact("tagged", ("a", 5))],
        1: [GroundFact("near", ("a", 5))],
        2: [GroundFact("norm", ("pump", 1))],
        3: [GroundFact("replace", ("a",)), GroundFact("wait", ())],
        4: [GroundFact("linked", ("a", "b"))],
        5: ["near(a, b)"],
        6: [GroundFact("replace", ("a",)), GroundFact("replace", ("a",))],
    }
    evaluator = StateEvaluator(base, Limits())
    found = evaluator.code(states, 8)
    assert found.missing == {1, 2, 3, 4, 5, 7}
    assert facts_of(base, found)[0] == {
        GroundFact("near", ("a", "b")),
        GroundFact("tagged", ("a", 5), "before"),
    }
    texts = evaluator.read(["dark.", None, 5, "wait. wait.", "wait. replace(a)."])
    assert texts.missing == {1, 2, 4}
    both = texts.with_facts(evaluator.code({1: [GroundFact("wait", ())], 4: [GroundFact("dark", ())]}, 5))
    assert both.missing == {2}
    (number,) = base.engine.coding.actions & {base.engine.coding.predicate_id("wait", None)}
    assert both.columns[number][0].tolist() == [1, 3, 3]


def test_demanded_predicates_and_other_engines_evaluate_single_states(workshop, monkeypatch):
    demanded = load_text(
        WORKSHOP.replace("derived alike(part, part).", "derived alike(part, part) demanded.")
    )
    assert StateEvaluator(KnowledgeBase(demanded), Limits()).read(["dark."]).missing == {0}
    monkeypatch.setenv("HORNBOOK_ENGINE", "plain")
    assert StateEvaluator(KnowledgeBase(workshop), Limits()).read(["dark."]).missing == {0}


@pytest.mark.parametrize("oddness", [0.0, 0.02, 0.2])
def test_what_the_reader_understands_the_parser_reads_alike(workshop, oddness, times):
    base = KnowledgeBase(workshop)
    random = Random(f"texts {oddness}")
    texts = [random_text(random, oddness) for _ in range(400 * times)]
    found = StateEvaluator(base, Limits()).read(texts)
    facts = facts_of(base, found)
    understood = 0
    for state, text in enumerate(texts):
        if state in found.missing:
            assert facts[state] == set()
            continue
        expected = parsed(base, text)
        # Facts that contradict each other are found by the evaluation.
        assert expected in (facts[state], {"HB050"}), repr(text)
        understood += 1

    assert understood > len(texts) * {0.0: 0.5, 0.02: 0.3, 0.2: 0.02}[oddness]
