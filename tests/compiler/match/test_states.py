"""Tests of matching in blocks of states: each state has the answers of a matcher that has only this state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import hornbook
from hornbook import cli
from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules
from hornbook.compiler.match.states import FEW, StateMatcher
from hornbook.compiler.rules import rulebase
from hornbook.inputs.domains import domain_of
from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import parse
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits
from hornbook.theories.domain import RuleQuery

ROADS = """theory roads.
sort place.
fluent road(place, place).
fluent height(place -> int).
static steep(place).
action go(place).
derived way(place, place).
game there(place).
steep(top).
one: way(?a, ?b) :- road(?a, ?b).
more: way(?a, ?c) :- road(?a, ?b), way(?b, ?c).
"""
LEARNED = """
near: there(?x) by go(?y) is GI :- road(?y, ?x).
far: there(?x) by go(?y) is GI :- way(?y, ?x), height(?x, ?h), ?h > 3.
safe: there(?x) is IG :- way(?y, ?x), steep(?y).
sum: there(?x) by go(?x) is GI :- height(?x, ?h), ?k = ?h + 1, ?k > 0.
"""
PLACES = ("a", "b", "c", "top")
RULES_OF_GO = Path(__file__).parents[2] / "theories" / "go" / "capture_rules.horn"


def rules_of(text: str) -> list[Rule]:
    parsed = parse(text)
    assert not parsed.diagnostics, parsed.diagnostics
    return [clause for clause in parsed.clauses if isinstance(clause, Rule)]


def parts(*facts: GroundFact) -> list[Part]:
    return [part_of_fact(fact) for fact in facts]


def roads(random: Random) -> list[GroundFact]:
    found = [
        GroundFact("road", (a, b), "before")
        for a in PLACES
        for b in PLACES
        if a != b and random.random() < 0.3
    ]
    heights = [GroundFact("height", (a, random.choice((2, 5))), "before") for a in PLACES]
    found += random.sample(heights, 3)
    match random.randrange(12):
        case 0:
            found += [GroundFact("height", ("a", n), "before") for n in (1, 2)]
        case 1:
            found.append(GroundFact("height", ("b", "a"), "before"))
        case 2:
            found += [
                f for f in [GroundFact("height", ("top", 2**63 - 1), "before")] if heights[3] not in found
            ]
        case 3:
            found.append(GroundFact("steep", ("top",)))
        case 4:
            found.append(GroundFact("steep", ("c",)))
    return found


def described(found: list[Conclusion]) -> list[tuple[object, ...]]:
    return [(each.rule, each.statement, list(each.bindings.items())) for each in found]


def compare(
    theory: Theory,
    focus: str,
    rules: Iterable[Rule],
    queries: Sequence[RuleQuery],
    limits: Limits | None = None,
) -> tuple[int, int]:
    """Compare the answers of both matchers, and return how many answers and errors there are."""
    rules = tuple(rules)
    shared = SharedRules()

    def single() -> RuleMatcher:
        matcher = RuleMatcher(theory, focus, limits, shared)
        for rule in () if matcher.has_rules else rules:
            matcher.add(rule)
        return matcher

    matcher = single()
    block, other = (StateMatcher(theory, focus, rules, limits) for _ in range(2))
    answers = errors = 0
    conclusions, statements = block.conclusions(queries), other.statements(queries)
    for query, found, stated in zip(queries, conclusions, statements, strict=True):
        try:
            expected: list[Conclusion] | Exception = matcher.conclusions(query.parts, query.games)
        except Exception as problem:  # noqa: BLE001 - compared
            matcher = single()
            with pytest.raises(type(problem)) as raised:  # the first of two values depends on earlier states
                matcher.conclusions(query.parts, query.games)
            expected = raised.value
        if isinstance(expected, Exception):
            errors += 1
            for each in (found, stated):
                assert (type(each), str(each)) == (type(expected), str(expected))
            continue
        assert isinstance(found, list), found
        answers += len(expected)
        assert described(found) == described(expected)
        assert stated == matcher.ordered_statements(query.parts, query.games)
    return answers, errors


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Unset the variable for the engine; only the compiled one evaluates blocks."""
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)


@pytest.mark.parametrize("seed", range(4))
def test_each_state_has_the_answers_or_the_error_of_a_single_state(seed):
    theory, random = load_text(ROADS), Random(seed)
    queries = [
        RuleQuery(
            parts(*roads(random)),
            [Atom("there", (Constant(place),)) for place in random.sample((*PLACES, "nowhere"), 3)],
        )
        for _ in range(60)
    ]
    answers, errors = compare(theory, "steep", rules_of(LEARNED), queries)
    assert answers > 100
    assert 5 < errors < 30


