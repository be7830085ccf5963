"""Truth in a state by exhaustive search, without checker or learner, to refute learned rules.

A state is a set of given facts without an action. The effect of an action or a reply is the set of the
theory's conclusions from that state with that action alone. If a theory violates one of its own constraints
there (a key, a count) or leaves 64 bits, a knowledge base refuses the state. An engine without integrity
constraints then computes the conclusions of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.check.clauses.sorts import variable_sorts
from hornbook.kb.lower.coding import CodedQuery, Coding
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, Fact, Limits
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    EngineError,
    KeyConflictError,
    OverfullSetError,
)
from oracles.reference import engine as reference
from oracles.reference.engine import ReferenceEngine, ReferenceSaturation

LIMITS = Limits(facts=5_000, seconds=5.0)
GREATEST, LEAST = 2**63 - 1, -(2**63)
MOST_INSTANCES = 4_000

Facts = frozenset[GroundFact]


class UnknownError(Exception):
    """The truth was not determined within the limits."""


class _Patient(ReferenceSaturation):
    """A saturation that ignores violated constraints; conditions that leave 64 bits fail."""

    def check_constraints(self, predicates: Sequence[CodedPredicate]) -> None:
        pass

    def _review(self, *_: Any) -> None:
        pass


class Promiseless(ReferenceEngine):
    """The reference engine with such saturations."""

    def update(self, **changes: Any) -> Any:
        whole, reference.ReferenceSaturation = reference.ReferenceSaturation, _Patient
        try:
            return super().update(**changes)
        finally:
            reference.ReferenceSaturation = whole


@dataclass(frozen=True, slots=True)
class Consequences:
    """All consequences of some facts.

    The flag `refused` means that a knowledge base would not accept the facts. `unreal`: the reason is a
    violated constraint on observed predicates after an action, so such a state never exists.
    """

    facts: frozenset[Fact]
    refused: bool = False
    unreal: bool = False


class PlainTruth:
    """A theory's conclusions about states.

    Facts that the theory states about the present state are left out.
    """

    def __init__(self, theory: Theory) -> None:
        predicates = theory.vocabulary.predicates
        fixed = tuple(
            s for s in theory.facts if isinstance(s, t.Atom) and predicates[s.predicate].kind == "static"
        )
        self.theory = replace(theory, facts=fixed)
        self.vocabulary = theory.vocabulary
        self.coding = Coding(theory.vocabulary)
        self.rules = [r for i, rule in enumerate(theory.rules) for r in self.coding.rule(i, rule)]
        self.fixed = [self.coding.fact(ground_fact(statement)) for statement in fixed]
        self.engine = CompiledEngine(self.coding.predicates, derivations="none", limits=LIMITS)
        self.engine.update(add=self.fixed, add_rules=self.rules)
        self.queries: dict[int, tuple[t.Rule, bool, dict[t.Tense, CodedQuery]]] = {}
        for name in self.vocabulary.sorts:  # so that cells do not depend on the order of sets
            for term in self.words[name]:
                self.coding.cell(term.value, self.coding.kind(name))
            for number in (1, 2, 3):
                self.coding.cell(f"{name[:1]}{number}", "word")
                self.coding.cell(f"{name}{number}", "word")
        self.coding.cell("somebody", "word")
        self._closed: dict[frozenset[Fact], Consequences] = {}
        self._meant: dict[tuple[Facts, int], Consequences] = {}

    @cached_property
    def asks_for_games(self) -> bool:
        """Return whether a rule of the theory reads the value of a game or the effect of an action."""
        return any(
            isinstance(s, t.GameStatement) for rule in self.theory.rules for s in t.statements(rule.body)
        )

    @cached_property
    def words(self) -> Mapping[str, tuple[t.Constant, ...]]:
        """Return the constants of the theory's own text, by sort, and the words of the closed sorts."""
        found: dict[str, dict[t.Constant, None]] = {name: {} for name in self.vocabulary.sorts}
        for name, sort in self.vocabulary.sorts.items():
            found[name] |= dict.fromkeys(map(t.Constant, sort.constants))
        mentioned = [s for r in self.theory.rules for s in (r.head, *t.statements(r.body))]
        for replies in self.theory.replies:
            for case in replies.cases:
                mentioned += [case.action, *t.statements(case.conditions)]
                for condition in case.conditions:
                    for number in numbers(condition):
                        found["int"] |= dict.fromkeys(t.Constant(number + i) for i in (-1, 0, 1))
        for rule in self.theory.rules:
            sorts = variable_sorts(rule, self.vocabulary)
            for comparison in _comparisons(rule.body):
                for one, other in permutations((comparison.left, comparison.right)):
                    if isinstance(one, t.Variable) and isinstance(other, t.Constant) and one.name in sorts:
                        found[sorts[one.name]][other] = None
        for statement in (*mentioned, *self.theory.facts):
            for term, sort in zip(statement.terms, sorts_of(statement, self.vocabulary), strict=True):
                if isinstance(term, t.Constant):
                    found[sort][term] = None
        return {name: tuple(terms) for name, terms in found.items()}

    @cached_property
    def later(self) -> PlainTruth:
        """Return the truth about states after actions, where no fluent is known to be absent or complete."""
        words = self.vocabulary.predicates
        monotonic = tuple(
            rule
            for rule in self.theory.rules
            if not any(words[_named(s)].has_tense for s in _summed_up(rule.body))
        )
        return self if monotonic == self.theory.rules else PlainTruth(replace(self.theory, rules=monotonic))

    # Consequences

    def closed(self, facts: Iterable[GroundFact]) -> Consequences:
        """Return the consequences of facts. Raise UnknownError if they were not determined."""
        return self._of(frozenset(map(self.coding.fact, facts)))

    def _of(self, coded: frozenset[Fact]) -> Consequences:
        known = self._closed.get(coded)
        if known is None:
            if len(self._closed) > 3_000:
                self._closed.clear()
            known = self._closed[coded] = self._saturated(coded)
        return known

    def _saturated(self, coded: frozenset[Fact]) -> Consequences:
        self.engine.push()
        try:
            self.engine.update(add=coded)
            return Consequences(_all(self.engine, len(self.coding.predicates)))
        except (KeyConflictError, OverfullSetError, ArithmeticOverflowError):
            return self._without_promises(coded)
        except EngineError as problem:
            raise UnknownError(str(problem)) from problem
        finally:
            self.engine.pop()

    def _without_promises(self, coded: frozenset[Fact]) -> Consequences:
        plain = Promiseless(self.coding.predicates, derivations="none", limits=LIMITS)
        try:
            plain.update(add=[*self.fixed, *coded], add_rules=self.rules)
        except EngineError as problem:
            raise UnknownError(str(problem)) from problem
        facts = _all(plain, len(self.coding.predicates))
        return Consequences(facts, refused=True, unreal=self._is_unreal(facts))

    def _is_unreal(self, facts: frozenset[Fact]) -> bool:
        keyed: dict[tuple[int, tuple[int, ...]], Fact] = {}
        for fact in facts:
            declared, relation = self.coding.predicates[fact.predicate], self.coding.relations[fact.predicate]
            predicate = self.vocabulary.predicates.get(relation.template.relation)
            if predicate is None or declared.key is None or relation.template.tense != "after":
                continue
            there = keyed.setdefault((fact.predicate, fact.cells[: declared.key]), fact)
            if predicate.observed and there != fact:
                return True
            if declared.counts is not None and predicate.closes is not None:
                members = [
                    f
                    for f in facts
                    if f.predicate == declared.counts and f.cells[: declared.key] == fact.cells[:-1]
                ]
                both = predicate.observed and self.vocabulary.predicates[predicate.closes].observed
                if both and len(members) > fact.cells[-1]:
                    return True
        return False

    def says(self, closed: Consequences, statement: t.Statement) -> bool:
        return self.coding.fact_of(statement) in closed.facts

    def after(self, closed: Consequences, facts: Iterable[GroundFact]) -> Facts:
        """Return the state after an action, as far as the theory determines it."""
        predicates = self.vocabulary.predicates
        fixed = (f for f in facts if predicates[f.relation].kind == "static")
        changed = []
        for fact in closed.facts:
            template = self.coding.relations[fact.predicate].template
            if template.tense == "after" and isinstance(template, t.Atom):
                changed.append(self.coding.ground(fact)._replace(tense=None))
        return frozenset((*fixed, *changed))

    # Games

    def achieved(self, state: Facts, statement: t.GameStatement, depth: int) -> tuple[bool, bool]:
        """Return whether an action has the stated effect on a game, and whether that state is refused."""
        assert statement.by is not None
        taken = state | {ground_fact(statement.by)}
        goal = statement_at(statement, "before", self.vocabulary)
        closed = self.closed(taken)
        if closed.unreal:
            raise UnknownError("what is said to be observed is not so")
        found = self.says(closed, goal) or (
            depth > 0 and self.asks_for_games and self.says(self.meant(taken, depth), goal)
        )
        return found, closed.refused

    def meant(self, taken: Facts, depth: int) -> Consequences:
        """Return the consequences together with the values of games, before and after the action.

        The values are the effect of each action, and the games with a second-player win.
        """
        key = taken, depth
        if key in self._meant:
            return self._meant[key]
        closed = self.closed(taken)
        state = self.without_action(taken)
        after = self.after(closed, state)
        more: set[Fact] = set()
        for moment, place, truth in (("before", state, self), ("after", after, self.later)):
            for action in self.actions(place):
                there = truth.closed(place | {ground_fact(action)})
                if depth > 1 and self.asks_for_games:
                    there = truth.meant(place | {ground_fact(action)}, depth - 1)
                more |= {self.coding.fact_of(s) for s in truth._achievements(there, action, moment)}
        for name, predicate in self.vocabulary.predicates.items():
            if predicate.kind != "game":
                continue
            for terms in self._product([c.name for c in predicate.columns], taken | after):
                game = t.Atom(name, terms)
                for moment, place, truth in (("before", state, self), ("after", after, self.later)):
                    if truth.second_player_win(place, game, depth - 1)[0]:
                        conclusion = t.GameStatement(replace(game, tense=moment), None, t.SECOND_PLAYER_WIN)
                        more.add(self.coding.fact_of(conclusion))
        if len(self._meant) > 500:
            self._meant.clear()
        found = self._meant[key] = self._of(frozenset(map(self.coding.fact, taken)) | more)
        return found

    def _achievements(self, closed: Consequences, action: t.Atom, moment: t.Tense) -> Iterator[t.Statement]:
        """Yield the effects of an action in the form of statements at a moment."""
        for fact in closed.facts:
            template = self.coding.relations[fact.predicate].template
            if (
                isinstance(template, t.GameStatement)
                and template.by is not None
                and template.tense == "before"
            ):
                statement = self.coding.statement(fact)
                assert isinstance(statement, t.GameStatement)
                if statement.by == action:
                    yield replace(statement, game=replace(statement.game, tense=moment))

    def without_action(self, facts: Facts) -> Facts:
        predicates = self.vocabulary.predicates
        return frozenset(
            f for f in facts if f.relation not in predicates or predicates[f.relation].kind != "action"
        )

    def second_player_win(self, state: Facts, game: t.Atom, depth: int) -> tuple[bool, str]:
        """Return whether a game is a second-player win.

        If not, the reason.

        After a reply that violates a constraint, the conclusions of the theory's rules count, as after an
        executed action; the reason is then not empty.
        """
        closed = self.closed(state)
        if self.says(closed, t.GameStatement(replace(game, tense="before"), None, t.SECOND_PLAYER_WIN)):
            return True, ""
        replies = self.theory.replies_of(game.predicate)
        if replies is None:
            return False, "there are no replies, and the theory does not say it"
        is_open, broken = False, ""
        for action, can_be_barred, unless in self.instances(replies, game, state):
            reply = state | {ground_fact(action)}
            after = self.closed(reply)
            if after.unreal:
                raise UnknownError("what is said to be observed is not so")
            if unless is not None and self.says(after, statement_at(unless, "before", self.vocabulary)):
                continue
            is_open = is_open or not can_be_barred
            if not self.won_after(reply, after, game, depth):
                return False, f"it is not won after {action}"
            if after.refused:
                broken = f"{action} breaks a promise"
        return is_open, broken if is_open else "no reply is open"

    def won_after(self, reply: Facts, closed: Consequences, game: t.Atom, depth: int) -> bool:
        """Return whether the friend wins by his move after a reply."""
        after = [t.GameStatement(replace(game, tense="after"), None, v) for v in t.WON_TO_PLAY]
        before = [t.GameStatement(replace(game, tense="before"), None, v) for v in t.WON_TO_PLAY]
        if any(self.says(closed, s) for s in after):
            return True
        state = self.after(closed, reply)
        there = self.later.closed(state)
        if any(self.later.says(there, s) for s in before):
            return True
        if depth > 0 and self.asks_for_games and any(self.says(self.meant(reply, depth), s) for s in after):
            return True
        return any(
            self.later.achieved(state, t.GameStatement(game, action, v), max(depth - 1, 0))[0]
            for action in self.actions(state)
            for v in t.WON_TO_PLAY
        )

    def actions(self, state: Facts) -> Iterator[t.Atom]:
        for name, predicate in self.vocabulary.predicates.items():
            if predicate.kind == "action":
                for terms in self._product([c.name for c in predicate.columns], state):
                    yield t.Atom(name, terms)

    def instances(
        self, replies: Replies, game: t.Atom, state: Facts
    ) -> Iterator[tuple[t.Atom, bool, t.Statement | None]]:
        """Yield the possible replies of the opponent, with a flag for replies that may be barred and the
        barring statement.
        """
        pairs = zip(replies.game.terms, game.terms, strict=True)
        own = {v.name: term for v, term in pairs if isinstance(v, t.Variable)}
        for case in replies.cases:
            action = apply_to_statement(case.action, own)
            conditions = [apply_to_condition(c, own) for c in case.conditions]
            unless = None if case.unless is None else apply_to_statement(case.unless, own)
            for bound in self.rows(state, action, conditions):
                barred = None if unless is None else apply_to_statement(unless, bound)
                if barred is not None and any(isinstance(one, t.Variable) for one in barred.terms):
                    raise UnknownError("what bars a reply has a variable of its own")
                yield apply_to_statement(action, bound), case.unless is not None, barred

    def rows(
        self, state: Facts, action: t.Atom, conditions: Sequence[t.Condition]
    ) -> Iterator[Mapping[str, t.Constant]]:
        """Yield the bindings of an action's variables that satisfy the conditions before it."""
        columns = self.vocabulary.predicates[action.predicate].columns
        values = {
            v.name
            for s in conditions
            if isinstance(s, t.Atom | t.GameStatement)
            for v in t.condition_variables(s)
        }
        loose: dict[str, str] = {}
        for term, column in zip(action.terms, columns, strict=True):
            if isinstance(term, t.Variable) and term.name not in values:
                loose.setdefault(term.name, column.name)
        domain = self._domain(state)
        ways = list(product(*(domain[sort] for sort in loose.values())))
        if len(ways) > MOST_INSTANCES:
            raise UnknownError("too many replies")
        for way in ways:
            chosen = dict(zip(loose, way, strict=True))
            body = tuple(
                at_moment(apply_to_condition(c, chosen), "before", self.vocabulary) for c in conditions
            )
            for found in self.query(state, body):
                yield {**chosen, **found}

    def query(
        self, facts: Iterable[GroundFact], body: tuple[t.Condition, ...]
    ) -> list[dict[str, t.Constant]]:
        """Return the bindings of named variables that satisfy conditions, whether or not the facts are
        refused.
        """
        facts, coded = list(facts), self.coding.query(body)
        if not self.closed(facts).refused:
            return self.answers(facts, coded)
        plain = Promiseless(self.coding.predicates, derivations="none", limits=LIMITS)
        try:
            plain.update(add=[*self.fixed, *map(self.coding.fact, facts)], add_rules=self.rules)
            return self._read(plain.query(coded.conditions, coded.variables), coded)
        except EngineError as problem:
            raise UnknownError(str(problem)) from problem

    def answers(self, facts: Iterable[GroundFact], coded: CodedQuery) -> list[dict[str, t.Constant]]:
        """Return the same for coded conditions; there are none if the facts are refused."""
        self.engine.push()
        try:
            self.engine.update(add=map(self.coding.fact, facts))
            rows = self.engine.query(coded.conditions, coded.variables)
        except (KeyConflictError, OverfullSetError, ArithmeticOverflowError):
            return []
        except EngineError as problem:
            raise UnknownError(str(problem)) from problem
        finally:
            self.engine.pop()
        return self._read(rows, coded)

    def _read(self, rows: Iterable[tuple[int, ...]], coded: CodedQuery) -> list[dict[str, t.Constant]]:
        return [
            {
                name: t.Constant(self.coding.value(cell, kind))
                for name, cell, kind in zip(coded.names, row, coded.kinds, strict=True)
            }
            for row in rows
        ]

    def _domain(self, facts: Iterable[GroundFact]) -> dict[str, list[t.Constant]]:
        """Return the constants of each sort: those of the state and of the theory, and an unknown one."""
        found = {name: dict.fromkeys(terms) for name, terms in self.words.items()}
        for fact in facts:
            predicate = self.vocabulary.predicates.get(fact.relation)
            for value, column in zip(
                fact.values, () if predicate is None else predicate.columns, strict=False
            ):
                found[column.name][t.Constant(value)] = None
        whole = dict.fromkeys(
            term
            for name, terms in found.items()
            if self.vocabulary.sorts[name].kind == "integer"
            for term in terms
        )
        for name, sort in self.vocabulary.sorts.items():
            if sort.kind in ("open", "mixed"):
                found[name][t.Constant("somebody")] = None
            elif sort.kind == "integer":
                found[name] |= whole | dict.fromkeys(map(t.Constant, (0, 1, 2, GREATEST, LEAST)))
        return {
            name: [
                term if form is None else t.Constant(form.number(term.value))
                for term in sorted(terms, key=lambda term: (isinstance(term.value, str), term.value))
                if not isinstance(term.value, int) or LEAST <= term.value <= GREATEST
            ]
            for name, terms in found.items()
            for form in (self.vocabulary.sorts[name].form,)
        }

    def _product(self, sorts: Sequence[str], facts: Iterable[GroundFact]) -> list[tuple[t.Constant, ...]]:
        domain = self._domain(facts)
        ways = list(product(*(domain[sort] for sort in sorts)))
        if len(ways) > MOST_INSTANCES:
            raise UnknownError("too many things")
        return ways


