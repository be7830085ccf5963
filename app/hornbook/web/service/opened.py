"""Theory, facts and learned rules of a service, loaded once and shared by all its processes."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from hornbook.compiler.maintain.forgotten import read_forgotten
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.stored_rules import PROVABLE, read_rule_base
from hornbook.inputs.completeness import empty_relations_warning, relations_of
from hornbook.inputs.opening import read_tables
from hornbook.inputs.opening_store import refused_message
from hornbook.inputs.store_names import store_named
from hornbook.inputs.theories import load, proved_lemmas, unproved_message
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.store import Store
from hornbook.kb.store.closure import fingerprint_of, has_changed, load_stored
from hornbook.kb.store.errors import StoreError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service.messages import Setup


@dataclass(frozen=True, slots=True)
class LoadedData:
    """A theory with facts and learned rules."""

    theory: Theory
    facts: tuple[Sequence[GroundFact], ...] = ()
    rules: RuleBase | None = None
    """The learned rules. The unmatched ones serve as lemmas of proofs."""
    active: AbstractSet[str] = frozenset()
    store: str | None = None
    """The store that facts without a table come from."""
    warnings: tuple[str, ...] = ()

    @property
    def certified(self) -> list[str]:
        """The names of the matched rules."""
        return (
            []
            if self.rules is None
            else [e.rule.name for e in self.rules if e.is_certified and e.rule.name in self.active]
        )

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.theory)


def opened(setup: Setup) -> LoadedData:
    """Load a theory or a store, replay the proofs of its rules, and read the tables.

    Raises:
        TheoryError: If a text has mistakes.
        StoreError: If a store cannot be used.
        TableError: If a table cannot be used.
    """
    found = _without_tables(setup)
    return _with_tables(setup, found) if setup.tables else found


def _without_tables(setup: Setup) -> LoadedData:
    named = store_named(setup.target)
    if named is None:
        theory = load(setup.target)
        warnings = _of_lemmas(theory)
        if setup.rules is not None:
            return _with_file(setup, theory, warnings=warnings)
        return LoadedData(theory, warnings=warnings)
    with Store(named.path) as store, store.snapshot():
        stored = store.theory(named.theory)
        theory = load_stored(stored, proved_lemmas)
        warnings = _of_lemmas(theory)
        if has_changed(stored):
            message = f"`{stored.target}` was changed since the theory `{stored.name}` was stored"
            way = (
                f"`hornbook rules verify {named.path} --renew` accepts the new text; no other process"
                " may write to the store meanwhile"
            )
            warnings = (*warnings, f"{message}; the store's is used, and no states are read; {way}")
        facts = tuple(store.facts_in_columns(theory.name))
        if setup.rules is not None:
            return _with_file(setup, theory, facts, str(named.path), warnings)
        rules = read_rule_base(store, theory, PROVABLE)
        active = rules.answering & {rule.name for rule in store.rules(theory.name, ["active"])}
        theory = rules.definitions.extended(theory)
        refused = refused_message(rules, active)
        warnings = warnings if refused is None else (*warnings, refused)
        return LoadedData(theory, facts, rules if active else None, active, str(named.path), warnings)


def _of_lemmas(theory: Theory) -> tuple[str, ...]:
    message = unproved_message(theory)
    return () if message is None else (message,)


def _with_file(
    setup: Setup,
    theory: Theory,
    facts: tuple[Sequence[GroundFact], ...] = (),
    store: str | None = None,
    warnings: tuple[str, ...] = (),
) -> LoadedData:
    assert setup.rules is not None
    rules = rulebase.read(setup.rules, theory)
    theory = rules.definitions.extended(theory)
    refused = refused_message(rules, rules.entries)
    warnings = warnings if refused is None else (*warnings, refused)
    active = rules.answering - read_forgotten(setup.rules, rules).keys()
    return LoadedData(theory, facts, rules, active, store, warnings)


def _with_tables(setup: Setup, found: LoadedData) -> LoadedData:
    reported: list[str] = []
    read = read_tables(setup.tables, found.theory.vocabulary, reading=setup.reading, tell=reported.append)
    tables = tuple(table.facts for _, table in read)
    given = {relation for table in tables for relation in relations_of(table)}
    if found.store is None and (missing := empty_relations_warning(found.theory, given)):
        reported.append(missing)
    return replace(found, facts=(*found.facts, *tables), warnings=(*found.warnings, *reported))


def opened_store(target: str) -> tuple[Store, Theory]:
    """Return a store opened for writing, with the selected theory. Raises StoreError."""
    named = store_named(target)
    if named is None:
        raise StoreError(
            f"{target}: this is not a store, so its facts cannot change; create a store with `hornbook"
            " store new`"
        )
    store = Store(named.path, "write")
    try:
        return store, load_stored(store.theory(named.theory), proved_lemmas)
    except BaseException:
        store.close()
        raise
