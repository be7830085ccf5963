"""Random theories with rules that depend on complete relations: absences, and aggregates with and without
groups.

Each has derived predicates in layers, some of them operational, tables for given facts, and rules about a
game in the form of learned rules. All have the same meaning for every engine; numbers are small, so nothing
overflows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

THINGS = ("a", "b", "c", "d")
_BEGINNING = """theory made.
sort thing.
static near(thing, thing) complete.
static marked(thing) complete.
static worth(thing, int) complete.
static at(thing -> thing) complete.
static there(thing, thing).
action take(thing).
game won(thing).
"""
_TABLES = {"near": 2, "marked": 1, "worth": 2, "at": 2, "there": 2}


@dataclass(frozen=True, slots=True)
class CompleteTheory:
    """A theory, its text, rules about its game, and the names of its derived predicates."""

    theory: Theory
    text: str
    rules: tuple[Rule, ...]
    derived: tuple[str, ...]


def made(random: Random) -> CompleteTheory:
    known: list[tuple[str, str]] = [("near", "tt"), ("marked", "t"), ("worth", "ti"), ("at", "tt")]
    lines = [_BEGINNING]
    derived = []
    for number in range(random.randint(2, 4)):
        name, columns = f"d{number}", random.choice(("t", "tt", "ti"))
        operational = random.choice(("", "", " operational"))
        sorts = ", ".join({"t": "thing", "i": "int"}[column] for column in columns)
        lines.append(f"derived {name}({sorts}){operational}.")
        for way in range(1 if operational else random.randint(1, 2)):
            lines.append(f"{name}_{way}: {name}({_head(columns)}) :- {_body(random, known, columns)}.")
        known.append((name, columns))
        derived.append(name)
    text = "\n".join(lines) + "\n"
    rules = "".join(
        f"r{n}: won(?x) by take(?y) is GI :- there(?x, ?y), {_body(random, known, 'tt')}.\n"
        for n in range(random.randint(2, 4))
    )
    parsed = parse(rules, "learned.horn")
    assert not parsed.diagnostics, parsed.diagnostics
    clauses = tuple(each for each in parsed.clauses if isinstance(each, Rule))
    return CompleteTheory(load_text(text, "made.horn"), text + rules, clauses, tuple(derived))


def facts(random: Random) -> list[GroundFact]:
    """Return a state: some facts of each table."""
    found = {GroundFact("at", (thing, random.choice(THINGS))) for thing in THINGS if random.random() < 0.5}
    for name, width in _TABLES.items():
        for _ in range(0 if name == "at" else random.choice((1, 3, 6, 10))):
            cells: list[str | int] = [random.choice(THINGS) for _ in range(width)]
            if name == "worth":
                cells[1] = random.randint(-2, 3)
            found.add(GroundFact(name, tuple(cells)))
    return sorted(found, key=str)


def _head(columns: str) -> str:
    return {"t": "?x", "tt": "?x, ?y", "ti": "?x, ?n"}[columns]


def _body(random: Random, known: list[tuple[str, str]], columns: str) -> str:
    """Return conditions that bind the variables of a head with these columns."""
    parts = [f"near({random.choice(('?x, ?y', '?y, ?x'))})"]
    if random.random() < 0.4:
        parts.append(_atom(random, known, ("?x", "?y", "?z"), "?k"))
    for _ in range(random.choice((0 if columns == "ti" else 1, 1, 1, 2))):
        parts.append(
            _absence(random, known) if random.random() < 0.6 else _aggregate(random, known, f"?m{len(parts)}")
        )
    if columns == "ti":
        parts.append(_aggregate(random, known, "?n"))
    return ", ".join(parts)


def _atom(random: Random, known: list[tuple[str, str]], things: tuple[str, ...], number: str) -> str:
    name, columns = random.choice(known)
    terms = [
        random.choice((*things, "_")) if column == "t" else random.choice((number, "_")) for column in columns
    ]
    return f"{name}({', '.join(terms)})"


def _absence(random: Random, known: list[tuple[str, str]]) -> str:
    things = ("?x", "?y", "?v")
    if random.random() < 0.6:
        return f"absent {_atom(random, known, things, '1')}"
    parts = [_atom(random, known, ("?x", "?v"), "1"), _atom(random, known, ("?v", "?y"), "0")]
    if random.random() < 0.3:
        parts.append(f"absent {_atom(random, known, ('?x', '?v'), '2')}")
    return f"absent ({', '.join(parts)})"


def _aggregate(random: Random, known: list[tuple[str, str]], result: str) -> str:
    group = random.choice(("", "", " by ?x", " by ?x, ?y"))
    function = random.choice(("count ?v", "sum ?w", "min ?w", "max ?w"))
    parts = [f"near({random.choice(('?x, ?v', '?v, ?x', '?v, ?u'))})"]
    numbers = [(name, columns) for name, columns in known if columns == "ti"]
    if "?w" in function:
        parts.append(f"{random.choice(numbers)[0]}({random.choice(('?v', '?x'))}, ?w)")
    if random.random() < 0.5:
        parts.append(
            random.choice(
                (_atom(random, known, ("?v", "?y"), "1"), _absence(random, known).replace("?v", "?s"))
            )
        )
    if group == " by ?x, ?y":
        parts.append("near(?x, ?y)")
    elif group:
        parts.append("near(?x, ?t)")
    mark = result[1:]
    text = f"{function}{group} where ({', '.join(parts)})"
    return f"{result} = " + re.sub(r"\?([vwust])\b", rf"?\1{mark}", text)
