"""Workers killed in the middle of their work.

With processes, Dask and Ray, the answers equal those of one process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from socket import socket

import pyarrow
import pytest
from pyarrow.parquet import read_table as read
from pyarrow.parquet import write_table as write

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.spread.ray_cluster import RayCluster

QUERY = (
    "query",
    "kin.horn",
    "ancestor(?a, ?b), older(?a, ?b, ?n)",
    "--states",
    "states.parquet",
    "--chunk-size",
    "3",
)


@pytest.fixture
def only(kin, run):
    """Return the answers of one process that is not killed."""
    (kin / "killed").touch()
    assert run(*QUERY, "--into", "alone.parquet")[0] == 0
    (kin / "killed").unlink()
    return (kin / "alone.parquet").read_bytes()


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore:.*:ResourceWarning:distributed")
@pytest.mark.parametrize("place", ["local", "dask", "ray"])
def test_the_answers_are_those_of_one_process(kin, run, only, place):
    code, out, err = run(*QUERY, "--into", "there.parquet", "--backend", place, "--workers", "2", "--json")
    assert (code, err) == (0, "")
    assert '"states": 40, "bad": 0, "parts": 14, "known": 0' in out
    assert (kin / "killed").exists()
    assert (kin / "there.parquet").read_bytes() == only
    assert not (kin / "there.parquet.parts").exists()


@pytest.mark.deep
def test_a_part_may_be_large(folder, run):
    """Use a part so large that Dask would warn about it."""
    write(pyarrow.table({"state": [f"parent(ida, leo). % {'x' * 500_000}"] * 25}), "states.parquet")
    query = (
        "query",
        "family",
        "ancestor(ida, ?who)",
        "--states",
        "states.parquet",
        "--into",
        "answers.parquet",
    )
    code, _, err = run(*query, "--backend", "dask", "--workers", "1")
    assert (code, err) == (0, "")
    assert read("answers.parquet")["answers"].to_pylist() == [[{"who": "leo"}]] * 25


def test_they_are_right(kin, only):
    (kin / "killed").touch()
    found = read("alone.parquet")
    assert found.column_names == ["id", "state", "answers"]
    assert found["id"].to_pylist() == list(range(40))
    for row in found.to_pylist():
        base = KnowledgeBase("kin.horn")
        for line in row["state"].replace("kill", "").splitlines():
            one, other, years = line.split()
            base.add_text(f"parent({one}, {other}). age({one}, {years}).")
        assert row["answers"] == base.query("ancestor(?a, ?b), older(?a, ?b, ?n)").to_dicts()


@pytest.mark.deep
def test_a_part_on_which_every_worker_is_lost_is_given_up_and_the_others_are_stored(kin, run, only):
    (kin / "always").touch()
    code, out, err = run(*QUERY, "--chunk-size", "20", "--into", "there.parquet", "--workers", "2")
    assert (code, out) == (1, "")
    assert err == (
        "error: worker processes were lost 4 times before one part was done: smaller parts or fewer workers take less memory"
        " (`--chunk-size`, `--workers`); `there.parquet.parts` has the finished answers; the same command resumes there\n"
    )
    assert [each.name[:6] for each in (kin / "there.parquet.parts").iterdir()] == ["000001"]
    (kin / "always").unlink()
    code, out, _ = run(*QUERY, "--chunk-size", "20", "--into", "there.parquet", "--json")
    assert code == 0
    assert '"known": 1' in out
    assert read(kin / "there.parquet") == read(kin / "alone.parquet")


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore:.*:ResourceWarning:distributed")
def test_another_cluster_may_have_the_usual_port(kin, run, only):
    (kin / "killed").touch()
    with socket() as other:
        with suppress(OSError):  # unless the port is in use already
            other.bind(("0.0.0.0", 8787))
            other.listen()
        code, _, err = run(*QUERY, "--into", "there.parquet", "--backend", "dask", "--workers", "1")
    assert (code, err) == (0, "")
    assert (kin / "there.parquet").read_bytes() == only


@pytest.mark.filterwarnings("ignore:.*:ResourceWarning:distributed")
def test_a_scheduler_that_is_lost_is_named(kin, run, only, monkeypatch):
    import distributed

    def lost(*_, **__):
        raise distributed.CancelledError("scheduler-connection-lost")

    (kin / "killed").touch()
    monkeypatch.setattr(distributed, "wait", lost)
    code, _, err = run(*QUERY, "--into", "there.parquet", "--backend", "dask", "--workers", "1")
    assert code == 1
    assert err.startswith(
        "error: the Dask scheduler was lost; `there.parquet.parts` has the finished answers"
    )


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore:.*:ResourceWarning")
def test_a_request_to_terminate_means_with_ray_what_it_meant_before():
    before = signal.getsignal(signal.SIGTERM)
    with RayCluster("", 1):
        assert signal.getsignal(signal.SIGTERM) is before
    assert signal.getsignal(signal.SIGTERM) is before


UNGUARDED = """
import pyarrow
from hornbook import LearnedRules

LearnedRules("chess").match_table(pyarrow.table({"state": ["4k3/8/8/8/8/8/8/4K3 w - - 0 1"]}), workers=2)
"""


@pytest.mark.deep
def test_a_script_that_each_worker_runs_again_is_reported_so(folder):
    (folder / "script.py").write_text(UNGUARDED)
    ended = subprocess.run(
        [sys.executable, "script.py"], capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 1
    assert 'below `if __name__ == "__main__":`' in ended.stderr.splitlines()[-1]


def test_workers_of_dask_that_do_not_start_are_named(kin, run, monkeypatch):
    import distributed

    def fails(**_):
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fails)
    code, _, err = run(*QUERY, "--into", "there.parquet", "--backend", "dask")
    assert code == 1
    assert "the workers of Dask did not start (Nanny failed to start.): call this below" in err


@pytest.mark.deep
def test_workers_end_where_the_command_was_killed(kin, folder):
    """Use enough states that the command is killed in the middle."""
    write(pyarrow.table({"state": ["p0 p1 50"] * 100_000}), "states.parquet")
    command = [sys.executable, "-m", "hornbook", *QUERY, "--into", "answers.parquet", "--workers", "2"]
    with subprocess.Popen(command, start_new_session=True) as running:
        _until(lambda: any(folder.glob("answers.parquet.parts/*.arrow")))
        running.kill()
    _until(lambda: not _alive(running.pid))


def _until(is_so):
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)


def _alive(group):
    """Return whether a process of the group is alive."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
