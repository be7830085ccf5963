"""Tests of rules from outside: replayed once, cached by content, and refused if they do not follow."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hornbook.compiler.checker import checker
from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.maintain.renewal import renew_rules
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, admit, rule_base
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.stored_rules import PROVABLE, put_rules, read_rule_base
from hornbook.compiler.rules.verification import verify_all, with_verdicts
from hornbook.kb.ast.terms import Rule, Variable
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory

KIN = """
theory kin.
sort person.
static parent(person, person).
static grown(person).
derived grandparent(person, person).
derived great(person, person).
two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
three_steps: great(?a, ?d) :- grandparent(?a, ?c), parent(?c, ?d).
"""
NARROWER = KIN.replace("parent(?b, ?c).\nthree", "parent(?b, ?c), grown(?a).\nthree")
LEARNED = """
old: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
older: great(?a, ?d) :- parent(?a, ?b), parent(?b, ?c), parent(?c, ?d).
"""
PROVED = {
    "old": (ProofStep("two_steps", None, tuple((v, Variable(v)) for v in "abc")),),
    "older": (
        ProofStep("old", None, tuple((v, Variable(v)) for v in "abc")),
        ProofStep("three_steps", None, tuple((v, Variable(v)) for v in "acd")),
    ),
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def base():
    """Return two rules with certificates; the proof of `older` uses `old`."""
    theory, found = load_text(KIN), rule_base("kin", [])
    for rule in [clause for clause in parse(LEARNED).clauses if isinstance(clause, Rule)]:
        certificate = certificate_of(rule, PROVED[rule.name], theory, found.lemmas())
        origin = Provenance("line", "cases.horn", "great(x, w)", ())
        found = rule_base("kin", [*found, RuleEntry(rule, certificate, origin)])
    return found


@pytest.fixture
def replays(monkeypatch):
    """Return the names of the rules whose certificates are replayed, in order."""
    found: list[str] = []
    replay = checker._replay

    def counted(rule: Rule, *rest: object, **how: object) -> object:
        found.append(rule.name)
        return replay(rule, *rest, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(checker, "_replay", counted)
    return found


def damaged(base: RuleBase) -> RuleBase:
    """Return the rules with certificates whose names are intact and whose steps prove nothing."""
    entries = [replace(e, certificate=replace(e.certificate, steps=())) for e in base if e.certificate]
    return rule_base("kin", entries)


def test_rules_are_replayed_once_and_then_remembered(base, replays):
    theory = load_text(KIN)
    first = with_verdicts(base, theory)
    assert all(entry.is_certified for entry in first)
    assert replays == ["old", "older"]
    again = with_verdicts(base, load_text(f"% The same in other words.\n{KIN}"))
    assert all(entry.is_certified for entry in again)
    assert replays == ["old", "older"]


@pytest.mark.parametrize(
    "other",
    [
        KIN.replace("static grown(person).", "fluent grown(person)."),
        KIN + "more: grandparent(?a, ?b) :- grown(?a), grown(?b).",
        KIN + "grown(ida).",
    ],
)
def test_another_theory_has_no_verdict(other, base, replays):
    with_verdicts(base, load_text(KIN))
    with_verdicts(base, load_text(other))
    assert replays[:2] == ["old", "older"]
    assert len(replays) == 4 or "grown(ida)" in other


def test_another_checker_has_no_verdict(base, replays, monkeypatch):
    with_verdicts(base, load_text(KIN))
    monkeypatch.setattr("hornbook.compiler.rules.verdict_cache.program", lambda: "0" * 64)
    with_verdicts(base, load_text(KIN))
    assert replays == ["old", "older"] * 2


def test_what_does_not_follow_any_more_is_refused_with_what_rests_on_it(base):
    with_verdicts(base, load_text(KIN))
    now = with_verdicts(base, load_text(NARROWER))
    assert [entry.is_certified for entry in now] == [False, False]
    assert now.entries["old"].refused == "the rule `two_steps` was changed since the rule was certified"
    assert now.entries["older"].refused == "the lemma `old` that the certificate rests on is no longer there"
    assert not now.shapes
    assert not now.lemmas()
    assert now.numbers == base.numbers


def test_a_stale_rule_does_not_state_in_the_way_of_the_right_one(base):
    (right,) = parse("new: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c), grown(?a).").clauses
    assert isinstance(right, Rule)
    entry = RuleEntry(right, None, None)
    assert admit(base, entry).by == "old"
    assert admit(with_verdicts(base, load_text(NARROWER)), entry).admitted


def test_steps_that_prove_nothing_are_found_though_all_fingerprints_fit(base, replays):
    theory = load_text(KIN)
    with_verdicts(base, theory)
    assert not any(entry.is_certified for entry in with_verdicts(damaged(base), theory))
    found = renew_rules(damaged(base), theory, {})
    assert [fate.state for fate in found.fates] == ["retired", "retired"]
    assert "its proof breaks: no step concludes" in found.fates[0].reason
    back = renew_rules(rule_base("kin", []), theory, {}, retired=damaged(base))
    assert back.back == ()


def test_a_verdict_is_not_for_another_certificate_or_lemma(base, replays):
    theory = load_text(KIN)
    with_verdicts(base, theory)
    weaker = replace(base.entries["old"].rule, body=base.entries["old"].rule.body[:1])
    entries = [replace(base.entries["old"], rule=weaker), base.entries["older"]]
    assert not any(entry.is_certified for entry in with_verdicts(rule_base("kin", entries), theory))


def test_a_file_and_a_store_are_verified_as_they_are_read(base, tmp_path):
    path = tmp_path / "kin.horn"
    path.write_text(KIN)
    rules = tmp_path / "rules.horn"
    rulebase.write(base, rules)
    with Store.create(tmp_path / "kin.sqlite") as store:
        store.put_theory(read_theory(path))
        put_rules(store, base)
        store.set_state(["old"], "forgotten", "it costs too much", "kin")
        theory, other = load_text(KIN), load_text(NARROWER)
        for read in (
            lambda known, **more: rulebase.read(rules, known, **more),
            lambda known, **more: read_rule_base(store, known, **more),
            lambda known, **more: read_rule_base(store, known, PROVABLE, **more),
        ):
            assert all(entry.is_certified for entry in read(theory))
            assert not any(entry.is_certified for entry in read(other))
            assert all(entry.is_certified for entry in read(other, verify=False))
        assert list(read_rule_base(store, theory).entries) == ["older"]


@pytest.fixture
def checks(monkeypatch):
    """Return a list that records how many rules each reading of a file checks."""
    found: list[int] = []

    def counted(rules: list[Rule], *rest: object) -> object:
        found.append(len(rules))
        return check_rules(rules, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rulebase, "check_rules", counted)
    return found


def test_a_file_that_was_found_right_is_checked_again_only_where_it_or_its_theory_is_another(
    base, tmp_path, replays, checks
):
    path, theory = tmp_path / "rules.horn", load_text(KIN)
    rulebase.write(base, path)
    first = rulebase.read(path, theory)
    assert (replays, checks) == (["old", "older"], [2])
    again = rulebase.read(path, theory)
    assert (replays, checks) == (["old", "older"], [2])
    assert again == first
    assert all(entry.is_certified for entry in again)
    assert not any(entry.is_certified for entry in rulebase.read(path, load_text(NARROWER)))
    text = path.read_text()
    path.write_text(text.replace("parent(?c, ?d)", "parent(?b, ?d)"))
    assert [e.is_certified for e in rulebase.read(path, theory)] == [True, False]
    path.write_text(text.replace("parent(?c, ?d)", "paren(?c, ?d)"))
    for _ in range(2):
        with pytest.raises(TheoryError, match="paren"):
            rulebase.read(path, theory)
    path.write_text(text)
    rulebase.write(damaged(base), tmp_path / "damaged.horn")
    proofs_path(path).write_text(proofs_path(tmp_path / "damaged.horn").read_text())
    for _ in range(2):
        assert not any(entry.is_certified for entry in rulebase.read(path, theory))


def test_what_was_read_without_verifying_is_not_remembered(base, tmp_path, replays):
    path, theory = tmp_path / "rules.horn", load_text(KIN)
    rulebase.write(base, path)
    rulebase.read(path, theory, verify=False)
    assert not replays
    rulebase.read(path, theory)
    assert replays == ["old", "older"]


def test_a_store_that_was_found_right_is_not_checked_again(base, tmp_path, replays, checks):
    (tmp_path / "kin.horn").write_text(KIN)
    theory = load_text(KIN)
    with Store.create(tmp_path / "kin.sqlite") as store:
        store.put_theory(read_theory(tmp_path / "kin.horn"))
        put_rules(store, base)
        for _ in range(2):
            assert all(entry.is_certified for entry in read_rule_base(store, theory))
        assert (replays, checks) == (["old", "older"], [2])
        put_rules(store, damaged(base))
        for _ in range(2):
            assert not any(entry.is_certified for entry in read_rule_base(store, theory))


def test_what_was_refused_keeps_its_proof_and_its_comments(base, tmp_path):
    path = tmp_path / "rules.horn"
    rulebase.write(base, path)
    before = path.read_text(), proofs_path(path).read_text()
    rulebase.write(rulebase.read(path, load_text(NARROWER)), path)
    assert (path.read_text(), proofs_path(path).read_text()) == before


def test_a_full_verify_replays_all_and_is_remembered(base, replays):
    theory = load_text(KIN)
    for _ in range(2):
        assert all(verdict.follows for verdict in verify_all(base, theory))
    assert replays == ["old", "older"] * 2
    with_verdicts(base, theory)
    assert len(replays) == 4


def test_a_place_that_cannot_be_written_is_left_only(base, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "file" / "cache"))
    assert all(entry.is_certified for entry in with_verdicts(base, load_text(KIN)))


def test_an_older_certificate_says_that_it_is_to_be_renewed(base):
    """An older certificate does not name the checker that accepted it."""
    old = base.entries["old"]
    assert old.certificate is not None
    prints = tuple(
        p for p in old.certificate.fingerprints if p[0] not in ("checker version", "theory promises")
    )
    older = rule_base("kin", [replace(old, certificate=replace(old.certificate, fingerprints=prints))])
    (verdict,) = verify_all(older, load_text(KIN))
    assert "its proof still holds: `--renew` certifies it again" in verdict.reason
    assert not with_verdicts(older, load_text(KIN)).entries["old"].is_certified
    assert (
        with_verdicts(renew_rules(older, load_text(KIN), {}).base, load_text(KIN)).entries["old"].is_certified
    )
    assert json.loads(json.dumps(certificate_as_json(old.certificate)))["fingerprints"]["checker version"]


def test_after_a_change_of_the_checker_every_rule_says_that_it_is_to_be_renewed(base):
    """This includes a rule whose proof uses other rules."""

    def by_another(entry):
        prints = [(n, "1" if n == "checker version" else made) for n, made in entry.certificate.fingerprints]
        return replace(entry, certificate=replace(entry.certificate, fingerprints=tuple(prints)))

    theory, older = load_text(KIN), rule_base("kin", map(by_another, base))
    way_out = "its proof still holds: `--renew` certifies it again"
    assert [verdict.reason for verdict in verify_all(older, theory)] == [
        f"the checker was changed since the rule was certified; {way_out}",
        f"the lemma `old` on which the certificate depends is no longer certified; {way_out}",
    ]
    assert all(entry.is_certified for entry in with_verdicts(renew_rules(older, theory, {}).base, theory))


def test_what_rests_on_a_lemma_whose_proof_breaks_is_not_reported_to_hold(base):
    narrower, older = list(verify_all(base, load_text(NARROWER)))
    assert "its proof breaks" in narrower.reason
    assert older.reason == "the lemma `old` that the certificate rests on is no longer there"
