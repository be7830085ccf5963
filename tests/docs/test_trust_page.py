"""Tests of the pages on trust.

Their statements about the checker's files and lines and about the theories' clauses are true.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from hornbook.compiler.trust.kinds import kinds
from hornbook.inputs.theories import load

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")
_MESSAGE = re.compile(
    r"The checker is these files of `compiler/checker/`, about ([\d,]+) lines: (.*?)\.\s+They import",
    re.DOTALL,
)


def imported(start: str) -> dict[Path, set[str]]:
    """Return the files of `compiler/checker/` that a file needs, itself included.

    Each has the set of project packages that it imports.
    """
    found: dict[Path, set[str]] = {}
    todo = [ROOT / "compiler" / "checker" / start]
    while todo:
        file = todo.pop()
        if file in found or not file.is_file():
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        modules = [module.removeprefix("hornbook.") for module in modules]
        found[file] = {module.partition(".")[0] for module in modules}
        todo += [
            ROOT / f"{module.replace('.', '/')}.py" for module in modules if module.startswith("compiler.")
        ]
    return found


def test_the_files_and_lines_of_the_checker_are_those_that_are_reported():
    output = _MESSAGE.search(PAGE)
    assert output is not None
    files = imported("checker.py")
    assert sorted(re.findall(r"`(\w+\.py)`", output[2])) == sorted(file.name for file in files)
    lines = sum(len(file.read_text(encoding="utf-8").split("\n")) - 1 for file in files)
    # "About" means within a twentieth.
    assert abs(lines - int(output[1].replace(",", ""))) * 20 <= lines, f"it has {lines:,} lines"


def test_the_checker_imports_nothing_of_the_learner_the_prover_or_the_engine():
    files = imported("checker.py")
    assert {file.parent.name for file in files} == {"checker"}
    assert set().union(*files.values()) & {"matcher", "theories", "hornbook", "lark", "networkx"} == set()


def test_the_page_can_be_found():
    for page in ("README.md", "SECURITY.md", "docs/index.md", "docs/explanation/index.md"):
        assert "explanation/trust.md" in (ROOT / page).read_text(encoding="utf-8").replace(
            "(trust.md)", "(explanation/trust.md)"
        )


OPPONENT = (ROOT / "docs" / "explanation" / "the-opponent.md").read_text(encoding="utf-8")
_GIVEN = re.compile(
    r"^\| `(?:\w+/)?(\w+\.horn)` \| (\d+)(?:, (\d+) claims)?(?:, (\d+) transitions)?(?:, (\d+) of games)? \|",
    re.MULTILINE,
)
CHESS = ROOT / "theories" / "chess"


@pytest.mark.parametrize(
    ("theory", "files"),
    [
        ("go", {"capture.horn", "safety.horn"}),
        ("outlasting", {"outlasting.horn"}),
        (CHESS / "balance.horn", {"prospects.horn", "forks.horn", "escort.horn", "balance.horn"}),
        (CHESS / "endings" / "endings.horn", {"lone_pawn.horn", "endings.horn"}),
        (CHESS / "parts" / "gains.horn", {"gains.horn"}),
        (CHESS / "endings" / "lone_king.horn", {"lone_king.horn"}),
    ],
)
def test_what_is_given_is_as_many_definitions_and_claims_as_are_reported(theory: str | Path, files: set[str]):
    output = {row[1]: [int(row[n] or 0) for n in (2, 3, 4, 5)] for row in _GIVEN.finditer(OPPONENT)}
    assert len(output) == 11
    known = load(theory).without_lemmas()
    of = Counter(
        (Path(rule.span.file).name, kind) for rule, kind in zip(known.rules, kinds(known), strict=True)
    )
    order = ("definition", "claim", "transition", "game")
    assert {file: output[file] for file in files} == {
        file: [of[file, kind] for kind in order] for file in files
    }


@pytest.mark.parametrize(
    ("theory", "pattern", "order"),
    [
        (
            "chess",
            r"Of the (\d+) clauses that chess assumes, (\d+) are; (\d+) say what .*?, (\d+) \(`games.horn`\) .*?, and (\d+) are claims",
            ("definition", "transition", "game", "claim"),
        ),
        ("go", r"Of the (\d+) of Go, (\d+) are definitions, and (\d+) claims", ("definition", "claim")),
    ],
)
def test_the_sums_are_as_message(theory: str, pattern: str, order: tuple[str, ...]):
    output = re.search(pattern, OPPONENT, re.DOTALL)
    assert output is not None
    of = Counter(kinds(load(theory).without_lemmas()))
    assert list(map(int, output.groups())) == [of.total(), *(of[kind] for kind in order)]
