"""The commands of `hornbook store`: create, fill, check, show and copy a store."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.rulebase import check_definitions
from hornbook.compiler.rules.stored_rules import (
    PROVABLE,
    put_definitions,
    put_rules,
    read_rule_base,
    stored_definitions,
)
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.opening import limit_of_facts
from hornbook.inputs.opening_store import (
    open_store,
    put_if_new,
    store_errors_as_usage,
    theory_and_text,
    theory_in,
)
from hornbook.inputs.store_names import place_of
from hornbook.inputs.table_reading import TableReading
from hornbook.inputs.theories import proved_lemmas
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.store import Store, StoreError, integrity
from hornbook.kb.store.closure import load_stored
from hornbook.kb.store.connection import create
from hornbook.kb.store.text import export_text, import_text
from hornbook.kb.text.characters import first_half_character, half_character
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_text
from hornbook.stores.fact_files import add_facts, retract_facts
from hornbook.stores.store_report import as_json, text
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line
from hornbook.terminal.screen import print_exactly

FileArgument = Annotated[Path, argument("FILE", "The store, such as `firm.sqlite`.")]
FileOfTheoryArgument = Annotated[
    str, argument("FILE", "The store, or `FILE#THEORY` if it has several theories.")
]


def new(
    file: FileArgument,
    theory: Annotated[
        list[str] | None,
        argument("THEORY", "The first theories of the store.", autocompletion=options.theory_names),
    ] = None,
) -> None:
    """Create a store with theories. Nothing is written if FILE exists already, or a theory has an error."""
    stored = [theory_and_text(each)[1] for each in theory or ()]
    with store_errors_as_usage("FILE"):
        create(file)
    with open_store(file, "write", "FILE") as store, store.transaction():
        for each in stored:
            store.put_theory(each)
    print_line(f"{file}: {', '.join(f'`{each.name}`' for each in stored) or 'no theory yet'}")


def add(
    file: FileOfTheoryArgument,
    theory: Annotated[str | None, argument("THEORY", "A theory; by default the store's only one.")] = None,
    state: options.States = None,
    facts: options.Tables = None,
    add: options.Added = None,
    table_format: options.TableFormat = None,
    skip_bad: options.SkipBad = False,
    most_facts: options.MaxFacts = None,
) -> None:
    """Add a theory, or facts to one. All facts are added, or none if one has an error."""
    given = None if theory is None else theory_and_text(theory)
    named = place_of(file)
    done: list[str] = []
    with open_store(named.path, "write", "FILE") as store, store.transaction():
        if given is not None and put_if_new(store, *given):
            done.append(f"the theory `{given[0].name}` is new")
        elif not (state or facts or add):
            done.append("nothing to add; give a theory that the store lacks, or facts")
        known = theory_in(store, named.theory, unchanged=bool(state)) if given is None else given[0]
        if state or facts or add:
            limits = limit_of_facts(most_facts)
            reading = TableReading(skip_bad, tuple(table_format or ()))
            new = add_facts(store, known, state or (), facts or (), add or (), reading=reading, limits=limits)
            done.append(f"{counted(new, 'new fact')}, {store.count_facts(known.name)} in all")
    # The transaction is committed, so the reported changes are on disk.
    for each in done:
        print_line(f"{file}: {each}")


def retract(
    file: FileOfTheoryArgument,
    facts: Annotated[list[Path], argument("FACTS.horn", "Facts in the language.")],
    most_facts: options.MaxFacts = None,
) -> None:
    """Remove added facts."""
    named = place_of(file)
    with open_store(named.path, "write", "FILE") as store:
        known = theory_in(store, named.theory)
        number = retract_facts(store, known, facts, limit_of_facts(most_facts))
        print_line(f"{file}: {counted(number, 'fact')} taken away, {store.count_facts(known.name)} left")


def check(
    file: FileArgument,
    quick: Annotated[bool, flag("--quick", "Do not replay the certificates.")] = False,
    json_output: options.Json = False,
) -> None:
    """Check the integrity of a store. It looks at the file, its rows, and every rule's certificate.

    The exit code is 1 if something is wrong. The store is not changed.
    """
    with open_store(file, hint="FILE") as store, store.snapshot():
        problems = integrity.problems(store)
        verified = 0
        for theory in [] if problems or quick else store.theories():
            known = load_stored(theory, proved_lemmas)
            for verdict in verify_all(read_rule_base(store, known, PROVABLE, verify=False), known):
                verified += verdict.follows
                if not verdict.follows:
                    problems.append(f"the rule `{verdict.entry.rule.name}`: {verdict.reason}")
    if json_output:
        print_json({"problems": problems, "verified": verified})
    else:
        for problem in problems:
            print_line(f"{file}: {problem}")
        certificates = "" if quick else f", {counted(verified, 'rule follows', 'rules follow')}"
        print_line(f"{file}: " + (counted(len(problems), "problem") if problems else f"whole{certificates}"))
    if problems:
        raise ReportedError(1)


def show(file: FileArgument, json_output: options.Json = False) -> None:
    """Show the content of a store."""
    with open_store(file, hint="FILE") as store, store.snapshot():
        print_line(json.dumps(as_json(store), ensure_ascii=False) if json_output else text(store))


def export(
    file: FileOfTheoryArgument,
    into: Annotated[Path | None, argument("TEXT", "The file to write; standard output if not given.")] = None,
    rules: Annotated[
        bool, flag("--rules", "Only the active rules, as `learn` writes them into a file.")
    ] = False,
) -> None:
    """Write a store as text. `hornbook store import` makes the same store from it."""
    named = place_of(file)
    with open_store(named.path, hint="FILE") as store, store.snapshot():
        if rules:
            base = read_rule_base(store, theory_in(store, named.theory), verify=False)
            content = rulebase.rules_text(base)
        else:
            content = export_text(store)
    if into is None:
        print_exactly(content)
        return
    must_not_shadow(into)
    if rules:
        if into.exists():
            raise FileExistsError(f"{into} already exists; nothing was written")
        rulebase.write(base, into)
    else:
        write_text(into, content)


def import_(
    file: FileOfTheoryArgument,
    source: Annotated[
        Path, argument("TEXT", "A file written by `store export`, or learned rules (`.horn`).")
    ],
) -> None:
    """Create a store from text, or add rules to a store.

    Text makes a new store. From a rule base (`.horn`), the rules that follow and whose names are new are
    added to an existing store; the exit code is 1 if others are left out.
    """
    if source.suffix != ".horn":
        with store_errors_as_usage("TEXT"):
            import_text(_text_of(source), str(source), Path(file))
        return
    named = place_of(file)
    with open_store(named.path, "write", "FILE") as store:
        left_out = _import_rules(store, source, theory_in(store, named.theory))
    if left_out:
        raise ReportedError(1)


def _text_of(source: Path) -> str:
    """Return the text of an export with its own line ends. Raises StoreError if it is not valid UTF-8."""
    text = source.read_bytes().decode(errors="surrogateescape")
    place = first_half_character(text)
    if place is not None:
        line = text.count("\n", 0, place) + 1
        raise StoreError(f"{source}:{line}: {half_character(text[place])}")
    return text


def _import_rules(store: Store, source: Path, known: Theory) -> bool:
    """Add rules whose proofs hold, and return whether some were left out."""
    names = {rule.name for rule in store.rules(known.name)}
    base, good = rulebase.read(source, known, verify=False), []
    definitions = stored_definitions(store, known.name)
    conflicts = definitions.conflicts(base.definitions)
    if conflicts:
        raise StoreError(f"{store.path} has another definition of `{min(conflicts)}` than {source}")
    definitions = definitions.merged(base.definitions)
    clauses = {clause.name for clause in definitions.clauses}
    wrong = check_definitions(definitions, known)
    if wrong:
        raise TheoryError(wrong, {})
    if clauses & names:
        raise StoreError(
            f"{store.path} has a rule `{min(clauses & names)}`, as a clause in {source} is called"
        )
    for verdict in verify_all(replace(base, definitions=definitions), known):
        name = verdict.entry.rule.name
        reason = verdict.reason or ("the store has a rule of this name" if name in names | clauses else "")
        if reason:
            print_line(f"{verdict.entry.rule.span}: {name}: left out: {reason}")
        else:
            good.append(verdict.entry)
    put_definitions(store, definitions, known.name)
    put_rules(store, good, known.name)
    print_line(f"{store.path}: {counted(len(good), 'new rule')}")
    return len(good) < len(base)
