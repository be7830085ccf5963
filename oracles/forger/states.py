"""Small states in which a rule might be wrong: its conditions with all bindings to few constants, and further
facts.

Each state satisfies the constraints of given predicates: keys, counts and sorts. Concluded predicates are
unrestricted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, rename_rule, statement_at
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.parse.facts import ground_fact
from oracles.proofs.plain_truth import GREATEST, LEAST, Facts, PlainTruth, numbers

THINGS = {"thing": ("t1", "t2", "t3"), "spot": ("s1", "s2", "s3")}
DEEPEST = 4
WHOLE = (0, 1, 2, 3)
ENDS_OF_MONTHS = (-1, 30, 31, 58, 59)
"""Days since 1970-01-01."""


class States:
    """The states of one theory on which its rules are tried."""

    def __init__(self, truth: PlainTruth, random: Random) -> None:
        self.truth, self.random = truth, random
        self.vocabulary: Vocabulary = truth.vocabulary
        self.theory: Theory = truth.theory
        self.predicates = self.vocabulary.predicates
        self.fixed = [ground_fact(s) for s in self.theory.facts]
        self.given = [p for p in self.predicates.values() if p.kind in ("static", "fluent")]
        self.actions = [p for p in self.predicates.values() if p.kind == "action"]
        self.concluding: dict[str, list[t.Rule]] = {}
        for rule in self.theory.rules:
            if rule.head.tense != "after":
                self.concluding.setdefault(rule.head.relation, []).append(rule)
        self.fresh = 0
        self.bound: dict[str, t.Term] = {}

    def value(self, sort: str, near: Sequence[int] = ()) -> t.Constant:
        declared = self.vocabulary.sorts[sort]
        if declared.kind == "enumerated":
            return t.Constant(self.random.choice(declared.constants))
        if declared.kind == "integer":
            pool = [*WHOLE, *WHOLE, *near, *near]
            if declared.form is not None and declared.form.kind == "date":
                pool += ENDS_OF_MONTHS
            edges = (GREATEST, LEAST, GREATEST - 1)
            return t.Constant(self.random.choice(edges if self.random.random() < 0.06 else pool))
        is_mixed = declared.kind == "mixed"
        known = [
            term.value for term in self.truth.words.get(sort, ()) if is_mixed or isinstance(term.value, str)
        ]
        pool: list[str | int] = [*THINGS.get(sort, (f"{sort}1", f"{sort}2", f"{sort}3")), *known]
        return t.Constant(self.random.choice(pool[: self.random.choice((2, 3, 5))]))

    def keeps_promises(self, facts: Iterable[GroundFact]) -> bool:
        return self.conflict(facts) is None

    def conflict(self, facts: Iterable[GroundFact]) -> tuple[GroundFact, GroundFact] | None:
        """Return two facts that together violate a constraint, if there are any."""
        everything = {*facts, *self.fixed}
        # Sorting makes the result deterministic; it is needed only if there is a conflict.
        return None if self._conflict(everything) is None else self._conflict(sorted(everything, key=str))

    def _conflict(self, everything: Collection[GroundFact]) -> tuple[GroundFact, GroundFact] | None:
        keyed: dict[tuple[object, ...], GroundFact] = {}
        for fact in everything:
            predicate = self.predicates[fact.relation]
            if predicate.key is not None:
                there = keyed.setdefault((fact.relation, fact.values[: predicate.key]), fact)
                if there != fact:
                    return there, fact
        for fact in everything:
            closes = self.predicates[fact.relation].closes
            if closes is not None:
                members = [
                    f
                    for f in everything
                    if f.relation == closes and f.values[: len(fact.values) - 1] == fact.values[:-1]
                ]
                if len(members) > fact.values[-1]:  # type: ignore[operator]
                    return fact, (members or [fact])[0]
        return None

    def random_fact(self) -> GroundFact:
        predicate = self.random.choice(self.given)
        return GroundFact(predicate.name, tuple(self.value(c.name).value for c in predicate.columns))

    def random_action(self) -> GroundFact | None:
        if not self.actions:
            return None
        predicate = self.random.choice(self.actions)
        values = tuple(self.value(c.name).value for c in predicate.columns)
        return self.written(GroundFact(predicate.name, values))

    def with_more(self, facts: set[GroundFact], most: int) -> set[GroundFact]:
        for _ in range(most):
            more = self.random_fact()
            if more not in facts and self.keeps_promises([*facts, more]):
                facts.add(more)
        return facts

    def counted(self, facts: set[GroundFact], share: float) -> set[GroundFact]:
        """Return the facts with the numbers of known members for some sets."""
        for predicate in self.given:
            if predicate.closes is None:
                continue
            width = len(predicate.columns) - 1
            keys = {f.values[:width] for f in facts if f.relation == predicate.closes}
            if self.random.random() < 0.3:
                keys.add(tuple(self.value(c.name).value for c in predicate.columns[:width]))
            known = {f.values[:width] for f in (*facts, *self.fixed) if f.relation == predicate.name}
            for key in sorted(keys - known, key=str):
                if self.random.random() < share:
                    size = len(
                        {
                            f
                            for f in (*facts, *self.fixed)
                            if f.relation == predicate.closes and f.values[:width] == key
                        }
                    )
                    more = self.random.random() < 0.08
                    facts.add(GroundFact(predicate.name, (*key, size + more)))
        return facts

    def at_random(self) -> Facts:
        facts = self.with_more(set(), self.random.randint(2, 9))
        return frozenset(map(self.written, self.counted(facts, 0.7)))

    def written(self, fact: GroundFact) -> GroundFact:
        """Return the fact with dates and decimal numbers for the integers of such sorts."""
        columns = self.predicates[fact.relation].columns
        forms = [self.vocabulary.sorts[column.name].form for column in columns]
        values = zip(fact.values, forms, strict=True)
        return GroundFact(
            fact.relation,
            tuple(form.number(v) if form and isinstance(v, int) else v for v, form in values),
        )

    # For one rule

    def of(self, rule: t.Rule, most: int) -> Iterator[tuple[Facts, GroundFact | None]]:
        """Yield states in which the rule may fire, each with its required or another action."""
        for _ in range(most):
            made = self._made(rule.body)
            if made is None:
                continue
            facts, action = made
            self.with_more(facts, self.random.choice((0, 0, 0, 1, 3)))
            facts = self.counted(facts, self.random.choice((0.0, 0.5, 1.0)))
            if self.keeps_promises(facts):
                yield frozenset(map(self.written, facts)), action and self.written(action)

    def _made(self, body: Sequence[t.Condition]) -> tuple[set[GroundFact], GroundFact | None] | None:
        statements: list[t.Statement] = []
        sets: list[t.Condition] = []
        near = sorted(
            {n + i for c in body for n in numbers(c) for i in (-1, 0, 1) if LEAST <= n + i <= GREATEST}
        )
        for condition in body:
            if isinstance(condition, t.Atom | t.GameStatement):
                statements.append(condition)
            elif isinstance(condition, t.All | t.CountIn):
                sets.append(condition)
        primitive = self._unfolded(statements, DEEPEST, sets)
        if primitive is None:
            return None
        body = [apply_to_condition(c, self.bound) for c in body]
        chosen = self._chosen(body, primitive, near)
        ground = [apply_to_statement(s, chosen) for s in primitive]
        action: GroundFact | None = None
        facts: set[GroundFact] = set()
        for statement in ground:
            if not all(isinstance(term, t.Constant) for term in statement.terms):
                return None
            fact = ground_fact(statement_at(statement, None, self.vocabulary))
            if self.predicates[fact.relation].kind == "action":
                action = fact
            else:
                facts.add(fact)
        for condition in sets:
            self._close(apply_to_condition(condition, chosen), facts, near)
        return self._merged(facts, action)

    def _merged(
        self, facts: set[GroundFact], action: GroundFact | None
    ) -> tuple[set[GroundFact], GroundFact | None] | None:
        """Return the facts with constants merged if a key requires it."""
        for _ in range(8):
            found = self.conflict(facts)
            if found is None:
                return facts, action
            one, other = found
            closes = self.predicates[one.relation].closes
            if one.relation != other.relation or closes is not None:
                facts.discard(one)
                continue
            remaining, lost = next((a, b) for a, b in zip(one.values, other.values, strict=True) if a != b)
            if isinstance(remaining, int) or self.random.random() < 0.1:
                facts.discard(other)
                if other in self.fixed:
                    facts.discard(one)
                continue
            swap = {lost: remaining}
            facts = {f._replace(values=tuple(swap.get(v, v) for v in f.values)) for f in facts}
            action = (
                None
                if action is None
                else action._replace(values=tuple(swap.get(v, v) for v in action.values))
            )
        return None

    def _unfolded(
        self, statements: Sequence[t.Statement], depth: int, sets: list[t.Condition]
    ) -> list[t.Statement] | None:
        """Return given facts and actions that conclude the statements before an action, by random rules."""
        unifier = Unifier()
        found: list[t.Statement] = []
        if not self._unfold(statements, depth, sets, unifier, found):
            return None
        names = {v.name for c in sets for v in t.condition_variables(c)} & unifier.bindings.keys()
        sets[:] = [
            apply_to_condition(c, {name: unifier.walk(t.Variable(name)) for name in names}) for c in sets
        ]
        self.bound = {name: unifier.walk(t.Variable(name)) for name in unifier.bindings}
        return [unifier.resolve(s) for s in found]

    def _unfold(
        self,
        statements: Sequence[t.Statement],
        depth: int,
        sets: list[t.Condition],
        unifier: Unifier,
        found: list[t.Statement],
    ) -> bool:
        for statement in statements:
            predicate = self.predicates.get(statement.relation)
            rules = self.concluding.get(statement.relation, [])
            if predicate is not None and predicate.kind in ("static", "fluent", "action"):
                given = predicate.kind == "action" or not rules or self.random.random() < 0.6
                if given:
                    found.append(statement)
                    continue
            if not rules or depth == 0:
                return False
            self.fresh += 1
            number = self.fresh
            rule = rename_rule(self.random.choice(rules), lambda name, n=number: f"{name}~{n}")  # type: ignore[misc]
            if not unifier.unify_statements(rule.head, statement):
                return False
            sets += [c for c in rule.body if isinstance(c, t.All | t.CountIn)]
            read = [c for c in rule.body if isinstance(c, t.Atom | t.GameStatement)]
            if any(s.tense == "after" for s in read):
                return False
            if not self._unfold(read, depth - 1, sets, unifier, found):
                return False
        return True

    def _chosen(
        self, body: Sequence[t.Condition], primitive: Sequence[t.Statement], near: Sequence[int]
    ) -> dict[str, t.Term]:
        """Return bindings of the variables to few constants, so that many are equal.

        Equations of variables are respected.
        """
        sorts: dict[str, str] = {}
        for statement in primitive:
            columns = _columns(statement, self.vocabulary)
            for term, sort in zip(statement.terms, columns, strict=True):
                if isinstance(term, t.Variable):
                    sorts.setdefault(term.name, sort)
        chosen: dict[str, t.Term] = {name: self.value(sort, near) for name, sort in sorts.items()}
        for _ in range(4):
            broken = False
            for condition in body:
                if not isinstance(condition, t.Comparison):
                    continue
                left, right = (
                    chosen.get(one.name, one) if isinstance(one, t.Variable) else one
                    for one in (condition.left, condition.right)
                )
                holds = _holds(condition.operator, left, right)
                if holds is False:
                    broken = True
                    sides = [
                        one
                        for one in (condition.left, condition.right)
                        if isinstance(one, t.Variable) and one.name in sorts
                    ]
                    if sides:
                        side = self.random.choice(sides)
                        other = right if side == condition.left else left
                        same = condition.operator == "=" and isinstance(other, t.Constant)
                        chosen[side.name] = other if same else self.value(sorts[side.name], near)  # type: ignore[assignment]
            if not broken:
                break
        return chosen

    def _close(self, condition: t.Condition, facts: set[GroundFact], near: Sequence[int]) -> None:
        """Add members and a count for a closed condition, so that it may hold."""
        members = [condition.member] if isinstance(condition, t.All) else list(condition.sets)  # type: ignore[union-attr]
        for member in members:
            width = len(condition.variables)  # type: ignore[union-attr]
            key = tuple(
                term.value if isinstance(term, t.Constant) else None
                for term in member.terms[: len(member.terms) - width]
            )
            if None in key:
                continue
            counter = next((p for p in self.predicates.values() if p.closes == member.predicate), None)
            if counter is None or counter.kind not in ("static", "fluent"):
                continue
            count = next((f for f in facts if f.relation == counter.name and f.values[:-1] == key), None)
            there = [f for f in facts if f.relation == member.predicate and f.values[: len(key)] == key]
            size = count.values[-1] if count is not None else self.random.choice((0, 1, 1, 2, 2))
            assert isinstance(size, int)
            while len(there) < min(size, 3):
                columns = self.predicates[member.predicate].columns[len(key) :]
                more = GroundFact(
                    member.predicate, (*key, *(self.value(c.name, near).value for c in columns))
                )  # type: ignore[arg-type]
                if more in there and self.random.random() < 0.5:
                    break
                if more not in there:
                    there.append(more)
                    facts.add(more)
            if count is None:
                facts.add(GroundFact(counter.name, (*key, len(there))))  # type: ignore[arg-type]
            if isinstance(condition, t.All):
                for fact in there:
                    values = dict(
                        zip(
                            (v.name for v in condition.variables),
                            map(t.Constant, fact.values[len(key) :]),
                            strict=True,
                        )
                    )
                    inner = [apply_to_condition(c, values) for c in condition.conditions]
                    primitive = self._unfolded(
                        [c for c in inner if isinstance(c, t.Atom | t.GameStatement)], 2, []
                    )
                    for statement in primitive or ():
                        loose = self._chosen(inner, [statement], near)
                        ground = apply_to_statement(statement, loose)
                        made = ground_fact(statement_at(ground, None, self.vocabulary))
                        if self.predicates[made.relation].kind != "action":
                            facts.add(made)


def _columns(statement: t.Statement, vocabulary: Vocabulary) -> list[str]:
    atoms = [statement] if isinstance(statement, t.Atom) else [a for a in (statement.game, statement.by) if a]
    columns = [c.name for a in atoms for c in vocabulary.predicates[a.predicate].columns]
    return columns if isinstance(statement, t.Atom) else [*columns, "value"]


def _holds(operator: str, left: object, right: object) -> bool | None:
    """Return whether a comparison of two constants holds, or None if it has another operand."""
    if not (isinstance(left, t.Constant) and isinstance(right, t.Constant)):
        return None
    if operator in ("=", "!="):
        return (left == right) == (operator == "=")
    if not (isinstance(left.value, int) and isinstance(right.value, int)):
        return None
    a, b = left.value, right.value
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]
