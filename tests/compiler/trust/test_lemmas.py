"""Tests of lemmas: a lemma is used if its proof is accepted, and is otherwise not in the theory's rules."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hornbook import cli
from hornbook.compiler.checker import checker
from hornbook.compiler.checker.certificate import ProofStep, fingerprint_of_turns
from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules import rulebase
from hornbook.compiler.trust.known_lemmas import proved
from hornbook.compiler.trust.lemma_proofs import lemma_base
from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule, Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.locate import known_theories
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store import Store, StoredFile, StoredTheory
from hornbook.kb.store.closure import load_stored
from hornbook.kb.store.text import export_text, import_text

CHESS = Path(__file__).parents[3] / "theories" / "chess"

SHELF = """theory shelf.
sort thing.
fluent ordered(thing -> int).
fluent waits(thing -> int).
action turn(thing).
derived pressing(thing).
derived wanted(thing).
derived noted(thing).
a_big_order: pressing(?x) :- ordered(?x, ?w), ?w > 100.
an_old_order: pressing(?x) :- ordered(?x, ?w), waits(?x, ?d), ?d > ?w, ?w >= 1.
turned: after noted(?x) :- turn(?x), before pressing(?x).
somebody_wants_it: wanted(?x) :- ordered(?x, ?w), ?w > 0.
"""
LEMMA = "lemma what_presses_is_wanted: before wanted(?x) :- before pressing(?x).\n"
LEFT = "what_is_left: after pressing(?x) :- turn(?x), after wanted(?x).\n"
"""A rule that makes `pressing` a possible effect of the last action.

