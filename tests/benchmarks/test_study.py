"""Tests of study results: each names the command that reproduces it, and the exit code reports errors."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import study


class Sum:
    def __init__(self, number: int = 0):
        self.number, self.tried = number, 1

    def add(self, other):
        self.number, self.tried = self.number + other.number, self.tried + other.tried


def work(job):
    seed, part, number = job
    return Sum(1000 * seed + 100 * part + number)


def started(*arguments, **numbers):
    parser = study.options("What it does.", **numbers)
    parser.add_argument("--rules", type=Path, nargs="+")
    return study.Study(study.__file__, parser.parse_args(arguments))


def test_the_command_names_what_was_queried_and_nothing_that_changes_no_result():
    this = started(
        "--firms",
        "0",
        "--output",
        "made.txt",
        "--rules",
        "a/b.horn",
        "a/c.horn",
        "--jobs",
        "3",
        firms=10,
        seconds=0.5,
        seed=1,
        jobs=1,
    )
    assert this.command == "python benchmarks/study.py --firms 0 --seconds 0.5 --seed 1 b.horn c.horn"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_parts_are_shared_among_processes_and_counted_together(jobs):
    this = started("--seed", "2", "--jobs", jobs, seed=1, jobs=1)
    assert [*this.parts(50, 20)] == [(2, 0, 20), (2, 1, 20), (2, 2, 10)]
    total = this.shared(work, this.parts(50, 20), Sum())
    assert (total.number, total.tried) == (6350, 4)


def test_seeds_are_tried_until_there_are_enough_or_the_time_is_over():
    for seconds, tried in (("0", 3), ("1e-9", 0)):
        this = started("--seconds", seconds, theories=3, seconds=0.0, seed=1)
        seeds = []
        total = Sum()
        assert len([*this.tried(lambda seed, seeds=seeds: seeds.append(seed) or Sum(1), total)]) == tried
        assert seeds == [f"1.{number}" for number in range(tried)]
        assert total.number == tried


def test_a_result_is_printed_and_written_and_what_is_wrong_is_shown(tmp_path, capsys):
    this = started("--output", str(tmp_path / "made.txt"), seed=1)
    assert this.finish("all is well\n", libraries=["chess 1.2"]) == 0
    text = (tmp_path / "made.txt").read_text()
    assert text.startswith("command: python benchmarks/study.py --seed 1\nhornbook ")
    assert ", chess 1.2, Python 3." in text
    assert text.endswith(" seconds\n\nall is well\n")
    assert capsys.readouterr().out == f"{text}\n"
    assert this.finish("three are wrong\n", ["one", "two", "three", "four"]) == 1
    assert capsys.readouterr().out.endswith("three are wrong\n\none\ntwo\nthree\n")


def test_what_there_is_so_far_is_written_and_not_printed(tmp_path, capsys):
    file = tmp_path / "found.txt"
    this = started("--output", str(file), seed=1)
    for body in ("one", "two"):
        assert this.write(body) == file.read_text()
        assert file.read_text().endswith(f"\n\n{body}")
    assert not capsys.readouterr().out


def test_tables_say_what_is_missing():
    true, missing = Counter(at=10, on=3), Counter({("at", "push"): 1, ("at", "pull"): 2})
    assert [line.split() for line in study.by_relation(("at", "on"), true, missing)][1:] == [
        ["at", "10", "70.00%"], ["on", "3", "100%"],
    ]  # fmt: skip
    kinds = study.by_kind(Counter(push=5, lift=1), missing, ("kind", "moves"), (6, 6, 12))
    assert [line.split() for line in kinds][1:] == [["lift", "1", "0"], ["push", "5", "1"]]
    assert [*study.table(Counter(b=0, a=2), ("name", "times"), (6, 6))] == ["name   times", "a          2"]
