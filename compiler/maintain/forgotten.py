"""Forgotten rules of a file: rules that are not used to answer, since their utility is negative.

The file `RULES.forgotten.json` beside a rule base names them, each with its digest and the reason. The rules
stay in the rule base, because proofs of other rules may depend on them. Without the file all rules are used,
so deleting it restores them.

Invariants: A rule that was edited, or replaced by another of the same name, is used.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.json_values import field_of, list_from_json, text_from_json
from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.writing import write_text


def forgotten_path(rules: Path) -> Path:
    """Return the path of the file that names the forgotten rules of a rule base."""
    return rules.with_name(f"{rules.stem}.forgotten.json")


def read_forgotten(rules: Path, base: RuleBase) -> dict[str, str]:
    """Return the reasons of the forgotten rules of a file, by name, in the order of the rule base.

    Raise TheoryError if the file that names them is malformed.
    """
    path = forgotten_path(rules)
    if not path.exists():
        return {}
    text = read_text(path)
    try:
        named = {_rule(each) for each in field_of(json.loads(text), "forgotten", "the file", list_from_json)}
    except (ValueError, RecursionError) as problem:
        message = f"this file does not name forgotten rules: {problem}"
        help_ = "delete it, and all rules are used; `hornbook rules prune` measures them again"
        diagnostic = error("HB005", message, Span(str(path), 1, 1, 1, 2), help_)
        raise TheoryError([diagnostic], {str(path): text}) from None
    reasons = {(name, digest): reason for name, digest, reason in named}
    known = ((each.rule.name, (each.rule.name, each.digest)) for each in base)
    return {name: reasons[key] for name, key in known if key in reasons}


def _rule(data: object) -> tuple[str, str, str]:
    """Return the name, the digest and the reason of a forgotten rule."""
    name, digest, reason = (field_of(data, key, "a rule", text_from_json) for key in _KEYS)
    return name, digest, reason


_KEYS = ("rule", "digest", "reason")


def forget(rules: Path, base: RuleBase, reasons: Mapping[str, str], used: Collection[str] = ()) -> None:
    """Add rules of a file to its forgotten ones, each with its reason, and use the rules in `used` again."""
    forgotten = {**read_forgotten(rules, base), **reasons}
    write_forgotten(rules, base, {name: why for name, why in forgotten.items() if name not in used})


def write_forgotten(rules: Path, base: RuleBase, reasons: Mapping[str, str]) -> None:
    """Write the names of the forgotten rules of a file, or delete the file if there are none."""
    path = forgotten_path(rules)
    if not reasons:
        path.unlink(missing_ok=True)
        return
    rows = [
        dict(zip(_KEYS, (name, base.entries[name].digest, reason), strict=True))
        for name, reason in reasons.items()
    ]
    write_text(path, json.dumps({"forgotten": rows}, ensure_ascii=False, indent=1) + "\n")
