"""Tests of proofs reply by reply: accepted proofs, and the step at which each planted fault is rejected."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from hornbook.compiler.checker.cases import MAX_LEAVES
from hornbook.compiler.checker.certificate import (
    MAX_SPLITS,
    CaseProof,
    Leaf,
    Opening,
    ProofStep,
    Split,
)
from hornbook.compiler.checker.checker import Lemma, unchanged, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.replies import _is_of_sort, replies_to
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json, certificate_text
from hornbook.kb.ast.terms import Atom, Constant, Rule, Term, Variable
from hornbook.kb.ast.theory import Theory
from oracles.proofs.hunt import DECLARED, GOES, NOBODY, REPLIES, RULE, STAYING, STAYS, THEORY, A, into
from oracles.proofs.learned_rules import rule_of, step, theory_of


def rejection(
    rule: str | Rule,
    replies: Sequence[CaseProof],
    opening: Opening | None = STAYING,
    theory: Theory = THEORY,
    steps: Sequence[ProofStep] = (),
    lemmas: dict[str, Lemma] | None = None,
) -> str:
    """Return the checker's reason to reject a rule with these proofs, or an empty text if it accepts it."""
    known = rule_of(rule) if isinstance(rule, str) else rule
    certificate = certificate_of(known, steps, theory, lemmas or {}, replies, opening)
    try:
        verify(known, certificate, theory, lemmas)
    except RejectedError as problem:
        return str(problem)
    return ""


def split(*cases: tuple[str | int, CaseProof], rest: CaseProof = NOBODY, of: str = "q^") -> Split:
    return Split(of, tuple((_term(term), proof) for term, proof in cases), rest)


def _term(term: str | int) -> Term:
    return Variable(term[1:]) if isinstance(term, str) and term.startswith("?") else Constant(term)


# Accepted proofs


def test_a_game_is_won_after_every_reply():
    assert rejection(RULE, (GOES, STAYS)) == ""


def test_the_game_is_the_rules_own_whatever_its_variables_are_called():
    theory = theory_of(DECLARED + REPLIES.replace("?x", "?one"))
    assert rejection(RULE, (GOES, STAYS), theory=theory) == ""


def test_what_bars_no_reply_answers_none():
    known = rule_of(RULE)
    made = certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING)
    verify(known, made, THEORY)
    goes, stays = made.replies
    assert isinstance(stays, Leaf)
    with pytest.raises(RejectedError, match="and nothing contradicts the reply"):
        verify(known, replace(made, replies=(goes, replace(stays, end=("barred", (), 0)))), THEORY)


def test_what_all_replies_rest_on_is_established_once():
    theory = theory_of(
        DECLARED
        + "derived ready(room). ready: ready(?r) :- net(?r).\n"
        + REPLIES.replace("stay(?x)", "stay(?x), in(?x, ?r), ready(?r)")
    )
    steps = [step("ready", r="?h")]
    opening: Opening = (1, (("r", Variable("h")),))
    assert rejection(RULE, (GOES, STAYS), opening, theory, steps) == ""
    assert "`ready(?h)` (before the action) is neither" in rejection(RULE, (GOES, STAYS), opening, theory)


def test_a_reply_that_is_barred_needs_no_answer():
    barred = RULE.replace("net(?b)", "locked(?b)")
    shut = Leaf((step("locked_is_barred", q="?q^"),))
    assert rejection(barred, (split(("?a", into("?a")), ("?b", shut)), STAYS)) == ""
    reason = rejection(barred, (split(("?a", into("?a")), ("?b", NOBODY)), STAYS))
    assert reason == (
        "reply 1 (`go(?x, ?q^)`), `?q^` = `?b`: nothing concludes `after catch(?x) is GI`, nor `barred(?q^)` before"
        " it, and nothing contradicts the reply"
    )


def test_a_reply_that_contradicts_a_key_needs_no_answer():
    theory = theory_of(
        DECLARED + "replies catch(?x): go(?x, ?q), in(?x, ?r), exit(?r, ?q), hue(?q, red); stay(?x)."
    )
    rule = RULE.replace("net(?b)", "hue(?b, blue)")
    assert rejection(rule, (split(("?a", into("?a")), ("?b", NOBODY)), STAYS), theory=theory) == ""
    assert "nothing contradicts" in rejection(
        rule.replace("blue", "red"), (split(("?a", into("?a")), ("?b", NOBODY)), STAYS), theory=theory
    )


