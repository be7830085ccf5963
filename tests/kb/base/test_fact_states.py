"""Tests of a theory in many states of facts: each state has the results of a knowledge base with its facts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.terms import Atom, Condition, Constant, Span, game_relation
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_states import _SHARED, FEW, ChangedStates, FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import suppose
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits

TEXT = """theory roads.
sort place.
sort code = word | int.
fluent road(place, place).
fluent roads(place -> int) counts road.
fluent height(place -> int).
fluent mark(place, code).
static steep(place).
action go(place).
derived way(place, place).
derived calm(place).
game there(place).
steep(top).
one: way(?a, ?b) :- road(?a, ?b).
more: way(?a, ?c) :- road(?a, ?b), way(?b, ?c).
calm: calm(?a) :- height(?a, ?n), ?n < 4, absent way(?a, ?a).
stays: after road(?a, ?b) :- before road(?a, ?b), go(?c), ?c != ?a.
higher: after height(?a, ?m) :- before height(?a, ?n), go(?a), ?m = ?n + 1.
there: there(?a) by go(?a) is GI :- way(?b, ?a), steep(?b).
"""
RELATIONS = [("way", "before"), ("calm", None), ("road", "after"), ("height", "after"), ("steep", None)]
RELATIONS += [(game_relation("there", "go"), "before")]
QUERIES = [
    "way(?a, ?b), height(?b, ?n), ?m = 3 - ?n",
    "steep(?x)",
    "road(a, b)",
    "mark(?p, ?code), all ?q in road(?p, ?q): height(?q, _)",
    "after road(?a, ?b), go(?c)",
]
PLACES = ("a", "b", "c", "top")


def state(random: Random) -> list[GroundFact]:
    found = [GroundFact("road", (a, b)) for a in PLACES for b in PLACES if random.random() < 0.25]
    found += [GroundFact("roads", (a, sum(f.values[0] == a for f in found))) for a in PLACES]
    found += random.sample([GroundFact("height", (a, random.choice((2, 5)))) for a in PLACES], 3)
    found += [GroundFact("mark", (random.choice(PLACES), random.choice(("5", 5, "x")))) for _ in range(2)]
    found += [GroundFact("go", (random.choice(PLACES),)) for _ in range(random.choice((0, 1, 1, 1, 2)))]
    match random.randrange(10):
        case 0:
            found += [GroundFact("height", ("a", n)) for n in (7, 8)]
        case 1:
            found.append(GroundFact("height", ("b", "a")))
        case 2:
            found.append(GroundFact("height", ("top", 2**63 - 1)))
        case 3:
            found.append(GroundFact("steep", (random.choice(("top", "c")),)))
        case 4:
            found.append(GroundFact("river", ("a",)))
        case 5:
            found.append(GroundFact("way", ("a", "c")))
    return found


def single(
    base: KnowledgeBase, facts: list[GroundFact], queries: list[tuple[Condition, ...]], *, are_supposed: bool
) -> tuple[Any, ...] | Exception:
    """Return the facts of the relations and the answers to the queries, or the error."""
    coding = base.engine.coding
    try:
        if are_supposed:
            suppose(base, facts)
        else:
            base.add(facts)
        found = {each: {coding.ground(f).values for f in base.engine.facts(*each)} for each in RELATIONS}
        answers = [base.engine.query(Query(each, Span("", 1, 1, 1, 1))) for each in queries]
    except (KnowledgeBaseError, FactError) as problem:
        return problem
    return found, answers


def compare(theory: Theory, states: list[list[GroundFact]], limits: Limits, *, are_supposed: bool) -> int:
    """Compare all results with those of a knowledge base, and return the number of errors."""
    queries = [parse_query(text).conditions for text in QUERIES]
    evaluated = FactStates(theory, RELATIONS, queries, limits, are_supposed=are_supposed).evaluate(states)
    errors = 0
    for facts, found in zip(states, evaluated, strict=True):
        expected = single(KnowledgeBase(theory, limits=limits), facts, queries, are_supposed=are_supposed)
        if isinstance(expected, Exception):
            errors += 1
            assert (type(found), str(found)) == (type(expected), str(expected))
            continue
        assert not isinstance(found, Exception), found
        assert {each: found.values(*each) for each in RELATIONS} == expected[0]
        assert [found.answers(number) for number in range(len(QUERIES))] == expected[1]
        for place in PLACES:
            calm = Atom("calm", (Constant(place),))
            assert found.holds(calm) == ((place,) in expected[0]["calm", None])
    return errors


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Unset the variable for the engine; only the compiled one evaluates blocks."""
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)


