"""Checks of completeness declarations against the facts given on a command line.

They find forgotten tables, and complete relations with fewer facts than a count states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.terms import NOWHERE, Aggregate, Atom, Comparison, Constant, Variable
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.fact_places import FactsFromPlace, FactsInStore, FactSource
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import Query

_GIVEN = ("static", "fluent")
MAX_NAMED = 8
"""The maximum number of relations that a message names."""


def relations_of(source: FactSource) -> Iterator[str]:
    """Yield the relations for which a source gives facts.

    A table without rows gives an empty relation. A store gives none.
    """
    if isinstance(source, FactColumns):
        yield source.relation
    elif not isinstance(source, FactsInStore):
        facts = source.facts if isinstance(source, FactsFromPlace) else source
        yield from dict.fromkeys(fact.relation for fact in facts)


def named_briefly(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def empty_relations_warning(theory: Theory, given: Collection[str]) -> str | None:
    """Return a warning about complete relations that have neither given facts nor a rule."""
    concluded = {rule.head.relation for rule in theory.rules if rule.head.tense != "after"}
    known = {*given, *concluded, *(fact.relation for fact in theory.facts)}
    missing = [each for each in _complete(theory.vocabulary) if each.name not in known]
    if not missing:
        return None
    names = named_briefly([f"`{each.name}` ({each.span.file}:{each.span.line})" for each in missing])
    are, all_of = ("are", "all of each") if len(missing) > 1 else ("is", "all of it")
    return (
        f"nothing is given of {names}, which {are} declared complete, so {all_of} is absent;"
        f" if there is none, give a table without rows: `--facts {missing[0].name}=FILE`"
    )


def check_counts(base: KnowledgeBase) -> None:
    """Check the number of facts of complete relations.

    Raises KnowledgeBaseError if a count states more facts than are given.
    """
    vocabulary = base.theory.vocabulary
    complete = {each.name: each for each in _complete(vocabulary)}
    for counter in vocabulary.predicates.values():
        counted = complete.get(counter.closes or "")
        if counted is None or counter.kind not in _GIVEN:
            continue
        for number, *row in _too_few(base, counter, counted):
            statement = print_condition(Atom(counter.name, tuple(map(Constant, row))))
            raise KnowledgeBaseError(
                f"`{statement}` says that there are {row[-1]} of `{counted.name}`,"
                f" which is declared complete, but {number} {'is' if number == 1 else 'are'} given"
            )


def _complete(vocabulary: Vocabulary) -> list[Predicate]:
    return [each for each in vocabulary.predicates.values() if each.complete and each.kind in _GIVEN]


def _too_few(base: KnowledgeBase, counter: Predicate, counted: Predicate) -> Iterable[tuple[str | int, ...]]:
    """Return the actual number and the values of each count that is too large."""
    count, number = Variable("count"), Variable("number")
    keys = tuple(Variable(f"key{place}") for place in range(counter.arity - 1))
    members = tuple(Variable(f"member{place}") for place in range(counted.arity - len(keys)))
    there = Atom(counted.name, (*keys, *members))
    conditions = (
        Atom(counter.name, (*keys, count)),
        Aggregate(number, "count", members, (there,)),
        Comparison("<", number, count),
    )
    answers = base.engine.query(Query(conditions, NOWHERE))
    places = [answers.variables.index(each.name) for each in (number, *keys, count)]
    return [tuple(row[place] for place in places) for row in answers.rows]
