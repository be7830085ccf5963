"""A sample of the hostile calls of engine_fuzz.py; benchmarks/fuzz/engine.py runs the others."""

from __future__ import annotations

from collections import Counter

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from oracles.engine.fuzz import EngineFaultError, run


def test_hostile_calls_are_refused_and_change_nothing():
    met: Counter[str] = Counter()
    for seed in range(80):
        met.update(run(seed))
    for event in ("inputs", "compared", "update: done", "update: MalformedError", "query: MalformedError",
                  "update: CapacityError", "read: done", "marked: done", "declared: done"):  # fmt: skip
        assert met[event], event


def test_a_change_by_a_refused_call_is_seen(monkeypatch):
    refuse = CompiledEngine._explain

    def forgetful(self, *arguments):
        self._rules["new"] = None
        refuse(self, *arguments)

    monkeypatch.setattr(CompiledEngine, "_explain", forgetful)
    with pytest.raises(EngineFaultError, match="something has changed"):
        list(map(run, range(80)))
