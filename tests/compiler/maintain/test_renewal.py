"""Tests of renewal after an edit of the theory: rules that are replayed, untouched, renewed or retired."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.checker import checker
from hornbook.compiler.checker.certificate import ProofStep, fingerprint_of_dependencies
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.maintain.renewal import Renewed, invalid_retired_rules, renew_rules
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.ast.terms import Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

KIN = """
theory kin.
sort person.
static parent(person, person).
static grown(person).
derived grandparent(person, person).
derived great(person, person).
derived sibling(person, person).

two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
three_steps: great(?a, ?d) :- grandparent(?a, ?c), parent(?c, ?d).
one_parent: sibling(?a, ?b) :- parent(?p, ?a), parent(?p, ?b), ?a != ?b.
"""
LEARNED = """
old: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
older: great(?a, ?d) :- parent(?a, ?b), parent(?b, ?c), parent(?c, ?d).
beside: sibling(?a, ?b) :- parent(?p, ?a), parent(?p, ?b), ?a != ?b.
"""
LINE = tuple(GroundFact("parent", pair) for pair in (("x", "y"), ("y", "z"), ("z", "w")))
PROVED = {
    "old": (ProofStep("two_steps", None, tuple((v, Variable(v)) for v in "abc")),),
    "older": (
        ProofStep("old", None, tuple((v, Variable(v)) for v in "abc")),
        ProofStep("three_steps", None, tuple((v, Variable(v)) for v in "acd")),
    ),
    "beside": (ProofStep("one_parent", None, tuple((v, Variable(v)) for v in "pab")),),
}
GOALS = {"old": "grandparent(x, z)", "older": "great(x, w)", "beside": "sibling(x, y)"}


@pytest.fixture
def base() -> RuleBase:
    """Return three certified rules; the proof of `older` uses `old`."""
    theory = load_text(KIN)
    found = rule_base("kin", [])
    for rule in [clause for clause in parse(LEARNED).clauses if isinstance(clause, Rule)]:
        certificate = certificate_of(rule, PROVED[rule.name], theory, found.lemmas())
        origin = Provenance(f"of_{rule.name}", "cases.horn", GOALS[rule.name], LINE)
        found = rule_base("kin", [*found, RuleEntry(rule, certificate, origin)])
    assert all(verdict.follows for verdict in verify_all(found, theory))
    return found


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the rules whose certificates are replayed, in order."""
    found: list[str] = []
    replay = checker._replay

    def counted(rule: Rule, *rest: object, **how: object) -> object:
        found.append(rule.name)
        return replay(rule, *rest, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(checker, "_replay", counted)
    return found


def fates(found: Renewed) -> dict[str, str]:
    return {fate.entry.rule.name: fate.state for fate in found.fates}


def edited(old: str, new: str) -> Theory:
    assert old in KIN
    return load_text(KIN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "replayed"),
    [
        ("theory kin.", "% Who is whose.\ntheory kin.", 0),
        ("static grown(person).", "fluent grown(person).", 3),
        ("one_parent:", "none: sibling(?a, ?b) :- grown(?a), parent(?a, ?b).\none_parent:", 3),
    ],
)
def test_an_edit_that_no_proof_names_leaves_all_certificates(old, new, replayed, base, replays):
    found = renew_rules(base, edited(old, new), {})
    assert set(fates(found).values()) == {"untouched"}
    assert found.replayed == len(replays) == replayed
    assert found.base.entries == base.entries
    assert renew_rules(found.base, edited(old, new), {}).replayed == 0


def test_only_certificates_that_name_the_edited_rule_are_renewed(base):
    theory = edited("parent(?a, ?b), parent(?b, ?c).", "parent(?b, ?c), parent(?a, ?b).")
    found = renew_rules(base, theory, {})
    # A proof that uses `old` depends only on its conclusion, and that is unchanged.
    assert fates(found) == {"old": "renewed", "older": "untouched", "beside": "untouched"}
    assert "the rule `two_steps` was changed" in found.fates[0].reason
    assert all(verdict.follows for verdict in verify_all(found.base, theory))


def test_a_declaration_that_changed_is_named_by_all_who_use_it(base, replays):
    theory = edited("static parent(person, person).", "fluent parent(person, person).")
    found = renew_rules(base, theory, {})
    assert set(fates(found).values()) == {"renewed"}
    assert replays == ["old", "beside", "older"]
    assert all(verdict.follows for verdict in verify_all(found.base, theory))


def test_a_new_fact_of_what_never_changes_is_looked_at_by_all(base, replays):
    found = renew_rules(base, load_text(KIN + "parent(ida, leo)."), {})
    assert set(fates(found).values()) == {"renewed"}
    assert len(replays) == found.replayed == 3


