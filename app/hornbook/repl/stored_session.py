"""A session with a store: it begins with the store's contents, and `:save` writes its changes to the store.

The store is open only while it is read or saved. Saving stores all changes or none.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.stored_rules import PROVABLE, changes, put_definitions, put_rules, read_rule_base
from hornbook.inputs.opening_store import open_store, theory_in
from hornbook.inputs.store_names import StoreName
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.store import Store
from hornbook.kb.store.places import facts_in_store
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.files import take_rules
from hornbook.repl.session import Session, SessionError, all_counted


@dataclass(frozen=True, slots=True)
class StoreSnapshot:
    """A store with its contents at the last synchronisation. `mark` changes with its learned rules."""

    path: Path
    facts: frozenset[GroundFact]
    learned: RuleBase
    mark: str


def begin(
    named: StoreName,
    limits: Limits,
    open_base: Callable[[str | None], KnowledgeBase],
    prepare: Callable[[Session], None],
) -> Session:
    """Return a session with a store's theory, facts and active rules.

    Facts and rules added by `prepare` are not saved. Raises ArgumentError if the store cannot be opened.
    """
    path = named.path
    with open_store(path) as store, store.snapshot():
        known = theory_in(store, named.theory)
        session = Session(open_base, KnowledgeBase(known, store=store, limits=limits), limits=limits)
        learned = read_rule_base(store, known, PROVABLE)
        active = {rule.name for rule in store.rules(known.name, ["active"])}
        mark = _mark(store, known.name)
    session.sources = (facts_in_store(path, known.name),)
    take_rules(session, learned, active)
    prepare(session)
    stored = StoreSnapshot(path, frozenset(session.base.given()), session.learned, mark)

    def save_here() -> str:
        nonlocal stored
        summary, stored = keep(session, stored)
        return summary

    session.save_here = save_here
    return session


def keep(session: Session, stored: StoreSnapshot) -> tuple[str, StoreSnapshot]:
    """Save the facts and rules added, retracted and learned since the last synchronisation.

    Raises StoreError, and SessionError if the store's rules have changed.
    """
    theory = session.base.theory
    given = frozenset(session.base.given())
    own = session.retracted()
    new, removed = given - stored.facts, stored.facts - given - own
    rules, dropped = changes(stored.learned, session.learned)
    with Store(stored.path, "write") as store, store.transaction():
        if _mark(store, theory.name) != stored.mark:
            raise SessionError(
                f"the rules in {stored.path} were changed meanwhile; `:save RULES.horn` keeps these"
            )
        KnowledgeBase(theory, store=store).exchange(sorted(removed, key=str), sorted(new, key=str))
        put_definitions(store, session.learned.definitions, theory.name)
        put_rules(store, rules, theory.name)
        store.set_state(dropped, "retired", "a more general rule was learned", theory.name)
        mark = _mark(store, theory.name)
    summary = f"saved in {stored.path}: {all_counted(fact=len(new), rule=len(rules))}"
    summary += f", {all_counted(fact=len(removed))} retracted" if removed else ""
    typed = len(session.rules_typed())
    if typed:
        summary += f"; {all_counted(rule=typed)} typed here only, which `:write FILE.horn` keeps"
    if own:
        summary += f"; {all_counted(fact=len(own))} of the theory retracted here only"
    return summary, StoreSnapshot(stored.path, given, session.learned, mark)


def _mark(store: Store, theory: str) -> str:
    return repr(sorted(store.fingerprints_of_rules(theory).items()))
