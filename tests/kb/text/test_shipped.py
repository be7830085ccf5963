"""Tests that proofs name shipped files by their place in the package, not by the installation path."""

from __future__ import annotations

import json
from pathlib import Path

import hornbook
from hornbook.kb.text.shipped import file_named


def test_a_proof_tells_nothing_of_where_it_is_installed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base = hornbook.KnowledgeBase(hornbook.load("family"))
    proof, why_not = base.why("ancestor(ada, cleo)"), base.why_not("ancestor(cleo, ada)")
    assert "hornbook/theories/classical/family.horn:" in proof.text()
    for said in (
        proof.text(),
        why_not.text(),
        proof.html(),
        json.dumps([proof.as_json(), why_not.as_json()]),
    ):
        assert str(Path(hornbook.load("family").path).parent) not in said


def test_other_files_are_called_as_they_are(tmp_path):
    for file in ("family.horn", str(tmp_path / "theories" / "family.horn"), "<query>"):
        assert file_named(file) == file
