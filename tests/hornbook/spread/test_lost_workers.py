"""A worker that is killed in the middle loses nothing: by processes, by Dask, by Ray the answers are those of one process."""

from __future__ import annotations

import pyarrow.parquet
import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase

QUERY = (
    "query",
    "kin.horn",
    "ancestor(?a, ?b), older(?a, ?b, ?n)",
    "--states",
    "states.parquet",
    "--part",
    "3",
)


@pytest.fixture
def alone(kin, run):
    """What one process answers, which nobody kills."""
    (kin / "killed").touch()
    assert run(*QUERY, "--into", "alone.parquet")[0] == 0
    (kin / "killed").unlink()
    return (kin / "alone.parquet").read_bytes()


@pytest.mark.filterwarnings("ignore:.*:ResourceWarning:distributed")
@pytest.mark.parametrize("place", ["local", "dask", "ray"])
def test_the_answers_are_those_of_one_process(kin, run, alone, place):
    code, out, err = run(*QUERY, "--into", "there.parquet", "--on", place, "--workers", "2", "--json")
    assert (code, err) == (0, "")
    assert '"states": 40, "bad": 0, "parts": 14, "known": 0' in out
    assert (kin / "killed").exists()
    assert (kin / "there.parquet").read_bytes() == alone
    assert not (kin / "there.parquet.parts").exists()


def test_they_are_right(kin, alone):
    (kin / "killed").touch()
    found = pyarrow.parquet.read_table("alone.parquet")
    assert found.column_names == ["id", "state", "answers"]
    assert found["id"].to_pylist() == list(range(40))
    for row in found.to_pylist():
        base = KnowledgeBase("kin.horn")
        for line in row["state"].replace("kill", "").splitlines():
            one, other, years = line.split()
            base.add_text(f"parent({one}, {other}). age({one}, {years}).")
        assert row["answers"] == base.query("ancestor(?a, ?b), older(?a, ?b, ?n)").dicts()
