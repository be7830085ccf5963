"""Tests that no public member lets a user bring an unproved or foreign rule into a knowledge base."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import TheoryEngine
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError

CUP = (
    "theory cup. sort thing. static light(thing). static open(thing). derived cup(thing).\n"
    "cups: cup(?x) :- light(?x), open(?x).\n"
)
OTHER = (
    "theory other. sort thing. static heavy(thing). derived stone(thing). stones: stone(?x) :- heavy(?x).\n"
)
WRONG = "theory cup. sort thing. static light(thing). static open(thing). derived cup(thing). w: cup(?x) :- light(?x).\n"


@pytest.fixture
def base() -> KnowledgeBase:
    return KnowledgeBase(load_text(CUP))


def learned(digest: str | None):
    """Return a rule that claims to be learned and does not follow from the theory."""
    [rule] = load_text(WRONG).rules
    return replace(rule, learned=True, proved_of=digest)


@pytest.mark.parametrize("known", [None, theory_digest(load_text(WRONG))])
def test_a_learned_rule_of_another_theory_is_refused(base, known):
    for change in (
        lambda: base.add_rules([learned(known)]),
        lambda: base.exchange([], [], rules=[learned(known)]),
    ):
        with pytest.raises(KnowledgeBaseError, match="and not of `cup`"):
            change()
    assert base.rules == base.theory.rules


def test_a_rule_that_does_not_fit_is_refused(base):
    [foreign] = load_text(OTHER).rules
    with pytest.raises(TheoryError, match="stone"):
        base.exchange([], [], rules=[foreign])
    assert base.rules == base.theory.rules
    assert not base.query("cup(?x)")


def test_a_lemma_without_a_proof_is_refused(base):
    [wrong] = load_text(WRONG).rules
    with pytest.raises(TheoryError, match="lemma"):
        base.exchange([], [], rules=[replace(wrong, lemma=True)])
    with pytest.raises(TheoryError, match="lemma"):
        base.add_text("lemma wrong: cup(?x) :- light(?x).")
    assert base.rules == base.theory.rules


@pytest.mark.parametrize("number", [-1, 1, 2])
def test_rules_of_the_theory_are_not_dropped(base, number):
    with pytest.raises(ValueError, match="0 were added"):
        base.exchange([], [], drop_rules=number)
    assert base.rules == base.theory.rules


def test_theory_and_rules_are_read_only(base):
    with pytest.raises(AttributeError):
        base.theory = load_text(WRONG)
    with pytest.raises(AttributeError):
        base.rules = ()
    assert isinstance(base.rules, tuple)


def test_no_public_member_takes_rules_unchecked():
    """A new member that takes rules, engines or assumptions must check them or move to another module."""

    def taking(facade: type) -> set[str]:
        return {
            name
            for name, member in vars(facade).items()
            if not name.startswith("_")
            and "rules" in getattr(getattr(member, "__wrapped__", member), "__annotations__", {})
        }

    assert taking(KnowledgeBase) == {"add_rules", "exchange"}
    assert taking(TheoryEngine) == set()
    unchecked = {"add_proved_rules", "suppose", "ready_rules", "beside", "add_ready"}
    assert not unchecked.intersection(dir(KnowledgeBase)) | unchecked.intersection(dir(TheoryEngine))
