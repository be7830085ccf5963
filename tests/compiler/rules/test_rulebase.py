"""Tests of rule bases: learned in any number of processes, written, read, edited and verified again."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.learn.driver import Round, RuleAdmission, Spread
from hornbook.compiler.learn.learning import (
    Example,
    ExampleOutcome,
    ExampleStrategy,
    learn_all,
    read_examples,
)
from hornbook.compiler.maintain.renewal import renew_rules
from hornbook.compiler.rules import admission, rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.origins import origins
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.proofs import proofs_path

WATCH = (Path(__file__).parent / "data" / "rulebase_watch.horn").read_text(encoding="utf-8")
AT_THE_GATE = """
import watch.
example a_door: door(gate, 1), go(gate).
expect a_door: after inside(gate).
"""
DOORS = (Path(__file__).parent / "data" / "rulebase_doors.horn").read_text(encoding="utf-8")

EXAMPLES = """
import doors.
example one: here(hall), door(hall, attic), shut(hall, attic, open), go(attic).
example two: here(attic), door(attic, hall), shut(attic, hall, open), go(hall).
example three:
  here(hall), door(hall, attic), shut(hall, attic, open), door(attic, roof), shut(attic, roof, open),
  steps(roof, 3), go(attic).
example opened: here(hall), door(hall, attic), shut(hall, attic, shut), unlock(hall, attic).
expect opened: after shut(hall, attic, open).
example impossible: here(hall), door(hall, attic), shut(hall, attic, shut), go(attic).
expect impossible: reach(attic) by go(attic) is GI.
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "doors.horn").write_text(DOORS)
    (tmp_path / "examples.horn").write_text(EXAMPLES)
    return tmp_path


def learned(folder: Path, spread: Spread[Example, ExampleOutcome] | None = None) -> tuple[Theory, RuleBase]:
    theory = load(folder / "doors.horn")
    examples = read_examples(folder / "examples.horn", theory)
    steps = list(learn_all(examples, theory, RuleBase(theory.name), spread=spread))
    return theory, steps[-1].base


GOLDEN = (Path(__file__).parent / "data" / "rulebase_golden.txt").read_text(encoding="utf-8")


def test_what_is_learned_is_text_that_people_read(folder, monkeypatch):
    monkeypatch.chdir(folder)
    _, base = learned(folder)
    text = rulebase.rules_text(base)
    for entry in base:
        assert entry.certificate is not None
        text = text.replace(entry.certificate.of, "NNNN")
    assert text == GOLDEN


def elsewhere(
    this: Round[Example, ExampleOutcome], parts: Sequence[Sequence[Example]]
) -> Iterator[list[ExampleOutcome]]:
    """Yield the results of another process, by pickling the input and the output."""
    work = pickle.loads(pickle.dumps(this)).ready()
    return (pickle.loads(pickle.dumps(work(pickle.loads(pickle.dumps(part))))) for part in parts)


def test_the_rules_do_not_depend_on_who_shares_the_work(folder):
    assert rulebase.rules_text(learned(folder)[1]) == rulebase.rules_text(learned(folder, elsewhere)[1])


def test_a_rule_that_another_process_gives_is_admitted_only_if_its_certificate_proves_it(folder):
    def forging(this, parts):
        for outcomes in elsewhere(this, parts):
            yield [forged(outcome) for outcome in outcomes]

    def forged(outcome):
        return replace(
            outcome, entries=tuple(replace(e, rule=replace(e.rule, body=())) for e in outcome.entries)
        )

    honest = learned(folder)[1]
    assert len(honest) > 1
    assert rulebase.rules_text(learned(folder, forging)[1]) == rulebase.rules_text(honest)


@pytest.mark.deep
def test_each_round_is_twice_as_long_as_the_one_before(folder):
    theory = load(folder / "doors.horn")
    (one, *_) = read_examples(folder / "examples.horn", theory)
    sizes = []

    def measured(this, parts):
        sizes.append(sum(map(len, parts)))
        return elsewhere(this, parts)

    steps = list(learn_all([one] * 250, theory, RuleBase(theory.name), spread=measured))
    assert sizes == [32, 64, 128, 26]
    assert all(step.task is one for step in steps)
    assert len(steps) == 250


