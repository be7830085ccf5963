"""Generalisation: the rules along an explanation are unified again; the conditions left at its leaves are the rule's.

Every use of a rule gets variables of its own; each condition is unified with the head of the rule that gave
it. The example's constants play no part, so a constant that stands in a rule stays, and two objects that the
proof does not equate stay apart (Kedar-Cabelli and McCarty 1987; Mooney and Bennett 1986). After-facts are
inner nodes and vanish: that is the regression through the action. A fact that the proof uses twice is proved
for each use by itself, since the uses need not be of one thing in general.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hornbook.compiler.checker.certificate import Leaf, Step
from hornbook.compiler.generalise.equations import determined
from hornbook.compiler.generalise.explanation import Explanation, Members, Node, Support
from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_expression,
    at_moment,
    rename_condition,
    rename_rule,
    statement_at,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.format.printer import print_condition
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.hornbook_error import HornbookError

MAX_USES = 20_000
"""How many uses of rules one generalised proof may have."""


ANYONE = "^"
"""What the names of variables end with that stand for anything."""
MAX_MEMBERS = 6
"""How many members of a set are listed in a rule: they are told apart two by two, and matched in any order."""


class NotOperationalError(HornbookError):
    """The explanation rests on something that no rule can ask for before the action.

    The message gives the reason, the places at which the example's proof rests on it, and a way out where there is one.
    """

    def __init__(self, reason: str, way_out: str = "", *places: str) -> None:
        self.reason, self.way_out = reason, way_out
        said = f"{reason}: {'; '.join(places)}" if places else reason
        super().__init__(f"{said}; {way_out}" if way_out else said)

    def at(self, *places: str) -> NotOperationalError:
        """The same, where the example's proof rests on it there."""
        return NotOperationalError(self.reason, self.way_out, *places)


def rule_with_place(rule: t.Rule) -> str:
    return f"`{rule.name}` ({rule.span.file}:{rule.span.line})"


def asked_at(condition: t.Condition, node: Node) -> str:
    """Words for a condition of the rule by which a node holds, with the fact that the node is."""
    assert node.rule is not None
    shown = print_condition(condition)
    return f"the condition `{shown}` of {rule_with_place(node.rule)}, at `{print_condition(node.conclusion)}`"


@dataclass(frozen=True, slots=True)
class Generalised:
    """A head and the conditions that give it, each read at its moment, with the steps of the proof.

    The conditions are statements with their moments said, comparisons and closed conditions; every term of the
    steps is over the same variables. `timeless`: no rule of the proof speaks of moments.
    """

    head: t.Statement
    conditions: tuple[t.Condition, ...]
    steps: tuple[Step, ...]
    timeless: bool


@dataclass(frozen=True, slots=True)
class Use:
    """One rule of the proof with variables of its own."""

    rule: t.Rule
    number: int
    moment: t.Tense | None


@dataclass(frozen=True, slots=True)
class _OfMembers:
    """What shows a closed condition of any one member: the variables that it is, and the uses of rules."""

    row: tuple[t.Variable, ...]
    uses: tuple[Use, ...]


_Goal = tuple[int, t.Statement, t.Tense | None]
"""A node, and the statement at a moment that is to be proved as it was."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a use reads its conditions: at which moment, and with which variables shared between them. `place` is the number of the use,
    and that of the condition among its own; None of a condition within another.
    """

    moment: t.Tense | None
    outside: frozenset[str]
    place: tuple[int, int] | None = None


