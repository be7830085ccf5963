"""`hornbook theory regress`: words for what holds after moves, made from the clauses of a theory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from hornbook.compiler.learn.foretelling import foretell_further, foretold_name, theory_text
from hornbook.inputs import options
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.files import shown
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import must_have_place, write_text


def regress(
    theory: options.Theory,
    words: Annotated[list[str], typer.Argument(metavar="WORD…", help="Predicates of the theory.")],
    into: Annotated[
        Path, typer.Option("--into", metavar="FILE.horn", help="The theory that has the new words.")
    ],
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="ACTION", help="The action that is foretold; by default the only one there is."
        ),
    ] = None,
    suffix: Annotated[
        str,
        typer.Option(
            "--suffix",
            metavar="NAME",
            help="What stands before the number in the new words, one for each action.",
        ),
    ] = "in",
    times: Annotated[
        int, typer.Option("--times", metavar="N", min=1, max=9, help="How many such actions ahead.")
    ] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Write a theory of regressed predicates.

    Of WORD after `move(?f, ?t)`, the word `WORD_in_1(?f1, ?t1, …)` speaks before the move; `WORD_in_2` speaks of two moves, and so on.
    Their clauses are made of those of the theory, and of all that these rest on; that what is foretold comes true is a lemma
    for each word, which `hornbook rules prove FILE` proves. Words of different actions need different names: `--suffix promoted` gives
    `WORD_promoted_1`. The words are `demanded`: they are concluded only where rules ask for them. Nothing is
    foretold by clauses that ask for what is not so, or for a set that actions change, and nothing that rests on itself.

    FILE imports the theory by its name, so it stands beside it, or the theory is one that ships.
    """
    given = open_theory(theory, unchanged=True)
    _must_be_there(words, given, ("fluent", "derived"), "WORD")
    actions = [name for name, each in given.vocabulary.predicates.items() if each.kind == "action"]
    if by is None and len(actions) != 1:
        there = ", ".join(sorted(actions)) or "none"
        raise typer.BadParameter(f"say which action; there are: {there}", param_hint="--by")
    if not re.fullmatch(r"\w+", suffix):
        raise typer.BadParameter(
            f"`{suffix}` is no part of a name: letters, digits and `_` are", param_hint="--suffix"
        )
    action = by or actions[0]
    _must_be_there([action], given, ("action",), "--by")
    if into.exists() and not force:
        typer.echo(f"error: {shown(into)} exists; --force replaces it", err=True)
        raise typer.Exit(1)
    must_have_place(into)
    must_not_shadow(into, given.sources)
    found = foretell_further(given, words, action, times, suffix)
    made = {word.predicate.name for word in found}
    if lacking := [word for word in words if foretold_name(word, times, suffix) not in made]:
        typer.echo(f"error: no clause of {', '.join(lacking)} can be foretold", err=True)
        raise typer.Exit(1)
    write_text(into, theory_text(given, found, into.stem))
    number = counted(sum(word.lemma is not None for word in found), "word")
    typer.echo(
        f"{shown(into)} written: {number}; `hornbook rules prove {shown(into)}` proves that they come true"
    )


def _must_be_there(names: list[str], theory: Theory, kinds: tuple[str, ...], place: str) -> None:
    known = [name for name, each in theory.vocabulary.predicates.items() if each.kind in kinds]
    for name in names:
        if name not in known:
            what = "action" if kinds == ("action",) else "fluent or derived predicate"
            message = f"the theory has no {what} `{name}`"
            hint = did_you_mean(name, known)
            raise typer.BadParameter(f"{message}; {hint}" if hint else message, param_hint=place)
