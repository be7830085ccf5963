"""Matching learned rules on positions: which rules answer, with which conclusions, about what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from hornbook.compiler.match.unfolding import Definitions, unfolded
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate, SortName
from hornbook.kb.ast.ordering import row_order, value_order
from hornbook.kb.ast.parts import Part, in_parts, rows_of, singly
from hornbook.kb.ast.substitution import apply_to_term, statement_at
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Tense, game_relation, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.given_facts import Group
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import ReadyRules, add_proved_rules, add_ready, beside, ready_rules
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Derivation, Fact, Limits, Premise, SetPremise

_WON = Constant("GI")
_TOLD = "told "
About = frozenset[str | int]
"""The things of a position that a rule or a proof speaks of."""


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that answers: its conclusion in the position, and what it speaks of there."""

    rule: str
    conclusion: GameStatement
    about: About


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a rule says in a position, what its variables are there, and how what it says follows, where an engine tells."""

    rule: str
    statement: GameStatement
    bindings: Mapping[str, Constant]
    derivation: Derivation | None

    @property
    def values(self) -> list[tuple[str, tuple[bool, str | int]]]:
        """The sort key of a conclusion among those of its rule: the values of the rule's variables."""
        return [(name, value_order(self.bindings[name].value)) for name in sorted(self.bindings)]


KEPT = 1_000_000
"""Coded facts of parts that a standing keeps at most."""


class Standing:
    """A knowledge base that is at one position after another: only what differs is exchanged, and each part is coded once.
    What the theory states stays, whatever a position says of it.

    With `marks` it goes back to one of so many positions from which it came, without looking again for what follows there,
    where the next one differs less from that: so where each is a move away from the same one. Rules cannot change then.
    """

    def __init__(self, base: KnowledgeBase, marks: int = 0) -> None:
        self.base = base
        self.parts: dict[Part, None] = {}
        self._marks = marks
        self._marked: list[dict[Part, None]] = []
        """The positions from which it came, each of which was marked."""
        self._is_asked = False
        self._groups: dict[Part, Group] = {}
        self._kept = 0

    def at_parts(self, parts: Iterable[Part]) -> None:
        """Makes these parts the facts of the position: those that differ are exchanged, and what was asked goes before them.
        Raises FactError where a fact does not fit its declaration, KnowledgeBaseError where they contradict the theory; then it stands
        where it stood, or with marks at one of the positions from which it came.
        """
        after = dict.fromkeys(parts)
        if self._marks:
            self._go_back(after)
        # In the order of the parts, since what is derived first is explained first.
        before = self.parts
        self._exchange(
            [part for part in before if part not in after], [part for part in after if part not in before]
        )
        self.parts = after

    def _go_back(self, after: dict[Part, None]) -> None:
        """Goes back to where less is to be exchanged, and marks that; where all marks are used, to the first one."""
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
        """The same of facts, by themselves or in parts, of which only those are exchanged that differ: what follows from the
        others is not derived again, and their proofs stay.
        """
        before, after = self.parts, dict.fromkeys(in_parts(facts))
        gone = dict.fromkeys(one for part in before if part not in after for one in singly(part))
        come = dict.fromkeys(one for part in after if part not in before for one in singly(part))
        self._exchange([one for one in gone if one not in come], [one for one in come if one not in gone])
        self.parts = after

    def _exchange(self, gone: Collection[Part], come: Collection[Part]) -> None:
        if gone or come:
            going, coming = [self._group(part) for part in gone], [self._group(part) for part in come]
            self.withdraw()
            self.base.exchange_groups(going, coming)
        if self._kept > KEPT:
            self._groups.clear()
            self._kept = 0

    def _group(self, part: Part) -> Group:
        group = self._groups.get(part)
        if group is None:
            group = self._groups[part] = self.base.group(part.rows())
            self._kept += group.size
        return group

    def ask(self, facts: Iterable[GroundFact]) -> None:
        """Adds facts to the position in place of those that were asked last; another position has none of them."""
        self.withdraw()
        asked = self.base.group(rows_of(facts))
        self.base.push()
        self._is_asked = True
        self.base.exchange_groups([], [asked])

    def withdraw(self) -> None:
        """Takes back what was asked, with all that followed from it, without looking for that again."""
        if self._is_asked:
            self.base.pop()
            self._is_asked = False


