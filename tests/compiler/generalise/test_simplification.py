"""Tests of simplification: implied conditions go, needed conditions stay, and long proofs end in time."""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.generalise.explanation import Explanation, ExplanationNode
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.generalise.simplification import condensed, is_safe, simplify
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.rules.subsumption import variants
from hornbook.compiler.witness.queries import NeededConditions
from hornbook.compiler.witness.search import replay
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.format.printer import print_rule
from oracles.counted_steps import counted_steps
from oracles.proofs.learned_rules import rule_of, step, theory_of
from oracles.proofs.two_readers import Both

THEORY = theory_of(
    """
    sort s. sort colour = red | green | blue.
    static near(s, s). static next(colour -> colour). fluent colour(s -> colour). fluent n(s -> int).
    fluent m(s, s). fluent size(s -> int) counts m.
    derived p(s). derived two(s, int). derived apart(s, s). derived good(s). derived low(s).
    next(red, green).
    p: p(?x) :- colour(?x, ?c), ?c = red, near(?x, ?y), near(?y, _).
    two: two(?x, ?k) :- n(?x, ?n), ?n > 1, ?k = ?n - 1.
    apart: apart(?x, ?y) :- colour(?x, ?c), colour(?y, ?d), ?c != ?d, ?x != ?y.
    good: good(?b) :- size(?b, _), all ?l in m(?b, ?l): colour(?l, red).
    low: low(?x) :- n(?x, ?n), ?n < 9, ?n <= 8, ?n * 2 < 20.
    """
)


def simplified(rule: str, *steps: ProofStep, theory: Theory = THEORY) -> tuple[str, int]:
    """Return a simplified rule, and how many steps were replayed for it."""
    sources = {source.name: source for source in theory.rules}
    replays = 0

    def replayed(candidate: Regressed) -> NeededConditions | None:
        nonlocal replays
        replays += 1
        try:
            return NeededConditions(replay(candidate.rule, candidate.steps, theory, sources))
        except RejectedError:
            return None

    learned = Regressed(rule_of(rule), steps)
    assert replayed(learned) is not None
    smaller = simplify(learned, replayed)
    assert replayed(smaller) is not None
    assert is_safe(smaller.rule)
    return print_rule(smaller.rule), replays