@pytest.mark.parametrize("seed", range(4))
def test_the_first_conclusions_are_those_of_a_single_state(seed):
    theory, random, rules = load_text(ROADS), Random(seed), rules_of(LEARNED)
    queries = [
        RuleQuery(parts(*roads(random)), [Atom("there", (Constant(random.choice(PLACES)),))])
        for _ in range(60)
    ]
    number = 0
    for query, found in zip(queries, StateMatcher(theory, "steep", rules).first(queries), strict=True):
        (alone,) = StateMatcher(theory, "steep", rules).first([query])
        if isinstance(alone, BaseException):
            assert (type(found), str(found)) == (type(alone), str(alone))
            continue
        assert isinstance(found, dict)
        assert [(value, each[:2]) for value, each in found.items()] == [
            (v, each[:2]) for v, each in alone.items()
        ]
        given = {fact for part in query.parts for fact in part.facts()}
        for each in (*found.values(), *alone.values()):
            own = {fact for fact in each.premises if fact.relation in ("road", "height")}
            assert own <= given
            assert own or each.rule == "safe"
        number += len(found)
    assert number > 50


def test_blocks_begin_after_a_few_states():
    theory = load_text(ROADS)
    matcher = StateMatcher(theory, "steep", rules_of(LEARNED))
    query = RuleQuery(parts(GroundFact("road", ("a", "b"), "before")), [Atom("there", (Constant("b"),))])
    seen = []
    for _ in range(FEW + 2):
        (found,) = matcher.first([query])
        seen.append((matcher.has_block, {value: each.rule for value, each in found.items()}))
    assert [has_block for has_block, _ in seen] == [False] * FEW + [True] * 2
    assert all(answers == seen[0][1] != {} for _, answers in seen)


def test_errors_name_the_reason_and_other_states_have_answers():
    theory = load_text(ROADS)
    matcher = StateMatcher(theory, "steep", rules_of(LEARNED))
    games = [Atom("there", (Constant("b"),))]
    right = parts(GroundFact("road", ("a", "b"), "before"))
    twice = parts(*(GroundFact("height", ("a", n), "before") for n in (1, 2)))
    unfit = parts(GroundFact("height", ("a", "b"), "before"))
    found = matcher.conclusions([RuleQuery(each, games) for each in (unfit, twice, right, twice, unfit)])
    kinds = [FactError, KnowledgeBaseError, list, KnowledgeBaseError, FactError]
    assert [isinstance(each, kind) for each, kind in zip(found, kinds, strict=True)] == [True] * 5
    assert [each.rule for each in found[2]] == ["near"]


def test_a_limit_concerns_the_state_that_exceeds_it():
    theory, random = load_text(ROADS), Random(1)
    states = [roads(random) for _ in range(40)]
    queries = [RuleQuery(parts(*each), [Atom("there", (Constant("a"),))]) for each in states]
    _, errors = compare(theory, "steep", rules_of(LEARNED), queries, Limits(facts=14))
    assert 5 < errors < 40


def test_a_block_is_one_evaluation(monkeypatch):
    theory, random, sizes = load_text(ROADS), Random(0), []
    evaluate = StateEngine.evaluate

    def counted(self, block, *arguments, **named):
        sizes.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", counted)
    matcher = StateMatcher(theory, "steep", rules_of(LEARNED))
    places = [Atom("there", (Constant(place),)) for place in PLACES]
    road = GroundFact("road", ("a", "b"), "before")
    queries = [
        RuleQuery(parts(road, GroundFact("height", (random.choice(PLACES), 5), "before")), places)
    ] * 50
    matcher.conclusions(queries)
    assert sizes == [50]


def test_without_rules_nothing_answers():
    theory = load_text(ROADS)
    matcher = StateMatcher(theory, "steep", ())
    assert matcher.conclusions([]) == []
    road = GroundFact("road", ("a", "b"), "before")
    query = RuleQuery(parts(road), [Atom("there", (Constant("b"),))])
    assert matcher.conclusions([query, query]) == [[], []]


@pytest.mark.deep
@pytest.mark.parametrize("name", ["abalone", "checkers", "chess", "othello", "tiles", "go"])
def test_shipped_games_have_the_answers_of_single_states(name, tmp_path, times):
    theory = hornbook.read_theory(name)
    domain = domain_of(theory)
    assert domain is not None
    rules = RULES_OF_GO
    if name != "go":
        rules, problems = tmp_path / "rules.horn", tmp_path / "problems.jsonl"
        with domain.shipped().open() as lines:
            problems.write_text("".join(islice(lines, 8)))
        assert cli.main(["learn", name, "--problems", str(problems), "--into", str(rules)]) == 0
    base = rulebase.read(rules, theory)
    theory, learned = base.definitions.extended(theory), [entry.answering for entry in base]
    random = Random(3)
    states = [state for _ in range(4 * times) for state in random.choices(domain.random_game(random), k=10)]
    states += [domain.query_of(problem).state for problem in domain.read_problems(domain.shipped())[:30]]
    queries = [query for state in states for query in domain.questions(state, theory)]
    answers, errors = compare(theory, domain.focus_predicate, learned, queries)
    assert answers
    assert not errors