def _all(engine: CompiledEngine | ReferenceEngine, predicates: int) -> frozenset[Fact]:
    return frozenset(Fact(number, cells) for number in range(predicates) for cells in engine.facts(number))


def _summed_up(conditions: Iterable[t.Condition]) -> Iterator[t.Statement]:
    """Yield the statements in absences and aggregates."""
    for condition in conditions:
        if isinstance(condition, t.Absent | t.Aggregate):
            yield from t.statements((condition,))
        elif isinstance(condition, t.All):
            yield from _summed_up(condition.conditions)


def _named(statement: t.Statement) -> str:
    return statement.game.predicate if isinstance(statement, t.GameStatement) else statement.predicate


def _comparisons(nodes: Iterable[t.Node]) -> Iterator[t.Comparison]:
    """Yield the comparisons among conditions, including nested ones."""
    for node in nodes:
        if isinstance(node, t.Comparison):
            yield node
        elif not isinstance(node, (t.Variable, t.Constant)):
            yield from _comparisons(t.parts(node))


def numbers(condition: t.Condition) -> Iterator[int]:
    """Yield the integers in a comparison."""
    todo: list[t.Expression] = []
    if isinstance(condition, t.Comparison):
        todo = [condition.left, condition.right]
    while todo:
        one = todo.pop()
        if isinstance(one, t.Operation):
            todo += one.operands
        elif isinstance(one, t.Constant) and isinstance(one.value, int):
            yield one.value