With it, the lemma is proved for given states only.
"""
FORGED = "lemma what_waits_is_wanted: before wanted(?x) :- before waits(?x, _).\n"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def write(text: str, name: str = "shelf.horn") -> Path:
    Path(name).write_text(text)
    return Path(name)


def used(name: str = "shelf.horn") -> list[str]:
    return [rule.name for rule in load(name).rules if rule.lemma]


def unused(name: str = "shelf.horn") -> list[str]:
    return [rule.name for rule in load(name).lemmas]


def proofs(name: str = "shelf.horn") -> Path:
    return proofs_path(Path(name))


def change(edit: Callable[[dict[str, Any]], None]) -> None:
    """Edit the only proof."""
    line = json.loads(proofs().read_text())
    edit(line)
    proofs().write_text(json.dumps(line) + "\n")


def test_a_lemma_is_used_with_a_proof_and_left_out_without(capsys: pytest.CaptureFixture[str]):
    write(SHELF + LEMMA)
    assert (used(), unused()) == ([], ["what_presses_is_wanted"])
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "shelf.horn:13:7: what_presses_is_wanted: proved in 2 steps, rank 1",
        "1 rule proved, 0 without a proof, 0 proved before",
    ]
    assert (used(), unused()) == (["what_presses_is_wanted"], [])
    # A proved lemma is among the rules at its position in the file.
    write(SHELF.replace("turned:", f"{LEMMA}turned:"))
    assert [rule.name for rule in load("shelf.horn").rules][2] == "what_presses_is_wanted"


def test_without_a_proof_commands_say_so_once_and_answer_as_ever(capsys: pytest.CaptureFixture[str]):
    write(SHELF + LEMMA)
    for command in (["query", "shelf.horn", "wanted(?x)"], ["test", "shelf.horn"], ["trust", "shelf.horn"]):
        assert cli.main(command) == 0
        output = capsys.readouterr()
        assert output.err.count("warning: 1 lemma without a proof is not used") == 1
        assert "`what_presses_is_wanted` (shelf.horn:13); `hornbook rules prove shelf.horn`" in output.err
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    capsys.readouterr()
    assert cli.main(["query", "shelf.horn", "wanted(?x)"]) == 0
    assert capsys.readouterr().err == ""


def test_what_stays_open_is_reported_with_where_it_stops(capsys: pytest.CaptureFixture[str]):
    write(SHELF + FORGED)
    assert cli.main(["rules", "prove", "shelf.horn", "--counter-models"]) == 1
    reported = capsys.readouterr().out
    assert (
        "what_waits_is_wanted: nothing concludes `before wanted(?x)`; `somebody_wants_it` lacks" in reported
    )
    assert "counter-model with ?x = thing_x" in reported
    assert not proofs().exists()


def test_a_theory_without_lemmas_has_none_to_prove(capsys: pytest.CaptureFixture[str]):
    write(SHELF)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 2
    assert "`shelf` has no lemmas" in capsys.readouterr().err


def renamed(line: dict[str, Any]) -> None:
    line["rule"] = "what_waits_is_wanted"


def of_another(line: dict[str, Any]) -> None:
    """Attach the certificate of a true lemma to a false one."""
    renamed(line)
    theory = load("shelf.horn")
    line["certificate"]["of"] = rulebase.fingerprint_of_rule(theory.lemmas[0])


@pytest.mark.parametrize("forge", [renamed, of_another])
def test_a_forged_certificate_makes_no_lemma_used(forge: Callable[[dict[str, Any]], None]):
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    write(SHELF + FORGED)
    change(forge)
    assert (used(), unused()) == ([], ["what_waits_is_wanted"])
    assert [e.refused != "" for e in lemma_base(load("shelf.horn"))] == [True]


def test_a_proof_that_says_reached_of_given_states_is_none():
    write(SHELF + LEFT + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert [rule.of_given for rule in load("shelf.horn").rules if rule.lemma] == [True]
    change(lambda line: line["certificate"].update(reached=True))
    assert used() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "before wanted(?x) :- before pressing(?x)",
            "before wanted(?x) :- before pressing(?x), before ordered(?x, _)",
        ),
        ("waits(?x, ?d), ?d > ?w, ?w >= 1", "waits(?x, ?d), ?d > ?w"),
        ("turned:", "a_third_case: pressing(?x) :- waits(?x, _).\nturned:"),
    ],
    ids=["the lemma", "a case", "one more case"],
)
def test_an_edit_after_the_proof_takes_it_away_until_it_is_proved_again(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
):
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert used() == ["what_presses_is_wanted"]
    write((SHELF + LEMMA).replace(old, new))
    assert used() == []
    again = cli.main(["rules", "prove", "shelf.horn"])
    assert (again, used()) == ((0, ["what_presses_is_wanted"]) if "before ordered" in new else (1, []))
    capsys.readouterr()


def test_a_proof_that_an_edit_left_valid_is_renewed_without_a_search():
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    write(SHELF + "static small(thing).\nsmall(box).\n" + LEMMA)
    assert used() == []
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert used() == ["what_presses_is_wanted"]


@pytest.mark.parametrize("text", ["{}", "[" * 100_000, '{"rule": "what_presses_is_wanted"}', "\0\xff"])
def test_what_is_no_file_of_proofs_proves_nothing(text: str, capsys: pytest.CaptureFixture[str]):
    write(SHELF + LEMMA)
    proofs().write_text(text)
    assert unused() == ["what_presses_is_wanted"]
    # The command does not overwrite a file that a user wrote.
    assert cli.main(["rules", "prove", "shelf.horn"]) == 1
    assert "HB005" in capsys.readouterr().err
    assert proofs().read_text() == text


def test_a_verdict_is_recalled_for_the_same_theory_and_proofs_only(monkeypatch: pytest.MonkeyPatch):
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    first = load("shelf.horn")
    with monkeypatch.context() as patch:
        patch.setattr(
            "hornbook.compiler.trust.lemma_proofs.lemma_base", lambda _: pytest.fail("judged again")
        )
        again = load("shelf.horn")
    assert [(r, r.of_given, r.alone) for r in again.rules] == [(r, r.of_given, r.alone) for r in first.rules]
    write(SHELF + FORGED.replace("what_waits_is_wanted", "what_presses_is_wanted"))
    assert used() == []
    write(SHELF + LEMMA)
    assert used() == ["what_presses_is_wanted"]


def test_a_refusal_is_not_remembered(monkeypatch: pytest.MonkeyPatch):
    """A refusal may come from a lack of stack, which the next process need not have."""
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    write(SHELF + LEMMA + " ")
    with monkeypatch.context() as patch:
        patch.setattr(checker, "_replay", lambda *_, **__: (_ for _ in ()).throw(RecursionError))
        patch.setenv("HORNBOOK_CACHE", "empty")
        assert used() == []
    monkeypatch.setenv("HORNBOOK_CACHE", "empty")
    assert used() == ["what_presses_is_wanted"]


def test_a_lemma_read_at_both_moments_is_proved_at_both(capsys: pytest.CaptureFixture[str]):
    write(SHELF + LEMMA.replace("before ", ""))
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()[:2]] == [
        "what_presses_is_wanted_before",
        "what_presses_is_wanted_after",
    ]
    assert used() == ["what_presses_is_wanted"]
    before, after = proofs().read_text().splitlines()
    for half in (before, after):
        proofs().write_text(half + "\n")
        assert used() == []
    # A rule that concludes `pressing` only after an action is a case for one lemma and not for the other.
    extra = "after_turning: after pressing(?x) :- turn(?x).\n"
    write(SHELF + extra + LEMMA.replace("before ", ""))
    assert cli.main(["rules", "prove", "shelf.horn"]) == 1
    assert used() == []


CHAIN = """
fluent low(thing).
derived one(thing).
derived two(thing).
derived three(thing).
first: one(?x) :- low(?x).
second: two(?x) :- one(?x), low(?x).
third: three(?x) :- two(?x), low(?x).
lemma last: before three(?x) :- before one(?x).
lemma next: before two(?x) :- before one(?x).
"""


def test_a_lemma_may_rest_on_another():
    write(SHELF + CHAIN)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert used() == ["last", "next"]
    text = proofs().read_text()
    proofs().write_text("".join(line for line in text.splitlines(True) if '"rule": "next"' not in line))
    rests = any('"lemma next"' in line for line in text.splitlines())
    assert used() == ([] if rests else ["last"])


def test_an_imported_lemma_counts_for_who_imports_it(capsys: pytest.CaptureFixture[str]):
    write(SHELF + LEMMA)
    write("theory shop.\nimport shelf.\nmore: noted(?x) :- wanted(?x).\n", "shop.horn")
    assert unused("shop.horn") == ["what_presses_is_wanted"]
    # The proof next to the imported file is valid here too.
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    assert used("shop.horn") == ["what_presses_is_wanted"]
    # A rule adds one more case, so the proof is invalid, and no proof for the importing theory exists.
    write("theory shop.\nimport shelf.\nmore: pressing(?x) :- waits(?x, _).\n", "shop.horn")
    assert unused("shop.horn") == ["what_presses_is_wanted"]
    assert cli.main(["rules", "prove", "shop.horn"]) == 1
    # A rule adds a case that closes. The proof next to the importing theory is valid for that theory only.
    write("theory shop.\nimport shelf.\nmore: pressing(?x) :- wanted(?x).\n", "shop.horn")
    capsys.readouterr()
    assert cli.main(["rules", "prove", "shop.horn"]) == 0
    assert used("shop.horn") == used() == ["what_presses_is_wanted"]
    assert proofs("shop.horn").exists()
    proofs().unlink()
    assert (used("shop.horn"), used()) == (["what_presses_is_wanted"], [])


def test_a_lemma_of_an_instance_has_its_name_there():
    write(
        "theory base.\nsort thing.\nfluent a(thing).\nderived b(thing).\nderived c(thing).\nb: b(?x) :- a(?x).\nc: c(?x) :- b(?x).\nlemma it: before c(?x) :- before a(?x).\n",
        "base.horn",
    )
    write("theory whole.\nimport base as left.\nimport base as right.\n", "whole.horn")
    assert cli.main(["rules", "prove", "whole.horn"]) == 0
    assert used("whole.horn") == ["left_it", "right_it"]


def test_proofs_name_lemmas_and_learned_rules_may_rest_on_them(capsys: pytest.CaptureFixture[str]):
    write(
        SHELF
        + "derived shipped(thing).\nshipped: before shipped(?x) :- before wanted(?x), before waits(?x, 3).\n"
        + LEMMA
    )
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    write(
        "import shelf.\nmine: before shipped(?x) :- before pressing(?x), before waits(?x, 3).\n", "mine.horn"
    )
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "shelf.horn"]) == 0
    theory = load("shelf.horn")
    (entry,) = rulebase.read(Path("mine.horn"), theory)
    assert entry.is_certified
    assert entry.certificate is not None
    assert "rule what_presses_is_wanted" in dict(entry.certificate.fingerprints)
    # Without the lemma the proof is invalid, even if it claims to hold for reached states.
    proofs().unlink()
    (fallen,) = rulebase.read(Path("mine.horn"), load("shelf.horn"))
    assert "no longer there" in fallen.refused
    capsys.readouterr()


def test_a_lemma_of_given_states_is_no_step_in_reached_ones():
    write(SHELF + LEFT + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    theory = load("shelf.horn")
    text = "mine: before wanted(?x) :- before pressing(?x), before waits(?x, 2)."
    (rule,) = [clause for clause in parse(text).clauses if isinstance(clause, Rule)]
    certificate = prove(rule, theory, {})
    assert not certificate.reached
    turns = ("theory turns", fingerprint_of_turns(theory))
    for forged in (
        replace(certificate, reached=True),
        # The assumptions of a plan are not a world.
        replace(certificate, fingerprints=(*certificate.fingerprints, turns)),
    ):
        with pytest.raises(RejectedError, match="lemma `what_presses_is_wanted` of the theory"):
            verify(rule, forged, theory)


def test_a_timeless_lemma_of_given_states_is_read_before_an_action_only():
    write(SHELF + LEFT + LEMMA.replace("before ", ""))
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    theory = load("shelf.horn")
    assert [rule.of_given for rule in theory.rules if rule.lemma] == [True]
    (rule,) = parse("mine: after wanted(?x) :- after pressing(?x), before waits(?x, 2).").clauses
    assert isinstance(rule, Rule)
    step = ProofStep("what_presses_is_wanted", "after", (("x", Variable("x")),), (0,))
    with pytest.raises(RejectedError, match="lemma `what_presses_is_wanted` of the theory"):
        verify(rule, certificate_of(rule, [step], theory, {}), theory)


@pytest.mark.deep_cases("combinations")
@pytest.mark.parametrize(
    "name",
    [
        *known_theories(),
        *(f"{CHESS}/{part}.horn" for part in ("balance", "parts/escort", "parts/games")),
    ],
)
def test_the_lemmas_that_ship_are_proved(name: str):
    """If this fails, the checker or a theory was changed.

    `hornbook rules prove` then updates the certificates.
    """
    assert [rule.name for rule in load(name).lemmas] == []


def test_what_would_make_a_lemma_wrong_is_not_added():
    write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    base = KnowledgeBase("shelf.horn")
    with pytest.raises(KnowledgeBaseError, match="lemmas are proved of the theory without the rule `more`"):
        base.add_text("more: pressing(?x) :- waits(?x, _).")
    base.add_text("more: noted(?x) :- wanted(?x). ordered(box, 200).")
    assert base.query("noted(?x)").to_tuples() == [("box",)]


def test_what_is_added_to_a_knowledge_base_has_no_lemmas():
    write(SHELF + LEMMA)
    with pytest.raises(TheoryError, match="HB072"):
        KnowledgeBase("shelf.horn").add_text(LEMMA)


def test_a_lemma_in_a_rule_file_counts_with_a_certificate_only_and_gives_no_answers():
    write(SHELF)
    write("import shelf.\n" + LEMMA, "mine.horn")
    (draft,) = rulebase.read(Path("mine.horn"), load("shelf.horn"))
    assert not draft.is_certified
    assert cli.main(["rules", "prove", "mine.horn"]) == 0
    base = rulebase.read(Path("mine.horn"), load("shelf.horn"))
    (entry,) = base
    assert (entry.rule.name, entry.is_certified, entry.rule.lemma) == ("what_presses_is_wanted", True, True)
    assert not base.answering


def test_a_text_has_no_proofs_next_to_it():
    theory = load_text(SHELF + LEMMA)
    assert (len(theory.lemmas), proved(theory)) == (1, {})


def test_a_theory_without_its_lemmas_is_what_it_assumes():
    write(SHELF + LEMMA)
    bare = load("shelf.horn")
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    theory = load("shelf.horn")
    assert replace(theory.without_lemmas(), proofs=()) == bare
    shutil.copy("shelf.horn", "copy.horn")
    assert unused("copy.horn") == ["what_presses_is_wanted"]


def test_a_store_keeps_the_proofs_of_lemmas(tmp_path: Path):
    path = write(SHELF + LEMMA)
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    with Store.create("shelf.sqlite") as store:
        store.put_theory(path)
        text = export_text(store)
        # A proof file next to unchanged theory files takes precedence, since it may be newer.
        retained = proofs().read_text()
        proofs().write_text("{}\n")
        assert [rule.name for rule in load_stored(store.theory(), proved).lemmas] == [
            "what_presses_is_wanted"
        ]
        path.unlink()
        assert [rule.name for rule in load_stored(store.theory(), proved).rules if rule.lemma] == [
            "what_presses_is_wanted"
        ]
    import_text(text, "t", tmp_path / "again.sqlite")
    with Store(tmp_path / "again.sqlite") as again:
        (file,) = again.theory().files
        assert file.proofs == retained
        assert load_stored(again.theory(), proved).lemmas == ()


def test_proofs_of_lemmas_in_a_store_are_replayed():
    path = write(SHELF + FORGED)
    line = {"rule": "what_waits_is_wanted", "certificate": {}, "provenance": None}
    stored = StoredTheory(
        "shelf", str(path), (StoredFile(str(path.resolve()), SHELF + FORGED, {}, json.dumps(line)),)
    )
    assert [rule.name for rule in load_stored(stored, proved).lemmas] == ["what_waits_is_wanted"]


def test_no_fact_is_assumed_that_would_make_an_answer_rest_on_a_lemma():
    """The proof uses the rules that conclude `pressing`; none of them concludes an assumed fact."""
    pressing = GroundFact("pressing", ("bolt",))
    without = KnowledgeBase(write(SHELF + LEMMA))
    without.add([pressing], assume=["pressing"])
    assert not without.query("wanted(bolt)")
    assert cli.main(["rules", "prove", "shelf.horn"]) == 0
    base = KnowledgeBase(load("shelf.horn"))
    with pytest.raises(
        KnowledgeBaseError, match=r"lemmas are proved .* without the assumption `.*pressing\(bolt\)`"
    ):
        base.add([pressing], assume=["pressing"])
    with pytest.raises(KnowledgeBaseError, match="assume nothing of `pressing`"):
        base.exchange([], [pressing], assume=["pressing"])
    assert not base.query("pressing(?x)")
    base.add([GroundFact("noted", ("bolt",), "after")], assume=["noted"])  # no proof goes through its rules
    assert base.query("after noted(bolt)")
