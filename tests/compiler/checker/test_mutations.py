"""Mutation test: the search for counter-models refutes no mutated rule that the checker still accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.forger.states import States
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.mutants import Mutant, mutants
from oracles.proofs.plain_truth import Facts, PlainTruth, firings, judged
from oracles.proofs.random_theories import random_action, random_state, random_theory
from oracles.proofs.soundness_run import World, asks_what_is_complete, conclusions, read_where_right
from oracles.proofs.two_readers import Both

CLOSED_SETS = """
sort point. sort block. sort colour = black | white | empty.
static edge(point). static near(point, point). static nears(point -> int) counts near.
fluent colour(point -> colour).
fluent liberty(block, point). fluent liberties(block -> int) counts liberty.
action move(colour, point).
derived good(block). derived dark(point). derived joined(block, block -> int).
good: good(?b) :- liberties(?b, ?n), ?n < 3, all ?l in liberty(?b, ?l): edge(?l).
dark: dark(?p) :- nears(?p, _), all ?q in near(?p, ?q): (colour(?q, ?c), ?c != white).
joined: joined(?a, ?b, ?n) :-
  liberties(?a, _), liberties(?b, _), liberty(?a, ?p), liberty(?b, ?p),
  ?n = count ?l in (liberty(?a, ?l) or liberty(?b, ?l)) but ?p.
stays: after colour(?p, ?c) :- move(_, ?m), before colour(?p, ?c), ?p != ?m.
fills: after colour(?p, ?c) :- move(?c, ?p), before colour(?p, empty).
less: after liberties(?b, ?m) :- move(_, ?p), before liberty(?b, ?p), before liberties(?b, ?n), ?m = ?n - 1.
fewer: after liberty(?b, ?l) :- move(_, ?p), before liberty(?b, ?l), ?l != ?p.
example case: near(p1, p2), near(p1, p3), nears(p1, 2), near(p2, p1), nears(p2, 1), edge(p2), edge(p3),
  colour(p1, empty), colour(p2, black), colour(p3, empty), liberty(a, p2), liberty(a, p3), liberties(a, 2),
  liberty(b, p3), liberty(b, p1), liberties(b, 2), move(black, p3).
"""
ARITHMETIC = """
sort good. sort cents = int.
fluent stock(good -> int). fluent cash(good -> cents). static sales(good -> int). static price(good -> cents).
static made_of(good, good -> int).
action make(good, int).
derived covered(good). derived short(good, int). derived worth(good, cents). derived kept(good).
game fill(good).
covered: covered(?g) :- stock(?g, ?n), sales(?g, ?s), ?n >= ?s.
short: short(?g, ?d) :- stock(?g, ?n), sales(?g, ?s), ?n < ?s, ?d = ?s - ?n.
worth: worth(?g, ?w) :- stock(?g, ?n), price(?g, ?p), ?w = ?n * ?p.
kept: kept(?g) :- worth(?g, ?w), cash(?g, ?c), max(?w, 10) + ?c > 20, ?w // 3 <= 7.
made: after stock(?g, ?m) :- make(?g, ?k), before stock(?g, ?n), ?m = ?n + ?k, ?k > 0.
used: after stock(?h, ?m) :-
  make(?g, ?k), made_of(?g, ?h, ?u), before stock(?h, ?n), ?k * ?u <= ?n, ?m = ?n - ?k * ?u, ?g != ?h.
fills: before fill(?g) by make(?g, ?k) is GI :- make(?g, ?k), before short(?g, _), after covered(?g).
example case: stock(table, 2), sales(table, 4), price(table, 7), cash(table, 9), made_of(table, leg, 4),
  stock(leg, 20), sales(leg, 3), price(leg, 1), make(table, 3).
"""
RECURSION = """
sort place. sort colour = red | green | blue.
static road(place, place). static kind(place -> colour). fluent open(place). fluent toll(place -> int).
derived way(place, place). derived ring(place). derived cost(place, place, int).
action close(place).
game cross(place).
direct: way(?x, ?y) :- road(?x, ?y), open(?y), ?x != ?y.
further: way(?x, ?z) :- road(?x, ?y), open(?y), way(?y, ?z), ?x != ?y.
ring: ring(?x) :- way(?x, ?y), way(?y, ?x), kind(?x, ?c), kind(?y, ?d), ?c != ?d.
first: cost(?x, ?y, ?n) :- road(?x, ?y), toll(?y, ?n).
next: cost(?x, ?z, ?m) :- road(?x, ?y), toll(?y, ?n), cost(?y, ?z, ?k), ?m = ?n + ?k, ?m < 9.
stays: after open(?x) :- close(?y), before open(?x), ?x != ?y.
opens: after open(?x) :- close(?y), road(?x, ?y), kind(?x, red).
cross: before cross(?x) by close(?p) is GI :- close(?p), after way(?x, ?x2), kind(?x2, green), ?x != ?x2.
example case: road(a, b), road(b, c), road(c, a), road(c, d), kind(a, red), kind(b, green), kind(c, blue), kind(d, green),
  open(a), open(b), open(c), open(d), toll(b, 1), toll(c, 2), toll(d, 3), close(a).
