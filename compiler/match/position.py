"""Matching of learned rules in positions: the rules that answer, their conclusions, and their focus sets."""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hornbook.compiler.match.ready_cache import recalled_rules, remember_rules
from hornbook.compiler.rules.definitions import written_out
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate, SortName
from hornbook.kb.ast.ordering import row_order, value_order
from hornbook.kb.ast.parts import Part, in_parts, parts_of_facts, rows_of
from hornbook.kb.ast.substitution import apply_to_term, statement_at
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement, Rule, Tense, game_relation, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import ReadyRules, add_proved_rules, add_ready, beside, ready_rules
from hornbook.kb.base.theory_engine import TheoryEngine
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.matcher.program.coded import Derivation, Fact, Limits, PredicateId, Premise, SetPremise
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    from hornbook.compiler.match.unfolding import RuleDefinitions

_ANSWER_PREFIX = "told "
FocusSet = frozenset[str | int]
"""A focus set: the objects of a position that a rule or a proof mentions."""


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A rule that answers: its conclusion in the position, and its focus set there."""

    rule: str
    conclusion: GameStatement
    about: FocusSet


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of a rule in a position, the values of its variables, and its derivation, if the engine
    records one.
    """

    rule: str
    statement: GameStatement | Atom
    bindings: Mapping[str, Constant]
    derivation: Derivation | None

    @property
    def of_game(self) -> GameStatement:
        """The conclusion of a rule about a game."""
        assert isinstance(self.statement, GameStatement)
        return self.statement

    @property
    def values(self) -> list[tuple[str, tuple[bool, str | int]]]:
        """Return the sort key of a conclusion among those of its rule: the values of the rule's variables."""
        return [(name, value_order(value.value)) for name, value in sorted(self.bindings.items())]


class FirstConclusion(NamedTuple):
    """The conclusion of the rule learned first, with the facts of the position on which it depends."""

    rule: str
    statement: GameStatement
    premises: tuple[GroundFact, ...]


MAX_CODED_FACTS = 1_000_000
"""The maximum number of coded facts of parts in the cache of a `IncrementalState`."""


class IncrementalState:
    """The incremental state of a knowledge base that evaluates one position after another.

    Only differences between positions are exchanged, and each part is coded once. Facts that the theory
    states remain, whatever a position contains. With `marks`, the state can return to one of at most `marks`
    previous positions without new derivations. It does so if the next position differs less from that one,
    for example if all positions are one move away from the same position. Rules must not change then.
    """

    def __init__(self, base: KnowledgeBase, marks: int = 0) -> None:
        self.base = base
        self.parts: dict[Part, None] = {}
        self._marks = marks
        self._marked: list[dict[Part, None]] = []
        """The previous positions; each was marked."""
        self._has_query = False
        self._groups: dict[Part, Group] = {}
        self._coded_facts = 0

    def at_parts(self, parts: Iterable[Part]) -> None:
        """Set the facts of the position to these parts by exchanging the differences; facts added by `ask`
        are removed first.

        Raise FactError if a fact does not fit its declaration, and KnowledgeBaseError if facts contradict the
        theory. The position is then unchanged or, with marks, one of the previous positions.
        """
        after = dict.fromkeys(parts)
        if self._marks:
            self._go_back(after)
        # The order of the parts is preserved, because the first derivation is the one that is explained.
        before = self.parts
        self._exchange(
            [part for part in before if part not in after], [part for part in after if part not in before]
        )
        self.parts = after

    def _go_back(self, after: dict[Part, None]) -> None:
        """Return to the position with the smallest difference and mark it.

        If all marks are used, return to the first one.
        """
        near = [len(after.keys() - parts.keys()) for parts in (*self._marked, self.parts)]
        place = near.index(min(near))
        if place == self._marks and near[place]:
            place = 0
        if place < len(self._marked):
            self.withdraw()
        while place < len(self._marked):
            self.base.pop()
            self.parts = self._marked.pop()
        if near[place]:
            self.withdraw()
            self.base.push()
            self._marked.append(self.parts)

    def at(self, facts: Iterable[GroundFact | Part]) -> None:
        """Set the facts of the position, given one by one or in parts, by exchanging single facts.

        Consequences of unchanged facts are not derived again, and their proofs remain.
        """
        before, after = self.parts, dict.fromkeys(in_parts(facts))
        removed = dict.fromkeys(one for part in before if part not in after for one in parts_of_facts(part))
        added = dict.fromkeys(one for part in after if part not in before for one in parts_of_facts(part))
        self._exchange(
            [one for one in removed if one not in added], [one for one in added if one not in removed]
        )
        self.parts = after

    def _exchange(self, removed: Collection[Part], added: Collection[Part]) -> None:
        if removed or added:
            known = self._groups.get
            removed_groups, added_groups = (
                [known(part) or self.group(part) for part in parts] for parts in (removed, added)
            )
            self.withdraw()
            self.base.engine.exchange_groups(removed_groups, added_groups)

    def group(self, part: Part) -> Group:
        """Return the coded facts of a part, which are cached. Raises FactError if a fact does not fit."""
        group = self._groups.get(part)
        if group is None:
            if self._coded_facts > MAX_CODED_FACTS:
                self._groups.clear()
                self._coded_facts = 0
            group = self._groups[part] = self.base.engine.group(part.rows())
            self._coded_facts += group.size
        return group

    def ask(self, facts: Iterable[GroundFact]) -> None:
        """Add facts to the position in place of those added last; they do not remain in other positions."""
        self.withdraw()
        added = self.base.engine.group(rows_of(facts))
        self.base.push()
        self._has_query = True
        self.base.engine.exchange_groups([], [added])

    def withdraw(self) -> None:
        """Remove the facts added by `ask` and their consequences, by restoring the state before."""
        if self._has_query:
            self.base.pop()
            self._has_query = False


