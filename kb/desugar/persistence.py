"""Persistence: the transition rules that the `persists` clauses of a theory abbreviate.

`persists F unless C; D.` means: after any action, an instance of F that held before still holds, unless C or
D holds for the instance. The clause expands to one or more rules for each action of the theory:

    after F :- a(?x, …), before F, ….

Rules have no negation. So each case that names `a` needs a condition that implies that the case fails. A case
is decomposed into *definitions* and *tests*:

- The columns of the action are variables. An argument that is bound already or is a constant is tested for
  equality with its column. Any other argument is bound to it.
- A fact of a predicate with a bound key defines its value columns: a fresh variable for each, or the value in
  F for the key of F. A bound variable or a constant is tested for equality with it. An unbound variable
  becomes bound to it.
- `?x = e` defines ?x if ?x is unbound and `e` is bound. Every other comparison of bound variables is a test.
- A fact of a complete predicate is a test if every argument is bound or a wildcard.
- Membership in a closed set with a bound key is a test, for one bound member or for any member.

If every definition has a value for a state and an instance of F, the rules are equivalent to the clause. Each
definition has *one* value: a key guarantees this for facts, arithmetic for calculations. So each variable of
a case is bound to one value, and the case holds exactly if all its tests hold. It fails exactly if the
opposite of one test holds. The opposite of `=` is `!=`, and of `>=` it is `<`. For a fact of a complete
predicate it is `absent`. For membership in a closed set whose count is known, it is `all ?y in set(k, ?y): ?y
!= ?x` or a count of 0.

All cases fail exactly if for each case the opposite of one of its tests holds. There is one rule for each
choice of one test from each case. Choices that contradict themselves are left out, and choices whose
conditions include all conditions of another choice. A case of another action fails. A case without tests
always holds, so its action has no rule.

If a definition has no value or a count is unknown, fewer facts follow, never more. An applicable rule has the
opposite of a test of each case, so all cases fail. A condition that defines nothing and has no opposite
raises NotInvertibleError.

The names of variables, the order of conditions and the labels follow from the order of the text, as specified
in docs/reference/language.md. So every reader of a theory gets the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from hornbook.kb.ast.declarations import Frame, Predicate
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.operators import PARTIAL
from hornbook.kb.ast.substitution import apply_to_expression, at_moment
from hornbook.kb.ast.terms import (
    Absent,
    All,
    Atom,
    Comparison,
    ComparisonOperator,
    Condition,
    Constant,
    Node,
    Operation,
    Rule,
    Term,
    Variable,
    condition_variables,
    expression_variables,
    parts,
    rewrite,
)
from hornbook.kb.ast.theory import Vocabulary, counts_of

MOST_RULES = 64
"""The maximum number of choices of tests for one action."""
OPPOSITES: dict[ComparisonOperator, ComparisonOperator] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip

Test = tuple[Condition, ...]
"""The opposite of a test: definitions, then the condition that holds if the test fails."""


class NotInvertibleError(Exception):
    """A condition of a case that has no opposite, with the reason."""

    def __init__(self, condition: Condition, why: str) -> None:
        super().__init__(f"`{print_condition(condition)}` {why}")
        self.condition = condition
        self.why = why


def persistence_rules(frames: Iterable[Frame], words: Vocabulary) -> Iterator[tuple[Frame, tuple[Rule, ...]]]:
    """Yield each `persists` clause of a whole theory with its rules, for all actions in declaration order.

    The clauses must have passed the checker.

    Raises:
        NotInvertibleError: A clause has no rules.
    """
    used: Counter[str] = Counter()
    for frame in frames:
        if frame.persists:
            yield frame, tuple(_labelled(frame, words, used))


def _labelled(frame: Frame, words: Vocabulary, used: Counter[str]) -> Iterator[Rule]:
    for action in [p for p in words.predicates.values() if p.kind == "action"]:
        label = f"{frame.fluent.predicate}_stays_after_{action.name}"
        for rule in _Inversion(frame, action, words).rules():
            used[label] += 1
            own = label if used[label] == 1 else f"{label}_{used[label]}"
            yield Rule(rule.head, rule.body, own, frame.span)


class _Inversion:
    """The construction of the rules of one clause for one action."""

    def __init__(self, frame: Frame, action: Predicate, words: Vocabulary) -> None:
        self.frame, self.action, self.words = frame, action, words
        self.counters = counts_of(words)
        stated = (frame.fluent, *(condition for case in frame.cases for condition in case))
        self.taken = {v.name for condition in stated for v in condition_variables(condition)}
        self.fluent = self._without_wildcards(frame.fluent)
        # The value of the fluent for its key is known: the fluent holds before the action.
        key = words.predicates[self.fluent.predicate].key
        own = self.fluent.arguments
        self.values: dict[tuple[str, tuple[Term, ...]], tuple[Term, ...]] = (
            {} if key is None else {(self.fluent.predicate, own[:key]): own[key:]}
        )
        self.columns = tuple(self._fresh(column.name) for column in action.columns)

    def _without_wildcards(self, fluent: Atom) -> Atom:
        """Return the fluent with a fresh variable for each wildcard."""
        columns = self.words.predicates[fluent.predicate].columns
        return fluent.with_terms(
            tuple(
                self._fresh(column.name) if isinstance(term, Variable) and term.is_wildcard else term
                for term, column in zip(fluent.arguments, columns, strict=True)
            )
        )

    def _fresh(self, name: str) -> Variable:
        """Return a new variable named after the sort of its column, with a number if that name is used
        already.
        """
        number, own = 1, name
        while own in self.taken:
            number += 1
            own = f"{name}_{number}"
        self.taken.add(own)
        return Variable(own)

    def rules(self) -> Iterator[Rule]:
        """Yield the rules, without labels."""
        cases = [list(self._tests(case)) for case in self.frame.cases if self._has_action(case)]
        for extra in self._choices(cases):
            head = at_moment(self.fluent, "after", self.words)
            body = (
                Atom(self.action.name, self.columns),
                at_moment(self.fluent, "before", self.words),
                *(at_moment(c, "before", self.words) for c in extra if c != self.fluent),
            )
            yield _with_wildcards(Rule(head, body))

    def _has_action(self, case: Sequence[Condition]) -> bool:
        return any(isinstance(c, Atom) and c.predicate == self.action.name for c in case)

    def _choices(self, cases: Sequence[Sequence[Test]]) -> Iterator[Test]:
        """Yield the conditions of each rule: one test of each case, definitions first."""
        number = 1
        for tests in cases:
            number *= len(tests)
        if number > MOST_RULES:
            why = f"and the other conditions could fail in {number} ways, but the limit is {MOST_RULES}"
            raise NotInvertibleError(self.frame.cases[0][0], why)
        chosen: dict[frozenset[Condition], Test] = {}
        for choice in product(*cases):
            last = dict.fromkeys(test[-1] for test in choice)
            if not any(_opposite(c) in last for c in last if isinstance(c, Comparison)):
                defining = dict.fromkeys(c for test in choice for c in test[:-1])
                chosen.setdefault(frozenset((*defining, *last)), (*defining, *last))
        yield from (
            conditions for needed, conditions in chosen.items() if not any(other < needed for other in chosen)
        )

    # Tests of a case

    def _tests(self, case: Sequence[Condition]) -> Iterator[Test]:
        """Yield the opposite of each test of a case, after the definitions of its variables."""
        bound: dict[str, Term] = {v.name: v for v in condition_variables(self.fluent)}
        defined: dict[str, Test] = {}
        left = list(case)
        action = next(c for c in case if isinstance(c, Atom) and c.predicate == self.action.name)
        left.remove(action)
        for term, column in zip(action.arguments, self.columns, strict=True):
            if isinstance(term, Constant):
                yield (Comparison("!=", column, term),)
            elif term.name in bound:
                yield (
                    *_definitions((bound[term.name],), defined),
                    Comparison("!=", bound[term.name], column),
                )
            elif not term.is_wildcard:
                bound[term.name] = column
        while left:
            found = next((each for each in left if self._is_ready(each, bound)), None)
            if found is None:
                raise NotInvertibleError(left[0], self._why_not(left[0]))
            left.remove(found)
            if isinstance(found, Comparison):
                yield from self._comparison_tests(found, bound, defined)
            elif isinstance(found, Atom) and not self._is_the_fluent(found, bound):
                yield from self._fact_tests(found, bound, defined)

    def _is_ready(self, condition: Condition, bound: dict[str, Term]) -> bool:
        """Return whether all variables that a condition needs are bound."""
        if isinstance(condition, Comparison):
            if _may_lack_value(condition):
                return False
            return _is_bound(condition, bound) or _defines(condition, bound) is not None
        if not isinstance(condition, Atom):
            return False
        if self._is_the_fluent(condition, bound):
            return True
        if self._may_be_absent(condition, bound):
            return True
        key = self.words.predicates[condition.predicate].key
        if key is not None and _all_bound(condition.arguments[:key], bound):
            return any(not _is_wildcard(term) for term in condition.arguments[key:])
        counter = self.counters.get(condition.predicate)
        if counter is None or not _all_bound(condition.arguments[: counter.arity - 1], bound):
            return False
        members = [term for term in condition.arguments[counter.arity - 1 :] if not _is_wildcard(term)]
        return len(members) <= 1 and _all_bound(members, bound)

    def _is_the_fluent(self, fact: Atom, bound: dict[str, Term]) -> bool:
        """Return whether a fact is the persisting fluent, which holds before the action."""
        terms = fact.arguments
        return _all_bound(terms, bound) and self.fluent == fact.with_terms(
            tuple(_term(term, bound) for term in terms)
        )

    def _may_be_absent(self, fact: Atom, bound: dict[str, Term]) -> bool:
        """Return whether an unknown instance of this fact is certainly false."""
        known = all(_is_wildcard(term) or _all_bound((term,), bound) for term in fact.arguments)
        return known and self.words.predicates[fact.predicate].complete

    def _comparison_tests(
        self, comparison: Comparison, bound: dict[str, Term], defined: dict[str, Test]
    ) -> Iterator[Test]:
        known = _substituted(comparison, bound)
        if _is_bound(comparison, bound):
            yield (*_definitions(condition_variables(known), defined), _opposite(known))
            return
        name = _defines(comparison, bound)
        assert name is not None
        left, right = known.left, known.right
        value = right if isinstance(left, Variable) and left.name == name else left
        if isinstance(value, Operation):
            result = self._fresh(name)
            defined[result.name] = (
                *_definitions(expression_variables(value), defined),
                Comparison("=", result, value),
            )
            bound[name] = result
        else:
            bound[name] = value

    def _fact_tests(self, fact: Atom, bound: dict[str, Term], defined: dict[str, Test]) -> Iterator[Test]:
        terms = fact.arguments
        if self._may_be_absent(fact, bound):
            there = fact.with_terms(tuple(t if _is_wildcard(t) else _term(t, bound) for t in terms))
            yield (*_definitions(there.terms, defined), Absent((there,)))
            return
        key = self.words.predicates[fact.predicate].key
        if key is not None and _all_bound(terms[:key], bound):
            keys = tuple(_term(term, bound) for term in terms[:key])
            values = self._values(fact.predicate, keys)
            before = (*_definitions(keys, defined), fact.with_terms((*keys, *values)))
            defined |= {value.name: before for value in values if isinstance(value, Variable)}
            for term, value in zip(terms[key:], values, strict=True):
                if isinstance(term, Variable) and term.name not in bound:
                    if not term.is_wildcard:
                        bound[term.name] = value
                    continue
                own = _term(term, bound)
                if own != value:
                    yield (*_definitions((own, value), defined), Comparison("!=", value, own))
            return
        counter = self.counters[fact.predicate]
        width = counter.arity - 1
        keys = tuple(_term(term, bound) for term in terms[:width])
        member = next((i for i in range(width, len(terms)) if not _is_wildcard(terms[i])), None)
        if member is None:
            none = Atom(counter.name, (*keys, Constant(0)))
            yield (*_definitions(keys, defined), none)
            return
        own = _term(terms[member], bound)
        listed = self._members(fact.predicate, width)
        different = Comparison("!=", listed[member - width], own)
        outside = All(listed, fact.with_terms((*keys, *listed)), (different,))
        yield (*_definitions((*keys, own), defined), outside)

    def _values(self, predicate: str, keys: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the variables for the values of a key, the same ones each time."""
        if (predicate, keys) not in self.values:
            columns = self.words.predicates[predicate].columns[len(keys) :]
            self.values[predicate, keys] = tuple(self._fresh(column.name) for column in columns)
        return self.values[predicate, keys]

    def _members(self, predicate: str, width: int) -> tuple[Variable, ...]:
        columns = self.words.predicates[predicate].columns[width:]
        return tuple(self._fresh(column.name) for column in columns)

    def _why_not(self, condition: Condition) -> str:
        if isinstance(condition, Comparison) and _may_lack_value(condition):
            return "has no opposite that a rule could test: a function in it may have no value"
        if not isinstance(condition, Atom):
            return "has no opposite that a rule could test"
        key = self.words.predicates[condition.predicate].key
        if key is not None and all(map(_is_wildcard, condition.arguments[key:])):
            return "tests whether there is a value, and no rule can test that there is none"
        return (
            "has no opposite that a rule could test: no value for a known key and no count says "
            "that it is not so"
        )