"""
GAMES = """
sort point. sort colour = black | white | empty.
static near(point, point). static player(colour). static opponent(colour -> colour).
fluent colour(point -> colour). fluent last(point -> int).
derived free(colour, point). derived open(point).
action move(colour, point).
game take(point).
player(black). player(white). opponent(black, white). opponent(white, black).
open: open(?p) :- colour(?p, empty), near(?p, ?q), colour(?q, empty).
free: free(?c, ?p) :- player(?c), open(?p).
take: take(?p) by move(?c, ?q) is GI :-
  free(?c, ?q), near(?p, ?q), opponent(?c, ?o), colour(?p, ?o), last(?p, 1).
stays: after colour(?p, ?c) :- move(_, ?m), before colour(?p, ?c), ?p != ?m.
filled: after colour(?p, ?c) :- move(?c, ?p), before free(?c, ?p).
less: after last(?p, ?m) :- move(?c, ?q), near(?p, ?q), before last(?p, ?n), ?n > 1, ?m = ?n - 1, opponent(?c, ?o), before colour(?p, ?o).
threat: before take(?p) by move(?c, ?q) is GIII :-
  player(?c), move(?c, ?q), before free(?c, ?q), after take(?p) by move(?c, _) is GI.
example case: near(i1, i2), near(i2, i1), near(i2, i3), near(i3, i2), near(i3, i4), near(i4, i3), near(i4, i5),
  near(i5, i4), colour(i1, empty), colour(i2, empty), colour(i3, white), colour(i4, empty), colour(i5, empty),
  last(i3, 2), move(black, i4).
"""
VALUES = """
sort person. sort book. sort day = date. sort euro = decimal(2). sort rate = percent(1). sort count = int.
fluent lent(book -> person). fluent since(book -> day). fluent owed(person -> euro).
static fee_a_day(-> euro). static tax(-> rate). static holiday(day). static born(person -> day).
action give_back(book, day).
derived may_borrow(person). derived in_march(book). derived due(book, day). derived adult(book).
derived bill(person, euro). derived share(person, euro). derived part_of(person, rate). derived days(book, count).
derived free(book). derived latest(book, day).
fee_a_day(0.15). tax(19.0 percent).
a_fee: after owed(?p, ?f) :-
  give_back(?b, ?d), before lent(?b, ?p), before since(?b, ?s), ?d > add_months(?s, 1), fee_a_day(?a),
  before owed(?p, ?o), ?f = ?o + round_half_up(?a * (?d - add_months(?s, 1)) * 0.50, 4, 2).
fine: may_borrow(?p) :- owed(?p, ?f), ?f < 1.00.
march: in_march(?b) :- since(?b, ?d), month(?d) = 3, ?d >= 2024-03-01, weekday(?d) < 7.
due: due(?b, ?e) :- since(?b, ?s), ?e = min(last_of_month(?s), ?s + 14), holiday(?h), ?h != ?e.
adult: adult(?b) :- lent(?b, ?p), since(?b, ?s), born(?p, ?n), add_years(?n, 18) <= ?s, year(?s) - year(?n) < 80.
bill: bill(?p, ?t) :- owed(?p, ?o), tax(?r), ?t = ?o + round_down(?o * ?r, 5, 2), ?t >= 0.50.
share: share(?p, ?h) :- owed(?p, ?o), ?h = divide_half_even(?o, 3.00, 2), ?h != 0.00.
portion: part_of(?p, ?r) :- owed(?p, ?o), bill(?p, ?t), ?r = percent_half_up(?o, ?t, 1).
days: days(?b, ?k) :- since(?b, ?s), due(?b, ?e), ?k = ?e - ?s.
free: free(?b) :- days(?b, ?k), lent(?b, ?p), share(?p, ?h), ?k * 0.01 <= ?h.
latest: latest(?b, ?m) :- due(?b, ?d), born(?p, ?n), lent(?b, ?p), ?m = max(?d, first_of_month(?n)).
example case: lent(b1, ada), since(b1, 2024-03-04), owed(ada, 0.75), holiday(2024-03-29), born(ada, 1990-02-28),
  give_back(b1, 2024-05-02).
