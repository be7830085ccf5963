"""Names of the language for the words of a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hornbook.kb.ast.terms import Variable
from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.gdl.plain_rules import ALTERNATIVE
from hornbook.planner.translation.literals import TOGETHER

TAKEN = frozenset(
    [
        "theory",
        "import",
        "sort",
        "static",
        "fluent",
        "action",
        "derived",
        "game",
        "meta",
        "frame",
        "persists",
        "replies",
        "example",
        "expect",
        "plan",
        "lemma",
        "before",
        "after",
        "all",
        "absent",
        "count",
        "sum",
        "min",
        "max",
        "by",
        "is",
        "in",
        "but",
        "or",
        "where",
        "gives",
        "then",
        "from",
        "counts",
        "unless",
        "operational",
        "observed",
        "complete",
        "stated",
        "demanded",
        "alternates",
        "fleeting",
        "says",
        "as",
        "with",
        "mod",
        "going",
        "worth",
        "reach",
        "turn_of",
    ]
)


class UniqueNames:
    """A set of distinct names; a repeated request gets a number."""

    def __init__(self, taken: Iterable[str] = TAKEN) -> None:
        self._given: set[str] = set(taken)

    def fresh(self, *wanted: str) -> str:
        """Return the first of the names that is free, or the last one with a number."""
        for each in map(plain, wanted):
            if each not in self._given:
                self._given.add(each)
                return each
        base, number = plain(wanted[-1]), 2
        while f"{base}_{number}" in self._given:
            number += 1
        self._given.add(f"{base}_{number}")
        return f"{base}_{number}"


def plain(word: str) -> str:
    """Return a valid name that resembles a word of a sheet."""
    made = re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_") or "p"
    return made if made[0].isalpha() else f"p_{made}"


def relation_text(relation: Relation) -> str:
    """Return the text for a relation of a sheet in names."""
    name = relation[0]
    if name.startswith((ALTERNATIVE, TOGETHER)):
        return name.replace(".", "_")
    return name


def variable(name: str) -> Variable:
    """Return the variable of the language for one of a sheet."""
    made = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "v"
    return Variable(made if made[0].isalpha() else f"v_{made}")