def test_a_closed_sort_has_no_other_words():
    theory = theory_of(
        DECLARED + "replies catch(?x): go(?x, ?q), in(?x, ?r), exit(?r, ?q), hue(?q, ?c); stay(?x)."
    )
    hues = [(word, into("?a")) for word in ("red", "green", "blue")]
    one_exit = "catch(?x) is IG :- in(?x, ?h), net(?h), exits(?h, 1), exit(?h, ?a), net(?a)."
    tree = split(*hues, of="c^")
    inside = split(("?a", tree), rest=NOBODY)
    assert rejection(one_exit, (inside, STAYS), theory=theory) == ""
    without_blue = split(("?a", split(*hues[:2], of="c^")))
    assert "any other `?c^`: nothing concludes" in rejection(one_exit, (without_blue, STAYS), theory=theory)


def test_numbers_of_a_reply_are_reported_apart_and_bounded_by_comparisons():
    theory = theory_of(
        """
        sort heap. fluent left(heap -> int). action take(heap, int). game last(heap).
        takes: after left(?h, ?m) :- take(?h, ?k), before left(?h, ?n), ?m = ?n - ?k.
        can_take_all: last(?h) is GI :- left(?h, ?n), ?n >= 1, ?n <= 2.
        replies last(?h): take(?h, ?k), left(?h, ?n), ?k >= 1, ?k <= 2, ?k <= ?n.
        """
    )

    def taken(left: int) -> Leaf:
        return Leaf(
            (step("takes", None, h="?h", k="?k^", n=3, m=left), step("can_take_all", "after", h="?h", n=left))
        )

    rule = "last(?h) is IG :- left(?h, 3)."
    opening: Opening = (0, (("k", Constant(1)), ("n", Constant(3))))
    proof = split((1, taken(2)), (2, taken(1)), of="k^")
    assert rejection(rule, (proof,), opening, theory) == ""
    assert "any other `?k^`: nothing" in rejection(rule, (split((1, taken(2)), of="k^"),), opening, theory)
    assert "do not entail" in rejection(rule, (proof,), (0, (("k", Constant(3)), ("n", Constant(3)))), theory)
    # A player cannot take three of three, and cannot take anything of none. A player without a move has not
    # lost.
    none = "last(?h) is IG :- left(?h, 0)."
    assert "zugzwang or stalemate: the rule's conditions do not entail" in rejection(
        none, (NOBODY,), (0, (("k", Constant(1)), ("n", Constant(0)))), theory
    )


def test_a_lemma_of_smaller_rank_answers_a_reply():
    lemma = rule_of("netted: catch(?x) is GI :- in(?x, ?r), net(?r).")
    with_lemma = Leaf((*STAYS.steps[:2], step("netted", "after", x="?x", r="?h")))
    assert rejection(RULE, (GOES, with_lemma), lemmas={"netted": Lemma(lemma, 1, reached=True)}) == ""


# Planted faults


@pytest.mark.parametrize(
    ("removed", "reason"),
    [
        (", ?a != ?b", "any other `?q^`: nothing concludes"),
        ("exits(?h, 2), ", "any other `?q^`: nothing concludes"),
        (", net(?a)", "`?q^` = `?a`: step 2, rule `net_when_it_goes`"),
        ("net(?h), ", "reply 2 (`stay(?x)`): step 2, rule `net_when_it_stays`"),
        (", exit(?h, ?b)", "any other `?q^`: nothing concludes"),
    ],
)
def test_every_condition_is_needed(removed, reason):
    assert removed in RULE
    assert reason in rejection(RULE.replace(removed, "", 1), (GOES, STAYS))


def test_a_reply_is_missing_from_the_list():
    reason = rejection(RULE, (split(("?a", into("?a"))), STAYS))
    assert "any other `?q^`: nothing concludes `after catch(?x) is GI`" in reason


