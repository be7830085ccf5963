"""The effects of an action or of other assumed facts: the state with them compared with the state without.

The state after an action consists of the facts that the theory concludes, as in a query with `after`. A fact
of a fluent that is not concluded is listed as such; it need not be false. Facts that no such action changes,
according to a frame axiom, are listed separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import GameStatement, Statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.session import Session

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
class FluentChange:
    """The new value of a fact of a fluent. `was` is None if no fact had its key."""

    was: str | None
    becomes: str

    def __str__(self) -> str:
        return f"+ {self.becomes}" if self.was is None else f"{self.was} → {self.becomes}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two states.

    It has changes of fluents, new consequences, facts no longer concluded, and facts derived for the state
    after. `persistent` has the facts that are no longer concluded although a frame axiom says that they
    persist. If nothing changes, `unmet` names assumed words that occur in no fact.
    """

    changes: tuple[FluentChange, ...]
    follows: tuple[str, ...]
    ceases: tuple[str, ...]
    persistent: tuple[str, ...]
    derived: tuple[str, ...]
    acted: bool
    concluded: bool
    unmet: tuple[str, ...] = ()

    def text(self) -> str:
        parts = {
            "changes": tuple(map(str, self.changes)),
            "follows": self.follows,
            "no longer concluded": self.ceases,
            "no longer concluded, though a frame says that it stays": self.persistent,
        }
        lines = [line for title, rows in parts.items() if rows for line in (f"{title}:", *_cut(rows))]
        if self.derived and not (self.changes or self.ceases or self.persistent):
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
        """Return the parts in full. `after` has the facts derived for the state after the action."""
        return {
            "changes": [*map(str, self.changes)],
            "follows": self.follows,
            "ceases": self.ceases,
            "kept": self.persistent,
            "after": self.derived,
            "concluded": self.concluded,
        }


def assume(session: Session, text: str) -> Difference:
    """Return the consequences of assuming the facts in a text. The session is not changed."""
    base = session.base
    supposed = session.facts_in(text)
    with session.supposing(session.menu(supposed)):
        without = base.engine.snapshot()
        with session.supposing(supposed):
            given = {base.engine.encode(fact) for fact in supposed}
            acted = any(_declared(base, fact.relation).kind == "action" for fact in supposed)
            found = _difference(base, without, base.engine.snapshot(), given, acted=acted)
        is_met = found.changes or found.follows or found.derived
        return found if is_met else replace(found, unmet=tuple(_unmet(base, sorted(given))))


def answers_assuming(session: Session, text: str, query: str) -> Answers:
    """Return the answers to a query under the facts in a text. The session is not changed."""
    parsed = session.base.engine.parse_queries(query)
    supposed = session.facts_in(text)
    with session.supposing([*session.menu(supposed), *supposed]):
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
    base: KnowledgeBase, without: _Facts, there: _Facts, given: set[Fact], *, acted: bool
) -> Difference:
    stays = _untouched(base) if acted else frozenset()
    changes: list[FluentChange] = []
    follows: list[str] = []
    ceases: list[str] = []
    lost_after: list[str] = []
    persisting_after: list[str] = []
    concluded_after = False
    derived: list[str] = []
    for template in base.relations():
        declared = _declared(base, template.relation)
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
        follows += [_shown(base, fact) for fact in new if fact not in given]
        ceases += [_shown(base, fact) for fact in removed]
    # If nothing at all is concluded, one line in the text says so.
    ceases += lost_after if concluded_after else []
    return Difference(
        tuple(changes),
        tuple(follows),
        tuple(ceases),
        tuple(persisting_after if concluded_after else ()),
        tuple(derived),
        acted,
        concluded_after,
    )


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
) -> tuple[list[FluentChange], list[Fact]]:
    """Return the changes of a fluent's facts, and its lost facts."""
    width = declared.arity if declared.key is None else declared.key
    old = {fact.cells[:width]: fact for fact in before}
    new = {fact.cells[:width]: fact for fact in after}
    changed = [
        FluentChange(_bare(base, old[key]) if key in old else None, _bare(base, new[key]))
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
