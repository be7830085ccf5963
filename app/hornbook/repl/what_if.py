"""The effects of an action or of other assumed facts: the state with them compared with the state without.

The state after an action consists of the facts that the theory concludes, as in a query with `after`. A fact
of a fluent that is not concluded is listed as such; it need not be false. Facts that no such action changes,
according to a frame axiom, are listed separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, GameStatement, Statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.session import Session, Supposition

MAX_LINES = 40
"""The maximum number of lines for one part."""
MAX_DERIVED = 12
"""The maximum number of derived facts to show for the state after an action."""

MAX_WORDS = 10_000
"""The maximum number of words of a sort to search for an unknown word."""
MAX_LOST = 3
"""The maximum number of facts to list singly for a fluent about which nothing is concluded after an action.
"""

_Facts = Mapping[Statement, AbstractSet[Fact]]


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact before and after the change. `was` is None for a new fact, and `becomes` for one that ceases.

    Both are facts of one key if the value of this key changes.
    """

    was: str | None
    becomes: str | None

    @property
    def kind(self) -> str:
        """`added`, `removed` or `changed`."""
        return "added" if self.was is None else "removed" if self.becomes is None else "changed"

    def as_json(self) -> dict[str, str | None]:
        """Return `{change, before, after}`."""
        return {"change": self.kind, "before": self.was, "after": self.becomes}


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two states.

    - `changes`: The changes of fluents by an action.
    - `conclusions`: The other facts that follow only before or only after the change.
    - `persistent`: The facts that are no longer concluded although a frame axiom says that they persist.
    - `derived`: The facts derived for the state after an action.
    - `unmet`: If nothing new follows, the assumed words that occur in no fact.
    """

    changes: tuple[FactChange, ...]
    conclusions: tuple[FactChange, ...]
    persistent: tuple[str, ...]
    derived: tuple[str, ...]
    acted: bool
    concluded: bool
    unmet: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes and nothing is derived for the state after."""
        return not (self.changes or self.conclusions or self.derived)

    def text(self) -> str:
        """Return the changes as a table, and the other parts below."""
        lines = list(_table([*self.changes, *self.conclusions]))
        if self.persistent:
            lines += ["no longer concluded, though a frame says that it stays:", *_cut(self.persistent)]
        ceases = any(each.becomes is None for each in self.conclusions)
        if self.derived and not (self.changes or ceases or self.persistent):
            lines.append("no fluent changes")
        if len(self.derived) > MAX_DERIVED:
            more = len(self.derived)
            lines.append(
                f"{counted(more, 'more fact follows', 'more facts follow')} of the state after; ask for"
                " them with `what if …: after …`"
            )
        elif self.derived:
            lines += ["of the state after:", *_cut(self.derived)]
        if self.acted and not self.concluded:
            lines.append("nothing is concluded of the state after: is the action allowed here?")
        return "\n".join([*(lines or ["nothing changes"]), *self.unmet])

    def as_json(self) -> dict[str, Any]:
        """Return the parts in full: `{changes, conclusions, kept, after, concluded}`.

        The items of `changes` and `conclusions` are `{change, before, after}`. `after` has the facts derived
        for the state after the action.
        """
        return {
            "changes": [each.as_json() for each in self.changes],
            "conclusions": [each.as_json() for each in self.conclusions],
            "kept": self.persistent,
            "after": self.derived,
            "concluded": self.concluded,
        }


def _table(changes: Sequence[FactChange]) -> Iterator[str]:
    """Yield the lines of a table of changes."""
    shown = changes[:MAX_LINES]
    if shown:
        rows = [("change", "before", "after")]
        rows += [(each.kind, each.was or "", each.becomes or "") for each in shown]
        first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
        for kind, before, after in rows:
            yield f"{kind:{first}}  {before:{second}}  {after}".rstrip()
    if len(changes) > MAX_LINES:
        yield f"… and {len(changes) - MAX_LINES} more"


def assume(session: Session, text: str) -> Difference:
    """Return the consequences of assuming the facts in a text, without those after `absent`. The session is
    not changed.
    """
    base = session.base
    supposed = session.supposed_in(text)
    with assumed(session, supposed) as found:
        pass
    if found.changes or found.derived or any(each.becomes for each in found.conclusions):
        return found
    with session.supposing(session.menu(supposed.add)):
        given = sorted(map(base.engine.encode, supposed.add))
        return replace(found, unmet=tuple(_unmet(base, given)))


@contextmanager
def assumed(session: Session, supposed: Supposition) -> Iterator[Difference]:
    """Assume changed facts within the context, and yield their consequences."""
    base = session.base
    with session.supposing(session.menu(supposed.add)):
        without = base.engine.snapshot()
        with session.supposing(supposed.add, supposed.retract):
            changed = {base.engine.encode(fact) for fact in (*supposed.add, *supposed.retract)}
            acted = any(_declared(base, fact.relation).kind == "action" for fact in supposed.add)
            yield _difference(base, without, base.engine.snapshot(), changed, acted=acted)


def answers_assuming(session: Session, text: str, query: str) -> Answers:
    """Return the answers to a query under the facts in a text. The session is not changed."""
    parsed = session.base.engine.parse_queries(query)
    supposed = session.supposed_in(text)
    with session.supposing([*session.menu(supposed.add), *supposed.add], supposed.retract):
        return session.base.engine.query(parsed)