@dataclass(slots=True)
class Shared:
    """What matchers of the same rules share: the rules, unfolded, coded and measured by the first that met a position."""

    ready: ReadyRules | None = None


class Matcher:
    """Learned rules, matched on one position after another, without search.

    `focus_predicate` is the static predicate by which rules say what they speak of; `limits` bound each match, which raises
    KnowledgeBaseError where it passes them. Matchers that share their rules have the same ones: where they are
    ready, `has_rules` is true, and none are to be added.
    """

    def __init__(
        self,
        theory: Theory,
        focus_predicate: str,
        limits: Limits | None = None,
        shared: Shared | None = None,
    ) -> None:
        self.theory = theory
        self.focus_predicate = focus_predicate
        self._limits = limits
        predicates = dict(theory.vocabulary.predicates)
        actions = [p for p in predicates.values() if p.kind == "action"]
        for game in [p for p in predicates.values() if p.kind == "game"]:
            name = _asked_name(game.name)
            predicates[name] = Predicate("static", name, game.columns)
            for action in (None, *actions):
                name = _told_name(game_relation(game.name, None if action is None else action.name))
                by = () if action is None else action.columns
                columns = (SortName(INTEGER_SORT), *game.columns, *by, SortName(VALUE_SORT))
                predicates[name] = Predicate("derived", name, columns)
        vocabulary = replace(theory.vocabulary, predicates=predicates)
        self.theory_without_rules = replace(theory, vocabulary=vocabulary, rules=())
        self._shared = shared
        self._ready = None if shared is None else shared.ready
        self.base = (
            KnowledgeBase(self.theory_without_rules, derivations="all", limits=limits)
            if self._ready is None
            else beside(self._ready, derivations="all", limits=limits)
        )
        self.stand = Standing(self.base)
        self._remember()
        self.has_rules = self._ready is not None
        self._new: list[Rule] = []
        self._is_measured = True
        self._definitions = Definitions(theory)
        self._defined: set[str] = set()
        self._plain: dict[str, list[Rule]] = {}
        """The rules on games that nobody rests on, by what they conclude."""
        self._told: dict[str, GameStatement] = {}
        """A statement of each relation of which the rules tell something."""

    def add(self, rule: Rule) -> None:
        """Adds a learned rule. One that says nothing of a game is never asked, and is left out."""
        if not isinstance(rule.head, GameStatement):
            return
        # Positions have no action, so nothing is read after one.
        plain = replace(unfolded(rule, self.theory, self._definitions), of_given=True)
        self._plain.setdefault(rule.head.relation, []).append(plain)
        new = [replace(each, of_given=True) for each in self._needed(plain)]
        self._new += new
        self._new.append(self._asked(plain, rule.head))
        self._is_measured = self._is_measured and not new

    def to_come(self) -> tuple[Rule, ...]:
        """The rules that the first position brings, by their places: those that were added, of which `is_telling` holds, and
        what they rest on.
        """
        return tuple(self._new)

    def _needed(self, rule: Rule) -> list[Rule]:
        """The rules, not there yet, by which what a rule asks for is derived. What is asked for of games, learned rules
        say too, of games that nobody asks about.
        """
        found: list[Rule] = []
        todo = [rule]
        while todo:
            wanted = {s.relation for each in todo for s in statements(each.body)}
            todo = self._definitions.needed(wanted, self._defined)
            todo += [r for name in sorted(self._defined & self._plain.keys()) for r in self._plain.pop(name)]
            found += todo
        return found

    def _asked(self, rule: Rule, said: GameStatement) -> Rule:
        """The rule for the games that are asked about, and no others: its conditions are met from there. It tells what it
        says with its place among the rules, so that nobody need look for the rules that say something.
        """
        place = Constant(len(self.base.rules) + len(self._new))
        asked = Atom(_asked_name(said.game.predicate), said.game.terms)
        head = Atom(_told_name(said.relation), (place, *said.terms), said.tense)
        return replace(rule, head=head, body=(asked, *rule.body))

    def matches(self, facts: Iterable[GroundFact | Part], game: Atom, value: Constant) -> list[Match]:
        """What the rules say of a game, those first that were learned first; `facts` are the position's, by themselves or
        in parts.

        The value is GI of a friend who plays first, IG of one who plays second.
        """
        self.stand.at(facts)
        self._ask([game])
        return [
            self._match(told, derivation)
            for told in self._all_told()
            if _is_of(told.statement, game) and told.statement.value == value
            for derivation in self.base.derivations(told.fact)
        ]

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """All that the rules say of some games at once, a conclusion for each way in which a rule gives it: in an order that
        does not depend on what was matched before.
        """
        self.stand.at_parts(parts)
        self._ask(games)
        return [
            conclusion
            for told in self._all_told()
            for conclusion in sorted(
                (self._conclusion(told, derivation) for derivation in self.base.derivations(told.fact)),
                key=lambda each: each.values,
            )
        ]

    def first(self, parts: Iterable[Part], game: Atom) -> dict[Constant, Conclusion]:
        """Of each value that the rules say of a game the conclusion that the rule gives that was learned first; that it is
        won by playing first counts with the move alone. What the others rest on is not looked for.
        """
        self.stand.at_parts(parts)
        self._ask([game])
        first: dict[Constant, Conclusion] = {}
        for told in self._all_told():
            value = told.statement.value
            if value in first or not _is_of(told.statement, game):
                continue
            if value != _WON or told.statement.by is not None:
                assert isinstance(value, Constant)
                derivation = self.base.derivation(told.fact)
                assert derivation is not None
                first[value] = self._conclusion(told, derivation)
        return first

    def each(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """Of each thing that the rules say of some games the conclusion of the rule that was learned first; what others rest on is not
        looked for.
        """
        self.stand.at_parts(parts)
        self._ask(games)
        first: dict[GameStatement, _Told] = {}
        for told in self._all_told():
            first.setdefault(told.statement, told)
        found: list[Conclusion] = []
        for told in first.values():
            derivation = self.base.derivation(told.fact)
            assert derivation is not None
            found.append(self._conclusion(told, derivation))
        return found

    def said(self, parts: Iterable[Part], games: Iterable[Atom]) -> frozenset[tuple[str, GameStatement]]:
        """The rules that say something of some games, each with what it says: sooner told than conclusions."""
        self.stand.at_parts(parts)
        self._ask(games)
        return frozenset((self.base.rules[told.place].name, told.statement) for told in self._all_told())

    def _all_told(self) -> list[_Told]:
        """What learned rules say that were asked: by rules in the order in which they were learned, then by what they say."""
        found = [self._telling(name, fact) for name in self._told for fact in self.base.held(name, "before")]
        return sorted(found, key=lambda told: row_order(told.values))

    def _read(self, name: str, fact: Fact) -> _Told:
        values = self._ground(fact).values
        place, *terms = values
        assert isinstance(place, int)
        return _Told(place, values, self._told[name].with_terms(tuple(map(Constant, terms))), fact)

    def premises(self, conclusion: Conclusion) -> tuple[GroundFact, ...]:
        """The facts of the position that what this matcher concluded rests on."""
        found: dict[Fact, None] = {}
        assert conclusion.derivation is not None
        _add_facts(conclusion.derivation.premises, found)
        return tuple(map(self._ground, found))

    def _conclusion(self, told: _Told, derivation: Derivation) -> Conclusion:
        name = self.base.rules[told.place].name
        return Conclusion(name, told.statement, self.base.bindings(derivation), derivation)

    def _ask(self, games: Iterable[Atom]) -> None:
        """Asks about some games of the position at which the rules stand."""
        # Rules come where a position stands, so that their conditions are ordered by what positions are like; and
        # what is asked comes last, so that they are read from there and not from every fact.
        if self._ready is not None:
            self._add_ready(self._ready)
            self._note_told()
        elif self._new or not self._is_measured:
            self._add_new()
            self._note_told()
        self.stand.ask(map(asked_fact, games))

    def _add_new(self) -> None:
        self.stand.withdraw()
        with collector_paused():
            add_proved_rules(self.base, self._new)
        self._new.clear()
        ready = None if self._is_measured and self._shared is None else ready_rules(self.base)
        if not self._is_measured:
            assert ready is not None
            self._plan_anew(ready)
            self._is_measured = True
        if self._shared is not None:
            self._shared.ready = ready

    def _plan_anew(self, ready: ReadyRules) -> None:
        """Orders the conditions of all rules again, now that it is known how much is derived: before, what definitions
        conclude was taken for plenty, and began nothing.
        """
        parts = self.stand.parts
        self.base = beside(ready, derivations="all", limits=self._limits)
        self.stand = Standing(self.base)
        self._remember()
        self.stand.at_parts(parts)
        self._add_ready(ready)

    def _add_ready(self, ready: ReadyRules) -> None:
        with collector_paused():
            add_ready(self.base, ready)
        self._ready = None

    def _remember(self) -> None:
        """Keeps what facts say, of which positions share most."""
        self._ground = lru_cache(maxsize=100_000)(self.base.ground)
        self._telling = lru_cache(maxsize=100_000)(self._read)

    def _note_told(self) -> None:
        moment: Tense | None = "before" if self.base.coding.actions else None
        told = {rule.head.relation for rule in self.base.rules}
        for relation in self.base.relations():
            if isinstance(relation, GameStatement) and (name := _told_name(relation.relation)) in told:
                self._told[name] = statement_at(relation, moment, self.theory.vocabulary)

    def _match(self, told: _Told, derivation: Derivation) -> Match:
        bound, rule = self.base.bindings(derivation), self.base.rules[told.place]
        spoken = (c for c in rule.body if isinstance(c, Atom) and c.predicate == self.focus_predicate)
        things = (apply_to_term(term, bound) for c in spoken for term in c.terms)
        about = frozenset(thing.value for thing in things if isinstance(thing, Constant))
        return Match(rule.name, told.statement, about)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the rule at a place of the knowledge base says in the position, and the coded fact that tells it."""

    place: int
    values: tuple[str | int, ...]
    statement: GameStatement
    fact: Fact


def _is_of(said: GameStatement, game: Atom) -> bool:
    return said.game.predicate == game.predicate and said.game.terms == game.terms


def asked_fact(game: Atom) -> GroundFact:
    """What says that rules are asked about a game."""
    return GroundFact(
        _asked_name(game.predicate), tuple(t.value for t in game.terms if isinstance(t, Constant))
    )


def is_telling(rule: Rule) -> bool:
    """Whether it is a learned rule as a matcher asks it, and nothing that it rests on."""
    return isinstance(rule.head, Atom) and rule.head.predicate.startswith(_TOLD)


def _add_facts(premises: Iterable[Premise], found: dict[Fact, None]) -> None:
    """Adds the facts of premises: of a closed set its count, its members, and what was asked of each."""
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


def _asked_name(game: str) -> str:
    """The predicate of the games that are asked about: no predicate of a theory is called so."""
    return f"asked {game}"


def _told_name(relation: str) -> str:
    """The predicate of what rules tell of a relation, each with its place: no predicate of a theory is called so."""
    return f"{_TOLD}{relation}"
