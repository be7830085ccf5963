"""Reach: rules that can never fire because a needed condition can never be concluded.

Statics, actions, and fluents before the action are given. Values of games with `replies` or `worth` count as
given too. Every other needed condition must be concluded by a fact or a rule that is itself reachable. Only
the origin of a problem is reported: a relation without rules, or relations that depend only on each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, GameStatement, Rule, Tense, game_relation
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.check.closure import close
from hornbook.kb.check.program.dependencies import DependencyGroup, Node, nodes, pattern, shown, span_of
from hornbook.kb.sources.diagnostics import Diagnostic, warning
from hornbook.matcher.program.dataclass import dataclass

_MOMENTS: tuple[Tense, ...] = ("before", "after")


@dataclass(frozen=True, slots=True)
class Needed:
    """The nodes that rules need, and those of them that are given."""

    nodes: frozenset[Node]
    given: frozenset[Node]


def needed(unit: CheckUnit, groups: list[DependencyGroup]) -> Needed:
    """Return the nodes that the rules of some groups need."""
    nodes = frozenset(node for group in groups for d in group.dependencies for node in d.needs)
    return Needed(nodes, frozenset(node for node in nodes if _is_given(node, unit)))


def nodes_without_rules(unit: CheckUnit, known: Needed) -> frozenset[Node]:
    """Return the nodes that hold without rules: all parts of a unit count except its rules and its
    vocabulary.
    """
    facts = [
        *unit.facts,
        *(clause for clause in unit.imported if isinstance(clause, Rule) and clause.is_fact),
    ]
    reached = {node for fact in facts for node in nodes(fact.head, "before", unit)}
    # Proofs over replies are in learned rules, which do not belong to the theory.
    clauses = [clause for clause in unit.imported if isinstance(clause, Replies)]
    for replies in (*clauses, *(clause for clause, _ in unit.replies)):
        second_player_win = GameStatement(replies.game, None, SECOND_PLAYER_WIN)
        reached |= {node for moment in _MOMENTS for node in nodes(second_player_win, moment, unit)}
    # The same applies to plans: plans are learned for games with a worth.
    worthy = (p.name for p in unit.vocabulary.predicates.values() if p.worth is not None)
    reached |= {(game_relation(name, None), moment) for name in worthy for moment in _MOMENTS}
    # A clause with a syntax error may conclude a relation without other rules.
    mentioned = unit.broken.mentioned
    unread = (node for node in known.nodes if node[0].partition(" ")[0] in mentioned) if mentioned else ()
    return known.given.union(reached, unread)


def check_reach(
    unit: CheckUnit, groups: list[DependencyGroup], given_nodes: frozenset[Node]
) -> Iterator[Diagnostic]:
    """Yield HB028. `given_nodes` are the nodes that hold without rules."""
    reached = set(given_nodes)
    close(reached, ((d.head, d.needs) for group in groups for d in group.dependencies))
    # A timeless rule that can fire at one moment is valid.
    blocked = [group for group in groups if not any(d.needs <= reached for d in group.dependencies)]
    if not blocked:
        return
    import networkx as nx  # noqa: PLC0415 - slow to import

    missing: nx.DiGraph[Node] = nx.DiGraph()
    for group in blocked:
        for dependency in group.dependencies[:1]:
            missing.add_nodes_from(dependency.needs - reached)
            if dependency.head not in reached:
                missing.add_edges_from((dependency.head, node) for node in dependency.needs - reached)
    condensed = nx.condensation(missing)
    concluded = {dependency.head for group in groups for dependency in group.dependencies}
    waiting: dict[Node, DependencyGroup] = {}
    for group in blocked:
        for node in group.dependencies[0].needs if group.own else ():
            waiting.setdefault(node, group)
    for number in condensed.nodes:
        origin: set[Node] = condensed.nodes[number]["members"]
        stuck = [waiting[node] for node in origin if node in waiting]
        if condensed.out_degree(number) == 0 and stuck:
            first = min(stuck, key=lambda group: (group.rule.span.line, group.rule.span.column))
            yield _unreachable(first, origin, unit, circular=bool(origin & concluded))


def _is_given(node: Node, unit: CheckUnit) -> bool:
    relation, tense = node
    predicate = unit.predicate(relation)
    return predicate is not None and (
        not predicate.has_tense or (predicate.kind == "fluent" and tense == "before")
    )


def _unreachable(group: DependencyGroup, origin: set[Node], unit: CheckUnit, *, circular: bool) -> Diagnostic:
    node = min(group.dependencies[0].needs & origin, key=str)
    span = span_of(group.rule, node, unit)
    if circular:
        # A timeless rule is judged at the first moment, so that one name identifies one node.
        circle = " and ".join(shown(other, timeless=group.timeless) for other in sorted(origin, key=str))
        each_other = "each other" if len(origin) > 1 else "itself"
        message = f"the rule can never fire: {circle} can only be concluded from {each_other}"
        return warning("HB028", message, span, "add a rule that concludes it from something else")
    message = f"the rule can never fire: no rule concludes {shown(node, timeless=group.timeless)}"
    if group.timeless or node[1] is None:
        name = node[0].partition(" ")[0]
        help_ = f"add a rule that does, or declare `{name}` as a fluent or static and give its facts"
        return warning("HB028", message, span, help_)
    return warning("HB028", message, span, f"add a rule that does: `{pattern(node)} :- …`")