def sorts_of(statement: t.Statement, vocabulary: object) -> list[str]:
    """Return the sorts of a statement's terms."""
    atoms = [statement] if isinstance(statement, t.Atom) else [a for a in (statement.game, statement.by) if a]
    columns = [c.name for a in atoms for c in vocabulary.predicates[a.predicate].columns]  # type: ignore[attr-defined]
    return columns if isinstance(statement, t.Atom) else [*columns, "value"]


# Rules


@dataclass(frozen=True, slots=True)
class ConclusionVerdict:
    """The verdict on a conclusion of a rule: right, wrong, or refused, with the reason."""

    kind: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Firing:
    """A conclusion of a rule at a moment in a state with or without an action."""

    head: t.Statement
    moment: t.Tense


def is_timeless(rule: t.Rule) -> bool:
    return not any(s.tense for s in (rule.head, *t.statements(rule.body)))


def firings(rule: t.Rule, facts: Facts, truth: PlainTruth) -> Iterator[Firing]:
    """Yield the conclusions of a rule from facts, at both moments if it has no tense words."""
    known = truth.queries.get(id(rule))
    if known is None:
        truth.queries.clear()
        known = truth.queries[id(rule)] = rule, is_timeless(rule), dict(_queries(rule, truth))
    _, timeless, queries = known
    named = {term.name for term in rule.head.terms if isinstance(term, t.Variable)}
    changes = len(queries) > 1 and any(
        truth.vocabulary.predicates[f.relation].kind == "action" for f in facts
    )
    for moment, coded in queries.items():
        if moment == "after" and not changes:
            continue
        seen: set[t.Statement] = set()
        for row in truth.answers(facts, coded):
            head = apply_to_statement(rule.head, {n: term for n, term in row.items() if n in named})
            if timeless:
                head = statement_at(head, moment, truth.vocabulary)
            if head not in seen and all(isinstance(term, t.Constant) for term in head.terms):
                seen.add(head)
                yield Firing(head, moment)