@dataclass(slots=True)
class SharedRules:
    """The rules shared by several matchers: unfolded, coded and measured by the first of them that has a
    position.

    With a `key` (`matching_key` in compiler/match/ready_cache.py), later processes share them too.
    """

    ready: ReadyRules | None = None
    key: str | None = None

    def find(self, theory: Theory) -> ReadyRules | None:
        """Return the rules in the form for matchers with this theory, if they are ready."""
        if self.ready is None and self.key is not None:
            self.ready = recalled_rules(self.key, theory)
        return self.ready

    def keep(self, ready: ReadyRules) -> None:
        """Share rules that have become ready."""
        self.ready = ready
        if self.key is not None:
            remember_rules(self.key, ready)


@renamed_members
class RuleMatcher:
    """A matcher of learned rules in one position after another, without search.

    Args:
        focus_predicate: The static predicate for the focus set of a rule.
        limits: The limits of each match, which raises KnowledgeBaseError if they are exceeded.
        shared: An object for matchers with the same rules. If the rules are ready, `has_rules` is True and no
            rules must be added.
    """

    def __init__(
        self,
        theory: Theory,
        focus_predicate: str,
        limits: Limits | None = None,
        shared: SharedRules | None = None,
    ) -> None:
        self.theory = theory
        self.focus_predicate = focus_predicate
        self._limits = limits
        predicates = dict(theory.vocabulary.predicates)
        actions = [p for p in predicates.values() if p.kind == "action"]
        for game in [p for p in predicates.values() if p.kind == "game"]:
            name = query_relation(game.name)
            predicates[name] = Predicate("static", name, game.columns)
            for action in (None, *actions):
                name = _answer_name(game_relation(game.name, None if action is None else action.name))
                by = () if action is None else action.columns
                columns = (SortName(INTEGER_SORT), *game.columns, *by, SortName(VALUE_SORT))
                predicates[name] = Predicate("derived", name, columns)
        vocabulary = replace(theory.vocabulary, predicates=predicates)
        self.theory_without_rules = replace(theory, vocabulary=vocabulary, rules=())
        self._shared = shared
        self._ready = None if shared is None else shared.find(self.theory_without_rules)
        self.base = (
            KnowledgeBase(self.theory_without_rules, derivations="all", limits=limits)
            if self._ready is None
            else beside(self._ready, derivations="all", limits=limits)
        )
        self.state = IncrementalState(self.base)
        self._remember()
        self.has_rules = self._ready is not None
        self._new: list[Rule] = []
        self._is_measured = True
        self._definitions: RuleDefinitions | None = None
        self._defined: set[str] = set()
        self._plain: dict[str, list[Rule]] = {}
        """The rules about games on which no other rule depends yet, by conclusion."""
        self._names: Sequence[str] = ()
        """The names of the rules in the knowledge base."""
        self._templates: dict[str, GameStatement] = {}
        """A template statement for each relation of the rules' conclusions."""

    def add(self, rule: Rule) -> None:
        """Add a learned rule; rules about anything but games are ignored."""
        head = rule.head
        if not isinstance(head, GameStatement):
            return
        from hornbook.compiler.match.unfolding import (  # noqa: PLC0415 - rules that are ready need none of it
            RuleDefinitions,
            unfolded,
        )

        self._definitions = self._definitions or RuleDefinitions(self.theory)
        # Positions have no action, so no condition after an action is evaluated.
        rule = written_out(rule, self.theory)
        plain = replace(unfolded(rule, self.theory, self._definitions), of_given=True)
        self._plain.setdefault(head.relation, []).append(plain)
        new = [replace(each, of_given=True) for each in self._needed(plain, self._definitions)]
        self._new += new
        self._new.append(self._restricted(plain, head))
        self._is_measured = self._is_measured and not new

    def pending_rules(self) -> tuple[Rule, ...]:
        """Return the rules that the first position adds, in order: the learned ones (see `is_answer_rule`)
        and their definitions.
        """
        return tuple(self._new)

    def _needed(self, rule: Rule, definitions: RuleDefinitions) -> list[Rule]:
        """Return the rules, not present yet, that derive the conditions of a rule.

        Learned rules are included for games that are conditions but are not evaluated themselves.
        """
        found: list[Rule] = []
        todo = [rule]
        while todo:
            required = {s.relation for each in todo for s in statements(each.body)}
            todo = definitions.needed(required, self._defined)
            todo += [r for name in sorted(self._defined & self._plain.keys()) for r in self._plain.pop(name)]
            found += todo
        return found

    def _restricted(self, rule: Rule, statement: GameStatement) -> Rule:
        """Return the rule restricted to the evaluated games, so that its conditions are matched from there.

        Its head contains the index of the rule, which makes the conclusions of a rule easy to find.
        """
        place = Constant(len(self.base.rules) + len(self._new))
        request = Atom(query_relation(statement.game.predicate), statement.game.terms)
        head = Atom(_answer_name(statement.relation), (place, *statement.terms), statement.tense)
        return replace(rule, head=head, body=(request, *rule.body))

    def matches(self, facts: Iterable[GroundFact | Part], game: Atom, value: Constant) -> list[RuleMatch]:
        """Return the matches of rules on a game, in the order of learning; `facts` are given one by one or in
        parts.

        The value is GI if the friend plays first, and IG if the opponent does.
        """
        self.state.at(facts)
        self._ask([game])
        return [
            self._match(answer, bound)
            for answer in self._answers()
            if _is_of(answer.statement, game) and answer.statement.value == value
            for bound in self.base.engine.substitutions(answer.fact)
        ]

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """Return all conclusions about some games, one for each match of a rule, in an order independent of
        earlier matches.
        """
        self.state.at_parts(parts)
        self._ask(games)
        return [
            conclusion
            for answer in self._answers()
            for conclusion in self._sorted(answer, self.base.engine.derivations(answer.fact))
        ]

    def explained(self, found: Iterable[tuple[Fact, tuple[Derivation, ...]]]) -> list[Conclusion]:
        """Return the conclusions of coded answers with their derivations, in the order of `conclusions`.

        States often share answers, so equal ones are decoded once.
        """
        answers = sorted((self._decode_explained(*each) for each in found), key=lambda each: each[0])
        return [conclusion for _, conclusions in answers for conclusion in conclusions]

    def _read_explained(
        self, fact: Fact, derivations: tuple[Derivation, ...]
    ) -> tuple[Any, list[Conclusion]]:
        """Return the conclusions of an answer, with the sort key of the answer."""
        answer = self._decoded(fact)
        return row_order(answer.values), self._sorted(answer, derivations)

    def _sorted(self, answer: _RuleAnswer, derivations: Sequence[Derivation]) -> list[Conclusion]:
        found = [self._conclusion(answer, each) for each in derivations]
        return found if len(found) == 1 else sorted(found, key=lambda each: each.values)

    def stated(self, found: Iterable[Fact]) -> list[tuple[str, GameStatement]]:
        """Return the rules with their statements of coded answers, in the order of learning."""
        answers = sorted(map(self._decoded, found), key=lambda answer: row_order(answer.values))
        return list(map(self._stated, answers))

    def _stated(self, answer: _RuleAnswer) -> tuple[str, GameStatement]:
        return self._names[answer.place], answer.statement

    def _decoded(self, fact: Fact) -> _RuleAnswer:
        template = self.base.engine.coding.relations[fact.predicate].template
        return self._decode_answer(template.relation, fact)

    def ready_for_blocks(self) -> ReadyRules | None:
        """Return the rules if they are ready and not yet added, so that another engine may evaluate them.

        This matcher then only codes states and decodes answers.
        """
        ready, self._ready = self._ready, None
        if ready is not None:
            self._record_rules(ready.names, ready.concluded)
        return ready

    @property
    def answer_predicates(self) -> list[PredicateId]:
        """The coded predicates of answers, after the first position."""
        coding = self.base.engine.coding
        return [coding.predicate_id(name, "before") for name in self._templates]

    def first(self, parts: Iterable[Part], game: Atom) -> dict[Constant, FirstConclusion]:
        """Return for each value of a game the conclusion of the rule learned first.

        A win by playing first counts only with its move. Other conclusions are not explained.
        """
        self.state.at_parts(parts)
        self._ask([game])
        return self._first((each, None) for each in self._answers() if _is_of(each.statement, game))

    def first_of(self, found: Iterable[tuple[Fact, Iterable[Fact]]]) -> dict[Constant, FirstConclusion]:
        """Return what `first` returns, from coded answers with premises. Only the first rules are needed."""
        answers = [(self._decoded(fact), premises) for fact, premises in found]
        if len(answers) > 1:
            answers.sort(key=lambda each: row_order(each[0].values))
        return self._first(answers)

    def _first(
        self, answers: Iterable[tuple[_RuleAnswer, Iterable[Fact] | None]]
    ) -> dict[Constant, FirstConclusion]:
        first: dict[Constant, FirstConclusion] = {}
        for answer, known in answers:
            value = answer.statement.value
            if value not in first and (value != WON or answer.statement.by is not None):
                assert isinstance(value, Constant)
                premises = self._premises(answer.fact) if known is None else dict.fromkeys(known)
                first[value] = FirstConclusion(*self._stated(answer), tuple(map(self._ground, premises)))
        return first

    def each(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """Return for each statement about some games the conclusion of the rule learned first.

        Others are not explained.
        """
        self.state.at_parts(parts)
        self._ask(games)
        first: dict[GameStatement, _RuleAnswer] = {}
        for answer in self._answers():
            first.setdefault(answer.statement, answer)
        found: list[Conclusion] = []
        for answer in first.values():
            derivation = self.base.engine.derivation(answer.fact)
            assert derivation is not None
            found.append(self._conclusion(answer, derivation))
        return found

    def statements(
        self, parts: Iterable[Part], games: Iterable[Atom]
    ) -> frozenset[tuple[str, GameStatement]]:
        """Return the rules with their statements about some games; this is faster than `conclusions`."""
        return frozenset(self.ordered_statements(parts, games))

    def ordered_statements(
        self, parts: Iterable[Part], games: Iterable[Atom]
    ) -> list[tuple[str, GameStatement]]:
        """Return the rules with their statements about some games, in the order of learning."""
        self.state.at_parts(parts)
        self._ask(games)
        return list(map(self._stated, self._answers()))

    def _answers(self) -> list[_RuleAnswer]:
        """Return the conclusions of the evaluated rules, in the order of learning, then by statement."""
        found = [
            self._decode_answer(name, fact)
            for name in self._templates
            for fact in self.base.engine.facts(name, "before")
        ]
        return sorted(found, key=lambda answer: row_order(answer.values))

    def _read(self, name: str, fact: Fact) -> _RuleAnswer:
        values = self._ground(fact).values
        place, *terms = values
        assert isinstance(place, int)
        return _RuleAnswer(place, values, self._templates[name].with_terms(tuple(map(Constant, terms))), fact)

    def premises(self, conclusion: Conclusion) -> tuple[GroundFact, ...]:
        """Return the facts of the position on which a conclusion of this matcher depends."""
        assert conclusion.derivation is not None
        found: dict[Fact, None] = {}
        _add_facts(conclusion.derivation.premises, found)
        return tuple(map(self._ground, found))

    def _premises(self, fact: Fact) -> Iterable[Fact]:
        """Return the facts of a derivation in the position of this matcher."""
        derivation = self.base.engine.derivation(fact)
        assert derivation is not None
        found: dict[Fact, None] = {}
        _add_facts(derivation.premises, found)
        return found

    def _conclusion(self, answer: _RuleAnswer, derivation: Derivation) -> Conclusion:
        bindings = _Bindings(self.base.engine, derivation)
        return Conclusion(self._names[answer.place], answer.statement, bindings, derivation)

    def _ask(self, games: Iterable[Atom]) -> None:
        """Evaluate some games in the current position."""
        # Rules are added after the position, so that the order of their conditions fits typical positions.
        # The evaluated games are added last, so that conditions are matched from them and not from every
        # fact.
        if self._ready is not None:
            ready = self._ready
            self._add_ready(ready)
            self._record_rules(ready.names, ready.concluded)
        elif self._new or not self._is_measured:
            self._add_new()
            rules = self.base.rules
            self._record_rules([rule.name for rule in rules], {rule.head.relation for rule in rules})
        self.state.ask(map(query_fact, games))

    def _add_new(self) -> None:
        self.state.withdraw()
        with collector_paused():
            add_proved_rules(self.base, self._new)
        self._new.clear()
        ready = None if self._is_measured and self._shared is None else ready_rules(self.base)
        if not self._is_measured:
            assert ready is not None
            self._replan(ready)
            self._is_measured = True
        if self._shared is not None:
            assert ready is not None
            self._shared.keep(ready)

    def _replan(self, ready: ReadyRules) -> None:
        """Reorder the conditions of all rules by the measured numbers of derived facts.

        Before, definitions were assumed to have many conclusions, and no join began with them.
        """
        parts = self.state.parts
        self.base = beside(ready, derivations="all", limits=self._limits)
        self.state = IncrementalState(self.base)
        self._remember()
        self.state.at_parts(parts)
        self._add_ready(ready)

    def _add_ready(self, ready: ReadyRules) -> None:
        with collector_paused():
            add_ready(self.base, ready)
        self._ready = None

    def _remember(self) -> None:
        """Create caches of decoded facts, because positions share most of their facts."""
        self._ground = lru_cache(maxsize=100_000)(self.base.engine.coding.ground)
        self._decode_answer = lru_cache(maxsize=100_000)(self._read)
        self._decode_explained = lru_cache(maxsize=100_000)(self._read_explained)

    def _record_rules(self, names: Sequence[str], concluded: AbstractSet[str]) -> None:
        self._names = names
        moment: Tense | None = "before" if self.base.engine.coding.actions else None
        for relation in self.base.relations():
            if isinstance(relation, GameStatement) and (name := _answer_name(relation.relation)) in concluded:
                self._templates[name] = statement_at(relation, moment, self.theory.vocabulary)

    def _match(self, answer: _RuleAnswer, bound: Mapping[str, Constant]) -> RuleMatch:
        rule = self.base.engine.rule(answer.place)
        focus_conditions = (
            c for c in rule.body if isinstance(c, Atom) and c.predicate == self.focus_predicate
        )
        things = (apply_to_term(term, bound) for c in focus_conditions for term in c.terms)
        about = frozenset(thing.value for thing in things if isinstance(thing, Constant))
        return RuleMatch(rule.name, answer.statement, about)


class _Bindings(Mapping[str, Constant]):
    """The values of the variables of a derivation's rule. They are read on demand, because few users need
    them.
    """

    def __init__(self, engine: TheoryEngine, derivation: Derivation) -> None:
        self._engine, self._derivation = engine, derivation

    @cached_property
    def _values(self) -> dict[str, Constant]:
        return self._engine.substitution(self._derivation)

    def __getitem__(self, name: str) -> Constant:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def items(self) -> ItemsView[str, Constant]:
        return self._values.items()


@dataclass(frozen=True, slots=True)
class _RuleAnswer:
    """The conclusion of the rule with an index in the knowledge base, and its coded fact."""

    place: int
    values: tuple[str | int, ...]
    statement: GameStatement
    fact: Fact


def _is_of(statement: GameStatement, game: Atom) -> bool:
    return statement.game.predicate == game.predicate and statement.game.terms == game.terms


def query_fact(game: Atom) -> GroundFact:
    """Return the fact that requests the evaluation of a game."""
    return GroundFact(
        query_relation(game.predicate), tuple(t.value for t in game.terms if isinstance(t, Constant))
    )


def is_answer_rule(rule: Rule) -> bool:
    """Return whether it is the matcher's form of a learned rule, and not one of its definitions."""
    return isinstance(rule.head, Atom) and rule.head.predicate.startswith(_ANSWER_PREFIX)


def _add_facts(premises: Iterable[Premise], found: dict[Fact, None]) -> None:
    """Add the facts of premises.

    For a closed set these are its count, its members, and the conditions on each.
    """
    for premise in premises:
        if isinstance(premise, Fact):
            found[premise] = None
        elif isinstance(premise, SetPremise):
            found[premise.count] = None
            for member, inner in premise.members:
                found[member] = None
                _add_facts(inner, found)
        elif premise is not None:
            _add_facts(premise, found)


def query_relation(game: str) -> str:
    """Return the predicate of the evaluated games; no predicate of a theory has its name."""
    return f"asked {game}"


def _answer_name(relation: str) -> str:
    """Return the predicate of conclusions about a relation, with rule indices.

    No predicate of a theory has its name.
    """
    return f"{_ANSWER_PREFIX}{relation}"
