"""Files that a session reads and writes: facts and rules, tables, states, learned rules.

No existing file is overwritten, except a rule base that the session itself opened or wrote.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.opening import reader_and_state, table_summary
from hornbook.kb.explain.fact_places import facts_of_state
from hornbook.kb.format.line_ends import must_be_writable
from hornbook.kb.format.printer import print_rule
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.tables.database_files import has_tables
from hornbook.kb.tables.table_folders import table_folder, tables_of
from hornbook.kb.tables.tables import load_table, predicate_of
from hornbook.kb.text.writing import write_text
from hornbook.repl.session import NO_THEORY, Session, SessionError, all_counted
from hornbook.terminal.failure import ArgumentError


def load(session: Session, place: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """Add the content of a file: learned rules, facts and rules, tables, or a state that replaces the last
    one.
    """
    path = Path(place).expanduser()
    if "=" in place and not path.exists():
        return add_tables(session, place), ()
    if table_folder(place) is not None or (has_tables(path) and session.has_theory):
        return add_tables(session, str(path)), ()
    if path.suffix != ".horn":
        return load_state(session, path), ()
    if proofs_path(path).exists():
        return open_rules(session, path), ()
    return session.add(read_text(path), place)


def add_tables(session: Session, spec: str) -> str:
    """Add the facts of a table, `PREDICATE=FILE`, or of all tables of a folder or database."""
    vocabulary = session.base.theory.vocabulary
    specs = tables_of(spec, vocabulary)
    formats = session.reading.formats(vocabulary)
    found = [load_table(each, vocabulary, table_format=formats.of(predicate_of(each))) for each in specs]
    summaries = [table_summary(each) for each in found]
    if specs != [spec]:
        summaries = [f"{each}: {summary}" for each, summary in zip(specs, summaries, strict=True)]
    facts = [fact for each in found for fact in each.facts]
    return session.change("; ".join(summaries), add=facts, sources=[each.facts for each in found])


def load_state(session: Session, path: Path) -> str:
    """Replace the current state with the state in a file."""
    if not session.has_theory:
        raise SessionError(NO_THEORY)
    try:
        read = facts_of_state(
            str(path), *reader_and_state(session.base.theory, path), session.base.theory.vocabulary
        )
    except ArgumentError as problem:
        raise SessionError(str(problem)) from None
    state = tuple(read.facts)
    return session.change(f"state {path}", add=state, retract=session.state, state=state, sources=[read])


def open_rules(session: Session, path: Path) -> str:
    """Add the certified rules of a rule base."""
    if len(session.learned):
        raise SessionError("there are learned rules already; `:save` them, then start again with `:theory`")
    learned = rulebase.read(path, session.base.theory)
    summary = take_rules(session, learned, learned.entries.keys())
    session.rules_file = path
    left = sum(not entry.is_certified for entry in learned)
    return summary + (f"; {left} without certificate left out, see `hornbook rules verify`" if left else "")


def take_rules(session: Session, learned: RuleBase, names: Collection[str]) -> str:
    """Add the certified rules with these names.

    The other learned rules may be premises of proofs. Rules without a certificate are not added.
    """
    session.define(learned)
    theory = session.base.theory
    rules = [entry.proved_for(theory) for entry in learned if entry.is_certified and entry.rule.name in names]
    return session.change(all_counted(rule=len(rules)), rules=rules, learned=learned)


def save(session: Session, path: Path | None) -> str:
    """Write the learned rules with their proofs. Without a file, save all changes in the session's store."""
    if path is None:
        if session.save_here is None:
            raise SessionError("name a file: `:save RULES.horn`; or begin with `hornbook repl FILE.sqlite`")
        return session.save_here()
    if not len(session.learned):
        raise SessionError("no learned rule is stored; use `learn`, then `:keep`")
    if path != session.rules_file:
        _must_be_new(path)
        rulebase.must_import(path, session.base.theory)
    rulebase.write(session.learned, path)
    session.rules_file = path
    left = "" if session.pending is None else "; the rules learned last are not stored"
    return f"{all_counted(rule=len(session.learned))} in {path}, with proofs in {proofs_path(path)}{left}"


def write(session: Session, path: Path) -> str:
    """Write the added facts and rules in the format of `--add` and `:load`."""
    rules = session.rules_typed()
    facts = session.facts()
    if not (facts or rules):
        raise SessionError("no fact or rule was added")
    _must_be_new(path)
    must_not_shadow(path, session.base.theory.sources)
    must_be_writable(facts, rules, path)
    lines = [f"{session.shown(fact)}." for fact in facts]
    blocks = ["\n".join(lines)] * bool(lines) + [print_rule(rule).rstrip() for rule in rules]
    write_text(path, "\n\n".join(blocks) + "\n")
    return f"{all_counted(fact=len(facts), rule=len(rules))} in {path}"


def _must_be_new(path: Path) -> None:
    if path.suffix != ".horn":
        raise SessionError(f"name a file that ends in `.horn`, such as `{path}.horn`")
    if path.exists():
        raise SessionError(f"{path} is there already; name a new file")
