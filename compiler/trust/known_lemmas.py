"""Which lemmas of a theory are used: those that the checker accepts, by the proofs that stand beside the theory's files.

A verdict is kept in the user's cache, for one text of the theory's files, one of their proofs, and one checker. So whoever loads
a theory whose lemmas are known to be proved need not import the checker. What is damaged is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.rules.beside import checker
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import folder
from hornbook.kb.text.writing import write_text


def proved(theory: Theory) -> dict[str, Rule]:
    """The lemmas that are proved of a theory which uses none, by name, as they are to be used."""
    if not theory.proofs:
        return {}
    whole = _identity(theory)
    found = _kept(theory, whole)
    if found is None:
        from hornbook.compiler.trust.lemma_proofs import accepted  # noqa: PLC0415 - slow to import

        found = accepted(theory)
        _keep(theory, whole, found)
    return found


def _identity(theory: Theory) -> str:
    said = [*theory.sources.items(), *(("", text) for text in theory.proofs)]
    return _digest("\0".join([checker(), *(f"{name}\0{_digest(text)}" for name, text in said)]))


def _keep(theory: Theory, whole: str, found: Mapping[str, Rule]) -> None:
    body = json.dumps({name: [rule.of_given, *sorted(rule.alone)] for name, rule in found.items()})
    with contextlib.suppress(OSError, ValueError):
        place = _place(theory)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_text(place, f"{whole} {_digest(body)}\n{body}")


def _kept(theory: Theory, whole: str) -> dict[str, Rule] | None:
    try:
        said, _, body = _place(theory).read_text(encoding="ascii").partition("\n")
        if said != f"{whole} {_digest(body)}":
            return None
        kept = json.loads(body)
    except (OSError, ValueError):
        return None
    return {
        rule.name: replace(rule, of_given=of_given, alone=frozenset(alone))
        for rule in theory.lemmas
        for of_given, *alone in ([kept[rule.name]] if rule.name in kept else ())
    }


def _place(theory: Theory) -> Path:
    """The file of a verdict: one for each theory, so that the cache does not grow as it is edited."""
    return folder() / f"{_digest(str(theory.path or theory.name))}.lemmas.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
