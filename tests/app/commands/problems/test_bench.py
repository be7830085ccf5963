"""`hornbook theory bench`."""

from __future__ import annotations

import json

import pytest

from hornbook import cli
from hornbook.commands.theories import bench

TINY = ["theory", "bench", "closure-chain", "--sizes", "6", "--peers", "reference,souffle", "--repeat", "1"]


@pytest.mark.deep
def test_a_table_is_printed(capsys):
    assert cli.main(TINY) == 0
    printed = capsys.readouterr().out
    assert "closure-chain 6 nodes (transitive closure of a chain): 15 tuples" in printed
    assert "Hornbook, plain" in printed


@pytest.mark.deep
def test_json_has_an_object_a_peer(capsys):
    assert cli.main([*TINY, "--json"]) == 0
    found = {record["peer"]: record for record in json.loads(capsys.readouterr().out)}
    assert found["reference"]["result"]["tuples"] == 15
    assert found["reference"]["seconds"]["total"] > 0
    assert found["souffle"]["missing"] or found["souffle"]["seconds"]


def test_what_is_printed_is_written_too(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert cli.main([*TINY, "--into", str(tmp_path / "results")]) == 0
    assert (tmp_path / "results" / "engine.txt").read_text(encoding="utf-8") == capsys.readouterr().out


def test_a_package_without_benchmarks_says_where_they_are(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(bench, "CHECKOUT", tmp_path)
    assert cli.main(["theory", "bench"]) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(
        f"error: there is no benchmarks/ in {tmp_path}: it is not part of the package"
    )
    assert "pip install --editable '.[bench]'" in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["closure"], "there is no workload `closure`; there are closure-chain, closure-random"),
        (["--peers", "rete"], "there is no peer `rete`; there are hornbook, hornbook-one"),
        (["--sizes", "10,many"], "--sizes are whole numbers from 1"),
        (["same-generation", "--sizes", "100"], "same-generation goes up to 14"),
    ],
)
def test_what_cannot_be_run_is_a_usage_error(arguments, message, capsys):
    assert cli.main(["theory", "bench", *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