class Generaliser:
    """Explanations of one example, unified along their rules under one substitution.

    `example` says what each variable stood for; a thing of `things` is one variable, whatever a proof needs. A closed condition about one of `anyone` (things that stand
    for whatever there may be) is taken member by member, so that each comparison with it is seen; `apart` asks
    the same of every count.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        anyone: frozenset[t.Constant] = frozenset(),
        things: frozenset[t.Constant] = frozenset(),
        apart: bool = False,
    ) -> None:
        self.nodes: tuple[Node, ...] = ()
        self.vocabulary = vocabulary
        self.anyone = anyone
        self.things = things
        self.apart = apart
        self.unifier = Unifier()
        self.conditions: list[t.Condition] = []
        self.uses: list[Use] = []
        self.example: dict[str, t.Constant] = {}
        self.assumed: Mapping[t.Statement, t.Statement] = {}
        self.fresh = 0
        self.proved: set[tuple[int, tuple[t.Term, ...]]] = set()
        self.of_members: dict[tuple[int, int], _OfMembers] = {}
        """The closed conditions that are shown of any one member, by their use and place."""

    def explain(
        self,
        explanation: Explanation,
        wanted: t.Statement,
        assumed: Mapping[t.Statement, t.Statement] | None = None,
    ) -> tuple[Use, ...]:
        """Proves `wanted` as the explanation's goal was proved; the uses of rules, premises first.

        Ground statements that are `assumed` need no proof: each is what it is mapped to.
        """
        self.nodes, self.assumed = explanation.nodes, assumed or {}
        self.proved.clear()
        first = len(self.uses)
        self.use(len(self.nodes) - 1, wanted, explanation.goal.tense)
        return tuple(self.uses[first:])

    def use(self, node_number: int, wanted: t.Statement, moment: t.Tense | None) -> None:
        """Proves `wanted` (read at `moment`) as the node was proved, for whatever its variables may be."""
        # Deep proofs are walked with a stack of our own; a use is noted after all that it rests on.
        todo: list[_Goal | Use] = [(node_number, wanted, moment)]
        while todo:
            task = todo.pop()
            if isinstance(task, Use):
                self.uses.append(task)
                continue
            number, wanted, moment = task
            node = self.nodes[number]
            self._see(wanted, node.conclusion)
            said = self.assumed.get(node.conclusion)
            if said is not None:
                assert self.unifier.unify_statements(wanted, said), f"{wanted} was assumed as {said}"
                continue
            if node.rule is None or self._is_operational(node):
                self._leaf(wanted, moment)
                continue
            # The same statement of the same variables is proved once.
            done = number, tuple(self.unifier.walk(term) for term in wanted.terms)
            if done in self.proved:
                continue
            self.proved.add(done)
            self.fresh += 1
            if self.fresh > MAX_USES:
                raise NotOperationalError(
                    f"the proof uses more than {MAX_USES:,} rules",
                    "declare what is concluded on the way `operational`",
                    f"the last of them is {rule_with_place(node.rule)}, at `{print_condition(node.conclusion)}`",
                )
            use = Use(node.rule, self.fresh, node.moment)
            own = rename_rule(node.rule, lambda name, suffix=self.fresh: f"{name}~{suffix}")  # type: ignore[misc]
            # In this order a variable keeps the name that it has nearest to the goal.
            unified = self.unifier.unify_statements(own.head, wanted)
            assert unified, f"{wanted} was derived by {own.head}"
            todo.append(use)
            outside = {f"{name}~{self.fresh}" for name in t.shared_variables(node.rule)}
            self.example |= {f"{name}~{self.fresh}": constant for name, constant in node.binding}
            reading = _Reading(node.moment, frozenset(outside))
            below: list[_Goal] = []
            for number, (condition, support) in enumerate(zip(own.body, node.supports, strict=True)):
                at = replace(reading, place=(use.number, number))
                try:
                    below += self._condition(condition, support, at)
                except NotOperationalError as problem:
                    raise problem.at(asked_at(node.rule.body[number], node)) from None
            todo += reversed(below)

    def _is_operational(self, node: Node) -> bool:
        """Whether a rule may ask for a derived fact as it is: before the action, of an operational predicate."""
        there = node.conclusion
        if not isinstance(there, t.Atom) or there.tense == "after":
            return False
        return self.vocabulary.predicates[there.predicate].operational

    def _see(self, statement: t.Statement, there: t.Statement) -> None:
        """Notes what a statement's variables were in the example."""
        for term, value in zip(statement.terms, there.terms, strict=True):
            if isinstance(term, t.Variable) and isinstance(value, t.Constant):
                self.example.setdefault(term.name, value)

    def _leaf(self, statement: t.Statement, moment: t.Tense | None) -> None:
        read = self._read(statement, moment)
        if read.tense == "after":
            raise NotOperationalError(f"`{read.relation}` is given after the action, and no rule says why")
        self.conditions.append(read)

    def _read(self, statement: t.Statement, moment: t.Tense | None) -> t.Statement:
        if statement.tense is not None or moment is None:
            return statement
        return statement_at(statement, moment, self.vocabulary)

    def _at(self, condition: t.Condition, moment: t.Tense | None) -> t.Condition:
        """A condition of a timeless rule as it is read at a moment; other rules say their own (None)."""
        return condition if moment is None else at_moment(condition, moment, self.vocabulary)

    def _condition(self, condition: t.Condition, support: Support, reading: _Reading) -> Iterator[_Goal]:
        """Notes what a condition asks of the state, and gives what it asks of other nodes."""
        moment = reading.moment
        match condition, support:
            case ((t.Atom() | t.GameStatement()), int()):
                yield support, condition, moment
            case t.Comparison(), _:
                self.conditions.append(condition)
            case t.All(), Members():
                if self._stays(condition, support, moment):
                    self.conditions.append(self._at(condition, moment))
                elif (alike := self._alike(condition, support, reading)) is not None:
                    yield from self._of_any_one(condition, support, reading, alike)
                else:
                    yield from self._expand(condition, support, reading)
            case t.CountIn(), tuple():
                if not self.apart and all(
                    self._read(member, moment).tense != "after" for member in condition.sets
                ):
                    self.conditions.append(self._at(condition, moment))
                    for part in support:
                        self._all_given(part)
                else:
                    yield from self._expand_count(condition, support, reading)
            case ((t.Absent() | t.Aggregate()), _) if not self.apart:
                # It is true of the state that is given, as it is: nothing that is learned could stand for it.
                if any(self._read(s, moment).tense == "after" for s in t.statements([condition])):
                    raise NotOperationalError(
                        f"`{print_condition(condition)}` is about what holds after the action"
                    )
                self.conditions.append(self._at(condition, moment))
            case _:
                raise NotOperationalError("no learned rule can ask for it", "let a fact say so that is given")

    # One substitution

    def equate(self) -> None:
        """Makes one of what must be one thing: values of one key, members of one closed set that were one in the
        example, and variables that an equation determines with their values.
        """
        size = -1
        while size != len(self.unifier.bindings):
            size = len(self.unifier.bindings)
            merge_keys(self.conditions, self.unifier, self.vocabulary)
            self._merge_things()
            self._merge_members()
            for condition in self.conditions:
                if isinstance(condition, t.Comparison):
                    for name, value in (determined(self._resolved(condition)) or {}).items():
                        self.unifier.unify(t.Variable(name), value)

    def _merge_things(self) -> None:
        first: dict[t.Constant, t.Term] = {}
        for name, value in self.example.items():
            if value in self.things and not name.endswith(ANYONE):
                self.unifier.unify(first.setdefault(value, t.Variable(name)), t.Variable(name))

    def _merge_members(self) -> None:
        widths = {p.closes: len(p.columns) - 1 for p in self.vocabulary.predicates.values() if p.closes}
        known: dict[tuple[object, ...], tuple[t.Term, ...]] = {}
        for condition in self.conditions:
            if isinstance(condition, t.Atom) and condition.predicate in widths:
                key = widths[condition.predicate]
                terms = tuple(self.unifier.walk(term) for term in condition.terms)
                there = tuple(self.stood_for(term) for term in terms[key:])
                place = condition.predicate, condition.tense, terms[:key], there
                for one, other in zip(known.setdefault(place, terms[key:]), terms[key:], strict=True):
                    self.unifier.unify(one, other)

    def _resolved(self, comparison: t.Comparison) -> t.Comparison:
        walked = self._named(v.name for v in t.condition_variables(comparison))
        return replace(
            comparison,
            left=apply_to_expression(comparison.left, walked),
            right=apply_to_expression(comparison.right, walked),
        )

    # The result

    def differences(self) -> Iterator[tuple[t.Term, t.Term]]:
        """Every two things that a condition has different, as they were in the example; not the results of calculations."""
        for condition in self.conditions:
            if isinstance(condition, t.Comparison) and condition.operator == "!=":
                left, right = condition.left, condition.right
                if not (isinstance(left, t.Operation) or isinstance(right, t.Operation)):
                    yield self.stood_for(left), self.stood_for(right)

    def stood_for(self, side: t.Term) -> t.Term:
        """What a side of a comparison was in the example."""
        walked = self.unifier.walk(side) if isinstance(side, t.Variable) else side
        if isinstance(walked, t.Constant):
            return walked
        assert isinstance(side, t.Variable)
        return self.example[side.name]

    def _named(self, names: Iterable[str]) -> dict[str, t.Term]:
        return {name: self.unifier.named(name) for name in names}

    def resolved_head(self, head: t.Statement) -> t.Statement:
        return self.unifier.resolve(head)

    def resolved_conditions(self) -> tuple[t.Condition, ...]:
        """The conditions under the final substitution, each once, in the order of the proof."""
        resolved = [
            apply_to_condition(condition, self._named(v.name for v in t.condition_variables(condition)))
            for condition in self.conditions
        ]
        return tuple(dict.fromkeys(resolved))

    def resolved_steps(self, uses: Iterable[Use]) -> tuple[Step, ...]:
        """Uses of rules under the final substitution, each once, premises first."""
        steps = []
        for use in uses:
            names = sorted(t.shared_variables(use.rule))
            terms = {name: self.unifier.named(f"{name}~{use.number}") for name in names}
            members = tuple(
                (place, self._proof_of_members(self.of_members[use.number, place]))
                for place in range(len(use.rule.body))
                if (use.number, place) in self.of_members
            )
            steps.append(Step(use.rule.name, use.moment, tuple(terms.items()), members=members))
        return tuple(dict.fromkeys(steps))

    def _proof_of_members(self, shown: _OfMembers) -> Leaf:
        """What shows a closed condition of any one member, which has names that no rule has."""
        row = {variable.name: t.Variable(f"#1.{i}") for i, variable in enumerate(shown.row)}
        steps = []
        for use in shown.uses:
            names = sorted(t.shared_variables(use.rule))
            terms = {name: self.unifier.named(f"{name}~{use.number}") for name in names}
            one = {
                name: row.get(term.name, term) if isinstance(term, t.Variable) else term
                for name, term in terms.items()
            }
            steps.append(Step(use.rule.name, use.moment, tuple(one.items())))
        return Leaf(tuple(steps))

    # Closed sets

    def _stays(self, condition: t.All, support: Members, moment: t.Tense | None) -> bool:
        """Whether a closed condition can stand in the rule as it is: all that it reads is given before."""
        read = [self._read(s, moment) for s in (condition.member, *t.statements(condition.conditions))]
        if any(statement.tense == "after" for statement in read):
            return False
        about = {self.example.get(variable.name) for variable in t.outer_variables((condition,))}
        about |= {self.example.get(v.name) for c in condition.conditions for v in t.condition_variables(c)}
        return not about & self.anyone and self._is_given(support)

    def _alike(self, condition: t.All, support: Members, reading: _Reading) -> tuple[Node, ...] | None:
        """For each condition on the members one node by whose rule it was shown of one of them, where it was of all by the same
        rule, from what is so before; None where it was not.
        """
        if not (self.apart and reading.place and support.members) or self.anyone:
            return None
        if self._read(condition.member, reading.moment).tense == "after":
            return None
        listed = {variable.name for variable in condition.variables}
        inside = {v.name for c in condition.conditions for v in t.condition_variables(c)}
        if not inside <= listed | reading.outside:
            return None
        if not all(self._is_given(member) for member, _ in support.members):
            return None
        found = []
        for each in zip(*(inner for _, inner in support.members), strict=True):
            nodes = [self.nodes[one] for one in each if isinstance(one, int)]
            if len(nodes) < len(each) or len({(node.rule, node.moment) for node in nodes}) > 1:
                return None
            node = nodes[0]
            if node.rule is None or node.moment is not None or node.rule.head.tense != "after":
                return None
            for condition_of_rule, supports in zip(
                node.rule.body, zip(*(n.supports for n in nodes), strict=True), strict=True
            ):
                if not isinstance(condition_of_rule, t.Atom) or condition_of_rule.tense == "after":
                    return None
                if not all(isinstance(one, int) and self._is_given(one) for one in supports):
                    return None
            found.append(node)
        return tuple(found)

    def _of_any_one(
        self, condition: t.All, support: Members, reading: _Reading, nodes: Sequence[Node]
    ) -> Iterator[_Goal]:
        """A closed condition on what holds after the action as one on what each member has before it."""
        asked: list[t.Condition] = []
        uses: list[Use] = []
        listed = {variable.name for variable in condition.variables}
        for part, node in zip(condition.conditions, nodes, strict=True):
            assert node.rule is not None
            assert isinstance(part, t.Atom)
            self.fresh += 1
            own = rename_rule(node.rule, lambda name, suffix=self.fresh: f"{name}~{suffix}")  # type: ignore[misc]
            assert self.unifier.unify_statements(own.head, part)
            uses.append(Use(node.rule, self.fresh, None))
            for below, there in zip(own.body, node.supports, strict=True):
                assert isinstance(below, t.Atom)
                assert isinstance(there, int)
                terms = tuple(map(self.unifier.walk, below.terms))
                if listed & {term.name for term in terms if isinstance(term, t.Variable)}:
                    asked.append(below.with_terms(terms))
                else:
                    yield there, below, None
        member = self._at(condition.member, reading.moment)
        assert isinstance(member, t.Atom)
        self.conditions.append(t.All(condition.variables, member, tuple(asked), condition.span))
        assert reading.place is not None
        self.of_members[reading.place] = _OfMembers(condition.variables, tuple(uses))

    def _is_given(self, support: Support) -> bool:
        match support:
            case None:
                return True
            case int():
                node = self.nodes[support]
                return node.rule is None or self._is_operational(node)
            case Members():
                parts = [s for member, inner in support.members for s in (member, *inner)]
                return all(self._is_given(part) for part in (support.count, *parts))
            case _:
                return all(self._is_given(part) for part in support)

    def _all_given(self, support: Support) -> None:
        if not self._is_given(support):
            raise NotOperationalError(
                "a count over sets that rules conclude cannot stand in a learned rule",
                "declare the predicate of each set `operational`, or count a set that is given",
            )

    def _expand(self, condition: t.All, support: Members, reading: _Reading) -> Iterator[_Goal]:
        """A closed set member by member: the count, distinct members, and the inner conditions of each."""
        rows: list[tuple[t.Term, ...]] = []
        key = condition.member.terms[: len(condition.member.terms) - len(condition.variables)]
        listed = {variable.name for variable in condition.variables}
        inside = {v.name for c in condition.conditions for v in t.condition_variables(c)}
        inside -= reading.outside | listed
        self._listed(condition, len(support.members))
        yield support.count, self._count(condition.member, len(support.members), key), reading.moment
        for member, inner in support.members:
            self.fresh += 1
            apart = {name: f"{name}~{self.fresh}" for name in inside | listed}
            row = tuple(t.Variable(apart[variable.name]) for variable in condition.variables)
            self._note(row, member)
            yield member, condition.member.with_terms((*key, *row)), reading.moment
            below = replace(reading, outside=reading.outside | set(apart.values()), place=None)
            for part, part_support in zip(condition.conditions, inner, strict=True):
                renamed = rename_condition(part, lambda name, apart=apart: apart.get(name, name))  # type: ignore[misc]
                yield from self._condition(renamed, part_support, below)
            rows.append(row)
        self._distinct(rows)

    def _listed(self, condition: t.Condition, size: int) -> None:
        """Refuses to list large sets where rules are meant for others to rest on."""
        if self.apart and size > MAX_MEMBERS:
            raise NotOperationalError(
                f"it would be listed for {counted(size, 'member')}, and {MAX_MEMBERS} are the most"
            )

    def _note(self, row: Sequence[t.Term], node: int) -> None:
        """Notes which member of a set the variables stood for."""
        there = self.nodes[node].conclusion.terms
        for variable, value in zip(row, there[len(there) - len(row) :], strict=True):
            assert isinstance(variable, t.Variable)
            assert isinstance(value, t.Constant)
            self.example[variable.name] = value

    def _count(self, member: t.Atom, size: int, key: Sequence[t.Term]) -> t.Atom:
        """That a set has so many members."""
        closing = next(p for p in self.vocabulary.predicates.values() if p.closes == member.predicate)
        return t.Atom(closing.name, (*key, t.Constant(size)), member.tense)

    def _distinct(self, rows: Sequence[tuple[t.Term, ...]]) -> None:
        for i, one in enumerate(rows):
            for other in rows[:i]:
                if len(one) != 1:
                    raise NotOperationalError(
                        "its members after the action have several columns, and no one `!=` tells such members apart"
                    )
                self.conditions.append(t.Comparison("!=", other[0], one[0]))

    def _expand_count(
        self, condition: t.CountIn, support: tuple[Members, ...], reading: _Reading
    ) -> Iterator[_Goal]:
        """A count over sets after the action, member by member: which members are one thing and which are not."""
        rows: dict[tuple[t.Term, ...], tuple[t.Term, ...]] = {}  # from the example's members to variables
        for member_atom, part in zip(condition.sets, support, strict=True):
            key = member_atom.terms[: len(member_atom.terms) - len(condition.variables)]
            self._listed(condition, len(part.members))
            yield part.count, self._count(member_atom, len(part.members), key), reading.moment
            for member, _ in part.members:
                there = self.nodes[member].conclusion.terms[len(key) :]
                if there not in rows:
                    self.fresh += 1
                    rows[there] = tuple(t.Variable(f"{v.name}~{self.fresh}") for v in condition.variables)
                    self._note(rows[there], member)
                yield member, member_atom.with_terms((*key, *rows[there])), reading.moment
        self._distinct(list(rows.values()))
        without: set[tuple[t.Term, ...]] = set()
        for term in condition.excluded:
            there = (self.example[term.name] if isinstance(term, t.Variable) else term,)
            if there in rows:
                self.unifier.unify(term, rows[there][0])
                without.add(there)
            else:
                self.conditions += [t.Comparison("!=", term, row[0]) for row in rows.values()]
        left = t.Constant(len(rows) - len(without))
        if isinstance(condition.result, t.Variable):
            self.unifier.unify(condition.result, left)
        else:
            self.conditions.append(t.Comparison("=", condition.result, left))