def test_the_null_reply_is_left_out():
    assert rejection(RULE, (GOES,)) == "the theory has 2 alternatives of replies and the certificate proves 1"
    assert "the theory has 2 alternatives" in rejection(RULE, (GOES, STAYS, STAYS))
    assert "reply 2 (`stay(?x)`): nothing concludes" in rejection(RULE, (GOES, NOBODY))


def test_the_proof_of_one_reply_is_not_that_of_another():
    assert "reply 1 (`go(?x, ?q^)`): step 1, rule `stays`" in rejection(RULE, (STAYS, GOES))


def test_what_a_case_assumes_is_not_known_in_the_others():
    swapped = split(("?a", into("?b")), ("?b", into("?b")))
    assert "`?q^` = `?a`: step 3, rule `in_a_net`" in rejection(RULE, (swapped, STAYS))
    rest = split(("?a", into("?a")), ("?b", into("?b")), rest=into("?a"))
    assert rejection(RULE, (rest, STAYS)) == ""  # no object can be in it
    more = RULE.replace("exits(?h, 2)", "exits(?h, 3)")
    reason = rejection(more, (rest, STAYS))
    assert "any other `?q^`: step 3, rule `in_a_net`" in reason


def test_a_case_does_not_know_that_it_is_none_of_those_before_it():
    """Two cases may be equal. Each needs a proof without the inequality that an earlier case would give."""
    theory = theory_of(
        DECLARED
        + "derived other(room, room). other: other(?q, ?p) :- net(?q), net(?p), ?q != ?p.\n"
        + REPLIES
    )
    steps = (step("other", q="?q^", p="?a"), *into("?b").steps)
    rule = RULE.replace(", ?a != ?b", "").replace("exits(?h, 2)", "exits(?h, 1)")
    reason = rejection(rule, (split(("?a", into("?a")), ("?b", Leaf(steps))), STAYS), theory=theory)
    assert "step 1, rule `other`: nothing proves `?q^ != ?a`" in reason


def test_lemmas_must_not_lean_on_each_other():
    lemma = rule_of("netted: catch(?x) is GI :- in(?x, ?r), net(?r).")
    with_lemma = Leaf((*STAYS.steps[:2], step("netted", "after", x="?x", r="?h")))
    known = rule_of(RULE)
    lemmas = {"netted": Lemma(lemma, 3, reached=True)}
    certificate = certificate_of(known, (), THEORY, lemmas, (GOES, with_lemma), STAYING)
    assert certificate.rank == 4
    with pytest.raises(RejectedError, match="lemmas must not depend on each other"):
        verify(known, replace(certificate, rank=3), THEORY, lemmas)


# Existence of a reply


@pytest.mark.parametrize(
    ("opening", "reason"),
    [
        (None, "the certificate names none that he can play"),
        ((2, ()), "there is no alternative 3 of the replies"),
        ((-1, ()), "there is no alternative 0 of the replies"),
        ((0, (("q", A), ("r", Variable("h")))), "a reply with an `unless` may be barred"),
        ((1, (("x", A),)), "the value of some variable of the reply is missing"),
        ((1, (("x", A), ("x", A))), "the value of some variable of the reply is missing"),
    ],
)
def test_the_opponent_must_have_a_reply(opening, reason):
    output = rejection(RULE, (GOES, STAYS), opening)
    assert output.startswith("the opponent may have no reply: zugzwang or stalemate: ")
    assert reason in output


def test_a_reply_that_can_be_played_is_an_instance_whose_conditions_hold():
    theory = theory_of(
        DECLARED
        + REPLIES.replace(" unless barred(?q)", "").replace("stay(?x)", "stay(?x), locked(?r), in(?x, ?r)")
    )
    assert rejection(RULE, (GOES, STAYS), (0, (("q", A), ("r", Variable("h")))), theory) == ""
    assert "`exit(?h, ?h)` (before the action) is neither" in rejection(
        RULE, (GOES, STAYS), (0, (("q", Variable("h")), ("r", Variable("h")))), theory
    )
    assert "the value of some variable" in rejection(RULE, (GOES, STAYS), (0, (("q", A),)), theory)
    assert "`?z` is no variable of the learned rule" in rejection(
        RULE, (GOES, STAYS), (0, (("q", Variable("z")), ("r", Variable("h")))), theory
    )
    assert "`locked(?h)` (before the action) is neither" in rejection(
        RULE, (GOES, STAYS), (1, (("r", Variable("h")),)), theory
    )


