"""Rule bases after an edit of their theory: what is looked at, what is left alone, and what rests on what fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hornbook.compiler.checker import checker
from hornbook.compiler.checker.certificate import Step
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.learning import Example
from hornbook.compiler.maintain.recertification import Recertified, Relearned, recertify
from hornbook.compiler.maintain.relearning import Relearning
from hornbook.compiler.rules.admission import Entry, RuleBase, rule_base
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
    "old": (Step("two_steps", None, tuple((v, Variable(v)) for v in "abc")),),
    "older": (
        Step("old", None, tuple((v, Variable(v)) for v in "abc")),
        Step("three_steps", None, tuple((v, Variable(v)) for v in "acd")),
    ),
    "beside": (Step("one_parent", None, tuple((v, Variable(v)) for v in "pab")),),
}
GOALS = {"old": "grandparent(x, z)", "older": "great(x, w)", "beside": "sibling(x, y)"}


@pytest.fixture
def base():
    """Three certified rules, of which `older` rests on `old`."""
    theory = load_text(KIN)
    found = rule_base("kin", [])
    for rule in [clause for clause in parse(LEARNED).clauses if isinstance(clause, Rule)]:
        certificate = certificate_of(rule, PROVED[rule.name], theory, found.lemmas())
        origin = Provenance(f"of_{rule.name}", "cases.horn", GOALS[rule.name], LINE)
        found = rule_base("kin", [*found, Entry(rule, certificate, origin)])
    assert all(verdict.follows for verdict in verify_all(found, theory))
    return found


@pytest.fixture
def replays(monkeypatch):
    """The names of the rules whose certificates are replayed, as it happens."""
    found: list[str] = []
    replay = checker.replay

    def counted(rule: Rule, *rest: object, **how: object) -> object:
        found.append(rule.name)
        return replay(rule, *rest, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(checker, "replay", counted)
    return found


def none_again(base: RuleBase, wanted: Sequence[Entry], fallen: Mapping[str, Entry]) -> Relearned:
    return Relearned(base, {}, {entry.rule.name: "nothing is learned here" for entry in wanted})


def fates(found: Recertified) -> dict[str, str]:
    return {fate.entry.rule.name: fate.state for fate in found.fates}


def of_line(origin: Provenance) -> Example:
    return Example(origin.example, origin.file, origin.facts, ())


def relearning(theory: Theory) -> Relearning:
    return Relearning(theory, of_line)


def edited(old: str, new: str) -> Theory:
    assert old in KIN
    return load_text(KIN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("theory kin.", "% Who is whose.\ntheory kin."),
        ("static grown(person).", "fluent grown(person)."),
        ("one_parent:", "none: sibling(?a, ?b) :- grown(?a), parent(?a, ?b).\none_parent:"),
    ],
)
def test_an_edit_that_no_proof_names_is_not_looked_at(old, new, base, replays):
    found = recertify(base, edited(old, new), {}, none_again)
    assert set(fates(found).values()) == {"untouched"}
    assert (found.replayed, replays) == (0, [])
    assert found.base.entries == base.entries


def test_only_what_names_the_edited_rule_is_checked(base, replays):
    theory = edited("parent(?a, ?b), parent(?b, ?c).", "parent(?b, ?c), parent(?a, ?b).")
    found = recertify(base, theory, {}, none_again)
    # What rests on `old` rests on what it says, and that is what it was.
    assert fates(found) == {"old": "renewed", "older": "untouched", "beside": "untouched"}
    assert (found.replayed, replays) == (1, ["old"])
    assert "the rule `two_steps` was changed" in found.fates[0].reason
    assert all(verdict.follows for verdict in verify_all(found.base, theory))


def test_a_declaration_that_changed_is_named_by_all_who_use_it(base, replays):
    theory = edited("static parent(person, person).", "fluent parent(person, person).")
    found = recertify(base, theory, {}, none_again)
    assert set(fates(found).values()) == {"renewed"}
    assert replays == ["old", "beside", "older"]
    assert all(verdict.follows for verdict in verify_all(found.base, theory))


def test_a_new_fact_of_what_never_changes_is_looked_at_by_all(base, replays):
    found = recertify(base, load_text(KIN + "parent(ida, leo)."), {}, none_again)
    assert set(fates(found).values()) == {"renewed"}
    assert len(replays) == found.replayed == 3


def test_a_lemma_that_falls_takes_down_what_rests_on_it(base, replays):
    theory = edited("two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).\n", "")
    found = recertify(base, theory, {}, none_again)
    assert fates(found) == {"old": "retired", "older": "retired", "beside": "untouched"}
    assert replays == []
    assert "the rule `two_steps`" in found.fates[0].reason
    assert "it rests on `old`, which does not follow" in found.fates[1].reason
    assert list(found.base.entries) == ["beside"]


def test_what_falls_is_learned_again_in_order_of_rank(base):
    theory = edited("parent(?b, ?c).\nthree", "parent(?b, ?c), ?a != ?c.\nthree")
    found = recertify(base, theory, {}, relearning(theory))
    assert fates(found) == {"old": "repaired", "older": "repaired", "beside": "untouched"}
    assert [fate.by for fate in found.fates] == ["old", "older", ""]
    assert all(verdict.follows for verdict in verify_all(found.base, theory))
    assert list(found.base.entries) == list(base.entries)
    assert len(found.base.entries["old"].rule.body) == 3


def test_what_its_example_does_not_teach_any_more_is_retired(base):
    theory = edited("parent(?a, ?b), parent(?b, ?c).", "parent(?a, ?b), parent(?b, ?c), grown(?a).")
    found = recertify(base, theory, {}, relearning(theory))
    assert fates(found) == {"old": "retired", "older": "retired", "beside": "untouched"}
    assert (
        "its example `of_old` teaches nothing now: `grandparent(x, z)` does not follow"
        in found.fates[0].reason
    )


def test_an_example_whose_facts_do_not_fit_any_more_teaches_nothing(base):
    theory = load_text(
        KIN.replace("grown(person)", "grown(person, person)").replace(
            "parent(?b, ?c).\nthree", "parent(?b, ?c), ?a != ?c.\nthree"
        )
    )

    def of_grown_up(origin: Provenance) -> Example:
        return Example(origin.example, origin.file, (*origin.facts, GroundFact("grown", ("x",))), ())

    found = recertify(base, theory, {}, Relearning(theory, of_grown_up))
    assert fates(found)["old"] == "retired"
    assert found.fates[0].reason.endswith(
        "its example `of_old` teaches nothing now: `grown` has 2 columns, not 1"
    )


def test_a_retired_rule_comes_back_only_with_what_it_rests_on(base, replays):
    theory = load_text(KIN)
    retired = [base.entries["older"], base.entries["old"]]
    rest = rule_base("kin", [base.entries["beside"]])
    found = recertify(rest, theory, {}, none_again, retired)
    assert (found.back, replays) == (("old", "older"), [])
    assert all(verdict.follows for verdict in verify_all(found.base, theory))
    assert recertify(rest, theory, {}, none_again, retired[:1]).back == ()
    assert recertify(base, theory, {}, none_again, retired).back == ()
    other = edited("parent(?a, ?b), parent(?b, ?c).", "parent(?b, ?c), parent(?a, ?b).")
    assert recertify(rest, other, {}, none_again, retired).back == ()


def test_a_rule_that_another_one_covers_now_is_not_kept_twice(base):
    """Two rules are learned again as one."""
    twin = base.entries["old"]
    rule = next(
        c for c in parse("twin: grandparent(?x, ?z) :- parent(?x, ?y), parent(?y, ?z), grown(?x).").clauses
    )
    assert isinstance(rule, Rule)
    steps = (Step("two_steps", None, (("a", Variable("x")), ("b", Variable("y")), ("c", Variable("z")))),)
    certificate = certificate_of(rule, steps, load_text(KIN), {})
    theory = edited("parent(?b, ?c).\nthree", "parent(?b, ?c), ?a != ?c.\nthree")
    found = recertify(
        rule_base("kin", [*base, Entry(rule, certificate, twin.provenance)]), theory, {}, relearning(theory)
    )
    assert fates(found)["twin"] == "repaired"
    assert found.fates[-1].by == "old"
    assert "twin" not in found.base.entries


def test_what_was_written_by_hand_is_left_to_who_wrote_it(base):
    draft = next(c for c in parse("mine: sibling(?a, ?b) :- parent(?a, ?b).").clauses if isinstance(c, Rule))
    changed = next(
        c for c in parse("beside: sibling(?a, ?b) :- parent(?p, ?a), ?a != ?b, parent(?q, ?b).").clauses
    )
    assert isinstance(changed, Rule)
    entries = [*base, Entry(draft, None, None)]
    entries[2] = Entry(changed, entries[2].certificate, entries[2].provenance)
    found = recertify(rule_base("kin", entries), load_text(KIN), {}, relearning(load_text(KIN)))
    assert fates(found)["mine"] == fates(found)["beside"] == "uncertified"
    assert [found.base.entries[name].rule for name in ("beside", "mine")] == [changed, draft]


def test_a_rule_that_is_none_of_the_language_any_more_falls(base, replays):
    misfits = {"beside": "`sibling` has 3 columns"}
    found = recertify(base, load_text(KIN), misfits, none_again)
    assert fates(found)["beside"] == "retired"
    assert found.fates[2].reason.startswith("it is no rule of the theory's language: `sibling` has 3 columns")
    assert replays == []