example other: lent(b2, bo), since(b2, 2024-01-31), owed(bo, 3.10), holiday(2024-02-01), born(bo, 2000-02-29),
  give_back(b2, 2024-02-10).
"""
TEXTS = """
sort item. sort code. sort number = int.
fluent label(item -> code). static code(item -> code). static prefix(code). static wanted(item, number).
action rename(item, code).
derived sold(item). derived key(item, code). derived shown(item, code). derived size(item, number).
derived same(item, item). derived matching(item). derived year_of(item, number). derived ranked(item).
begins: sold(?i) :- label(?i, ?c), prefix(?p), starts_with(?c, ?p) = 1, ends_with(?c, ?p) = 0.
key: key(?i, ?k) :- code(?i, ?c), ?k = upper(concat(part(?c, 1, 2), '-', split(?c, '-', 2))).
shown: shown(?i, ?w) :- label(?i, ?c), size(?i, ?n), ?w = concat(lower(?c), ' ', word(?n)).
size: size(?i, ?n) :- code(?i, ?c), ?n = length(?c) + 1.
same: same(?i, ?j) :- key(?i, ?k), key(?j, ?k), ?i != ?j.
match: matching(?i) :- label(?i, ?c), key(?i, ?k), contains(lower(?k), ?c) = 1.
year: year_of(?i, ?y) :- code(?i, ?c), ?y = int(split(?c, '-', 2)), ?y > 3.
ranked: ranked(?i) :- year_of(?i, ?y), wanted(?i, ?n), word(?y) != word(?n), ?n <= ?y.
renamed: after label(?i, ?d) :- rename(?i, ?c), before label(?i, ?b), ?d = concat(?b, upper(?c)).
example case: label(i, ab), code(i, 'ab-7'), code(j, 'ABc-7'), prefix(a), wanted(i, 5), label(j, 'c-'), rename(i, x).
example odd: label(i, '7-aB'), code(i, 'ab-07-x'), code(j, '5-12'), prefix('7'), wanted(i, 12), label(j, 'aab'),
  rename(j, 'x-y').
"""
EXCEPTIONS = """
sort person. sort book. sort day = date. sort euro = decimal(2). sort days = int.
fluent lent(book -> person). fluent late(book -> days). fluent owed(person -> euro). fluent on(book -> day).
static member(person) complete. static child(person) complete. static teacher(person) complete.
static repeated(person) complete. static born(person -> day) complete. static fee(person -> euro).
static limit(person -> days). static poor(person).
action give_back(book).
derived may_borrow(person). derived reminded(book). derived open(book, days).
full: fee(?p, 0.50) :- member(?p).
half exception to full: fee(?p, 0.25) :- child(?p).
free exception to half: fee(?p, 0.00) :- teacher(?p).
not_again exception to half, free: absent fee(?p, _) :- repeated(?p).
aged exception to full: fee(?p, round_half_up(0.50 * 0.50, 4, 2)) :- born(?p, ?d), ?d < 1960-01-01, absent child(?p).
limit: limit(?p, 5) :- poor(?p).
less exception to limit: limit(?p, 3) :- child(?p), repeated(?p).
more exception to less: limit(?p, 4) :- born(?p, ?d), year(?d) = 2000.
owes: after owed(?p, ?f) :-
  give_back(?b), before lent(?b, ?p), before late(?b, ?d), fee(?p, ?a), before owed(?p, ?o), ?f = ?o + ?a * ?d.
fine: may_borrow(?p) :- owed(?p, ?f), ?f < 5.00, fee(?p, ?a), ?f != ?a.
remind: reminded(?b) :- lent(?b, ?p), late(?b, ?d), limit(?p, ?m), ?d > ?m.
open: open(?b, ?k) :- on(?b, ?t), lent(?b, ?p), limit(?p, ?m), ?k = day(add_months(?t, ?m)), absent repeated(?p).
example plain: lent(b1, ada), late(b1, 6), owed(ada, 1.00), give_back(b1), member(ada), poor(ada), on(b1, 2024-01-31).
example child: lent(b1, ada), late(b1, 6), owed(ada, 1.00), give_back(b1), member(ada), child(ada), repeated(ada),
  poor(ada), born(ada, 2000-05-01), on(b1, 2024-01-31).
example teacher: lent(b1, ada), late(b1, 6), owed(ada, 1.00), give_back(b1), member(ada), child(ada), teacher(ada),
  poor(ada), born(ada, 2001-05-01), on(b1, 2024-01-31).
example old: lent(b1, ada), late(b1, 6), owed(ada, 1.00), give_back(b1), member(ada), born(ada, 1950-05-01), poor(ada),
  on(b1, 2024-01-31).
