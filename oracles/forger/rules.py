"""Forged rules with steps that might prove them.

A goal is regressed to conditions by random rules of the theory. If a relation has a key, two values may be
identified. Then the variables become distinct constants and the conditions become facts. An engine without
integrity constraints computes all consequences, and constants are merged whenever a key requires it, at any
moment and in any world. This is the closure that a too trusting checker would believe. Every conclusion
becomes a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.compiler.checker.certificate import CaseProof, Leaf, Opening, ProofStep, Split
from hornbook.compiler.checker.steps import is_timeless
from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Replies, ReplyCase
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, rename_rule, statement_at
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, Derivation, Fact, Limits
from hornbook.matcher.program.errors import EngineError
from oracles.engine.derivation_checker import premise_facts

LIMITS = Limits(facts=3_000, seconds=2.0)
NUMBERS = 1_000_000
"""The first of the integers that represent variables."""
WON = ("GI", "GI", "G", "GG", "GP")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule and its alleged proof. `kind` names the construction."""

    kind: str
    rule: t.Rule
    steps: tuple[ProofStep, ...]
    replies: tuple[CaseProof, ...] = ()
    open: Opening | None = None


class DeadEndError(Exception):
    """This attempt cannot lead to a rule."""


@dataclass
class Traced:
    """A goal regressed to conditions: the conditions, the identified terms, and the single action."""

    random: Random
    unifier: Unifier = field(default_factory=Unifier)
    leaves: list[t.Condition] = field(default_factory=list)
    action: t.Atom | None = None
    same: list[tuple[str, str]] = field(default_factory=list)