def test_what_is_noted_and_proved_of_an_opening_and_at_an_end_holds():
    theory = theory_of(DECLARED + REPLIES.replace(" unless barred(?q)", ""))
    opening: Opening = (0, (("q", A), ("r", Variable("h"))))
    known = rule_of(RULE)
    good = certificate_of(known, (), theory, {}, (GOES, STAYS), opening)
    verify(known, good, theory)
    (proofs, notes), (goes, stays) = good.opened, good.replies
    assert isinstance(stays, Leaf)
    assert isinstance(stays.end, tuple)
    odd_end = replace(stays, end=(stays.end[0], (("none",),), *stays.end[2:]))
    for bad, reason in (
        (replace(good, opened=((1, *proofs[1:]), notes)), "`in(?x, ?h)` (before the action) is neither"),
        (replace(good, opened=((*proofs, 0), notes)), "more conditions than it has"),
        (replace(good, opened=(proofs, (("none",),))), "its note ('none',) does not hold"),
        (replace(good, replies=(goes, odd_end)), "its note ('none',) does not hold"),
    ):
        with pytest.raises(RejectedError) as problem:
            verify(known, bad, theory)
        assert reason in str(problem.value)


def test_a_reply_that_can_be_played_is_of_things_of_its_sorts():
    theory = theory_of(DECLARED + REPLIES.replace("; stay(?x)", "; stay(?x); sleep(?y)") + (
        "asleep: after in(?x, ?r) :- sleep(_), before in(?x, ?r). "
        "net_when_it_sleeps: after net(?q) :- sleep(_), before net(?q)."))  # fmt: skip
    sleeps = Leaf(
        (
            step("asleep", None, x="?x", r="?h", _1="?y^"),
            step("net_when_it_sleeps", None, _1="?y^", q="?h"),
            STAYS.steps[2],
        )
    )
    proofs = (GOES, STAYS, sleeps)
    assert rejection(RULE, proofs, (2, (("y", Variable("x")),)), theory) == ""
    # An open sort contains only the words that occur in it, and no condition makes `hare` an animal.
    assert "`hare` is no `animal`" in rejection(RULE, proofs, (2, (("y", Constant("hare")),)), theory)
    assert "`?a` is no `animal`" in rejection(RULE, proofs, (2, (("y", A),)), theory)
    assert "`7` is no `animal`" in rejection(RULE, proofs, (2, (("y", Constant(7)),)), theory)
    # Words of other sorts and words without a sort are not among the known animals.
    for more in ("locked(hare)", "?a != hare"):
        rule = rule_of(f"{RULE.rstrip('.')}, {more}.")
        assert "`hare` is no `animal`" in rejection(rule, proofs, (2, (("y", Constant("hare")),)), theory)
    known = rule_of(f"{RULE.rstrip('.')}, in(hare, _).")
    assert rejection(known, proofs, (2, (("y", Constant("hare")),)), theory) == ""


SORTED = theory_of(
    """
    sort animal. sort room. sort hue = red | blue. sort cents = int. sort years = int.
    fluent in(animal -> room). fluent costs(animal -> cents). static hue(room -> hue). game catch(animal).
    """
)


@pytest.mark.parametrize(
    ("term", "sort", "certain"),
    [
        ("?x", "animal", True),
        ("?x", "room", False),
        ("?n", "cents", True),
        ("?n", "years", False),
        ("?m", "cents", True),
        ("?m", "animal", False),
        ("?z", "animal", False),
        (7, "cents", True),
        (7, "animal", False),
        ("red", "hue", True),
        ("green", "hue", False),
        ("hare", "animal", True),
        ("hare", "room", False),
        ("fox", "animal", False),
    ],
)
def test_what_is_certainly_of_a_sort(term, sort, certain):
    rule = rule_of("catch(?x) is IG :- in(?x, ?h), costs(?x, ?n), ?m = ?n + 1, in(hare, ?k).")
    words = SORTED.vocabulary
    assert _is_of_sort(_term(term), words.sorts[sort], rule, words) is certain


