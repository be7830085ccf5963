"""Tables served with a theory or a store: their rows in proofs, and the effect of a reload on them."""

from __future__ import annotations

import pytest

from hornbook.cli import main
from hornbook.kb.store import Store


@pytest.fixture
def parents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "parent.csv"
    file.write_text("parent,child\ncleo,eve\n", encoding="utf-8")
    return file


def places(queried, fact):
    """Return the sources of the given facts of a proof."""
    status, found = queried.post("/why", {"fact": fact})
    assert status == 200, found
    return [step["place"] for step in found["steps"] if step["rule"] is None]


@pytest.mark.parametrize("table", ["parent=parent.csv", "tables"])
def test_a_proof_names_the_row_of_a_table(served, family, parents, table):
    if table == "tables":
        (parents.parent / table).mkdir()
        parents.rename(parents.parent / table / parents.name)
    queried = served(family, tables=[table])
    assert queried.application.service.served["facts"] == 1
    assert places(queried, "ancestor(ben, eve)")[-1].endswith("parent.csv:2")


def test_tables_are_served_next_to_a_store(served, family, parents, tmp_path):
    with Store.create(tmp_path / "family.sqlite") as store:
        store.put_theory(family)
    queried = served(tmp_path / "family.sqlite", tables=["parent=parent.csv"])
    assert places(queried, "parent(cleo, eve)") == ["parent.csv:2"]


def test_a_reload_reads_tables_again_unless_they_are_wrong(served, family, parents):
    queried = served(family, tables=["parent=parent.csv"])
    parents.write_text("parent,child\ncleo,eve\neve,\n", encoding="utf-8")
    status, found = queried.post("/reload")
    assert status == 409
    assert "row 3: column `child`: the cell is empty" in found["message"]
    assert places(queried, "parent(cleo, eve)") == ["parent.csv:2"]
    parents.write_text("parent,child\nben,dan\ncleo,eve\n", encoding="utf-8")
    assert queried.post("/reload")[1]["facts"] == 2
    assert places(queried, "parent(cleo, eve)") == ["parent.csv:3"]


def test_rows_that_are_left_out_are_reported(served, family, parents):
    parents.write_text("parent,child\ncleo,eve\neve,\n", encoding="utf-8")
    queried = served(family, tables=["parent=parent.csv"], skip_bad=True)
    reported = "skipped: parent=parent.csv: row 3: column `child`: the cell is empty"
    assert queried.application.service.served["warnings"] == [reported]
    assert reported in [line["event"] for line in queried.log if line["level"] == "warning"]


COMPLETE = """theory shifts.
sort worker.
sort day.
static works(worker, day) complete.
static shift(day).
static needed(day -> int) counts works_on.
static works_on(day, worker) complete.
derived free(worker, day).
free(?w, ?d) :- works(?w, _), shift(?d), absent works(?w, ?d).
"""


def test_a_complete_table_that_was_forgotten_is_reported(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shifts.horn").write_text(COMPLETE, encoding="utf-8")
    (tmp_path / "shift.csv").write_text("day\nmonday\n", encoding="utf-8")
    queried = served("shifts.horn", tables=["shift=shift.csv"])
    (reported,) = queried.application.service.served["warnings"]
    assert reported.startswith("nothing is given of `works`")


def test_a_count_that_says_more_than_a_complete_table_has_is_refused(served, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shifts.horn").write_text(COMPLETE, encoding="utf-8")
    (tmp_path / "needed.csv").write_text("day,int\nmonday,2\n", encoding="utf-8")
    (tmp_path / "works_on.csv").write_text("day,worker\nmonday,ann\nmonday,bob\n", encoding="utf-8")
    queried = served("shifts.horn", tables=["needed=needed.csv", "works_on=works_on.csv"])
    (tmp_path / "works_on.csv").write_text("day,worker\nmonday,ann\n", encoding="utf-8")
    status, found = queried.post("/reload")
    assert status == 409
    assert "`needed(monday, 2)` says that there are 2 of `works_on`" in found["message"]


def test_tables_are_not_served_where_the_store_is_changed(family, parents, tmp_path, capsys):
    with Store.create(tmp_path / "family.sqlite") as store:
        store.put_theory(family)
    assert main(["serve", str(tmp_path / "family.sqlite"), "--write", "--facts", "parent=parent.csv"]) == 2
    assert "hornbook store add" in " ".join(capsys.readouterr().err.split())
