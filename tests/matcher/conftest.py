"""Shared fixtures for the engine tests: each test that uses `engine_class` runs with both engines."""

from __future__ import annotations

import pytest

from oracles.pages.engines import ENGINES


@pytest.fixture(params=ENGINES.values(), ids=ENGINES.keys(), scope="session")
def engine_class(request):
    return request.param