def test_a_written_rule_base_is_read_back_whole(folder):
    theory, base = learned(folder)
    rulebase.write(base, folder / "rules.horn")
    again = rulebase.read(folder / "rules.horn", theory)
    assert [(e.rule, e.certificate, e.provenance) for e in again] == [
        (e.rule, e.certificate, e.provenance) for e in base
    ]
    assert again.numbers == base.numbers
    assert load(folder / "rules.horn").rules[-1].name == "shut_after_1"


def test_learning_again_adds_nothing(folder):
    theory, base = learned(folder)
    examples = read_examples(folder / "examples.horn", theory)
    steps = list(learn_all(examples, theory, base))
    assert not any(step.admitted for step in steps)
    assert [by for step in steps for _, by in step.subsumed] == [
        "reach_by_go_is_gi_1",
        "reach_by_go_is_gi_1",
        "reach_by_go_is_gi_1",
        "reach_by_go_is_giii_1",
        "shut_after_1",
    ]


def test_what_could_not_be_learned_is_a_gap(folder):
    theory = load(folder / "doors.horn")
    examples = read_examples(folder / "examples.horn", theory)
    gaps = [gap for step in learn_all(examples, theory, RuleBase("doors")) for gap in step.outcome.gaps]
    (gap,) = gaps
    assert str(gap) == (
        "`reach(attic) by go(attic) is GI` needs `after here(attic)`, which is not derived;"
        f" `reached` ({theory.path}:20) asks for it,"
        f" `going_through` ({theory.path}:14) stops at `before shut(hall, attic, open)`;"
        " needed: facts for which one of these rules holds, or a transition rule `after here(?x1) :- go(?x1), before …`"
    )


def edit(folder: Path, old: str, new: str) -> RuleBase:
    theory, base = learned(folder)
    path = folder / "rules.horn"
    rulebase.write(base, path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return rulebase.read(path, theory)


def test_an_edited_rule_has_lost_its_certificate(folder):
    base = edit(folder, ":- here(?a), door(?a, ?b), shut(?a, ?b, open).", ":- here(?a), door(?a, ?b).")
    theory = load(folder / "doors.horn")
    reasons = {v.entry.rule.name: v.reason for v in verify_all(base, theory)}
    expected = (
        "the rule was edited since it was certified; its proof breaks: step 1, rule `going_through`:"
        " `before shut(?a, ?b, open)`"
    )
    assert reasons["reach_by_go_is_gi_1"].startswith(expected)
    assert reasons["shut_after_1"] == ""
    renewed_reasons = {
        v.entry.rule.name: v.reason for v in verify_all(renew_rules(base, theory, {}).base, theory)
    }
    assert renewed_reasons["reach_by_go_is_gi_1"].startswith(expected)


def test_an_edited_rule_that_static_follows_is_certified_again(folder):
    base = edit(folder, ":- here(?a), door(?a, ?b), shut(", ":- steps(?a, 4), here(?a), door(?a, ?b), shut(")
    theory = load(folder / "doors.horn")
    reason = next(v.reason for v in verify_all(base, theory) if not v.follows)
    assert reason.endswith("its proof still holds: `--renew` certifies it again")
    again = renew_rules(base, theory, {}).base
    assert all(v.follows for v in verify_all(again, theory))
    assert list(again.entries) == list(base.entries)


def test_a_changed_theory_stales_only_what_names_the_change(folder):
    _, base = learned(folder)
    path = folder / "doors.horn"
    path.write_text(DOORS.replace("?n > 1", "?n > 2"))
    reasons = {v.entry.rule.name: v.reason for v in verify_all(base, load(path))}
    assert reasons == {
        "reach_by_go_is_gi_1": "",
        "reach_by_go_is_giii_1": (
            "the rule `two_rooms_on` was changed since the rule was certified; its proof breaks: step 2,"
            " rule `two_rooms_on`: the rule's conditions do not entail `?n > 2` within 64 bits"
        ),
        "shut_after_1": "",
    }


def test_a_rule_written_by_hand_has_no_certificate(folder):
    base = edit(
        folder, "shut_after_1:", "my_own:\n  reach(?b) by go(?b) is GI :- door(_, ?b).\nshut_after_1:"
    )
    verdicts = {v.entry.rule.name: v.reason for v in verify_all(base, load(folder / "doors.horn"))}
    assert verdicts["my_own"] == "the rule has no certificate; `hornbook rules prove` searches for a proof"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not the proof of a rule"),
        ("[]", "is not the proof of a rule"),
        (
            '{"rule": "shut_after_1", "facts": [], "example": 1, "file": 1, "goal": 1, "certificate": {}}',
            "HB005",
        ),
        ("[" * 10_000, "is not the proof of a rule"),
        ("", r"there is another one of `\w+` above"),
    ],
)
def test_proofs_that_were_damaged_are_refused_with_their_place(folder, line, message):
    theory, base = learned(folder)
    path = folder / "rules.horn"
    rulebase.write(base, path)
    with proofs_path(path).open("a") as file:
        file.write((line or proofs_path(path).read_text().split("\n")[0]) + "\n")
    with pytest.raises(TheoryError, match=rf"{message}[\s\S]*jsonl:4:1|jsonl:4:1[\s\S]*{message}"):
        rulebase.read(path, theory)


