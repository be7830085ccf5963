"""Tests of domains that override the old name of a method."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hornbook.theories.domain import Domain

PROBLEM = SimpleNamespace(query="the query")


class OldDomain(Domain):
    """A domain that was written for the old name."""

    def asked(self, problem):
        return f"old: {problem.query}"


class ExtendedOldDomain(Domain):
    """A domain that extends the method with the old name."""

    def asked(self, problem):
        return f"old: {super().asked(problem)}"


class NewDomain(Domain):
    """A domain that overrides the new name."""

    def query_of(self, problem):
        return f"new: {problem.query}"


def test_a_method_with_the_old_name_gives_the_query():
    assert OldDomain().query_of(PROBLEM) == "old: the query"


def test_a_method_that_extends_the_old_one_warns_and_gives_the_query():
    with pytest.warns(DeprecationWarning, match=r"use `Domain\.query_of`"):
        assert ExtendedOldDomain().query_of(PROBLEM) == "old: the query"


@pytest.mark.parametrize(("domain", "query"), [(Domain, "the query"), (NewDomain, "new: the query")])
def test_the_old_name_warns_and_gives_the_query_of_the_domain(domain, query):
    with pytest.warns(DeprecationWarning, match=r"use `Domain\.query_of`"):
        assert domain().asked(PROBLEM) == query
