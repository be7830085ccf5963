"""The parts of a learned rule that get names: its conditions as a tree.

The proof determines the tree (proof_graph.py). The conditions of one fact of the proof belong together, and
so do the facts that only one other fact needs. The names of the theory say what they are for. A part gets a
name only if its rule, or the part around it, would have more than `FEW` conditions otherwise. People keep
about four things in mind (N. Cowan, *The magical number 4 in short-term memory*, Behavioral and Brain
Sciences 24, 2001).

Invariants: each condition of the rule is in exactly one part. The clause of each part is safe and linked:
its statements bind all of its variables, and shared variables connect them (Helft 1989).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hornbook.compiler.learn.shortening.proof_graph import ROOT, ProofGraph, dominators
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Condition,
    GameStatement,
    Rule,
    Variable,
    outer_variables,
    statements,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.matcher.program.dataclass import dataclass

FEW = 4
"""The number of conditions up to which a part needs no further names."""
MANY = 2 * FEW
"""The number of conditions up to which a rule keeps them all, and above which a part is divided further.

If the proof does not group the conditions of such a part, those that share a variable get a name together.
"""
NAMED_RELATIONS = 3
"""The number of relations in the name of such conditions."""
MAX_ARGUMENTS = FEW
"""The maximum number of variables that a part shares with the rest of its rule.

