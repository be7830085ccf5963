"""The rules of a theory that decide legal actions, their effects and the end, as coded rules without sets.

The relations before and after an action are those of the knowledge base (kb/lower/coding.py). Conditions with
`all` become absences: the count of the set is known, and no member fails the conditions. This is equivalent
where the count is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import (
    Atom,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Tense,
    game_relation,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory
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

WORD_FUNCTION = "a function of words"
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

    def rows(self, facts: Iterable[GroundFact]) -> Iterator[tuple[str, tuple[str | int | None, ...]]]:
        """Yield the relation and the constants of all facts, and of all statements of the rules.

        A variable is None.
        """
        yield from ((fact.relation, fact.values) for fact in facts)
        stated = [*self.theory.facts, *(s for r in self.theory.rules for s in (r.head, *statements(r.body)))]
        for each in stated:
            atoms = (each,) if isinstance(each, Atom) else (each.game, each.by)
            for atom in atoms:
                if atom is not None:
                    terms = atom.arguments
                    yield atom.predicate, tuple(t.value if isinstance(t, Constant) else None for t in terms)

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
        relation = coding.relations[number]
        name = relation.template.relation
        if "mixed" in relation.columns:
            raise NoGameError(f"`{name}` has a column of words and numbers; use a sort of words for a game")
        if relation.forms is not None:
            raise NoGameError(
                f"`{name}` has a column of dates, times or decimal numbers; use integers for a game"
            )
    found = [each for head in sorted(needed) for each in by_head.get(head, ())]
    _require_independence((rule for _, rule in found), deciding)
    return CodedTheory(
        theory, coding, tuple((_without_sets(coded, rule), rule) for coded, rule in found), needed
    )


def _require_independence(rules: Iterable[Rule], deciding: Predicate) -> None:
    """Raise NoGameError if what the game needs depends on who wins, or if no rule says who wins."""
    says_who_wins = False
    for rule in rules:
        says_who_wins = says_who_wins or _is_about(rule.head, deciding)
        if any(_is_about(each, deciding) for each in statements(rule.body)):
            raise NoGameError(
                f"the rule `{rule.name}` depends on a value of `{deciding.name}`, so the game depends on who"
                " wins it; use other conditions"
            )
    if not says_who_wins:
        raise NoGameError(
            f"no rule says when a player has won `{deciding.name}`, the first game with one column; write for"
            f" instance\n  before {deciding.name}(?p) by … is GI :- …"
        )


def _no_other_rules(_: CodedRuleId) -> RuleVariables:
    raise AssertionError("all rules are coded here")


def _is_of_values(rule: Rule, deciding: Predicate) -> bool:
    """Return whether a rule concludes a value of the deciding game from other values of it.

    The rule says who wins with best play. It ends no game.
    """
    return _is_about(rule.head, deciding) and any(_is_about(each, deciding) for each in statements(rule.body))


def _is_about(statement: Statement, game: Predicate) -> bool:
    return isinstance(statement, GameStatement) and statement.game.predicate == game.name


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
                    raise _refused(rule, WORD_FUNCTION)
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
    way_out = "give the number as a fluent that the rules for actions change"
    if what == WORD_FUNCTION:
        way_out = "list its values as facts of a static predicate"
    return NoGameError(
        f"the rule `{rule.name}` has {what}, which a game that is played by its rules cannot have; {way_out}"
    )