def test_a_lemma_that_falls_takes_down_what_rests_on_it(base, replays):
    theory = edited("two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).\n", "")
    found = renew_rules(base, theory, {})
    assert fates(found) == {"old": "retired", "older": "retired", "beside": "untouched"}
    assert replays == ["beside"]
    assert "the rule `two_steps`" in found.fates[0].reason
    assert "it depends on `old`, which does not follow" in found.fates[1].reason
    assert list(found.base.entries) == ["beside"]


def test_a_retired_rule_comes_back_only_with_what_it_rests_on(base, replays):
    theory = load_text(KIN)
    retired = [base.entries["older"], base.entries["old"]]
    rest = rule_base("kin", [base.entries["beside"]])
    found = renew_rules(rest, theory, {}, retired)
    assert (found.back, replays) == (("old", "older"), [])
    assert all(verdict.follows for verdict in verify_all(found.base, theory))
    assert renew_rules(rest, theory, {}, retired[:1]).back == ()
    assert renew_rules(base, theory, {}, retired).back == ()
    assert invalid_retired_rules(retired, base, theory) == []
    other = edited("parent(?a, ?b), parent(?b, ?c).", "parent(?b, ?c), parent(?a, ?b).")
    assert renew_rules(rest, other, {}, retired).back == ()
    assert [entry.rule.name for entry in invalid_retired_rules(retired, rest, other)] == ["older", "old"]


def test_what_was_written_by_hand_is_left_to_who_wrote_it(base):
    draft = next(c for c in parse("mine: sibling(?a, ?b) :- parent(?a, ?b).").clauses if isinstance(c, Rule))
    changed = next(
        c for c in parse("beside: sibling(?a, ?b) :- parent(?p, ?a), ?a != ?b, parent(?q, ?b).").clauses
    )
    assert isinstance(changed, Rule)
    entries = [*base, RuleEntry(draft, None, None)]
    entries[2] = RuleEntry(changed, entries[2].certificate, entries[2].provenance)
    found = renew_rules(rule_base("kin", entries), load_text(KIN), {})
    assert fates(found)["mine"] == fates(found)["beside"] == "uncertified"
    assert [found.base.entries[name].rule for name in ("beside", "mine")] == [changed, draft]


def test_a_rule_that_is_none_of_the_language_any_more_falls(base, replays):
    misfits = {"beside": "`sibling` has 3 columns"}
    found = renew_rules(base, load_text(KIN), misfits)
    assert fates(found)["beside"] == "retired"
    assert found.fates[2].reason.startswith(
        "it is not a rule of the theory's language: `sibling` has 3 columns"
    )
    assert replays == []


# Proved keys, from rules that no step applies

MARKS = """
theory marks.
sort thing.
sort tag.
fluent tagged(thing -> tag).
fluent other(thing, tag).
fluent seen(tag).
fluent wanted(tag).
derived mark(thing -> tag).
derived good(thing).
marked: mark(?x, ?y) :- tagged(?x, ?y).
is_good: good(?x) :- mark(?x, ?y), seen(?y), wanted(?y).
"""
GOOD = "by_key: good(?x) :- mark(?x, ?y), mark(?x, ?z), seen(?y), wanted(?z)."


@pytest.mark.parametrize(
    "edited",
    [
        MARKS.replace("tagged(thing -> tag)", "tagged(thing, tag)"),
        f"{MARKS} another: before tagged(?x, ?y) :- before other(?x, ?y).",
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
def test_a_key_is_proved_again_where_what_it_rests_on_was_changed(edited: str, is_named: bool):
    """A certificate names the declarations that the proof of a key uses.

    Without the name, the proof is replayed.
    """
    theory = load_text(MARKS)
    (rule,) = parse(GOOD).clauses
    assert isinstance(rule, Rule)
    step = ProofStep("is_good", "before", (("x", Variable("x")), ("y", Variable("y"))))
    certificate = certificate_of(rule, (step,), theory, {})
    assert "declaration tagged" in dict(certificate.fingerprints)
    if not is_named:
        named = {n: output for n, output in certificate.fingerprints if n != "declaration tagged"}
        mentioned = [p for p in theory.vocabulary.predicates.values() if f"declaration {p.name}" in named]
        proved = [(name, moment) for name, moment, *_ in certificate.keys]
        named["theory promises"] = fingerprint_of_dependencies(theory, mentioned, proved)
        certificate = replace(certificate, fingerprints=tuple(sorted(named.items())))
    there = rule_base("marks", [RuleEntry(rule, certificate, None)])
    assert all(verdict.follows for verdict in verify_all(there, theory))
    same = renew_rules(there, theory, {})
    assert [(fate.state, fate.reason) for fate in same.fates] == [("untouched", "")]
    found = renew_rules(there, load_text(edited), {})
    assert [fate.state for fate in found.fates] == ["retired"]
    assert len(found.base) == 0
