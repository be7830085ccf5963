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
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest

import hornbook
from hornbook.compiler.match.position import RuleMatcher
from hornbook.kb.sources.deprecations import DEPRECATED, renamed_members, renamed_parameters

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
    found = re.findall(r"^    from (\S+) import (\w+) as (\w+)\b", inspect.getsource(hornbook), re.MULTILINE)
    assert {known: (module, name) for module, name, known in found} == {
        name: (module, hornbook._NAMES_IN_MODULES.get(name, name)) for name, module in hornbook._HOMES.items()
    }


def test_there_are_at_most_thirty_public_names_besides_exceptions():
    assert len([name for name in hornbook.__all__ if not name.endswith("Error")]) <= 30


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


def new_owner(name: str) -> object:
    """Return a public name, or a class that has an old public name."""
    places = [new for new in DEPRECATED.values() if new.startswith("hornbook.") and new.endswith(f".{name}")]
    if name == "RuleMatcher":
        return RuleMatcher
    if not places:
        return getattr(hornbook, name)
    return getattr(import_module(places[0].rpartition(".")[0]), name)


def old_names(form: str) -> list[str]:
    return [old for old in DEPRECATED if re.fullmatch(form, old)]


NAMES, MEMBERS, PARAMETERS = old_names(r"\w+"), old_names(r"\w+\.\w+"), old_names(r"[\w.]+\(\w+=\)")


def test_every_old_name_has_a_known_form():
    assert sorted([*NAMES, *MEMBERS, *PARAMETERS]) == sorted(DEPRECATED)


@pytest.mark.parametrize("old", NAMES)
def test_an_old_name_warns_and_is_the_new_one(old):
    new = DEPRECATED[old]
    with pytest.warns(DeprecationWarning, match=rf"`hornbook\.{old}` will go, use `.*{new}`") as warned:
        found = getattr(hornbook, old)
    assert warned[0].filename == __file__
    assert found is new_owner(new.rpartition(".")[2])
    assert old not in hornbook.__all__


@pytest.mark.parametrize("old", MEMBERS)
def test_an_old_member_warns_and_is_the_new_one(old):
    owner, _, name = old.partition(".")
    path = DEPRECATED[old].removeprefix(f"{owner}.")
    thing = new_owner(owner)
    assert hasattr(thing, path.partition(".")[0])
    assert "_renamed_member" in thing.__getattr__.__code__.co_names
    found = object()
    for part in reversed(path.split(".")):
        found = SimpleNamespace(**{part: found})
    stub = type(owner, (), vars(found))
    with pytest.warns(DeprecationWarning, match=f"use `{owner}.{path}`") as warned:
        assert getattr(renamed_members(stub)(), name) is attrgetter(path)(stub)
    assert warned[0].filename == __file__


def test_an_old_class_method_works_on_the_class():
    with pytest.warns(DeprecationWarning, match="use `Game.read_kif`") as warned:
        assert hornbook.Game.from_kif == hornbook.Game.read_kif
    assert warned[0].filename == __file__


@pytest.mark.parametrize("old", PARAMETERS)
def test_an_old_parameter_warns_and_sets_the_new_one(old):
    called, _, name = old.removesuffix("=)").partition("(")
    new_name = DEPRECATED[old].rpartition("(")[2].rstrip("=)")
    owner, *member = called.split(".")
    thing = new_owner(owner)
    function = getattr(thing, member[0]) if member else thing
    if inspect.isclass(function):
        function = function.__init__
    in_limits = "limits=Limits(" in DEPRECATED[old]
    parameters = inspect.signature(function).parameters
    assert name not in parameters
    assert ("limits" if in_limits else new_name) in parameters
    assert hasattr(function, "__wrapped__")

    def stub(limits: hornbook.Limits | None = None, **given: object) -> object:
        return getattr(limits, new_name) if in_limits else given[new_name]

    stub.__qualname__ = called
    with pytest.warns(DeprecationWarning, match=re.escape(f"use `{DEPRECATED[old]}`")) as warned:
        found = renamed_parameters(stub)(**{name: 7})
    assert warned[0].filename == __file__
    assert found == (7 * 2**20 if name == "megabytes" else 7)


def test_an_old_parameter_keeps_the_other_limits():
    usual = hornbook.Limits(seconds=60.0, nodes=20_000)

    def plan(limits: hornbook.Limits = usual) -> hornbook.Limits:
        return limits

    plan.__qualname__ = "plan"
    with pytest.warns(DeprecationWarning, match="limits"):
        found = renamed_parameters(plan)(seconds=5.0)  # type: ignore[call-arg]
    assert found == hornbook.Limits(seconds=5.0, nodes=20_000)


def test_an_old_parameter_with_the_new_one_is_refused():
    base = hornbook.KnowledgeBase("family")
    with pytest.warns(DeprecationWarning, match="max_answers"), pytest.raises(TypeError, match="both `most`"):
        base.query("parent(?a, ?b)", most=5, max_answers=5)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute `opened_theory`"):
        _ = hornbook.opened_theory


def test_the_page_of_the_api_lists_the_old_names():
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \|$", page, flags=re.MULTILINE)
    assert dict(rows) == DEPRECATED


def test_the_page_of_the_api_describes_every_name_and_shows_every_function():
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    described = re.findall(r"^\.\. auto(?:class|function):: ([\w.]+)$", page, flags=re.MULTILINE)
    assert {f"hornbook.{name}" for name in hornbook.__all__} <= set(described)
    for name in described:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute)
    functions = {name for name in hornbook.__all__ if inspect.isfunction(getattr(hornbook, name))}
    assert functions <= set(re.findall(r"^>>> .*?hornbook\.(\w+)\(", page, flags=re.MULTILINE))


def test_every_package_says_that_it_is_typed():
    for package in ("kb", "matcher", "compiler", "planner", "play", "render", "theories", "app/hornbook"):
        assert (ROOT / package / "py.typed").exists()


def test_the_program_that_types_are_checked_on_runs():
    program = runpy.run_path(str(ROOT / "tests" / "typing" / "embedding.py"))
    assert program["family"]() == [{"who": "ada"}, {"who": "ben"}, {"who": "cleo"}]
    assert len(program["cup"]()) == 1
    assert program["corner"]() == []
    assert [diagnostic.code for diagnostic in program["refused"]()] == ["HB010"]
