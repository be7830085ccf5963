"""Show type checkers and editors the package as it is installed: `python packaging/tree.py`.

The checkout has a folder for each package (`kb`, `matcher`, ...), and the build maps them to `hornbook.kb`,
`hornbook.matcher` and so on. This script makes `build/tree/hornbook`, an ignored folder of symbolic links
with the installed layout.
Nothing that runs uses it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / "build" / "tree" / "hornbook"


def main() -> None:
    """Make the tree anew from the folders that `pyproject.toml` maps."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = settings["tool"]["scikit-build"]["wheel"]["packages"]
    TREE.mkdir(parents=True, exist_ok=True)
    for link in TREE.iterdir():
        link.unlink()
    for entry in (ROOT / packages.pop("hornbook")).iterdir():
        if entry.name != "__pycache__":
            (TREE / entry.name).symlink_to(entry)
    for package, folder in packages.items():
        (TREE / package.removeprefix("hornbook/")).symlink_to(ROOT / folder)


if __name__ == "__main__":
    main()
