"""The command `hornbook check`: diagnostics for theory files."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Annotated

from hornbook.commands.options import argument, flag, theory_names
from hornbook.inputs.store_names import StoreName, store_named
from hornbook.kb.load.verdict import Verdict, verdict
from hornbook.kb.sources.diagnostics import Diagnostic, in_order, render
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.locate import locate
from hornbook.terminal.coloured import show, spinner
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line


def check(
    theories: Annotated[
        list[str],
        argument(
            "FILE…", "Files, folders or stores, or names of theories that ship.", autocompletion=theory_names
        ),
    ],
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
    promises: Annotated[
        bool,
        flag(
            "--promises",
            "For each key and count, show whether proofs may use it and why; also show which replies"
            " are passes.",
        ),
    ] = False,
    expand: Annotated[
        bool, flag("--expand", "Print the file with `persists`, exceptions and `or` expanded to core rules.")
    ] = False,
    no_cache: Annotated[bool, flag("--no-cache", "Check again, even if nothing has changed.")] = False,
) -> None:
    """Find the mistakes in theory files.

    The exit code is 1 if there is an error, and 0 if there are only warnings. `--json` prints a list with one
    object per mistake: file, line, column, code, severity, message, help. The verdict on an unchanged file
    comes from a cache, in the folder named by HORNBOOK_CACHE or in the user's cache folder.
    """
    if expand:
        if len(theories) > 1 or json_output or promises:
            raise ArgumentError("this prints one file, as text", "--expand")
        print_line(_expanded(theories[0]), end="")
        return
    found: dict[Diagnostic, None] = {}
    sources: dict[str, str] = {}
    for theory in dict.fromkeys(theories):
        judged = _judge(theory, cached=not no_cache)
        found.update(dict.fromkeys(judged.diagnostics))
        if not judged.errors:
            found.update(dict.fromkeys(_unused_lemmas(theory)))
        if promises and not judged.errors:
            found.update(dict.fromkeys(_promises(theory)))
        sources.update(judged.sources)
    diagnostics = in_order(found)
    if json_output:
        print_line(
            json.dumps([diagnostic.to_dict() for diagnostic in diagnostics], ensure_ascii=False, indent=1)
        )
    else:
        for diagnostic in diagnostics:
            show(f"{render(diagnostic, sources)}\n", sys.stdout)
        print_line(Verdict(tuple(diagnostics), sources).summary)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise ReportedError(1)


def _unused_lemmas(theory: str) -> list[Diagnostic]:
    """Return the diagnostics for unused lemmas in a theory's own file."""
    if store_named(theory) is not None or "lemma" not in read_text(locate(theory)):
        return []
    from hornbook.inputs.theories import load  # noqa: PLC0415 - the same
    from hornbook.kb.check.unused_lemmas import unused  # noqa: PLC0415 - slow to import, as for a verdict

    return unused(load(theory))


def _promises(theory: str) -> list[Diagnostic]:
    from hornbook.compiler.refute.constraint_notes import notes  # noqa: PLC0415 - a check alone needs no prover
    from hornbook.compiler.refute.pass_notes import pass_notes  # noqa: PLC0415 - the same
    from hornbook.inputs.opening_store import open_theory  # noqa: PLC0415 - slow to import, as for a verdict

    known = open_theory(theory)
    return [*notes(known), *pass_notes(known)]


def _expanded(theory: str) -> str:
    """Return the text of a theory's own file with its abbreviations expanded. Raises TheoryError."""
    from hornbook.kb.desugar.persistence import persistence_rules  # noqa: PLC0415 - a check alone needs none of these
    from hornbook.kb.format.expansion import expanded  # noqa: PLC0415 - the same
    from hornbook.kb.load.import_reader import core_files  # noqa: PLC0415 - the same
    from hornbook.kb.load.loader import load_with_files  # noqa: PLC0415 - the same

    named = store_named(theory)
    if named is None:
        loaded, file, files = load_with_files(theory)
    else:
        from hornbook.inputs.opening_store import open_store  # noqa: PLC0415 - slow to import
        from hornbook.kb.store.closure import check_stored, load_stored  # noqa: PLC0415 - the same

        with open_store(named.path) as store:
            stored = store.theory(named.theory)
            loaded, (file, files) = load_stored(stored), check_stored(stored)
    rules = persistence_rules(loaded.frames, loaded.vocabulary)
    core, _ = core_files([*(files[place].parsed for place in file.imports), file.parsed])
    return expanded(file.parsed, rules, core[-1].clauses)


def _judge(theory: str, *, cached: bool) -> Verdict:
    """Return a verdict, with a spinner on a terminal during the work."""
    with contextlib.ExitStack() as waiting:
        if sys.stderr.isatty():
            waiting.enter_context(spinner(f"checking {theory}"))
        named = store_named(theory)
        return verdict(theory, cached=cached) if named is None else _stored(named)


def _stored(named: StoreName) -> Verdict:
    from hornbook.inputs.opening_store import open_store  # noqa: PLC0415 - slow to import
    from hornbook.kb.store.closure import check_stored  # noqa: PLC0415 - the same

    with open_store(named.path) as store:
        loaded, files = check_stored(store.theory(named.theory))
    return Verdict(loaded.diagnostics, {file.parsed.name: file.parsed.text for file in files.values()})
