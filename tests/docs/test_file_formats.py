"""Tests of the file format reference.

It lists exactly the keys of each file that the program reads and writes.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from hornbook.compiler.checker.certificate import Certificate
from hornbook.kb.sources.files import APPLICATION_ID
from hornbook.kb.store.schema import TABLES
from hornbook.play.allocation.files import StoredClassifier
from hornbook.play.thinking.statistics import Cut, Errors, Statistics
from hornbook.theories.chess.problems import ChessProblem, parse_problems
from hornbook.theories.firm.tables.year import WITH_NAME, WITHOUT_NAME, read_year
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.answers import answer_line
from hornbook.theories.go.problems.jsonl import as_json
from hornbook.theories.go.problems.score import ANSWER_VALUES
from oracles.pages.markdown_blocks import blocks, run_hornbook

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "file-formats.md"
BAKERY = ROOT / "theories" / "firm" / "examples" / "bakery"


def section(name: str) -> str:
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(f"\n## {name}\n")
    assert found, f"{PAGE.name} has no section `## {name}`"
    return rest.partition("\n## ")[0]


def keys(name: str, table: int = 0) -> dict[str, str]:
    """Return the keys in a table of a section, each with its description."""
    tables = re.findall(r"(?:^\|.*\n)+", section(name), re.MULTILINE)
    rows = [line.split("|") for line in tables[table].splitlines()[2:]]
    return {row[1].strip().strip("`"): "|".join(row[2:]) for row in rows}


def codes(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


def test_proofs_and_statistics_have_the_keys_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases = next(block for block in blocks(PAGE) if block.file == "cases.horn")
    Path("cases.horn").write_text(cases.text, encoding="utf-8")
    for command in (
        "learn family --problems cases.horn --into",
        "profile --write-statistics --theory family",
    ):
        assert run_hornbook([*command.split(), "rules.horn"])[1] == 0
    proof = json.loads(Path("rules.proofs.jsonl").read_text(encoding="utf-8"))
    assert list(proof) == list(keys("Proofs"))
    against_replies = Certificate(1, "", (), (), ((),), (0, ()))  # type: ignore[arg-type]
    assert set(proof["certificate"]) < set(keys("Proofs", 1))
    # The proofs of a reply's legality are written with the reply, under `open`.
    names = {f.name for f in fields(against_replies)} - {"opened"}
    assert names | {"format"} == set(keys("Proofs", 1))
    statistics = json.loads(Path("rules.stats.json").read_text(encoding="utf-8"))
    assert list(statistics) == list(keys("Statistics"))
    assert list(statistics["relations"][0]) == list(keys("Statistics", 1))


def test_problems_of_go_have_the_keys_of_the_page():
    written = as_json(read_problems(shipped("hundred"))[0])
    described = keys("Problems of Go")
    assert set(written) == set(described)
    shown = json.loads(next(block.text for block in blocks(PAGE) if block.file == "problem.jsonl"))
    assert set(shown) <= set(described)
    needed = {key for key, output in described.items() if output.rstrip(" |").endswith("needed")}
    assert {"id", "target", "to_play"} < needed <= set(shown)


@pytest.mark.parametrize("key", ["id", "size", "black", "white", "to_play", "target"])
def test_a_problem_of_go_needs_what_the_page_says(key, tmp_path):
    shown = json.loads(next(block.text for block in blocks(PAGE) if block.file == "problem.jsonl"))
    assert keys("Problems of Go")[key].rstrip(" |").endswith("needed")
    place = tmp_path / "without.jsonl"
    place.write_text(json.dumps({k: v for k, v in shown.items() if k != key}), encoding="utf-8")
    with pytest.raises(Exception, match=f"`{key}` is missing"):
        read_problems(place)


def test_problems_of_chess_have_the_keys_of_the_page():
    described = keys("Problems of chess")
    assert [field.name for field in fields(ChessProblem)] == list(described)
    motifs = codes(described["motif"])
    shipped_problems = ROOT / "theories" / "chess" / "problems" / "learn.jsonl"
    assert {p.motif for p in parse_problems(shipped_problems.read_text(encoding="utf-8"))} <= motifs


def test_answers_have_the_keys_of_the_page():
    (problem, *_) = read_problems(shipped("hundred"))
    line = answer_line(
        problem,
        move=None,
        second_player_win=False,
        rule=None,
        matched=1,
        value="PP",
        saving_rule="saved",
        stopped="more than 60 seconds",
    )
    described = keys("Answers")
    assert set(json.loads(line)) == set(described)
    assert set(ANSWER_VALUES) <= codes(described["value"])


def test_a_journal_has_the_columns_of_the_page():
    described = keys("A firm and its year")
    header = (BAKERY / "journal.csv").read_text(encoding="utf-8").partition("\n")[0]
    assert header.split(",") == list(described)
    assert codes(described["what"]) == {*WITH_NAME, *WITHOUT_NAME}
    assert len(read_year(BAKERY)) == 12


def test_a_store_has_the_tables_of_the_page():
    assert tuple(keys("The store")) == TABLES
    assert f"0x{APPLICATION_ID:X}" in section("The store")


def test_the_keys_of_statistics_of_a_game_are_those_of_its_classes():
    assert list(keys("Statistics of a game")) == [field.name for field in fields(Statistics)]
    assert list(keys("Statistics of a game", 1)) == [field.name for field in fields(Errors)]
    of_cuts = [key for name in keys("Statistics of a game", 2) for key in name.split("`, `")]
    assert of_cuts == [field.name for field in fields(Cut)]


def test_the_keys_of_a_classifier_are_those_of_its_class():
    assert list(keys("Classifiers of positions")) == [field.name for field in fields(StoredClassifier)]
