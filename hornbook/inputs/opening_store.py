"""Stores as the commands open them: for reading or writing, the theory that is meant, and its rules.

A theory that is named on the command line is read from its files and must be the store's; one that is left out comes
from the store's own text, with a word where its files say something else by now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.stored_rules import PROVABLE, read_rule_base
from hornbook.inputs.opening import open_base
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.kb.lower.network_words import counted
from hornbook.kb.sources.locate import known_theories
from hornbook.kb.store import Store, StoreError
from hornbook.kb.store.closure import has_changed, load_stored
from hornbook.kb.store.connection import Mode
from hornbook.kb.store.keeping import theory_of

Given = TypeVar("Given")
OPTION = "--kb"
StoreOption = Annotated[
    Path | None,
    typer.Option(
        OPTION, metavar="FILE.sqlite", help="A store, which has the theory, its facts and its learned rules."
    ),
]
TheoryOfStore = Annotated[
    str | None,
    typer.Argument(metavar="THEORY", help="A theory that ships, a file or a folder; not needed with --kb."),
]
OptionalRules = Annotated[
    Path | None,
    typer.Argument(metavar="RULES", help="A rule base, such as `learn` writes; not needed with --kb."),
]
OptionalTheory = Annotated[
    str | None, typer.Option("--theory", metavar="THEORY", help="The theory that the rules are for.")
]
RulesOfFile = Annotated[
    Path | None, typer.Option("--rules", metavar="RULES.horn", help="Rules that were learned.")
]


@contextmanager
def told(hint: str = OPTION) -> Iterator[None]:
    """What is wrong with a store inside, as a mistake of the command line: exit code 2."""
    try:
        yield
    except StoreError as problem:
        raise typer.BadParameter(str(problem), param_hint=hint) from None


@contextmanager
def opened(path: Path, mode: Mode = "read", hint: str = OPTION) -> Iterator[Store]:
    """A store, closed at the end. Raises BadParameter where it cannot be opened; `hint` is how it was named."""
    with told(hint):
        store = Store(path, mode)
    with store:
        yield store


def theory_in(store: Store, theory: str | None, *, unchanged: bool = False) -> Theory:
    """The theory of a store that is meant: the one named, or its only one.

    `unchanged` is for what also rests on the theory's files, or on code beside them. Raises BadParameter where the store has another text.
    """
    with told(OPTION if theory is None else "THEORY"):
        if theory is not None:
            return theory_of(store, theory)
        stored = store.theory()
        if has_changed(stored):
            said = (
                f"`{stored.target}` was changed since the theory `{stored.name}` was stored;"
                f" `hornbook recertify {OPTION} {store.path}` takes the new text"
            )
            if unchanged:
                raise StoreError(said)
            typer.echo(f"warning: {said}; the store's is used", err=True)
        return load_stored(stored)


def with_theory(theory: str | None, kb: Path | None, *, unchanged: bool = False) -> Theory:
    """The theory of a command that asks for nothing else."""
    if kb is None:
        return load(required(theory, "THEORY"))
    with opened(kb) as store, store.snapshot():
        return theory_in(store, theory, unchanged=unchanged)


def with_rules(
    theory: str | None,
    rules: Path | None,
    kb: Path | None,
    *,
    hint: str = "--rules",
    unchanged: bool = True,
    verify: bool = True,
    must: Callable[[Theory], None] = lambda _: None,
) -> tuple[Theory, RuleBase, frozenset[str]]:
    """A theory, its learned rules from a file or a store, and the names of those that are to be asked.

    A store's rule base has forgotten rules too, since proofs may rest on them. Rules that do not follow are refused, and
    told, unless the caller does not `verify` or does so itself. `must` raises where the theory is none that is wanted.
    """
    if kb is None:
        known = load(required(theory, "THEORY"))
        must(known)
        base = rulebase.read(required(rules, hint), known, verify=verify)
        tell_refused(base, base.entries)
        return known, base, frozenset(base.entries)
    if rules is not None:
        raise typer.BadParameter(f"give rules or a store, not both ({OPTION})", param_hint=hint)
    with opened(kb) as store, store.snapshot():
        known = theory_in(store, theory, unchanged=unchanged)
        must(known)
        with told():
            active = {rule.name for rule in store.rules(known.name, ["active"])}
            base = read_rule_base(store, known, PROVABLE, verify=verify)
        tell_refused(base, active)
        return known, base, frozenset(active)


def tell_refused(base: RuleBase, asked: Collection[str]) -> None:
    """Says on the error stream which of the rules asked are not certified for the theory as it is."""
    refused = [e for e in base if e.refused and e.rule.name in asked]
    if refused:
        first, such = refused[0], ", such as" if len(refused) > 1 else ","
        typer.echo(
            f"warning: {len(refused)} of {counted(len(asked), 'learned rule')} left out{such} `{first.rule.name}`:"
            f" {first.refused}; `hornbook recertify` brings rules up to date",
            err=True,
        )


def only(base: RuleBase, names: frozenset[str]) -> RuleBase:
    """A rule base with the rules of these names, which keeps what else it knows."""
    kept = {name: entry for name, entry in base.entries.items() if name in names}
    shapes = {name: shape for name, shape in base.shapes.items() if name in names}
    return RuleBase(base.theory, kept, shapes, base.numbers)


def shifted(theory: str | None, other: str | None, kb: Path | None) -> tuple[str | None, str | None]:
    """THEORY and the argument after it: with a store the first may be left out, and what is given is the second.

    The name of an installed theory is never taken for a file that is not there.
    """
    if kb is None or other is not None or theory is None:
        return theory, other
    is_theory = theory in known_theories() and not Path(theory).exists()
    return (theory, None) if is_theory else (None, theory)


def open_asked(
    theory: str | None,
    question: str | None,
    name: str,
    kb: Path | None,
    rules: Path | None,
    states: list[Path] | None,
    tables: list[str] | None,
    files: list[Path] | None,
    *,
    skip_bad: bool,
    seconds: float | None,
    memory: int,
) -> tuple[KnowledgeBase, str]:
    """The knowledge base of a command that asks something, the argument called `name`, and the question.

    Learned rules answer too: those of a file, or the active ones of a store.
    """
    theory, question = shifted(theory, question, kb)
    given = partial(
        open_base,
        states=states,
        tables=tables,
        files=files,
        skip_bad=skip_bad,
        seconds=seconds,
        memory=memory,
    )
    if kb is None:
        known = load(required(theory, "THEORY"))
        question = required(question, name, instead=False)
        learned = [] if rules is None else certified_of(rulebase.read(rules, known))
        base = given(known)
    else:
        if rules is not None:
            raise typer.BadParameter(f"give rules or a store, not both ({OPTION})", param_hint="--rules")
        question = required(question, name, instead=False)
        with opened(kb) as store, store.snapshot():
            known = theory_in(store, theory, unchanged=bool(states))
            with told():
                learned = certified_of(read_rule_base(store, known))
            base = given(known, store=store)
    base.add_rules(learned)
    return base, question


def certified_of(base: RuleBase) -> list[Rule]:
    """The rules of a base that are certified; what is refused is told."""
    tell_refused(base, base.entries)
    return [entry.answering for entry in base if entry.is_certified]


def required(value: Given | None, name: str, *, instead: bool = True) -> Given:
    """What must be there, where no store stands `instead` of it. Raises BadParameter."""
    if value is None:
        raise typer.BadParameter(f"it is missing{f'; or give {OPTION}' if instead else ''}", param_hint=name)
    return value
