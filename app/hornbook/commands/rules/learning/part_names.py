"""Names for the parts of learned rules: `hornbook rules invent --rules` and its output."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from hornbook.compiler.learn.shortening.shortening import shortened
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.games.lessons import long_rules
from hornbook.inputs.opening_store import open_theory
from hornbook.inputs.store_names import store_named
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line


def name_parts_of_rules(theory: str, rules: Path, into: Path | None, *, json_output: bool) -> None:
    """Give the rules of a file short forms, and write them to another file, by default to the same one.

    Raises:
        ArgumentError: If the rules are in a store, or the other file exists.
    """
    if store_named(rules) is not None:
        raise ArgumentError("the parts of rules get names in a file of rules", argument="--rules")
    if into is not None and (store_named(into) is not None or into.exists()):
        raise ArgumentError(f"{shown(into)} is not a new file", argument="--into")
    given = open_theory(theory, unchanged=True)
    place = rules if into is None else into
    rulebase.must_import(place, given)
    started = time.perf_counter()
    base = rulebase.read(rules, given)
    with progress("naming the parts of rules", None, lines=True):
        found = shortened(base, given)
    rulebase.write(found.base, place)
    # Replay the proofs once in the written form; later readers use the cached result.
    with_verdicts(found.base, found.base.definitions.extended(given))
    seconds = time.perf_counter() - started
    before, after, parts = _median(base), _median(found.base), len(found.base.definitions.parts)
    if json_output:
        report = {"rules": len(found.base), "before": before, "after": after, "parts": parts}
        print_json({**report, "long": dict(found.reasons), "seconds": round(seconds, 3)})
        return
    for line in long_rules(found):
        print_line(line)
    print_line(
        f"{counted(len(found.base), 'rule')} in {shown(place)}, {counted(parts, 'named part')}; conditions of"
        f" a rule (median): {after:g}, before: {before:g}\n{seconds:.1f} s"
    )


def _median(base: RuleBase) -> float:
    """Return the median number of conditions of the rules that answer."""
    return median([len(entry.rule.body) for entry in base if not entry.rule.lemma] or [0])
