"""The goals of learning from a table of states: relations whose conclusions are to be covered."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hornbook.kb.ast.terms import Atom, GameStatement, Statement, Tense
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.coding import Coding, Relation
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.written_tables import table_name
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """A relation at a moment whose conclusions are to be covered."""

    name: str
    """The name of its table."""
    relation: Relation

    @property
    def moment(self) -> tuple[str, Tense | None]:
        return self.relation.template.relation, self.relation.template.tense


def coverage_goals(theory: Theory, predicates: Sequence[str] = ()) -> list[Goal]:
    """Return the goals with some predicates, by default those of the conclusions that a theory's `expect`
    clauses name.

    A predicate stands for its facts after the action, if the theory has actions, and the predicate of a game
    for the results of actions. Raise KnowledgeBaseError if a predicate has no such facts that rules conclude,
    or if no clause names a goal.
    """
    coding = Coding(theory.vocabulary)
    concluded = {
        each.head.predicate for index, rule in enumerate(theory.rules) for each in coding.rule(index, rule)
    }
    if predicates:
        found = [number for name in predicates for number in _goals_called(name, coding, concluded)]
    else:
        firsts = [expect.conditions[0] for expect in theory.expects if len(expect.conditions) == 1]
        named = [each for each in firsts if isinstance(each, Atom | GameStatement)]
        found = [coding.predicate_id(each.relation, each.tense) for each in named]
        found = [number for number in found if number in concluded]
        if not found:
            raise KnowledgeBaseError(
                f"the theory `{theory.name}` expects no conclusion of an example: name the goals' predicates"
            )
    relations = [coding.relations[number] for number in dict.fromkeys(found)]
    return [Goal(table_name(each.template), each) for each in relations]


def _goals_called(name: str, coding: Coding, concluded: Collection[int]) -> list[int]:
    words = coding.vocabulary.predicates
    if name not in words:
        hint = did_you_mean(name, words)
        raise KnowledgeBaseError(f"no predicate is called `{name}`" + (f"; {hint}" if hint else ""))
    templates = [
        (number, relation.template)
        for number, relation in enumerate(coding.relations)
        if number in concluded and _predicate(relation.template) == name
    ]
    later = [number for number, each in templates if each.tense == "after" or _has_action(each)]
    found = later or [number for number, _ in templates]
    if not found:
        raise KnowledgeBaseError(f"no rule of the theory concludes `{name}`")
    return found


def _predicate(template: Statement) -> str:
    return template.game.predicate if isinstance(template, GameStatement) else template.relation


def _has_action(template: Statement) -> bool:
    return isinstance(template, GameStatement) and template.by is not None
