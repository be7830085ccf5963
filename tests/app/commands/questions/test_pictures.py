"""Pictures that commands write: the page of a proof, and positions with the places mentioned by rules."""

from __future__ import annotations


def test_the_page_of_a_proof_stands_next_to_its_text(run, tmp_path):
    page = tmp_path / "proof.html"
    queried = ("why", "family", "grandparent(ada, cleo)")
    code, out, _ = run(*queried, "--html", str(page))
    assert (code, out) == run(*queried)[:2]
    assert page.read_text(encoding="utf-8").count("<details ") == 1
    assert run(*queried, "--html", str(tmp_path / "nowhere" / "proof.html"))[0] == 1


def test_no_page_is_written_of_what_does_not_hold(run, tmp_path):
    page = tmp_path / "proof.html"
    assert run("why", "family", "grandparent(cleo, ada)", "--html", str(page))[0] == 1
    assert not page.exists()
