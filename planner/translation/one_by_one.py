"""A game of simultaneous moves as one of turns: the roles choose in sequence, then all move.

The sheet gets two additional state facts: the role that is choosing, and the choices made. Nothing else
changes until the last role chooses; then each rule for `next` uses the choices as moves. So the states with
the first role choosing are those of the sheet. That role can guarantee the same value as in the original
game. Later roles see the earlier choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Shape
from hornbook.planner.gdl.kif import RULE, Expression, KifList, KifVariable, KifWord, read
from hornbook.planner.translation.grounding import PossibleFacts
from hornbook.planner.translation.induction.one_step import Single


@dataclass(frozen=True, slots=True)
class OneByOne:
    """The sheet with turns, and its new names, which are no words of the original sheet."""

    text: str
    choosing: str
    chose: str

    def singles(
        self, found: PossibleFacts, before: PossibleFacts, proved: Iterable[Single]
    ) -> Iterator[Single]:
        """Yield the properties of this sheet's fluents, if `proved` was proved of the original sheet.

        Each state of this sheet has the facts of a state of the other one. One role is choosing. A role's
        choice is stored until it chooses again, and it chooses one move.
        """
        for single in proved:
            same = found.has(single.fluent) == before.has(single.fluent)
            yield replace(single, exactly=single.exactly and same)
        for relation in found.facts:
            name = relation[1][0][0] if relation[0] == "true" and relation[1][0] else ""
            if name == self.choosing:
                yield Single(relation, (), exactly=True)
            elif name == self.chose:
                yield Single(relation, (0,), exactly=False)


def one_by_one(text: str, file: str, before: PossibleFacts) -> OneByOne:
    """Return the game with turns for a sheet without errors; `before` has the possible facts of the sheet.

    Each clause stays on its line, and new ones are added at the end.
    """
    roles = before.roles
    expressions, _ = read(text, file)
    used = {word.name for word in _words(expressions)}
    choosing, chose, did, wait = (_free(name, used) for name in ("choosing", "chose", "did", "wait"))
    last = roles[-1]
    inserted: list[tuple[int, int, str]] = []
    for clause in expressions:
        inserted += _renamed(clause, did)
        is_rule = isinstance(clause, KifList) and clause.items[0] == KifWord(RULE, clause.span, RULE)
        head = clause.items[1] if is_rule and isinstance(clause, KifList) else clause
        if not isinstance(head, KifList) or not isinstance(head.items[0], KifWord):
            continue
        of = {"legal": head.items[1:2], "next": (KifWord(last, head.span, last),)}.get(head.items[0].name)
        if of is None:
            continue
        condition = f" (true ({choosing} {_text(of[0])}))"
        span = clause.span
        if is_rule:
            inserted.append((span.end_line, span.end_column - 1, condition))
        else:
            inserted.append((span.line, span.column, f"({RULE} "))
            inserted.append((span.end_line, span.end_column, f"{condition})"))
    after = zip(roles, (*roles[1:], roles[0]), strict=True)
    lines = [f"({RULE} (next ({choosing} {second})) (true ({choosing} {first})))" for first, second in after]
    lines += [
        f"({RULE} (next {fact}) (true {fact}) (not (true ({choosing} {last}))))" for fact in _facts(before)
    ]
    added = f"""
; Moves at the same time, chosen one after another.
(init ({choosing} {roles[0]}))
({RULE} (legal ?role {wait}) (role ?role) (not (true ({choosing} ?role))))
({RULE} (next ({chose} ?role ?move)) (does ?role ?move) (true ({choosing} ?role))
  (distinct ?role {last}) (distinct ?move {wait}))
({RULE} (next ({chose} ?role ?move)) (true ({chose} ?role ?move))
  (not (true ({choosing} ?role))) (not (true ({choosing} {last}))))
({RULE} ({did} {last} ?move) (does {last} ?move))
({RULE} ({did} ?role ?move) (true ({chose} ?role ?move)))
"""
    return OneByOne(_with(text, inserted) + added + "\n".join(lines) + "\n", choosing, chose)


def _free(name: str, used: set[str]) -> str:
    while name in used:
        name += "_"
    return name


def _words(expressions: Iterable[Expression]) -> Iterator[KifWord]:
    todo = list(expressions)
    while todo:
        each = todo.pop()
        if isinstance(each, KifWord):
            yield each
        elif isinstance(each, KifList):
            todo += each.items


def _renamed(clause: Expression, did: str) -> Iterator[tuple[int, int, str]]:
    """Yield the insertions that replace each `does` by `did`."""
    todo = [clause]
    while todo:
        each = todo.pop()
        if isinstance(each, KifList):
            first = each.items[0] if each.items else None
            if isinstance(first, KifWord) and first.name == "does":
                # Replace the four characters of `does` by a name inserted before it.
                yield first.span.line, first.span.column, f"{did}\0"
            todo += each.items


def _text(expression: Expression) -> str:
    match expression:
        case KifWord(name=name):
            return name
        case KifVariable(name=name):
            return f"?{name}"
        case KifList(items=items):
            return f"({' '.join(map(_text, items))})"


def _with(text: str, inserted: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with insertions at these lines and columns."""
    lines = list(lines_of(text))
    for line, column, more in sorted(inserted, reverse=True):
        old, place = lines[line - 1], column - 1
        if more.endswith("\0"):
            more, rest = more[:-1], old[place + len("does") :]  # noqa: PLW2901
        else:
            rest = old[place:]
        lines[line - 1] = old[:place] + more + rest
    return "\n".join(lines) + "\n"


def _facts(before: PossibleFacts) -> Iterator[str]:
    """Yield patterns of the facts of a state; a variable for a whole fact would also match the new facts."""
    for relation, rows in sorted(before.facts.items()):
        if relation[0] == "true":
            (shape,) = relation[1]
            yield from [_pattern(shape, count(1))] if shape else sorted(word for (word,) in rows)


def _pattern(shape: Shape, numbers: Iterator[int]) -> str:
    if not shape:
        return f"?v{next(numbers)}"
    return f"({shape[0]} {' '.join(_pattern(part, numbers) for part in shape[1])})"