# Names and shapes


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (split(("?a", into("?a")), of="a"), "`?a` is not a variable of this case"),
        (split(("?a", into("?a")), of="q"), "`?q` is not a variable of this case"),
        (split(("?a", into("?a")), of="x^"), "`?x^` is not a variable of this case"),
        (split(("?c", into("?a"))), "`?c` is no variable of the learned rule"),
        (split(("?r^", into("?a"))), "`?r^` is no variable of the learned rule"),
    ],
)
def test_replies_are_reported_apart_by_their_own_variables_and_the_rules_terms(tree, reason):
    assert reason in rejection(RULE, (tree, STAYS))


def test_the_variables_of_a_reply_are_known_in_its_own_branch_only():
    stray = Leaf((step("net_when_it_stays", None, _1="?q^", q="?h"), *STAYS.steps))
    assert "reply 2 (`stay(?x)`): step 1" in rejection(RULE, (GOES, stray))
    assert "`?q^` is no variable of the learned rule" in rejection(RULE, (GOES, stray))
    ordinary = [step("locked_is_barred", q="?q^")]
    assert "step 1, rule `locked_is_barred`: `?q^` is no variable" in rejection(
        RULE, (GOES, STAYS), steps=ordinary
    )


def test_no_variable_of_a_rule_is_called_like_one_of_a_reply():
    rule = rule_of(RULE)
    odd = replace(rule, body=(*rule.body, Atom("net", (Variable("q^"),))))
    assert "has a name that ends with `^`" in rejection(odd, (GOES, STAYS))


def test_only_that_a_game_is_second_player_win_is_proved_so():
    for wrong in (RULE.replace("IG", "GI"), RULE.replace("IG", "GG")):
        assert rejection(wrong, (GOES, STAYS)) == "only the value `IG` is proved reply by reply"
    by = RULE.replace("catch(?x) is", "catch(?x) by stay(?x) is")
    assert "only the value of a game at any one moment" in rejection(by, (GOES, STAYS))
    barred = Rule(Atom("barred", (Variable("h"),)), rule_of(RULE).body)
    tensed = RULE.replace("catch(?x) is", "after catch(?x) is").replace("net(?h)", "before net(?h)")
    for other in (barred, rule_of(tensed)):
        with pytest.raises(RejectedError, match="only the value of a game at any one moment"):
            replies_to(other, THEORY)
    silent = theory_of(DECLARED)
    assert "does not declare the replies in `catch`" in rejection(RULE, (GOES, STAYS), theory=silent)


def test_what_holds_before_every_reply_is_reported_of_that_moment():
    later = [step("in_a_net", "after", x="?x", r="?h")]
    assert "are proved for that reply only" in rejection(RULE, (GOES, STAYS), steps=later)
    moved = [step("goes", None, x="?x", q="?a", r="?h")]
    assert "step 1, rule `goes`: it speaks of moments" in rejection(RULE, (GOES, STAYS), steps=moved)


def test_no_proof_rests_on_keys_after_a_reply():
    """A reply is hypothetical, so no error reports that a theory breaks a key after it."""
    theory = theory_of(
        DECLARED
        + REPLIES
        + "wishful: after in(?x, ?q) :- go(?x, _), before in(?x, ?r), exit(?r, ?q), before net(?q)."
    )
    goes = (
        step("goes", None, x="?x", q="?q^", r="?h"),
        step("wishful", None, x="?x", _1="?q^", r="?h", q="?a"),
        step("net_when_it_goes", None, _1="?x", _2="?q^", q="?q^"),
        step("in_a_net", "after", x="?x", r="?q^"),
    )
    rule = "catch(?x) is IG :- in(?x, ?h), net(?h), exit(?h, ?a), net(?a)."
    reason = rejection(rule, (Leaf(goes), STAYS), theory=theory)
    assert "step 3, rule `net_when_it_goes`: `before net(?q^)`" in reason


def test_how_often_replies_are_reported_apart_is_bounded(monkeypatch):
    deep: CaseProof = into("?a")
    for _ in range(MAX_SPLITS + 1):
        deep = split(("?a", deep), ("?b", into("?b")))
    assert f"more than {MAX_SPLITS} deep" in rejection(RULE, (deep, STAYS))
    monkeypatch.setattr("hornbook.compiler.checker.cases.MAX_LEAVES", 3)
    assert MAX_LEAVES > 3
    assert "more than 3 cases" in rejection(RULE, (GOES, STAYS))
    monkeypatch.setattr("hornbook.compiler.checker.cases.MAX_LEAVES", 4)
    assert rejection(RULE, (GOES, STAYS)) == ""


