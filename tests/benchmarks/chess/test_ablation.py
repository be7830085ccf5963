"""Tests of the ablation study.

A smaller theory must lack the rules left out of its files, and every predicate that describes replies.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from benchmarks.chess.ablation import Smaller, figures, theories
from benchmarks.chess.answers import SolverResult
from hornbook.compiler.trust.kinds import kinds
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import predicate_of


def test_what_is_left_out():
    whole, *smaller = (theory for _, theory in theories(load("chess")))
    lost = [Counter(whole.rules) - Counter(theory.rules) for theory in smaller]
    files = [{Path(rule.span.file).stem for rule in rules} for rules in lost]
    assert files == [{"prospects"}, {"forks"}, {"escort"}, {"prospects", "forks", "escort"}]
    assert {predicate_of(rule.head) for rule in lost[0]} == {"mated"}
    defined = {
        predicate_of(rule.head)
        for rule, kind in zip(whole.rules, kinds(whole), strict=True)
        if kind == "definition"
    }
    for theory in smaller:
        concluded = {predicate_of(rule.head) for rule in theory.rules}
        assert {"owner", "owns", "walks", "illegal", "alive"} & defined <= concluded
    assert not {"forks", "caught"} & {predicate_of(rule.head) for rule in smaller[1].rules}


def test_a_row_says_what_was_learned_and_how_long_answers_took():
    answered = tuple(SolverResult("whole", (), seconds) for seconds in (1.5, 2.5))
    _, row = figures([Smaller("whole", 413, 31, 643, 40, 159.6, answered)]).splitlines()
    assert row.split() == ["whole", "413", "31", "643", "40", "160", "4"]


ROOT = Path(__file__).parents[3]
_NAMES = {"king and pawn": "kpk", "mate in one": "mate1", "mate in two": "mate2", "**solved**": "all"}


def solved(name: str) -> list[dict[str, list[int]]]:
    """Return the solved problems of each motif, with one column per theory for single matches and for chains."""
    result = (ROOT / "benchmarks" / "results" / name).read_text(encoding="utf-8")
    found: list[dict[str, list[int]]] = []
    for table in result.split("\nmotif ")[1:]:
        by_motif: dict[str, list[int]] = {}
        for line in table.splitlines():
            won = [int(one) for one in re.findall(r"(\d+)/\d+/\d+", line)]
            if won:
                there = by_motif.get(line.split()[0], [0] * len(won))
                by_motif[line.split()[0]] = [a + b for a, b in zip(there, won, strict=True)]
        found.append(by_motif)
    return found


def test_the_page_on_opponents_has_what_was_measured():
    page = (ROOT / "docs" / "explanation" / "the-opponent.md").read_text(encoding="utf-8")
    rows = [
        line.strip("| ").split(" | ")
        for line in page.splitlines()
        if re.search(r"(\| \d+, \d+ ){6}\|$", line)
    ]
    at_once, chains = solved("chess-ablation.txt")
    invented_at_once, invented_in_chains = solved("chess-ablation-foreseen.txt")
    assert {_NAMES.get(row[0], row[0]): row[2:] for row in rows} == {
        motif: [
            f"{one}, {more}"
            for one, more in zip(
                (*at_once[motif], *invented_at_once[motif]),
                (*chains[motif], *invented_in_chains[motif]),
                strict=True,
            )
        ]
        for motif in at_once
    }