def generalise(explanation: Explanation, vocabulary: Vocabulary) -> Generalised:
    """The most general head and conditions that the explanation's rules, unified along it, allow.

    Raises NotOperationalError where the explanation rests on something that cannot be asked before the action.
    """
    last = explanation.nodes[-1]
    if last.rule is None:
        raise NotOperationalError(
            f"`{print_condition(last.conclusion)}` is given, so there is nothing to learn",
            "expect what rules conclude from it",
        )
    worker = Generaliser(vocabulary)
    terms = (
        t.Variable(f"{term.name}~0") if isinstance(term, t.Variable) else term
        for term in last.rule.head.terms
    )
    wanted = last.conclusion.with_terms(tuple(terms))
    worker.explain(explanation, wanted)
    # All held in the example, so no two values of one key are different constants.
    merge_keys(worker.conditions, worker.unifier, vocabulary)
    timeless = not any(s.tense for u in worker.uses for s in (u.rule.head, *t.statements(u.rule.body)))
    return Generalised(
        worker.resolved_head(wanted),
        worker.resolved_conditions(),
        worker.resolved_steps(worker.uses),
        timeless,
    )


def generalise_things(
    explanation: Explanation, vocabulary: Vocabulary, things: frozenset[t.Constant]
) -> Generalised:
    """The same with every count taken member by member, and things and members of one closed set that were one in the
    example kept one: less general, and of the form that rules for the moves before can rest on.
    """
    worker = Generaliser(vocabulary, things=things, apart=True)
    last = explanation.nodes[-1]
    assert last.rule is not None
    terms = (
        t.Variable(f"{term.name}~0") if isinstance(term, t.Variable) else term
        for term in last.rule.head.terms
    )
    wanted = last.conclusion.with_terms(tuple(terms))
    # There is one action between before and after: it is the conclusion's own.
    action = last.conclusion.by if isinstance(last.conclusion, t.GameStatement) else None
    general = wanted.by if isinstance(wanted, t.GameStatement) else None
    assumed: dict[t.Statement, t.Statement] = {} if action is None or general is None else {action: general}
    uses = worker.explain(explanation, wanted, assumed)
    worker.equate()
    conditions = worker.resolved_conditions()
    return Generalised(worker.resolved_head(wanted), conditions, worker.resolved_steps(uses), timeless=False)


def merge_keys(conditions: Iterable[t.Condition], unifier: Unifier, vocabulary: Vocabulary) -> None:
    """Makes conditions with one key one condition: they have one value.

    Raises NotOperationalError where their values are different constants.
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
