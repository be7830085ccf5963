"""Diagnostics of a text while it is edited.

They equal the diagnostics of `hornbook check` for a file with that text, whatever was typed before.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

import hornbook
from hornbook.editing.workspace import Workspace
from hornbook.kb.check.theory_checks import check
from hornbook.kb.load.import_reader import ImportReader
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.language.edits import edit

THEORIES = Path(hornbook.__file__).parents[2] / "theories"


def full_check(path):
    """Read and check all files anew."""
    try:
        return list(ImportReader().read(path, check).diagnostics)
    except TheoryError as problem:
        return list(problem.diagnostics)


@pytest.mark.parametrize(("theory", "edited", "steps"), [
    ("chess", ("parts/checks.horn", "parts/guards.horn", "parts/attacks.horn"), 10),
    ("firm", ("firm.horn",), 3),
    ("classical", ("stack.horn", "suicide.horn"), 20),
])  # fmt: skip
def test_after_any_edits_the_mistakes_are_those_of_a_full_check(theory, edited, steps, tmp_path, monkeypatch):
    folder = tmp_path / theory
    shutil.copytree(
        THEORIES / theory, folder, ignore=shutil.ignore_patterns("*.py", "*.epd", "*.fen", "*.so", "native")
    )
    monkeypatch.chdir(folder)
    numbers = random.Random(7)
    workspace = Workspace()
    paths = [(folder / name).resolve() for name in edited]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    for path in paths:
        workspace.open(path, texts[path])
    seen = set()
    for _ in range(steps):
        path = numbers.choice(paths)
        # Half of the edits undo an earlier one, so that some texts have no errors.
        text = numbers.choice((texts[path], edit(numbers, texts[path]), edit(numbers, workspace.texts[path])))
        workspace.texts[path] = text
        path.write_text(text, encoding="utf-8")
        for other in paths:
            expected = full_check(other)
            assert workspace.diagnostics(other) == expected, other.name
            seen.add(bool(expected))
    assert seen == {True, False}


def test_a_file_is_parsed_again_only_where_it_changed(tmp_path):
    path = tmp_path / "a.horn"
    workspace = Workspace()
    workspace.open(path, "sort s.\nstatic p(s).\np(a).\np(b).\n")
    before = workspace.parsed(path).clauses
    workspace.texts[path] = "sort s.\nstatic p(s).\np(aa).\np(b).\n"
    after = workspace.parsed(path).clauses
    assert [one is other for one, other in zip(before, after, strict=True)] == [True, True, False, True]


def test_what_a_broken_file_says_otherwise_is_known(tmp_path):
    """Check that an error in a file leaves its other declarations known, also to a file that imports it."""
    below, above = tmp_path / "below.horn", tmp_path / "above.horn"
    workspace = Workspace()
    below.write_text("")
    workspace.open(below, "sort s.\nstatic p(s).\nstatic q(s\nderived r(s).\nr(?x) :- p(?x), nothing(.\n")
    workspace.open(above, "import below.\nderived t(s).\nt(?x) :- r(?x), .\n")
    assert {"p", "r", "t"} <= set(workspace.scope(above).vocabulary.predicates)
    assert [d.code for d in workspace.diagnostics(above)] == ["HB016", "HB001"]


def test_files_that_import_each_other_have_a_scope(tmp_path):
    one, other = tmp_path / "one.horn", tmp_path / "other.horn"
    one.write_text("import other.\nsort a.\n")
    other.write_text("import one.\nsort b.\n")
    workspace = Workspace()
    assert set(workspace.scope(one.resolve()).vocabulary.sorts) >= {"a", "b"}


def test_lemmas_without_a_proof_are_reported_of_a_saved_file_only(tmp_path):
    path = tmp_path / "dim.horn"
    text = "theory dim.\nsort s.\nfluent p(s).\nderived q(s).\nq: q(?x) :- p(?x).\nlemma r: q(?x) :- p(?x).\n"
    path.write_text(text)
    workspace = Workspace()
    workspace.open(path, text)
    assert [(d.code, d.span.line) for d in workspace.unused_lemmas(path)] == [("HB073", 6)]
    workspace.open(path, f"{text}% written on\n")
    assert workspace.unused_lemmas(path) == []
    path.write_text(f"{text}% written on\nq(?x) :- nothing(?x).\n")
    workspace.open(path, path.read_text())
    assert workspace.unused_lemmas(path) == [], "what has errors is no theory"


def test_a_file_edited_under_its_old_time_and_size_is_read_again(tmp_path):
    path = tmp_path / "small.horn"
    path.write_text("sort ab.\n", encoding="utf-8")
    workspace = Workspace()
    assert workspace.text(path) == "sort ab.\n"
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_text("sort cd.\n", encoding="utf-8")
    os.utime(path, ns=times)
    assert workspace.text(path) == "sort cd.\n"
