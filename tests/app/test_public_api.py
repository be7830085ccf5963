"""The public names: each has a docstring, has types, and has the signature listed in `public_api.txt`.

A change of `public_api.txt` affects every program that imports Hornbook: see docs/reference/versions.md.
`HORNBOOK_UPDATE_GOLDEN=1` writes the file again.
"""

from __future__ import annotations

import doctest
import inspect
import os
import re
import runpy
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType

import pytest

import hornbook

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).parent / "public_api.txt"


def signature(thing: object) -> str:
    try:
        text = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"ForwardRef\('(.*?)'\)", r"\1", text)
    return re.sub(r" at 0x[0-9a-f]+", "", text).replace("'", "").replace('"', "")


def members(thing: type) -> list[tuple[str, object]]:
    """Return a class's own members and those inherited from Hornbook classes, sorted by name.

    For an exception, return only its own.
    """
    ours = [of for of in reversed(thing.__mro__) if of.__module__.startswith("hornbook.")]
    found = {name: value for of in ours for name, value in vars(of).items()}
    return sorted((vars(thing) if issubclass(thing, Exception) else found).items())


def listing() -> str:
    """List every public name with its signature. The members of a class follow the class."""
    lines = []
    for name, thing in ((name, getattr(hornbook, name)) for name in sorted(hornbook.__all__)):
        if not inspect.isclass(thing):
            lines.append(f"{name}{signature(thing)}")
            continue
        raised = issubclass(thing, Exception)
        lines.append(f"{name}: exception" if raised else f"{name}{signature(thing)}")
        for member, value in members(thing):
            if not member.startswith("_") and isinstance(value, FunctionType | property | classmethod):
                lines.append(f"  .{member}{signature(getattr(thing, member))}")
    return "\n".join(lines) + "\n"


def test_the_public_names_and_signatures_are_those_that_are_listed():
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        LISTED.write_text(listing(), encoding="utf-8")
    changed = sorted(set(listing().splitlines()) ^ set(LISTED.read_text(encoding="utf-8").splitlines()))
    assert changed == [], "if this is meant, write the list again with HORNBOOK_UPDATE_GOLDEN=1"
    assert listing() == LISTED.read_text(encoding="utf-8")


def test_type_checkers_see_the_names_that_programs_import():
    found = re.findall(
        r"^    from (\S+) import (\w+) as (\w+)$", inspect.getsource(hornbook), flags=re.MULTILINE
    )
    assert {known: (module, name) for module, name, known in found} == {
        name: (module, name) for name, module in hornbook._HOMES.items()
    }


@pytest.mark.parametrize("name", hornbook.__all__)
def test_a_public_name_says_what_it_means(name):
    thing = getattr(hornbook, name)
    own = [thing] if not inspect.isclass(thing) else [thing, *_methods(thing)]
    missing = [each.__name__ for each in own if not (each.__doc__ or "").strip()]
    assert missing == []
    # A module of the same name would replace the public name when it is imported.
    assert find_spec(f"hornbook.{name}") is None


def _methods(thing: type) -> list[object]:
    """Return the methods whose name and signature do not describe them sufficiently."""
    return [
        value
        for member, value in members(thing)
        if not member.startswith("_")
        and inspect.isfunction(value)
        and len(inspect.signature(value).parameters) > 1
    ]


def test_the_examples_in_docstrings_are_right(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {name: getattr(hornbook, name) for name in hornbook.__all__}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    finder = doctest.DocTestFinder(recurse=False)
    for name, thing in names.items():
        for test in finder.find(thing, name, globs=dict(names), module=False):
            runner.run(test)
    assert runner.failures == 0
    assert runner.tries >= 12


def test_a_name_that_will_go_works_and_says_what_to_use(monkeypatch):
    monkeypatch.setitem(hornbook._OLD, "open_theory", ("load", "0.2"))
    with pytest.warns(DeprecationWarning, match=r"use `hornbook\.load` \(deprecated since 0\.2\)") as warned:
        assert hornbook.open_theory is hornbook.load
    assert warned[0].filename == __file__
    with pytest.raises(AttributeError, match="no attribute `opened_theory`"):
        _ = hornbook.opened_theory


def test_every_package_says_that_it_is_typed():
    for package in ("kb", "matcher", "compiler", "planner", "play", "theories", "app/hornbook"):
        assert (ROOT / package / "py.typed").exists()


def test_the_program_that_types_are_checked_on_runs():
    program = runpy.run_path(str(ROOT / "tests" / "typing" / "embedding.py"))
    assert program["family"]() == [{"who": "ada"}, {"who": "ben"}, {"who": "cleo"}]
    assert len(program["cup"]()) == 1
    assert program["corner"]() == []
    assert [diagnostic.code for diagnostic in program["refused"]()] == ["HB010"]
