"""The folder of a translated game: the theory, the sheet, and short modules for every command."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.text.writing import new_folder, write_texts
from hornbook.planner.translation.sheet_domain import WORDS
from hornbook.planner.translation.sheet_theory import translate_sheet

_ADAPTER = '''"""States and moves of {sheet} as facts of {name}.horn."""

from pathlib import Path

from hornbook.planner.translation.sheet_domain import SheetGame

SHEET = SheetGame(Path(__file__).parent, "{sheet}")
read, facts, step, actions = SHEET.read, SHEET.facts, SHEET.step, SHEET.legal
'''
_DOMAIN = '''"""What the commands ask of the game of {sheet}."""

from hornbook.planner.translation.sheet_domain import SheetDomain

from . import adapter

DOMAIN = SheetDomain(adapter)
'''


def folder_files(sheet: Path, name: str) -> dict[str, str]:
    """Return the texts of the files of the folder, by their names, for a theory of this name.

    Raises TheoryError.
    """
    made = translate_sheet(read_text(sheet, shown(sheet)), shown(sheet), name)
    return {
        f"{name}.horn": made.text,
        f"{name}.kif": made.sheet,
        WORDS: json.dumps(made.words, indent=1) + "\n",
        "adapter.py": _ADAPTER.format(sheet=f"{name}.kif", name=name),
        "domain.py": _DOMAIN.format(sheet=f"{name}.kif"),
        "__init__.py": "",
    }


def write_files(files: Mapping[str, str], into: Path) -> None:
    """Write the files into the folder. A new folder is written completely or not at all."""
    if into.exists():
        # Other files there, such as problems, remain.
        write_texts((into / file, content) for file, content in files.items())
        return
    with new_folder(into.parent), tempfile.TemporaryDirectory(dir=into.parent) as place:
        whole = Path(place) / "whole"
        whole.mkdir()
        write_texts((whole / file, content) for file, content in files.items())
        whole.rename(into)


def write_folder(sheet: Path, into: Path) -> Path:
    """Translate a sheet and write the folder. Return the path of the theory. Raises TheoryError."""
    name = theory_name(into)
    write_files(folder_files(sheet, name), into)
    return into / f"{name}.horn"


def theory_name(into: Path) -> str:
    """Return the name of the theory in a folder."""
    made = re.sub(r"\W", "_", into.name)
    return made if made[:1].isalpha() else f"g{made}"
