"""Our own sheets: the shipped ones, and one for each further feature of GDL."""

from pathlib import Path

from hornbook.planner.gdl.examples import FOLDER

SHEETS = {
    path.stem: path
    for folder in (FOLDER, Path(__file__).parent / "sheets")
    for path in sorted(folder.glob("*.kif"))
}
