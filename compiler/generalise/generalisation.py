"""Generalisation: the rules of an explanation are unified again, and the conditions at its leaves form the
new rule.

Every rule application gets fresh variables, and each condition is unified with the head of the rule that
derived it. Constants of the example are ignored, so only constants of rules remain, and two objects that the
proof does not equate remain distinct variables (Kedar-Cabelli and McCarty 1987; Mooney and Bennett 1986).
Facts after the action are inner nodes and disappear, which is regression through the action. A fact that the
proof uses twice is proved separately for each use, because the uses need not concern the same objects in
general.

The variable `?x` of the rule application with the number 3 has the name `x~3`. Variables of a reply end with
REPLY_MARK.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import REPLY_MARK, Leaf, ProofStep
from hornbook.compiler.generalise.equations import determined
from hornbook.compiler.generalise.explanation import ClosedSetSupport, Explanation, ExplanationNode, Support
from hornbook.compiler.generalise.set_changes import SetChange, excluded_term, is_frame, set_change
from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    at_moment,
    rename_condition,
    rename_rule,
    statement_at,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

MAX_USES = 20_000
"""The maximum number of rule applications in a generalised proof."""


MAX_MEMBERS = 6
"""The maximum number of set members listed in a rule, since they need pairwise inequalities and match in any
order.
"""


class NotOperationalError(HornbookError):
    """The explanation depends on a condition that no rule can contain before the action.

    The message gives the reason, the places in the example's proof, and a remedy if there is one.
    """

    def __init__(self, reason: str, way_out: str = "", *places: str) -> None:
        self.reason, self.way_out = reason, way_out
        text = f"{reason}: {'; '.join(places)}" if places else reason
        super().__init__(f"{text}; {way_out}" if way_out else text)

    def at(self, *places: str) -> NotOperationalError:
        """Return the error with the places in the example's proof that depend on the condition."""
        return NotOperationalError(self.reason, self.way_out, *places)


def rule_with_place(rule: t.Rule) -> str:
    """Return the name of a rule with its file and line, for messages."""
    return f"`{rule.name}` ({rule.span.file}:{rule.span.line})"


def condition_place(condition: t.Condition, node: ExplanationNode) -> str:
    """Return a message part for a condition of the rule that derived a node, with the fact of the node."""
    assert node.rule is not None
    shown = print_condition(condition)
    return f"the condition `{shown}` of {rule_with_place(node.rule)}, at `{print_condition(node.conclusion)}`"


@dataclass(frozen=True, slots=True)
class Generalised:
    """A generalised rule: a head and the conditions that imply it, with the steps of the proof.

    The conditions are statements with explicit moments, comparisons and closed conditions. All terms of the
    steps use the same variables. `timeless` is True if no rule of the proof mentions moments.
    """

    head: t.Statement
    conditions: tuple[t.Condition, ...]
    steps: tuple[ProofStep, ...]
    timeless: bool


@dataclass(frozen=True, slots=True)
class RuleApplication:
    """A rule application of the proof, with variables of its own.

    `number` distinguishes their names. `moment` is that of a timeless rule, otherwise None.
    """

    rule: t.Rule
    number: int
    moment: t.Tense | None


@dataclass(frozen=True, slots=True)
class _MemberProof:
    """A proof of a closed condition by universal introduction: the member's variables and the rule
    applications.
    """

    row: tuple[t.Variable, ...]
    uses: tuple[RuleApplication, ...]


@dataclass(frozen=True, slots=True)
class _UniformProof:
    """The proof of one member of a closed set, if all members are proved by the same rules.

    `nodes` has a node for each condition. If the set is one after the action, `membership` is the node of the
    frame rule for the membership, and `change` how the action changes the set. Otherwise, both are None. A
    member that the action adds has another proof.
    """

    nodes: tuple[ExplanationNode, ...]
    membership: ExplanationNode | None = None
    change: SetChange | None = None


_Goal = tuple[int, t.Statement, t.Tense | None]
"""The number of a node of the explanation, and a statement that is to be proved at a moment in the same way.
"""


@dataclass(frozen=True, slots=True)
class _ConditionScope:
    """The moment at which a rule application reads its conditions, and the variables that these share.

    `outside` are the names of the variables that occur outside of nested conditions. `place` has the number
    of the rule application and the index of the condition; None for a nested condition.
    """

    moment: t.Tense | None
    outside: frozenset[str]
    place: tuple[int, int] | None = None


