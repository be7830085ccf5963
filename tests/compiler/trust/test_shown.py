"""Tests of clauses shown outside of Hornbook: a record is valid while its theory's clauses are unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hornbook.compiler.trust.shown import FILE, ProofRun, ShownClauses, fingerprint, shown
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory

CLAUSES = """theory near.
sort town.
static road(town, town).
derived linked(town, town).
direct: linked(?a, ?b) :- road(?a, ?b).
back: linked(?a, ?b) :- road(?b, ?a).
"""


def _theory(folder: Path, text: str = CLAUSES) -> Theory:
    folder.mkdir(exist_ok=True)
    (folder / "near.horn").write_text(text)
    return load(folder / "near.horn")


RUN = {
    "by": "a proof",
    "command": "check it",
    "date": "2026-01-02",
    "coq": "8.16.1",
    "axioms": "none",
    "folders": {"Near": "proofs"},
}
PROOF = "Theorem direct : True."
DIGEST = hashlib.sha256(PROOF.encode()).hexdigest()


def _show(folder: Path, theory: Theory, *names: str, **head: object) -> None:
    shown_ones = (rule for rule in theory.rules if rule.name in names)
    rows = [
        {**RUN, **head},
        {"source": "Near/Proof.v", "sha256": DIGEST},
        {"generated": "All.v", "sha256": "00"},
        *({"clause": r.name, "fingerprint": fingerprint(r, theory.vocabulary)} for r in shown_ones),
    ]
    (folder / FILE).write_text("\n".join(map(json.dumps, rows)))


def _prove(folder: Path, **files: str) -> None:
    (folder / "proofs").mkdir()
    for name, text in files.items():
        (folder / "proofs" / f"{name}.v").write_text(text)


def test_what_stands_next_to_a_theory_is_shown(tmp_path: Path):
    theory = _theory(tmp_path)
    assert shown(theory) == ShownClauses()
    _show(tmp_path, theory, "direct")
    run = ProofRun("a proof", "check it", "2026-01-02", "8.16.1", compiled=2)
    assert shown(theory) == ShownClauses((run,), frozenset({"direct"}))


def test_a_proof_that_is_unchanged_is_compared(tmp_path: Path):
    theory = _theory(tmp_path)
    _show(tmp_path, theory, "direct")
    _prove(tmp_path, Proof=PROOF)
    found = shown(theory)
    assert found.clauses == {"direct"}
    assert found.runs[0].compared


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({"Proof": PROOF + " "}, ("Near/Proof.v",)),
        ({"Proof": PROOF, "More": ""}, ("Near/More.v",)),
        ({"Other": PROOF}, ("Near/Other.v", "Near/Proof.v")),
    ],
)
def test_no_clause_is_shown_by_a_changed_proof(
    files: dict[str, str], changed: tuple[str, ...], tmp_path: Path
):
    theory = _theory(tmp_path)
    _show(tmp_path, theory, "direct")
    _prove(tmp_path, **files)
    found = shown(theory)
    assert found.clauses == set()
    assert found.runs == ()
    assert [run.changed for run in found.outdated] == [changed]


@pytest.mark.parametrize(
    "head",
    [{"axioms": "one"}, {"date": "today"}, {"folders": {}}, {"folders": {"Far": "proofs"}}, {"folders": []}],
)
def test_a_record_without_a_run_shows_nothing(head: dict[str, object], tmp_path: Path):
    theory = _theory(tmp_path)
    _show(tmp_path, theory, "direct", **head)
    assert shown(theory) == ShownClauses(damaged=(tmp_path / FILE,))


def test_what_stands_in_the_folder_above_is_too(tmp_path: Path):
    theory = _theory(tmp_path / "parts")
    _show(tmp_path, theory, "direct", by="one")
    _show(tmp_path / "parts", theory, "back", by="another")
    assert shown(theory).clauses == {"direct", "back"}
    assert {run.by for run in shown(theory).runs} == {"one", "another"}


def test_a_clause_that_says_something_else_is_not(tmp_path: Path):
    _show(tmp_path, _theory(tmp_path), "direct", "back")
    again = CLAUSES.replace("direct: linked(?a, ?b)", "direct: linked(?b, ?a)")
    assert shown(_theory(tmp_path, again)).clauses == {"back"}
    laid_out = CLAUSES.replace("direct:", "direct:  % as before\n ")
    assert shown(_theory(tmp_path, laid_out)).clauses == {"direct", "back"}


def test_a_clause_about_a_word_that_is_declared_otherwise_is_not(tmp_path: Path):
    _show(tmp_path, _theory(tmp_path), "direct", "back")
    again = CLAUSES.replace("static road(town, town).", "fluent road(town, town).")
    assert shown(_theory(tmp_path, again)).clauses == set()


def test_what_is_damaged_shows_nothing(tmp_path: Path):
    theory = _theory(tmp_path)
    _show(tmp_path, theory, "direct")
    whole = (tmp_path / FILE).read_text()
    deep = "[" * 100_000
    for text in (
        "",
        "no JSON",
        whole[:-3],
        "[1]\n[2]",
        whole.replace("fingerprint", "print"),
        "\udcff",
        deep,
    ):
        (tmp_path / FILE).write_text(text, errors="surrogateescape")
        assert shown(theory) == ShownClauses(damaged=(tmp_path / FILE,)), text[:20]
