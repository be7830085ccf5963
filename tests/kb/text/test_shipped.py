"""Tests that proofs name shipped files by their place in the package, not by the installation path."""

from __future__ import annotations

import json
from pathlib import Path

import hornbook
from hornbook.kb.text.shipped import file_named


def test_a_proof_tells_nothing_of_where_it_is_installed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base = hornbook.KnowledgeBase(hornbook.read_theory("family"))
    proof, why_not = base.why("ancestor(ada, cleo)"), base.why_not("ancestor(cleo, ada)")
    assert "hornbook/theories/classical/family.horn:" in proof.to_text()
    for output in (
        proof.to_text(),
        why_not.to_text(),
        proof.to_html(),
        json.dumps([proof.to_dict(), why_not.to_dict()]),
    ):
        assert str(Path(hornbook.read_theory("family").path).parent) not in output


def test_other_files_are_called_as_they_are(tmp_path):
    for file in ("family.horn", str(tmp_path / "theories" / "family.horn"), "<query>"):
        assert file_named(file) == file
