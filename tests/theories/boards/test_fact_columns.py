"""Tests of positions as columns: they have the facts that the adapter states, and the games of the domain."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hornbook.inputs.domains import the_domain
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import Part, facts_in
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.boards.fact_columns import BoardColumns
from hornbook.theories.protocols.columns import ColumnStates
from hornbook.theories.protocols.games import RuleQuery

GAMES = ("abalone", "checkers", "othello", "tiles")


class Words(dict[str, int]):
    """The number of each word."""

    def __missing__(self, word: str) -> int:
        return self.setdefault(word, 1000 + len(self))


def decoded(columns: Any, kinds: Any, words: Words) -> list[tuple[Any, ...]]:
    """Return rows with their words; the first columns without a kind stay as they are."""
    names = {number: word for word, number in words.items()}
    read = [memoryview(column).cast("q").tolist() for column in columns]
    first = len(read) - len(kinds)
    return [
        (*row[:first], *(names[c] if k == "word" else c for c, k in zip(row[first:], kinds, strict=True)))
        for row in zip(*read, strict=True)
    ]


def as_lists(query: RuleQuery) -> tuple[list[Part], list[Atom]]:
    return list(query.parts), list(query.games)


def domain_of(name: str) -> Any:
    return the_domain(load(name), "what is asked about its states")


@pytest.mark.parametrize("name", GAMES)
def test_columns_have_the_facts_of_the_adapter(name):
    theory, domain, random = load(name), domain_of(name), Random(name)
    assert isinstance(domain, BoardColumns)
    assert isinstance(domain, ColumnStates)
    states = [state for _ in range(4) for state in random.choices(domain.random_game(random), k=6)]
    shapes: dict[Any, list[Any]] = {}
    for state in states:
        (query,) = domain.column_queries(domain.compact_state(state), None, theory)
        shapes.setdefault(query.shape, []).append(query)
    for queries in shapes.values():
        words = Words()
        block = domain.column_block(queries, words.__getitem__)
        common = {
            (relation, row)
            for relation, columns in block.common.items()
            for row in decoded(columns, domain.kinds[relation], words)
        }
        found = [set(common) for _ in queries]
        for relation, columns in block.given.items():
            rows = decoded(columns, domain.kinds[relation], words)
            assert [row[0] for row in rows] == sorted(row[0] for row in rows)
            for place, *row in rows:
                assert (relation, tuple(row)) not in found[place]
                found[place].add((relation, tuple(row)))
        for query, facts in zip(queries, found, strict=True):
            assert facts == {(fact.relation, fact.values) for fact in domain.facts(query.state)}
        asked: list[set[Atom]] = [set() for _ in queries]
        for game, columns in block.games.items():
            sorts = theory.vocabulary.predicates[game].columns
            kinds = [
                "integer" if theory.vocabulary.sorts[s.name].kind == "integer" else "word" for s in sorts
            ]
            for place, *row in decoded(columns, kinds, words):
                asked[place].add(Atom(game, tuple(map(Constant, row))))
        assert asked == [set(domain.games(query.state)) for query in queries]


@pytest.mark.parametrize("name", GAMES)
def test_a_query_has_the_parts_and_games_of_the_question(name):
    theory, domain, random = load(name), domain_of(name), Random(name)
    for state in random.choices(domain.random_game(random), k=5):
        (query,) = domain.column_queries(state, None, theory)
        (question,) = domain.questions(state, theory)
        assert as_lists(query.rule_query()) == as_lists(question)
        game = random.choice(domain.games(state))
        (single,) = domain.column_queries(state, game, theory)
        assert as_lists(single.rule_query()) == as_lists(domain.question(state, game))
        assert domain.column_queries(state, Atom("win", (Constant("nobody"),)), theory) is None
        facts = [fact for part in domain.parts(state) for fact in facts_in(part.rows())]
        assert sorted(facts, key=str) == sorted(domain.facts(state), key=str)
        assert len(set(facts)) == len(facts)
