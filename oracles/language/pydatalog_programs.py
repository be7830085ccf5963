"""Coded programs as programs of pyDatalog, with queries for all facts of every predicate, in another process.

Only matches and comparisons without arithmetic are expressible. pyDatalog may not terminate on mutual
recursion, so each program has a limit of processor time.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hornbook.matcher.program.coded import CodedPredicate, CodedRule, CodedTerm, Compare, Fact, Match, Var

CHILD = Path(__file__).with_name("pydatalog_child.py")
Facts = dict[int, set[tuple[int, ...]]]


def saturate_all(
    programs: Iterable[tuple[Sequence[CodedPredicate], Iterable[Fact], Iterable[CodedRule]]],
) -> Iterator[Facts | None]:
    """Yield the facts of each program, or None if pyDatalog exceeds its time limit."""
    questions = [
        {
            "text": "\n".join([*(f"+ {_atom(Match(*fact))}" for fact in given), *map(_rule, rules)]),
            "arities": [predicate.arity for predicate in predicates],
        }
        for predicates, given, rules in programs
    ]
    while questions:
        child = subprocess.run(
            [sys.executable, str(CHILD)],
            input=json.dumps(questions),
            capture_output=True,
            text=True,
            check=False,
        )
        lines = child.stdout.splitlines()
        for line in lines:
            answer = enumerate(json.loads(line))
            yield {predicate: {tuple(row) for row in rows} for predicate, rows in answer}
        if child.returncode == -signal.SIGVTALRM:
            yield None
            lines.append("")
        else:
            assert child.returncode == 0, child.stderr
        questions = questions[len(lines) :]


def _term(term: CodedTerm) -> str:
    return f"X{term.index}" if isinstance(term, Var) else str(term)


def _atom(match: Match) -> str:
    return f"p{match.predicate}({', '.join(map(_term, match.terms))})"


def _rule(rule: CodedRule) -> str:
    matches, equations, others = [], [], []
    for condition in rule.body:
        if isinstance(condition, Match):
            matches.append(_atom(condition))
            continue
        assert isinstance(condition, Compare)
        if condition.operator == "=" and condition.left == condition.right:
            continue  # pyDatalog would require a value first
        operator = "==" if condition.operator == "=" else condition.operator
        comparison = f"({_term(condition.left)} {operator} {_term(condition.right)})"
        if isinstance(condition.left, Var) or isinstance(condition.right, Var):
            (equations if operator == "==" else others).append(comparison)
        elif not eval(comparison):
            return ""
    body = " & ".join([*matches, *equations, *others])
    return f"{_atom(rule.head)} <= {body}" if body else f"+ {_atom(rule.head)}"