class Generaliser:
    """A generaliser for explanations of one example under one substitution.

    Attributes:
        nodes: The nodes of the explanation that is being generalised.
        conditions: The conditions of the new rule that were found until now.
        uses: The rule applications, premises first.
        example: The value of each variable in the example.
        assumed: The nodes whose statements need no proof, by number, each with its generalisation.
        fresh: The number of the last rule application or member, for the names of variables.
        things: Constants that become one variable each, even if the proof does not equate their variables.
        eigenvariables: Constants for arbitrary objects. A closed condition about one of them is expanded
            member by member. This makes every comparison with it visible.
        expands_counts: Whether every count is expanded in the same way. Then a large set, an absence or an
            aggregate is refused.
        regresses_sets: Whether a closed condition after the action becomes one before it, if the same rule
            proves it for each member, and the action does not change the set. Otherwise its members are
            listed.
        changes_sets: Whether it also becomes one before the action if the action adds a member to the set, or
            removes one.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        eigenvariables: frozenset[t.Constant] = frozenset(),
        things: frozenset[t.Constant] = frozenset(),
        expands_counts: bool = False,
        regresses_sets: bool = False,
        changes_sets: bool = False,
    ) -> None:
        self.nodes: tuple[ExplanationNode, ...] = ()
        self.vocabulary = vocabulary
        self.eigenvariables = eigenvariables
        self.things = things
        self.expands_counts = expands_counts
        self.regresses_sets = expands_counts or regresses_sets
        self.changes_sets = changes_sets
        self.unifier = Unifier()
        self.conditions: list[t.Condition] = []
        self.uses: list[RuleApplication] = []
        self.example: dict[str, t.Constant] = {}
        self.assumed: Mapping[int, t.Statement] = {}
        self.fresh = 0
        # The goals that were proved: the numbers of their nodes, and the terms of their statements.
        self.proved: set[tuple[int, tuple[t.Term, ...]]] = set()
        self._sizes: list[tuple[int, tuple[t.Term, ...]]] = []
        """The counts that were proved: the numbers of their nodes, and the terms of their statements."""
        self.of_members: dict[tuple[int, int], _MemberProof] = {}
        """The closed conditions proved by universal introduction, by rule application and index."""

    def explain(
        self,
        explanation: Explanation,
        target: t.Statement,
        assumed: Mapping[t.Statement, t.Statement] | None = None,
    ) -> tuple[RuleApplication, ...]:
        """Prove `target` in the way the explanation proves its goal; return the rule applications, premises
        first.

        The ground statements in `assumed` need no proof; each is mapped to its generalisation.
        """
        self.nodes, self.assumed = explanation.nodes, {}
        if assumed:
            self.assumed = {
                number: assumed[node.conclusion]
                for number, node in enumerate(self.nodes)
                if node.conclusion in assumed
            }
        self.proved.clear()
        first = len(self.uses)
        self._prove(len(self.nodes) - 1, target, explanation.goal.tense)
        return tuple(self.uses[first:])

    def _prove(self, node_number: int, target: t.Statement, moment: t.Tense | None) -> None:
        """Prove `target` at `moment` in the way the node was proved, for all values of its variables."""
        # An explicit stack is used, because proofs may be deep. A rule application is recorded after its
        # premises.
        todo: list[_Goal | RuleApplication] = [(node_number, target, moment)]
        while todo:
            task = todo.pop()
            if isinstance(task, RuleApplication):
                self.uses.append(task)
                continue
            number, target, moment = task
            node = self.nodes[number]
            self._record_values(target, node.conclusion)
            self._unify_size(number, target)
            assumption = self.assumed.get(number)
            if assumption is not None:
                assert self.unifier.unify_statements(target, assumption), (
                    f"{target} was assumed as {assumption}"
                )
                continue
            if node.rule is None or self._is_operational(node):
                self._add_leaf(target, moment)
                continue
            # The same statement about the same variables is proved once.
            key = number, tuple(self.unifier.walk(term) for term in target.terms)
            if key in self.proved:
                continue
            self.proved.add(key)
            self.fresh += 1
            if self.fresh > MAX_USES:
                raise NotOperationalError(
                    f"the proof uses more than {MAX_USES:,} rules",
                    "declare intermediate conclusions `operational`",
                    f"the last of them is {rule_with_place(node.rule)}, at"
                    f" `{print_condition(node.conclusion)}`",
                )
            use = RuleApplication(node.rule, self.fresh, node.moment)
            suffix = f"~{self.fresh}"
            own = rename_rule(node.rule, lambda name, suffix=suffix: f"{name}{suffix}")  # type: ignore[misc]
            # In this order, a variable keeps the name that it has nearest to the goal.
            unified = self.unifier.unify_statements(own.head, target)
            assert unified, f"{target} was derived by {own.head}"
            todo.append(use)
            self.example |= {f"{name}{suffix}": constant for name, constant in node.binding}
            outside: frozenset[str] | None = None
            below: list[_Goal] = []
            for place, (condition, support) in enumerate(zip(own.body, node.supports, strict=True)):
                if isinstance(support, int):  # by far the most frequent condition: a statement
                    assert isinstance(condition, (t.Atom, t.GameStatement))
                    below.append((support, condition, node.moment))
                    continue
                if outside is None:
                    outside = frozenset([f"{name}{suffix}" for name in t.shared_variables(node.rule)])
                scope = _ConditionScope(node.moment, outside, (use.number, place))
                try:
                    below += self._condition(condition, support, scope)
                except NotOperationalError as problem:
                    raise problem.at(condition_place(node.rule.body[place], node)) from None
            todo += reversed(below)

    def _unify_size(self, number: int, target: t.Statement) -> None:
        """Unify the size of a set with the one for which its count was proved before, if sets may change."""
        if self.changes_sets and self.vocabulary.predicates[t.predicate_of(target)].closes is not None:
            *key, size = target.terms
            for other, (*other_key, other_size) in self._sizes:
                if other == number and [*map(self.unifier.walk, other_key)] == [*map(self.unifier.walk, key)]:
                    self.unifier.unify(other_size, size)
                    return
            self._sizes.append((number, target.terms))

    def _is_operational(self, node: ExplanationNode) -> bool:
        """Return whether a rule may contain a derived fact: it holds before the action and its predicate is
        operational.
        """
        conclusion = node.conclusion
        if not isinstance(conclusion, t.Atom) or conclusion.tense == "after":
            return False
        return self.vocabulary.predicates[conclusion.predicate].operational

    def _record_values(self, statement: t.Statement, instance: t.Statement) -> None:
        """Record the values of a statement's variables in the example."""
        for term, value in zip(statement.terms, instance.terms, strict=True):
            if isinstance(term, t.Variable) and isinstance(value, t.Constant):
                self.example.setdefault(term.name, value)

    def _add_leaf(self, statement: t.Statement, moment: t.Tense | None) -> None:
        """Record a given statement as a condition.

        Raise NotOperationalError if it is about the state after the action.
        """
        read = self._statement_at(statement, moment)
        if read.tense == "after":
            raise NotOperationalError(
                f"`{read.relation}` is given after the action and not derived by a rule"
            )
        self.conditions.append(read)

    def _statement_at(self, statement: t.Statement, moment: t.Tense | None) -> t.Statement:
        """Return a statement of a timeless rule at a moment; other statements are unchanged."""
        if statement.tense is not None or moment is None:
            return statement
        return statement_at(statement, moment, self.vocabulary)

    def _condition_at(self, condition: t.Condition, moment: t.Tense | None) -> t.Condition:
        """Return a condition of a timeless rule at a moment. The moment None changes nothing."""
        return condition if moment is None else at_moment(condition, moment, self.vocabulary)

    def _condition(self, condition: t.Condition, support: Support, scope: _ConditionScope) -> Iterator[_Goal]:
        """Record what a condition of a rule requires of the state, and yield the goals for other nodes.

        `support` has the nodes that prove the condition in the example. Raise NotOperationalError if no rule
        can contain the condition.
        """
        moment = scope.moment
        match condition, support:
            case ((t.Atom() | t.GameStatement()), int()):
                yield support, condition, moment
            case t.Comparison(), _:
                self.conditions.append(condition)
            case t.All(), ClosedSetSupport():
                if self._can_stay(condition, support, moment):
                    self.conditions.append(self._condition_at(condition, moment))
                elif (uniform := self._uniform_nodes(condition, support, scope)) is not None:
                    yield from self._regress_all(condition, support, scope, uniform)
                else:
                    yield from self._expand(condition, support, scope)
            case t.CountIn(), tuple():
                if not self.expands_counts and all(
                    self._statement_at(member, moment).tense != "after" for member in condition.sets
                ):
                    self.conditions.append(self._condition_at(condition, moment))
                    for part in support:
                        self._require_given(part)
                else:
                    yield from self._expand_count(condition, support, scope)
            case ((t.Absent() | t.Aggregate()), _) if not self.expands_counts:
                # It is copied unchanged: it holds in the given state, and no learned fact could replace it.
                if any(self._statement_at(s, moment).tense == "after" for s in t.statements([condition])):
                    raise NotOperationalError(
                        f"`{print_condition(condition)}` is about what holds after the action"
                    )
                self.conditions.append(self._condition_at(condition, moment))
            case _:
                raise NotOperationalError("no learned rule can contain it", "express it by a given fact")

    # One substitution

    def equate(self) -> None:
        """Unify the terms that must be equal.

        These are values of the same key, members of a closed set that were equal in the example, and
        variables with the values that equations determine.
        """
        size = -1
        alike = self._of_things()
        while size != len(self.unifier.bindings):
            size = len(self.unifier.bindings)
            merge_keys(self.conditions, self.unifier, self.vocabulary)
            self._merge_things(alike)
            self._merge_members()
            for condition in self.conditions:
                if isinstance(condition, t.Comparison):
                    for name, value in (determined(self._resolved(condition)) or {}).items():
                        self.unifier.unify(t.Variable(name), value)

    def _of_things(self) -> list[list[t.Variable]]:
        """Return the variables whose value in the example is one of `things`, grouped by value."""
        alike: dict[t.Constant, list[t.Variable]] = {}
        for name, value in self.example.items():
            if value in self.things and not name.endswith(REPLY_MARK):
                alike.setdefault(value, []).append(t.Variable(name))
        return list(alike.values())

    def sort_of(self, variable: t.Variable, conditions: Iterable[t.Condition]) -> str | None:
        """Return the sort of words that conditions require of a variable, if there is one."""
        for statement in t.statements(conditions):
            parts = (statement.game, statement.by) if isinstance(statement, t.GameStatement) else (statement,)
            for atom in (part for part in parts if isinstance(part, t.Atom)):
                columns = self.vocabulary.predicates[atom.predicate].columns
                for term, sort in zip(atom.terms, columns, strict=True):
                    is_of_words = self.vocabulary.sorts[sort.name].kind != "integer"
                    if is_of_words and isinstance(term, t.Variable) and self.unifier.walk(term) == variable:
                        return sort.name
        return None

    def _merge_things(self, alike: Iterable[Sequence[t.Variable]]) -> None:
        """Unify the variables of each group."""
        for group in alike:
            for variable in group[1:]:
                self.unifier.unify(group[0], variable)

    def _merge_members(self) -> None:
        """Unify the members of a closed set that are equal in the example."""
        key_lengths = {p.closes: len(p.columns) - 1 for p in self.vocabulary.predicates.values() if p.closes}
        known: dict[tuple[object, ...], tuple[t.Term, ...]] = {}
        for condition in self.conditions:
            if isinstance(condition, t.Atom) and condition.predicate in key_lengths:
                key = key_lengths[condition.predicate]
                terms = tuple(self.unifier.walk(term) for term in condition.terms)
                example_row = tuple(self.example_value(term) for term in terms[key:])
                place = condition.predicate, condition.tense, terms[:key], example_row
                for one, other in zip(known.setdefault(place, terms[key:]), terms[key:], strict=True):
                    self.unifier.unify(one, other)

    def _resolved(self, comparison: t.Comparison) -> t.Comparison:
        """Return a comparison under the present substitution."""
        walked = self._named(v.name for v in t.condition_variables(comparison))
        return apply_to_condition(comparison, walked)

    # The result

    def differences(self) -> Iterator[tuple[t.Term, t.Term]]:
        """Yield the values in the example of each pair of terms that a `!=` condition requires to differ."""
        for condition in self.conditions:
            if isinstance(condition, t.Comparison) and condition.operator == "!=":
                left, right = condition.left, condition.right
                if not (isinstance(left, t.Operation) or isinstance(right, t.Operation)):
                    yield self.example_value(left), self.example_value(right)

    def example_value(self, side: t.Term) -> t.Term:
        """Return the value of a variable or constant in the example."""
        walked = self.unifier.walk(side) if isinstance(side, t.Variable) else side
        if isinstance(walked, t.Constant):
            return walked
        assert isinstance(side, t.Variable)
        return self.example[side.name]

    def _named(self, names: Iterable[str]) -> dict[str, t.Term]:
        """Return the terms for some variables under the present substitution, by name."""
        return {name: self.unifier.named(name) for name in names}

    def resolved_head(self, head: t.Statement) -> t.Statement:
        """Return a head under the final substitution."""
        return self.unifier.resolve(head)

    def resolved_conditions(self) -> tuple[t.Condition, ...]:
        """Return the conditions under the final substitution, without duplicates, in the order of the
        proof.
        """
        resolved = [
            self.unifier.resolve(condition)
            if isinstance(condition, t.Statement)
            else apply_to_condition(condition, self._named(v.name for v in t.condition_variables(condition)))
            for condition in self.conditions
        ]
        return tuple(dict.fromkeys(resolved))

    def resolved_steps(self, uses: Iterable[RuleApplication]) -> tuple[ProofStep, ...]:
        """Return rule applications as steps under the final substitution, without duplicates, premises
        first.
        """
        steps = []
        for use in uses:
            names = sorted(t.shared_variables(use.rule))
            terms = {name: self.unifier.named(f"{name}~{use.number}") for name in names}
            members = tuple(
                (place, self._proof_of_members(self.of_members[use.number, place]))
                for place in range(len(use.rule.body))
                if (use.number, place) in self.of_members
            )
            steps.append(ProofStep(use.rule.name, use.moment, tuple(terms.items()), members=members))
        return tuple(dict.fromkeys(steps))

    def _proof_of_members(self, shown: _MemberProof) -> Leaf:
        """Return the proof of a closed condition for an arbitrary member.

        The variables of the member are `#1.0`, `#1.1` and so on, which occur in no rule.
        """
        row = {variable.name: t.Variable(f"#1.{i}") for i, variable in enumerate(shown.row)}
        steps = []
        for use in shown.uses:
            names = sorted(t.shared_variables(use.rule))
            terms = {name: self.unifier.named(f"{name}~{use.number}") for name in names}
            one = {
                name: row.get(term.name, term) if isinstance(term, t.Variable) else term
                for name, term in terms.items()
            }
            steps.append(ProofStep(use.rule.name, use.moment, tuple(one.items())))
        return Leaf(tuple(steps))

    # Closed sets

    def _can_stay(self, condition: t.All, support: ClosedSetSupport, moment: t.Tense | None) -> bool:
        """Return whether a closed condition can be part of the rule: everything that it reads is given before
        the action.
        """
        read = [
            self._statement_at(s, moment) for s in (condition.member, *t.statements(condition.conditions))
        ]
        if any(statement.tense == "after" for statement in read):
            return False
        about = {self.example.get(variable.name) for variable in t.outer_variables((condition,))}
        about |= {self.example.get(v.name) for c in condition.conditions for v in t.condition_variables(c)}
        return not about & self.eigenvariables and self._is_given(support)

    def _uniform_nodes(
        self, condition: t.All, support: ClosedSetSupport, scope: _ConditionScope
    ) -> _UniformProof | None:
        """Return how all members are proved in the same way, from facts before the action.

        The same rule must prove each condition for all members that were in the set before the action.
        Otherwise return None.
        """
        if not (self.regresses_sets and scope.place and support.members) or self.eigenvariables:
            return None
        members, proof = support.members, _UniformProof(())
        if self._statement_at(condition.member, scope.moment).tense == "after":
            framed = self._frame_of_members(condition, support)
            if framed is None:
                return None
            proof, members = framed, tuple(support.members[place] for place in framed.change.kept)  # type: ignore[union-attr]
        elif not all(self._is_given(member) for member, _ in members):
            return None
        listed = {variable.name for variable in condition.variables}
        inside = {v.name for c in condition.conditions for v in t.condition_variables(c)}
        if not inside <= listed | scope.outside:
            return None
        found = []
        # `each` has the supports of one condition, for every member.
        for part, each in zip(
            condition.conditions, zip(*(inner for _, inner in members), strict=True), strict=True
        ):
            node = self._same_transition(each)
            if node is None or not _is_of_remaining(node, part, condition.variables, proof.change):
                return None
            found.append(node)
        return replace(proof, nodes=tuple(found))

    def _same_transition(self, supports: Sequence[Support]) -> ExplanationNode | None:
        """Return the first of several nodes if one rule derived all of them after the action from given facts
        before it; otherwise None.
        """
        nodes = [self.nodes[one] for one in supports if isinstance(one, int)]
        if len(nodes) < len(supports) or len({(node.rule, node.moment) for node in nodes}) > 1:
            return None
        node = nodes[0]
        if node.rule is None or node.moment is not None or node.rule.head.tense != "after":
            return None
        for condition, below in zip(
            node.rule.body, zip(*(n.supports for n in nodes), strict=True), strict=True
        ):
            if isinstance(condition, t.Comparison) and self.changes_sets:
                continue
            if not isinstance(condition, t.Atom) or condition.tense == "after":
                return None
            if not all(isinstance(one, int) and self._is_given(one) for one in below):
                return None
        return node

    def _frame_of_members(self, condition: t.All, support: ClosedSetSupport) -> _UniformProof | None:
        """Return the node of the frame rule that derived the members of a set, and how the action changed it.

        Unless sets may change, a frame rule must have derived the count, and one frame rule all members.
        Otherwise return None.
        """
        change = set_change(self.nodes, condition, support)
        if change is None or (change.is_change and not self.changes_sets):
            return None
        node = self._same_transition([support.members[place][0] for place in change.kept])
        if node is None:
            return None
        if not change.is_change:
            count = self._same_transition([support.count])
            if count is None or not is_frame(count.rule):
                return None
        assert node.rule is not None
        terms = node.rule.head.terms
        listed = terms[len(terms) - len(condition.variables) :]
        distinct = all(isinstance(each, t.Variable) and terms.count(each) == 1 for each in listed)
        return _UniformProof((), node, change) if distinct else None

    def _regress_all(
        self,
        condition: t.All,
        support: ClosedSetSupport,
        scope: _ConditionScope,
        uniform: _UniformProof,
    ) -> Iterator[_Goal]:
        """Regress a closed condition after the action to a closed condition on each member before it.

        Yield the goals for the premises that do not depend on the member. `uniform` is the result of
        `_uniform_nodes`.
        """
        regressed: list[t.Condition] = []
        uses: list[RuleApplication] = []
        listed = {variable.name for variable in condition.variables}
        member = self._condition_at(condition.member, scope.moment)
        assert isinstance(member, t.Atom)
        key = member.terms[: len(member.terms) - len(listed)]
        parts: list[tuple[t.Condition, ExplanationNode]] = []
        removed: t.Term | None = None
        if uniform.membership is not None:
            parts.append((member, uniform.membership))
            size = t.Variable(f"n~{self.fresh + 1}")
            yield support.count, self._count_statement(member, size, key), scope.moment
        parts += zip(condition.conditions, uniform.nodes, strict=True)
        for part, node in parts:
            assert node.rule is not None
            assert isinstance(part, t.Atom)
            self.fresh += 1
            own = rename_rule(node.rule, lambda name, suffix=self.fresh: f"{name}~{suffix}")  # type: ignore[misc]
            assert isinstance(own.head, t.Atom)
            assert self.unifier.unify_statements(own.head, part)
            uses.append(RuleApplication(node.rule, self.fresh, None))
            if self.changes_sets:
                self._record_binding(node, listed)
            for below, support_node in zip(own.body, node.supports, strict=True):
                if isinstance(below, t.Comparison):
                    compared = self._resolved(below)
                    if not listed & {v.name for v in t.condition_variables(compared)}:
                        self.conditions.append(below)
                    elif (gone := self._removed(compared, condition, uniform.change)) is not None:
                        removed = gone
                    else:
                        regressed.append(compared)
                    continue
                assert isinstance(below, t.Atom)
                assert isinstance(support_node, int)
                terms = tuple(map(self.unifier.walk, below.terms))
                if part is member and below == replace(own.head, tense="before"):
                    member = below.with_terms(terms)
                elif listed & {term.name for term in terms if isinstance(term, t.Variable)}:
                    regressed.append(below.with_terms(terms))
                else:
                    yield support_node, below, None
        if removed is not None:
            self.conditions.append(member.with_terms((*member.terms[:-1], removed)))
        if uniform.change is not None and uniform.change.added is not None:
            row, goals = self._of_member(condition, support.members[uniform.change.added], scope)
            yield from goals
            regressed.append(t.Comparison("!=", condition.variables[0], row[0]))
        self.conditions.append(t.All(condition.variables, member, tuple(regressed), condition.span))
        assert scope.place is not None
        self.of_members[scope.place] = _MemberProof(condition.variables, tuple(uses))

    def _record_binding(self, node: ExplanationNode, without: Collection[str]) -> None:
        """Record the values of the variables of the last rule application, except for those of a member."""
        for name, value in node.binding:
            walked = self.unifier.walk(t.Variable(f"{name}~{self.fresh}"))
            if not (isinstance(walked, t.Variable) and walked.name in without):
                self.example[f"{name}~{self.fresh}"] = value

    def _removed(self, comparison: t.Comparison, condition: t.All, change: SetChange | None) -> t.Term | None:
        """Return the term for the removed member if a comparison excludes it; otherwise None."""
        if change is None or change.removed is None:
            return None
        term = excluded_term(comparison, condition.variables[0])
        return term if term is not None and self.example_value(term) == change.removed else None

    def _of_member(
        self, condition: t.All, of: tuple[int, tuple[Support, ...]], scope: _ConditionScope
    ) -> tuple[tuple[t.Term, ...], list[_Goal]]:
        """Return new variables for a member of a set, and the goals that it is a member and satisfies the
        inner conditions.
        """
        member, inner = of
        key = condition.member.terms[: len(condition.member.terms) - len(condition.variables)]
        names = {variable.name for variable in condition.variables}
        names |= {v.name for c in condition.conditions for v in t.condition_variables(c)} - scope.outside
        self.fresh += 1
        fresh_names = {name: f"{name}~{self.fresh}" for name in names}
        row = tuple(t.Variable(fresh_names[variable.name]) for variable in condition.variables)
        self._record_member(row, member)
        goals: list[_Goal] = [(member, condition.member.with_terms((*key, *row)), scope.moment)]
        below = replace(scope, outside=scope.outside | set(fresh_names.values()), place=None)
        for part, part_support in zip(condition.conditions, inner, strict=True):
            renamed = rename_condition(part, lambda name: fresh_names.get(name, name))
            goals += self._condition(renamed, part_support, below)
        return row, goals

    def _is_given(self, support: Support) -> bool:
        """Return whether all nodes of a support are given or operational."""
        match support:
            case None:
                return True
            case int():
                node = self.nodes[support]
                return node.rule is None or self._is_operational(node)
            case ClosedSetSupport():
                parts = [s for member, inner in support.members for s in (member, *inner)]
                return all(self._is_given(part) for part in (support.count, *parts))
            case _:
                return all(self._is_given(part) for part in support)

    def _require_given(self, support: Support) -> None:
        """Raise NotOperationalError unless the set of a count, and its count, are given or operational."""
        if not self._is_given(support):
            raise NotOperationalError(
                "a learned rule cannot contain a count over sets that rules conclude",
                "declare the predicate of each set `operational`, or count a set that is given",
            )

    def _expand(self, condition: t.All, support: ClosedSetSupport, scope: _ConditionScope) -> Iterator[_Goal]:
        """Expand a closed set member by member: the count, distinct members, and the inner conditions of
        each.
        """
        rows: list[tuple[t.Term, ...]] = []
        key = condition.member.terms[: len(condition.member.terms) - len(condition.variables)]
        self._require_listable(condition, len(support.members))
        yield (
            support.count,
            self._count_statement(condition.member, t.Constant(len(support.members)), key),
            scope.moment,
        )
        for each in support.members:
            row, goals = self._of_member(condition, each, scope)
            yield from goals
            rows.append(row)
        self._add_inequalities(rows)

    def _require_listable(self, condition: t.Condition, size: int) -> None:
        """Raise NotOperationalError for a set of more than MAX_MEMBERS members, if counts are expanded."""
        if self.expands_counts and size > MAX_MEMBERS:
            raise NotOperationalError(
                f"it would be listed for {counted(size, 'member')}, and {MAX_MEMBERS} are the most"
            )

    def _record_member(self, row: Sequence[t.Term], node: int) -> None:
        """Record the values in the example of the variables of a member, whose membership is the fact of a
        node.
        """
        values = self.nodes[node].conclusion.terms
        for variable, value in zip(row, values[len(values) - len(row) :], strict=True):
            assert isinstance(variable, t.Variable)
            assert isinstance(value, t.Constant)
            self.example[variable.name] = value

    def _count_statement(self, member: t.Atom, size: t.Term, key: Sequence[t.Term]) -> t.Atom:
        """Return the statement that a set has `size` members."""
        closing = next(p for p in self.vocabulary.predicates.values() if p.closes == member.predicate)
        return t.Atom(closing.name, (*key, size), member.tense)

    def _add_inequalities(self, rows: Sequence[tuple[t.Term, ...]]) -> None:
        """Record that members are pairwise different.

        Raise NotOperationalError if there are several, with several columns.
        """
        for i, one in enumerate(rows):
            for other in rows[:i]:
                if len(one) != 1:
                    raise NotOperationalError(
                        "its members after the action have several columns, and a single `!=` cannot"
                        " distinguish such members; name each of them by one constant"
                    )
                self.conditions.append(t.Comparison("!=", other[0], one[0]))

    def _expand_count(
        self, condition: t.CountIn, support: tuple[ClosedSetSupport, ...], scope: _ConditionScope
    ) -> Iterator[_Goal]:
        """Expand a count over sets after the action member by member, with equalities and inequalities of
        members.
        """
        rows: dict[tuple[t.Term, ...], tuple[t.Term, ...]] = {}  # maps the example's members to variables
        for member_atom, part in zip(condition.sets, support, strict=True):
            key = member_atom.terms[: len(member_atom.terms) - len(condition.variables)]
            self._require_listable(condition, len(part.members))
            yield (
                part.count,
                self._count_statement(member_atom, t.Constant(len(part.members)), key),
                scope.moment,
            )
            for member, _ in part.members:
                example_row = self.nodes[member].conclusion.terms[len(key) :]
                if example_row not in rows:
                    self.fresh += 1
                    rows[example_row] = tuple(
                        t.Variable(f"{v.name}~{self.fresh}") for v in condition.variables
                    )
                    self._record_member(rows[example_row], member)
                yield member, member_atom.with_terms((*key, *rows[example_row])), scope.moment
        self._add_inequalities(list(rows.values()))
        without: set[tuple[t.Term, ...]] = set()
        for term in condition.excluded:
            example_row = (self.example[term.name] if isinstance(term, t.Variable) else term,)
            if example_row in rows:
                self.unifier.unify(term, rows[example_row][0])
                without.add(example_row)
            else:
                self.conditions += [t.Comparison("!=", term, row[0]) for row in rows.values()]
        left = t.Constant(len(rows) - len(without))
        if isinstance(condition.result, t.Variable):
            self.unifier.unify(condition.result, left)
        else:
            self.conditions.append(t.Comparison("=", condition.result, left))