CASES = {
    "a variable that an equation determines is its value": (
        "p(?x) :- colour(?x, ?c), ?c = red, near(?x, ?y), near(?y, ?z).",
        [step("p", x="?x", c="?c", y="?y", _1="?z")],
        "p(?x) :- colour(?x, red), near(?x, ?y), near(?y, ?z).",
    ),
    "so is one that a linear equation determines": (
        "two(?x, ?k) :- n(?x, ?n), ?n > 1, ?k = ?n - 1, 2 * ?k = 4.",
        [step("two", x="?x", n="?n", k="?k")],
        "two(?x, 2) :- n(?x, 3).",
    ),
    "a comparison that others entail goes": (
        "low(?x) :- n(?x, ?n), ?n < 9, ?n <= 8, ?n * 2 < 20.",
        [step("low", x="?x", n="?n")],
        "low(?x) :- n(?x, ?n), ?n <= 8, ?n * 2 < 20.",
    ),
    "an inequality that unequal values of one key give goes": (
        "apart(?x, ?y) :- colour(?x, red), colour(?y, blue), ?x != ?y.",
        [step("apart", x="?x", y="?y", c="red", d="blue")],
        "apart(?x, ?y) :- colour(?x, red), colour(?y, blue).",
    ),
    "an inequality that is needed stays": (
        "apart(?x, ?y) :- colour(?x, ?c), colour(?y, ?d), ?c != ?d, ?x != ?y.",
        [step("apart", x="?x", y="?y", c="?c", d="?d")],
        "apart(?x, ?y) :- colour(?x, ?c), colour(?y, ?d), ?c != ?d.",
    ),
    "a condition that another one covers becomes that one": (
        "p(?x) :- colour(?x, red), near(?x, ?y), near(?y, ?z), near(?y, ?x).",
        [step("p", x="?x", c="red", y="?y", _1="?z")],
        "p(?x) :- colour(?x, red), near(?x, ?y), near(?y, ?x).",
    ),
    "what the theory states goes": (
        "p(?x) :- colour(?x, red), next(red, ?d), near(?x, ?y), near(?y, ?z).",
        [step("p", x="?x", c="red", y="?y", _1="?z")],
        "p(?x) :- colour(?x, red), near(?x, ?y), near(?y, ?z).",
    ),
    "members of a set stay, and what tells them apart": (
        "good(?b) :- size(?b, 2), m(?b, ?x), m(?b, ?y), colour(?x, red), colour(?y, red), ?x != ?y.",
        [step("good", b="?b", _1=2)],
        "good(?b) :- size(?b, 2), m(?b, ?x), m(?b, ?y), colour(?x, red), colour(?y, red), ?x != ?y.",
    ),
    "what nothing needs goes": (
        "good(?b) :- size(?b, 0), m(?c, ?x), colour(?x, red), ?x != ?b.",
        [step("good", b="?b", _1=0)],
        "good(?b) :- size(?b, 0).",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_rule_has_as_few_conditions_as_its_proof_allows(case: str) -> None:
    rule, steps, expected = CASES[case]
    found, _ = simplified(rule, *steps)
    assert variants(rule_of(found), rule_of(expected)), found


def test_nothing_is_added_or_multiplied_that_does_nothing() -> None:
    rule = "two(?x, ?k) :- n(?x, ?n), ?n + 0 > 1, ?k = 0 + 1 * ?n - (1 - 0)."
    found, _ = simplified(rule, step("two", x="?x", n="?n", k="?k"))
    assert found == print_rule(rule_of("two(?x, ?k) :- n(?x, ?n), ?n > 1, ?k = ?n - 1."))


def test_a_sum_to_which_nothing_is_added_has_the_value_of_what_is_left() -> None:
    rule = "two(?x, ?k) :- n(?x, ?n), ?n > 1, ?m = ?n + 0, ?k = ?m - 1."
    found, _ = simplified(rule, step("two", x="?x", n="?n", k="?k"))
    assert variants(rule_of(found), rule_of("two(?x, ?k) :- n(?x, ?n), ?n > 1, ?k = ?n - 1.")), found


def test_what_is_plainly_needed_is_not_tried() -> None:
    body = ", ".join(f"colour(?x{i}, red), near(?x{i}, ?x{i + 1})" for i in range(40))
    steps = [step("p", x=f"?x{i}", c="red", y=f"?x{i + 1}", _1=f"?x{i + 2}") for i in range(38)]
    _, replays = simplified(f"p(?x0) :- {body}, near(?x40, ?x41).", *steps)
    assert replays < 20


def _path(length: int, theory: Theory) -> Explanation:
    """Return a hand-made explanation of a path over `length` edges, since saturation would find all paths."""
    first, further = theory.rules
    nodes: list[ExplanationNode] = []
    for i in reversed(range(length)):
        nodes.append(
            ExplanationNode(Atom("edge", (Constant(f"v{i}"), Constant(f"v{i + 1}"))), None, None, (), ())
        )
        last = Atom("path", (Constant(f"v{i}"), Constant(f"v{length}")), "before")
        edge = len(nodes) - 1
        if i == length - 1:
            nodes.append(ExplanationNode(last, first, "before", (), (edge, None)))
        else:
            nodes.append(ExplanationNode(last, further, "before", (), (edge, None, edge - 1)))
    return Explanation(tuple(nodes))


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("near(?x, ?y), near(?x, ?z), n(?z, 3)", "near(?x, ?z), n(?z, 3)"),
        (
            "near(?x, ?y), colour(?y, ?c), near(?x, ?z), colour(?z, red), ?z != ?x",
            "near(?x, ?z), colour(?z, red), ?z != ?x",
        ),
        ("near(?x, ?y), near(?x, ?z), ?y != ?z", "near(?x, ?y), near(?x, ?z), ?y != ?z"),
        ("m(?x, ?y), near(?y, ?z), near(?z, ?y)", "m(?x, ?y), near(?y, ?z), near(?z, ?y)"),
        # The exchange of two variables leaves the rule unchanged.
        ("near(?y, ?z), near(?z, ?y), colour(?x, red)", "near(?y, ?z), near(?z, ?y), colour(?x, red)"),
    ],
)
def test_two_conditions_are_one_where_no_other_notices(body: str, stored: str) -> None:
    assert (
        condensed(Regressed(rule_of(f"p(?x) :- {body}."), ())).rule.body
        == rule_of(f"p(?x) :- {stored}.").body
    )


