"""Tests that a theory is reported if it states that one game is both won and lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.base.contradictions import contradictions
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.proof import Proof
from hornbook.kb.load.loader import load_text
from oracles.pages.markdown_blocks import run_hornbook

THEORY = """\
theory prey.

sort thing.
action chase(thing).
fluent slow(thing).
fluent quick(thing).
game catch(thing).

the_slow_are_caught:   catch(?t) by chase(?t) is GI :- slow(?t).
the_quick_are_not:     catch(?t) by chase(?t) is PI :- quick(?t).
the_slow_are_lost:     catch(?t) is GG :- slow(?t).
the_quick_are_safe:    catch(?t) is IP :- quick(?t).
"""


def base_with(facts: str, theory: str = THEORY) -> KnowledgeBase:
    base = KnowledgeBase(load_text(theory))
    base.add_text(facts)
    return base


def test_won_against_lost_is_found_for_every_game_and_action():
    base = base_with("slow(hare). quick(hare). slow(snail). quick(fox).")
    found = [
        str(contradiction).split(" both follow", maxsplit=1)[0] for contradiction in contradictions(base)
    ]
    assert found == [
        "`before catch(hare) is GG` and `before catch(hare) is IP`",
        "`before catch(hare) by chase(hare) is GI` and `before catch(hare) by chase(hare) is PI`",
    ]


def test_both_statements_can_be_queried_why():
    base = base_with("slow(hare). quick(hare).")
    first = next(contradictions(base))
    proofs: list[Proof] = [base.why("catch(hare) is GG"), base.why("catch(hare) is IP")]
    assert [proof.rules[0].name for proof in proofs] == ["the_slow_are_lost", "the_quick_are_safe"]
    assert "the theory is at fault" in str(first)


@pytest.mark.parametrize("facts", ["slow(hare). quick(fox).", "quick(hare).", ""])
def test_values_that_say_different_things_are_no_contradiction(facts):
    assert list(contradictions(base_with(facts))) == []


def test_values_of_different_levels_are_compared():
    theory = THEORY.replace("is IP", "is IPII")  # falls to PI, against GG
    (first,) = list(contradictions(base_with("slow(hare). quick(hare).", theory.replace("is PI", "is II"))))
    assert "`before catch(hare) is GG` and `before catch(hare) is IPII`" in str(first)


def test_moments_are_apart():
    theory = (
        THEORY
        + "still_slow: after slow(?t) :- chase(_), before slow(?t).\n"
        + "it_wakes: after quick(?t) :- chase(_), before slow(?t).\n"
    )
    found = [str(c) for c in contradictions(base_with("slow(hare). chase(hare).", theory))]
    assert found
    assert all(text.startswith("`after catch(hare)") for text in found)


def test_hornbook_test_names_the_example_and_both_statements(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = THEORY + "\nexample a_hare: slow(hare), quick(hare).\nexpect a_hare: catch(hare) is GG.\n"
    Path("prey.horn").write_text(text, encoding="utf-8")
    output, code = run_hornbook(["test", "prey.horn"])
    assert code == 1
    assert "prey.horn:14:9: example `a_hare`: `before catch(hare) is GG`" in output
    assert "`before catch(hare) is IP` both follow" in output
    assert "the theory is at fault" in output
    assert "Traceback" not in output
