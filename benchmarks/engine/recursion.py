"""Recursive workloads: closures, same generation and points-to analysis, generated from a seed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from benchmarks.engine.program_text import Clause, Condition, Predicate, Row, write

X, Y, Z, W = -1, -2, -3, -4
"""Variables: a term below 0 is a variable, any other is a constant."""


def _rule(head: tuple[int, int, int], *body: tuple[int, int, int]) -> Clause:
    """Return a rule. Each tuple is an atom: the number of its predicate and two terms."""
    return Clause(Condition(head[0], head[1:]), tuple(Condition(p, (a, b)) for p, a, b in body))


def _closure(path: Path, edges: list[Row]) -> None:
    predicates = [Predicate("edge", 2), Predicate("path", 2)]
    rules = [
        _rule((1, X, Y), (0, X, Y)),
        _rule((1, X, Z), (1, X, Y), (0, Y, Z)),
    ]
    write(path, predicates, ((0, edge) for edge in edges), rules, [1])


def chain(path: Path, nodes: int, seed: int) -> None:
    """Write the closure of a chain: n (n - 1) / 2 pairs, each derived once."""
    _closure(path, [(node, node + 1) for node in range(nodes - 1)])


def random_graph(path: Path, nodes: int, seed: int) -> None:
    """Write the closure of a random graph with three edges per node: most nodes reach most others."""
    _closure(path, sorted(_pairs(Random(seed), 3 * nodes, nodes, nodes)))


def same_generation(path: Path, depth: int, seed: int) -> None:
    """Write the pairs of equally deep nodes of a balanced binary tree: the sum of 4^d for each depth d."""
    parents: list[Row] = [((child - 1) // 2, child) for child in range(1, 2 ** (depth + 1) - 1)]
    predicates = [Predicate("parent", 2), Predicate("same", 2)]
    rules = [
        _rule((1, X, Y), (0, Z, X), (0, Z, Y)),
        _rule((1, X, Y), (0, Z, X), (1, Z, W), (0, W, Y)),
    ]
    write(path, predicates, ((0, edge) for edge in parents), rules, [1])


def points_to(path: Path, variables: int, seed: int) -> None:
    """Write Andersen's analysis (1994): the possible targets of each variable of a random program,
    with its four rules.

    The frequencies of statements give about 1.2 million pairs, each derived some 40 times,
    with 2,600 variables.
    """
    random = Random(seed)
    predicates = [Predicate(n, 2) for n in ("address", "assign", "load", "store", "points")]
    shares = {0: 0.55, 1: 1.0, 2: 0.03, 3: 0.03}
    facts = [
        (statement, pair)
        for statement, share in shares.items()
        for pair in sorted(_pairs(random, int(share * variables), variables, variables))
    ]
    rules = [
        _rule((4, Y, X), (0, Y, X)),
        _rule((4, Y, X), (1, Y, Z), (4, Z, X)),
        _rule((4, Y, W), (2, Y, X), (4, X, Z), (4, Z, W)),
        _rule((4, Z, W), (3, Y, X), (4, Y, Z), (4, X, W)),
    ]
    write(path, predicates, facts, rules, [4])


def _pairs(random: Random, number: int, left: int, right: int) -> set[tuple[int, int]]:
    """Return `number` distinct pairs of different numbers."""
    found: set[tuple[int, int]] = set()
    while len(found) < number:
        pair = (random.randrange(left), random.randrange(right))
        if pair[0] != pair[1]:
            found.add(pair)
    return found