example again: lent(b1, ada), late(b1, 6), owed(ada, 1.00), give_back(b1), member(ada), child(ada), poor(ada),
  repeated(ada), on(b1, 2024-01-31).
"""
WRITTEN = {"closed sets": CLOSED_SETS, "arithmetic": ARITHMETIC, "recursion": RECURSION, "games": GAMES}
OF_VALUES = {"values": VALUES, "texts": TEXTS, "exceptions": EXCEPTIONS}
SHIPPED = ("paper", "cup", "stack", "suicide", "family")
EVERY = {"paper": 4, "arithmetic": 2}
"""Sampling interval: the test tries every n-th mutant."""
TRIES = 12
"""Number of random states that the search for a counter-model of a mutant tries.

With 40 states it finds few more and takes twice as long. `benchmarks/results/mutation.txt` has the long run.
"""
STATES = 20
"""Number of random states of each kind in which a mutant of a rule with values or exceptions is tried."""

pytestmark = pytest.mark.deep


def _learned(theory: Theory) -> Iterator[Regressed]:
    """Yield the rules that are learned from all derived facts in the theory's examples."""
    for example in theory.examples:
        base = KnowledgeBase(theory)
        try:
            base.add(example_facts(theory, example))
        except KnowledgeBaseError:
            continue
        for relation in base.relations():
            for goal in base.engine.statements(relation.relation, relation.tense):
                if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None:
                    learned = learn(explanation_of(base, goal), theory, "learned")
                    if isinstance(learned, ProvedExample):
                        yield Regressed(learned.rule, learned.certificate.steps)


def _is_accepted(mutant: Mutant, theory: Theory) -> bool | None:
    """Return whether the checker accepts a mutant, or None if the mutant is not a rule of the language."""
    certificate = certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
    try:
        verify(mutant.proved.rule, certificate, theory)
    except RejectedError as problem:
        return None if "not a rule of the theory's language" in str(problem) else False
    return True


def _try(learned: Iterable[Regressed], theory: Theory, tally: Counter[str], every: int = 1) -> None:
    shown: set[str] = set()
    for proved in {print_rule(p.rule): p for p in learned}.values():
        tally["rules"] += 1
        for mutant in islice(mutants(proved), 0, None, every):
            accepted = _is_accepted(mutant, theory)
            if accepted is None:
                tally["no rules"] += 1
                continue
            tally["mutants"] += 1
            tally["of absences"] += asks_what_is_complete(mutant.proved.rule.body)
            found = find(mutant.proved.rule, theory, tries=TRIES)
            if accepted:
                tally["accepted"] += 1
                assert found is None, f"{mutant.kind}: {print_rule(mutant.proved.rule)}\n{found}"
            else:
                tally["undecided" if found is None else "refuted"] += 1
                if found is not None and mutant.kind not in shown:
                    shown.add(mutant.kind)
                    print(f"{mutant.kind}:\n{print_rule(mutant.proved.rule)}\n{found}\n")


@pytest.mark.parametrize("name", [*WRITTEN, *SHIPPED])
def test_no_accepted_mutant_of_a_theorys_rules_is_refuted(name):
    theory = theory_of(WRITTEN[name]) if name in WRITTEN else load(name)
    tally: Counter[str] = Counter()
    _try(_learned(theory), theory, tally, every=EVERY.get(name, 1))
    print(f"{name}: {dict(tally)}")
    assert tally["rules"] >= 1
    assert tally["refuted"] > tally["undecided"]


@pytest.mark.parametrize("complete", [False, True], ids=["known in part", "complete"])
def test_no_accepted_mutant_of_rules_of_random_theories_is_refuted(complete):
    tally: Counter[str] = Counter()
    for seed in range(4, 9) if complete else range(4):
        random = Random(f"mutants.{seed}")
        theory = random_theory(random, complete=complete)
        base = KnowledgeBase(theory)
        try:
            base.add([*random_state(random), random_action(random)])
        except KnowledgeBaseError:
            continue
        goals = [
            goal
            for relation in base.relations()
            for goal in base.engine.statements(relation.relation, relation.tense)
            if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None
        ]
        outcomes = (
            learn(explanation_of(base, g), theory, "learned")
            for g in random.sample(goals, min(4, len(goals)))
        )
        learned = [Regressed(o.rule, o.certificate.steps) for o in outcomes if isinstance(o, ProvedExample)]
        _try(learned, theory, tally)
        _hold_on_states(learned, theory, random, tally)
    print(dict(tally))
    assert tally["mutants"] > 100
    assert tally["accepted"] > 8
    if complete:  # the search for refuting states uses positive conditions only
        assert tally["of absences"] > 20
    else:
        assert tally["refuted"] > tally["undecided"]


