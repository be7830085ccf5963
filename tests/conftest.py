"""Shared configuration of all tests: tiers, fixed random examples, no colours in output, and no caches.

A test without a marker belongs to the fast tier. The other tiers are the markers `deep` and `judges` in pyproject.toml.

Comparisons over random seeds use a sample of the seeds; `pytest --times 20` uses twenty times as many.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,  # the machines that run the tests differ
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


JUDGES = "HORNBOOK_JUDGES"
"""An environment variable.

If it is `required`, a skipped test fails unless its reason is in `FOR_GOOD_REASON`.
"""
FOR_GOOD_REASON = (
    "nothing is forbidden to the superuser",
    "memory is watched already",
    "takes too long",
    "there is no souffle",  # Debian has no package of it.
    "no Chromium, Selenium or axe-core",  # `python -m oracles.browser.explore_run` is a separate run.
    "could not import 'matplotlib'",  # This and the next two belong to the extras `bench` and `docs`.
    "could not import 'clips'",
    "could not import 'myst_parser'",
)


def must_run(report: pytest.TestReport | pytest.CollectReport) -> bool:
    """Return whether the test or file was skipped although all judges are required."""
    if os.environ.get(JUDGES) != "required" or not report.skipped or hasattr(report, "wasxfail"):
        return False
    return not any(reason in str(report.longrepr) for reason in FOR_GOOD_REASON)


def _judged(report):
    if must_run(report):
        report.outcome = "failed"
        report.longrepr = f"{JUDGES}=required, and this was skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _judged((yield))


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem():
    """Mark the cases that `deep_cases` names as deep, and refuse a name that is no case's."""
    made = yield
    for test in made if isinstance(made, list) else ():
        for marker in test.iter_markers("deep_cases"):
            names = [other.callspec.id for other in made]
            for prefix in marker.args:
                if not any(name.startswith(prefix) for name in names):
                    raise pytest.UsageError(f"{test.nodeid}: no case begins with {prefix!r}")
            if test.callspec.id.startswith(marker.args):
                test.add_marker(pytest.mark.deep)
    return made


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", type=int, default=1, help="how many times as many random seeds are tried")


@functools.cache
def shares(file: str) -> bool:
    """Return whether the tests of the file share an expensive fixture."""
    text = (Path(__file__).parents[1] / file).read_text(encoding="utf-8")
    return 'scope="module"' in text or "@cache" in text


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute tests over the processes of `-n`.

    A file whose tests share a fixture goes to one process as a whole. Otherwise all cases of a test do.
    """
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            return file if shares(file) else f"{file}::{test.partition('[')[0]}"

        def mark_test_complete(self, node, item_index, duration=0):
            """Mark a test as complete, so that completed tests are not counted again after each test."""
            super().mark_test_complete(node, item_index, duration)
            done = self._split_scope(self.registered_collections[node][item_index])
            if all(self.assigned_work[node][done].values()):
                del self.assigned_work[node][done]

    return Scheduling(config, log) if config.option.dist == "load" else None


@pytest.fixture(scope="session")
def times(request):
    return request.config.getoption("--times")


@pytest.fixture(autouse=True)
def plain_output(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    # Verdicts are cached for this test run only, and not in the user's cache.
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path_factory.getbasetemp() / "verdicts"))
    for name in ("FORCE_COLOR", "HORNBOOK_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
