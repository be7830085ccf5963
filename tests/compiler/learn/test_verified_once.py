"""Tests that a learned rule is replayed once, by the learner, and not again by a reader of the rule base."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.checker import checker
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase, rule_base
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.inputs.theories import load
from hornbook.theories.go.play import tactics
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.lessons import PART, game_of, moves_first


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))


def test_each_rule_is_replayed_once(monkeypatch):
    replayed: list[str] = []
    replay = checker._replay

    def counted(rule, *rest, **how):
        replayed.append(rule.name)
        return replay(rule, *rest, **how)

    monkeypatch.setattr(checker, "_replay", counted)
    theory = load(PART)
    problem = next(p for p in read_problems(shipped("train")) if p.depth == 3)
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    lesson = Problem(problem.id, "", problem.board, game_of(problem), moves_first(problem) or 0)
    assert all(taught.first for taught in learner.learn([lesson]))
    known = len(replayed)
    assert set(learner.base.entries) <= set(replayed)
    assert all(entry.is_certified for entry in with_verdicts(learner.base, theory))
    assert len(replayed) == known
    damaged = [
        replace(e, certificate=replace(e.certificate, steps=(), replies=()))
        for e in learner.base
        if e.certificate
    ]
    assert not any(e.is_certified for e in with_verdicts(rule_base(theory.name, damaged), theory))
