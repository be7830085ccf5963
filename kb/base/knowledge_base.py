"""The knowledge base: a theory, the facts of the moment, and what follows from them.

State lives in two places, both here: the engine (facts and coded rules) and the list of rules by number.
Every change is atomic: where a fact or rule does not fit, or an engine refuses, nothing has changed. One thread at
a time is inside; others wait.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, get_args

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, Rule, Statement, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.check import StandingRules, check_query, check_rules
from hornbook.kb.explain.proof import Proof, prove
from hornbook.kb.explain.why_not import WhyNot, explain_absence
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.kb.lower.engines import EngineName, make_engine
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.lower.faults import KnowledgeBaseError, TooManyAnswersError, fault
from hornbook.kb.parse.facts import ONE_ACTION, FactError, ground_fact, why_never_given
from hornbook.kb.parse.syntax import Query, parse, parse_query
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, error, in_order
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.store import Store
from hornbook.kb.store.keeping import Keeping, theory_of
from hornbook.kb.tables.answers import Answers, arrow_table
from hornbook.matcher.compiled.engine import Columns, Engine, Statistics
from hornbook.matcher.compiled.network import Profile
from hornbook.matcher.plain.reference import ReferenceEngine
from hornbook.matcher.program.coded import Derivation, Fact, Limits, PredicateId, RuleId
from hornbook.matcher.program.coded import Rule as CodedRule
from hornbook.matcher.program.errors import ConcurrentUseError, EngineError
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:
    import pyarrow

QueryEngine = Literal["matcher", "pydatalog"]
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Clauses:
    """Facts and rules that fit a theory, and what is odd about them."""

    facts: tuple[GroundFact, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[Diagnostic, ...]


def _opened(theory: Theory | str | Path | None, store: Store | None) -> Theory:
    """The theory of a knowledge base."""
    if store is not None:
        return theory_of(store, theory)
    if theory is None:
        raise TypeError("a knowledge base needs a theory or a store")
    return theory if isinstance(theory, Theory) else load(theory)


class NotDerivedError(HornbookError):
    """A proof was asked for, but the statement does not hold."""


def _alone(
    method: Callable[Concatenate[KnowledgeBase, Arguments], Result],
) -> Callable[Concatenate[KnowledgeBase, Arguments], Result]:
    """A method that waits until no other thread is inside."""

    @wraps(method)
    def called(base: KnowledgeBase, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with base._inside:  # noqa: SLF001 - it is a method of that class
            return method(base, *arguments, **named)

    return called


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that come and go together, as the engine of their knowledge base keeps them: how many, and which are actions."""

    size: int
    actions: tuple[Fact, ...]
    coded: Any


@dataclass(frozen=True, slots=True)
class ReadyRules:
    """Rules as a knowledge base of a theory has coded them, for others of this theory; `statistics` say how many facts it
    had.
    """

    theory: Theory
    rules: tuple[Rule, ...]
    coding: Coding
    coded: tuple[CodedRule, ...]
    statistics: Statistics


