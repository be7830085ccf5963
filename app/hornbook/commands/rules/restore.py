"""The command `hornbook rules restore`: it reactivates pruned rules."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument
from hornbook.commands.rules.prune import StoreArgument
from hornbook.inputs.opening_store import open_store_theory
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.counts import counted
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line


def restore(
    store: StoreArgument,
    names: Annotated[
        list[str] | None, argument("NAME", "The rules; by default all that `rules prune` retired.")
    ] = None,
    json_output: options.Json = False,
) -> None:
    """Take retired rules back, with their proofs and their use.

    Only rules that `hornbook rules prune` retired are restored. Other retired rules are subsumed by a more
    general rule, or no longer follow.
    """
    with open_store_theory(store, "write") as (opened, known):
        rules = {rule.name: rule for rule in opened.rules(known)}
        for name in names or ():
            rule = rules.get(name)
            if rule is None:
                hint = did_you_mean(name, rules)
                raise ArgumentError(f"the store has no rule `{name}`; {hint}".rstrip("; "), "NAME")
            if rule.state == "retired":
                raise ArgumentError(f"`{name}` is retired: {rule.reason}", "NAME")
        restored = [name for name in names or rules if rules[name].state == "forgotten"]
        if restored:
            with opened.transaction():
                opened.set_state(restored, "active", "", known)
                opened.add_event("restored", {"theory": known, "rules": restored})
    if json_output:
        print_json({"restored": restored})
    else:
        print_line(
            f"{counted(len(restored), 'rule is', 'rules are')} active again"
            + "".join(f"\n{name}" for name in restored)
        )
