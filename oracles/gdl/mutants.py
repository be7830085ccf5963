"""Sheets with a few random mistakes: words, clauses and parentheses of other sheets are moved, removed or
repeated.
"""

from __future__ import annotations

import re
from random import Random

KEYWORDS = (
    *("role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "sees", "random"),
    *("not", "or", "and", "distinct", "<=", "?x", "?m", "?", "0", "100", "101", "-1", "many", "(", ")"),
)
_TOKEN = re.compile(r"[()]|[^\s();]+")


def mutant(text: str, random: Random) -> str:
    """Return the sheet with one to three changes."""
    clauses = _clauses(_TOKEN.findall(re.sub(r";.*", "", text)))
    for _ in range(random.randint(1, 3)):
        random.choice((_word, _word, _word, _swapped, _dropped, _denied, _clause))(clauses, random)
    return "\n".join(" ".join(clause) for clause in clauses) + "\n"


def _clauses(tokens: list[str]) -> list[list[str]]:
    """Return the tokens of each top-level list."""
    found: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        found[-1].append(token)
        depth += (token == "(") - (token == ")")
        if depth == 0:
            found.append([])
    return [clause for clause in found if clause]


def _place(clauses: list[list[str]], random: Random) -> tuple[list[str], int]:
    clause = random.choice([clause for clause in clauses if clause] or [["x"]])
    return clause, random.randrange(len(clause))


def _word(clauses: list[list[str]], random: Random) -> None:
    """Replace a word by another word of the sheet or of GDL."""
    clause, place = _place(clauses, random)
    words = [token for token in clause if token not in "()"]
    if clause[place] in "()" and words:
        place = random.choice([at for at, token in enumerate(clause) if token not in "()"])
    other, at = _place(clauses, random)
    clause[place] = random.choice([random.choice(KEYWORDS), other[at], random.choice(words or ["x"])])


def _swapped(clauses: list[list[str]], random: Random) -> None:
    (one, place), (other, at) = _place(clauses, random), _place(clauses, random)
    one[place], other[at] = other[at], one[place]


def _dropped(clauses: list[list[str]], random: Random) -> None:
    """Remove a word or a whole list."""
    clause, place = _place(clauses, random)
    del clause[place : _end(clause, place)]


def _denied(clauses: list[list[str]], random: Random) -> None:
    """Wrap a word or a list in `not`, `or` or `distinct`, or remove a `not`."""
    clause, place = _place(clauses, random)
    if "not" in clause:
        clause.remove("not")
        return
    end = _end(clause, place)
    clause[place:end] = ["(", random.choice(("not", "or", "distinct")), *clause[place:end], ")"]


def _clause(clauses: list[list[str]], random: Random) -> None:
    """Remove a clause, or repeat one at another place."""
    place = random.randrange(len(clauses))
    clause = clauses.pop(place) if len(clauses) > 1 else clauses[0]
    if random.random() < 0.5:
        clauses.insert(random.randrange(len(clauses) + 1), list(clause))
        clauses.insert(place, list(clause))


def _end(clause: list[str], place: int) -> int:
    """Return the end of the word or list at a place."""
    depth = 0
    for at in range(place, len(clause)):
        depth += (clause[at] == "(") - (clause[at] == ")")
        if depth <= 0:
            return at + 1
    return len(clause)
