"""Retired rules: rules that no longer follow after an edit of the theory, in a separate file with the
reasons.

The files `RULES.retired.horn` and `RULES.retired.proofs.jsonl` form a rule base like the original one. The
rules can therefore be verified again if the edit is undone.

Invariants: the text of earlier retired rules is preserved unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.maintain.renewal import Fate
from hornbook.compiler.rules.rulebase import comment, proof_as_json, rename
from hornbook.kb.ast.declarations import Import
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.proofs import proofs_path


def retired_path(rules: Path) -> Path:
    """Return the path of a rule base's retired rules."""
    return rules.with_name(f"{rules.stem}.retired.horn")


def written(retired: Sequence[Fate], rules: Path, theory: str) -> list[tuple[Path, str]]:
    """Return the files of retired rules with their new contents, in the order of writing.

    A rule already in the file is not written twice; a different rule with the same name is renamed. Raise
    TheoryError if an existing file cannot be read.
    """
    path = retired_path(rules)
    proofs = proofs_path(path)
    text = read_text(path) if path.exists() else _head(theory)
    lines = read_text(proofs) if proofs.exists() else ""
    existing = {clause.name: clause for clause in parse(text).clauses if isinstance(clause, Rule)}
    for each in retired:
        entry, name = each.entry, each.entry.rule.name
        if name in existing:
            if fingerprint_of_rule(existing[name]) == fingerprint_of_rule(entry.rule):
                continue
            number = next(n for n in count(1) if f"{name}_retired_{n}" not in existing)
            entry = rename(entry, f"{name}_retired_{number}")
        existing[entry.rule.name] = entry.rule
        reason = " ".join(each.reason.split())
        text += f"\n% Retired: {reason}.\n{comment(entry)}{print_rule(entry.rule).rstrip()}\n"
        lines += json.dumps(proof_as_json(entry), ensure_ascii=False) + "\n"
    return [(proofs, lines), (path, text)]


def _head(theory: str) -> str:
    return (
        f"% Rules that followed from the theory `{theory}` until it was edited, each with the reason why no"
        " longer.\n" + print_clause(Import(theory)).rstrip() + "\n"
    )
