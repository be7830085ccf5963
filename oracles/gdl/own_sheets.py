"""Sheets of our own: those that ship, and others, each for something that sheets do."""

from pathlib import Path

from hornbook.planner.gdl.examples import FOLDER

SHEETS = {
    path.stem: path
    for folder in (FOLDER, Path(__file__).parent / "sheets")
    for path in sorted(folder.glob("*.kif"))
}
