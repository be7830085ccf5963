"""Shared fixtures for the engine tests.

A test that uses `engine_class` runs with both engines that derive all facts at once. A test that uses `make` runs with
all engines that have the capabilities of its marker `requires`.
"""

from __future__ import annotations

import pytest

from oracles.pages.engines import ALL_ENGINES, ENGINES


@pytest.fixture(params=ENGINES.values(), ids=ENGINES.keys(), scope="session")
def engine_class(request):
    return request.param


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test with all engines that have the capabilities of its marker."""
    if "make" in metafunc.fixturenames:
        needed = {
            feature for marker in metafunc.definition.iter_markers("requires") for feature in marker.args
        }
        fitting = {
            name: make
            for name, make in ALL_ENGINES.items()
            if all(getattr(make([]).capabilities, feature) for feature in needed)
        }
        metafunc.parametrize("make", fitting.values(), ids=fitting.keys())
