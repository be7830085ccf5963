"""The possible fluents and moves of a sheet according to clingo's grounder, from the flat rules."""

from __future__ import annotations

from collections.abc import Iterator

import clingo

from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import WORD, Shapes, width
from hornbook.planner.gdl.ground import Ground, term_of
from oracles.engine import clingo_programs


def possible(program: CodedGame) -> set[tuple[Ground, ...]]:
    """Return the arguments with which clingo grounds `true` and `does`.

    Every `next` fluent may be true, and every legal move may be made.
    """
    control = clingo.Control(["--warn=none"])
    control.add("base", [], clingo_programs.text(program.facts, program.rules))
    control.add("base", [], "\n".join(_choices(program)))
    control.ground([("base", [])])
    found: set[tuple[Ground, ...]] = set()
    for (relation, shapes), number in program.numbers.items():
        if relation in ("true", "does"):
            columns = sum(map(width, shapes))
            for atom in control.symbolic_atoms.by_signature(f"p{number}", columns):
                words = iter([program.words[cell.number] for cell in atom.symbol.arguments])
                found.add(tuple(term_of(shape, words) for shape in shapes))
    return found


def _choices(program: CodedGame) -> Iterator[str]:
    role = program.numbers["role", (WORD,)]
    for (name, shapes), number in program.numbers.items():
        if name in ("init", "next") and ("true", shapes) in program.numbers:
            terms = _terms(shapes)
            yield f"{{p{program.numbers['true', shapes]}{terms}}} :- p{number}{terms}."
        elif name == "legal" and ("does", shapes) in program.numbers:
            terms = _terms(shapes)
            yield f"{{p{program.numbers['does', shapes]}{terms}}} :- p{number}{terms}, p{role}(V0)."


def _terms(shapes: Shapes) -> str:
    names = ", ".join(f"V{column}" for column in range(sum(map(width, shapes))))
    return f"({names})" if names else ""
