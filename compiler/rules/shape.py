"""Shapes: a fast test that shows for most pairs of rules that one cannot subsume the other.

A substitution maps every condition of the general rule onto one of the specific rule, keeps constants, and
takes the head's variables to the head's terms. So whatever the general rule asks for (a condition with its
constants and head variables in place; two conditions that share a variable) the specific rule must offer.
Both are kept as bits of a number, so one comparison of numbers answers for the whole rule; two features may
fall on one bit, and then the look is less sharp, never wrong. Conditions by themselves are looked at first: that is
enough for most pairs, and what two conditions share is many times more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from zlib import crc32

from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Statement, Term, Variable

BITS = 4096
MAX_STATEMENTS = 60
"""Of a rule with more conditions no look is taken at what two of them share, so that a shape stays cheap to make."""
EVERYTHING = -1

Token = str | None
"""What is fixed in a column: a constant (`=black`), the head's term (`#0`), or nothing."""
Tokens = Sequence[list[tuple[Token, ...]]]
"""The tokens of each statement, by columns."""


@dataclass(frozen=True)
class Shape:
    """What a rule asks of a rule that it subsumes, and what it offers to one that subsumes it: made when first asked for,
    since who only matches rules never does.
    """

    rule: Rule

    def may_subsume(self, other: Shape) -> bool:
        """Whether the rule could subsume the other's; when not, it does not."""
        return (
            self._relation == other._relation
            and not self._asks & ~other._offers
            and not self._asks_of_two & ~other._offers_of_two
        )

    @cached_property
    def _relation(self) -> str:
        return self.rule.head.relation

    @property
    def _said(self) -> list[Statement]:
        return [c for c in self.rule.body if isinstance(c, Atom | GameStatement)]

    @property
    def _own(self) -> Tokens:
        return [_own_tokens(s, self.rule.head) for s in self._said]

    @property
    def _all(self) -> Tokens:
        return [_all_tokens(s, self.rule.head) for s in self._said]

    @cached_property
    def _asks(self) -> int:
        return _bits(chain.from_iterable(_patterns(self._said, self._own)))

    @cached_property
    def _offers(self) -> int:
        return _bits(chain.from_iterable(_patterns(self._said, self._all)))

    @cached_property
    def _asks_of_two(self) -> int:
        return _bits(_of_two(self._said, self._own, shared=False))

    @cached_property
    def _offers_of_two(self) -> int:
        if len(self._said) > MAX_STATEMENTS:
            return EVERYTHING
        return _bits(_of_two(self._said, self._all, shared=True))


def _bits(features: Iterable[str]) -> int:
    found = 0
    for feature in features:
        found |= 1 << crc32(feature.encode()) % BITS
    return found


def _own_tokens(statement: Statement, head: Statement) -> list[tuple[Token, ...]]:
    """What the statement asks for in each column: one token."""
    first = {term: f"#{i}" for i, term in reversed(list(enumerate(head.terms))) if isinstance(term, Variable)}
    return [(f"={t.value!r}" if isinstance(t, Constant) else first.get(t),) for t in statement.terms]


def _all_tokens(statement: Statement, head: Statement) -> list[tuple[Token, ...]]:
    """All that the statement offers in each column."""
    columns: list[tuple[Token, ...]] = []
    for term in statement.terms:
        named = [f"#{i}" for i, there in enumerate(head.terms) if there == term]
        constant = [f"={term.value!r}"] if isinstance(term, Constant) else []
        columns.append((None, *named, *constant))
    return columns


def _patterns(said: Sequence[Statement], tokens: Tokens) -> list[list[str]]:
    """Each condition with its tokens."""
    return [
        [f"{s.tense} {s.relation} {row}" for row in product(*columns)]
        for s, columns in zip(said, tokens, strict=True)
    ]


def _of_two(said: Sequence[Statement], tokens: Tokens, *, shared: bool) -> Iterator[str]:
    """Each two conditions that have a term in common, with their tokens.

    `shared` says which terms: for what a rule offers all that are alike, for what it asks its open variables.
    """
    patterns = _patterns(said, tokens)
    places: dict[Term, list[tuple[int, int]]] = {}
    for number, statement in enumerate(said):
        for column, term in enumerate(statement.terms):
            if shared or tokens[number][column] == (None,):
                places.setdefault(term, []).append((number, column))
    for there in places.values():
        # A statement goes with itself too: two conditions may become one.
        pairs = product(there, there) if shared else ((a, b) for a in there for b in there if a != b)
        for (one, column), (other, other_column) in pairs:
            for mine, theirs in product(patterns[one], patterns[other]):
                yield f"{mine} {column} & {theirs} {other_column}"
