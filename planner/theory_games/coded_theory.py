"""The rules of a theory that decide legal actions, their effects and the end, as coded rules without sets.

The relations before and after an action are those of the knowledge base (kb/lower/coding.py). Conditions with
`all` become absences: the count of the set is known, and no member fails the conditions. This is equivalent
where the count is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import GameStatement, Rule, Tense, game_relation, statements
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.coding import CodedRuleId, Coding, RuleVariables
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    CodedCondition,
    CodedExpression,
    CodedRule,
    Compare,
    CountOf,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.scope import predicates_read, variables
from hornbook.planner.theory_games.refused import NoGameError

NUMBERS = 1_000
"""The numbers of a game are 0 to this number less 1."""


@dataclass(frozen=True, slots=True)
class CodedTheory:
    """The coded rules that a game needs.

    - `coding`: The numbers of relations and words. The cell of a number from 0 to NUMBERS - 1 is the number
      itself, and that of a word is greater.
    - `rules`: The coded rules, each with its origin. The id of each is unique.
    - `needed`: The relations that the game needs.
    """

    theory: Theory
    coding: Coding
    rules: tuple[tuple[CodedRule, Rule], ...]
    needed: frozenset[PredicateId]

    def fluents(self) -> Iterator[Predicate]:
        """Yield the fluents that the game needs."""
        for predicate in self.theory.vocabulary.predicates.values():
            if predicate.kind == "fluent" and self.number(predicate.name) in self.needed:
                yield predicate

    def number(self, relation: str, tense: Tense | None = None) -> PredicateId:
        """Return the number of a relation at a moment; without a tense, before the action."""
        return self.coding.predicate_id(relation, tense)


def coded_theory(theory: Theory, deciding: Predicate) -> CodedTheory:
    """Return the rules that a game needs. Raises NoGameError if one of them has a form without a network.

    Args:
        theory: The theory. It declares actions, and predicates that allow them.
        deciding: The predicate of the game that decides the play.
    """
    coding = Coding(theory.vocabulary)
    coding.restore(map(str, range(NUMBERS)), _no_other_rules)
    rules = [rule for rule in theory.rules if not rule.lemma]
    by_head: dict[PredicateId, list[tuple[CodedRule, Rule]]] = {}
    for index, rule in enumerate(rules):
        if _is_of_values(rule, deciding):
            continue
        for coded in coding.rule(index, rule):
            by_head.setdefault(coded.head.predicate, []).append((coded, rule))
    needed = _needed(theory, coding, deciding, by_head)
    for number in sorted(needed):
        if "mixed" in coding.relations[number].columns:
            name = coding.relations[number].template.relation
            raise NoGameError(f"`{name}` has a column of words and numbers; use a sort of words for a game")
    found = [
        (_without_sets(coded, rule), rule) for head in sorted(needed) for coded, rule in by_head.get(head, ())
    ]
    return CodedTheory(theory, coding, tuple(found), needed)


def _no_other_rules(_: CodedRuleId) -> RuleVariables:
    raise AssertionError("all rules are coded here")


def _is_of_values(rule: Rule, deciding: Predicate) -> bool:
    """Return whether a rule concludes a value of the deciding game from other values.

    The rule says who wins with best play. It ends no game.
    """
    head = rule.head
    return (
        isinstance(head, GameStatement)
        and head.game.predicate == deciding.name
        and any(isinstance(statement, GameStatement) for statement in statements(rule.body))
    )


def _needed(
    theory: Theory,
    coding: Coding,
    deciding: Predicate,
    by_head: Mapping[PredicateId, Sequence[tuple[CodedRule, Rule]]],
) -> frozenset[PredicateId]:
    """Return the relations on which legal actions, the end and the winner depend, at any later moment."""
    predicates = theory.vocabulary.predicates
    later = {
        coding.predicate_id(p.name, "before"): coding.predicate_id(p.name, "after")
        for p in predicates.values()
        if p.kind == "fluent"
    }
    allowing = [p for p in predicates.values() if p.allows is not None]
    todo = [coding.predicate_id(p.name, None) for p in allowing]
    todo += [coding.predicate_id(game_relation(deciding.name, None), "after")]
    todo += [
        coding.predicate_id(game_relation(deciding.name, p.allows.name), None)
        for p in allowing
        if p.allows is not None
    ]
    found: set[PredicateId] = set()
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        if number in later:
            todo.append(later[number])
        for rule, _ in by_head.get(number, ()):
            todo += (read for read, _ in predicates_read(rule.body))
    return frozenset(found)


def _without_sets(coded: CodedRule, rule: Rule) -> CodedRule:
    fresh = count(coded.variables)
    body = tuple(_plain(coded.body, rule, fresh))
    return CodedRule(coded.id, coded.head, body, max(variables((coded.head, body)), default=-1) + 1)


def _plain(
    conditions: Iterable[CodedCondition], rule: Rule, fresh: Iterator[int]
) -> Iterator[CodedCondition]:
    """Yield conditions without sets that mean the same as the given ones."""
    for condition in conditions:
        match condition:
            case Match():
                yield condition
            case AbsentOf():
                yield AbsentOf(tuple(_plain(condition.conditions, rule, fresh)))
            case AllOf():
                closed = condition.set
                yield Match(closed.count, (*closed.key, Var(next(fresh))))
                inner = tuple(_plain(condition.conditions, rule, fresh))
                yield AbsentOf((Match(closed.member, (*closed.key, *condition.members)), AbsentOf(inner)))
            case Compare():
                if _has_call(condition.left) or _has_call(condition.right):
                    raise _refused(rule, "a function of words")
                yield condition
            case CountOf():
                raise _refused(rule, "`count … in`")
            case AggregateOf():
                raise _refused(rule, f"`{condition.function} … where`")


def _has_call(expression: CodedExpression) -> bool:
    match expression:
        case Apply():
            return _has_call(expression.left) or _has_call(expression.right)
        case _:
            return isinstance(expression, Call)


def _refused(rule: Rule, what: str) -> NoGameError:
    return NoGameError(
        f"the rule `{rule.name}` has {what}, which a game that is played by its rules cannot have; give the"
        " number as a fluent that the rules for actions change"
    )
