"""Theories and learned rules, opened from files or from a store given as THEORY.

A store is named `FILE.sqlite`, or `FILE.sqlite#NAME` if it has several theories. The text of the theory in
the store is used. A warning is printed if the theory's files have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.inputs.opening import SeenSource, open_base
from hornbook.inputs.store_names import StoreName, place_of, store_named
from hornbook.inputs.table_reading import TableReading
from hornbook.inputs.theories import load_with_warnings, proved_lemmas, warn_unproved
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import warn

if TYPE_CHECKING:
    from hornbook.compiler.rules.admission import RuleBase
    from hornbook.kb.base.knowledge_base import KnowledgeBase
    from hornbook.kb.store import Store, StoredTheory
    from hornbook.kb.store.connection import Mode


@contextmanager
def store_errors_as_usage(hint: str = "THEORY") -> Iterator[None]:
    """Turn a StoreError into ArgumentError, which gives exit code 2."""
    from hornbook.kb.store import StoreError  # noqa: PLC0415 - slow to import

    try:
        yield
    except StoreError as problem:
        raise ArgumentError(str(problem), argument=hint) from None


@contextmanager
def open_store(path: Path, mode: Mode = "read", hint: str = "THEORY") -> Iterator[Store]:
    """Yield a store and close it at the end.

    Raises ArgumentError if it cannot be opened. `hint` is the argument that named the store.
    """
    from hornbook.kb.store import Store  # noqa: PLC0415 - slow to import

    with store_errors_as_usage(hint):
        store = Store(path, mode)
    with store:
        yield store


@contextmanager
def open_store_theory(target: str, mode: Mode) -> Iterator[tuple[Store, str]]:
    """Yield a store and the name of the theory that `target` selects in it."""
    named = place_of(target)
    with open_store(named.path, mode, "STORE") as store:
        with store_errors_as_usage("STORE"):
            name = store.theory(named.theory).name
        yield store, name


def open_theory(target: str, *, unchanged: bool = False) -> Theory:
    """Return the theory that a command line names; `unchanged` as in `theory_in`."""
    named = store_named(target)
    if named is None:
        return load_with_warnings(target)
    with open_store(named.path) as store, store.snapshot():
        return theory_in(store, named.theory, unchanged=unchanged)


def theory_in(store: Store, name: str | None = None, *, unchanged: bool = False) -> Theory:
    """Return the theory of a store with this name, or its only theory.

    Set `unchanged` if the caller also needs the theory's files or the code in their folder. Then
    ArgumentError is raised if the files differ from the stored text.
    """
    from hornbook.kb.store import StoreError  # noqa: PLC0415 - slow to import
    from hornbook.kb.store.closure import has_changed, load_stored  # noqa: PLC0415 - the same

    with store_errors_as_usage():
        stored = store.theory(name)
        if has_changed(stored):
            message = (
                f"`{stored.target}` was changed since the theory `{stored.name}` was stored;"
                f" `hornbook rules verify {store.path} --renew` takes the new text"
            )
            if unchanged:
                raise StoreError(message)
            warn(f"warning: {message}; the store's is used")
        theory = load_stored(stored, proved_lemmas)
    warn_unproved(theory)
    return theory


def theory_and_text(target: str) -> tuple[Theory, StoredTheory]:
    """Return the theory that a command line names, loaded and in its stored form."""
    from hornbook.kb.store.closure import load_and_read, load_stored  # noqa: PLC0415 - slow to import

    named = store_named(target)
    if named is None:
        theory, stored = load_and_read(target, proved_lemmas)
    else:
        with open_store(named.path) as store, store_errors_as_usage():
            stored = store.theory(named.theory)
            theory = load_stored(stored, proved_lemmas)
    warn_unproved(theory)
    return theory, stored


def put_if_new(store: Store, theory: Theory, stored: StoredTheory) -> bool:
    """Store a theory if the store lacks it, and return whether it was stored.

    Raises ArgumentError if the store has another text of the theory.
    """
    from hornbook.kb.store.closure import require_same  # noqa: PLC0415 - slow to import

    if stored.name not in {each.name for each in store.theories()}:
        store.put_theory(stored)
        return True
    with store_errors_as_usage():
        require_same(store.theory(stored.name), theory)
    return False


@dataclass(frozen=True, slots=True)
class TheoryWithRules:
    """Learned rules with their theory, which has the invented predicates of the rules.

    `active` has the names of the rules to query. The other rules may be premises of their proofs.
    """

    theory: Theory
    base: RuleBase
    active: AbstractSet[str]
    store: Path | None = None
    """The store that contains the rules."""

    @property
    def active_base(self) -> RuleBase:
        """The rule base restricted to the rules to query."""
        entries = {name: entry for name, entry in self.base.entries.items() if name in self.active}
        shapes = {name: shape for name, shape in self.base.shapes.items() if name in self.active}
        return replace(self.base, entries=entries, shapes=shapes)


def with_rules(
    theory: str,
    rules: Path | None,
    *,
    verify: bool = True,
    must: Callable[[Theory], None] = lambda _: None,
) -> TheoryWithRules:
    """Return a theory with learned rules from a file, or with the rules of its store.

    `must` raises if the theory is unsuitable. With `verify`, rules that do not follow are refused and
    reported. Without it, the caller accepts or verifies the rules.
    """
    from hornbook.planner.gdl.examples import is_sheet  # noqa: PLC0415 - only commands with rules need it

    if is_sheet(theory):
        message = "a game in GDL has no rules; `hornbook game import` makes a theory of it"
        raise ArgumentError(message, argument="--rules")
    named = store_named(theory)
    if rules is None and named is not None:
        return _of_store(named, None, unchanged=True, verify=verify, must=must)
    known = open_theory(theory, unchanged=True)
    must(known)
    if rules is None:
        raise ArgumentError("this option is required, unless THEORY is a store", argument="--rules")
    return _of_file(rules, known, verify=verify)


def rules_of(
    rules: str, theory: str | None, *, unchanged: bool = False, verify: bool = True
) -> TheoryWithRules:
    """Return the learned rules of a file for a theory, or of a store.

    For a store, `theory` defaults to the store's theory.
    """
    named = store_named(rules)
    if named is not None:
        known = None if theory is None else open_theory(theory)
        return _of_store(named, known, unchanged=unchanged, verify=verify)
    return _of_file(Path(rules), theory_argument(theory), verify=verify)


def theory_argument(theory: str | None) -> Theory:
    """Return the theory of a file of rules. Raises ArgumentError if no theory is named."""
    if theory is None:
        raise ArgumentError("this option is required, unless RULES is a store", argument="--theory")
    return open_theory(theory)


def _of_file(rules: Path, theory: Theory, *, verify: bool) -> TheoryWithRules:
    learned = _in_file(rules, theory, verify=verify)
    warn_refused(learned.base, learned.active)
    return learned


def _in_file(rules: Path, theory: Theory, *, verify: bool = True) -> TheoryWithRules:
    """Return the rules of a file. Lemmas and forgotten rules are not active."""
    from hornbook.compiler.maintain.forgotten import read_forgotten  # noqa: PLC0415 - slow to import

    base = _read(rules, theory, verify=verify)
    active = base.answering - read_forgotten(rules, base).keys()
    return TheoryWithRules(base.definitions.extended(theory), base, active)


def _of_store(
    named: StoreName,
    theory: Theory | None,
    *,
    unchanged: bool,
    verify: bool,
    must: Callable[[Theory], None] = lambda _: None,
) -> TheoryWithRules:
    from hornbook.compiler.rules.stored_rules import PROVABLE, read_rule_base  # noqa: PLC0415 - slow to import

    with open_store(named.path) as store, store.snapshot():
        known = theory_in(store, named.theory, unchanged=unchanged) if theory is None else theory
        must(known)
        with store_errors_as_usage():
            active = frozenset(rule.name for rule in store.rules(known.name, ["active"]))
            base = read_rule_base(store, known, PROVABLE, verify=verify)
        warn_refused(base, active)
        return TheoryWithRules(base.definitions.extended(known), base, active & base.answering, named.path)


def warn_refused(base: RuleBase, names: Collection[str]) -> None:
    """Warn on the error stream about queried rules without a certificate for the current theory."""
    if (message := refused_message(base, names)) is not None:
        warn(f"warning: {message}")


def refused_message(base: RuleBase, names: Collection[str]) -> str | None:
    """Return a message about queried rules without a certificate for the current theory.

    Return None if all have one.
    """
    refused = [e for e in base if e.refused and e.rule.name in names]
    if not refused:
        return None
    first, such = refused[0], ", such as" if len(refused) > 1 else ","
    return (
        f"{len(refused)} of {counted(len(names), 'learned rule')} left out{such} `{first.rule.name}`:"
        f" {first.refused}; `hornbook rules verify --renew` brings rules up to date"
    )


def open_query_base(
    theory: str,
    rules: Path | None,
    states: list[Path] | None,
    tables: list[str] | None,
    files: list[Path] | None,
    *,
    reading: TableReading,
    limits: Limits,
    engine: EngineName | None = None,
    seen: SeenSource | None = None,
) -> KnowledgeBase:
    """Return the knowledge base of a command that answers queries.

    It includes the learned rules of a file or of the store. `seen` is called with each source of facts.
    """

    def base_of(known: Theory, learned: RuleBase | None, store: Store | None) -> KnowledgeBase:
        known = known if learned is None else learned.definitions.extended(known)
        base = open_base(
            known,
            states,
            tables,
            files,
            reading=reading,
            limits=limits,
            store=store,
            engine=engine,
            seen=seen,
        )
        if store is not None and seen is not None:
            from hornbook.kb.store.places import facts_in_store  # noqa: PLC0415 - slow to import

            seen(facts_in_store(store.path, known.name))
        base.add_rules([] if learned is None else certified_of(learned, known))
        return base

    named = store_named(theory)
    if named is None:
        known = load_with_warnings(theory)
        return base_of(known, None if rules is None else _in_file(rules, known).active_base, None)
    from hornbook.compiler.rules.stored_rules import read_rule_base  # noqa: PLC0415 - slow to import

    with open_store(named.path) as store, store.snapshot():
        known = theory_in(store, named.theory, unchanged=bool(states))
        with store_errors_as_usage():
            learned = read_rule_base(store, known) if rules is None else _in_file(rules, known).active_base
        return base_of(known, learned, store)


def _read(rules: Path, theory: Theory, *, verify: bool = True) -> RuleBase:
    from hornbook.compiler.rules.parse_cache import read_again  # noqa: PLC0415 - slow to import

    again = read_again(rules, theory) if verify else None
    if again is not None:
        return again
    from hornbook.compiler.rules import rulebase  # noqa: PLC0415 - slower to import

    return rulebase.read(rules, theory, verify=verify)


def certified_of(base: RuleBase, theory: Theory) -> list[Rule]:
    """Return the certified rules that answer, of a base that was read with the theory. Report those that the
    checker refused.
    """
    warn_refused(base, base.entries)
    return [each.proved_for(theory) for each in base if each.is_certified and not each.rule.lemma]
