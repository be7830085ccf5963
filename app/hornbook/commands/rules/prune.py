"""The command `hornbook rules prune`: it deactivates the rules of a store that cost more than they save.

The store calls these rules `forgotten`. They are not the `retired` rules, which no longer follow from the
theory.
"""

from __future__ import annotations

import math
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.inputs.opening_store import open_store_theory
from hornbook.kb.text.counts import counted
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line, warn

StoreArgument = Annotated[str, argument("STORE", "The store, or `FILE#THEORY` if it has several theories.")]


def prune(
    store: StoreArgument,
    keep_value: Annotated[
        float, option("--keep-value", "SECONDS", "The minimum worth of a rule that stays active.")
    ] = 0.0,
    dry_run: Annotated[
        bool, flag("--dry-run", "List the rules that would be forgotten, and change nothing.")
    ] = False,
    json_output: options.Json = False,
) -> None:
    """Mark the rules of low utility in a store as forgotten; `hornbook rules restore` activates them again.

    The worth of a rule is the average number of seconds that it saves per problem: savings × frequency −
    match cost. A rule stays active if one of these was never measured. Forgotten rules are not used to
    answer, but other proofs may depend on them.
    """
    if not math.isfinite(keep_value):
        raise ArgumentError(f"{keep_value:g} is not a number of seconds", "--keep-value")
    with open_store_theory(store, "read" if dry_run else "write") as (opened, name):
        use, benchmarks = opened.usage(name), opened.benchmarks(name)
        worth = {
            rule.name: benchmarks[rule.name].value(use[rule.name])
            if rule.name in benchmarks and rule.name in use
            else None
            for rule in opened.rules(name, ["active"])
        }
        pruned = {rule: value for rule, value in worth.items() if value is not None and value < keep_value}
        if pruned and not dry_run:
            with opened.transaction():
                for rule, value in pruned.items():
                    reason = f"worth {value:.6f} s a problem, less than {keep_value:g}"
                    opened.set_state([rule], "forgotten", reason, name)
                opened.add_event("pruned", {"theory": name, "keep_value": keep_value, "rules": [*pruned]})
    unknown = sum(value is None for value in worth.values())
    if json_output:
        report = {"forgotten": pruned, "kept": len(worth) - len(pruned), "not_measured": unknown}
        print_json(report)
        return
    for rule, value in pruned.items():
        print_line(f"{rule}: worth {1000 * value:.3f} ms a problem")
    would = "would be " if dry_run else ""
    print_line(
        f"{counted(len(pruned), 'rule')} {would}forgotten,"
        f" {counted(len(worth) - len(pruned), 'stays', 'stay')},"
        f" of which {counted(unknown, 'was', 'were')} not measured"
    )
    if unknown:
        warn(
            f"`hornbook problems solve {store}` measures how often"
            f" rules answer, `hornbook theory profile {store}"
            " --write-statistics` what they cost"
        )