def _hold_on_states(
    learned: Iterable[Regressed], theory: Theory, random: Random, tally: Counter[str]
) -> None:
    """Assert that no accepted mutant concludes more than saturation does on a random state."""
    world = World(theory)
    states = [(*random_state(random), random_action(random)) for _ in range(3)]
    for proved in learned:
        for mutant in mutants(proved):
            if _is_accepted(mutant, theory):
                rule = read_where_right(
                    mutant.proved.rule, certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
                )
                for state in states:
                    for head, base, _ in conclusions(rule, state, world):
                        tally["conclusions of accepted mutants"] += 1
                        assert base is None or base.holds(head), print_rule(mutant.proved.rule)


@pytest.mark.parametrize("name", OF_VALUES)
def test_no_accepted_mutant_of_a_rule_with_values_or_exceptions_is_false(name):
    theory = theory_of(OF_VALUES[name])
    both = Both.of_texts(theory, [f"theory made.\n{OF_VALUES[name]}"])
    states = States(PlainTruth(theory), Random(f"mutants.{name}"))
    tally: Counter[str] = Counter()
    tried: set[tuple[object, ...]] = set()
    for proved in {print_rule(p.rule): p for p in _learned(theory)}.values():
        tally["rules"] += 1
        for mutant in mutants(proved):
            rule = mutant.proved.rule
            if (rule.head, rule.body) in tried or not both.is_text(rule):
                continue
            tried.add((rule.head, rule.body))
            certificate = certificate_of(rule, mutant.proved.steps, theory, {})
            verdicts = both.verdicts(rule, certificate_as_json(certificate))
            assert verdicts.agree, f"{mutant.kind}: {print_rule(rule)}\n{verdicts}"
            if "not a rule of the theory's language" in verdicts.checker:
                tally["no rules"] += 1
                continue
            accepted = not verdicts.checker
            false = _false_in(replace(rule, of_given=not certificate.reached), states)
            assert not (accepted and false), f"{mutant.kind}: {print_rule(rule)}\n{false}"
            tally["mutants"] += 1
            tally["of exceptions"] += asks_what_is_complete(rule.body)
            tally["accepted" if accepted else "refuted" if false else "undecided"] += 1
    print(f"{name}: {dict(tally)}")
    assert tally["rules"] >= 10
    assert tally["accepted"] >= 5
    assert tally["refuted"] > 50


def _false_in(rule: Rule, states: States) -> str:
    """Return a conclusion that the theory does not have, with a state of it; empty if none is found."""
    for facts in (*_near_examples(states), *_making_true(rule, states)):
        for firing in islice(firings(rule, facts, states.truth), 6):
            verdict = judged(rule, firing, facts, states.truth, 1)
            if verdict.kind == "wrong":
                return f"{print_condition(firing.head)} in {sorted(map(str, facts))}: {verdict.why}"
    return ""


def _making_true(rule: Rule, states: States) -> Iterator[Facts]:
    """Yield states in which the conditions of a rule may hold."""
    for facts, needed in states.of(rule, STATES):
        yield facts if needed is None else facts | {needed}


def _near_examples(states: States) -> Iterator[Facts]:
    """Yield the facts of the examples, all of them and with random ones changed, left out and added."""
    predicates = states.predicates
    wholes = [example_facts(states.theory, example) for example in states.theory.examples]
    values: dict[str, list[str | int]] = {}
    for fact in (fact for whole in wholes for fact in whole):
        for column, value in zip(predicates[fact.relation].columns, fact.values, strict=True):
            values.setdefault(column.name, []).append(value)

    def other(value: str | int, sort: str) -> str | int:
        if states.random.random() < 0.6:
            return value
        if isinstance(value, str) or states.random.random() < 0.3:
            return states.random.choice(values[sort])
        return value + states.random.choice((-40, -1, 1, 40))

    def changed(fact: GroundFact) -> GroundFact:
        columns = predicates[fact.relation].columns
        return fact._replace(values=tuple(map(other, fact.values, (column.name for column in columns))))

    for whole in wholes:
        yield frozenset(whole)
        for _ in range(STATES):
            facts = {changed(f) for f in whole if states.random.random() < 0.9}
            acts = [f for f in facts if predicates[f.relation].kind == "action"]
            facts = states.with_more(facts.difference(acts), states.random.choice((0, 0, 1, 3)))
            if states.keeps_promises(facts):
                yield frozenset(map(states.written, (*facts, *acts)))
