"""A session: a knowledge base, its changes since it was opened, and the rules learned meanwhile.

Invariants: every change is atomic and can be undone, and a query changes nothing, even if it assumes facts.
The facts and rules of the session are those that the theory itself does not contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hornbook.inputs.table_reading import TableReading
from hornbook.kb.ast.substitution import apply_to_statement, statement_at
from hornbook.kb.ast.terms import (
    Absent,
    Atom,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Variable,
    condition_variables,
)
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import adapter_of
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:  # slow to import
    from hornbook.compiler.learn.learning import ExampleProgress
    from hornbook.compiler.rules.admission import RuleBase
    from hornbook.kb.base.knowledge_base import KnowledgeBase
    from hornbook.kb.explain.fact_places import FactSource
    from hornbook.matcher.program.coded import Limits

TYPED = "<typed>"
"""The file name of the text at the prompt in messages."""


_Typed = TypeVar("_Typed", Rule, Statement)
NO_THEORY = "no theory is open; `:theory family` opens one"


class SessionError(HornbookError):
    """A request is impossible in this session. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class SessionChange:
    """A change by one request, with the previous values needed to undo it."""

    what: str
    added: tuple[GroundFact, ...]
    retracted: tuple[GroundFact, ...]
    rules: int
    state: tuple[GroundFact, ...]
    learned: RuleBase
    sources: tuple[FactSource, ...]


@dataclass(frozen=True, slots=True)
class Supposition:
    """Facts to assume, and given facts to leave out, all at once."""

    add: tuple[GroundFact, ...] = ()
    retract: tuple[GroundFact, ...] = ()


