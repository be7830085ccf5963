"""Every exception of the project is a HornbookError, or is listed here with the reason why nobody meets it."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest

import hornbook

PACKAGES = ("matcher", "kb", "compiler", "theories", "hornbook")
INTERNAL = {
    "compiler.entailment.TooManyCasesError": "the checker takes it for `not implied`",
    "compiler.established.RejectedError": "becomes the reason of a verdict",
    "compiler.opponent.UnansweredError": "becomes the reason why a problem is not proved",
    "compiler.subsumption._OutOfBudgetError": "the search takes it for `not subsumed`",
    "hornbook.own_packages.ForeignPackageError": "an ImportError of packages of which HornbookError may be no part",
    "kb.one_unknown.UnsolvedError": "advice leaves the comparison out",
    "kb.pydatalog_syntax._Refused": "becomes a diagnostic",
    "kb.stop.Stop": "becomes a diagnostic",
    "kb.table_values.BadCell": "becomes a bad row",
    "kb.term_builder.Refused": "becomes a diagnostic",
    "matcher._core.Fault": "becomes the named error of matcher/errors.py",
    "theories.go._reading.TooManyNodes": "who asks the reader says what an unfinished search means",
}
"""Exceptions that are caught before they reach who called, each with what becomes of it."""
NOT_IMPORTED = ("hornbook.__main__", "hornbook.commands.skeleton")


def modules() -> Iterator[str]:
    for package in PACKAGES:
        yield package
        for found in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not found.name.startswith(NOT_IMPORTED):
                yield found.name


def exceptions() -> dict[str, type[BaseException]]:
    """Every exception that a module of ours defines, by its full name."""
    found = {}
    for name in modules():
        for thing in vars(import_module(name)).values():
            ours = inspect.isclass(thing) and thing.__module__.partition(".")[0] in PACKAGES
            if ours and issubclass(thing, BaseException):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return found


def test_every_exception_is_a_hornbook_error_or_internal() -> None:
    found = exceptions()
    assert len(found) > 40
    others = {name for name, kind in found.items() if not issubclass(kind, hornbook.HornbookError)}
    assert others == set(INTERNAL)


@pytest.mark.parametrize("name", [name for name in hornbook.__all__ if name.endswith("Error")])
def test_one_clause_catches_every_public_error(name: str) -> None:
    assert issubclass(getattr(hornbook, name), hornbook.HornbookError)
