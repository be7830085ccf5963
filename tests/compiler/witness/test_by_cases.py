"""Tests of proofs by case analysis: a derived fact was concluded by one of the theory's rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.cases import invertible
from hornbook.compiler.checker.certificate import (
    Certificate,
    Inversion,
    Leaf,
    ProofStep,
    Split,
    fingerprint_of_dependencies,
)
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.prove.by_hand import OpenError, prove
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleEntry, rule_base
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json, certificate_text
from hornbook.kb.ast.terms import Atom, Constant, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.proofs import proofs_path
from oracles.proofs.random_worlds import RandomWorlds
from oracles.proofs.two_readers import Both, Verdicts

STORE = (Path(__file__).parent / "data" / "by_cases_store.horn").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def store() -> Theory:
    return load_text(STORE, "store.horn")


def written(text: str) -> Rule:
    (rule,) = parse(text).clauses
    assert isinstance(rule, Rule)
    return rule


RULE = written("r: stored(?x) :- pressing(?x).")


def step(name: str, **terms: str) -> ProofStep:
    return ProofStep(name, "before", tuple((k, Variable(v)) for k, v in sorted(terms.items())))


def by_pressing(*names: str, moment: str = "before", of: str = "pressing") -> Inversion:
    cases = tuple(Leaf((step("there_is_some", n=each, x="x"),)) for each in names)
    return Inversion(Atom(of, (Variable("x"),), None), moment, cases)  # type: ignore[arg-type]


def rejection(proof: Inversion | Split, theory: Theory, rule: Rule = RULE, **other: object) -> str:
    made = replace(certificate_of(rule, (), theory, {}, cases=proof), **other)  # type: ignore[arg-type]
    with pytest.raises(RejectedError) as problem:
        verify(rule, made, theory, {})
    return str(problem.value)


def test_each_rule_that_concludes_it_is_a_case(store: Theory):
    made = certificate_of(RULE, (), store, {}, cases=by_pressing("n~1", "n~1"))
    verify(RULE, made, store, {})
    assert made.reached
    # The same rules give the cases for facts that the last action left.
    assert made.inverted == (("pressing", "before"), ("pressing", "after"))
    assert prove(RULE, store, {}) == made
    again = certificate_from_json(certificate_as_json(made))
    assert again == made
    assert certificate_text(made).splitlines()[1:] == [
        "  before pressing(?x), by the rule 1 for it",
        "    there_is_some (before)",
        "  before pressing(?x), by the rule 2 for it",
        "    there_is_some (before)",
    ]


def test_no_case_is_left_out_or_closed_by_another(store: Theory):
    assert "2 rules, and 1 case is proved" in rejection(by_pressing("n~1"), store)
    assert "2 rules, and 3 cases are proved" in rejection(by_pressing("n~1", "n~1", "n~1"), store)
    assert "`?n~2` is no variable of the learned rule" in rejection(by_pressing("n~1", "n~2"), store)
    open_case = replace(by_pressing("n~1", "n~1"), cases=(Leaf(()), by_pressing("n~1", "n~1").cases[1]))
    assert "`before pressing` by `by_size`: no step concludes" in rejection(open_case, store)


@pytest.mark.parametrize(
    ("predicate", "moment"),
    [("big", "before"), ("stock", "before"), ("blue", None), ("sell", None), ("nothing", "before")],
)
def test_what_may_be_given_has_no_cases(store: Theory, predicate: str, moment: str | None):
    assert not invertible((predicate, moment), IntegrityAssumptions(store))  # type: ignore[arg-type]


def test_what_comes_after_an_action_has_those_of_its_rules(store: Theory):
    usable = IntegrityAssumptions(store)
    assert invertible(("stock", "after"), usable)
    assert invertible(("pressing", "before"), usable)
    assert invertible(("pressing", "before"), replace(usable, reached=True))
    assert invertible(("pressing", "after"), replace(usable, reached=True))
    left = load_text(f"{STORE} so_it_is: after pressing(?x) :- sell(?x), before late(?x).", "store.horn")
    assert invertible(("pressing", "before"), IntegrityAssumptions(left))
    assert not invertible(("pressing", "before"), IntegrityAssumptions(left, reached=True))
    theory = load_text(f"{STORE} missed: after stored(?x) :- sell(?x), before late(?x).", "store.horn")
    rule = written("r: after stored(?x) :- after gone(?x).")
    found = prove(rule, theory, {})
    assert found.inverted == (("gone", "after"),)
    assert found.reached


def test_what_an_action_leaves_by_a_rule_of_its_own_is_seen_where_reached_states_are_mentioned_of(
    store: Theory,
):
    made = certificate_of(RULE, (), store, {}, cases=by_pressing("n~1", "n~1"))
    left = load_text(f"{STORE} so_it_is: after pressing(?x) :- sell(?x), before late(?x).", "store.horn")
    with pytest.raises(RejectedError, match="does not name the declaration `sell`"):
        verify(RULE, made, left, {})
    again = certificate_of(RULE, (), left, {}, cases=by_pressing("n~1", "n~1"))
    verify(RULE, again, left, {})
    assert not again.reached


def test_an_induction_over_what_an_action_may_have_left_is_of_given_states():
    """Facts left by an action hold at once with their premises, so the induction has no smaller fact."""
    ways = load_text(
        """theory ways. sort place. fluent link(place, place). fluent damp(place). derived way(place, place).
        one_link: way(?a, ?b) :- link(?a, ?b).
        more: way(?a, ?c) :- way(?a, ?b), link(?b, ?c).
        it_runs: damp(?b) :- damp(?a), link(?a, ?b).""",
        "ways.horn",
    )
    rule = written("r: damp(?b) :- damp(?a), way(?a, ?b).")
    made = prove(rule, ways, {})
    assert made.induction == 1
    assert not made.reached
    forged = replace(made, reached=True)
    mentioned = [ways.vocabulary.predicates[name] for name in ("damp", "link", "way")]
    reported = {"theory promises": fingerprint_of_dependencies(ways, mentioned, forged.inverted)}
    named = tuple(sorted({**dict(made.fingerprints), **reported}.items()))
    with pytest.raises(
        RejectedError, match="uses the induction hypothesis for a fact that was not derived before"
    ):
        verify(rule, replace(forged, fingerprints=named), ways, {})


def test_a_case_is_of_what_is_known(store: Theory):
    proof = replace(by_pressing("n~1", "n~1"), statement=Atom("gone", (Variable("x"),), None))
    assert "`gone(?x)` is not known there" in rejection(replace(proof, cases=()), store)
    assert "of this case" in rejection(Split("y", (), by_pressing("n~1", "n~1")), store)


def test_a_rule_that_concludes_it_too_makes_the_proof_stale(store: Theory):
    made = prove(RULE, store, {})
    more = load_text(f"{STORE} by_itself: pressing(?x) :- big(?x).", "store.horn")
    with pytest.raises(
        RejectedError, match="rules that conclude what the certificate speaks of were changed"
    ):
        verify(RULE, made, more, {})
    with pytest.raises(OpenError):
        prove(RULE, more, {})
    fewer = load_text(STORE.replace("by_time: pressing", "by_time: gone"), "store.horn")
    with pytest.raises(RejectedError, match="were changed"):
        verify(RULE, made, fewer, {})


def test_a_case_may_be_reported_apart_by_what_its_own_variables_are(store: Theory):
    """The variable belongs to the rule of this case or to the learned rule.

    A variable of another case or of another sort is refused.
    """
    proof = by_pressing("n~1", "n~1")
    first, second = proof.cases

    def split(variable: str, term: int | str = 4) -> Inversion:
        what = Variable(term[1:]) if isinstance(term, str) else Constant(term)
        return replace(proof, cases=(Split(variable, ((what, first),), first), second))

    for each in (split("n~1"), split("n~1", "?n~1"), split("x", "?x")):
        made = certificate_of(RULE, (), store, {}, cases=each)
        verify(RULE, made, store, {})
        assert Both.of_texts(store, [STORE]).verdicts(RULE, certificate_as_json(made)) == Verdicts("", "")
    assert "`?n~2` is not a variable of this case" in rejection(split("n~2"), store)
    assert "`?n~2` is no variable of the learned rule" in rejection(split("n~1", "?n~2"), store)
    assert "`?x` is of another sort than `?n~1`" in rejection(split("n~1", "?x"), store)


def test_a_statement_is_reported_apart_by_the_rules_of_its_own_moment():
    """A tense word on the statement, which no written certificate has, would change its meaning."""
    theory = load_text(f"{STORE} pressed: after pressing(?x) :- sell(?x).", "store.horn")
    rule = written("r: after gone(?x) :- after pressing(?x).")
    statement = Atom("pressing", (Variable("x"),), "after")
    proof = Inversion(statement, "before", (Leaf(()), Leaf(())))
    assert "not certain that only rules conclude `before pressing`" in rejection(proof, theory, rule)


def test_a_plan_is_not_proved_by_cases():
    theory = load_text(
        f"{STORE} game clear(thing) worth 1. sells: before clear(?x) by sell(?x) is GI :- sell(?x), before stored(?x).",
        "store.horn",
    )
    rule = written("r: plan clear(?x) in 1 by sell(?x) :- pressing(?x).")
    leaf = Leaf((step("there_is_some", n="n~1", x="x"), ProofStep("sells", None, (("x", Variable("x")),))))
    proof = replace(by_pressing("n~1", "n~1"), cases=(leaf, leaf))
    assert "the assumptions of a plan are not only conclusions of rules" in rejection(proof, theory, rule)
    value = written("r: clear(?x) by sell(?x) is GI :- pressing(?x).")
    verify(value, certificate_of(value, (), theory, {}, cases=proof), theory, {})


SHOP = (Path(__file__).parent / "data" / "by_cases_shop.horn").read_text(encoding="utf-8")


@pytest.mark.deep
def test_a_sum_stays_by_induction_where_cases_only_have_no_end():
    # Each case refers to the previous one, and the first refers to a predicate that no other rule mentions.
    made = prove(
        written("r: after total(?x, ?n) :- before idle, before total(?x, ?n)."), load_text(SHOP, "s.horn"), {}
    )
    assert made.induction == 1


def test_a_number_of_the_rule_is_what_is_concluded_where_it_is_equal_to_a_constant():
    # The worth of zero sold items is `0 * ?c`, that is 0, and equals `?n` of the rule.
    made = prove(
        written("r: after worth(?x, ?n) :- before idle, before worth(?x, ?n)."), load_text(SHOP, "s.horn"), {}
    )
    assert made.induction is None


def test_a_relation_that_is_not_declared_has_no_cases(store: Theory):
    proof = replace(by_pressing("n~1", "n~1"), statement=Atom("nothing", (Variable("x"),), None), cases=())
    made = replace(certificate_of(RULE, (), store, {}, cases=by_pressing("n~1", "n~1")), cases=proof)
    mentioned = [
        p for p in store.vocabulary.predicates.values() if f"declaration {p.name}" in dict(made.fingerprints)
    ]
    promised = {"theory promises": fingerprint_of_dependencies(store, mentioned, made.inverted)}
    made = replace(made, fingerprints=tuple((dict(made.fingerprints) | promised).items()))
    with pytest.raises(RejectedError, match="not certain that only rules conclude `before nothing`"):
        verify(RULE, made, store, {})


# Proofs that use such a proof, after a rule is added


STORED = "derived kept(thing). stored_is_kept: kept(?x) :- stored(?x)."
RESTING = written("resting: kept(?x) :- pressing(?x).")


@pytest.fixture(scope="module")
def keeping() -> Theory:
    return load_text(f"{STORE} {STORED}", "store.horn")


@pytest.fixture(scope="module")
def resting(keeping: Theory) -> tuple[Certificate, dict[str, Lemma]]:
    """Return the proof of a rule that uses a lemma with a proof by cases, and that lemma."""
    lemmas = {"r": Lemma.of(RULE, prove(RULE, keeping, {}))}
    return certificate_of(RESTING, (step("r", x="x"), step("stored_is_kept", x="x")), keeping, lemmas), lemmas


def test_what_rests_on_a_proof_by_cases_names_what_that_inverts(keeping: Theory, resting):
    made, lemmas = resting
    verify(RESTING, made, keeping, lemmas)
    assert made.inverted == ()
    assert made.inverted_by_lemmas == ("pressing",)
    assert certificate_from_json(certificate_as_json(made)) == made
    both = Both.of_texts(keeping, [f"{STORE} {STORED}"])
    both.add(RULE, prove(RULE, keeping, {}))
    assert both.verdicts(RESTING, certificate_as_json(made)) == Verdicts("", "")
    silent = replace(made, inverted_by_lemmas=())
    with pytest.raises(
        RejectedError, match="does not name `pressing`, which by the proof of the lemma `r` only"
    ):
        verify(RESTING, silent, keeping, lemmas)
    verdicts = both.verdicts(RESTING, certificate_as_json(silent))
    assert verdicts.checker
    assert verdicts.reader == "what the proof of the lemma r inverts is not named"


def test_no_knowledge_base_asks_it_next_to_a_rule_that_concludes_there_too(keeping: Theory, resting):
    made, _ = resting
    base = KnowledgeBase(keeping)
    base.add_rules([RuleEntry(RESTING, made, None).proved_for(base.theory)])
    base.add([GroundFact("late", ("a",))])
    with pytest.raises(KnowledgeBaseError, match="without the rule `more`"):
        base.add_text("more: pressing(?x) :- late(?x).")
    assert not base.query("kept(a)")
    base = KnowledgeBase(keeping)
    base.add_text("more: pressing(?x) :- late(?x).")
    with pytest.raises(KnowledgeBaseError, match="without the rule `more`"):
        base.add_rules([RuleEntry(RESTING, made, None).proved_for(base.theory)])


def test_it_is_known_of_rules_that_are_read_again_too(keeping: Theory, resting, tmp_path: Path):
    made, _ = resting
    base = rule_base(
        "store", [RuleEntry(RULE, prove(RULE, keeping, {}), None), RuleEntry(RESTING, made, None)]
    )
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    proofs = proofs_path(path)
    text = proofs.read_text(encoding="utf-8")
    # JSON may encode any character as a number.
    proofs.write_text(
        text.replace('"inverted_by_lemmas"', '"\\u0069nverted_by_lemmas"').replace(
            '"invert"', '"\\u0069nvert"'
        )
    )
    assert '"inver' not in proofs.read_text(encoding="utf-8")
    for _ in range(3):
        found = rulebase.read(path, keeping)
        assert [entry.answering.alone for entry in found] == [{"pressing"}, {"pressing"}]


def test_a_rule_with_a_name_of_a_case_is_refused(store: Theory):
    rule = Rule(RULE.head, (*RULE.body, Atom("big", (Variable("n~1"),), None)), RULE.label, RULE.span)
    with pytest.raises(RejectedError):
        verify(rule, replace(prove(RULE, store, {}), of=""), store, {})


# Proved rules against all states


WORDS = ("p", "q", "r", "s")


def random_theory(random: Random) -> str:
    """Return rules about one variable: three fluents, and derived predicates that depend on earlier ones."""
    lines = ["theory some.", "sort thing.", *(f"fluent {each}(thing)." for each in "abc")]
    lines += [f"derived {each}(thing)." for each in WORDS]
    for place, word in enumerate(WORDS):
        for number in range(random.randint(1, 3)):
            below = random.sample(["a", "b", "c", *WORDS[:place]], random.randint(1, 2))
            lines.append(f"{word}{number}: {word}(?x) :- {', '.join(f'{each}(?x)' for each in below)}.")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_what_holds_in_all_states_is_proved_and_nothing_else(seed: int):
    random = Random(seed)
    text = random_theory(random)
    theory = load_text(text, "some.horn")
    both = Both.of_texts(theory, [text])
    worlds = [
        {word for word in (*"abc", *WORDS) if _holds(theory, state, word)}
        for state in product((False, True), repeat=3)
    ]
    for _ in range(12):
        head, *body = random.sample([*"abc", *WORDS], random.randint(2, 3))
        if head in "abc":
            continue
        rule = written(f"t: {head}(?x) :- {', '.join(f'{each}(?x)' for each in body)}.")
        holds = all(head in world for world in worlds if set(body) <= world)
        try:
            found: Certificate | None = prove(rule, theory, {})
        except OpenError:
            found = None
        assert (found is not None) == holds, (text, rule)
        if found is not None:
            assert both.verdicts(rule, certificate_as_json(found)).reader == ""


def _holds(theory: Theory, state: tuple[bool, ...], word: str) -> bool:
    base = KnowledgeBase(theory)
    base.add([GroundFact(name, ("it",)) for name, there in zip("abc", state, strict=True) if there])
    return bool(base.query(f"{word}(it)"))


def test_states_to_which_actions_lead_begin_with_what_was_concluded():
    """Rules that are correct only for given states are thus not mistaken for rules correct for all states."""
    worlds = RandomWorlds(Random(1))
    worlds.theory = load_text(
        "theory some. sort thing. action act(thing). fluent f(thing). fluent g(thing). fluent e(thing, thing)."
        "derived p(thing). p0: p(?x) :- f(?x). change: after p(?x) :- act(?x), before g(?x)."
    )
    (rule,) = parse("t: before f(?x) :- before p(?x).").clauses
    assert worlds.refutation(rule, reached=False) is None
    assert prove(rule, worlds.theory, {}).reached is False
    assert worlds.refutation(rule, reached=True) is not None


@pytest.mark.parametrize("seed", range(6))
def test_what_is_proved_by_cases_is_so_in_every_world(seed: int):
    random = Random(seed)
    worlds = RandomWorlds(random)
    both = Both.of_texts(worlds.theory, [worlds.text])
    by_cases = 0
    for _ in range(25):
        rule = worlds.rule(random)
        try:
            found = prove(rule, worlds.theory, {})
        except OpenError:
            continue
        by_cases += found.cases is not None
        assert worlds.refutation(rule, reached=found.reached) is None, (worlds.text, rule)
        assert both.verdicts(rule, certificate_as_json(found)).reader == ""
    assert by_cases
