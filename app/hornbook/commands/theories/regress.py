"""The command `hornbook theory regress`: predicates for the state after actions, derived by regression."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.compiler.learn.regression.theory_regression import (
    regress_theory_repeatedly,
    regressed_name,
    theory_text,
)
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.files import shown
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable, write_text
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line, warn


def regress(
    theory: options.Theory,
    words: Annotated[list[str], argument("WORD…", "Predicates of the theory.")],
    into: Annotated[Path, option("--into", "FILE.horn", "The new theory with the regressed predicates.")],
    by: Annotated[
        str | None,
        option("--by", "ACTION", "The action to regress through; by default the theory's only action."),
    ] = None,
    suffix: Annotated[
        str,
        option(
            "--suffix",
            "NAME",
            "The part of the new names before the number; different actions need different ones.",
        ),
    ] = "in",
    times: Annotated[int, option("--times", "N", "The number of actions to look ahead.", min=1, max=9)] = 1,
    force: Annotated[bool, flag("--force", "Replace the file.")] = False,
) -> None:
    """Write a theory of regressed predicates.

    The regression of WORD through `move(?f, ?t)` is a predicate `WORD_in_1(?f1, ?t1, …)` on the state before
    the move. `WORD_in_2` looks two moves ahead, and so on. Its clauses are derived from the clauses of the
    theory for WORD and for every predicate that WORD depends on. The correctness of each regressed predicate
    is stated as a lemma, which `hornbook rules prove FILE` proves.

    Regressed predicates of different actions need different names: `--suffix promoted` gives
    `WORD_promoted_1`. The predicates are `demanded`, so they are concluded only if rules ask for them.
    Clauses are not regressed if they contain an absence, or a set that actions change, or if they are
    recursive.

    FILE imports the theory by its name, so write FILE into the folder of the theory, or regress a theory that
    ships.
    """
    given = open_theory(theory, unchanged=True)
    _must_be_there(words, given, ("fluent", "derived"), "WORD")
    actions = [name for name, each in given.vocabulary.predicates.items() if each.kind == "action"]
    if by is None and len(actions) != 1:
        there = ", ".join(sorted(actions)) or "none"
        raise ArgumentError(f"name the action; the theory has: {there}", "--by")
    if not re.fullmatch(r"\w+", suffix):
        raise ArgumentError(f"`{suffix}` cannot be part of a name: use letters, digits and `_`", "--suffix")
    action = by or actions[0]
    _must_be_there([action], given, ("action",), "--by")
    if into.exists() and not force:
        warn(f"error: {shown(into)} exists; --force replaces it")
        raise ReportedError(1)
    require_writable(into)
    must_not_shadow(into, given.sources)
    found = regress_theory_repeatedly(given, words, action, times, suffix)
    regressed = {word.predicate.name for word in found}
    if missing := [word for word in words if regressed_name(word, times, suffix) not in regressed]:
        warn(f"error: no clause of {', '.join(missing)} can be regressed")
        raise ReportedError(1)
    write_text(into, theory_text(given, found, into.stem))
    number = counted(sum(word.lemma is not None for word in found), "word")
    print_line(
        f"{shown(into)} written: {number}; `hornbook rules prove {shown(into)}` proves that they come true"
    )


def _must_be_there(names: list[str], theory: Theory, kinds: tuple[str, ...], place: str) -> None:
    known = [name for name, each in theory.vocabulary.predicates.items() if each.kind in kinds]
    for name in names:
        if name not in known:
            what = "action" if kinds == ("action",) else "fluent or derived predicate"
            message = f"the theory has no {what} `{name}`"
            hint = did_you_mean(name, known)
            raise ArgumentError(f"{message}; {hint}" if hint else message, place)