@pytest.mark.parametrize(
    ("what", "value", "messages"),
    [
        (("facts",), None, "`facts`: null was found instead of a list"),
        (("facts",), [["door", ["a", 1.5], None]], "`facts`: a number was found instead of an integer"),
        (("facts",), [["door", ["a"], "later"]], "`facts`: a text was found instead of a moment"),
        (("goal",), 1, "`goal`: a number was found instead of a text"),
        (("file",), ..., "what a rule was learned from has no `file`"),
        (("rule",), 3, "`rule`: a number was found instead of a text"),
        (("certificate",), [], "`certificate`: not a certificate: a list was found instead of a certificate"),
        (("certificate", "steps"), ..., "a certificate has no `steps`"),
        (("certificate", "steps"), {}, "`steps`: an object was found instead of a list"),
        (
            ("certificate", "steps", 0),
            ["x"],
            "`steps`: step 1: it is not a list of a rule, a moment, a substitution, proofs and notes",
        ),
        (("certificate", "steps", 0, 2), {"x": 2**63}, "step 1: a number does not fit into 64 bits"),
        (
            ("certificate", "steps", 0, 0),
            "\ud800",
            "step 1: a text has half a character, which no file can hold",
        ),
        (("certificate", "rank"), True, "`rank`: true was found instead of an integer"),
        (("certificate", "rank"), 0, "its rank is 0, and the lowest is 1"),
        (("certificate", "format"), 9, "its format is 9, and this Hornbook reads 1 to 4"),
        (("certificate", "replies"), {}, "`replies`: an object was found instead of a list"),
        (
            ("certificate", "open"),
            [0],
            "`open`: it is not a list of a number, what stands for its variables, proofs and notes",
        ),
    ],
)
def test_a_proof_of_another_form_says_what_stands_where(what, value, messages, folder):
    theory, base = learned(folder)
    path = folder / "rules.horn"
    rulebase.write(base, path)
    *lines, last = proofs_path(path).read_text().splitlines()
    data = place = json.loads(last)
    for key in what[:-1]:
        place = place[key]
    if value is ...:
        del place[what[-1]]
    else:
        place[what[-1]] = value
    proofs_path(path).write_text("\n".join([*lines, json.dumps(data)]))
    with pytest.raises(TheoryError, match=rf"jsonl:{len(lines) + 1}:1") as problem:
        rulebase.read(path, theory)
    assert messages in str(problem.value)


def test_a_step_that_names_its_own_rule_proves_nothing(folder):
    theory, base = learned(folder)
    path = folder / "rules.horn"
    rulebase.write(base, path)
    rows = [json.loads(line) for line in proofs_path(path).read_text().splitlines()]
    for row in rows:
        row["certificate"]["steps"] = [[row["rule"], "before", {}, [], []]]
        row["certificate"]["fingerprints"][f"lemma {row['rule']}"] = row["certificate"]["of"]
    proofs_path(path).write_text("\n".join(map(json.dumps, rows)))
    verdicts = list(verify_all(rulebase.read(path, theory), theory))
    assert all("that the certificate rests on is no longer there" in verdict.reason for verdict in verdicts)


