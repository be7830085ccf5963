"""Text format of the programs for all peers.

Each line is one item; numbers are predicates (by position in the file) and cells, which are never negative:

    p colour 2                         a predicate: its name and width
    f 0 17 1                           a fact
    r 3 7 ?0 ?1 | 0 ?0 1 | != ?0 ?1    a rule: its head, and its conditions (facts, or comparisons)
    u 0 17 1 | 0 17 2                  an update: the removed and the added fact
    q 3                                a queried predicate

A peer gets the rules and their conditions in the order of this file, and may reorder them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, get_args

Row = tuple[int, ...]
Operator = Literal["!=", "<", "<=", ">", ">="]
Term = int
"""Cell, or the variable number -1 - term."""


@dataclass(frozen=True, slots=True)
class Predicate:
    name: str
    arity: int


class Condition(NamedTuple):
    """Fact to match, by the number of its predicate, or a comparison of two terms, by its operator."""

    predicate: int | Operator
    terms: tuple[Term, ...]


class Clause(NamedTuple):
    head: Condition
    body: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Update:
    """Removal of one fact and addition of another: their predicates and cells."""

    removed: tuple[int, Row]
    added: tuple[int, Row]


@dataclass(frozen=True, slots=True)
class Program:
    """Contents of a file without its rules, which may be many: `rules` reads them again, one by one."""

    path: Path
    predicates: list[Predicate] = field(default_factory=list)
    facts: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    updates: list[Update] = field(default_factory=list)
    queried: list[int] = field(default_factory=list)

    def rules(self) -> Iterator[Clause]:
        with self.path.open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith("r "):
                    head, *body = (_condition(part) for part in line[2:].split("|"))
                    yield Clause(head, tuple(body))


_OPERATORS: dict[str, Operator] = {operator: operator for operator in get_args(Operator)}


def _term(word: str) -> Term:
    return -1 - int(word[1:]) if word.startswith("?") else int(word)


def _condition(text: str) -> Condition:
    first, *terms = text.split()
    return Condition(_OPERATORS.get(first) or int(first), tuple(map(_term, terms)))


def _fact(text: str) -> tuple[int, Row]:
    predicate, *cells = map(int, text.split())
    return predicate, tuple(cells)


def read(path: Path) -> Program:
    program = Program(path)
    with path.open(encoding="ascii") as lines:
        for line in lines:
            kind, rest = line[0], line[2:]
            if kind == "p":
                name, arity = rest.split()
                program.predicates.append(Predicate(name, int(arity)))
            elif kind == "f":
                predicate, row = _fact(rest)
                program.facts[predicate].append(row)
            elif kind == "u":
                removed, added = rest.split("|")
                program.updates.append(Update(_fact(removed), _fact(added)))
            elif kind == "q":
                program.queried.append(int(rest))
    return program


def write(
    path: Path,
    predicates: Iterable[Predicate],
    facts: Iterable[tuple[int, Row]],
    rules: Iterable[Clause],
    queried: Iterable[int],
    updates: Iterable[Update] = (),
) -> None:
    with path.open("w", encoding="ascii") as lines:
        lines.writelines(f"p {p.name} {p.arity}\n" for p in predicates)
        lines.writelines(f"f {_numbers(fact)}\n" for fact in facts)
        lines.writelines(f"q {predicate}\n" for predicate in queried)
        lines.writelines(f"u {_numbers(u.removed)} | {_numbers(u.added)}\n" for u in updates)
        for rule in rules:
            lines.write(f"r {' | '.join(map(_shown, (rule.head, *rule.body)))}\n")


def _numbers(fact: tuple[int, Row]) -> str:
    return " ".join(map(str, (fact[0], *fact[1])))


def _shown(condition: Condition) -> str:
    terms = " ".join(str(term) if term >= 0 else f"?{-1 - term}" for term in condition.terms)
    return f"{condition.predicate} {terms}"