def generalise(explanation: Explanation, vocabulary: Vocabulary) -> Generalised:
    """Return the most general head and conditions that the explanation's rules allow.

    Raise NotOperationalError if the explanation depends on a condition that cannot be evaluated before the
    action.
    """
    last = explanation.nodes[-1]
    if last.rule is None:
        raise NotOperationalError(
            f"`{print_condition(last.conclusion)}` is given, so there is nothing to learn",
            "expect a conclusion of rules from it",
        )
    worker = Generaliser(vocabulary)
    terms = (
        t.Variable(f"{term.name}~0") if isinstance(term, t.Variable) else term
        for term in last.rule.head.terms
    )
    target = last.conclusion.with_terms(tuple(terms))
    worker.explain(explanation, target)
    # All conditions held in the example, so no two values of the same key are different constants.
    merge_keys(worker.conditions, worker.unifier, vocabulary)
    timeless = not any(s.tense for u in worker.uses for s in (u.rule.head, *t.statements(u.rule.body)))
    return Generalised(
        worker.resolved_head(target),
        worker.resolved_conditions(),
        worker.resolved_steps(worker.uses),
        timeless,
    )


def generalise_things(
    explanation: Explanation, vocabulary: Vocabulary, things: frozenset[t.Constant]
) -> Generalised:
    """Return a less general rule, in the form on which rules for earlier moves can depend.

    Every count is expanded member by member. Equal `things`, and equal members of a closed set, in the
    example remain equal.
    """
    worker = Generaliser(vocabulary, things=things, expands_counts=True)
    last = explanation.nodes[-1]
    assert last.rule is not None
    terms = (
        t.Variable(f"{term.name}~0") if isinstance(term, t.Variable) else term
        for term in last.rule.head.terms
    )
    target = last.conclusion.with_terms(tuple(terms))
    # There is one action between before and after, which is the action of the conclusion.
    action = last.conclusion.by if isinstance(last.conclusion, t.GameStatement) else None
    general = target.by if isinstance(target, t.GameStatement) else None
    assumed: dict[t.Statement, t.Statement] = {} if action is None or general is None else {action: general}
    uses = worker.explain(explanation, target, assumed)
    worker.equate()
    conditions = worker.resolved_conditions()
    return Generalised(worker.resolved_head(target), conditions, worker.resolved_steps(uses), timeless=False)


