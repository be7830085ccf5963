"""Tests of coding input facts: known and new values are coded alike, and a bad fact is refused every time."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.compiler.prove.eigenvariable import Eigenvariable
from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.parse.facts import FactError

THEORY = load_text(
    "theory t. sort s. sort t = a | b. static p(s, t, int). fluent q(s). action go. action stay. derived r(s). r(?x) :- q(?x).\n"
    "static told(s). told(x)."
)


def test_a_fact_is_coded_alike_the_first_time_and_later():
    coder = FactCoder(Coding(THEORY.vocabulary))
    fact = GroundFact("p", ("x", "a", -5))
    assert coder.fact(fact) == coder.fact(fact) == coder.coding.fact(fact)
    assert coder.fact(GroundFact("q", ("x",))) == coder.fact(GroundFact("q", ("x",), "before"))


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (GroundFact("p", ("x", "a", True)), "the truth value True is not an integer"),
        (GroundFact("p", ("x", "c", 1)), "not one of the constants"),
        (GroundFact("p", (1, "a", 1)), "is not a word of sort"),
        (GroundFact("p", ("x", "a")), "has 3 columns, not 2"),
        (GroundFact("q", "x"), "are a tuple, not the text"),  # type: ignore[arg-type]
        (GroundFact("q", ([],)), "is not a word of sort"),  # type: ignore[arg-type]
        (GroundFact("p", ("x", "a", 2**63)), "does not fit into 64 bits"),
        (GroundFact("nobody", ("x",)), "no relation `nobody`"),
    ],
)
def test_what_does_not_fit_is_refused_whatever_was_coded_before(fact, message):
    coder, base = FactCoder(Coding(THEORY.vocabulary)), KnowledgeBase(THEORY)
    for known in (GroundFact("p", ("x", "a", 1)), GroundFact("q", ("x",))):
        coder.fact(known)
        base.engine.group(rows_of([known]))
    with pytest.raises(FactError, match=message):
        coder.fact(fact)
    with pytest.raises(FactError, match=message):
        base.engine.group(rows_of([GroundFact("q", ("x",)), fact]))


def test_what_the_theory_states_stays_and_two_actions_are_refused():
    base = KnowledgeBase(THEORY)
    reported = base.engine.group(rows_of([GroundFact("told", ("x",)), GroundFact("q", ("x",))]))
    base.engine.exchange_groups([], [reported])
    base.engine.exchange_groups([reported], [])
    assert base.given() == [GroundFact("told", ("x",))]
    go, stay = (base.engine.group(rows_of([GroundFact(name, ())])) for name in ("go", "stay"))
    base.engine.exchange_groups([], [go])
    with pytest.raises(KnowledgeBaseError, match="two actions in one state"):
        base.engine.exchange_groups([], [stay])
    base.engine.exchange_groups([go], [stay])
    assert GroundFact("stay", ()) in base.given()
    with pytest.raises(FactError, match="is derived"):
        base.engine.group(rows_of([GroundFact("r", ("x",))]))


def test_a_word_of_a_type_of_its_own_stays_what_it_is():
    """An eigenvariable equals no string, whatever the text of the string."""
    coder = FactCoder(Coding(THEORY.vocabulary))
    thing = Eigenvariable("x")
    own, word = coder.fact(GroundFact("q", (thing,))), coder.fact(GroundFact("q", ("x",)))
    assert own != word
    assert coder.coding.ground(own).values[0] is thing
    assert coder.coding.ground(coder.fact(GroundFact("q", (np.str_("x"),)))).values == ("x",)
    assert type(coder.coding.ground(word).values[0]) is str
