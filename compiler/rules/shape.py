"""Shapes: a fast test that excludes subsumption for most pairs of rules.

A substitution maps every condition of the general rule onto one of the specific rule. It preserves constants,
and maps the head's variables to the head's terms. The specific rule therefore has every feature of the
general one. A feature is a condition with its constants and head variables, or a pair of conditions that
share a variable.

The features of a rule are bits of a number, so one comparison of numbers tests the whole rule. If two
features have the same bit, the test is weaker but still correct. Features of single conditions are compared
first: they decide most pairs, and there are many times more features of two conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, product
from zlib import crc32

from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Statement, Term, Variable
from hornbook.matcher.program.dataclass import dataclass

BITS = 4096
MAX_STATEMENTS = 60
"""The maximum number of conditions for which pairs of conditions are compared, which keeps shapes cheap."""
EVERYTHING = -1

Token = str | None
"""The fixed content of a column: a constant (`=black`), a term of the head (`#0`), or nothing."""
Tokens = Sequence[list[tuple[Token, ...]]]
"""The tokens of each statement, by column."""


@dataclass(frozen=True)
class SubsumptionShape:
    """The required and the offered features of a rule, computed on demand because pure matching never needs
    them.
    """

    rule: Rule

    def may_subsume(self, other: SubsumptionShape) -> bool:
        """Return whether the rule could subsume the other one; False is certain."""
        return (
            self._relation == other._relation
            and not self._asks & ~other._offers
            and not self._asks_of_two & ~other._offers_of_two
        )

    @cached_property
    def _relation(self) -> str:
        return self.rule.head.relation

    @property
    def _statements(self) -> list[Statement]:
        return [c for c in self.rule.body if isinstance(c, (Atom, GameStatement))]

    @property
    def _own(self) -> Tokens:
        return [_own_tokens(s, self.rule.head) for s in self._statements]

    @property
    def _all(self) -> Tokens:
        return [_all_tokens(s, self.rule.head) for s in self._statements]

    @cached_property
    def _asks(self) -> int:
        return _bits(map(_code, chain.from_iterable(_patterns(self._statements, self._own))))

    @cached_property
    def _offers(self) -> int:
        return _bits(map(_code, chain.from_iterable(_patterns(self._statements, self._all))))

    @cached_property
    def _asks_of_two(self) -> int:
        return _bits(_of_two(self._statements, self._own, shared=False))

    @cached_property
    def _offers_of_two(self) -> int:
        if len(self._statements) > MAX_STATEMENTS:
            return EVERYTHING
        return _bits(_of_two(self._statements, self._all, shared=True))


def _bits(codes: Iterable[int]) -> int:
    """Return the number that has a bit for each feature, given the codes of the features."""
    found = bytearray(BITS // 8)
    for place in {code % BITS for code in codes}:
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")


def _code(feature: str) -> int:
    return crc32(feature.encode())


def _own_tokens(statement: Statement, head: Statement) -> list[tuple[Token, ...]]:
    """Return the token that the statement requires in each column."""
    first = {term: f"#{i}" for i, term in reversed(list(enumerate(head.terms))) if isinstance(term, Variable)}
    return [(f"={t.value!r}" if isinstance(t, Constant) else first.get(t),) for t in statement.terms]


def _all_tokens(statement: Statement, head: Statement) -> list[tuple[Token, ...]]:
    """Return all tokens that the statement offers in each column."""
    columns: list[tuple[Token, ...]] = []
    for term in statement.terms:
        named = [f"#{i}" for i, head_term in enumerate(head.terms) if head_term == term]
        constant = [f"={term.value!r}"] if isinstance(term, Constant) else []
        columns.append((None, *named, *constant))
    return columns


def _patterns(conditions: Sequence[Statement], tokens: Tokens) -> list[list[str]]:
    """Return each condition with its tokens."""
    return [
        [f"{s.tense} {s.relation} {row}" for row in product(*columns)]
        for s, columns in zip(conditions, tokens, strict=True)
    ]


def _of_two(conditions: Sequence[Statement], tokens: Tokens, *, shared: bool) -> Iterator[int]:
    """Yield the code of each pair of conditions with a common term, with their tokens.

    If `shared` is True, all equal terms count, as for the offered features. Otherwise only open variables
    count.
    """
    patterns = _patterns(conditions, tokens)
    places: dict[Term, list[tuple[int, int]]] = {}
    for number, statement in enumerate(conditions):
        for column, term in enumerate(statement.terms):
            if shared or tokens[number][column] == (None,):
                places.setdefault(term, []).append((number, column))
    # The code of a pair continues that of its first condition.
    first: dict[tuple[int, int], list[int]] = {}
    second: dict[tuple[int, int], list[bytes]] = {}
    for occurrences in places.values():
        for number, column in occurrences:
            first[number, column] = [_code(f"{mine} {column} & ") for mine in patterns[number]]
            second[number, column] = [f"{theirs} {column}".encode() for theirs in patterns[number]]
        for one in occurrences:
            for other in occurrences:
                # A statement is paired with itself too, because two conditions may be mapped to the same one.
                if shared or one != other:
                    for code in first[one]:
                        for theirs in second[other]:
                            yield crc32(theirs, code)
