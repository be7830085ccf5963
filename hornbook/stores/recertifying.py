"""Learned rules after an edit of their theory: read, brought up to date, and written, all of it or nothing.

Always true: nothing is written before every rule has its fate, and every rule that leaves its file stands in the one
of retired rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.maintain.recertification import Fate, Recertified, recertify
from hornbook.compiler.maintain.relearning import Relearning
from hornbook.compiler.maintain.retirement import Retired, retired_path, written
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.rulebase import entries_of
from hornbook.compiler.rules.verification import Verdict, verify_all
from hornbook.games.known_examples import KnownExamples
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.writing import write_texts


@dataclass(frozen=True, slots=True)
class Run:
    """What became of the rules, and the seconds that it took."""

    outcome: Recertified
    seconds: float


@dataclass(frozen=True, slots=True)
class FullRun:
    """What the checker says of all rules that were kept, and the seconds that it took."""

    refused: tuple[Verdict, ...]
    seconds: float


def recertify_file(rules: Path, theory: Theory, named: Sequence[Path], *, writing: bool) -> Run:
    """Brings a file of rules up to date; `named` are files with examples. Raises TheoryError where it is no file of
    such rules, OSError where nothing can be written.
    """
    started = time.perf_counter()
    base, misfits = rulebase.read_older(rules, theory)
    examples = KnownExamples(theory, rules.parent, named)
    before = entries_of(retired_path(rules)) if retired_path(rules).exists() else []
    outcome = recertify(base, theory, misfits, Relearning(theory, examples.find), before)
    changed = any(fate.state not in ("untouched", "uncertified") for fate in outcome.fates)
    if writing and (changed or outcome.back):
        gone = list(leaving(outcome))
        aside = written(gone, rules, theory.name) if gone else []
        write_texts([*aside, *rulebase.written(outcome.base, rules)])
    return Run(outcome, time.perf_counter() - started)


def leaving(outcome: Recertified) -> Iterator[Retired]:
    """The rules that are no longer there as they were, though somebody may want them."""
    for fate in outcome.fates:
        if fate.state == "retired":
            yield Retired(fate.entry, fate.reason)
        elif fate.state == "repaired" and not _is_there(fate, outcome):
            instead = (
                f"`{fate.by}` was learned in its place" if fate.by else "its example is proved by others"
            )
            yield Retired(fate.entry, f"{fate.reason}; {instead}")


def _is_there(fate: Fate, outcome: Recertified) -> bool:
    """Whether a rule says what it said."""
    now = outcome.base.entries.get(fate.entry.rule.name)
    return now is not None and fingerprint_of_rule(now.rule) == fingerprint_of_rule(fate.entry.rule)


def verified_in_full(outcome: Recertified, theory: Theory) -> FullRun:
    """Replays the certificates of all rules that were kept, as if nothing was known of them."""
    started = time.perf_counter()
    open_ones = {fate.entry.rule.name for fate in outcome.in_state("uncertified")}
    verdicts = list(verify_all(outcome.base, theory))
    refused = (v for v in verdicts if not v.follows and v.entry.rule.name not in open_ones)
    return FullRun(tuple(refused), time.perf_counter() - started)
