"""A theory: the checked declarations, rules and facts of a file and all its imports.

A `Theory` is only created from files that passed the checker without errors (kb/load/loader.py). Users of it
can rely on declared predicates and safe rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from hornbook.kb.ast.declarations import Example, Expect, Frame, Predicate, Replies, Sort
from hornbook.kb.ast.terms import Rule, Statement, Tense
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass


class GroundFact(NamedTuple):
    """A fact in the form used by people: the name of a relation, words and numbers, and a moment.

    The relation is the name of a predicate, or `terms.game_relation(…)` for a statement on a game. A fluent
    without a tense belongs to the moment before the action: the current state.
    """

    relation: str
    values: tuple[str | int, ...]
    tense: Tense | None = None


_made: Callable[[tuple[Any, ...]], GroundFact] = partial(tuple.__new__, GroundFact)


def facts_of(
    relation: str, rows: Iterable[tuple[str | int, ...]], tense: Tense | None = None
) -> Iterator[GroundFact]:
    """Return facts of one relation. This is faster than creating them one by one."""
    return map(_made, zip(repeat(relation), rows, repeat(tense), strict=False))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The declared names: sorts (including the built-in ones) and predicates."""

    sorts: Mapping[str, Sort]
    predicates: Mapping[str, Predicate]


def counts_of(words: Vocabulary) -> dict[str, Predicate]:
    """Return, for each predicate whose sets are closed, the predicate that counts them."""
    found: dict[str, Predicate] = {}
    for predicate in words.predicates.values():
        if predicate.closes is not None:
            found.setdefault(predicate.closes, predicate)
    return found


@dataclass(frozen=True, slots=True, repr=False)
class Theory:
    """A checked theory. `examples` and `expects` belong to its own file; the other fields include imports.

    - `rules`: The rules in use, which are all assumed ones and the proved lemmas.
    - `lemmas`: The lemmas that are not proved.
    - `proofs`: The texts of certificates of lemmas, those of the own file first.
    - `sources`: The texts of files by name, for messages that quote them.
    - `adapters`: Whether adapter code from the folder of the theory may run.
    - `invented`: The predicates that learned rules define.
    """

    PLACES: ClassVar = ("path", "sources")
    """The fields that give the position of the theory, and no part of its meaning."""

    name: str
    path: Path | None
    vocabulary: Vocabulary
    frames: tuple[Frame, ...]
    rules: tuple[Rule, ...]
    facts: tuple[Statement, ...]
    examples: tuple[Example, ...]
    expects: tuple[Expect, ...]
    sources: Mapping[str, str]
    replies: tuple[Replies, ...] = ()
    adapters: bool = True
    lemmas: tuple[Rule, ...] = ()
    proofs: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<theory {self.name}: {counted(len(self.rules), 'rule')}, {counted(len(self.facts), 'fact')}>"

    def replies_of(self, game: str) -> Replies | None:
        """Return the `replies` clause of a game, or None."""
        return next((replies for replies in self.replies if replies.game.predicate == game), None)

    def without_lemmas(self) -> Theory:
        """Return the theory without the use of its lemmas."""
        used = tuple(rule for rule in self.rules if rule.lemma)
        rules = tuple(rule for rule in self.rules if not rule.lemma)
        return replace(self, rules=rules, lemmas=(*used, *self.lemmas))

    def without_keys_of(self, predicates: Collection[str]) -> Theory:
        """Return the theory without the keys of some predicates. Predicates that count a set keep theirs."""
        words = {
            name: replace(each, key=None) if name in predicates and each.closes is None else each
            for name, each in self.vocabulary.predicates.items()
        }
        return replace(self, vocabulary=Vocabulary(self.vocabulary.sorts, words))

    def rule(self, name: str) -> Rule:
        """Return the rule with this label or name. Raises KeyError if there is none."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise KeyError(name)
