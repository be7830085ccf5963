"""The theory of a sheet as text, and the form of its states and moves as facts of that theory."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.notation import print_term
from hornbook.kb.ast.terms import Constant, Span
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.gdl.game import Game
from hornbook.planner.translation.game_rules import GameRules
from hornbook.planner.translation.grounding import PossibleFacts, Row, ground
from hornbook.planner.translation.induction.one_step import AtomDefinitions
from hornbook.planner.translation.induction.one_valued import one_valued
from hornbook.planner.translation.induction.plays import flat_state, random_states
from hornbook.planner.translation.induction.turns import RoleTurns, turns_of
from hornbook.planner.translation.one_by_one import one_by_one
from hornbook.planner.translation.refused import UntranslatableError
from hornbook.planner.translation.sorts import WORTH
from hornbook.planner.translation.theory import TheoryDraft
from hornbook.planner.translation.translator import TRUTH_SORT

ONE_BY_ONE = "% The players choose one after another, and all moves are made when the last one has chosen."


@dataclass(frozen=True, slots=True)
class TranslatedSheet:
    """A translated sheet.

    `words` describes states and moves as facts (sheet_domain.py reads it). `sheet` is the game of the theory:
    the given one, or its version with sequential choices.
    """

    text: str
    sheet: str
    words: dict[str, Any]


def translate_sheet(text: str, file: str, name: str) -> TranslatedSheet:
    """Return the theory of a sheet.

    Raises TheoryError, with the place, if the sheet has errors or no theory can express it.
    """
    try:
        return _translated(text, file, name)
    except UntranslatableError as problem:
        span = problem.span or Span(file, 1, 1, 1, 1)
        if span.line > len(lines_of(text)):
            # The clause was added for simultaneous moves.
            span = Span(file, 1, 1, 1, 1)
        message = f"this cannot be a theory: {problem.message}"
        raise TheoryError([error("HB110", message, span, problem.help)], {file: text}) from None


def _translated(text: str, file: str, name: str) -> TranslatedSheet:
    found = ground(text, file)
    game = Game(text, file)
    states = [flat_state(state) for state in random_states(game, Random(1))]  # noqa: S311 - only a first sieve
    definitions = AtomDefinitions(found)
    singles = one_valued(definitions, states)
    turns = turns_of(definitions, singles)
    remarks = list[str]()
    if turns is None:
        made = one_by_one(text, file, found)
        remarks.append(ONE_BY_ONE)
        before, text, found = found, made.text, ground(made.text, file)
        definitions, singles = AtomDefinitions(found), tuple(made.singles(found, before, singles))
        turns = turns_of(definitions, singles)
        assert turns is not None
    truths: frozenset[Relation] = frozenset()
    circular = definitions.in_circles()
    while True:
        rules = GameRules(found, singles, turns, truths, circular)
        replies = rules.write_game()
        if rules.wanted_truths <= truths:
            break
        truths |= rules.wanted_truths
    return TranslatedSheet(_text(name, file, remarks, rules, replies), text, _words(rules, found, turns))


def _text(name: str, file: str, remarks: Sequence[str], rules: GameRules, replies: Replies | None) -> str:
    theory = rules.theory
    heading = [
        f"% Made of a sheet in GDL by `hornbook game import`: {file.rpartition('/')[2]}.",
        "% Absences in the sheet are expressed by facts; the labels of rules name lines of the sheet.",
        *remarks,
        f"theory {name}.",
        "",
    ]
    used = {s for d in theory.declared.values() for s in d.sorts if s != "int"}
    for sort in sorted(used):
        heading.append(
            f"sort {sort}{' = int' if sort == WORTH else ' = yes | no' if sort == TRUTH_SORT else ''}."
        )
    declared: list[str] = []
    for kind in ("static", "fluent", "action", "derived", "game"):
        declared += ["", *(d.text() for d in theory.declared.values() if d.kind == kind)]
    lines = [*heading, *declared, ""]
    if replies is not None:
        lines += [print_clause(replies), ""]
    lines += [print_rule(rule) for rule in theory.rules]
    for predicate, rows in sorted(theory.facts.items()):
        lines += ["", *(_fact(theory, predicate, row) for row in sorted(rows, key=_in_order))]
    return "\n".join(lines) + "\n"


def _in_order(row: Row) -> list[tuple[int, int, str]]:
    """Return the sort key of a row: numbers by size, before words."""
    return [(0, int(word), "") if word.isdigit() and word.isascii() else (1, 0, word) for word in row]


def _fact(theory: TheoryDraft, predicate: str, row: Row) -> str:
    sorts = theory.declared[predicate].sorts
    if not row:
        return f"{predicate}."
    values = (int(word) if sort in (WORTH, "int") else word for word, sort in zip(row, sorts, strict=True))
    return f"{predicate}({', '.join(print_term(Constant(value)) for value in values)})."


# The form of states and moves


def _words(rules: GameRules, found: PossibleFacts, turns: RoleTurns) -> dict[str, Any]:
    fluents = []
    for relation, fluent in rules.fluents.items():
        entry: dict[str, Any] = {
            "shape": relation[1][0],
            "name": fluent.name,
            "order": fluent.order,
            "numbers": [c for c in fluent.order if rules.sorts.of(relation, c) == WORTH],
        }
        if fluent.truth:
            entry["domain"] = sorted(found.has(relation))
        fluents.append(entry)
    actions = [{"shape": r[1][1], "name": action.name} for r, action in rules.actions.items()]
    idle = {role: {"shape": r[1][1], "words": row[1:]} for role, (r, row) in turns.idle.items()}
    turn = None if turns.fluent is None else {"shape": turns.fluent[1][0], "column": turns.column}
    return {"fluents": fluents, "actions": actions, "idle": idle, "turn": turn, "worths": rules.points}
