"""Frame lemmas: a derived fact still holds after an action that does not concern it.

The explanation of a fact after an action often consists of facts that the action does not change. It shows
one derivation of the fact before the action. A frame lemma covers every derivation:

    fit_stays_after_replace: after fit(?x) :- replace(?t, ?p), before fit(?x), ?x != ?p.

It is proved by case analysis over the clauses that may have concluded `fit` before the action. The conditions
on the action come from the frame rules (`persists`) that the explanation uses, and from the objects that
differ in the example. A condition is left out if a proof is found without it.

The lemma of a recursive predicate is proved by induction. Below a fact of a recursive predicate that has no
frame lemma, the facts of the same recursion get none either: one invented predicate follows the whole chain.

Invariants: the checker accepted every lemma.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.generalise.explanation import (
    ClosedSetSupport,
    Explanation,
    ExplanationNode,
    Support,
    needed_nodes,
    numbers_of,
    renumbered,
)
from hornbook.compiler.learn.invented_predicates import argument_names, recursive_predicates
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    Rule,
    Variable,
    condition_variables,
    outer_variables,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.matcher.program.dataclass import dataclass

MAX_CONDITIONS = 6
"""The maximum number of conditions on the action that are tried for a lemma."""


class FrameLemmas:
    """The frame lemmas of a theory, proved when examples need them.

    `state_predicates` are the derived predicates about single states that rules may have as conditions, and
    `known` the proved rules whose labels no other lemma gets. `label` is the form of a label.
    """

    def __init__(
        self,
        theory: Theory,
        state_predicates: Iterable[str],
        known: Mapping[str, RuleEntry],
        label: str = "{}_stays_after_{}",
    ) -> None:
        self.theory = theory
        self._arguments = argument_names(theory)
        self.entries: dict[str, RuleEntry] = {}
        """The proved lemmas, by label."""
        self._predicates = frozenset(state_predicates)
        self._recursive = recursive_predicates(theory)
        self._known, self._label = known, label
        self._taken = {*known, *(rule.name for rule in theory.rules)}
        self._proved: dict[tuple[Atom, tuple[Condition, ...]], Rule | None] = {}

    def applied(
        self, explanation: Explanation, action: Atom, base: KnowledgeBase, flat: Collection[str] = ()
    ) -> Explanation:
        """Return the explanation with a frame lemma wherever one applies, nearest to the goal.

        `base` has the state and the action of the example. The recursive predicates `flat` get no invented
        predicates.
        """
        nodes = explanation.nodes
        unchanged = dict(self._unchanged(nodes, action, base, flat))
        if not unchanged:
            return explanation
        made: list[ExplanationNode] = []
        numbers: dict[int, int] = {}
        for number in sorted(needed_nodes(nodes, len(nodes) - 1, unchanged)):
            node = nodes[number]
            if number in unchanged:
                made += unchanged[number].premises
                node = unchanged[number].node(len(made))
            else:
                node = replace(node, supports=tuple(renumbered(s, numbers) for s in node.supports))
            numbers[number] = len(made)
            made.append(node)
        return Explanation(tuple(made))

    def _unchanged(
        self, nodes: Sequence[ExplanationNode], action: Atom, base: KnowledgeBase, flat: Collection[str]
    ) -> Iterator[tuple[int, _Application]]:
        """Yield the nodes that a frame lemma concludes, nearest to the goal, with its application."""
        needed = {len(nodes) - 1: frozenset[str]()}
        """The nodes to visit, each with the recursive predicates whose facts get no frame lemma below it."""
        for number in reversed(range(len(nodes))):  # premises come before their conclusions
            if number not in needed:
                continue
            name = nodes[number].conclusion.relation
            if name not in needed[number]:
                found = self._application(nodes, number, action, base)
                if found is not None:
                    yield number, found
                    continue
            below = needed[number] | (self._mutually_recursive(name) - set(flat))
            for premise in numbers_of(nodes[number].supports):
                needed[premise] = needed.get(premise, frozenset()) | below

    def _mutually_recursive(self, name: str) -> frozenset[str]:
        """Return the predicates of the same recursion; none if a predicate is not recursive."""
        below = self._recursive.get(name, frozenset())
        return frozenset(other for other in below if name in self._recursive.get(other, ()))

    def _application(
        self, nodes: Sequence[ExplanationNode], number: int, action: Atom, base: KnowledgeBase
    ) -> _Application | None:
        """Return the application of a proved frame lemma that concludes a fact of the example."""
        fact = nodes[number].conclusion
        if not isinstance(fact, Atom) or fact.tense != "after" or nodes[number].rule is None:
            return None
        if fact.predicate not in self._predicates or not base.holds(replace(fact, tense="before")):
            return None
        question = _Question.of(nodes, number, action.with_terms(self._terms(action)), action, self.theory)
        key = question.head, question.body
        if key not in self._proved:
            self._proved[key] = self._prove(question)
        rule = self._proved[key]
        return None if rule is None else _Application(rule, fact, question.values)

    def _terms(self, action: Atom) -> tuple[Variable, ...]:
        """Return the variables for the arguments of an action."""
        names = self._arguments.get(action.predicate)
        return tuple(map(Variable, names or (f"y{place}" for place in range(1, 1 + len(action.terms)))))

    def _prove(self, question: _Question) -> Rule | None:
        """Return the lemma with as few conditions as the search for proofs allows; None without a proof."""
        taken, body = question.body[0], question.body
        assert isinstance(taken, Atom)
        stem = self._label.format(question.head.predicate, taken.predicate)
        labels = chain((stem,), (f"{stem}_{number}" for number in count(2)))
        label = next(each for each in labels if each not in self.entries and each not in self._taken)
        if question.head.predicate in self._recursive and self._try(Rule(question.head, body[:2], label)):
            body = body[:2]  # the induction hypothesis may not have the other conditions
        entry = self._try(Rule(question.head, body, label))
        for condition in () if entry is None else body[2:]:
            shorter = tuple(c for c in body if c != condition)
            found = self._try(Rule(question.head, shorter, label)) if _is_bound(shorter) else None
            if found is not None:
                entry, body = found, shorter
        if entry is None:
            return None
        entry = self._same(entry.rule) or entry
        self.entries[entry.rule.name] = entry
        return entry.rule

    def _same(self, rule: Rule) -> RuleEntry | None:
        """Return the known certified rule that states the same as a lemma."""
        same = (each for each in self._known.values() if each.is_certified)
        return next((e for e in same if (e.rule.head, e.rule.body) == (rule.head, rule.body)), None)

    def _try(self, rule: Rule) -> RuleEntry | None:
        try:
            by_induction = rule.head.relation in self._recursive
            return RuleEntry(rule, prove(rule, self.theory, {}, by_induction=by_induction), None)
        except RejectedError:
            return None


@dataclass(frozen=True, slots=True)
class _Application:
    """A frame lemma that concludes a fact of an example, and the values of its variables there."""

    rule: Rule
    fact: Atom
    values: Mapping[str, Constant]

    @property
    def premises(self) -> list[ExplanationNode]:
        """The facts before the action that the lemma requires."""
        return [
            ExplanationNode(apply_to_statement(each, self.values), None, None, (), ())
            for each in self.rule.body
            if isinstance(each, Atom)
        ]

    def node(self, after: int) -> ExplanationNode:
        """Return the node of the fact; its premises are the last nodes of the first `after` ones."""
        statements = [condition for condition in self.rule.body if isinstance(condition, Atom)]
        numbers = {each: after - len(statements) + place for place, each in enumerate(statements)}
        supports: list[Support] = []
        for condition in self.rule.body:
            if isinstance(condition, Atom):
                supports.append(numbers[condition])
            elif isinstance(condition, All):
                # The condition stays as it is, so its members need no nodes.
                supports.append(ClosedSetSupport(after - 1, ()))
            else:
                supports.append(None)
        variables = {v.name for c in (self.rule.head, *self.rule.body) for v in outer_variables((c,))}
        binding = tuple((name, value) for name, value in self.values.items() if name in variables)
        return ExplanationNode(self.fact, self.rule, None, binding, tuple(supports))


@dataclass(frozen=True, slots=True)
class _Question:
    """A frame lemma to prove for a fact of an example, and the values of its variables there.

    The body has the action, the fact before it, and the conditions to try.
    """

    head: Atom
    body: tuple[Condition, ...]
    values: Mapping[str, Constant]

    @classmethod
    def of(
        cls, nodes: Sequence[ExplanationNode], number: int, taken: Atom, action: Atom, theory: Theory
    ) -> _Question:
        """Return the question for the fact of a node that an example's action left as it was.

        `taken` is the action with variables.
        """
        fact = nodes[number].conclusion
        assert isinstance(fact, Atom)
        columns, words = theory.vocabulary.predicates[fact.predicate].columns, theory.vocabulary.predicates
        arguments = [term for term in taken.terms if isinstance(term, Variable)]
        letters = (letter for letter in _LETTERS if Variable(letter) not in arguments)
        own = tuple(Variable(next(letters)) for _ in fact.terms)
        values = {
            variable.name: value
            for variable, value in zip((*own, *arguments), (*fact.terms, *action.terms), strict=True)
            if isinstance(value, Constant)
        }
        conditions: dict[Condition, None] = {}
        for one, sort in zip(own, columns, strict=True):
            for other, other_sort in zip(arguments, words[action.predicate].columns, strict=True):
                if sort == other_sort and values[one.name] != values[other.name]:
                    conditions[Comparison("!=", one, other)] = None
        for below in sorted(needed_nodes(nodes, number)):
            for condition in _frame_conditions(nodes[below], action, own, arguments, values):
                conditions.setdefault(condition, None)
        fitting = tuple(conditions)[:MAX_CONDITIONS]
        while fitting and not _is_bound((Atom("", (*own, *arguments)), *fitting)):
            fitting = fitting[:-1]
        head = Atom(fact.predicate, own, "after")
        body = (taken, replace(head, tense="before"), *fitting)
        return cls(head, body, values)


_LETTERS = (*"xyzuvwabcd", *(f"x{number}" for number in range(2, 40)))


def _frame_conditions(
    node: ExplanationNode,
    action: Atom,
    own: Sequence[Variable],
    arguments: Sequence[Variable],
    values: dict[str, Constant],
) -> Iterator[Condition]:
    """Yield the conditions of a frame rule on the action, about the variables of a lemma.

    Variables of the frame rule that are no variables of the lemma are added to `values`. Conditions with a
    variable of the persisting fact that the lemma does not have are left out.
    """
    rule = node.rule
    if rule is None or not isinstance(rule.head, Atom) or rule.head.tense != "after":
        return
    earlier = replace(rule.head, tense="before")
    taken = next((c for c in rule.body if isinstance(c, Atom) and c.predicate == action.predicate), None)
    if taken is None or earlier not in rule.body:
        return
    binding = dict(node.binding)
    named: dict[str, Variable] = {
        one.name: other
        for one, other in zip(taken.terms, arguments, strict=True)
        if isinstance(one, Variable)
    }
    for term in earlier.terms:
        if isinstance(term, Variable) and term.name not in named:
            same = [variable for variable in own if values[variable.name] == binding.get(term.name)]
            if same:
                named[term.name] = same[0]
    of_fact = {term.name for term in earlier.terms if isinstance(term, Variable)} - named.keys()
    for condition in rule.body:
        if condition in (taken, earlier):
            continue
        variables = {v.name for v in outer_variables((condition,))}
        if variables & of_fact:
            continue
        for name in sorted(variables - named.keys()):
            local = name
            while local in values and values[local] != binding.get(name):
                local += "2"
            named[name] = Variable(local)
            values[local] = binding[name]
        yield apply_to_condition(condition, named)


def _is_bound(conditions: Iterable[Condition]) -> bool:
    """Return whether statements bind all variables of the other conditions."""
    bound = {v for c in conditions if isinstance(c, Atom) for v in condition_variables(c)}
    return all(set(outer_variables((c,))) <= bound for c in conditions)