This also limits the number of facts of its predicate in a knowledge base.
"""


@dataclass(frozen=True, slots=True)
class RulePart:
    """A part of a rule.

    Attributes:
        name: What the part is called; empty for the whole rule.
        arguments: The variables that it shares with the rest of the rule, in order of occurrence.
        conditions: The indexes of its own conditions.
        parts: The parts inside it.
    """

    name: str
    arguments: tuple[str, ...]
    conditions: tuple[int, ...]
    parts: tuple[RulePart, ...] = ()

    def all_conditions(self) -> Iterator[int]:
        """Yield the indexes of its conditions and of those of the parts inside it."""
        yield from self.conditions
        for part in self.parts:
            yield from part.all_conditions()


def parts_of_rule(rule: Rule, graph: ProofGraph, words: Vocabulary) -> RulePart:
    """Return the rule as a tree of parts; without parts inside if the rule is short."""
    return _Partition(rule, graph, words).whole()


_Built = tuple[RulePart, list[int]]
"""A part, and the conditions that have to move out of it, because it does not bind their variables."""


class _Partition:
    """The choice of the parts of one rule."""

    def __init__(self, rule: Rule, graph: ProofGraph, words: Vocabulary) -> None:
        self._rule, self._nodes, self._words = rule, graph.nodes, words
        self._variables = [_names((condition,)) for condition in rule.body]
        self._head = {term.name for term in rule.head.terms if isinstance(term, Variable)}
        by = rule.head.by if isinstance(rule.head, GameStatement) else None
        self._arguments_of_action = set() if by is None else _names((by,))
        above = dominators(graph.nodes)
        users = _main_users(graph)
        self._inside: dict[int, list[int]] = {}
        for number in range(1, len(graph.nodes)):
            if graph.nodes[number].condition is None:
                self._inside.setdefault(above[number], []).append(number)
        self._own: dict[int, list[int]] = {}
        self._fixed: set[int] = set()
        loose = []
        for number, node in enumerate(graph.nodes):
            if node.condition is None:
                continue
            is_named = number not in graph.fixed and self._may_be_named(rule.body[node.condition])
            if not is_named:
                self._fixed.add(node.condition)
            if number not in users and isinstance(rule.body[node.condition], Comparison):
                loose.append(node.condition)
            else:
                place = users.get(number, ROOT) if is_named else ROOT
                self._own.setdefault(place, []).append(node.condition)
        self._sizes = self._all_sizes()
        for place in loose:
            self._own.setdefault(self._place_of(place), []).append(place)
        self._sizes = self._all_sizes()

    def whole(self) -> RulePart:
        top, _ = self._part(self._start())
        return replace(top, name="", arguments=())

    def _start(self) -> int:
        """Return the node at which the tree begins: the conclusion, if the proof is for one fact only."""
        inside = [each for each in self._inside.get(ROOT, ()) if self._sizes[each]]
        if len(inside) == 1:
            self._own[ROOT] = [*self._own.get(ROOT, ()), *self._own.pop(inside[0], ())]
            self._inside[ROOT] = self._inside.pop(inside[0], [])
        return ROOT

    def _may_be_named(self, condition: Condition) -> bool:
        if isinstance(condition, Atom):
            return self._words.predicates[condition.predicate].kind != "action"
        return isinstance(condition, Comparison)

    def _all_sizes(self) -> list[int]:
        """Return the number of conditions that each node dominates."""
        sizes = [0] * len(self._nodes)
        todo = [(ROOT, False)]
        while todo:
            number, is_ready = todo.pop()
            inside = self._inside.get(number, ())
            if is_ready:
                sizes[number] = len(self._own.get(number, ())) + sum(sizes[each] for each in inside)
            else:
                todo += [(number, True), *((each, False) for each in inside)]
        return sizes

    def _place_of(self, condition: int) -> int:
        """Return the innermost node whose conditions bind all variables of a comparison."""
        place = ROOT
        while True:
            inside = (each for each in self._inside.get(place, ()) if self._sizes[each] > 1)
            lower = (each for each in inside if self._variables[condition] <= self._bound_below(each))
            found = next(lower, None)
            if found is None:
                return place
            place = found

    def _bound_below(self, number: int) -> set[str]:
        todo, found = [number], set[str]()
        while todo:
            each = todo.pop()
            todo += self._inside.get(each, ())
            for place in self._own.get(each, ()):
                if isinstance(self._rule.body[place], Atom):
                    found |= self._variables[place]
        return found

    # The choice

    def _part(self, number: int) -> tuple[RulePart, list[int]]:
        """Return the part of a node, and the conditions that have to move out of it."""
        own, groups = self._content(number)
        while len(own) + len(groups) <= FEW or (not own and len(groups) == 1):
            is_single = len(groups) == 1 and not own
            opened = ((self._content(each), each) for each in groups)
            fitting = [
                (len(inner) + len(below), each)
                for (inner, below), each in opened
                if is_single or len(own) + len(groups) - 1 + len(inner) + len(below) <= FEW
            ]
            if not fitting:
                break
            _, chosen = min(fitting)
            inner, below = self._content(chosen)
            own = [*own, *inner]
            groups = [each for each in groups if each != chosen] + below
        built = [self._part(each) for each in groups]
        own, built = self._with_binders(own, built)
        parts: list[RulePart] = []
        for part, moved in built:
            own += moved
            if self._is_worth(part):
                parts.append(part)
            else:
                own += part.conditions
                parts += part.parts
        return self._safe(self._nodes[number].name, own, parts)

    def _with_binders(self, own: list[int], built: list[_Built]) -> tuple[list[int], list[_Built]]:
        """Move into each part the condition or part that binds the variables of what would move out of it.

        For example, the part on a fact after an action gets the precondition of the action, which binds the
        arguments of the action.
        """
        for place in sorted(range(len(built)), key=lambda n: -len(built[n][1])):
            part, moved = built[place]
            if len(moved) < 2:
                continue
            missing = self._missing(part, moved)
            found: tuple[tuple[RulePart, list[int]], list[int], list[_Built]] | None = None
            for number, (other, theirs) in enumerate(built):
                if (
                    number != place
                    and not theirs
                    and missing <= set(other.arguments)
                    and self._is_worth(other)
                ):
                    bigger = self._safe(part.name, [*part.conditions, *moved], [*part.parts, other])
                    found = bigger, own, [each for each in built if each != (other, theirs)]
                    break
            for condition in own if found is None else ():
                is_atom = isinstance(self._rule.body[condition], Atom) and condition not in self._fixed
                if is_atom and missing <= self._variables[condition]:
                    bigger = self._safe(part.name, [*part.conditions, *moved, condition], [*part.parts])
                    found = bigger, [each for each in own if each != condition], built
                    break
            if found is not None and self._is_worth(found[0][0]):
                bigger, own, others = found
                built = [bigger if each == (part, moved) else each for each in others]
                return self._with_binders(own, built)
        return own, built

    def _missing(self, part: RulePart, moved: Iterable[int]) -> set[str]:
        """Return the variables of conditions that neither a part nor their own equations bind."""
        body = self._rule.body
        names = set[str]().union(*(self._variables[place] for place in moved))
        return names.difference(self._bound(part), *(_result(body[place]) or () for place in moved))

    def _bound(self, part: RulePart) -> set[str]:
        body = self._rule.body
        atoms = (place for place in part.all_conditions() if isinstance(body[place], Atom))
        return set[str]().union(*(self._variables[place] for place in atoms))

    def _content(self, number: int) -> tuple[list[int], list[int]]:
        """Return the conditions of a node, and the nodes inside it with several conditions."""
        own, groups = list(self._own.get(number, ())), []
        for each in self._inside.get(number, ()):
            if self._sizes[each] > 1:
                groups.append(each)
            elif self._sizes[each] == 1:
                inner, below = self._content(each)
                own += inner
                assert not below
        return own, groups

    def _is_worth(self, part: RulePart) -> bool:
        size = len(part.conditions) + len(part.parts)
        return size > 1 and len(part.arguments) <= MAX_ARGUMENTS and self._is_linked(part)

    def _safe(self, name: str, own: list[int], parts: list[RulePart]) -> tuple[RulePart, list[int]]:
        """Return a part without the conditions whose variables it does not bind, and these conditions."""
        body = self._rule.body
        bound = {name for part in parts for name in part.arguments}
        bound |= {n for place in own if isinstance(body[place], Atom) for n in self._variables[place]}
        waiting = [place for place in own if not isinstance(body[place], Atom)]
        grown = True
        while grown:
            grown = False
            for place in list(waiting):
                new = self._variables[place] - bound
                if not new or new == _result(body[place]):
                    bound |= new
                    waiting.remove(place)
                    grown = True
        kept = sorted(place for place in own if place not in waiting)
        kept, parts = self._by_variable(kept, parts)
        part = RulePart(name, (), tuple(kept), tuple(parts))
        return replace(part, arguments=self._arguments(part)), waiting

    def _by_variable(self, own: list[int], parts: list[RulePart]) -> tuple[list[int], list[RulePart]]:
        """Name conditions that share a variable, as long as there are many conditions."""
        while len(own) + len(parts) > MANY:
            found = [part for name in self._names_in(own) if (part := self._about(name, own)) is not None]
            if not found:
                break
            best = max(found, key=lambda part: len(part.conditions) - len(part.arguments))
            own = [place for place in own if place not in best.conditions]
            parts = [*parts, best]
        return own, parts

    def _names_in(self, own: Iterable[int]) -> Iterator[str]:
        """Yield the variables of statements, in order."""
        places = [place for place in own if isinstance(self._rule.body[place], Atom)]
        variables = outer_variables([self._rule.body[place] for place in places])
        yield from dict.fromkeys(v.name for v in variables if not v.is_wildcard)

    def _about(self, name: str, own: Sequence[int]) -> RulePart | None:
        """Return the part with the conditions on a variable, and the comparisons of what they mention."""
        body = self._rule.body
        found = [
            place
            for place in own
            if isinstance(body[place], Atom) and place not in self._fixed and name in self._variables[place]
        ]
        bound = set[str]().union(*(self._variables[place] for place in found))
        compared = [
            place
            for place in own
            if isinstance(body[place], Comparison)
            and place not in self._fixed
            and self._variables[place] <= bound
        ]
        if len(found) < 2:
            return None
        relations = dict.fromkeys(s.relation for s in statements([body[place] for place in found]))
        part = RulePart("_".join([*relations][:NAMED_RELATIONS]), (), tuple(sorted((*found, *compared))))
        part = replace(part, arguments=self._arguments(part))
        return part if len(part.arguments) <= MAX_ARGUMENTS and len(part.conditions) > 2 else None

    def _arguments(self, part: RulePart) -> tuple[str, ...]:
        inside = sorted(part.all_conditions())
        outside = set(range(len(self._rule.body))) - set(inside)
        shared = self._head.union(*(self._variables[place] for place in outside))
        names = dict.fromkeys(v.name for v in outer_variables([self._rule.body[place] for place in inside]))
        return tuple(name for name in names if name in shared and not name.startswith("_"))

    def _is_linked(self, part: RulePart) -> bool:
        """Return whether shared variables connect all conditions of a part.

        The action connects its arguments.
        """
        waiting = [self._variables[place] for place in part.conditions] + [
            set(p.arguments) for p in part.parts
        ]
        reached, *rest = [
            each | self._arguments_of_action if each & self._arguments_of_action else each for each in waiting
        ]
        while rest:
            linked = [each for each in rest if each & reached]
            if not linked:
                return False
            rest = [each for each in rest if not each & reached]
            reached = reached.union(*linked)
        return True


def _main_users(graph: ProofGraph) -> dict[int, int]:
    """Return for each condition the fact that it belongs to, by their nodes.

    Of several facts that depend on it directly, this is the one with the most conditions.
    """
    found: dict[int, int] = {}
    sizes = [sum(graph.nodes[n].condition is not None for n in node.supports) for node in graph.nodes]
    for number, node in enumerate(graph.nodes):
        for below in node.supports:
            if graph.nodes[below].condition is not None and (
                below not in found or sizes[number] > sizes[found[below]]
            ):
                found[below] = number
    return found


def _names(conditions: Sequence[Condition]) -> set[str]:
    return {variable.name for variable in outer_variables(conditions)}


def _result(condition: Condition) -> set[str] | None:
    """Return the variable that an equation may define."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        for side in (condition.left, condition.right):
            if isinstance(side, Variable):
                return {side.name}
    return None
