"""`hornbook recertify`: learned rules after an edit of their theory."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from hornbook.compiler.maintain.recertification import Fate, State
from hornbook.compiler.maintain.retirement import retired_path
from hornbook.inputs.opening import JsonOption
from hornbook.kb.load.loader import load
from hornbook.stores.recertifying import FullRun, Run, leaving, recertify_file, verified_in_full
from hornbook.stores.recertifying_store import recertify_store
from hornbook.terminal.coloured import working
from hornbook.terminal.failure import ERROR, describe, wants_traceback

BAD_INPUT = 2
"""Where 1 says that a rule was retired."""
_COUNTED: dict[State, str] = {
    "untouched": "kept untouched",
    "renewed": "kept after checking",
    "repaired": "repaired",
    "retired": "retired",
    "uncertified": "without a certificate",
}


def recertify(
    rules: Annotated[
        Path | None,
        typer.Argument(
            metavar="RULES",
            help="A rule base, such as `learn` writes; not needed with --kb.",
            show_default=False,
        ),
    ] = None,
    theory: Annotated[
        str | None,
        typer.Option("--theory", metavar="THEORY", help="The theory that the rules are for, as it is now."),
    ] = None,
    kb: Annotated[
        Path | None,
        typer.Option("--kb", metavar="FILE.sqlite", help="A store, whose theory takes its text of today."),
    ] = None,
    problems: Annotated[
        list[Path] | None,
        typer.Option(
            "--problems",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Files with the examples or problems that the rules were learned from, if they moved.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would become of each rule, and write nothing.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Verify all rules that are kept besides, for its seconds.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Bring learned rules up to date after their theory was edited.

    Only rules whose certificates name what changed are checked again. What does not follow as it stands is learned
    again from its own example; what cannot be goes to RULES.retired.horn, with the reason. Exit code 1 where a rule
    was retired or has no certificate, 2 where the input is wrong: then nothing is written.
    """
    if (rules is None) == (kb is None):
        raise typer.BadParameter("name a file of rules or a store (--kb)", param_hint="RULES")
    if kb is None and theory is None:
        raise typer.BadParameter("it is missing", param_hint="--theory")
    try:
        with working("recertifying") if sys.stderr.isatty() else nullcontext():
            if rules is not None and theory is not None:
                known = load(theory)
                run = recertify_file(rules, known, problems or [], writing=not dry_run)
            else:
                assert kb is not None
                known, run = recertify_store(kb, theory, problems or [], writing=not dry_run)
            checked = verified_in_full(run.outcome, known) if full else None
    except Exception as problem:
        said, code = describe(problem)
        if code != ERROR or wants_traceback():
            raise
        sys.stderr.write(f"{said}\n")
        raise typer.Exit(BAD_INPUT) from None
    if json_output:
        typer.echo(json.dumps(_as_json(run, checked), ensure_ascii=False))
    else:
        typer.echo("\n".join([*_lines(run, checked), *_where(run, rules, dry_run=dry_run)]))
    fell = any(run.outcome.in_state(state) for state in ("retired", "uncertified"))
    if fell or (checked is not None and checked.refused):
        raise typer.Exit(1)


def _lines(run: Run, checked: FullRun | None) -> Iterator[str]:
    outcome = run.outcome
    for fate in outcome.fates:
        if fate.state != "untouched":
            yield f"{fate.entry.rule.name}: {_said_of(fate)}"
    counts = Counter(fate.state for fate in outcome.fates)
    parts = [
        f"{counts[state]} {said}"
        for state, said in _COUNTED.items()
        if counts[state] or state != "uncertified"
    ]
    yield f"{len(outcome.fates)} rules: {', '.join(parts)}"
    if outcome.added:
        yield f"{len(outcome.added)} rules more: {', '.join(outcome.added)}"
    if outcome.back:
        yield f"{len(outcome.back)} retired rules follow again, and are back: {', '.join(outcome.back)}"
    yield f"{outcome.replayed} certificate{'s' if outcome.replayed != 1 else ''} replayed; {run.seconds:.1f} s"
    if checked is not None:
        for verdict in checked.refused:
            yield f"{verdict.entry.rule.name}: a full run refuses it: {verdict.reason}"
        yield f"a full run replays {len(outcome.base)}; {checked.seconds:.1f} s"


def _where(run: Run, rules: Path | None, *, dry_run: bool) -> Iterator[str]:
    """Where the rules are that do not stand as they stood."""
    if any(leaving(run.outcome)):
        would = "would be" if dry_run else "is"
        if rules is None:
            yield f"what no longer stands {would} retired in the store"
        else:
            yield f"what no longer stands in {rules} {would} in {retired_path(rules)}"


def _said_of(fate: Fate) -> str:
    name = fate.entry.rule.name
    match fate.state:
        case "renewed":
            return f"kept after checking: {fate.reason}"
        case "repaired" if fate.by == name:
            return f"repaired, learned again: {fate.reason}"
        case "repaired" if fate.by:
            return f"repaired, `{fate.by}` says what its example teaches: {fate.reason}"
        case "repaired":
            return f"repaired, other rules prove its example: {fate.reason}"
        case state:
            return f"{_COUNTED[state]}: {fate.reason}"


def _as_json(run: Run, checked: FullRun | None) -> dict[str, object]:
    outcome = run.outcome
    written: dict[str, object] = {
        "rules": [
            {"rule": fate.entry.rule.name, "state": fate.state, "reason": fate.reason, "by": fate.by or None}
            for fate in outcome.fates
        ],
        "added": list(outcome.added),
        "back": list(outcome.back),
        "replayed": outcome.replayed,
        "seconds": round(run.seconds, 3),
    }
    if checked is not None:
        written["full"] = {
            "replayed": len(outcome.base),
            "seconds": round(checked.seconds, 3),
            "refused": [v.entry.rule.name for v in checked.refused],
        }
    return written
