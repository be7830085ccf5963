"""What holds for every test: the same random examples on every run, no colours in what is compared, no caches.

Comparisons over random seeds take a share of them; `pytest --times 20` takes twenty times as many.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,  # the machines that run the tests differ
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", type=int, default=1, help="how many times as many random seeds are tried")


@pytest.fixture(scope="session")
def times(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--times")


@pytest.fixture(autouse=True)
def plain_output(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    # Verdicts are kept for this run of the tests, and not among the user's.
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path_factory.getbasetemp() / "verdicts"))
    for name in ("FORCE_COLOR", "HORNBOOK_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