class KnowledgeBase:
    """A theory with facts: add and retract facts and rules, ask, and ask why.

    `theory` is a `Theory`, or the name or path of one. `limits` bound every change and query.
    `statistics` are those of a knowledge base of the same vocabulary; they only change how fast rules are matched.
    With a `store`, its theory (the one of this name, or the only one) is opened with the facts that it holds. Facts
    that come and go then do so in the store too, where it is open for writing; not those between `push` and `pop`.
    `engine="demand"` finds what follows when it is asked for, and only what the question rests on (from the first `push` on,
    everything): for one question, or a few. `engine="duckdb"` is for facts too many for memory (extra `data`): it does so too, by rules
    without recursion, and has no proofs and no `push`; what it cannot do raises KnowledgeBaseError. What these two were not
    asked for they do not look at, so a contradiction there is not found.
    Raises TheoryError if the theory has errors, KnowledgeBaseError if facts contradict its declarations,
    StoreError if the store has another text of the theory, or none.
    Several threads may use one: what each asks or changes is done by itself, one after the other. A `store` serves only
    the thread that opened it.

    >>> base = KnowledgeBase("family")
    >>> base.query("grandparent(ada, ?who)").tuples()
    [('cleo',), ('dan',)]
    >>> [rule.name for rule in base.why("ancestor(ada, cleo)").rules]
    ['a_parent_is_an_ancestor', 'so_are_their_ancestors']
    """

    def __init__(
        self,
        theory: Theory | str | Path | None = None,
        *,
        store: Store | None = None,
        derivations: Literal["none", "one", "all"] = "one",
        limits: Limits | None = None,
        statistics: Statistics | None = None,
        engine: EngineName | None = None,
    ) -> None:
        self._inside = RLock()
        self.theory = _opened(theory, store)
        self._keeping: Keeping | None = None
        self.coding = Coding(self.theory.vocabulary)
        self._coder = FactCoder(self.coding)
        # The relations whose facts were given, of which the theory states nothing, and no actions.
        self._plain: dict[tuple[str, str | None], PredicateId] = {}
        self._never_given = [
            why_never_given(r.template, self.theory.vocabulary) for r in self.coding.relations
        ]
        self.rules: list[Rule] = []
        self._learned = 0
        # Those of the rules that what was added last was checked against.
        self._standing = StandingRules(self.theory.vocabulary)
        limits = limits or Limits()
        self._seconds = limits.seconds
        try:
            self.engine = make_engine(
                self.coding.predicates,
                derivations=derivations,
                limits=limits,
                statistics=statistics,
                name=engine,
            )
        except EngineError as problem:
            raise self._fault(problem) from problem
        self._change(add=self._given(map(ground_fact, self.theory.facts), ()), rules=self.theory.rules)
        if store is not None:
            self._add_stored(store.facts_in_columns(self.theory.name))
            self._keeping = Keeping(store, self.theory.name) if store.mode == "write" else None

    # Facts and rules

    @_alone
    def add(self, facts: Iterable[GroundFact], *, assume: Collection[str] = ()) -> None:
        """Adds facts, all or none. A fluent without a tense is meant before.

        Facts of what rules conclude (derived and meta predicates, values of games, what holds after an action) are
        not given. They are assumed, and all that follows rests on that, where `assume` names their relation.
        Raises FactError if one does not fit its declaration or would have to be assumed, KnowledgeBaseError
        where together they contradict the theory.
        """
        if not isinstance(facts, FactColumns) or not self._add_columns(facts):
            self._change(add=self._given(facts, assume))

    @_alone
    def retract(self, facts: Iterable[GroundFact]) -> None:
        """Takes given facts away; one that is not given (a derived one, say) is left as it is.

        Raises KnowledgeBaseError if learned rules may rest on it: a static fact that the theory states.
        """
        self._change(retract=self._coded(facts))

    @_alone
    def add_text(self, text: str, file: str = "<added>") -> None:
        """Adds facts and rules written in the language.

        Raises TheoryError if one does not fit the theory, KnowledgeBaseError if they contradict it, or where there
        are learned rules, which are proved of a theory with games as it is, without other rules; then nothing is added.
        """
        added = self.read_clauses(text, file)
        self._change(add=self._given(added.facts, ()), rules=added.rules)

    @_alone
    def read_clauses(self, text: str, file: str = "<added>") -> Clauses:
        """The facts and rules that a text states, checked against what stands; nothing is added.

        Raises TheoryError if one does not fit the theory.
        """
        self._standing.add(self.rules[len(self._standing) :])
        parsed = parse(text, file)
        clauses = [clause for clause in parsed.clauses if isinstance(clause, Rule)]
        others = [clause for clause in parsed.clauses if not isinstance(clause, Rule)]
        found = [
            *parsed.diagnostics,
            *check_rules(clauses, self.theory.vocabulary, self._standing),
            *(error("HB042", "only facts and rules can be added here", c.span) for c in others),
        ]
        if any(d.severity == "error" for d in found):
            raise TheoryError((d for d in found if d.severity == "error"), {file: text})
        return Clauses(
            tuple(ground_fact(rule.head) for rule in clauses if rule.is_fact),
            tuple(rule for rule in clauses if not rule.is_fact),
            tuple(in_order(found)),
        )

    def exchange(
        self,
        retract: Iterable[GroundFact],
        add: Iterable[GroundFact],
        *,
        assume: Collection[str] = (),
        rules: Sequence[Rule] = (),
        drop_rules: int = 0,
    ) -> None:
        """Takes some given facts away and adds others, at once; raises like `add`, and then nothing has changed.

        With them come the `rules`, or go the last `drop_rules` rules.
        """
        new, old = self._given(add, assume), self._coded(retract)
        self._change(add=new, retract=old, rules=rules, drop_rules=drop_rules)

    @_alone
    def group(self, facts: Iterable[GroundFact]) -> Group:
        """Facts that may be given, checked and coded once, to come and go together; those that the theory states are left
        out, since they stay. Raises FactError.
        """
        facts = tuple(facts)
        if isinstance(self.engine, Engine):
            read = self.engine.named_group(facts, GroundFact, self._plain, self._coder.words)
            if read is not None:
                return Group(len(facts), (), read)
        coded = self._given(facts, ())
        self._plain.update(
            ((fact.relation, fact.tense), number)
            for fact, (number, _) in zip(facts, coded, strict=True)
            if number not in self._not_plain
        )
        coming = tuple(fact for fact in coded if fact not in self._stated)
        actions = tuple(fact for fact in coming if fact.predicate in self.coding.actions)
        return Group(len(coming), actions, self.engine.group(coming))

    @_alone
    def exchange_groups(self, retract: Sequence[Group], add: Sequence[Group]) -> None:
        """Exchanges groups that this knowledge base made, as `exchange` does facts; nothing is checked or coded again.

        Raises ValueError where a store is open for writing: groups have no facts to keep.
        """
        if self._keeping is not None:
            raise ValueError("facts that a store is to keep come and go by `exchange`")
        come = [action for group in add for action in group.actions]
        self._refuse_second_action(come, [action for group in retract for action in group.actions])
        try:
            self.engine.exchange([group.coded for group in retract], [group.coded for group in add])
        except EngineError as problem:
            raise self._fault(problem) from problem

    def add_rules(self, rules: Sequence[Rule]) -> None:
        """Adds learned rules, which are known to fit the theory, all or none; proofs say that they were learned.

        Raises KnowledgeBaseError if this is not the theory that they are proved of: a static fact that it states was
        retracted, or rules were added to one with games.
        """
        self._change(rules=[replace(rule, learned=True) for rule in rules])

    @_alone
    def ready_rules(self) -> ReadyRules:
        """The rules that were added, ready for other knowledge bases of this theory, which need not code them."""
        own = len(self.theory.rules)
        coded = tuple(
            rule
            for name, rule in self.engine.rules.items()
            if isinstance(name, CodedRuleId) and name.index >= own
        )
        return ReadyRules(self.theory, tuple(self.rules[own:]), self.coding.copy(), coded, self.statistics())

    @classmethod
    def beside(
        cls,
        ready: ReadyRules,
        *,
        derivations: Literal["none", "one", "all"] = "one",
        limits: Limits | None = None,
    ) -> KnowledgeBase:
        """A knowledge base of the same theory, to which `add_ready` may add these rules; they are planned by their
        statistics.
        """
        base = cls(ready.theory, derivations=derivations, limits=limits, statistics=ready.statistics)
        # The theory's own words come first in both, so that they have the same numbers.
        base.coding = ready.coding.copy()
        base._coder = FactCoder(base.coding)
        return base

    def add_ready(self, ready: ReadyRules) -> None:
        """Adds the rules that this knowledge base was made `beside`, before any others; raises like `add_rules`."""
        self._change(rules=ready.rules, coded_rules=ready.coded)

    @_alone
    def statistics(self) -> Statistics:
        """How many facts of each relation there are now; none of them with the plain engine."""
        return self.engine.statistics() if isinstance(self.engine, Engine) else {}

    @_alone
    def profiled(self, run: Callable[[], Result]) -> tuple[Result, Profile]:
        """What a call gives, and where the time of the updates that it makes went. Raises TypeError with the plain engine,
        which counts no time.
        """
        if not isinstance(self.engine, Engine):
            raise TypeError("the plain engine counts no time")
        self.engine.profile(True)
        try:
            return run(), self.engine.profile_report()
        finally:
            self.engine.profile(False)

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe at this moment, so that nothing is left half done: the compiled engine is at work and
        looks it up itself, or the engine is the plain one. Waits for no other thread, since signal handlers ask.
        """
        if not isinstance(self.engine, Engine):
            return True
        try:
            self.engine.bytes()
        except ConcurrentUseError:
            return True
        return False

    @_alone
    def push(self) -> None:
        """Marks the present facts; `pop` restores them."""
        self.engine.push()
        if self._keeping is not None:
            self._keeping.marks += 1

    @_alone
    def pop(self) -> None:
        self.engine.pop()
        if self._keeping is not None:
            self._keeping.marks -= 1

    @_alone
    def facts(self, relation: str | None = None, tense: Tense | None = None) -> Iterator[GroundFact]:
        """All facts that hold now, given and derived, of one relation or of all, sorted."""
        found = [
            (number, self._rows(number))
            for number, shape in enumerate(self.coding.relations)
            if relation in (None, shape.template.relation) and tense in (None, shape.template.tense)
        ]
        ground = self.coding.ground
        return (fact for number, rows in found for fact in sorted(ground(Fact(number, row)) for row in rows))

    @_alone
    def given(self) -> list[GroundFact]:
        """The facts that were given, those of the theory too, sorted by relation."""
        numbers = range(len(self.coding.relations))
        return [self.coding.ground(Fact(n, cells)) for n in numbers for cells in sorted(self.engine.given(n))]

    @_alone
    def firings(self) -> dict[int, int]:
        """How many facts each rule (by its place in `rules`) is the recorded reason of."""
        counts: dict[int, int] = {}
        for number in range(len(self.coding.relations)):
            for cells in self._rows(number):
                derivation = self.engine.derivation(Fact(number, cells))
                if derivation is not None:
                    assert isinstance(derivation.rule, CodedRuleId)
                    counts[derivation.rule.index] = counts.get(derivation.rule.index, 0) + 1
        return counts

    @_alone
    def snapshot(self) -> dict[Statement, frozenset[Fact]]:
        """The coded facts that hold now, by the statement that `relations` gives of their relation."""
        return {
            relation.template: frozenset(Fact(number, cells) for cells in self._rows(number))
            for number, relation in enumerate(self.coding.relations)
        }

    def relations(self) -> Iterator[Statement]:
        """A statement of every relation at every moment, with variables."""
        return (relation.template for relation in self.coding.relations)

    @_alone
    def statements(self, relation: str, tense: Tense | None = None) -> list[Statement]:
        """All facts of one relation that hold at a moment, as statements, sorted. Raises FactError if the theory has no
        such relation.
        """
        return [
            self.coding.statement(fact) for fact in sorted(self.held(relation, tense), key=self.coding.ground)
        ]

    @_alone
    def held(self, relation: str, tense: Tense | None = None) -> list[Fact]:
        """The same, coded and in no order."""
        try:
            number = self.coding.predicate_id(relation, tense)
        except KeyError:
            hint = did_you_mean(relation, {each.template.relation for each in self.coding.relations})
            raise FactError(
                f"there is no relation `{relation}` at this moment" + (f"; {hint}" if hint else "")
            ) from None
        return [Fact(number, cells) for cells in self._rows(number)]

    # Questions

    def query(self, text: str, *, engine: QueryEngine = "matcher", most: int | None = None) -> Answers:
        """The answers to `conditions` (a fluent without a tense is meant before), if there are no more than `most`.

        `engine="pydatalog"` asks pyDatalog instead, goal by goal: an independent second opinion on the part
        of the language that it has (extra `pydatalog`; raises UnsupportedError beyond it). It does not always end,
        and is stopped after a minute where no other limit is set.
        Raises TheoryError if the query does not fit the theory, TooManyAnswersError if there are more answers.
        """
        query = self.parse_query(text)
        if engine not in (engines := get_args(QueryEngine)):
            raise ValueError(f"there is no engine {engine!r} for queries; they are {' and '.join(engines)}")
        return self._ask_pydatalog(query, most) if engine == "pydatalog" else self.ask(query, most=most)

    @_alone
    def ask(self, query: Query | CodedQuery, *, most: int | None = None) -> Answers:
        """The answers to a query that is parsed and checked, or coded by `coding` besides, if there are no more than `most`.

        Raises TooManyAnswersError if there are more.
        """
        coded = query if isinstance(query, CodedQuery) else self.coding.query(query.conditions)
        try:
            rows = self.engine.query(coded.conditions, coded.variables)
        except EngineError as problem:
            raise self._fault(problem) from problem
        if most is not None and len(rows) > most:
            raise TooManyAnswersError(most)
        values = (
            tuple(self.coding.value(cell, kind) for cell, kind in zip(row, coded.kinds, strict=True))
            for row in rows
        )
        return Answers(coded.names, tuple(sorted(values)))

    @_alone
    def query_table(self, text: str, *, most: int | None = None) -> pyarrow.Table:
        """The answers of `query` as an Arrow table (extra `data`), made column by column, for millions of them.

        A column of words has the type of a dictionary of strings; `to_pandas` makes a data frame of the table,
        `pyarrow.parquet.write_table` a file. Raises as `query` does, ValueError if the query has no variables, MissingExtraError.
        """
        coded = self.coding.query(self.parse_query(text).conditions)
        for module in ("numpy", "pyarrow"):
            extra_module(module, "data")
        if not coded.names:
            raise ValueError("a query without variables has no columns; `query` says yes or no")
        if isinstance(self.engine, ReferenceEngine):
            return self.query(text, most=most).arrow()
        try:
            columns = self.engine.query_columns(coded.conditions, coded.variables)
        except EngineError as problem:
            raise self._fault(problem) from problem
        if most is not None and len(columns[0]) > most:
            raise TooManyAnswersError(most)
        words = [self.coding.word if kind == "word" else None for kind in coded.kinds]
        return arrow_table(coded.names, columns, words)

    def _ask_pydatalog(self, query: Query, most: int | None) -> Answers:
        from hornbook.kb.pydatalog.engine import SECONDS, answer  # noqa: PLC0415 - few ask for it

        # The rules and facts of the moment, which need not be those that the theory began with.
        theory = replace(self.theory, rules=tuple(self.rules), facts=())
        try:
            rows = answer(theory, self.given(), query, seconds=self._seconds or SECONDS)
        except EngineError as problem:
            raise self._fault(problem) from problem
        if most is not None and len(rows) > most:
            raise TooManyAnswersError(most)
        return Answers(self.coding.query(query.conditions).names, tuple(rows))

    def parse_query(self, text: str) -> Query:
        """The query that a text states, checked against the theory. Raises TheoryError."""
        query = parse_query(text)
        wrong = [d for d in check_query(query, self.theory.vocabulary) if d.severity == "error"]
        if wrong:
            raise TheoryError(wrong, {"<query>": text})
        return query

    def warnings(self, text: str) -> list[Diagnostic]:
        """What is odd about a query that can be answered. Raises TheoryError if it cannot be parsed."""
        found = check_query(parse_query(text), self.theory.vocabulary)
        return [diagnostic for diagnostic in found if diagnostic.severity == "warning"]

    @_alone
    def holds(self, said: Statement | GroundFact) -> bool:
        """Whether a ground statement or fact is given or follows."""
        try:
            return self.coded(said) in self.engine
        except EngineError as problem:
            raise self._fault(problem) from problem

    @_alone
    def fact_that_holds(self, goal: Statement | str) -> Fact:
        """The coded fact of a ground statement, or of its text. Raises NotDerivedError if it does not hold."""
        statement = self._pattern(goal) if isinstance(goal, str) else goal
        if not all(isinstance(term, Constant) for term in statement.terms):
            raise NotDerivedError(f"`{print_condition(statement)}` has variables; name one fact")
        if not self.holds(statement):
            raise NotDerivedError(
                f"`{print_condition(statement)}` is not derived; why-not says what is missing"
            )
        return self.coding.fact_of(statement)

    @_alone
    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """The recorded derivation of a coded fact, None where it is given; or the first by one rule. Raises KeyError if it
        does not hold.
        """
        return self.engine.derivation(fact, by)

    @_alone
    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Every derivation of a coded fact, or those by one rule. Raises NoDerivationsError if not all are recorded."""
        return self.engine.derivations(fact, by)

    @_alone
    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """The rules by which a coded fact has derivations: sooner told than these. Raises NoDerivationsError."""
        return self.engine.derived_by(fact)

    @_alone
    def coded(self, said: Statement | GroundFact) -> Fact:
        """The coded fact of a ground statement or fact, whether it holds or not."""
        return self.coding.fact(said) if isinstance(said, GroundFact) else self.coding.fact_of(said)

    @_alone
    def conclusion(self, fact: Fact) -> Statement:
        """What a coded fact says, as it would be written: without its moment where the theory has only one."""
        return self.coding.statement(fact)

    @_alone
    def ground(self, fact: Fact) -> GroundFact:
        """What a coded fact says, with its moment."""
        return self.coding.ground(fact)

    def rule_of(self, by: RuleId) -> tuple[int, Rule, Tense | None]:
        """The rule that a derivation is by: its place in `rules`, the rule, and the moment that it was read at."""
        assert isinstance(by, CodedRuleId)
        return by.index, self.rules[by.index], by.moment

    def bindings(self, derivation: Derivation) -> dict[str, Constant]:
        """What the variables of a derivation's rule stand for in it."""
        assert isinstance(derivation.rule, CodedRuleId)
        return self.coding.substitution(derivation.rule, derivation.binding)

    @_alone
    def words(self, sort: str, most: int) -> list[str]:
        """Words of a sort that occur in facts, sorted; of more than `most`, those that are met first."""
        found: dict[int, None] = {}
        for number, relation in enumerate(self.coding.relations):
            places = [place for place, of in enumerate(relation.sorts) if of == sort]
            if places and len(found) < most:
                rows = self._rows(number)
                found.update(dict.fromkeys(cells[place] for cells in rows for place in places))
        return sorted(str(self.coding.value(cell, "word")) for cell in list(found)[:most])

    @_alone
    def why(self, text: str) -> Proof:
        """The proof of a fact, or of the first answer to a pattern such as `legal(black, ?p)`.

        Raises NotDerivedError if nothing of the kind holds, TheoryError if the text does not fit.
        """
        pattern = self._pattern(text)
        query = Query((pattern,), pattern.span)
        # All of them first: on demand, some alone might have other derivations.
        rows = self._rows(self.coding.predicate_id(pattern.relation, pattern.tense))
        answers = self.ask(query)
        if not answers:
            raise NotDerivedError(
                f"`{print_condition(pattern)}` is not derived; why-not says what is missing"
            )
        found = dict(zip(answers.variables, map(Constant, answers.rows[0]), strict=True))
        wanted = apply_to_statement(pattern, found)
        return prove(self._fact_like(wanted, rows), self.coding, self.engine, self.rules)

    @_alone
    def why_not(self, text: str, *, depth: int = 3) -> WhyNot:
        """For each rule that could have given a fact: how far its conditions got, and what failed first.

        A failing condition that rules could have given is explained in turn, `depth` deep and no more than 100.
        Raises TheoryError if the text does not fit, KnowledgeBaseError if it takes more seconds than the limits say.
        """
        try:
            return explain_absence(self._pattern(text), self, depth, Budget(seconds=self._seconds))
        except SpentError as problem:
            raise KnowledgeBaseError(f"{problem}; raise the limit, or explain less deep") from problem

    # Inside

    @_alone
    def _change(
        self,
        *,
        add: Sequence[Fact] = (),
        retract: Sequence[Fact] = (),
        rules: Sequence[Rule] = (),
        coded_rules: Sequence[CodedRule] | None = None,
        drop_rules: int = 0,
    ) -> None:
        assert not (rules and drop_rules), "a number is not given to two rules at once"
        first = len(self.rules) - drop_rules
        learned = self._learned + sum(r.learned for r in rules) - sum(r.learned for r in self.rules[first:])
        if learned:
            self._refuse_another_theory(retract, rules, first + len(rules) - learned)
        dropped = self.rules[first:]
        gone = [coded.id for i, rule in enumerate(dropped, first) for coded in self.coding.rule(i, rule)]
        if coded_rules is None:
            coded_rules = [
                coded for i, rule in enumerate(rules, first) for coded in self.coding.rule(i, rule)
            ]
        self.rules[first:] = rules
        try:
            self._refuse_second_action(add, retract)
            with (
                nullcontext()
                if self._keeping is None
                else self._kept(self._keeping, add, retract, coded_rules)
            ):
                self.engine.update(add=add, retract=retract, add_rules=coded_rules, remove_rules=gone)
        except EngineError as problem:
            described = self._fault(problem)
            self.rules[first:] = dropped
            raise described from problem
        except BaseException:
            self.rules[first:] = dropped
            raise
        self._learned = learned
        if drop_rules:
            self._standing.cut(first)

    @cached_property
    def _stated(self) -> frozenset[Fact]:
        """What the theory states."""
        return frozenset(map(self.coding.fact_of, self.theory.facts))

    @cached_property
    def _not_plain(self) -> frozenset[PredicateId]:
        """The actions, and the predicates of which the theory states something."""
        return self.coding.actions | {fact.predicate for fact in self._stated}

    @cached_property
    def _fixed(self) -> frozenset[Fact]:
        """What the theory states of what never changes: learned rules may rest on it without asking for it."""
        words = self.theory.vocabulary.predicates
        return frozenset(
            self.coding.fact_of(s)
            for s in self.theory.facts
            if isinstance(s, Atom) and words[s.predicate].kind == "static"
        )

    def _refuse_another_theory(self, retract: Sequence[Fact], rules: Sequence[Rule], others: int) -> None:
        """Raises KnowledgeBaseError if learned rules would stand in another theory than the one they are proved of.

        `others` is the number of rules that were not learned. What a learned rule concludes of what is here is concluded with
        more rules too; what it says of other actions, and of every reply, need not be so of a theory that has more.
        """
        gone = [fact for fact in retract if fact in self._fixed]
        if not self._learned:
            gone += [f for f in self._fixed if f not in self.engine]
        if gone:
            shown = min(print_condition(self.coding.statement(fact)) for fact in gone)
            raise KnowledgeBaseError(
                f"learned rules may rest on `{shown}`, which the theory states; take it out of the theory, and renew them"
            )
        has_games = any(p.kind == "game" for p in self.theory.vocabulary.predicates.values())
        if others > len(self.theory.rules) and has_games:
            added = [r for r in [*self.rules[len(self.theory.rules) :], *rules] if not r.learned]
            raise KnowledgeBaseError(
                f"learned rules are proved of the theory without the rule `{added[0].name}`, which may make them wrong of other"
                " actions and replies; take it back, or write it into the theory and renew them"
            )

    def _refuse_second_action(self, add: Sequence[Fact], retract: Sequence[Fact]) -> None:
        """Raises KnowledgeBaseError if a change would leave two actions in the state."""
        come = {fact for fact in add if fact.predicate in self.coding.actions}
        if not come:
            return
        stay = {Fact(n, cells) for n in self.coding.actions for cells in self.engine.given(n)}
        there = stay.difference(retract) | come
        if len(there) > 1:
            one, other, *_ = sorted(print_condition(self.coding.statement(fact)) for fact in there)
            raise KnowledgeBaseError(f"two actions in one state, `{one}` and `{other}`; {ONE_ACTION}")

    def _kept(
        self, keeping: Keeping, add: Sequence[Fact], retract: Sequence[Fact], rules: Sequence[CodedRule]
    ) -> AbstractContextManager[None]:
        """The engine's change, in which the store's facts change too."""
        given = {
            number: self.engine.given(number) for number in {fact.predicate for fact in (*add, *retract)}
        }
        new = [fact for fact in add if fact.cells not in given[fact.predicate]]
        old = [fact for fact in retract if fact.cells in given[fact.predicate]]
        return keeping.change(
            list(map(self.coding.ground, add)),
            list(map(self.coding.ground, retract)),
            lambda: self.engine.update(add=old, retract=new, remove_rules=[rule.id for rule in rules]),
        )

    def _kept_columns(
        self, keeping: Keeping, facts: FactColumns, number: PredicateId
    ) -> AbstractContextManager[None]:
        """The same with facts of a table, of a relation of which nothing is given but what the store holds."""

        def undo() -> None:
            before = [fact for fact in self._coded(keeping.facts()) if fact.predicate == number]
            self.engine.update(retract=self._coded(facts), add=before)

        tense = self.coding.relations[number].template.tense
        return keeping.change(replace(facts, tense=tense), (), undo)

    def _given(self, facts: Iterable[GroundFact], assume: Collection[str]) -> tuple[Fact, ...]:
        """The coded facts, which may be given, or are assumed."""
        coded = self._coded(facts)
        for fact in coded:
            problem = self._never_given[fact.predicate]
            if problem is not None:
                relation = self.coding.relations[fact.predicate].template.relation
                if relation not in assume:
                    way_out = f"say it by a rule with a label, or (from Python) `assume=[{relation!r}]`"
                    raise FactError(f"{problem}; {way_out}")
                if self._keeping is not None and not self._keeping.marks:
                    raise FactError(f"{problem}, and a store keeps no assumptions")
        return coded

    def _columns(self, facts: FactColumns) -> tuple[PredicateId, Columns] | None:
        """The coded facts of a table, to be given at once; None where each is to be looked at by itself: what is not simply
        given, an action, and where the engine takes no columns.
        """
        coded = self._coder.columns(facts)
        if coded is None or isinstance(self.engine, ReferenceEngine):
            return None
        is_plain = coded[0] not in self.coding.actions and self._never_given[coded[0]] is None
        return coded if is_plain else None

    def _add_columns(self, facts: FactColumns) -> bool:
        """Adds the facts of a table at once, or says that each is to be looked at by itself."""
        coded, keeping = self._columns(facts), self._keeping
        if coded is None or (keeping is not None and coded[0] in self._not_plain):
            return False
        with nullcontext() if keeping is None else self._kept_columns(keeping, facts, coded[0]):
            self._give((), dict([coded]))
        return True

    def _add_stored(self, tables: Iterable[FactColumns]) -> None:
        """Adds the facts of a store, all at once."""
        add: list[Fact] = []
        columns: dict[PredicateId, Columns] = {}
        for facts in tables:
            coded = self._columns(facts)
            if coded is None or coded[0] in columns:
                add += self._given(facts, ())
            else:
                columns.update([coded])
        self._refuse_second_action(add, ())
        self._give(add, columns)

    def _give(self, add: Sequence[Fact], columns: Mapping[PredicateId, Columns]) -> None:
        try:
            if isinstance(self.engine, ReferenceEngine):
                self.engine.update(add=add)
            else:
                self.engine.update(add=add, add_columns=columns)
        except EngineError as problem:
            raise self._fault(problem) from problem

    def _rows(self, number: PredicateId) -> AbstractSet[tuple[int, ...]]:
        """The facts of a predicate that hold now."""
        try:
            return self.engine.facts(number)
        except EngineError as problem:
            raise self._fault(problem) from problem

    def _coded(self, facts: Iterable[GroundFact]) -> tuple[Fact, ...]:
        return tuple(map(self._coder.fact, facts))

    def _pattern(self, text: str) -> Statement:
        """The one statement that a text is. Raises TheoryError if it is something else."""
        query = self.parse_query(text)
        if len(query.conditions) == 1 and isinstance(query.conditions[0], Statement):
            return query.conditions[0]
        problem = error(
            "HB001", "a proof is of one fact", query.span, "ask for one fact such as `legal(black, ?p)`"
        )
        raise TheoryError([problem], {"<query>": text})

    def _fact_like(self, pattern: Statement, rows: AbstractSet[tuple[int, ...]]) -> Fact:
        """The first fact of a predicate that a pattern, ground but for wildcards, matches."""
        number = self.coding.predicate_id(pattern.relation, pattern.tense)
        wanted = [self.coding.cell(t.value) if isinstance(t, Constant) else None for t in pattern.terms]
        alike = (
            cells
            for cells in sorted(rows)
            if all(w is None or w == cell for w, cell in zip(wanted, cells, strict=True))
        )
        return Fact(number, next(alike))

    def _fault(self, problem: EngineError) -> KnowledgeBaseError:
        return fault(problem, self.coding, lambda rule_id: self.rules[rule_id.index])
