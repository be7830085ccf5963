"""A theory: the declarations, rules and facts of a file and of all that it imports, checked.

A `Theory` is only ever made from files that passed the checker without errors (kb/load/loader.py), so what reads
it need not ask again whether a predicate is declared or a rule is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from hornbook.kb.ast.declarations import Example, Expect, Frame, Predicate, Replies, Sort
from hornbook.kb.ast.terms import Rule, Statement, Tense
from hornbook.kb.text.counts import counted


class GroundFact(NamedTuple):
    """A fact as people write it: a relation's name, words and numbers, and a moment.

    The relation is a predicate's name, or `terms.game_relation(…)` for a statement on a game. Without a
    tense, a fluent is meant before the action: the state at hand.
    """

    relation: str
    values: tuple[str | int, ...]
    tense: Tense | None = None


_made: Callable[[tuple[Any, ...]], GroundFact] = partial(tuple.__new__, GroundFact)


def facts_of(
    relation: str, rows: Iterable[tuple[str | int, ...]], tense: Tense | None = None
) -> Iterator[GroundFact]:
    """Facts of one relation, many at a time: made sooner than one by one."""
    return map(_made, zip(repeat(relation), rows, repeat(tense), strict=False))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The declared names: sorts (the built-in ones too) and predicates."""

    sorts: Mapping[str, Sort]
    predicates: Mapping[str, Predicate]


def counts_of(words: Vocabulary) -> dict[str, Predicate]:
    """For each predicate whose sets are closed, the predicate that counts them."""
    found: dict[str, Predicate] = {}
    for predicate in words.predicates.values():
        if predicate.closes is not None:
            found.setdefault(predicate.closes, predicate)
    return found


@dataclass(frozen=True, slots=True, repr=False)
class Theory:
    """All that a theory says. `examples` and `expects` are those of its own file, the rest includes imports.

    `rules` are those that are used: all that are assumed, and the lemmas that are proved. `lemmas` are those that are not. `proofs`
    are the texts of certificates of lemmas, those nearest to the theory's own file first.
    `sources` maps file names to their texts, for messages that point into them. `adapters` says whether code beside the
    theory may be run.
    """

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

    def __repr__(self) -> str:
        return f"<theory {self.name}: {counted(len(self.rules), 'rule')}, {counted(len(self.facts), 'fact')}>"

    def replies_of(self, game: str) -> Replies | None:
        """What the theory says about an opponent's replies in a game; None if it says nothing."""
        return next((replies for replies in self.replies if replies.game.predicate == game), None)

    def without_lemmas(self) -> Theory:
        """What the theory assumes: it uses none of its lemmas."""
        used = tuple(rule for rule in self.rules if rule.lemma)
        rules = tuple(rule for rule in self.rules if not rule.lemma)
        return replace(self, rules=rules, lemmas=(*used, *self.lemmas))

    def rule(self, name: str) -> Rule:
        """The rule with this label or name; KeyError if there is none."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise KeyError(name)
