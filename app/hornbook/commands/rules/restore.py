"""The command `hornbook rules restore`: it reactivates forgotten rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument
from hornbook.commands.rules.prune import RulesArgument
from hornbook.compiler.maintain.forgotten import forget, read_forgotten
from hornbook.inputs.opening_store import open_store_theory, rules_of
from hornbook.inputs.store_names import store_named
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.counts import counted
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line


def restore(
    rules: RulesArgument,
    names: Annotated[
        list[str] | None, argument("NAME", "The rules; by default all that are forgotten.")
    ] = None,
    theory: options.TheoryOfRules = None,
    json_output: options.Json = False,
) -> None:
    """Use forgotten rules again, with their proofs and their use.

    Only rules that `hornbook rules prune` or `hornbook learn` made forgotten are restored. Retired rules are
    subsumed by a more general rule, or no longer follow.
    """
    restored = (
        _in_file(rules, theory, names or []) if store_named(rules) is None else _in_store(rules, names or [])
    )
    if json_output:
        print_json({"restored": restored})
    else:
        print_line(
            f"{counted(len(restored), 'rule is', 'rules are')} active again"
            + "".join(f"\n{name}" for name in restored)
        )


def _in_store(store: str, names: list[str]) -> list[str]:
    with open_store_theory(store, "write") as (opened, known):
        rules = {rule.name: rule for rule in opened.rules(known)}
        for name in names:
            if name not in rules:
                hint = did_you_mean(name, rules)
                raise ArgumentError(f"the store has no rule `{name}`; {hint}".rstrip("; "), "NAME")
            if rules[name].state == "retired":
                raise ArgumentError(f"`{name}` is retired: {rules[name].reason}", "NAME")
        restored = [name for name in names or rules if rules[name].state == "forgotten"]
        if restored:
            with opened.transaction():
                opened.set_state(restored, "active", "", known)
                opened.add_event("restored", {"theory": known, "rules": restored})
    return restored


def _in_file(file: str, theory: str | None, names: list[str]) -> list[str]:
    learned = rules_of(file, theory)
    for name in names:
        if name not in learned.base.entries:
            hint = did_you_mean(name, learned.base.entries)
            raise ArgumentError(f"the file has no rule `{name}`; {hint}".rstrip("; "), "NAME")
    forgotten = read_forgotten(Path(file), learned.base)
    restored = [name for name in names or forgotten if name in forgotten]
    if restored:
        forget(Path(file), learned.base, {}, restored)
    return restored
