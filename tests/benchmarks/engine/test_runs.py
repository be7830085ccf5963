"""Tests of running and reporting the engine benchmarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.engine import plots, report, runner
from benchmarks.engine.measure import OVER_TIME, Outcome, Task
from benchmarks.engine.runner import Record
from benchmarks.engine.workloads import WORKLOADS

pytestmark = pytest.mark.deep


def task(folder: Path, size: int) -> Task:
    program = folder / "program.txt"
    make = WORKLOADS["closure-chain"].make
    assert make is not None
    make(program, size, 1)
    return Task("reference", "closure-chain", size, 1, program, folder)


def test_a_run_is_a_process_of_its_own(tmp_path):
    found = runner.run(task(tmp_path, 10))
    assert isinstance(found, Outcome), found
    assert found.result["tuples"] == 45
    assert 0 < found.seconds["total"] < 60


def test_a_run_that_takes_too_long_is_given_up(tmp_path):
    assert runner.run(task(tmp_path, 2000), limit=0) == OVER_TIME


def test_a_peer_that_cannot_run_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = task(tmp_path, 10)
    souffle = Task("souffle", expected.workload, 10, 1, expected.program, tmp_path)
    assert runner.run(souffle) == "there is no souffle"


def steps(monkeypatch: pytest.MonkeyPatch, runs: dict[str, object], sizes: list[int]) -> list[runner.Step]:
    """Return the steps of a benchmark whose runs end with the given results, and the executed tasks."""

    def run(expected: Task, limit: int = 0) -> object:
        queried.append((expected.peer, expected.size))
        return runs[expected.peer]

    queried: list[tuple[str, int]] = []
    monkeypatch.setattr(runner, "run", run)
    found = list(runner.benchmark(["closure-chain"], list(runs), sizes, 2, 1))
    steps.asked = queried  # type: ignore[attr-defined]
    return found


def test_medians_are_of_all_runs_and_the_bar_ends_full(monkeypatch):
    outcome = Outcome({"total": 2.0}, {"tuples": 1})
    found = steps(monkeypatch, {"reference": outcome, "clips": outcome}, [10])
    assert [(s.record.peer, s.record.seconds) for s in found if s.record] == [
        ("reference", {"total": 2.0}),
        ("clips", {"total": 2.0}),
    ]
    assert found[-1].done == found[-1].total == 4


def test_who_took_too_long_is_not_queried_for_more(monkeypatch):
    found = steps(monkeypatch, {"clips": OVER_TIME}, [10, 20])
    assert steps.asked == [("clips", 10)]  # type: ignore[attr-defined]
    assert [s.record.missing for s in found if s.record] == [OVER_TIME, f"{OVER_TIME} at a smaller size"]


def test_nothing_is_timed_where_peers_disagree(monkeypatch):
    runs = {"clips": Outcome({"total": 1.0}, {"tuples": 1}), "swi": Outcome({"total": 1.0}, {"tuples": 2})}
    with pytest.raises(runner.DisagreementError, match="closure-chain 10: tuples: clips 1, swi 2"):
        steps(monkeypatch, runs, [10])


RECORDS = [
    Record("closure-chain", size, peer, {"total": size * seconds}, result={"tuples": size}, version=peer)
    for size in (10, 100)
    for peer, seconds in (("hornbook", 0.5), ("by-hand", 0.25), ("clips", 2.0), ("swi", 1.0))
]


def test_a_ratio_is_to_the_best_peer_and_not_to_what_is_written_by_hand():
    first = report.lines(RECORDS)[0]
    assert first.best("peer") == ("swi", 10.0)
    assert first.ratio("hornbook") == 0.5
    assert first.ratio("hornbook", "by hand") == 2.0
    assert first.ratio("hornbook-one") is None


def test_the_report_says_what_was_run_and_what_is_missing():
    removed = Record("closure-chain", 10, "souffle", missing="there is no souffle")
    text = report.text("hornbook theory bench closure-chain", 7, [*RECORDS, removed])
    assert text.startswith("command: hornbook theory bench closure-chain; seed 7\n")
    assert "closure-chain 10 nodes (transitive closure of a chain): 10 tuples" in text
    assert "closure-chain 10: Soufflé: there is no souffle" in text
    row = next(
        line.split() for line in text.splitlines() if line.split()[:3] == ["closure-chain", "100", "total"]
    )
    assert " ".join(row[3:]) == "50 s 25 s 200 s 100 s SWI-Prolog 0.5 – 2"


def test_bytes_and_updates_are_shared_among_rules_and_changed_matches():
    record = Record(
        "many-rules", 100, "hornbook", {"update": 0.002}, bytes=50_000, result={"changed": 200 * 1000}
    )
    values = {line.measure: line.values["hornbook"] for line in report.lines([record])}
    assert values == {"update": 0.002, report.PER_CHANGE: pytest.approx(2e-6), report.BYTES: 500}


@pytest.mark.parametrize(
    ("value", "shown"), [(12.0, "12 s"), (0.0123456, "12.3 ms"), (2e-6, "2 µs"), (5e-9, "5 ns"), (None, "–")]
)
def test_amounts_have_three_digits_and_a_unit(value, shown):
    assert report.amount("total", value) == shown


def test_what_was_run_in_several_sizes_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    (path,) = plots.write([*RECORDS, Record("search", 1, "hornbook", {"cycle": 1.0})], tmp_path)
    assert path.name == "engine-closure-chain.svg"
    first = path.read_text(encoding="utf-8")
    assert "SWI-Prolog" in first
    plots.write(RECORDS, tmp_path)
    assert path.read_text(encoding="utf-8") == first