def test_a_rule_base_of_another_theory_is_refused(folder):
    _, base = learned(folder)
    rulebase.write(base, folder / "rules.horn")
    with pytest.raises(TheoryError, match="for the theory `doors`, not `family`") as problem:
        rulebase.read(folder / "rules.horn", load("family"))
    assert len(problem.value.diagnostics) == 1, "and not told that it says nothing in the other's words"


def test_so_is_one_with_an_absence_of_what_this_theory_has_not(folder):
    file = folder / "other.horn"
    file.write_text("import others.\nnone: odd(?x) :- even(?x), absent strange(?x).\n")
    with pytest.raises(TheoryError, match="for the theory `others`, not `family`"):
        rulebase.read(file, load("family"))


def test_every_condition_knows_the_rules_it_comes_from(folder):
    theory, base = learned(folder)
    found = origins(base.entries["reach_by_go_is_giii_1"], theory, base.lemmas())
    assert [o.rules for o in found] == [("going_through",)] * 3 + [("two_rooms_on",)] * 5


def test_an_absence_knows_the_rule_that_asks_for_it_whatever_its_own_variables_are_called(tmp_path):
    (tmp_path / "watch.horn").write_text(WATCH)
    theory = load(tmp_path / "watch.horn")
    (tmp_path / "examples.horn").write_text(AT_THE_GATE)
    examples = read_examples(tmp_path / "examples.horn", theory)
    # A rule with invented predicates has the condition `before free(…)` instead.
    (entry,) = (
        ExampleStrategy(theory).learn_from(examples[0], RuleAdmission(theory, RuleBase(theory.name))).entries
    )
    found = origins(entry, theory, {})
    assert {print_condition(o.condition).split("(")[0]: o.rules for o in found} == {
        "go": ("nobody_is_awake",),
        "absent posted": ("nobody_is_posted",),
        "absent ": ("nobody_is_awake",),
        "door": ("nobody_is_posted",),
    }


def test_certificates_are_plain_json(folder):
    _, base = learned(folder)
    rulebase.write(base, folder / "rules.horn")
    lines = proofs_path(folder / "rules.horn").read_text().splitlines()
    assert [json.loads(line)["rule"] for line in lines] == list(base.entries)


def test_what_people_write_into_a_rule_base_stays(folder):
    """New rules are appended, removed rules are deleted with their own comment, and the rest is unchanged."""
    theory, base = learned(folder)
    path = folder / "rules.horn"
    small = admission.rule_base("doors", [base.entries["reach_by_go_is_gi_1"], base.entries["shut_after_1"]])
    rulebase.write(small, path)
    text = path.read_text().replace("shut_after_1:", "% mine: about keys\nshut_after_1:  % and here")
    path.write_text("% my head\n" + text + "% my end\n")
    other = admission.rule_base(
        "doors", [base.entries["reach_by_go_is_giii_1"], base.entries["shut_after_1"]]
    )
    rulebase.write(other, path)
    written = path.read_text()
    assert [rule.name for rule in load(path).rules[-2:]] == ["shut_after_1", "reach_by_go_is_giii_1"]
    assert "reach_by_go_is_gi_1" not in written
    assert "by go(attic) is GI." not in written
    for mine in ("% my head\n", "% mine: about keys\n", "shut_after_1:  % and here\n", "% my end\n"):
        assert written.count(mine) == 1
    assert list(rulebase.read(path, theory).entries) == ["shut_after_1", "reach_by_go_is_giii_1"]
    rulebase.write(other, path)
    assert path.read_text() == written


def test_a_lemma_that_a_new_rule_leans_on_is_not_dropped_for_it(folder):
    """The new rule subsumes its own lemma, but its certificate is invalid without that lemma."""
    _, base = learned(folder)
    there = base.entries["reach_by_go_is_gi_1"]
    assert there.certificate is not None
    general = replace(there.rule, body=there.rule.body[:2], label="general")
    for names, stored in (((), False), ((("lemma reach_by_go_is_gi_1", "x"),), True)):
        certificate = replace(there.certificate, of=fingerprint_of_rule(general), fingerprints=names)
        outcome = admission.admit(base, admission.RuleEntry(general, certificate, None))
        assert outcome.admitted
        assert ("reach_by_go_is_gi_1" in outcome.base.entries) == stored