class Forger:
    """A generator of rules of one theory; `lemmas` are accepted rules that steps may also apply."""

    def __init__(self, theory: Theory, random: Random) -> None:
        self.theory, self.random = theory, random
        self.vocabulary = theory.vocabulary
        self.predicates = theory.vocabulary.predicates
        self.coding = Coding(theory.vocabulary)
        self.rules: list[t.Rule] = list(theory.rules)
        coded = [r for i, rule in enumerate(self.rules) for r in self.coding.rule(i, rule)]
        free = [
            p if p.counts is not None else CodedPredicate(p.arity, None, None) for p in self.coding.predicates
        ]
        self.keys = {n: p.key for n, p in enumerate(self.coding.predicates) if p.key is not None}
        self.engine = CompiledEngine(free, derivations="all", limits=LIMITS)
        stated = [
            self.coding.fact(ground_fact(s))
            for s in theory.facts
            if not self.predicates[s.relation].has_tense
        ]
        self.engine.update(add=stated, add_rules=coded)
        self.fresh = 0
        self.preferred: int | None = None
        """The lemma that steps prefer to other rules."""
        self.concluding: dict[str, list[int]] = {}
        for index, rule in enumerate(self.rules):
            self.concluding.setdefault(rule.head.relation, []).append(index)

    def add_lemma(self, rule: t.Rule) -> None:
        """Add a rule that later steps may apply."""
        try:
            coded = self.coding.rule(len(self.rules), rule)
            self.engine.update(add_rules=coded)
        except EngineError:
            return
        self.concluding.setdefault(rule.head.relation, []).append(len(self.rules))
        self.rules.append(rule)

    def _fresh(self, rule: t.Rule) -> t.Rule:
        self.fresh += 1
        number = self.fresh
        return rename_rule(
            rule, lambda name: f"{name.replace('_', 'w', 1) if name[0] == '_' else name}_{number}"
        )

    # Regression from a goal

    def trace(self, goal: t.Statement, moment: t.Tense | None, traced: Traced, depth: int) -> None:
        """Replace a statement at a moment by conditions before the action.

        Raise DeadEndError if that fails.
        """
        predicate = self.predicates.get(goal.relation)
        if predicate is not None and predicate.kind == "action":
            assert isinstance(goal, t.Atom)
            if traced.action is None:
                traced.action = goal
            elif not traced.unifier.unify_statements(traced.action, goal):
                raise DeadEndError
            return
        if (
            predicate is not None
            and predicate.kind == "static"
            and (goal.relation not in self.concluding or self.random.random() < 0.6)
        ):
            traced.leaves.append(goal)
            return
        at = goal.tense or moment
        rules = [
            i
            for i in self.concluding.get(goal.relation, ())
            if self.rules[i].head.tense in (None, at) or at is None
        ]
        given = (
            predicate is not None and at != "after" and (predicate.kind == "fluent" or predicate.operational)
        )
        if given and (not rules or depth <= 0 or self.random.random() < 0.4):
            traced.leaves.append(statement_at(goal, "before", self.vocabulary))
            return
        if not rules or depth <= 0:
            raise DeadEndError
        by_lemma = self.preferred in rules and self.random.random() < 0.8
        rule = self._fresh(self.rules[self.preferred if by_lemma else self.random.choice(rules)])  # type: ignore[index]
        if not traced.unifier.unify_statements(rule.head, goal):
            raise DeadEndError
        self._body(rule, None if not is_timeless(rule) else at, traced, depth - 1)

    def _body(self, rule: t.Rule, moment: t.Tense | None, traced: Traced, depth: int) -> None:
        for condition in rule.body:
            match condition:
                case t.Atom() | t.GameStatement():
                    self.trace(condition, moment, traced, depth)
                    self._again(condition, moment, traced, depth)
                case t.Comparison():
                    traced.leaves.append(condition)
                case t.All():
                    self._members(
                        condition.member, len(condition.variables), condition, moment, traced, depth
                    )
                case t.CountIn():
                    for member in condition.sets:
                        self._members(member, len(condition.variables), None, moment, traced, depth)
                case t.Absent() | t.Aggregate():
                    pass  # conditions on values are checked when the rule is applied: see Frozen

    def _again(self, condition: t.Statement, moment: t.Tense | None, traced: Traced, depth: int) -> None:
        """Add, for some relations with a key, another value for the same key.

        The two values are identified.
        """
        predicate = self.predicates.get(condition.relation)
        if predicate is None or predicate.key is None or self.random.random() > 0.4:
            return
        terms = list(condition.terms)
        pairs = []
        for place in range(predicate.key, len(terms)):
            term = terms[place]
            if isinstance(term, t.Variable):
                self.fresh += 1
                terms[place] = t.Variable(f"other_{self.fresh}")
                pairs.append((term.name, terms[place].name))  # type: ignore[union-attr]
        saved = list(traced.leaves), dict(traced.unifier.bindings), traced.action
        try:
            self.trace(condition.with_terms(tuple(terms)), moment, traced, depth)
        except DeadEndError:
            traced.leaves, traced.unifier.bindings, traced.action = saved
            return
        traced.same += pairs

    def _members(
        self,
        member: t.Atom,
        width: int,
        closed: t.All | None,
        moment: t.Tense | None,
        traced: Traced,
        depth: int,
    ) -> None:
        """Add `width` members of a closed set, and the conditions on each."""
        counter = next((p for p in self.predicates.values() if p.closes == member.predicate), None)
        if counter is None:
            raise DeadEndError
        size = self.random.choice((0, 1, 1, 2, 2, 2, 2, 3))
        at = member.tense or moment
        key = member.terms[: len(member.terms) - width]
        tense = at if counter.has_tense else None
        self.trace(t.Atom(counter.name, (*key, t.Constant(size)), tense), moment, traced, depth)
        columns: list[list[t.Variable]] = []
        for _ in range(size):
            self.fresh += 1
            names = [t.Variable(f"m{place}_{self.fresh}") for place in range(width)]
            columns.append(names)
            self.trace(replace(member, arguments=(*key, *names)), moment, traced, depth)
            if closed is None:
                continue
            local = {v.name for c in closed.conditions for v in t.condition_variables(c)}
            own = {v.name: n for v, n in zip(closed.variables, names, strict=True)}
            outer = {v.name for v in t.outer_variables((closed,))}
            own |= {name: t.Variable(f"{name}_{self.fresh}") for name in sorted(local - own.keys() - outer)}
            for condition in closed.conditions:
                one = apply_to_condition(condition, own)
                if isinstance(one, t.Atom | t.GameStatement):
                    self.trace(one, moment, traced, depth)
                else:
                    traced.leaves.append(one)
        if self.random.random() < 0.6:
            traced.leaves += [
                t.Comparison("!=", a[0], b[0]) for i, a in enumerate(columns) for b in columns[:i]
            ]

    # Consequences of conditions

    def goals(self) -> list[t.Statement]:
        """Return the heads of rules, each with its own variables."""
        return [self._fresh(rule).head for rule in self.rules]

    def candidates(self, most: int, lemma: str | None = None) -> Iterator[Candidate]:
        """Yield rules for a random goal; with `lemma`, rules that use it."""
        if not self.rules:
            return
        self.preferred = next((i for i, rule in enumerate(self.rules) if rule.name == lemma), None)
        able = []
        if self.preferred is not None:
            preferred = self.rules[self.preferred].head.relation
            able = [r for r in self.rules if preferred in {s.relation for s in t.statements(r.body)}]
        relations = list(self.concluding)
        games = [name for name in relations if name not in self.predicates]
        relation = self.random.choice(games if games and self.random.random() < 0.5 else relations)
        chosen = self.rules[self.random.choice(self.concluding[relation])]
        rule = self._fresh(self.random.choice(able) if able else chosen)
        moment = rule.head.tense or self.random.choice(("before", "before", "before", "after"))
        traced = Traced(self.random)
        try:
            self._body(rule, None if rule.head.tense else moment, traced, self.random.choice((2, 3, 4)))
        except DeadEndError:
            return
        body = self._confused(traced)
        names = sorted({v.name for c in body for v in t.condition_variables(c)})
        if len(body) > 12 or len(names) > 14:
            return
        action = None if traced.action is None else traced.unifier.resolve(traced.action)
        assert action is None or isinstance(action, t.Atom)
        yield from self._read_off(body, action, most)

    def _confused(self, traced: Traced) -> list[t.Condition]:
        """Return the conditions, with one variable replaced by another if the two are identified."""
        body = []
        for condition in traced.leaves:
            flip = {b: t.Variable(a) for a, b in traced.same if self.random.random() < 0.25}
            flip |= {a: t.Variable(b) for a, b in traced.same if self.random.random() < 0.35}
            body.append(apply_to_condition(condition, flip))
        names = {v.name for c in body for v in t.condition_variables(c)}
        bound = {name: traced.unifier.walk(t.Variable(name)) for name in names}
        body = [apply_to_condition(c, bound) for c in body]
        variables = sorted({v.name for c in body for v in t.condition_variables(c)})
        if len(variables) > 1 and self.random.random() < 0.1:
            one, other = self.random.sample(variables, 2)
            body = [apply_to_condition(c, {one: t.Variable(other)}) for c in body]
        if body and self.random.random() < 0.1:
            del body[self.random.randrange(len(body))]
        return list(dict.fromkeys(body))

    def _read_off(self, body: Sequence[t.Condition], action: t.Atom | None, most: int) -> Iterator[Candidate]:
        frozen = Frozen(self, [c for c in body if isinstance(c, t.Atom | t.GameStatement)], action, body)
        frozen.merges = self.random.random() < 0.5
        try:
            found = frozen.saturate()
        except (EngineError, DeadEndError):
            return
        try:
            goals = [f for f in found if self.engine.derivation(f) is not None]
            goals = [f for f in goals if self._is_worth(f)]
            self.random.shuffle(goals)
            games = [
                f for f in goals if isinstance(self.coding.relations[f.predicate].template, t.GameStatement)
            ]
            for fact in (games + goals)[:most]:
                try:
                    yield from self._as_rules(fact, frozen, body, action)
                except DeadEndError:
                    continue
        finally:
            self.engine.pop()

    def _is_worth(self, fact: Fact) -> bool:
        template = self.coding.relations[fact.predicate].template
        return isinstance(template, t.GameStatement) or template.tense is not None

    def _as_rules(
        self, fact: Fact, frozen: Frozen, body: Sequence[t.Condition], action: t.Atom | None
    ) -> Iterator[Candidate]:
        steps, comparisons = frozen.proof(fact)
        head = frozen.thawed(self.coding.statement(fact))
        conditions = [
            c
            for c in dict.fromkeys((*body, *comparisons))
            if list(t.condition_variables(c)) or not isinstance(c, t.Comparison)
        ]
        conditions = [
            c
            for c in conditions
            if not (isinstance(c, t.Comparison) and c.left == c.right and c.operator in ("=", "<=", ">="))
        ]
        self.fresh += 1
        label = f"made_{self.fresh}"
        if action is not None:
            tensed = t.Rule(head, (frozen.thawed(action), *conditions), label)
            if self.random.random() < 0.5 or not isinstance(head, t.GameStatement):
                yield Candidate("made up with an action", tensed, steps)
            if isinstance(head, t.GameStatement) and head.by is not None and head.tense == "before":
                yield Candidate(
                    "made up of a named action",
                    _timeless(t.Rule(head, tuple(conditions), f"{label}n"), self),
                    steps,
                )
            if head.tense == "before" and self.random.random() < 0.15:
                yield Candidate(
                    "an action left out", _timeless(t.Rule(head, tuple(conditions), f"{label}o"), self), steps
                )
            return
        if head.tense == "before":
            yield Candidate(
                "made up at one moment", _timeless(t.Rule(head, tuple(conditions), label), self), steps
            )

    # Replies

    def second_player_win(self) -> Iterator[Candidate]:
        """Yield rules of second-player wins with a proof for each reply."""
        if not self.theory.replies:
            return
        replies = self.random.choice(self.theory.replies)
        self.fresh += 1
        number = self.fresh
        own = {
            v.name: t.Variable(f"{v.name}_{number}")
            if not v.is_wildcard
            else t.Variable(f"g{v.name}_{number}")
            for v in replies.game.terms
            if isinstance(v, t.Variable)
        }
        game = t.Atom(
            replies.game.predicate,
            tuple(own[term.name] for term in replies.game.terms if isinstance(term, t.Variable)),
        )
        body: list[t.Condition] = []
        opening: Opening | None = None
        able = [i for i, case in enumerate(replies.cases) if case.unless is None]
        if not able:
            return
        chosen = self.random.choice(able)
        case = replies.cases[chosen]
        case_names = {v.name for c in (case.action, *case.conditions) for v in t.condition_variables(c)}
        loose = {
            name: t.Variable(
                f"{name.lstrip('_')}x_{number}" if not name.startswith("_") else f"x{name[1:]}_{number}"
            )
            for name in sorted(case_names - own.keys())
        }
        for condition in case.conditions:
            body.append(apply_to_condition(condition, {**own, **loose}))
        traced = Traced(self.random)
        for other in replies.cases:
            if self.random.random() < 0.85:
                self._trace_win(game, other, own, traced)
        body += self._confused(traced)
        body = [
            c for c in dict.fromkeys(body) if not any(v.name.endswith("^") for v in t.condition_variables(c))
        ]
        names = {
            v.name for s in body if isinstance(s, t.Atom | t.GameStatement) for v in t.condition_variables(s)
        }
        given: dict[str, t.Term] = {}
        sorts = dict(
            zip(
                (term.name for term in case.action.terms if isinstance(term, t.Variable)),
                (c.name for c in self.predicates[case.action.predicate].columns),
                strict=False,
            )
        )
        for name, variable in loose.items():
            given[name] = variable
            if variable.name not in names:
                given[name] = self._something(sorts.get(name, ""), body)
        for variable in own.values():
            if variable.name not in names:
                more = self._about(variable, replies)
                if more is None:
                    return
                body.append(more)
        opening = (chosen, tuple(given.items()))
        if len(body) > 12 or len({v.name for c in body for v in t.condition_variables(c)}) > 14:
            return
        try:
            proofs = tuple(self._reply(game, each, own, body) for each in replies.cases)
        except (EngineError, DeadEndError):
            return
        head = t.GameStatement(game, None, t.SECOND_PLAYER_WIN)
        rule = _timeless(t.Rule(head, tuple(body), f"still_{number}"), self)
        yield Candidate("made up reply by reply", rule, (), proofs, opening)

    def _about(self, variable: t.Variable, replies: Replies) -> t.Condition | None:
        """Return a condition on an argument of the game."""
        place = next(
            i
            for i, term in enumerate(replies.game.terms)
            if isinstance(term, t.Variable) and variable.name.startswith((term.name, f"g{term.name}"))
        )
        sort = self.predicates[replies.game.predicate].columns[place].name
        able = [
            (p, i)
            for p in self.predicates.values()
            if p.kind in ("static", "fluent")
            for i, c in enumerate(p.columns)
            if c.name == sort
        ]
        if not able:
            return None
        predicate, at = self.random.choice(able)
        self.fresh += 1
        terms = tuple(
            variable if i == at else t.Variable(f"z{i}_{self.fresh}") for i in range(predicate.arity)
        )
        return t.Atom(predicate.name, terms, "before" if predicate.has_tense else None)

    def _something(self, sort: str, body: Sequence[t.Condition]) -> t.Term:
        if sort in ("int", "grade"):
            return t.Constant(self.random.choice((0, 1, 2, 2**63 - 1, 2**63, -(2**63) - 1)))
        for condition in self.random.sample(list(body), len(body)):
            if isinstance(condition, t.Atom):
                for term, column in zip(
                    condition.terms, self.predicates[condition.predicate].columns, strict=True
                ):
                    if column.name == sort:
                        return term
        words = self.vocabulary.sorts[sort].constants if sort in self.vocabulary.sorts else ()
        return t.Constant(self.random.choice(words or ("t1",)))

    def _reply_terms(self, case: ReplyCase, own: Mapping[str, t.Term]) -> dict[str, t.Term]:
        parts: tuple[t.Condition, ...] = (
            case.action,
            *case.conditions,
            *(() if case.unless is None else (case.unless,)),
        )
        names = dict.fromkeys(v.name for part in parts for v in t.condition_variables(part))
        return {name: own.get(name, t.Variable(f"{name}^")) for name in names}

    def _trace_win(self, game: t.Atom, case: ReplyCase, own: Mapping[str, t.Term], traced: Traced) -> None:
        terms = self._reply_terms(case, own)
        saved = list(traced.leaves), dict(traced.unifier.bindings), list(traced.same)
        traced.action = apply_to_statement(case.action, terms)
        value = t.Constant(self.random.choice(WON))
        try:
            self.trace(t.GameStatement(replace(game, tense="after"), None, value), "after", traced, 4)
        except DeadEndError:
            traced.leaves, traced.unifier.bindings, traced.same = saved

    def _reply(
        self,
        game: t.Atom,
        case: ReplyCase,
        own: Mapping[str, t.Term],
        body: Sequence[t.Condition],
        depth: int = 0,
        fixed: Mapping[str, t.Term] | None = None,
        apart: tuple[tuple[str, t.Term], ...] = (),
    ) -> CaseProof:
        """Return a proof about the replies of a case: the consequences of one, or a case distinction of the
        replies.
        """
        fixed = fixed or {}
        terms = {**self._reply_terms(case, own)}
        conditions = [apply_to_condition(apply_to_condition(c, terms), fixed) for c in case.conditions]
        action = apply_to_statement(apply_to_statement(case.action, terms), fixed)
        given = [
            statement_at(s, "before", self.vocabulary)
            for s in (*body, *conditions)
            if isinstance(s, t.Atom | t.GameStatement)
        ]
        frozen = Frozen(self, given, action, [*body, *conditions, action])
        frozen.apart = [(t.Variable(a), b) for a, b in apart]
        frozen.names = {**frozen.names}
        try:
            found = frozen.saturate()
        except DeadEndError:
            return Leaf(frozen.conflict_steps)
        try:
            unless = (
                None
                if case.unless is None
                else apply_to_statement(apply_to_statement(case.unless, terms), fixed)
            )
            goals = [
                t.GameStatement(replace(game, tense="after"), None, t.Constant(v)) for v in dict.fromkeys(WON)
            ]
            goals += [] if unless is None else [statement_at(unless, "before", self.vocabulary)]  # type: ignore[list-item]
            for goal in self.random.sample(goals, len(goals)):
                fact = frozen.frozen(goal)
                if fact is not None and fact in found:
                    try:
                        return Leaf(frozen.proof(fact)[0])
                    except DeadEndError:
                        continue
        finally:
            self.engine.pop()
        variables = [
            term.name
            for term in terms.values()
            if isinstance(term, t.Variable) and term.name.endswith("^") and term.name not in fixed
        ]
        rest = sorted({v.name for c in body for v in t.condition_variables(c)} - set(fixed))
        if depth >= 2 or not variables or not rest or self.random.random() < 0.4:
            return Leaf(())
        split = self.random.choice(variables)
        columns = dict(
            zip(action.terms, (c.name for c in self.predicates[action.predicate].columns), strict=True)
        )
        sort = columns.get(t.Variable(split))
        same = [n for n in rest if sort is None or self._sort_in(n, body) == sort] or rest
        chosen = self.random.sample(same, min(len(same), self.random.choice((1, 1, 2))))
        cases = tuple(
            (
                t.Variable(n),
                self._reply(game, case, own, body, depth + 1, {**fixed, split: t.Variable(n)}, apart),
            )
            for n in chosen
        )
        more = (*apart, *((split, t.Variable(n)) for n in chosen))
        return Split(split, cases, self._reply(game, case, own, body, depth + 1, fixed, more))

    def _sort_in(self, name: str, body: Sequence[t.Condition]) -> str | None:
        for condition in body:
            if isinstance(condition, t.Atom):
                for term, column in zip(
                    condition.terms, self.predicates[condition.predicate].columns, strict=True
                ):
                    if isinstance(term, t.Variable) and term.name == name:
                        return column.name
        return None


