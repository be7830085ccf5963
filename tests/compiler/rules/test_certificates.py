"""Tests of certificates as data: they round-trip, and any other input gives a reason and never a crash."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.compiler.checker.certificate import (
    ProofStep,
)
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.form import form_of_term
from hornbook.compiler.rules.certificates import (
    MAX_STEPS,
    certificate_as_json,
    certificate_from_json,
    term_from_json,
)
from hornbook.kb.ast.terms import Constant, Rule, Variable
from oracles.proofs.learned_rules import certificate_of, rule_of, step, theory_of

THEORY = theory_of(
    """
    sort s. fluent m(s, s). fluent n(s -> int) counts m. static near(s, s). fluent v(s -> int).
    action go(s). derived good(s). derived fine(s). game win(s).
    near(a1, a2).
    all_near: good(?b) :- n(?b, ?k), all ?l in m(?b, ?l): (near(?l, ?x), v(?x, ?i), ?i > 2).
    fine: fine(?b) :- good(?b), v(?b, ?i), ?i * 2 > ?i.
    moved: before win(?b) by go(?b) is GI :- go(?b), before fine(?b).
    """
)
RULE = rule_of(
    "win(?b) by go(?b) is GI :- n(?b, 1), m(?b, ?l), near(?l, ?x), v(?x, ?j), ?j > 5, v(?b, ?i), ?i * 2 > ?i."
)
CERTIFICATE = certificate_of(
    RULE,
    [step("all_near", b="?b", k=1), step("fine", b="?b", i="?i"), step("moved", None, b="?b")],
    THEORY,
)


def test_a_certificate_is_read_back_as_it_was_written():
    verify(RULE, CERTIFICATE, THEORY)
    again = certificate_from_json(json.loads(json.dumps(certificate_as_json(CERTIFICATE))))
    assert again == CERTIFICATE
    verify(RULE, again, THEORY)


@given(
    st.text(max_size=6) | st.sampled_from(("?x", "'?x", "''", "'", "?")) | st.integers(-(2**63), 2**63 - 1)
)
def test_terms_are_read_back_as_they_were_written(value):
    assert term_from_json(json.loads(json.dumps(form_of_term(Constant(value))))) == Constant(value)
    if isinstance(value, str):
        assert term_from_json(json.loads(json.dumps(form_of_term(Variable(value))))) == Variable(value)


# Hostile data

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(("?b", "before", "moved")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=300)
@given(json_values, st.sampled_from(("format", "rank", "of", "steps", "fingerprints")))
def test_data_of_another_form_is_refused(value, place):
    data = certificate_as_json(CERTIFICATE)
    data[place] = value
    _is_handled(RULE, data)


@settings(max_examples=100)
@given(json_values)
def test_any_data_is_refused(value):
    with pytest.raises(ValueError, match="certificate"):
        certificate_from_json(value)


def test_a_certificate_that_was_tampered_with_proves_its_rule_or_is_refused():
    for number in range(1_000):
        random = Random(number)
        data = json.loads(json.dumps(certificate_as_json(CERTIFICATE)))
        for _ in range(random.randint(1, 3)):
            _tamper(data, random)
        _is_handled(RULE, data)


ODD: tuple[Any, ...] = (
    None, True, 1, -1, 0, 2**64, 1.5, float("inf"), float("nan"), "", "?", "?b", "?b@", "?#1.0", "?(b)", "'", "x" * 5_000,
    "before", "after", "rule moved", "lemma moved", "\ud800", [], {}, [[]], {"b": "?b"}, {"b": []},
)  # fmt: skip


def _tamper(data: Any, random: Random) -> None:
    """Replace, drop, duplicate or swap a random part."""
    places: list[tuple[Any, Any]] = []
    todo = [data]
    while todo:
        item = todo.pop()
        keys = list(item) if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else []
        places += [(item, key) for key in keys]
        todo += [item[key] for key in keys]
    container, key = random.choice(places)
    match random.choice(("odd", "drop", "double", "swap")):
        case "odd":
            container[key] = random.choice(ODD)
        case "drop":
            del container[key]
        case "double" if isinstance(container, list):
            container.insert(random.randint(0, len(container)), container[key])
        case _:
            other, place = random.choice(places)
            if key in container if isinstance(container, dict) else key < len(container):
                container[key] = json.loads(json.dumps(other[place]))


def _is_handled(rule: Rule, data: Any) -> None:
    assert len(_reason(rule, data)) < 10_000


def _reason(rule: Rule, data: Any) -> str:
    try:
        verify(rule, certificate_from_json(data), THEORY)
    except (ValueError, RejectedError) as problem:
        return str(problem)
    return ""


@pytest.mark.deep
def test_deep_and_huge_data_is_refused_in_time():
    started = time.process_time()
    deep: Any = "?b"
    for _ in range(100_000):
        deep = [deep]
    for place in ("format", "rank", "of", "steps", "fingerprints"):
        with pytest.raises(ValueError, match="certificate"):
            certificate_from_json({**certificate_as_json(CERTIFICATE), place: deep})
    huge = [certificate_as_json(CERTIFICATE)["steps"][0]] * (MAX_STEPS + 1)
    with pytest.raises(ValueError, match="more than 100,000 steps"):
        certificate_from_json({**certificate_as_json(CERTIFICATE), "steps": huge})
    many = certificate_from_json({**certificate_as_json(CERTIFICATE), "steps": huge[:20_000]})
    with pytest.raises(RejectedError):
        verify(RULE, many, THEORY)
    assert time.process_time() - started < 20


def test_a_search_without_end_is_cut_off():
    """The members of a set could be matched in every order: the theory's `all` joins them all."""
    theory = theory_of(
        """
        sort s. fluent m(s, s). fluent n(s -> int) counts m. fluent q(s, s). derived good(s).
        all_linked: good(?b) :- n(?b, _),
          all ?l in m(?b, ?l): (q(?l, ?p1), q(?p1, ?p2), q(?p2, ?p3), q(?p3, ?p4), q(?p4, ?p5), q(?p5, ?p6), q(?p6, ?b)).
        """
    )
    links = ", ".join(f"q(?x{i}, ?x{j})" for i in range(12) for j in range(12))
    rule = rule_of(f"good(?b) :- n(?b, 1), m(?b, ?x0), {links}.")
    started = time.process_time()
    with pytest.raises(RejectedError, match="no proof was found within 500,000 steps of search"):
        verify(rule, certificate_of(rule, [step("all_linked", b="?b", _1=1)], theory), theory)
    assert time.process_time() - started < 30


def test_steps_that_repeat_themselves_change_nothing():
    twice = [s for each in CERTIFICATE.steps for s in (each, each)]
    verify(RULE, certificate_of(RULE, twice, THEORY), THEORY)
    extra = (*CERTIFICATE.steps, ProofStep("all_near", "before", (("b", Variable("b")), ("k", Constant(1)))))
    verify(RULE, certificate_of(RULE, extra, THEORY), THEORY)
