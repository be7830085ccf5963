"""The memory of accepted proofs, by content, so that no proof is replayed without need.

A verdict is known by the rule, its certificate, the rules that this rests on, the theory's meaning and the checker's own
sources: where one of them is another, there is no verdict. That of many rules at once is known by their texts. Only
acceptance is remembered. The file is one of the user's
cache (kb/sources/cache.py), and as trusted as the program itself; one that cannot be read or written is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.checker.form import text_of_rule
from hornbook.compiler.rules.admission import Entry
from hornbook.compiler.rules.beside import checker
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.witness.questions import meaning
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import folder
from hornbook.kb.text.writing import write_text

MOST = 200_000
"""With so many verdicts the file is begun anew."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A rule with its proof, as the checker saw them: `proof` in any theory that has what it names, `verdict` in one."""

    proof: str
    verdict: str

    @property
    def keys(self) -> tuple[str, str]:
        return self.proof, self.verdict


def identity(entry: Entry, lemmas: Mapping[str, Lemma], theory: Theory) -> Identity:
    """What a rule with a certificate is known by; `lemmas` has those that were accepted before it."""
    assert entry.certificate is not None
    said = [
        text_of_rule(entry.rule),
        json.dumps(certificate_as_json(entry.certificate), sort_keys=True),
        checker(),
        *_of_given(theory),
    ]
    used = (lemmas.get(name) for name in sorted(entry.certificate.lemmas))
    said += [
        ""
        if lemma is None
        else f"{lemma.rank} {lemma.reached} {sorted(lemma.alone)} {text_of_rule(lemma.rule)}"
        for lemma in used
    ]
    proof = _digest("\0".join(said))
    return Identity(proof, _digest(f"{proof}\0{meaning(theory)}"))


def identity_of_all(texts: Iterable[str], theory: Theory) -> str:
    """What rules and their proofs, as the texts that they are read from, are known by where nothing is wrong with any: all
    fit the theory's language, and the checker accepted each proof.
    """
    return _digest("\0".join([*map(_digest, texts), checker(), *_of_given(theory), meaning(theory)]))


def _of_given(theory: Theory) -> list[str]:
    """The theory's lemmas that are proved of given states only, as no text of theirs says."""
    return [f"given {rule.name}" for rule in theory.rules if rule.of_given]


def recall() -> frozenset[str]:
    """All that was accepted by this checker."""
    try:
        first, *rest = remembered_file().read_text(encoding="ascii").split("\n")
    except (OSError, ValueError):
        return frozenset()
    # A line that another process is writing may not be whole.
    return frozenset(line for line in rest if len(line) == len(first)) if first == checker() else frozenset()


def remember(accepted: Iterable[str]) -> None:
    """Keeps that what is known by these was accepted."""
    known = recall()
    new = [key for key in accepted if key not in known]
    if not new:
        return
    lines = "".join(f"{key}\n" for key in new)
    with contextlib.suppress(OSError, ValueError):
        if known and len(known) + len(new) <= MOST:
            with remembered_file().open("a", encoding="ascii", newline="") as file:
                file.write(lines)
        else:
            remembered_file().parent.mkdir(parents=True, exist_ok=True)
            write_text(remembered_file(), f"{checker()}\n{lines}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def remembered_file() -> Path:
    """Where it is kept, if anything is."""
    return folder() / "rules.txt"