def test_long_proofs_are_learned_from_and_checked_in_few_steps() -> None:
    theory = theory_of(
        """
        sort p. static edge(p, p). derived path(p, p).
        first: path(?x, ?y) :- edge(?x, ?y), ?x != ?y.
        further: path(?x, ?z) :- edge(?x, ?y), ?x != ?y, path(?y, ?z).
        """
    )

    def learned(length: int) -> None:
        outcome = learn(explanations[length], theory, "learned")
        assert isinstance(outcome, ProvedExample)
        assert len(outcome.rule.body) == 2 * length
        assert len(outcome.certificate.steps) == length

    explanations = {length: _path(length, theory) for length in (10, 40, 400)}
    learned(400)
    short, long = (counted_steps(lambda length=length: learned(length)) for length in (10, 40))
    assert long < 12 * short


def test_a_learned_rule_is_simplified_already() -> None:
    theory = theory_of(
        """
        sort s. fluent n(s -> int). derived big(s). derived huge(s).
        big: big(?x) :- n(?x, ?k), ?k > 3.
        huge: huge(?x) :- big(?x), n(?x, ?k), ?k > 7.
        example case: n(a, 9).
        """
    )
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, "huge(a)"), theory, "learned")
    assert isinstance(outcome, ProvedExample)
    assert variants(outcome.rule, rule_of("huge(?x) :- n(?x, ?k), ?k > 7."))


REPEATED = """
sort firm.
sort usd = decimal(2).
static sale(firm, int -> usd) complete.
static goal(firm -> usd) complete.
static total(firm -> usd).
static over(firm -> usd).
static bonus(firm -> usd).
total: total(?f, ?n) :- goal(?f, _), ?n = sum ?u where sale(?f, _, ?u).
over: over(?f, ?o) :- total(?f, ?n), goal(?f, ?g), ?o = ?n - ?g, ?o > 0.00.
bonus:
  bonus(?f, ?b) :-
    over(?f, ?o), goal(?f, ?g), ?n = sum ?v where sale(?f, _, ?v), ?p = ?n - ?g, ?p < 90.00, ?b = min(?o, ?n).
example case: sale(a, 1, 70.00), sale(a, 2, 40.00), goal(a, 50.00).
"""
"""A theory whose rules need one sum twice, and one difference twice."""


def test_equal_sums_and_calculations_of_several_rules_have_one_variable() -> None:
    theory = theory_of(REPEATED)
    base = solve(theory, example_facts(theory, theory.examples[0]), all_proofs=True).base
    learned = learn(explanation_of(base, "bonus(a, 60.00)"), theory, "learned")
    assert isinstance(learned, ProvedExample)
    assert " ".join(print_rule(learned.rule).split()) == (
        "learned: bonus(?f, ?b) :- goal(?f, ?g), ?n = sum ?v where sale(?f, _, ?v), ?p = ?n - ?g, "
        "?p < 90.00, ?b = min(?p, ?n), ?p > 0.00."
    )
    both = Both.of_texts(theory, [f"theory made.\n{REPEATED}"])
    verdicts = both.verdicts(learned.rule, certificate_as_json(learned.certificate))
    assert (verdicts.checker, verdicts.reader) == ("", "")