@pytest.mark.parametrize("are_supposed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_each_state_has_the_results_or_the_error_of_a_knowledge_base(seed, are_supposed):
    random = Random(seed)
    states = [state(random) for _ in range(40)]
    errors = compare(load_text(TEXT), states, Limits(), are_supposed=are_supposed)
    assert 5 < errors < 35


def test_a_limit_concerns_the_state_that_exceeds_it():
    random = Random(7)
    states = [state(random) for _ in range(40)]
    theory = load_text(TEXT)
    found = FactStates(theory, [("way", None)], (), Limits(facts=40)).evaluate(states)
    exceeded = [each for each in found if isinstance(each, KnowledgeBaseError) and "facts" in str(each)]
    assert 0 < len(exceeded) < 40


def test_states_are_evaluated_in_one_call(monkeypatch):
    sizes = []
    evaluate = StateEngine.evaluate

    def counted(self, block, *arguments, **named):
        sizes.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", counted)
    states = FactStates(load_text(TEXT), [("way", None)], (), Limits())
    few = [[GroundFact("road", ("a", "b"))]] * FEW
    assert len(states.evaluate(few)) == FEW
    assert sizes == []
    states.evaluate(few * 10)
    assert sizes == [FEW * 10]


def test_another_engine_gives_the_same_results(monkeypatch):
    random = Random(5)
    states = [state(random) for _ in range(20)]
    results = []
    for engine in ("compiled", "plain"):
        monkeypatch.setenv("HORNBOOK_ENGINE", engine)
        found = FactStates(load_text(TEXT), [("way", None)], (), Limits()).evaluate(states)
        results.append([type(e) if isinstance(e, Exception) else e.values("way") for e in found])
    assert results[0] == results[1]


def test_valid_states_are_those_without_an_error():
    random = Random(9)
    states = [state(random) for _ in range(30)]
    evaluated = FactStates(load_text(TEXT), [("way", None)], (), Limits())
    for some in (states, states[:FEW]):
        found = [
            None if isinstance(each, Exception) else each.values("way") for each in evaluated.evaluate(some)
        ]
        assert [each and each.values("way") for each in evaluated.valid(some)] == found
    assert None in found


def changed(base: KnowledgeBase, facts: list[GroundFact], query: str, most: int) -> Any:
    """Return the answers in a state, or None if there is an error or too many."""
    base.push()
    try:
        base.add(facts)
        return base.query(query, max_answers=most)
    except (KnowledgeBaseError, FactError, TooManyAnswersError):
        return None
    finally:
        base.pop()


@pytest.mark.parametrize("shared", [0, 3, 40])
@pytest.mark.parametrize("has_action", [False, True])
def test_states_that_change_a_knowledge_base_have_its_answers(has_action, shared):
    random = Random(shared)
    base = KnowledgeBase(load_text(TEXT))
    base.add([GroundFact("road", (f"p{n}", f"p{n + 1}")) for n in range(shared)])
    base.add([GroundFact("height", ("p0", 3)), GroundFact("mark", ("a", 5))])
    base.add([GroundFact("go", ("p1",))] * has_action)
    states = ChangedStates(base, Limits(), threads=1)
    facts = [state(random) for _ in range(100 if has_action else 30)]
    coded = [states.groups(rows_of(each)) for each in facts]
    fit = [place for place, groups in enumerate(coded) if groups is not None]
    answered = 0
    for query in [*QUERIES, "road(?a, _) or mark(?a, 5)", "calm(?a) or way(?a, b)"]:
        for most in (2, 1000):
            found = states.answers([coded[place] for place in fit], base.engine.coded_queries(query), most)
            expected = [changed(base, each, query, most) for each in facts]
            assert all(each is None for place, each in enumerate(expected) if place not in fit)
            answered += sum(map(bool, found))
            for answers, place in zip(found, fit, strict=True):
                # A second action is left to the knowledge base.
                has_second = has_action and any(fact.relation == "go" for fact in facts[place])
                assert answers == (None if has_second else expected[place])
    assert answered > 20


@pytest.mark.parametrize(("shared", "parents"), [(0, False), (200, True)])
def test_a_block_changes_the_facts_of_the_knowledge_base_if_they_are_more(monkeypatch, shared, parents):
    base = KnowledgeBase(load_text(TEXT))
    base.add([GroundFact("mark", (f"p{n}", n)) for n in range(shared)])
    blocks, evaluate = [], StateEngine.evaluate

    def noted(self, block, *arguments, **named):
        blocks.append((block.states, block.parents is not None))
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", noted)
    states = ChangedStates(base, Limits(), threads=1)
    given = [states.groups(rows_of([GroundFact("road", ("a", f"b{n}"))])) for n in range(2 * FEW)]
    queries = base.engine.coded_queries("way(a, ?b)")
    found = states.answers(given, queries, 10)
    assert [each.rows for each in found] == [((f"b{n}",),) for n in range(2 * FEW)]
    assert blocks == [(2 * FEW + parents, parents)]
    assert states.answers(given[:FEW], queries, 10) == [None] * FEW
    base.add([GroundFact("mark", (f"q{n}", n)) for n in range(2 * FEW * _SHARED)])
    assert ChangedStates(base, Limits(), threads=1).answers(given, queries, 10) == [None] * (2 * FEW)
    assert len(blocks) == 1


def test_facts_of_a_state_may_stop_a_rule(monkeypatch):
    text = """theory counting. sort number = int. static last(number). static from(number).
    derived reached(number). derived over(number).
    one: reached(?n) :- from(?n).
    over: over(?n) :- reached(?n), last(?m), ?n >= ?m.
    more: reached(?m) :- reached(?n), absent stop(?n), ?m = ?n + 1.
    static stop(number). from(1). last(90). last(91). last(92).
    """
    base = KnowledgeBase(load_text(text), limits=Limits(facts=2000))
    states = ChangedStates(base, Limits(facts=2000), threads=1)
    given = [states.groups(rows_of([GroundFact("stop", (n,))])) for n in range(2, 12)]
    updates, evaluate = [], StateEngine.evaluate
    monkeypatch.setattr(
        StateEngine,
        "evaluate",
        lambda self, block, *a, **n: updates.append(block) or evaluate(self, block, *a, **n),
    )
    found = states.answers(given, base.engine.coded_queries("reached(?n)"), 100)
    assert [len(each) for each in found] == list(range(2, 12))
    assert [block.parents for block in updates] == [None]