class Session:
    """A knowledge base at a prompt.

    `learned` has its learned rules, and `pending` the learned rules not yet admitted. `sources` has the
    sources of facts, the newest first. `line` is the number of the typed line that is being answered.
    """

    def __init__(
        self,
        open_base: Callable[[str | None], KnowledgeBase],
        base: KnowledgeBase,
        *,
        has_state: bool = False,
        limits: Limits | None = None,
    ) -> None:
        """Create a session. With `has_state`, the facts include a state read by the theory's adapter.

        `limits` are those of `base`.
        """
        self.open_base = open_base
        self._limits = limits
        self.reading = TableReading()
        """How tables are read."""
        self._has_state = has_state
        self.is_settling = False
        self.line = 1
        self.begin(base)

    def begin(self, base: KnowledgeBase) -> None:
        """Start with a knowledge base, and discard the previous one."""
        from hornbook.compiler.rules.admission import RuleBase  # noqa: PLC0415 - slow to import

        with self._settling():
            self.base = base
            self._given_theory = base.theory
            self.own_rules = len(base.theory.rules)
            self._theory_facts = frozenset(self.as_coded(ground_fact(s)) for s in base.theory.facts)
            self.state: tuple[GroundFact, ...] = ()
            self.learned = RuleBase(base.theory.name)
            self.pending: ExampleProgress | None = None
            self.changes: list[SessionChange] = []
            self.sources: tuple[FactSource, ...] = ()
            self.rules_file: Path | None = None
            self.save_here: Callable[[], str] | None = None

    # Content

    @property
    def has_theory(self) -> bool:
        """Whether a theory with predicates is open."""
        return bool(self.base.theory.vocabulary.predicates)

    @property
    def rules(self) -> list[Rule]:
        """The rules that are not in the theory."""
        return [*self.base.rules[self.own_rules :]]

    def rules_typed(self) -> list[Rule]:
        """Return the rules that are neither in the theory nor learned."""
        learned = {entry.rule for entry in self.learned}
        return [rule for rule in self.rules if rule not in learned]

    def facts(self) -> list[GroundFact]:
        """Return the given facts that the theory does not state."""
        return [fact for fact in self.base.given() if fact not in self._theory_facts]

    def menu(self, facts: Iterable[GroundFact]) -> list[GroundFact]:
        """Return the menu: the amounts of decisions among some facts, if the theory requires one.

        The adapter defines the menu. It is used only if it has read a state, so queries about facts alone run
        no code.
        """
        if not (self._has_state or self.state):
            return []
        theory = self.base.theory
        reader = adapter_of(theory)
        wording = getattr(reader, "wording", None)
        if wording is None:
            return []
        return [GroundFact(wording.MENU, f.values[-1:]) for f in facts if f.relation in wording.ALLOWED]

    def retracted(self) -> frozenset[GroundFact]:
        """Return the facts that the theory states and that were retracted."""
        return self._theory_facts.difference(self.base.given())

    def shown(self, fact: GroundFact) -> str:
        """Return a fact in the syntax of the prompt."""
        statement = self.base.engine.coding.statement(self.base.engine.encode(fact))
        if statement.tense == "before":
            statement = statement_at(statement, None, self.base.theory.vocabulary)
        return print_condition(statement)

    # Changes

    def add(self, text: str, file: str = TYPED) -> tuple[str, tuple[Diagnostic, ...]]:
        """Add facts and rules atomically, and return a summary with warnings."""
        clauses = self.base.read_clauses(text, file)
        statements, rules = clauses.statements, clauses.rules
        if file == TYPED:
            statements, rules = (
                tuple(map(self._in_its_line, statements)),
                tuple(map(self._in_its_line, rules)),
            )
        new = self.change(
            all_counted(fact=len(statements), rule=len(rules)),
            add=clauses.facts,
            rules=rules,
            sources=[statements],
        )
        return new, clauses.warnings

    def _in_its_line(self, each: _Typed) -> _Typed:
        """Return a clause with line numbers counted from the first line of the session."""
        span = each.span
        before = self.line - 1
        return replace(each, span=span._replace(line=span.line + before, end_line=span.end_line + before))

    def retract(self, text: str) -> str:
        """Retract given facts. Raises SessionError if one is not given."""
        facts = tuple(self.facts_in(text))
        self._require_given(facts)
        return self.change(all_counted(fact=len(facts)), retract=facts, verb="retracted")

    def _require_given(self, facts: Sequence[GroundFact]) -> None:
        given = set(self.base.given()) if facts else set()
        for fact in facts:
            if fact not in given:
                known = self.base.holds(fact)
                why = "follows from others; `why` says from which" if known else "is not there"
                raise SessionError(f"`{self.shown(fact)}` is not given: it {why}")

    def define(self, learned: RuleBase) -> None:
        """Let the theory have the invented predicates of these learned rules, and no others.

        The rules learned before are verified again for this theory. Raises SessionError if one does not
        follow from it.
        """
        theory = learned.definitions.extended(self._given_theory)
        if theory is self.base.theory:
            return
        from hornbook.compiler.rules.verification import with_verdicts  # noqa: PLC0415 - slow to import
        from hornbook.kb.base.knowledge_base import KnowledgeBase  # noqa: PLC0415 - slow to import

        bases = (*(change.learned for change in self.changes), self.learned, learned)
        entries = {name: entry for base in bases for name, entry in base.entries.items()}
        verified = with_verdicts(replace(learned, entries=entries), theory)
        proved = {replace(each.rule, lemma=False): each for each in verified}
        rules = []
        for rule in self.rules:
            entry = proved.get(replace(rule, lemma=False)) if rule.proved_of is not None else None
            if entry is not None and not entry.is_certified:
                raise SessionError(f"`{rule.name}` would not follow any more: {entry.refused}")
            rules.append(rule if entry is None else entry.proved_for(theory))
        with self._settling():
            base = KnowledgeBase(theory, limits=self._limits)
            base.exchange(tuple(self.retracted()), self.facts(), rules=rules)
            self.base, self.own_rules = base, len(theory.rules)

    def keep(self) -> str:
        """Admit the rules learned last."""
        if self.pending is None:
            raise SessionError("there are no new rules to keep; use `learn` first")
        self.define(self.pending.base)
        rules = [entry.proved_for(self.base.theory) for entry in self.pending.admitted]
        return self.change(all_counted(rule=len(rules)), rules=rules, learned=self.pending.base, verb="kept")

    def undo(self) -> str:
        """Undo the last change."""
        if not self.changes:
            raise SessionError("nothing was changed yet")
        last = self.changes[-1]
        with self._settling():
            self.base.exchange(last.added, last.retracted, drop_rules=last.rules)
            self.changes.pop()
            if last.learned is not self.learned:
                self.pending = None
            self.state, self.learned, self.sources = last.state, last.learned, last.sources
        self.define(self.learned)
        return f"undone: {last.what}"

    def change(
        self,
        what: str,
        *,
        add: Sequence[GroundFact] = (),
        retract: Sequence[GroundFact] = (),
        rules: Sequence[Rule] = (),
        state: tuple[GroundFact, ...] | None = None,
        learned: RuleBase | None = None,
        sources: Sequence[FactSource] = (),
        verb: str = "added",
    ) -> str:
        """Change facts, rules and other inputs atomically, record the change, and return a summary."""
        with self._settling():
            before = set(self.base.given())
            self.base.exchange(retract, add, rules=rules)
            after = set(self.base.given())
            added, removed = tuple(after - before), tuple(before - after)
            if not (added or removed or rules or learned is not None):
                return "nothing new: it was there already"
            description = f"{verb}: {what}"
            self.changes.append(
                SessionChange(description, added, removed, len(rules), self.state, self.learned, self.sources)
            )
            self.state = self.state if state is None else state
            self.sources = (*sources, *self.sources)
            if learned is not None:
                self.learned, self.pending = learned, None
            return description

    @contextmanager
    def _settling(self) -> Iterator[None]:
        """Mark that the knowledge base and its records may differ. Only the engine may be interrupted
        meanwhile.
        """
        self.is_settling = True
        try:
            yield
        finally:
            self.is_settling = False

    # Assumptions

    @contextmanager
    def supposing(self, facts: Sequence[GroundFact], without: Sequence[GroundFact] = ()) -> Iterator[None]:
        """Assume additional facts within the context, without some given facts. An assumed action replaces
        the given one.
        """
        predicates = self.base.theory.vocabulary.predicates
        acts = {name for name, predicate in predicates.items() if predicate.kind == "action"}
        replaced = (
            [f for f in self.base.given() if f.relation in acts]
            if any(f.relation in acts for f in facts)
            else []
        )
        with ExitStack() as put_back:
            with self._settling():
                self.base.push()
                put_back.callback(self._pop)
                self.base.exchange([*replaced, *without], facts)
            yield

    def _pop(self) -> None:
        with self._settling():
            self.base.pop()

    def facts_in(self, text: str) -> list[GroundFact]:
        """Return the facts in a text, in the form of the knowledge base. Raises TheoryError."""
        return self._ground(parse_query(text).conditions, text)

    def supposed_in(self, text: str) -> Supposition:
        """Return the facts in a text, and those after `absent`. A pattern there means all given facts of it.

        Raises TheoryError, and SessionError if a fact after `absent` is not given, or if a given fact has the
        key of an added one.
        """
        conditions = parse_query(text).conditions
        left_out = [c for c in conditions if isinstance(c, Absent) and len(c.conditions) == 1]
        removed = [each.conditions[0] for each in left_out]
        patterns = [c for c in removed if isinstance(c, Atom) and any(condition_variables(c))]
        retract = self._ground([c for c in removed if c not in patterns], text)
        self._require_given(retract)
        retract += [fact for pattern in patterns for fact in self._given_like(pattern)]
        add = self._ground([each for each in conditions if each not in left_out], text)
        self._require_own_keys(add, retract)
        return Supposition(tuple(add), tuple(retract))

    def _given_like(self, pattern: Atom) -> list[GroundFact]:
        """Return the given facts like a pattern. Raises TheoryError, and SessionError if there are none."""
        written = print_condition(pattern)
        self.base.engine.parse_queries(written)  # reports mistakes
        terms = (
            Variable(f"column_{number}") if isinstance(term, Variable) and term.is_wildcard else term
            for number, term in enumerate(pattern.terms)
        )
        condition = pattern.with_terms(tuple(terms))
        answers = self.base.engine.query((Query((condition,), pattern.span),))
        bindings = (dict(zip(answers.variables, map(Constant, row), strict=True)) for row in answers.rows)
        found = [self.as_coded(ground_fact(apply_to_statement(condition, each))) for each in bindings]
        given = set(self.base.given())
        if not (like := [fact for fact in found if fact in given]):
            raise SessionError(f"no given fact is like `{written}`")
        return like

    def _require_own_keys(self, add: Sequence[GroundFact], retract: Sequence[GroundFact]) -> None:
        """Raise SessionError if a given fact, which stays, has another value for the key of an added one."""
        predicates = self.base.theory.vocabulary.predicates
        keys = {fact.relation: key for fact in add if (key := predicates[fact.relation].key) is not None}
        if not keys:
            return
        left = set(retract)
        staying = {
            (fact.relation, fact.tense, fact.values[: keys[fact.relation]]): fact
            for fact in self.base.given()
            if fact.relation in keys and fact not in left
        }
        for fact in add:
            if fact.relation not in keys:
                continue
            given = staying.get((fact.relation, fact.tense, fact.values[: keys[fact.relation]]), fact)
            if given != fact:
                old, new = self.shown(given), self.shown(fact)
                raise SessionError(
                    f"two values for one key: `{old}` and `{new}`; the declaration allows one; to replace the"
                    f" given fact, write `absent {old}, {new}`"
                )

    def _ground(self, conditions: Sequence[Condition], text: str) -> list[GroundFact]:
        """Return the facts among the conditions of a text, which can all be given. Raises TheoryError."""
        from hornbook.kb.check.theory_checks import check_rules  # noqa: PLC0415 - slow to import

        found: list[Statement] = []
        for condition in conditions:
            if not isinstance(condition, Atom | GameStatement):
                problem = error(
                    "HB001", "only facts can be given", condition.span, "write it as in `parent(ada, ben)`"
                )
                raise TheoryError([problem], {"<query>": text})
            found.append(condition)
        rules = [Rule(statement, span=statement.span) for statement in found]
        wrong = [d for d in check_rules(rules, self.base.theory.vocabulary) if d.severity == "error"]
        if wrong:
            raise TheoryError(wrong, {"<query>": text})
        assert all(isinstance(term, Constant) for statement in found for term in statement.terms)
        return [self.as_coded(ground_fact(statement)) for statement in found]

    def as_coded(self, fact: GroundFact) -> GroundFact:
        """Return a fact in the form of the knowledge base, with its tense."""
        return self.base.engine.coding.ground(self.base.engine.encode(fact))


def all_counted(**counts: int) -> str:
    """Return a list of counts such as `2 facts, 1 rule`."""
    return ", ".join(counted(number, word) for word, number in counts.items() if number) or "nothing"


__all__ = ["NO_THEORY", "TYPED", "Session", "SessionChange", "SessionError", "Supposition", "all_counted"]