class Frozen:
    """The facts that conditions become if their variables are replaced by constants, and all consequences."""

    def __init__(
        self, forger: Forger, given: Sequence[t.Statement], action: t.Atom | None, body: Sequence[t.Condition]
    ) -> None:
        self.forger = forger
        self.given = [*given, *([] if action is None else [action])]
        self.apart: list[tuple[t.Term, t.Term]] = []
        self.names: dict[str, str | int] = {}
        self.numbers: dict[int, str] = {}
        kinds: dict[str, str] = {}
        for statement in self.given:
            columns = _sorts(statement, forger)
            for term, sort in zip(statement.terms, columns, strict=True):
                if isinstance(term, t.Variable):
                    kinds.setdefault(term.name, sort)
        for place, (name, sort) in enumerate(kinds.items()):
            if forger.coding.is_integer(sort):
                self.names[name] = NUMBERS + 1_000 * place
                self.numbers[NUMBERS + 1_000 * place] = name
            else:
                self.names[name] = f"?{name}"
        for condition in body:
            if isinstance(condition, t.Comparison) and condition.operator == "!=":
                self.apart.append((condition.left, condition.right))  # type: ignore[arg-type]
        self.words = set(self.names.values())
        """The words that stand for variables. A function of words makes others of them."""
        self.merged: dict[str | int, str | int] = {}
        self.earlier: list[ProofStep] = []
        self.required: list[t.Condition] = []
        self.merges = True
        """Whether keys merge constants."""
        self.conflict_steps: tuple[ProofStep, ...] = ()

    def value(self, term: t.Term) -> str | int:
        found = term.value if isinstance(term, t.Constant) else self.names.get(term.name, f"?{term.name}")
        if isinstance(term, t.Variable):
            self.words.add(found)
        while found in self.merged:
            found = self.merged[found]
        return found

    def frozen(self, statement: t.Statement) -> Fact | None:
        coding = self.forger.coding
        ground = statement.with_terms(tuple(t.Constant(self.value(term)) for term in statement.terms))
        kinds = coding.relations[coding.predicate_id(ground.relation, ground.tense)].columns
        if any(
            isinstance(term.value, int) != (k == "integer") and k != "mixed"
            for term, k in zip(ground.terms, kinds, strict=True)
        ):  # type: ignore[union-attr]
            raise DeadEndError
        return coding.fact_of(ground)

    def saturate(self) -> set[Fact]:
        """Return all consequences.

        The engine then has a mark that the caller must pop. Raise DeadEndError if a contradiction arises;
        `conflict_steps` then show it.
        """
        forger = self.forger
        for _ in range(12):
            facts = [self.frozen(s) for s in self.given]
            conflict = self._pair({f for f in facts if f is not None})
            if conflict is not None:
                self._merge(*conflict)
                continue
            forger.engine.push()
            try:
                forger.engine.update(add=[f for f in facts if f is not None])
                found = {
                    Fact(n, c) for n in range(len(forger.coding.predicates)) for c in forger.engine.facts(n)
                }
                pair = self._pair(found) if self.merges else None
            except BaseException:
                forger.engine.pop()
                raise
            if pair is None:
                return found
            try:
                self._merge(*pair)
            finally:
                forger.engine.pop()
        raise DeadEndError

    def _pair(self, found: set[Fact]) -> tuple[Fact, Fact, int] | None:
        """Return two facts with one key and different values, and the column in which they differ."""
        keyed: dict[tuple[int, tuple[int, ...]], Fact] = {}
        for fact in sorted(found):
            key = self.forger.keys.get(fact.predicate)
            if key is None:
                continue
            there = keyed.setdefault((fact.predicate, fact.cells[:key]), fact)
            if there != fact:
                place = next(
                    i for i, (a, b) in enumerate(zip(there.cells, fact.cells, strict=True)) if a != b
                )
                return there, fact, place
        return None

    def _merge(self, one: Fact, other: Fact, place: int) -> None:
        kind = self.forger.coding.relations[one.predicate].columns[place]
        a, b = (self.forger.coding.value(f.cells[place], kind) for f in (one, other))
        self.earlier += [s for fact in (one, other) if fact in self.forger.engine for s in self.steps(fact)]
        apart = any(
            {self.value(x), self.value(y)} == {a, b}
            for x, y in self.apart
            if isinstance(x, t.Variable | t.Constant) and isinstance(y, t.Variable | t.Constant)
        )
        if apart or not (self.is_variable(a) or self.is_variable(b)):
            self.conflict_steps = tuple(dict.fromkeys(self.earlier))
            raise DeadEndError
        lost, remaining = (a, b) if self.is_variable(a) else (b, a)
        if self.is_variable(remaining) and str(remaining).endswith("^"):
            lost, remaining = remaining, lost
        self.merged[lost] = remaining

    def is_variable(self, value: str | int) -> bool:
        return value in self.numbers if isinstance(value, int) else value.startswith("?")

    def term(self, value: str | int) -> t.Term:
        """Return the variable that a constant represents, or the constant itself."""
        if isinstance(value, int):
            if value in self.numbers:
                return t.Variable(self.numbers[value])
            if value > NUMBERS - 10_000:
                raise DeadEndError
            return t.Constant(value)
        if "?" in value and value not in self.words:
            raise DeadEndError
        return t.Variable(value[1:]) if value.startswith("?") else t.Constant(value)

    def thawed(self, statement: t.Statement) -> t.Statement:
        return statement.with_terms(
            tuple(
                self.term(self.value(term)) if isinstance(term, t.Constant) else term
                for term in statement.terms
            )
        )

    def steps(self, fact: Fact) -> list[ProofStep]:
        """Return the steps that derive a fact, in order, by a random one of its derivations."""
        count = len(self.required)
        try:
            found: dict[ProofStep, None] = {}
            self._follow(fact, found, {}, any_way=True)
        except DeadEndError:
            # This would be a cycle; the first derivations of facts contain no cycles.
            del self.required[count:]
            found = {}
            self._follow(fact, found, {}, any_way=False)
        return list(found)

    def _follow(
        self, fact: Fact, found: dict[ProofStep, None], seen: dict[Fact, bool], *, any_way: bool
    ) -> None:
        if fact in seen:
            if not seen[fact]:
                raise DeadEndError
            return
        seen[fact] = False
        engine, random = self.forger.engine, self.forger.random
        how = engine.derivation(fact)
        if how is not None:
            if any_way and random.random() < 0.6:
                ways = list(engine.derivations(fact))
                by_lemma = [w for w in ways if w.rule.index == self.forger.preferred]  # type: ignore[attr-defined]
                how = random.choice(by_lemma or ways)
            for premise in how.premises:
                for below in premise_facts(premise):
                    self._follow(below, found, seen, any_way=any_way)
            found[self._step(how)] = None
        seen[fact] = True

    def _step(self, derivation: Derivation) -> ProofStep:
        assert isinstance(derivation.rule, CodedRuleId)
        rule = self.forger.rules[derivation.rule.index]
        bound = self.forger.coding.substitution(derivation.rule, derivation.binding)
        terms = {name: self.term(constant.value) for name, constant in bound.items()}
        for condition in rule.body:
            if isinstance(condition, t.Comparison):
                self.required.append(apply_to_condition(condition, terms))
            elif isinstance(condition, t.Absent | t.Aggregate):
                renamed = self.own_names(condition, terms)
                self.required.append(
                    summary_at(renamed, derivation.rule.moment or "before", self.forger.vocabulary)
                )
        moment = derivation.rule.moment
        return ProofStep(rule.name, moment if is_timeless(rule) else None, tuple(terms.items()))

    def own_names(
        self, condition: t.Absent | t.Aggregate, terms: dict[str, t.Term]
    ) -> t.Absent | t.Aggregate:
        """Return an absence or aggregate with the given terms.

        Its local variables get names that occur nowhere else.
        """
        self.forger.fresh += 1
        names = {v.name for v in t.condition_variables(condition)} - terms.keys()
        own = {name: t.Variable(f"own{name}_{self.forger.fresh}") for name in sorted(names)}
        found = apply_to_condition(condition, {**terms, **own})
        assert isinstance(found, t.Absent | t.Aggregate)
        return found

    def proof(self, fact: Fact) -> tuple[tuple[ProofStep, ...], list[t.Condition]]:
        """Return the steps that derive a fact, with those that merged constants, and the comparisons that
        they require.
        """
        self.required = []
        steps = tuple(dict.fromkeys((*self.earlier, *self.steps(fact))))
        return steps, self.required


