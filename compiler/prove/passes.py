"""Passes: replies that leave a position unchanged.

If the opponent can pass, the friend wins as second player only if he also wins the same position as first
player. The prover uses this to skip positions. No certificate depends on it, because each reply has its own
proof, including a pass.

A reply counts as a pass if the theory proves it. Declarations, names and sorts of an action are no evidence.
Every fact that the theory concludes after the action must hold before it. The function `likely_passes`
decides this from the rules. It makes an exception for relations that some rule may change, such as a ban that
a pass lifts. The function `playable_pass` tests these relations in each position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.compiler.prove.opponent import playable
from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Condition,
    GameStatement,
    Rule,
    Tense,
    Term,
    statements,
)
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LikelyPass:
    """A case of the theory's `replies` clause whose action changes at most the relations `changing`."""

    case: ReplyCase
    changing: frozenset[str]


def likely_passes(theory: Theory, replies: Replies) -> tuple[LikelyPass, ...]:
    """Return the cases of the replies that may be passes, by the rules of the theory."""
    found = ((case, _Effects.of(case, theory)) for case in replies.cases)
    return tuple(LikelyPass(case, each.changing) for case, each in found if each.obstacle is None)


def no_pass_because(theory: Theory, case: ReplyCase) -> str | None:
    """Return the reason why a case of the replies is no pass, although some relation persists after it.

    Return None if it may be a pass, or if no relation persists as a whole.
    """
    effects = _Effects.of(case, theory)
    return effects.obstacle if effects.has_persistence else None


def playable_pass(
    base: KnowledgeBase, replies: Replies, game: Atom, likely: Sequence[LikelyPass], budget: Budget
) -> GroundFact | None:
    """Return a reply that can be played in the position of the base and changes nothing.

    Return None if there is none. `likely` are the cases of `replies` that may be passes. Each test of a reply
    spends a step of the budget.
    """
    for each in likely:
        for action in playable(base, replies, game, each.case, budget):
            if _changes_nothing(base, action, each.changing, budget):
                return action
    return None


def _changes_nothing(
    base: KnowledgeBase, action: GroundFact, changing: frozenset[str], budget: Budget
) -> bool:
    """Return whether an action adds no fact of the relations that it may change."""
    if not changing:
        return True
    budget.spend()
    base.push()
    try:
        with budget.bounding():
            base.add([action])
            return all(_facts(base, name, "after") <= _facts(base, name, "before") for name in changing)
    except (FactError, KnowledgeBaseError):
        return False
    finally:
        base.pop()


def _facts(base: KnowledgeBase, name: str, moment: Tense) -> set[tuple[Term, ...]]:
    return {statement.terms for statement in base.engine.statements(name, moment)}


@dataclass(frozen=True, slots=True)
class _Effects:
    """The effects of an action by the rules.

    Attributes:
        has_persistence: True if a whole relation persists.
        changing: The relations that may change.
        obstacle: The reason why the action is no pass; None if it may be one.
    """

    has_persistence: bool
    changing: frozenset[str]
    obstacle: str | None

    @classmethod
    def of(cls, case: ReplyCase, theory: Theory) -> _Effects:
        """Return the effects of the action of a case of the replies."""
        preserved, in_part, changing = set[str](), set[str](), set[str]()
        obstacle = None if case.unless is None else f"`{print_condition(case.unless)}` may bar it"
        for rule in _rules_after(case.action.predicate, theory):
            before = statement_at(rule.head, "before", theory.vocabulary)
            if rule.head.tense is not None and before in rule.body:
                is_whole = isinstance(rule.head, GameStatement) or _is_always_preserved(rule, before, theory)
                (preserved if is_whole else in_part).add(rule.head.relation)
            elif isinstance(rule.head, Atom):
                changing.add(rule.head.predicate)
            else:
                obstacle = obstacle or f"`{rule.name}` concludes `{print_condition(rule.head)}` after it"
        facts = preserved & theory.vocabulary.predicates.keys()
        if obstacle is None and not preserved | in_part:
            obstacle = "no rule keeps anything after it"
        if obstacle is None and (lost := in_part - preserved):
            obstacle = f"rules keep {_listed(lost)} only in part after it"
        if obstacle is None and changing and not facts:
            obstacle = f"rules change {_listed(changing)} after it"
        return cls(bool(facts), frozenset(changing), obstacle)


def _listed(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _rules_after(action: str, theory: Theory) -> Iterator[Rule]:
    """Yield the rules that may conclude new facts after an action: facts after it, or facts from absences.

    Lemmas conclude nothing new.
    """
    predicates = theory.vocabulary.predicates
    for rule in theory.rules:
        if rule.lemma:
            continue
        body = [s for s in statements(rule.body) if isinstance(s, Atom)]
        named = {s.predicate for s in body if predicates[s.predicate].kind == "action"}
        timeless = rule.head.tense is None and _asks_for_absence(rule.body)
        if (rule.head.tense == "after" or timeless) and named <= {action}:
            yield rule


def _asks_for_absence(conditions: Sequence[Condition]) -> bool:
    return any(
        isinstance(c, Absent | Aggregate) or (isinstance(c, All) and _asks_for_absence(c.conditions))
        for c in conditions
    )


def _is_always_preserved(rule: Rule, before: Condition, theory: Theory) -> bool:
    """Return whether a rule's only condition on the state is that its conclusion held before."""
    predicates = theory.vocabulary.predicates
    return all(
        isinstance(c, Atom) and predicates[c.predicate].kind in ("static", "action")
        for c in rule.body
        if c != before
    )
