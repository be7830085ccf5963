"""Completeness: the relations and moments for which all facts are known, so that an absence is certain.

Given facts are complete if the declaration says so; for fluents only before the action. Derived facts are
complete if all relations in their rules are. A predicate that depends on an absence in, or an aggregate over,
an incomplete relation is treated as a `meta` predicate. This is an error for predicates that affect states,
proofs or learned rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.check.check_unit import CheckUnit, unit_of_rules
from hornbook.kb.check.closure import close
from hornbook.kb.check.program.dependencies import Dependency, DependencyGroup, Node, read_groups
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Completeness:
    """The completeness of the relations of a program.

    - `unsure`: The nodes for which more facts may become known.
    - `meta`: The predicates that depend on an absence in such nodes, including declared meta predicates.
    - `unproved`: The nodes of the predicates in `meta`.
    """

    unit: CheckUnit
    unsure: frozenset[Node]
    meta: frozenset[str]
    unproved: frozenset[Node]
    dependencies: Sequence[Dependency]

    def is_refused(self, dependency: Dependency) -> bool:
        """Return whether a rule depends on an uncertain absence, directly or indirectly, without
        permission.
        """
        return self.is_unsure(dependency) and is_strict(dependency.head, self.unit)

    def is_unsure(self, dependency: Dependency) -> bool:
        """Return whether a rule depends on the absence of incomplete facts, directly or through others."""
        return not (
            dependency.finished.isdisjoint(self.unsure)
            and dependency.finished.isdisjoint(self.unproved)
            and dependency.reads.isdisjoint(self.unproved)
        )

    def unsure_head(self, name: str) -> Node | None:
        """Return the incomplete node that makes a predicate meta: its own or the nearest below."""
        names = [name]
        for there in names:
            resting = [d for d in self.dependencies if d.head[0] == there and self.is_unsure(d)]
            if found := sorted({d.head for d in resting} & self.unsure, key=str):
                return found[0]
            below = {node[0] for d in resting for node in (d.reads | d.finished) & self.unproved}
            names += sorted(below - set(names))
        return None

    def origin(self, node: Node) -> str | None:
        """Return a given relation whose declaration as complete would make a node complete."""
        seen, waiting = {node}, [node]
        while waiting:
            there = waiting.pop(0)
            predicate = self.unit.predicate(there[0])
            if predicate is not None and predicate.kind in ("static", "fluent") and there in self.unsure:
                return predicate.name
            below = {
                other
                for d in self.dependencies
                if d.head == there
                for other in (d.finished & self.unsure or d.reads | d.finished)
            }
            waiting += sorted(below - seen, key=str)
            seen |= below
        return None


def completeness(unit: CheckUnit, groups: Iterable[DependencyGroup]) -> Completeness:
    """Return the completeness that follows from the rules of the groups and the declarations."""
    dependencies = [dependency for group in groups for dependency in group.dependencies]
    nodes = {node for d in dependencies for node in (d.head, *d.reads, *d.finished)}
    unsure = {node for node in nodes if _may_be_more(node, unit)}
    open_heads = {d.head for d in dependencies if d.head not in unsure and not _is_declared(d.head, unit)}
    read = {(d.head, node) for d in dependencies if d.head in open_heads for node in d.reads | d.finished}
    close(unsure, ((head, [node]) for head, node in read))
    meta = {name for name, predicate in unit.vocabulary.predicates.items() if predicate.kind == "meta"}
    lenient = [d for d in dependencies if not is_strict(d.head, unit)]
    meta |= {d.head[0] for d in lenient if d.finished & unsure}
    if meta:
        close(meta, ((d.head[0], [node[0]]) for d in lenient for node in d.reads | d.finished))
    unproved = frozenset(node for node in nodes if node[0] in meta)
    return Completeness(unit, frozenset(unsure), frozenset(meta), unproved, dependencies)


@once_per_theory
def meta_predicates(theory: Theory) -> Mapping[str, str]:
    """Return the predicates that are declared or treated as meta, each with a suggestion to avoid this."""
    unit = unit_of_rules(theory.rules, theory.vocabulary, {})
    known_completely = completeness(unit, read_groups(unit))
    return {name: _remedy(name, known_completely) for name in known_completely.meta}


def _remedy(name: str, known: Completeness) -> str:
    if (predicate := known.unit.predicate(name)) is not None and predicate.kind == "meta":
        reads = [node for d in known.dependencies if d.head[0] == name for node in d.finished & known.unsure]
        origins = sorted({origin for node in reads if (origin := known.origin(node))})
        complete = "".join(f", and `{origin}` complete if all of it is given" for origin in origins[:1])
        return f"`{name}` is declared meta; declare it derived{complete}"
    unsure = [node for d in known.dependencies if d.head[0] == name for node in d.finished & known.unsure]
    later = [node for node in unsure if node[1] == "after" and (node[0], "before") not in known.unsure]
    if unsure and len(later) == len(unsure):
        return (
            f"after an action `{min(later)[0]}` is not known completely; write `before` in front of "
            "changing conditions"
        )
    head = known.unsure_head(name)
    origin = known.origin(head) if head is not None else None
    if origin is None:
        return "more facts of the relations that it reads may become known"
    if (given := known.unit.predicate(origin)) is not None and given.complete:
        return (
            f"after an action `{origin}` is not known completely; conclude `{name}` and the relations "
            "that it depends on with `before` in front of changing conditions"
        )
    return f"declare `{origin}` complete if all of it is given"


def without_refused(groups: Iterable[DependencyGroup], known: Completeness) -> list[DependencyGroup]:
    """Return the groups without refused dependencies, so that these are not also reported as circular or
    unreachable.
    """
    return [
        replace(group, dependencies=tuple(_allowed(d, known) for d in group.dependencies))
        if any(map(known.is_refused, group.dependencies))
        else group
        for group in groups
    ]


def _allowed(dependency: Dependency, known: Completeness) -> Dependency:
    if not known.is_refused(dependency):
        return dependency
    needs, reads, finished = (
        frozenset(node for node in side if node[0] not in known.meta)
        for side in (dependency.needs, dependency.reads, dependency.finished - known.unsure)
    )
    return Dependency(dependency.head, needs, reads, finished)


def is_strict(node: Node, unit: CheckUnit) -> bool:
    """Return whether a node may only depend on the absence of complete relations."""
    predicate = unit.predicate(node[0])
    if predicate is None or predicate.kind not in ("static", "derived", "meta"):
        return True
    return predicate.kind != "meta" and (
        predicate.operational or predicate.observed or _is_closed(predicate, unit)
    )


def _is_closed(predicate: Predicate, unit: CheckUnit) -> bool:
    """Return whether proofs may depend on the number of facts of a predicate."""
    return predicate.counts is not None or predicate.name in unit.counters


def _is_declared(node: Node, unit: CheckUnit) -> bool:
    predicate = unit.predicate(node[0])
    return predicate is not None and predicate.complete and (node[1] != "after" or not _has_actions(unit))


def _has_actions(unit: CheckUnit) -> bool:
    return any(predicate.kind == "action" for predicate in unit.vocabulary.predicates.values())


def _may_be_more(node: Node, unit: CheckUnit) -> bool:
    """Return whether facts of a node may become known that are neither given nor derived now."""
    predicate = unit.predicate(node[0])
    if predicate is None:
        return True  # a proof over an opponent's replies derives more statements on games than rules do
    if predicate.kind in ("static", "fluent"):
        return not _is_declared(node, unit)
    return predicate.kind == "action"
