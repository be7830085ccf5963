"""Our own sheets: the shipped ones, and one for each further feature of GDL."""

from pathlib import Path

from hornbook.planner.gdl.examples import FOLDER

SHEETS = {
    path.stem: path
    for folder in (FOLDER, Path(__file__).parent / "sheets")
    for path in sorted(folder.glob("*.kif"))
}

BOARDS = {path.stem: path for path in sorted((Path(__file__).parent / "small_boards").glob("*.kif"))}
"""Games on small boards, whose wins in two moves are learned and searched."""