def merge_keys(conditions: Iterable[t.Condition], unifier: Unifier, vocabulary: Vocabulary) -> None:
    """Unify conditions with the same key, since they have the same value.

    Raise NotOperationalError if their values are different constants.
    """
    keyed = [
        c for c in conditions if isinstance(c, t.Atom) and vocabulary.predicates[c.predicate].key is not None
    ]
    merged = True
    while merged:
        merged = False
        values: dict[tuple[object, ...], tuple[t.Term, ...]] = {}
        for condition in keyed:
            key = vocabulary.predicates[condition.predicate].key
            terms = tuple(unifier.walk(term) for term in condition.terms)
            known = values.setdefault((condition.predicate, condition.tense, terms[:key]), terms[key:])
            for one, other in zip(known, terms[key:], strict=True):
                if unifier.walk(one) != unifier.walk(other):
                    merged = True
                    if not unifier.unify(one, other):
                        raise NotOperationalError(
                            f"`{condition.predicate}` would have two values for one key"
                        )


def _is_of_remaining(
    node: ExplanationNode,
    condition: t.Condition,
    listed: Sequence[t.Variable],
    change: SetChange | None,
) -> bool:
    """Return whether the rule of a node concludes a condition of the members that remain in a set only.

    Nothing is required of a removed member: its rule excludes that member.
    """
    if change is None or change.removed is None:
        return True
    assert node.rule is not None
    assert isinstance(condition, t.Atom)
    values = dict(node.binding)
    places = [place for place, term in enumerate(condition.terms) if term == listed[0]]
    for place in places:
        for comparison in node.rule.body:
            term = excluded_term(comparison, node.rule.head.terms[place])
            value = values.get(term.name) if isinstance(term, t.Variable) else term
            if value == change.removed:
                return True
    return False
