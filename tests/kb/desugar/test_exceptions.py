"""Defaults and exceptions: answers compared with their definition, in every engine and in both readers."""

from __future__ import annotations

import sys
from random import Random

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_declaration, fingerprint_of_rule
from hornbook.compiler.refute.clashes import clashes
from hornbook.kb.ast.declarations import ExceptionRule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import run_examples
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.theory_checks import mistakes
from hornbook.kb.format.expansion import expanded
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.import_reader import core_files
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.coded import Limits
from oracles.pages.engines import engines_with
from oracles.reader.language import fingerprint
from oracles.reader.theory import ReaderTheory

SUBJECTS = [f"s{number}" for number in range(6)]


class RandomRules:
    """Random rules of one predicate with exceptions, each with one condition.

    `above` has the rules that each exception overrules. `values` has the result of each rule, or None if it
    only suspends others.
    """

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        number = random.randrange(2, 9)
        self.names = [f"r{index}" for index in range(number)]
        roots = random.randrange(1, 3)
        self.above: dict[str, list[str]] = {name: [] for name in self.names}
        self.values: dict[str, int | None] = dict.fromkeys(self.names)
        for index, name in enumerate(self.names):
            if index >= roots:
                self.above[name] = random.sample(self.names[:index], min(index, random.choice((1, 1, 1, 2))))
            if index < roots or random.random() < 0.65:
                self.values[name] = random.choice((1, 2, 3))
        self.holds = {name: {s for s in SUBJECTS if random.random() < 0.55} for name in self.names}
        for name in self.names[:roots]:
            self.holds[name] = set(SUBJECTS)

    def text(self) -> str:
        lines = ["sort thing.", "sort points = int.", "static is_in(thing, thing) complete."]
        lines.append("derived result(thing -> points).")
        for name in self.names:
            value, above = self.values[name], self.above[name]
            excepted = f" exception to {', '.join(above)}" if above else ""
            head = "absent result(?s, _)" if value is None else f"result(?s, {value})"
            lines.append(
                f"{name}{excepted}: {head} :- is_in(?s, {name}), is_in(_, _), absent is_in(_, nothing)."
            )
        return "\n".join(lines) + "\n"

    def facts(self) -> list[GroundFact]:
        return [GroundFact("is_in", (s, name)) for name, subjects in self.holds.items() for s in subjects]

    def below(self, name: str) -> list[str]:
        return [other for other, above in self.above.items() if name in above]

    def in_force(self, name: str, subject: str) -> bool:
        """Return whether the rule's condition holds and no exception overrules it."""
        return subject in self.holds[name] and not any(
            self.overrules(other, subject) for other in self.below(name)
        )

    def overrules(self, name: str, subject: str) -> bool:
        return self.in_force(name, subject) or any(
            self.concludes(other, subject) for other in self.below(name)
        )

    def concludes(self, name: str, subject: str) -> bool:
        """Return whether the rule or an exception below it concludes a value."""
        own = self.values[name] is not None and self.in_force(name, subject)
        return own or any(self.concludes(other, subject) for other in self.below(name))

    def results(self, subject: str) -> set[int]:
        found = {self.values[name] for name in self.names if self.in_force(name, subject)}
        return {value for value in found if value is not None}

    def expected(self) -> set[tuple[str, int]] | None:
        """Return the results of all subjects, or None if one has several."""
        pairs = {(subject, value) for subject in SUBJECTS for value in self.results(subject)}
        return pairs if len(pairs) == len({subject for subject, _ in pairs}) else None


@pytest.mark.parametrize("engine", engines_with())
@pytest.mark.parametrize("seed", range(60))
def test_random_exceptions_have_the_results_of_the_definition(seed, engine):
    rules = RandomRules(seed)
    try:
        base = KnowledgeBase(load_text(f"theory made.\n{rules.text()}"), engine=engine)
    except TheoryError as problem:
        assert {found.code for found in problem.diagnostics} == {"HB080"}  # noqa: PT017 - some seeds have a conflict
        return
    expected = rules.expected()
    if expected is None:
        with pytest.raises(KnowledgeBaseError, match="two values for one key"):
            _ = base.add(rules.facts()) or base.query("result(?s, ?v)")
    else:
        base.add(rules.facts())
        assert set(base.query("result(?s, ?v)")) == expected
        for name in rules.names:
            if rules.above[name]:
                found = {row[0] for row in base.query(f"{name}_applies(?s)")}
                assert found == {s for s in SUBJECTS if rules.overrules(name, s)}


def test_the_seeds_have_results_suspensions_and_conflicts():
    made = [RandomRules(seed) for seed in range(60)]
    assert sum(rules.expected() is None for rules in made) >= 10
    assert sum(rules.expected() is not None and None in rules.values.values() for rules in made) >= 10
    assert any(len(above) > 1 for rules in made for above in rules.above.values())


