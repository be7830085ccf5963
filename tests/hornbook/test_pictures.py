"""Pictures that commands write: the page of a proof, and positions with the places that rules speak of marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_page_of_a_proof_stands_beside_its_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "proof.html"
    asked = ("why", "family", "grandparent(ada, cleo)")
    code, out, _ = run(capsys, *asked, "--html", str(page))
    assert (code, out) == run(capsys, *asked)[:2]
    assert page.read_text(encoding="utf-8").count("<details ") == 1
    assert run(capsys, *asked, "--html", str(tmp_path / "nowhere" / "proof.html"))[0] == 1


def test_no_page_is_written_of_what_does_not_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "proof.html"
    assert run(capsys, "why", "family", "grandparent(cleo, ada)", "--html", str(page))[0] == 1
    assert not page.exists()
