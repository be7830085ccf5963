"""A session: a knowledge base, what was added to it since it was opened, and the rules learned meanwhile.

Every change is whole or not at all, and can be undone; a question changes nothing, even where it supposes
something. Facts and rules of the session are those that the theory does not state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from hornbook.compiler.learn.learning import Progress
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check import check_rules
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import adapter_of
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.hornbook_error import HornbookError

TYPED = "<typed>"
"""What messages call the text at the prompt."""


_Typed = TypeVar("_Typed", Rule, Statement)
NO_THEORY = "no theory is open; `:theory family` opens one"


class SessionError(HornbookError):
    """What cannot be done in this session as it is; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one request changed, and what there was before: enough to undo it."""

    what: str
    added: tuple[GroundFact, ...]
    retracted: tuple[GroundFact, ...]
    rules: int
    state: tuple[GroundFact, ...]
    learned: RuleBase
    sources: tuple[FactSource, ...]


class Session:
    """A knowledge base at a prompt. `learned` are the learned rules in it, `pending` those not yet kept, `sources` where facts
    came from, the last first, and `line` the one that is answered, of all that were typed.
    """

    def __init__(
        self,
        open_base: Callable[[str | None], KnowledgeBase],
        base: KnowledgeBase,
        *,
        has_state: bool = False,
    ) -> None:
        """With `has_state`, the facts of the knowledge base are partly those of a state that the theory's adapter has read."""
        self.open_base = open_base
        self._has_state = has_state
        self.is_settling = False
        self.line = 1
        self.begin(base)

    def begin(self, base: KnowledgeBase) -> None:
        """Begins with a knowledge base; what was there is gone."""
        with self._settling():
            self.base = base
            self.own_rules = len(base.theory.rules)
            self._theory_facts = frozenset(self.as_coded(ground_fact(s)) for s in base.theory.facts)
            self.state: tuple[GroundFact, ...] = ()
            self.learned = RuleBase(base.theory.name)
            self.pending: Progress | None = None
            self.changes: list[Change] = []
            self.sources: tuple[FactSource, ...] = ()
            self.rules_file: Path | None = None
            self.save_here: Callable[[], str] | None = None

    # What is there

    @property
    def has_theory(self) -> bool:
        """Whether there is anything to talk about."""
        return bool(self.base.theory.vocabulary.predicates)

    @property
    def rules(self) -> list[Rule]:
        """The rules that the theory does not have."""
        return [*self.base.rules[self.own_rules :]]

    def rules_typed(self) -> list[Rule]:
        """The rules that neither the theory has nor were learned."""
        learned = {entry.rule for entry in self.learned}
        return [rule for rule in self.rules if rule not in learned]

    def facts(self) -> list[GroundFact]:
        """The given facts that the theory does not state."""
        return [fact for fact in self.base.given() if fact not in self._theory_facts]

    def menu(self, facts: Iterable[GroundFact]) -> list[GroundFact]:
        """The amounts of decisions among some facts, where a theory asks for a menu of those that may be decided.

        The adapter knows the menu. It is asked only if it has read a state: a question about facts alone runs no code.
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
        """The facts that the theory states and that are not given any more."""
        return self._theory_facts.difference(self.base.given())

    def shown(self, fact: GroundFact) -> str:
        """A fact as it would be typed."""
        statement = self.base.conclusion(self.base.coded(fact))
        if statement.tense == "before":
            statement = statement_at(statement, None, self.base.theory.vocabulary)
        return print_condition(statement)

    # Changes

    def add(self, text: str, file: str = TYPED) -> tuple[str, tuple[Diagnostic, ...]]:
        """Adds facts and rules, all or none. Gives what was added, and what is odd about it."""
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
        """The same, whose lines count from the first one that was typed in the session."""
        span = each.span
        before = self.line - 1
        return replace(each, span=replace(span, line=span.line + before, end_line=span.end_line + before))

    def retract(self, text: str) -> str:
        """Takes given facts away. Raises SessionError where one is not given."""
        facts = tuple(self.facts_in(text))
        given = set(self.base.given())
        for fact in facts:
            if fact not in given:
                known = self.base.holds(fact)
                why = "follows from others; `why` says from which" if known else "is not there"
                raise SessionError(f"`{self.shown(fact)}` is not given: it {why}")
        return self.change(all_counted(fact=len(facts)), retract=facts, verb="retracted")

    def keep(self) -> str:
        """Admits the rules that were learned last."""
        if self.pending is None:
            raise SessionError("nothing was learned that is not kept yet; `learn` first")
        rules = [entry.proved_for(self.base.theory) for entry in self.pending.admitted]
        return self.change(all_counted(rule=len(rules)), rules=rules, learned=self.pending.base, verb="kept")

    def undo(self) -> str:
        """Takes the last change back."""
        if not self.changes:
            raise SessionError("nothing was changed yet")
        last = self.changes[-1]
        with self._settling():
            self.base.exchange(last.added, last.retracted, drop_rules=last.rules)
            self.changes.pop()
            if last.learned is not self.learned:
                self.pending = None
            self.state, self.learned, self.sources = last.state, last.learned, last.sources
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
        """Changes facts and rules, and what else is given here, all or nothing, and notes it, with the sources of the facts. Gives
        what was done.
        """
        with self._settling():
            before = set(self.base.given())
            self.base.exchange(retract, add, rules=rules)
            after = set(self.base.given())
            added, gone = tuple(after - before), tuple(before - after)
            if not (added or gone or rules or learned is not None):
                return "nothing new: it was there already"
            said = f"{verb}: {what}"
            self.changes.append(Change(said, added, gone, len(rules), self.state, self.learned, self.sources))
            self.state = self.state if state is None else state
            self.sources = (*sources, *self.sources)
            if learned is not None:
                self.learned, self.pending = learned, None
            return said

    @contextmanager
    def _settling(self) -> Iterator[None]:
        """While the knowledge base and what is noted of it may differ: only the engine itself may be stopped then."""
        self.is_settling = True
        try:
            yield
        finally:
            self.is_settling = False

    # Suppositions

    @contextmanager
    def supposing(self, facts: Sequence[GroundFact]) -> Iterator[None]:
        """The state in which some facts are given besides (an action in the place of the one that is), for a while."""
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
                self.base.exchange(replaced, facts)
            yield

    def _pop(self) -> None:
        with self._settling():
            self.base.pop()

    def facts_in(self, text: str) -> list[GroundFact]:
        """The facts that a text lists, as the knowledge base would give them back. Raises TheoryError."""
        return [self.as_coded(fact) for fact in self._ground(text)]

    def _ground(self, text: str) -> list[GroundFact]:
        """The facts that a text lists, each of which can be given. Raises TheoryError."""
        conditions = parse_query(text).conditions
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
        return [ground_fact(statement) for statement in found]

    def as_coded(self, fact: GroundFact) -> GroundFact:
        """The fact as the knowledge base gives it back: with its moment."""
        return self.base.ground(self.base.coded(fact))


def all_counted(**counts: int) -> str:
    """`2 facts, 1 rule`."""
    return ", ".join(counted(number, word) for word, number in counts.items() if number) or "nothing"


__all__ = ["NO_THEORY", "TYPED", "Change", "Session", "SessionError", "all_counted"]