@pytest.mark.parametrize("seed", range(60))
def test_the_second_reader_gives_the_same_core(seed):
    text = f"theory made.\n{RandomRules(seed).text()}"
    try:
        theory = load_text(text)
    except TheoryError:
        return
    reader = ReaderTheory.of_texts([text])
    rules = {rule.label: fingerprint_of_rule(rule) for rule in theory.rules if rule.label is not None}
    assert rules == {label: fingerprint(form) for label, form in reader.rules.items()}
    for predicate in theory.vocabulary.predicates.values():
        own = fingerprint_of_declaration(predicate, theory.vocabulary)
        assert own == fingerprint(reader.declaration(predicate.name))


@pytest.mark.parametrize("seed", range(60))
def test_printing_formatting_and_expansion_keep_the_meaning(seed):
    text = f"theory made.\n{RandomRules(seed).text()}"
    parsed = parse(text)
    printed = "\n".join(map(print_clause, parsed.clauses))
    assert parse(printed).clauses == parsed.clauses
    assert parse(format_text(text)).clauses == parsed.clauses
    (core,), _ = core_files([parsed])
    again = parse(expanded(parsed, (), core.clauses))
    assert not again.diagnostics
    assert not any(isinstance(clause, ExceptionRule) for clause in again.clauses)
    assert again.clauses == core.clauses


ALTERNATIVES = """theory fees.
sort person.
sort cents = int.
static person(person) complete.
static age(person -> int) complete.
static pupil(person) complete.
static excluded(person) complete.
derived fee(person -> cents).
derived served(person).
ordinary: fee(?p, ?f) :- person(?p), (age(?p, ?a), ?a > 60, ?f = 800 or age(?p, ?a), ?a <= 60, ?f = 900).
reduced exception to ordinary:
  fee(?p, 100 * ?n) :- age(?p, ?a), (?a < 12, ?n = 1 or ?a >= 12, pupil(?p), ?n = 2 * 2).
all: served(?p) :- person(?p).
not_all exception to all: absent served(?p) :- excluded(?p).
"""


@pytest.mark.parametrize("engine", engines_with())
def test_rules_with_alternatives_and_calculations_have_exceptions(engine):
    base = KnowledgeBase(load_text(ALTERNATIVES), engine=engine)
    ages = {"ann": 70, "bob": 40, "cid": 8, "dan": 15, "eve": 15}
    base.add([GroundFact("person", (p,)) for p in ages] + [GroundFact("age", row) for row in ages.items()])
    base.add([GroundFact("pupil", ("dan",)), GroundFact("excluded", ("ann",))])
    fees = {("ann", 800), ("bob", 900), ("cid", 100), ("dan", 400), ("eve", 900)}
    assert set(base.query("fee(?p, ?f)")) == fees
    assert {row[0] for row in base.query("served(?p)")} == ages.keys() - {"ann"}
    reader = ReaderTheory.of_texts([ALTERNATIVES])
    own = {rule.label: fingerprint_of_rule(rule) for rule in base.theory.rules}
    assert own == {label: fingerprint(form) for label, form in reader.rules.items()}


def test_an_importing_theory_and_an_instance_have_exceptions(tmp_path):
    (tmp_path / "general.horn").write_text(
        "sort person. sort percent = int. static person(person) complete. static child(person) complete.\n"
        "derived rate(person -> percent). ordinary: rate(?p, 20) :- person(?p).\n"
        "reduced exception to ordinary: rate(?p, 5) :- child(?p).\n"
    )
    (tmp_path / "special.horn").write_text(
        "import general. static poor(person) complete.\n"
        "free exception to reduced: rate(?p, 0) :- child(?p), poor(?p).\n"
        "person(ann). person(bob). person(cid). child(bob). child(cid). poor(cid).\n"
    )
    (tmp_path / "instance.horn").write_text(
        "import general as tax with person = person. sort person.\n"
        "static poor(person) complete.\n"
        "free exception to tax_reduced: tax_rate(?p, 0) :- tax_child(?p), poor(?p).\n"
        "person(ann). person(bob). person(cid). tax_child(bob). tax_child(cid). poor(cid).\n"
    )
    expected = {("ann", 20), ("bob", 5), ("cid", 0)}
    assert set(KnowledgeBase(load(tmp_path / "special.horn")).query("rate(?p, ?r)")) == expected
    assert set(KnowledgeBase(load(tmp_path / "instance.horn")).query("tax_rate(?p, ?r)")) == expected


def test_an_exception_cannot_be_added_later():
    base = KnowledgeBase(load_text(ALTERNATIVES))
    with pytest.raises(TheoryError):
        base.add_text("late exception to ordinary: fee(?p, 0) :- excluded(?p).")
    with pytest.raises(TheoryError):
        base.add_text("not_all_applies(bob).")
    with pytest.raises(TheoryError, match="only the exception `not_all` states where it applies"):
        base.add_text("added: not_all_applies(?p) :- person(?p).")


