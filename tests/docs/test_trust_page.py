"""What the page on trust says of the checker is what the checker is: its files, and its size in lines."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")
_SAID = re.compile(
    r"The checker is these files of `compiler/checker/`, about ([\d,]+) lines: (.*?)\.\s+They import",
    re.DOTALL,
)


def imported(start: str) -> dict[Path, set[str]]:
    """The files of `compiler/checker/` that one of them needs, itself too, each with the packages of ours that it imports."""
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


def test_the_files_and_lines_of_the_checker_are_those_that_are_said():
    said = _SAID.search(PAGE)
    assert said is not None
    files = imported("checker.py")
    assert sorted(re.findall(r"`(\w+\.py)`", said[2])) == sorted(file.name for file in files)
    lines = sum(len(file.read_text(encoding="utf-8").split("\n")) - 1 for file in files)
    # "About": not further off than a twentieth.
    assert abs(lines - int(said[1].replace(",", ""))) * 20 <= lines, f"it has {lines:,} lines"


def test_the_checker_imports_nothing_of_the_learner_the_prover_or_the_engine():
    files = imported("checker.py")
    assert {file.parent.name for file in files} == {"checker"}
    assert set().union(*files.values()) & {"matcher", "theories", "hornbook", "lark", "networkx"} == set()


def test_the_page_can_be_found():
    for page in ("README.md", "SECURITY.md", "docs/index.md", "docs/explanation/index.md"):
        assert "explanation/trust.md" in (ROOT / page).read_text(encoding="utf-8").replace(
            "(trust.md)", "(explanation/trust.md)"
        )