def _queries(rule: t.Rule, truth: PlainTruth) -> Iterator[tuple[t.Tense, CodedQuery]]:
    """Yield the rule's conditions as queries for each moment at which it may be read."""
    if not is_timeless(rule):
        yield "before", truth.coding.query(rule.body)
        return
    for moment in truth.coding.moments[:1] if rule.of_given else truth.coding.moments:
        yield moment, truth.coding.query(tuple(at_moment(c, moment, truth.vocabulary) for c in rule.body))


def judged(rule: t.Rule, firing: Firing, facts: Facts, truth: PlainTruth, depth: int) -> ConclusionVerdict:
    """Return whether a conclusion of a rule is true.

    Raise UnknownError if this was not determined.

    `depth` is at least the rank of the rule's certificate, which is the number of further moves that a proof
    may examine.
    """
    head = firing.head
    closed = truth.closed(facts)
    assert not closed.refused
    if truth.says(closed, head):
        return ConclusionVerdict("right")
    if not isinstance(head, t.GameStatement):
        if depth > 0 and truth.asks_for_games and truth.says(truth.meant(facts, depth), head):
            return ConclusionVerdict("right")
        return ConclusionVerdict("wrong", "the theory does not conclude it")
    given = truth.without_action(facts)
    state = truth.after(closed, given) if head.tense == "after" else given
    there = truth.later if head.tense == "after" else truth
    plain = replace(head, game=replace(head.game, tense=None))
    why = "the theory does not conclude it"
    if plain.by is not None:
        found, refused = there.achieved(state, plain, depth)
        if found:
            return ConclusionVerdict("refused" if refused else "right")
        why = "taken, the action does not achieve it" + (" (the theory breaks a promise)" if refused else "")
    elif plain.value == t.SECOND_PLAYER_WIN:
        found, why = there.second_player_win(state, plain.game, depth)
        if found:
            return ConclusionVerdict("refused" if why else "right")
    if depth > 0 and truth.says(truth.meant(facts, depth), head):
        return ConclusionVerdict("right")
    return ConclusionVerdict("wrong", why)