CLASHING = """theory rates.
sort person.
sort percent = int.
static person(person) complete.
static child(person) complete.
static student(person) complete.
static rich(person) complete.
derived rate(person -> percent).
ordinary: rate(?p, 20) :- person(?p).
reduced exception to ordinary: rate(?p, 5) :- child(?p).
pupils exception to ordinary: rate(?p, 3) :- student(?p), (person(?p) or rich(?p)).
not_rich exception to reduced: absent rate(?p, _) :- rich(?p).
example one: person(ann), child(ann).
expect one: rate(ann, ?r) gives 5.
example two: person(ann), rich(ann).
expect two: not_rich_applies(ann).
"""


def test_coverage_counts_the_rules_of_the_text():
    report = run_examples(load_text(CLASHING))
    assert not report.failed
    counts = {rule.name: count for rule, count in report.fired}
    assert counts == {"ordinary": 1, "reduced": 1, "pupils_1": 0, "pupils_2": 0, "not_rich": 1}


def test_small_states_show_a_conflict():
    found = [str(clash) for clash in clashes(load_text(CLASHING))]
    assert any("`reduced` and `pupils" in each for each in found)


def test_a_conflict_in_one_state_affects_this_state_only():
    theory = load_text(CLASHING)
    student, rich = GroundFact("student", ("ann",)), GroundFact("rich", ("ann",))
    common = [GroundFact("person", ("ann",)), GroundFact("child", ("ann",))]
    states = [[*common, *more] for more in ([], [student], [rich], [student, rich]) for _ in range(3)]
    found = FactStates(theory, [("rate", None)], (), Limits()).evaluate(states)
    for place, each in enumerate(found):
        if 3 <= place < 6:
            assert isinstance(each, KnowledgeBaseError)
            assert "`pupils_1`" in str(each)
        else:
            assert isinstance(each, EvaluatedState)
            assert each.values("rate") == {("ann", (5, None, 20, 3)[place // 3])}


RULES_OF_SUBJECTS = """theory rates.
sort person. sort thing. sort percent = int.
static person(person) complete.
static child(person) complete.
static owns(person, thing) complete.
derived rate(person -> percent).
"""


def codes(text):
    try:
        load_text(RULES_OF_SUBJECTS + text)
    except TheoryError as problem:
        return [found.code for found in problem.diagnostics]
    return []


def test_nothing_owned_is_more_than_one_thing_not_owned():
    ordinary = "any: rate(?p, 7) :- owns(?p, boat). ordinary: rate(?p, 20) :- person(?p), absent owns(?p, _)."
    car = "exception to any: rate(?p, 5) :- person(?p), absent owns(?p, car)."
    nothing = "exception to any: rate(?p, 5) :- person(?p), child(?p), absent owns(?p, _)."
    assert codes(f"{ordinary} other {car}") == []
    assert codes(f"{ordinary} other {nothing}") == ["HB080"]


def test_an_exception_may_apply_wherever_the_overruled_rule_does():
    first = "ordinary: rate(?p, 20) :- person(?p), child(?p). direct exception to ordinary: "
    second = "suspended exception to ordinary: absent rate(?p, _) :- owns(?p, car). "
    second += "indirect exception to suspended: "
    concluded = "rate(?p, 5) :- child(?p)."
    assert codes(first + concluded) == []
    assert codes(first.removesuffix("direct exception to ordinary: ") + second + concluded) == []
    assert codes(f"{first}{concluded} third: {concluded.replace('5', '6')}") == ["HB080", "HB080"]


@pytest.mark.parametrize("above", ["r0", "r{before}"])
def test_checking_many_exceptions_takes_linear_work(above):
    def calls(number):
        rules = ["r0: rate(?p, 0) :- person(?p)."]
        for index in range(1, number):
            name = above.format(before=index - 1)
            rules.append(f"r{index} exception to {name}: rate(?p, {index}) :- owns(?p, t{index}).")
        parsed = [parse(RULES_OF_SUBJECTS + "\n".join(rules))]
        counted = 0

        def count(frame, event, _):
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            (core,), problems = core_files(parsed)
            assert not problems
            assert not mistakes([core])
        finally:
            sys.setprofile(None)
        return counted

    assert calls(160) < 3 * calls(80)


def test_suspensions_that_share_exceptions_are_visited_once():
    above, rules = "r0", ["r0: rate(?p, 0) :- person(?p)."]
    for level in range(40):
        names = [f"r{level}_a", f"r{level}_b"]
        rules += [f"{name} exception to {above}: absent rate(?p, _) :- child(?p)." for name in names]
        above = ", ".join(names)
    text = RULES_OF_SUBJECTS + "\n".join(
        [*rules, f"last exception to {above}: rate(?p, 1) :- owns(?p, car)."]
    )
    reader = ReaderTheory.of_texts([text])
    own = {rule.label: fingerprint_of_rule(rule) for rule in load_text(text).rules}
    assert own == {label: fingerprint(form) for label, form in reader.rules.items()}
