"""Whether the packages that Hornbook imports are its own.

Others publish packages called kb, matcher, compiler or theories. Where one of them is found first, or was
installed over ours, commands would fail in ways that nobody could read; so the front door looks before it
imports any. Looking finds the packages without running them.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

NAMES = ("kb", "matcher", "compiler", "theories")
"""The top-level packages of the distribution, beside `hornbook` itself."""


class ForeignPackageError(ImportError):
    """A package with the name of one of ours stands where ours should be; the message says what to do."""


def require_own_packages() -> None:
    """Raises ForeignPackageError where one of the packages is not the one that came with `hornbook`."""
    home = Path(__file__).parent.parent
    for name in NAMES:
        problem = _missing_or_shadowed(name, home) or _overwritten(name, home)
        if problem is not None:
            raise ForeignPackageError(problem)


def _missing_or_shadowed(name: str, home: Path) -> str | None:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return (
            f"the package `{name}` of Hornbook is missing beside {home / 'hornbook'}; "
            "install again: pip install --force-reinstall hornbook"
        )
    found = Path(spec.origin).parent
    if found == home / name or found.resolve() == (home / name).resolve():
        return None
    return (
        f"Python finds another package called `{name}` before Hornbook's own:\n"
        f"  found:     {found}\n"
        f"  Hornbook:  {home / name}\n"
        f"Start elsewhere if {found.parent} is the working directory, take it off PYTHONPATH, "
        "or install Hornbook in a virtual environment of its own."
    )


def _overwritten(name: str, home: Path) -> str | None:
    """What to say where another distribution has put its files into the same folder as ours."""
    for record in home.glob(f"{name}-*.dist-info/RECORD"):
        if f"{name}/__init__.py," in record.read_text(encoding="utf-8"):
            return (
                f"the distribution {record.parent.stem} is installed in the same place and also "
                f"brings a package called `{name}`, so the files of the two are mixed.\n"
                f"pip uninstall {name}, then: pip install --force-reinstall hornbook"
            )
    return None
