"""Implementation of `hornbook problems audit` without rules: a theory against its adapter's steps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hornbook.games.audit.of_theory import (
    StepDifference,
    Stepping,
    StepTally,
    Walks,
    audited,
    fact_shown,
    facts_by_predicate,
)
from hornbook.inputs.domains import domain_of
from hornbook.inputs.opening import reader_and_state
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.adapters import reader_of, why_none
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line
from hornbook.theories.domain import Domain

SHOWN = 10
"""The number of facts to show for one kind of difference; the others are counted."""


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """The walks that the command line asks for, from the states of files if it names any."""

    games: int
    moves: int
    seed: int
    states: tuple[Path, ...]
    problems: tuple[Path, ...]
    partial: bool
    most_facts: int | None


def audit_theory(name: str, options: WalkOptions, *, as_json: bool) -> None:
    """Compare a theory with the steps of its domain or adapter, and print the result.

    The exit code is 1 on a difference.
    """
    theory = open_theory(name)
    domain = _stepping(theory)
    states = [reader_and_state(theory, path)[1] for path in options.states]
    states += [
        domain.query_of(each).state for file in options.problems for each in domain.read_problems(file)
    ]
    if not states and domain_of(theory) is None:
        raise ArgumentError(
            f"`{theory.name}` has no domain.py with initial states of games: name states to begin with",
            argument="--state",
        )
    walks = Walks(options.games, options.moves, options.seed, tuple(states))
    tally = StepTally()
    with progress("auditing", options.games) as update_progress:
        for so_far in audited(
            theory, domain, walks, partial=options.partial, limits=Limits(facts=options.most_facts)
        ):
            tally = so_far
            update_progress(advance=1)
    print_line(json.dumps(_as_json(tally)) if as_json else "\n".join(_lines(tally, theory)))
    if tally.first is not None:
        raise ReportedError(1)


def _stepping(theory: Theory) -> Domain:
    """Return the step function for a theory. Raises ArgumentError if there is none."""
    domain = domain_of(theory)
    if domain is not None:
        return domain
    adapter = reader_of(theory)
    if adapter is not None and hasattr(adapter, "step") and hasattr(adapter, "actions"):
        return Stepping(adapter.module)
    lacks = "no adapter" + why_none(theory) if adapter is None else "an adapter without `actions` and `step`"
    raise ArgumentError(
        f"`{theory.name}` has {lacks}, so nothing but the theory says what an action leads to: write"
        " `actions(state)` and `step(state, action)` into its adapter.py, or `example` and `expect`"
        " clauses for"
        " `hornbook test`; --rules compares learned rules with search",
        argument="THEORY",
    )


def _lines(tally: StepTally, theory: Theory) -> Iterator[str]:
    wide = max((len(name) for name in tally.concluded), default=0)
    yield f"{'':{wide}}  concluded   false  missing"
    for name in sorted(tally.concluded | tally.missing):
        yield f"{name:{wide}}  {tally.concluded[name]:>9}{tally.false[name]:>8}{tally.missing[name]:>9}"
    differ = (
        "none of which differs"
        if tally.differing == 0
        else f"{counted(tally.differing, 'of which differs', 'of which differ')}"
    )
    yield f"{counted(tally.steps, 'action')} in {counted(tally.games, 'game')}, {differ}"
    if tally.first is not None:
        yield from _first(tally.first, theory)


def _first(found: StepDifference, theory: Theory) -> Iterator[str]:
    step = found.step
    yield ""
    yield (
        f"the first difference is after action {step.number} of game {step.game}, {_action(found)},"
        " in the state"
    )
    yield from (f"  {line}" for line in facts_by_predicate(step, theory))
    if found.refused is not None:
        yield "nothing can be concluded:"
        yield from (f"  {line}" for line in found.refused.split("\n"))
    yield from _some("concluded, and not so:", [f"{fact}  [{rule}]" for fact, rule in found.false])
    yield from _some("so, and not concluded:", found.missing)
    yield from _some("changed against a frame:", found.broken)


def _action(found: StepDifference) -> str:
    return fact_shown(found.step.action.relation, found.step.action.values)


def _some(title: str, rows: list[str] | tuple[str, ...]) -> Iterator[str]:
    if rows:
        yield title
        yield from (f"  {row}" for row in rows[:SHOWN])
        if len(rows) > SHOWN:
            yield f"  … and {len(rows) - SHOWN} more"


def _as_json(tally: StepTally) -> dict[str, Any]:
    first = tally.first
    return {
        "actions": tally.steps,
        "games": tally.games,
        "differing": tally.differing,
        "fluents": {
            name: {
                "concluded": tally.concluded[name],
                "false": tally.false[name],
                "missing": tally.missing[name],
            }
            for name in sorted(tally.concluded | tally.missing)
        },
        "first": None
        if first is None
        else {
            "game": first.step.game,
            "number": first.step.number,
            "action": _action(first),
            "state": [fact_shown(fact.relation, fact.values) for fact in first.step.before],
            "false": [{"fact": fact, "rule": rule} for fact, rule in first.false],
            "missing": list(first.missing),
            "broken": list(first.broken),
            "refused": first.refused,
        },
    }