def _unmet(base: KnowledgeBase, supposed: Iterable[Fact]) -> Iterator[str]:
    """Yield a line for each assumed word of an open sort that occurs in no fact of its sort."""
    coding = base.engine.coding
    words = {
        (sort, value): None
        for fact in supposed
        for sort, value in zip(
            coding.relations[fact.predicate].sorts, coding.ground(fact).values, strict=True
        )
        if isinstance(value, str) and base.theory.vocabulary.sorts[sort].kind == "open"
    }
    for sort, word in words:
        known = base.engine.words(sort, MAX_WORDS)
        if word not in known and len(known) < MAX_WORDS:
            yield f"`{word}` occurs in no fact as `{sort}`; {did_you_mean(word, known)}".removesuffix("; ")


def _declared(base: KnowledgeBase, relation: str) -> Predicate:
    return base.theory.vocabulary.predicates[relation.partition(" ")[0]]


def _difference(
    base: KnowledgeBase, without: _Facts, there: _Facts, assumed: set[Fact], *, acted: bool
) -> Difference:
    """Return the difference between two states, without the `assumed` changes themselves."""
    stays = _untouched(base) if acted else frozenset()
    changes: list[FactChange] = []
    conclusions: list[FactChange] = []
    lost_after: list[str] = []
    persisting_after: list[str] = []
    concluded_after = False
    derived: list[str] = []
    for template in base.relations():
        declared = _declared(base, template.relation)
        if declared.kind == "derived" and declared.span.file not in base.theory.sources:
            continue  # an invented predicate of learned rules
        if acted and template.tense == "after" and declared.kind == "fluent":
            before = {
                fact.cells: fact for fact in there[statement_at(template, "before", base.theory.vocabulary)]
            }
            concluded = {fact.cells: fact for fact in there[template]}
            concluded_after |= bool(concluded)
            changed, lost = _changed(
                base,
                declared,
                (before[cells] for cells in before.keys() - concluded.keys()),
                (concluded[cells] for cells in concluded.keys() - before.keys()),
            )
            changes += changed
            persisting, removed = (
                [f for f in lost if (f in stays) == persists] for persists in (True, False)
            )
            lost_after += _lost(base, template.relation, removed, all_lost=not concluded)
            persisting_after += _lost(base, template.relation, persisting, all_lost=not concluded)
            continue
        new = sorted(there[template] - without[template])
        removed = sorted(without[template] - there[template])
        if acted and template.tense == "after" and not isinstance(template, GameStatement):
            derived += [_shown(base, fact) for fact in new]
            concluded_after |= bool(new)
            continue
        if declared.kind == "action":
            continue
        conclusions += _paired(
            base,
            declared.key if isinstance(template, Atom) else None,
            [fact for fact in removed if fact not in assumed],
            [fact for fact in new if fact not in assumed],
        )
    # If nothing at all is concluded, one line in the text says so.
    conclusions += [FactChange(fact, None) for fact in lost_after] if concluded_after else []
    return Difference(
        tuple(changes),
        tuple(conclusions),
        tuple(persisting_after if concluded_after else ()),
        tuple(derived),
        acted,
        concluded_after,
    )


def _paired(
    base: KnowledgeBase, key: int | None, removed: Sequence[Fact], new: Sequence[Fact]
) -> Iterator[FactChange]:
    """Yield the changes of one relation. Facts with the same key are one change."""
    after = {} if key is None else {fact.cells[:key]: fact for fact in new}
    paired: set[Fact] = set()
    for fact in removed:
        other = after.get(fact.cells[:key])
        paired.update([] if other is None else [other])
        yield FactChange(_shown(base, fact), None if other is None else _shown(base, other))
    yield from (FactChange(None, _shown(base, fact)) for fact in new if fact not in paired)


def _untouched(base: KnowledgeBase) -> frozenset[Fact]:
    """Return the facts of fluents that are not concluded after the action, and that no such action can
    change.
    """
    fluents = [name for name, p in base.theory.vocabulary.predicates.items() if p.kind == "fluent"]
    after = [fact for name in fluents for fact in base.facts(name, "after")]
    before = {GroundFact(f.relation, f.values) for name in fluents for f in base.facts(name, "before")}
    breached = (breach.fact for breach in breaches(base, after))
    return frozenset(base.engine.encode(fact) for fact in breached if fact in before)


def _changed(
    base: KnowledgeBase, declared: Predicate, before: Iterable[Fact], after: Iterable[Fact]
) -> tuple[list[FactChange], list[Fact]]:
    """Return the changes of a fluent's facts, and its lost facts."""
    width = declared.arity if declared.key is None else declared.key
    old = {fact.cells[:width]: fact for fact in before}
    new = {fact.cells[:width]: fact for fact in after}
    changed = [
        FactChange(_bare(base, old[key]) if key in old else None, _bare(base, new[key]))
        for key in sorted(new)
    ]
    return changed, [old[key] for key in sorted(old.keys() - new.keys())]


def _lost(base: KnowledgeBase, relation: str, facts: Sequence[Fact], *, all_lost: bool) -> list[str]:
    """Return the lost facts of a fluent, or one line if there are many and nothing else is concluded."""
    if all_lost and len(facts) > MAX_LOST:
        return [f"all {counted(len(facts), 'fact')} of {relation}"]
    return [_bare(base, fact) for fact in facts]


def _shown(base: KnowledgeBase, fact: Fact) -> str:
    """Return a fact in the syntax of queries."""
    statement = base.engine.coding.statement(fact)
    return print_condition(statement) if statement.tense == "after" else _bare(base, fact)


def _bare(base: KnowledgeBase, fact: Fact) -> str:
    return print_condition(statement_at(base.engine.coding.statement(fact), None, base.theory.vocabulary))


def _cut(rows: Sequence[str]) -> Iterator[str]:
    yield from (f"  {row}" for row in rows[:MAX_LINES])
    if len(rows) > MAX_LINES:
        yield f"  … and {len(rows) - MAX_LINES} more"
