"""Tests of universal introduction over the members of a set, and of induction over derived facts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.certificate import HYPOTHESIS, Inversion, Leaf, parts_of
from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.prove.by_hand import OpenError, prove
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json, certificate_text
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.proofs.random_worlds import RandomSetChanges, RandomSets
from oracles.proofs.two_readers import Both, Verdicts

TEAMS = (Path(__file__).parent / "data" / "members_teams.horn").read_text(encoding="utf-8")


def written(text: str) -> Rule:
    (rule,) = parse(text).clauses
    assert isinstance(rule, Rule)
    return rule


@pytest.fixture(scope="module")
def teams() -> Theory:
    return load_text(TEAMS, "teams.horn")


def proved(text: str, theory: Theory, source: str = TEAMS):
    """Return the certificate that is found, after both checkers accept it in memory and in written form."""
    rule = written(text)
    made = prove(rule, theory, {})
    assert certificate_from_json(certificate_as_json(made)) == made
    assert Both.of_texts(theory, [source]).verdicts(rule, certificate_as_json(made)) == Verdicts("", "")
    return made


def test_what_all_members_have_they_have_after_an_action_that_changes_nothing_of_it(teams: Theory):
    made = proved("r: after safe(?t) :- rest(_), before safe(?t).", teams)
    assert certificate_text(made).splitlines()[1:] == [
        "  before safe(?t), by the rule 1 for it",
        "    as_many_stay",
        "    for any one member, of condition 3 of all_are_paid:",
        "      pay_stays",
        "      a_member_stays",
        "    all_are_paid (after)",
    ]


def test_of_any_one_member_all_is_known_that_is_so_of_each_of_its_set():
    """One condition states that each member is paid, the other that none of them rests."""
    source = TEAMS.replace(
        "pay_stays: after paid(?p, ?k) :- rest(_), before paid(?p, ?k).",
        "pay_stays: after paid(?p, ?k) :- rest(?q), before paid(?p, ?k), ?p != ?q.",
    )
    others = "rest(?q), before members(?t, _), all ?p in before member(?t, ?p): ?p != ?q"
    made = proved(f"r: after safe(?t) :- {others}, before safe(?t).", load_text(source, "teams.horn"), source)
    assert "for any one member" in certificate_text(made)
    with pytest.raises(OpenError):
        prove(written("r: after safe(?t) :- rest(_), before safe(?t)."), load_text(source, "teams.horn"), {})


REMOVED = f"""{TEAMS}derived gone(team).
derived missed(team, person).
missed_while_away: missed(?t, ?p) :- member(?t, ?p), away(?p).
all_are_away: gone(?t) :- members(?t, _), all ?p in member(?t, ?p): away(?p).
"""


@pytest.mark.parametrize(
    ("queried", "by"),
    [
        (
            "r: idle(?p) :- member(?t, ?p), gone(?t).",
            ["before gone(?t), by the rule 1 for it", "idle_while_away (before)"],
        ),
        (
            "r: after missed(?t, ?p) :- rest(_), before member(?t, ?p), after gone(?t).",
            ["a_member_stays", "after gone(?t), by the rule 1 for it", "missed_while_away (after)"],
        ),
    ],
)
def test_of_a_known_member_all_is_so_that_a_reported_apart_condition_says_of_each(
    queried: str, by: list[str]
):
    """The membership is a known fact, or a step concludes it."""
    made = proved(queried, load_text(REMOVED, "teams.horn"), REMOVED)
    assert [line.strip() for line in certificate_text(made).splitlines()[1:]] == by
    with pytest.raises(OpenError):
        prove(written(queried.replace("gone", "safe")), load_text(REMOVED, "teams.horn"), {})


@pytest.mark.parametrize("removed", ["a_member_stays", "as_many_stay", "pay_stays"])
def test_it_is_not_where_one_of_them_may_go_or_change(removed: str):
    theory = load_text("\n".join(line for line in TEAMS.splitlines() if removed not in line), "teams.horn")
    with pytest.raises(OpenError):
        prove(written("r: after safe(?t) :- rest(_), before safe(?t)."), theory, {})


def test_the_number_of_members_but_some_stays_with_them(teams: Theory):
    made = proved("r: after nearly(?t) :- rest(_), before nearly(?t).", teams)
    assert "for any one member, of condition 2 of all_but_one_are" in certificate_text(made)


def test_what_was_reported_apart_in_vain_leaves_no_trace_in_proofs_of_members(teams: Theory):
    """The case of `idle` is unused.

    The depth of the enclosing cases decreases by one, also in member goals.
    """
    made = proved("r: after safe(?t) :- rest(_), before idle(?q), before safe(?t).", teams)
    assert made.inverted == (("safe", "before"), ("safe", "after"))
    assert "~2" not in str(certificate_as_json(made))


def test_what_rests_on_itself_stays_by_induction(teams: Theory):
    made = proved("r: after calm(?t) :- rest(_), before calm(?t).", teams)
    assert made.induction == 1
    assert certificate_text(made).splitlines()[-4:] == [
        "  before calm(?t), by the rule 2 for it",
        "    the rule itself, by induction",
        "    who_leads_stays",
        "    calm_below (after)",
    ]


def test_the_rule_is_supposed_of_what_was_there_before_only(teams: Theory):
    rule = written("r: after calm(?t) :- rest(_), before calm(?t).")
    made = prove(rule, teams, {})
    with pytest.raises(RejectedError, match="there is no induction"):
        verify(rule, replace(made, induction=None), teams)
    for place, why in ((0, "not derived before"), (2, "no fact 2"), (-1, "no fact -1")):
        with pytest.raises(RejectedError, match=why):
            verify(rule, replace(made, induction=place), teams)
    assert isinstance(made.cases, Inversion)
    *others, last = made.cases.cases
    assert isinstance(last, Leaf)
    itself = [
        replace(s, proofs=(0, 1), substitution=(("_1", s.substitution[0][1]), ("t", rule.head.terms[0])))
        if s.rule == HYPOTHESIS
        else s
        for s in last.steps
    ]
    circular = replace(made.cases, cases=(*others, replace(last, steps=tuple(itself))))
    with pytest.raises(RejectedError, match="not derived before"):
        verify(rule, replace(made, cases=circular), teams)


def test_a_proof_of_members_is_of_the_condition_that_it_is_for(teams: Theory):
    rule = written("r: after safe(?t) :- rest(_), before safe(?t).")
    made = prove(rule, teams, {})
    assert made.cases is not None
    (leaf,) = (p for p in parts_of(made.cases) if isinstance(p, Leaf) and any(s.members for s in p.steps))
    (step,) = (s for s in leaf.steps if s.members)
    ((place, proof),) = step.members
    assert isinstance(made.cases, Inversion)

    def with_members(*members: object) -> object:
        steps = tuple(replace(s, members=members) if s is step else s for s in leaf.steps)  # type: ignore[arg-type]
        return replace(made, cases=replace(made.cases, cases=(replace(leaf, steps=steps),)))

    for members in ((), ((place, proof), (place, proof))):
        with pytest.raises(RejectedError, match="not proved member by member"):
            verify(rule, with_members(*members), teams)  # type: ignore[arg-type]
    for other in (0, place + 1, -1):
        with pytest.raises(RejectedError, match="a proof of members is for no `all` or `count`"):
            verify(rule, with_members((place, proof), (other, proof)), teams)  # type: ignore[arg-type]
    with pytest.raises(RejectedError, match="not proved for an arbitrary member"):
        verify(rule, with_members((place, Leaf(()))), teams)  # type: ignore[arg-type]


def test_an_empty_list_of_proofs_is_no_certificate(teams: Theory):
    data = certificate_as_json(prove(written("r: after safe(?t) :- rest(_), before safe(?t)."), teams, {}))
    data["cases"]["cases"][0][0][0].append([])
    with pytest.raises(ValueError, match="an empty list of proofs of members"):
        certificate_from_json(data)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2))
def test_what_is_proved_of_random_sets_is_so_in_every_state(seed: int, times: int):
    random = Random(seed)
    worlds = RandomSets(random)
    both = Both.of_texts(worlds.theory, [worlds.text])
    for _ in range(12 * times):
        rule = worlds.rule(random)
        try:
            made = prove(rule, worlds.theory, {})
        except RejectedError:
            continue
        assert worlds.refutation(rule, reached=made.reached) is None
        assert both.verdicts(rule, certificate_as_json(made)) == Verdicts("", "")


CHANGED = f"""{TEAMS}action join(team, person).
action leave(team, person).
action exchange(team, person, person).
joined: after member(?t, ?p) :- join(?t, ?p).
members_stay_then: after member(?t, ?p) :- join(_, _), before member(?t, ?p).
one_more: after members(?t, ?m) :- join(?t, _), before members(?t, ?n), ?m = ?n + 1.
others_stay: after member(?t, ?p) :- leave(_, ?q), before member(?t, ?p), ?p != ?q.
one_less: after members(?t, ?m) :- leave(?t, _), before members(?t, ?n), ?m = ?n - 1.
replaced: after member(?t, ?p) :- exchange(?t, _, ?p).
remaining: after member(?t, ?p) :- exchange(_, ?q, _), before member(?t, ?p), ?p != ?q.
as_many_then: after members(?t, ?n) :- exchange(_, _, _), before members(?t, ?n).
paid_then: after paid(?p, ?k) :- join(_, _), before paid(?p, ?k).
paid_still: after paid(?p, ?k) :- leave(_, _), before paid(?p, ?k).
paid_too: after paid(?p, ?k) :- exchange(_, _, _), before paid(?p, ?k).
"""
JOINED = (
    "r: after safe(?t) :- join(?t, ?q), before members(?t, ?n), ?n >= 0, ?n < 99, ?m = ?n + 1, before paid(?q, 100),"
    " all ?p in before member(?t, ?p): (before paid(?p, ?k), ?k >= 100, ?p != ?q)."
)
LEFT = (
    "r: after safe(?t) :- leave(?t, ?q), before member(?t, ?q), before members(?t, ?n), ?n > 1, ?m = ?n - 1,"
    " all ?p in before member(?t, ?p): (before paid(?p, ?k), ?k >= 100)."
)
EXCHANGED = (
    "r: after safe(?t) :- exchange(?t, ?q, ?r), before member(?t, ?q), before members(?t, ?n), ?n > 0,"
    " before paid(?r, 120), all ?p in before member(?t, ?p): (before paid(?p, ?k), ?k >= 100, ?p != ?r)."
)


@pytest.fixture(scope="module")
def changed() -> Theory:
    return load_text(CHANGED, "teams.horn")


@pytest.mark.parametrize("text", [JOINED, LEFT, EXCHANGED], ids=["joined", "left", "exchanged"])
def test_what_all_members_have_they_have_after_the_set_has_changed(changed: Theory, text: str):
    made = proved(text, changed, CHANGED)
    assert "for any one member, of condition 3 of all_are_paid" in certificate_text(made)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        (JOINED, ", ?p != ?q"),
        (JOINED, ", before paid(?q, 100)"),
        (JOINED, "before members(?t, ?n), ?n >= 0, ?n < 99, ?m = ?n + 1, "),
        (LEFT, ", before member(?t, ?q)"),
        (EXCHANGED, ", before member(?t, ?q)"),
        (EXCHANGED, ", ?p != ?r"),
        (EXCHANGED, " before paid(?r, 120),"),
    ],
)
def test_they_have_not_if_a_condition_on_the_change_is_left_out(changed: Theory, text: str, without: str):
    assert without in text
    with pytest.raises(OpenError):
        prove(written(text.replace(without, "")), changed, {})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("?m = ?n + 1", "?m = ?n + 2"),
        (
            "joined: after member(?t, ?p) :- join(?t, ?p)",
            "joined: after member(?t, ?p) :- join(?p2, ?p), before led(?t, ?p2)",
        ),
        ("members_stay_then: after member(?t, ?p) :- join(_, _)", "n: after member(?t, ?p) :- join(_, ?p)"),
    ],
)
def test_they_have_not_if_the_set_changes_in_another_way(old: str, new: str):
    assert old in CHANGED
    with pytest.raises(OpenError):
        prove(written(JOINED.replace(old, new)), load_text(CHANGED.replace(old, new), "teams.horn"), {})


LEFT_ANOTHER = LEFT.replace("before member(?t, ?q),", "before member(?t, ?q), before member(?u, ?q),")
NOT_REMOVED = "the removed thing is not known as a member of the closed set"
NOT_ADDED = "the added thing is not proved to be a member as the condition requires"
NOT_ANY = "it is not proved for an arbitrary member"


@pytest.mark.parametrize(
    ("text", "old", "new", "because"),
    [
        pytest.param(LEFT_ANOTHER, "[3, 7], [1,", "[3, 7], [2,", NOT_REMOVED, id="removed from another set"),
        pytest.param(JOINED, "[1, 9], [null,", "[1, 9], [8,", NOT_REMOVED, id="a member afterwards only"),
        pytest.param(EXCHANGED, "[1, [7,", "[1, [1,", NOT_ADDED, id="a member before only"),
        pytest.param(
            LEFT_ANOTHER,
            "[3, 7], [1,",
            "[3, 7], [null,",
            "the numbers of members are not known",
            id="neither removed nor added",
        ),
        pytest.param(
            EXCHANGED, "[14, 11], 12]", "[14, 11], 13]", NOT_ANY, id="different from the removed one"
        ),
        pytest.param(EXCHANGED, "[14, 11], 12]", "[14, 11]]", NOT_ANY, id="not said to be different"),
        pytest.param(LEFT_ANOTHER, "[12, 10]]", "[12, 10], 11]", NOT_ANY, id="different from none"),
    ],
)
def test_both_checkers_refuse_a_witness_of_another_change(
    changed: Theory, text: str, old: str, new: str, because: str
):
    rule = written(text)
    right = json.dumps(certificate_as_json(prove(rule, changed, {})))
    assert right.count(old) == 1
    verdicts = Both.of_texts(changed, [CHANGED]).verdicts(rule, json.loads(right.replace(old, new)))
    assert because in verdicts.checker
    assert verdicts.agree


def test_a_set_that_may_have_more_members_than_its_count_loses_none(changed: Theory):
    """A rule concludes members, so that the count may be smaller than their number."""
    text = f"{CHANGED}recruited: member(?t, ?p) :- led(?t, ?u), member(?u, ?p).\n"
    theory, rule = load_text(text, "teams.horn"), written(LEFT)
    made = prove(rule, changed, {})
    again = certificate_of(rule, made.steps, theory, {}, cases=made.cases)
    forged = {**certificate_as_json(again), "cases": certificate_as_json(made)["cases"]}
    verdicts = Both.of_texts(theory, [text]).verdicts(rule, forged)
    assert NOT_REMOVED in verdicts.checker
    assert verdicts.agree


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2))
def test_what_is_proved_of_random_sets_that_change_is_so_in_every_state(seed: int, times: int):
    """Mutants of a proof state the same steps with fewer conditions."""
    random = Random(seed)
    changed = 0
    for _ in range(3 * times):
        worlds = RandomSetChanges(random)
        both = Both.of_texts(worlds.theory, [worlds.text])
        for _ in range(12):
            rule = worlds.rule(random)
            try:
                made = prove(rule, worlds.theory, {})
            except RejectedError:
                continue
            if not any(_is_changed(proof) for step in made.all_steps for proof in step.proofs):
                continue
            changed += 1
            assert worlds.refutation(rule, reached=made.reached) is None
            assert both.verdicts(rule, certificate_as_json(made)) == Verdicts("", "")
            for place in range(len(rule.body)):
                weaker = replace(rule, body=(*rule.body[:place], *rule.body[place + 1 :]))
                again = certificate_of(weaker, made.steps, worlds.theory, {}, cases=made.cases)
                try:
                    verify(weaker, again, worlds.theory)
                except RejectedError:
                    continue
                assert worlds.refutation(weaker, reached=again.reached) is None
    assert changed > 2 * times


def _is_changed(proof: object) -> bool:
    """Return whether a witness is about a set that lost or gained a member."""
    return (
        isinstance(proof, tuple)
        and proof[:1] == ("members",)
        and isinstance(proof[-1], tuple)
        and len(proof) == 4
    )
