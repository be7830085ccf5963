"""Tests with tampered certificates; the long run is benchmarks/fuzz/certificates.py."""

from __future__ import annotations

import json
from random import Random

import pytest

from benchmarks.fuzz import certificates as certificate_fuzz
from benchmarks.fuzz.certificates import Fault, cases, fuzzed, outcome, tampered

pytestmark = pytest.mark.deep


def test_certificates_that_were_tampered_with_are_read_or_refused(tmp_path):
    counts, _ = fuzzed(2_500, 7, firm=False, folder=tmp_path)
    assert counts.total() == 2_500
    assert min(counts["not read"], counts["refused"], counts["accepted"]) > 30


def test_what_is_tampered_with_is_no_line_as_it_was():
    """A single swap may reproduce the original text, but most do not."""
    line = cases(firm=False)[0].lines[0]
    assert sum(tampered(line, Random(number)) != line for number in range(100)) > 80


def test_a_crash_and_a_false_verdict_would_be_seen(monkeypatch, tmp_path):
    known = cases(firm=False)[0]
    data = json.loads(known.lines[0])
    data["certificate"]["fingerprints"]["facts static"] = "0" * 16
    assert outcome(known, 0, known.lines[0]) == "accepted"
    assert outcome(known, 0, json.dumps(data)) == "refused"
    monkeypatch.setattr(certificate_fuzz, "verify", lambda *_: None)
    with pytest.raises(Fault, match="it is accepted, and is of another rule or theory"):
        outcome(known, 0, json.dumps(data))
    monkeypatch.setattr(certificate_fuzz, "verify", lambda *_: 1 / 0)
    with pytest.raises(Fault, match=r"(?s)input \d+ of seed 1: Traceback.*ZeroDivisionError"):
        fuzzed(50, 1, firm=False, folder=tmp_path)