# Bound variables


def _is_wildcard(term: Term) -> bool:
    return isinstance(term, Variable) and term.is_wildcard


def _all_bound(terms: Iterable[Term], bound: dict[str, Term]) -> bool:
    return all(isinstance(term, Constant) or term.name in bound for term in terms)


def _is_bound(comparison: Comparison, bound: dict[str, Term]) -> bool:
    return _all_bound(condition_variables(comparison), bound)


def _defines(comparison: Comparison, bound: dict[str, Term]) -> str | None:
    """Return the variable that an equation defines, if the other side is bound."""
    if comparison.operator == "=":
        for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            if isinstance(one, Variable) and not one.is_wildcard and one.name not in bound:
                return one.name if _all_bound(expression_variables(other), bound) else None
    return None


def _term(term: Term, bound: dict[str, Term]) -> Term:
    return bound[term.name] if isinstance(term, Variable) else term


def _substituted(comparison: Comparison, bound: dict[str, Term]) -> Comparison:
    left, right = (apply_to_expression(side, bound) for side in (comparison.left, comparison.right))
    return Comparison(comparison.operator, left, right)


def _opposite(comparison: Comparison) -> Comparison:
    return Comparison(OPPOSITES[comparison.operator], comparison.left, comparison.right)


def _may_lack_value(node: Node) -> bool:
    """Return whether an expression or a comparison calls a function that has no value for some words."""
    return (isinstance(node, Operation) and node.operator in PARTIAL) or any(
        map(_may_lack_value, parts(node))
    )


def _definitions(terms: Iterable[Term], defined: dict[str, Test]) -> tuple[Condition, ...]:
    """Return the definitions of these terms, each once and after the definitions that it uses."""
    names = (term.name for term in terms if isinstance(term, Variable))
    return tuple(dict.fromkeys(c for name in names for c in defined.get(name, ())))


def _with_wildcards(rule: Rule) -> Rule:
    """Return the rule with a wildcard for each variable that occurs once."""
    conditions = (rule.head, *rule.body)
    places = Counter(v.name for condition in conditions for v in condition_variables(condition))
    numbers: dict[str, int] = {}

    def changed(part: object) -> object:
        if isinstance(part, Variable):
            if places[part.name] > 1:
                return Variable(part.name)
            return Variable(f"_{numbers.setdefault(part.name, len(numbers) + 1)}")
        return part if isinstance(part, Constant) else rewrite(part, changed)  # type: ignore[type-var]

    head, *body = (rewrite(condition, changed) for condition in conditions)
    return Rule(head, tuple(body))  # type: ignore[arg-type]
