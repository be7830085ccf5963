"""Tests that readers raise only HornbookError on a small sample of mutated input.

The long run is benchmarks/fuzz/readers.py.
"""

from __future__ import annotations

import pytest

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from oracles.language.fuzzed_readers import FuzzedReader, checker, files, input_of, texts, tried

pytestmark = pytest.mark.deep

SEED = 7


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    return [checker(), *texts(), *files(tmp_path_factory.mktemp("fuzz"))]


def test_no_reader_fails_otherwise(readers):
    outcomes: dict[str, set[str]] = {}
    for reader in readers:
        share = {"checker": 400, "parquet": 6, "store as text": 6}.get(reader.name, 50)
        found = [tried(reader, input_of(reader, SEED, number)) for number in range(share)]
        assert [each.fault for each in found if each.outcome == "fault"] == [], reader.name
        outcomes[reader.name] = {each.outcome for each in found}
    # If all input is refused, only a reader's first line is tested. If none is, no mutation is tested.
    seldom = {"parquet", "store as text", "pydatalog"}
    assert all(seen == {"read", "refused"} for name, seen in outcomes.items() if name not in seldom), outcomes


def test_an_input_is_made_again_from_its_number(readers):
    for reader in readers:
        assert input_of(reader, SEED, 5) == input_of(reader, SEED, 5)
        assert input_of(reader, SEED, 5) != input_of(reader, SEED, 6)


def test_what_fails_otherwise_or_hangs_is_seen(monkeypatch):
    def refuses(_: bytes) -> None:
        raise TheoryError([error("HB005", "wrong", Span("a", 1, 1, 1, 1))], {})

    def hangs(_: bytes) -> None:
        while True:
            pass

    monkeypatch.setattr("oracles.language.fuzzed_readers.MOST_SECONDS", 0.05)
    seen = [tried(FuzzedReader("r", lambda _: b"", read), b"x") for read in (len, refuses, int, hangs)]
    assert [each.outcome for each in seen] == ["read", "refused", "fault", "fault"]
    assert "ValueError" in seen[2].fault
    assert "OverrunError" in seen[3].fault


def test_the_report_adds_up_what_its_parts_found(tmp_path):
    from benchmarks.fuzz import readers as reader_fuzz

    readers = [
        FuzzedReader("a", lambda n: bytes([n.randrange(256)]), len),
        FuzzedReader("parquet", lambda _: b"x", int),
    ]
    assert reader_fuzz.shares(readers, 2_100) == {"a": 2_000, "parquet": 100}
    part = reader_fuzz.part(readers, 21, 1, 0, tmp_path / "kept")
    assert part["a"]["outcomes"] == {"read": 20}
    assert [place for place, _ in part["parquet"]["faults"]] == [0]
    assert (tmp_path / "kept" / "parquet-0").read_bytes() == b"x"
    output = reader_fuzz.text([{"readers": part}, {"readers": part}], 42, 1)
    assert "all readers                  42         40          0        2" in output