# Fingerprints


def test_a_certificate_is_stale_once_the_replies_change():
    known = rule_of(RULE)
    certificate = certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING)
    assert "replies catch" in dict(certificate.fingerprints)
    more = theory_of(DECLARED + REPLIES.replace("stay(?x).", "stay(?x); sleep(?x)."))
    with pytest.raises(RejectedError, match="the replies `catch` was changed since"):
        verify(known, certificate, more)
    with pytest.raises(RejectedError, match="the replies `catch` that the certificate rests on is no longer"):
        verify(known, certificate, theory_of(DECLARED))
    unnamed = tuple(p for p in certificate.fingerprints if not p[0].startswith("replies"))
    with pytest.raises(RejectedError, match="does not name the theory's replies"):
        verify(known, replace(certificate, fingerprints=unnamed), THEORY)


@pytest.mark.parametrize("name", ["declaration barred", "declaration exits", "declaration stay", "rule goes"])
def test_all_that_the_replies_rest_on_is_named(name):
    known = rule_of(RULE)
    certificate = certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING)
    assert name in dict(certificate.fingerprints)
    without = tuple(p for p in certificate.fingerprints if p[0] != name)
    with pytest.raises(RejectedError, match=name.split()[1]):
        verify(known, replace(certificate, fingerprints=without), THEORY)


@pytest.mark.parametrize(
    ("part", "reason"), [({"open": None}, "the certificate names none"), ({"replies": ()}, "proves 0")]
)
def test_replies_and_an_opening_belong_together(part, reason):
    known = rule_of(RULE)
    certificate = replace(certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING), **part)
    with pytest.raises(RejectedError, match=reason):
        verify(known, certificate, THEORY)
    without = tuple(p for p in certificate.fingerprints if p[0] != "replies catch")
    with pytest.raises(RejectedError, match="does not name the theory's replies"):
        unchanged(known, replace(certificate, fingerprints=without), THEORY, {})


def test_what_is_proved_reply_by_reply_has_no_other_end():
    known = rule_of(RULE)
    certificate = certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING)
    with pytest.raises(RejectedError, match="no step concludes the rule's own conclusion"):
        verify(known, replace(certificate, end=("known", (), 0)), THEORY)


def test_terms_that_the_language_does_not_have_are_refused_wherever_they_state():
    known, odd = rule_of(RULE), Constant(1.5)  # type: ignore[arg-type]
    good = certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING)
    goes, stays = good.replies
    assert isinstance(goes, Split)
    below = replace(goes, cases=((odd, goes.cases[0][1]),))
    for bad in (
        replace(good, open=(1, (("x", odd),))),
        replace(good, replies=(below, stays)),
        replace(good, replies=(replace(goes, rest=below), stays)),
        replace(good, replies=(replace(goes, cases=((A, below),)), stays)),
    ):
        with pytest.raises(RejectedError, match=r"`1\.5` is neither a word nor an integer"):
            verify(known, bad, THEORY)


def test_an_earlier_form_is_reported_before_anything_is_compared():
    old = replace(certificate_of(rule_of(RULE), (), THEORY, {}, (GOES, STAYS), STAYING), format=1, of="0")
    for judge in (verify, unchanged):
        with pytest.raises(RejectedError, match="has the earlier form 1"):
            judge(rule_of(RULE), old, THEORY, {})


# Certificates as data


def test_it_is_read_back_as_it_was_written():
    known = rule_of(RULE)
    opening: Opening = (0, (("q", A), ("r", Constant("den"))))
    for certificate in (
        certificate_of(known, (), THEORY, {}, (GOES, STAYS), STAYING),
        certificate_of(known, [step("locked_is_barred", q="?a")], THEORY, {}, (GOES, STAYS), opening),
    ):
        assert certificate_from_json(json.loads(json.dumps(certificate_as_json(certificate)))) == certificate


