"""The use of lemmas: a theory uses those that a judge accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.proofs import proofs_text

LemmaJudge = Callable[[Theory], Mapping[str, Rule]]
"""A function from a theory that uses none of its lemmas to the proved ones by name, as rules to be used.

This package cannot check proofs, so a theory uses only the lemmas that its caller's judge accepts. Without a
judge it uses none. The conclusion of a lemma follows without it, so consequences do not depend on a judge.
"""


def with_proved_lemmas(
    whole: Theory,
    path: Path,
    files: Iterable[Path],
    proofs: Callable[[Path], str] = proofs_text,
    judge: LemmaJudge | None = None,
) -> Theory:
    """Return a theory with its proved lemmas only, each at its place among the rules.

    Args:
        whole: The theory with all lemmas among its rules.
        path: The file of the theory.
        files: All files that were read for it.
        proofs: The texts of the proofs for a file.
        judge: The judge of lemmas.
    """
    lemmas = tuple(rule for rule in whole.rules if rule.lemma)
    if not lemmas:
        return whole
    texts = map(proofs, dict.fromkeys((path, *reversed([*files]))))
    theory = replace(
        whole,
        rules=tuple(rule for rule in whole.rules if not rule.lemma),
        lemmas=lemmas,
        proofs=tuple(filter(None, texts)),
    )
    if judge is None:
        return theory
    found = judge(theory)
    used = (found.get(rule.name) if rule.lemma else rule for rule in whole.rules)
    return replace(
        theory,
        rules=tuple(rule for rule in used if rule is not None),
        lemmas=tuple(rule for rule in lemmas if rule.name not in found),
    )
