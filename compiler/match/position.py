"""Matching learned rules on positions: which rules answer, with which conclusions, about what."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.match.unfolding import Definitions, unfolded
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import apply_to_term
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import Group, KnowledgeBase, ReadyRules
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Derivation, Fact, Limits, Premise, RuleId, SetPremise

_WON = Constant("GI")
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
    """What a rule says in a position, what it speaks of there, and the facts of the position that it rests on.

    `bindings` says what the rule's variables are.
    """

    rule: str
    statement: GameStatement
    about: About
    premises: tuple[GroundFact, ...]
    bindings: Mapping[str, Constant]


Parts = Mapping[Hashable, tuple[GroundFact, ...]]
"""The facts of a position in parts: a name always stands for the same facts, and no fact is in two parts."""


KEPT = 1_000_000
"""Coded facts of parts that a standing keeps at most, those of its position besides."""


class Standing:
    """A knowledge base that is at one position after another: only what differs is exchanged, and each part is coded once.
    What the theory states stays, whatever a position says of it.
    """

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.parts: Parts = {}
        self._names: dict[Hashable, None] = {}
        self._asked: list[Group] = []
        self._groups: dict[Hashable, Group] = {}
        self._kept = 0

    def at(self, facts: Iterable[GroundFact]) -> None:
        """Makes these the facts of the position. Raises FactError where one does not fit its declaration,
        KnowledgeBaseError where they contradict the theory.
        """
        self.at_parts({fact: (fact,) for fact in facts})

    def at_parts(self, parts: Parts) -> None:
        """The same of facts in parts, of which those with other names are exchanged; what was asked goes before them."""
        # In the order of the parts, since what is derived first is explained first.
        names = dict.fromkeys(parts)
        for name in names:
            if name not in self._groups:
                group = self._groups[name] = self.base.group(parts[name])
                self._kept += group.size
        gone = [self._groups[name] for name in self._names if name not in names]
        come = [self._groups[name] for name in names if name not in self._names]
        if gone or come:
            # While something is asked, rules are read from each fact that comes or goes.
            self.base.exchange_groups(self._asked, [])
            self._asked = []
            self.base.exchange_groups(gone, come)
        self.parts, self._names = parts, names
        if self._kept > KEPT:
            self._groups = {name: self._groups[name] for name in names}
            self._kept = sum(group.size for group in self._groups.values())

    def ask(self, facts: Iterable[GroundFact]) -> None:
        """Adds facts to the position in place of those that were asked last; another position has none of them."""
        asked = [self.base.group(facts)]
        self.base.exchange_groups(self._asked, asked)
        self._asked = asked


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
        for game in [p for p in predicates.values() if p.kind == "game"]:
            name = _asked_name(game.name)
            predicates[name] = Predicate("static", name, game.columns)
        vocabulary = replace(theory.vocabulary, predicates=predicates)
        self._without_rules = replace(theory, vocabulary=vocabulary, rules=())
        self._shared = shared
        self._ready = None if shared is None else shared.ready
        self.base = (
            KnowledgeBase(self._without_rules, derivations="all", limits=limits)
            if self._ready is None
            else KnowledgeBase.beside(self._ready, derivations="all", limits=limits)
        )
        self.stand = Standing(self.base)
        self.has_rules = self._ready is not None
        self._new: list[Rule] = []
        self._is_measured = True
        self._definitions = Definitions(theory)
        self._defined: set[str] = set()
        self._plain: dict[str, list[Rule]] = {}
        """The rules on games that nobody rests on, by what they conclude."""

    def add(self, rule: Rule) -> None:
        """Adds a learned rule. One that says nothing of a game is never asked, and is left out."""
        if not isinstance(rule.head, GameStatement):
            return
        # Positions have no action, so nothing is read after one.
        plain = replace(unfolded(rule, self.theory, self._definitions), of_given=True)
        self._plain.setdefault(rule.head.relation, []).append(plain)
        new = [replace(each, of_given=True) for each in self._needed(plain)]
        self._new += [*new, self._asked(plain)]
        self._is_measured = self._is_measured and not new

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

    def _asked(self, rule: Rule) -> Rule:
        """The rule for the games that are asked about, and no others: its conditions are met from there."""
        assert isinstance(rule.head, GameStatement)
        asked = Atom(_asked_name(rule.head.game.predicate), rule.head.game.terms)
        return replace(rule, body=(asked, *rule.body))

    def matches(self, facts: Iterable[GroundFact], game: Atom, value: Constant) -> list[Match]:
        """What the rules say of a game, those first that were learned first; `facts` are the position's.

        The value is GI of a friend who plays first, IG of one who plays second.
        """
        self._ask({fact: (fact,) for fact in facts}, [game])
        return [match for _, match in sorted(self._found(game, value), key=lambda pair: pair[0])]

    def conclusions(self, parts: Parts, games: Iterable[Atom]) -> list[Conclusion]:
        """All that the rules say of some games at once, a conclusion for each way in which a rule gives it."""
        self._ask(parts, games)
        found = [
            self._conclusion(statement, derivation)
            for statement, fact, by in self._derived()
            for derivation in self.base.derivations(fact, by)
        ]
        return [conclusion for _, conclusion in sorted(found, key=lambda pair: pair[0])]

    def first(self, parts: Parts, game: Atom) -> dict[Constant, Conclusion]:
        """Of each value that the rules say of a game the conclusion that the rule gives that was learned first; that it is
        won by playing first counts with the move alone. What the others rest on is not looked for.
        """
        self._ask(parts, [game])
        first: dict[Constant, tuple[int, GameStatement, Fact, RuleId]] = {}
        for statement, fact, by in self._derived():
            value = statement.value
            if not _is_of(statement, game) or (value == _WON and statement.by is None):
                continue
            assert isinstance(value, Constant)
            index, _, _ = self.base.rule_of(by)
            if value not in first or index < first[value][0]:
                first[value] = index, statement, fact, by
        found = {}
        for value, (_, statement, fact, by) in first.items():
            derivation = self.base.derivation(fact, by)
            assert derivation is not None
            found[value] = self._conclusion(statement, derivation)[1]
        return found

    def said(self, parts: Parts, games: Iterable[Atom]) -> frozenset[tuple[str, GameStatement]]:
        """The rules that say something of some games, each with what it says: sooner told than conclusions."""
        self._ask(parts, games)
        return frozenset((self.base.rule_of(by)[1].name, statement) for statement, _, by in self._derived())

    def _derived(self) -> Iterator[tuple[GameStatement, Fact, RuleId]]:
        """What learned rules say that were asked, and not what is defined: each statement, and the rules that derive it."""
        base = self.base
        for relation in base.relations():
            if isinstance(relation, GameStatement) and relation.tense != "after":
                asked = _asked_name(relation.game.predicate)
                for statement in base.statements(relation.relation, "before"):
                    assert isinstance(statement, GameStatement)
                    fact = base.coded(statement)
                    for by in base.derived_by(fact):
                        first = base.rule_of(by)[1].body[:1]
                        if any(isinstance(c, Atom) and c.predicate == asked for c in first):
                            yield statement, fact, by

    def _conclusion(self, statement: GameStatement, derivation: Derivation) -> tuple[int, Conclusion]:
        number, match = self._match(statement, derivation)
        premises = dict.fromkeys(f for each in derivation.premises for f in _facts_of(each))
        bindings = self.base.bindings(derivation)
        facts = tuple(map(self.base.ground, premises))
        return number, Conclusion(match.rule, statement, match.about, facts, bindings)

    def _ask(self, parts: Parts, games: Iterable[Atom]) -> None:
        """Makes these the facts of the position, and asks about some games of it."""
        self.stand.at_parts(parts)
        # Rules come where a position stands, so that their conditions are ordered by what positions are like; and
        # what is asked comes last, so that they are read from there and not from every fact.
        if self._ready is not None:
            self._add_ready(self._ready)
        elif self._new or not self._is_measured:
            self._add_new()
        self.stand.ask(
            GroundFact(
                _asked_name(game.predicate), tuple(t.value for t in game.terms if isinstance(t, Constant))
            )
            for game in games
        )

    def _add_new(self) -> None:
        self.stand.ask(())
        with collector_paused():
            self.base.add_rules(self._new)
        self._new.clear()
        ready = None if self._is_measured and self._shared is None else self.base.ready_rules()
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
        self.base = KnowledgeBase.beside(ready, derivations="all", limits=self._limits)
        self.stand = Standing(self.base)
        self.stand.at_parts(parts)
        self._add_ready(ready)

    def _add_ready(self, ready: ReadyRules) -> None:
        with collector_paused():
            self.base.add_ready(ready)
        self._ready = None

    def _found(self, game: Atom, value: Constant) -> Iterator[tuple[int, Match]]:
        for statement, fact, by in self._derived():
            if _is_of(statement, game) and statement.value == value:
                for derivation in self.base.derivations(fact, by):
                    yield self._match(statement, derivation)

    def _match(self, statement: GameStatement, derivation: Derivation) -> tuple[int, Match]:
        bound = self.base.bindings(derivation)
        index, rule, _ = self.base.rule_of(derivation.rule)
        spoken = (c for c in rule.body if isinstance(c, Atom) and c.predicate == self.focus_predicate)
        things = (apply_to_term(term, bound) for c in spoken for term in c.terms)
        about = frozenset(thing.value for thing in things if isinstance(thing, Constant))
        return index, Match(rule.name, statement, about)


def _is_of(said: GameStatement, game: Atom) -> bool:
    return said.game.predicate == game.predicate and said.game.terms == game.terms


def _facts_of(premise: Premise) -> Iterator[Fact]:
    """The facts of a premise: of a closed set its count, its members, and what was asked of each."""
    if isinstance(premise, Fact):
        yield premise
    elif isinstance(premise, SetPremise):
        yield premise.count
        for member, inner in premise.members:
            yield member
            for each in inner:
                yield from _facts_of(each)
    elif premise is not None:
        for each in premise:
            yield from _facts_of(each)


def _asked_name(game: str) -> str:
    """The predicate of the games that are asked about: no predicate of a theory is called so."""
    return f"asked {game}"