def test_a_certificate_of_the_first_form_is_read_and_proves_nothing():
    written = certificate_as_json(
        certificate_of(rule_of(RULE), [step("locked_is_barred", q="?a")], THEORY, {})
    )
    assert "replies" not in written
    steps = [parts[:3] for parts in written["steps"]]
    old = certificate_from_json({**written, "steps": steps, "format": 1})
    assert (old.format, old.steps) == (1, (step("locked_is_barred", q="?a"),))
    with pytest.raises(
        RejectedError, match="earlier form 1: `hornbook rules verify --upgrade` proves the rule again"
    ):
        verify(rule_of(RULE), old, THEORY)


@pytest.mark.parametrize(
    "replies",
    [
        7,
        [None],
        [{}],
        [{"split": "q^", "cases": [], "rest": None}],
        [{"split": 1, "cases": [], "rest": []}],
        [{"split": "q^", "cases": [["?a"]], "rest": []}],
        [[["goes", "before"]]],
    ],
)
def test_what_is_no_proof_of_replies_is_not_read(replies):
    written = certificate_as_json(certificate_of(rule_of(RULE), (), THEORY, {}, (GOES, STAYS), STAYING))
    with pytest.raises(ValueError, match=r"certificate|unpack|iterable"):
        certificate_from_json({**written, "replies": replies})


def test_a_proof_nested_too_deeply_is_not_read():
    written = certificate_as_json(certificate_of(rule_of(RULE), (), THEORY, {}, (GOES, STAYS), STAYING))
    deep: object = []
    for _ in range(MAX_SPLITS + 1):
        deep = {"split": "q^", "cases": [], "rest": deep}
    with pytest.raises(ValueError, match=f"more than {MAX_SPLITS} deep"):
        certificate_from_json({**written, "replies": [deep]})


def test_it_is_shown_reply_by_reply():
    certificate = certificate_of(rule_of(RULE), (), THEORY, {}, (GOES, STAYS), STAYING)
    assert certificate_text(certificate).splitlines()[1:] == [
        "  reply 1",
        "    ?q^ = ?a",
        "      goes",
        "      net_when_it_goes",
        "      in_a_net (after)",
        "    ?q^ = ?b",
        "      goes",
        "      net_when_it_goes",
        "      in_a_net (after)",
        "    any other ?q^",
        "      impossible",
        "  reply 2, which can be played",
        "    stays",
        "    net_when_it_stays",
        "    in_a_net (after)",
    ]


def test_a_reply_is_not_reported_apart_by_what_is_of_another_sort():
    theory = theory_of(
        """
        sort thing. fluent f(thing). fluent k(thing -> int). action act(int). game g.
        wins: after g is GI :- act(_), before f(_).
        replies g: act(?n).
        """
    )
    steps = (step("wins", None, _1="?n^", _2="?x"),)
    for term in (Constant("word"), Variable("x")):
        proof = Split("n^", ((term, Leaf(steps)),), Leaf(steps))
        output = rejection("g is IG :- f(?x), k(?x, ?k).", (proof,), (0, (("n", Constant(0)),)), theory)
        assert "is of another sort" in output
    proof = Split("n^", ((Variable("k"), Leaf(steps)),), Leaf(steps))
    assert rejection("g is IG :- f(?x), k(?x, ?k).", (proof,), (0, (("n", Constant(0)),)), theory) == ""


def test_what_a_reply_asks_for_rests_on_no_action():
    aimed = (
        "derived aimed(room). aimed: before aimed(?q) :- go(_, ?q). marked: aimed(?q) :- hue(?q, red).\n"
        + REPLIES.replace("exit(?r, ?q) unless", "exit(?r, ?q), aimed(?q) unless")
    )
    replies = (split(("?a", into("?a")), ("?b", into("?b"))), STAYS)
    reason = rejection(RULE, replies, theory=theory_of(DECLARED + aimed))
    assert (
        "may rest on the action that is taken, and the rule speaks of a reply that is only thought of"
        in reason
    )
    at_rest = aimed.replace("aimed: before aimed(?q) :- go(_, ?q). ", "")
    assert rejection(RULE, replies, theory=theory_of(DECLARED + at_rest)) == ""
