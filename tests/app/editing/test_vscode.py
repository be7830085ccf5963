"""The VS Code extension: consistent files, a grammar with the language's keywords, and a working client."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hornbook.kb.ast.operators import FUNCTIONS
from hornbook.kb.text.scanner import KEYWORDS
from oracles.editing.words import USES, WORDS

FOLDER = Path(__file__).parents[3] / "editors" / "vscode"
spec = importlib.util.spec_from_file_location("make_vscode", FOLDER / "make.py")
assert spec is not None
assert spec.loader is not None
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)


def test_the_grammar_is_the_one_that_the_language_gives():
    assert make.GRAMMAR.read_text(encoding="utf-8") == make.grammar_text(), "python editors/vscode/make.py"


def scope(text, at):
    """Return the scope of the first rule that matches at a position.

    A match may also begin before the position and extend beyond it.
    """
    here = 0
    rules = [(rule["name"], re.compile(rule["match"], re.MULTILINE)) for rule in make.grammar()["patterns"]]
    while here <= at:
        found = [
            (m.start(), number, m.end(), name)
            for number, (name, rule) in enumerate(rules)
            if (m := rule.search(text, here)) and m.end() > m.start()
        ]
        if not found:
            return None
        start, _, end, name = min(found)
        if start <= at < end:
            return name
        here = max(end, here + 1)
    return None


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("% sort", "sort", "comment.line.percentage.horn"),
        ("sort s.", "sort", "keyword.declaration.horn"),
        ("x: p(?a) :- before q(?a).", "before", "keyword.control.horn"),
        ("x: p(?a) :- before q(?a).", "x", "entity.name.label.horn"),
        ("lemma x: p(?a) :- q(?a).", "lemma", "keyword.declaration.horn"),
        ("lemma x: p(?a) :- q(?a).", "x:", "entity.name.label.horn"),
        ("x: p(?a) :- before q(?a).", "q(", "entity.name.function.horn"),
        ("p(?a) :- ?a = max(1, 2).", "max", "support.function.horn"),
        ("p('a % b').", "% b", "string.quoted.single.horn"),
        ("p(?sort).", "sort", "variable.other.horn"),
        ("t(?b) is GI.", "GI", "constant.language.horn"),
        ("p(?a) :- q(?a), ?a >= 3.", ">=", "keyword.operator.horn"),
        ("p(?a) :- q(?a, 3).", "3", "constant.numeric.horn"),
        ("p(?a) :- q(?a, 2024-02-29).", "2024-02-29", "constant.numeric.horn"),
        ("p(?a) :- q(?a, 12.50).", "12.50", "constant.numeric.horn"),
        ("p(sorted).", "sorted", None),
    ],
)
def test_words_have_the_scopes_of_what_they_are(text, word, name):
    assert scope(text, text.index(word)) == name


def test_every_word_of_the_language_has_a_scope():
    for word in KEYWORDS:
        assert scope(f"{word} s(?x).", 0) is not None, word
    for word in FUNCTIONS:
        assert scope(f"p(?x) :- ?x = {word}(1).", 14) == "support.function.horn"


def test_what_is_packed_has_all_that_the_package_names(tmp_path):
    make.pack(tmp_path / "hornbook.vsix")
    with zipfile.ZipFile(tmp_path / "hornbook.vsix") as packed:
        names = set(packed.namelist())
        package = json.loads(packed.read("extension/package.json"))
    shown = package["contributes"]
    needed = [package["main"], shown["grammars"][0]["path"], shown["languages"][0]["configuration"]]
    assert {f"extension/{name.removeprefix('./')}" for name in needed} <= names
    assert {"[Content_Types].xml", "extension.vsixmanifest", "extension/README.md"} <= names
    json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))


@pytest.mark.judges
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_client_speaks_with_the_server(tmp_path):
    (tmp_path / "words.horn").write_text(WORDS, encoding="utf-8")
    (tmp_path / "uses.horn").write_text(USES, encoding="utf-8")
    command = tmp_path / "hornbook"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hornbook "$@"\n')
    command.chmod(0o755)
    script = Path(__file__).with_name("session.js")
    run = ["node", script, FOLDER / "extension.js", command, tmp_path, tmp_path / "uses.horn"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["wrong"], found["mistake"], found["fixes"]) == (0, [["HB010", 0, 0]], ["Write `good`"])
    assert found["definition"].endswith("/words.horn")
    assert (found["references"], found["highlights"], found["renamed"], found["lenses"]) == (5, 1, 2, 0)
    assert found["renamable"] == {"start": {"line": 4, "character": 14}, "end": {"line": 4, "character": 18}}
    assert "derived good(point)." in found["hover"]
    assert {"near", "stone"} <= set(found["completion"])
    assert found["symbols"] == ["best", "it_is_good"]
    assert sorted(found["everywhere"]) == ["good", "it_is_good"]
    assert found["hints"] == [": point", ": colour", ": cents"]
    assert found["formatted"] == 0
    assert found["tokens"] > 100
    assert found["errors"] == []
