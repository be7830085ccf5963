"""The graph of a proof: which conditions of a learned rule each fact of its proof depends on.

The nodes are the conditions of the rule, the facts that the steps of its proof conclude, and the members of
closed sets that a step lists. A node *dominates* another one if the proof uses that one for it only
(Lengauer and Tarjan 1979).

The graph is only a suggestion for names. No proof depends on it, so uses that are not found do no harm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from hornbook.compiler.checker.certificate import CaseProof, Leaf, ProofStep, parts_of
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    listed_variables,
    statements,
)
from hornbook.kb.ast.theory import Vocabulary, counts_of
from hornbook.matcher.program.dataclass import dataclass

ROOT = 0
"""The number of the node that stands for the whole proof."""


@dataclass(slots=True)
class ProofNode:
    """A fact in a proof.

    Attributes:
        name: What the fact is called, from the names of the theory. It is empty for a condition and the root.
        condition: The index of the condition; None for other nodes.
        supports: The nodes on which the fact depends directly.
    """

    name: str = ""
    condition: int | None = None
    supports: dict[int, None] = field(default_factory=dict)


class ProofGraph:
    """The graph of the proof of one rule.

    Args:
        rule: The rule.
        words: The predicates of the rule and of its proof.
        sources: The rules and lemmas that the steps apply, by name.
        defined: The predicates with a single clause, whose facts are called after the predicate alone.
    """

    def __init__(
        self, rule: Rule, words: Vocabulary, sources: Mapping[str, Rule], defined: Collection[str] = ()
    ) -> None:
        self._words, self._sources, self._defined = words, sources, defined
        self._counters = counts_of(self._words)
        self.nodes = [ProofNode()]
        self.fixed: set[int] = set()
        self._known: dict[tuple[str, Tense | None], list[tuple[tuple[Term, ...], int]]] = {}
        self._others: dict[Condition, int] = {}
        self._actions = [c.predicate for c in rule.body if isinstance(c, Atom) and self._is_action(c)]
        by = rule.head.by if isinstance(rule.head, GameStatement) else None
        self._actions += [] if by is None else [by.predicate]
        for place, condition in enumerate(rule.body):
            number = self._add(ProofNode(condition=place))
            if isinstance(condition, Statement):
                self._record(statement_at(condition, "before", self._words), number)
            else:
                self._others[at_moment(condition, "before", self._words)] = number

    def prove(self, steps: Iterable[ProofStep], *, is_needed_outside: bool = False) -> None:
        """Add steps whose last conclusion is what the proof is for.

        With `is_needed_outside`, the conditions on which the steps depend must stay conditions of the rule.
        """
        concluded = [self._step(step) for step in steps]
        self.nodes[ROOT].supports |= dict.fromkeys(concluded[-1:])
        if is_needed_outside:
            self._fix(concluded)

    def prove_cases(self, proofs: Iterable[CaseProof]) -> None:
        """Add the proofs of the replies to a rule. The conclusions of one case are not known in another."""
        for proof in proofs:
            for part in parts_of(proof):
                if isinstance(part, Leaf):
                    known = {key: list(facts) for key, facts in self._known.items()}
                    self.prove(part.steps)
                    self._known = known

    def fix(self, conditions: Iterable[Condition]) -> None:
        """Record that the conditions on which these depend must stay conditions of the rule itself."""
        for condition in conditions:
            self._fix(self._supports(statement_of_rule(condition, self._words), frozenset()))

    def _fix(self, numbers: Iterable[int]) -> None:
        below = list(self._below(numbers))
        self.nodes[ROOT].supports |= dict.fromkeys(below)
        self.fixed.update(below)

    # The nodes of steps

    def _step(self, step: ProofStep) -> int:
        """Add the conclusion of a step, and return its node."""
        rule = self._sources[step.rule]
        terms = dict(step.substitution)
        free = frozenset(v.name for c in rule.body for v in _variables(c) if v.name not in terms)
        is_timeless = not any(s.tense for s in (rule.head, *statements(rule.body)))
        moment = (step.moment or "before") if is_timeless else None
        head = apply_to_statement(rule.head, terms)
        if moment is not None:
            head = statement_at(head, moment, self._words)
        known = self._find(head, frozenset())
        if known is not None:
            return known
        supports: dict[int, None] = {}
        for condition in rule.body:
            instance = apply_to_condition(condition, terms)
            if moment is not None:
                instance = at_moment(instance, moment, self._words)
            supports |= self._supports(instance, free)
        number = self._add(ProofNode(self._name(head, rule), supports=supports))
        self._record(head, number)
        return number

    def _supports(self, condition: Condition, free: frozenset[str]) -> dict[int, None]:
        """Return the nodes that prove a condition of a step; `free` are variables without a term."""
        if isinstance(condition, Statement):
            number = self._find(condition, free)
            return {} if number is None else {number: None}
        same = self._others.get(condition)
        if same is None and isinstance(condition, Comparison) and condition.operator == "!=":
            same = self._others.get(Comparison("!=", condition.right, condition.left))
        if same is not None:
            return {same: None}
        return self._members(condition, free) if isinstance(condition, All) else {}

    def _members(self, condition: All, free: frozenset[str]) -> dict[int, None]:
        """Return the nodes for the members of a closed set: each gets a node for what is required of it."""
        listed = frozenset(v.name for v in listed_variables(condition))
        member = condition.member
        found: dict[int, None] = {}
        counter = self._counters.get(member.predicate)
        if counter is not None:
            key = member.terms[: len(member.terms) - len(listed)]
            size = Variable("#")
            count = Atom(counter.name, (*key, size), member.tense if counter.has_tense else None)
            found |= self._supports(count, free | {size.name})
        for terms, number in self._known.get((member.relation, member.tense), ()):
            bound = _match(member.terms, terms, free | listed)
            if bound is None:
                continue
            own = {name: term for name, term in bound.items() if name in listed}
            supports = {number: None}
            for required in condition.conditions:
                supports |= self._supports(_with(required, own), free)
            required_relations = [s.relation.split(" ")[0] for s in statements(condition.conditions)]
            name = self._later("_with_".join([member.relation, *required_relations[:1]]), member.tense)
            found[self._add(ProofNode(name, supports=supports))] = None
        return found

    def _find(self, statement: Statement, free: frozenset[str]) -> int | None:
        for terms, number in reversed(self._known.get(_key(statement), ())):
            if _match(statement.terms, terms, free) is not None:
                return number
        return None

    def _record(self, statement: Statement, number: int) -> None:
        self._known.setdefault(_key(statement), []).append((statement.terms, number))

    def _add(self, node: ProofNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _below(self, numbers: Iterable[int]) -> Iterator[int]:
        """Yield the conditions on which nodes depend."""
        todo, seen = list(numbers), set(numbers)
        while todo:
            node = self.nodes[number := todo.pop()]
            if node.condition is not None:
                yield number
            new = [each for each in node.supports if each not in seen]
            seen.update(new)
            todo += new

    # Names

    def _is_action(self, atom: Atom) -> bool:
        return self._words.predicates[atom.predicate].kind == "action"

    def _name(self, head: Statement, rule: Rule) -> str:
        """Return the name of a fact: its relation, the label of its rule, and the action that precedes it."""
        words = head.relation.split(" ")
        if isinstance(head, GameStatement):
            value = head.value.value if isinstance(head.value, Constant) else ""
            return self._later(f"{head.game.predicate}_is_{value}".lower(), head.tense)
        plain = "_".join(words)
        is_plain = rule.label is None or head.relation in self._defined
        return self._later(plain if is_plain else f"{plain}_by_{rule.label}", head.tense)

    def _later(self, name: str, moment: Tense | None) -> str:
        return f"{name}_after_{self._actions[0]}" if moment == "after" and self._actions else name


def statement_of_rule(condition: Condition, words: Vocabulary) -> Condition:
    """Return a condition of a rule at the moment at which its proof reads it."""
    return at_moment(condition, "before", words)


def dominators(nodes: Sequence[ProofNode]) -> list[int]:
    """Return the immediate dominator of each node.

    It is the nearest node through which every path from the root leads. The root is its own dominator, and a
    node without a path from the root has the root.
    """
    order = _users_first(nodes)
    place = {number: n for n, number in enumerate(order)}
    users: dict[int, list[int]] = {}
    for number in order:
        for below in nodes[number].supports:
            users.setdefault(below, []).append(number)
    found = [ROOT] * len(nodes)

    def common(one: int, other: int) -> int:
        while one != other:
            if place[one] > place[other]:
                one = found[one]
            else:
                other = found[other]
        return one

    for number in order[1:]:
        first, *rest = users[number]
        for user in rest:
            first = common(first, user)
        found[number] = first
    return found


def _users_first(nodes: Sequence[ProofNode]) -> list[int]:
    """Return the nodes that the root depends on, each after all nodes that depend on it."""
    finished: list[int] = []
    seen = {ROOT}
    todo: list[tuple[int, Iterator[int]]] = [(ROOT, iter(nodes[ROOT].supports))]
    while todo:
        number, below = todo[-1]
        new = next((each for each in below if each not in seen), None)
        if new is None:
            finished.append(number)
            todo.pop()
        else:
            seen.add(new)
            todo.append((new, iter(nodes[new].supports)))
    return finished[::-1]


def _key(statement: Statement) -> tuple[str, Tense | None]:
    return statement.relation, statement.tense


def _match(pattern: Sequence[Term], terms: Sequence[Term], free: frozenset[str]) -> dict[str, Term] | None:
    """Return the terms of free variables for which a pattern is equal to terms; None if there are none."""
    found: dict[str, Term] = {}
    for ours, theirs in zip(pattern, terms, strict=True):
        if isinstance(ours, Variable) and ours.name in free:
            if found.setdefault(ours.name, theirs) != theirs:
                return None
        elif ours != theirs:
            return None
    return found


def _variables(condition: Condition) -> Iterator[Variable]:
    for statement in statements([condition]):
        yield from (term for term in statement.terms if isinstance(term, Variable))


def _with(condition: Condition, terms: Mapping[str, Term]) -> Condition:
    return apply_to_condition(condition, terms)