def summary_at(
    condition: t.Absent | t.Aggregate, tense: t.Tense | None, vocabulary: Vocabulary
) -> t.Absent | t.Aggregate:
    """Return an absence or aggregate with all its predicates at one moment."""
    inner = tuple(
        statement_at(c, tense, vocabulary)
        if isinstance(c, t.Atom | t.GameStatement)
        else summary_at(c, tense, vocabulary)
        if isinstance(c, t.Absent | t.Aggregate)
        else c
        for c in condition.conditions
    )
    return replace(condition, conditions=inner)


def _timeless(rule: t.Rule, forger: Forger) -> t.Rule:
    """Return the rule in its form for any one moment."""
    vocabulary = forger.vocabulary

    def plain(condition: t.Condition) -> t.Condition:
        if isinstance(condition, t.Atom | t.GameStatement):
            return statement_at(condition, None, vocabulary)
        if isinstance(condition, t.Absent | t.Aggregate):
            return summary_at(condition, None, vocabulary)
        return condition

    return t.Rule(statement_at(rule.head, None, vocabulary), tuple(map(plain, rule.body)), rule.label)


def _sorts(statement: t.Statement, forger: Forger) -> list[str]:
    atoms = [statement] if isinstance(statement, t.Atom) else [a for a in (statement.game, statement.by) if a]
    columns = [c.name for a in atoms for c in forger.predicates[a.predicate].columns]
    return columns if isinstance(statement, t.Atom) else [*columns, "value"]
