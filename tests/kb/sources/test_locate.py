"""Tests of locating theories: by path, by name and by import, and never by running their code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.kb.sources import locate as subject
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.locate import known_theories, load_adapter, locate


@pytest.fixture
def house(tmp_path, monkeypatch):
    """Create a package `house_theories` that fails when it is imported.

    It has the registered theories `plumbing` and `wiring`.
    """
    package = tmp_path / "site" / "house_theories"
    for name in ("plumbing", "wiring"):
        (package / name).mkdir(parents=True)
        (package / name / f"{name}.horn").write_text(f"theory {name}.\n", encoding="utf-8")
        (package / name / "__init__.py").write_text("raise AssertionError('imported')\n", encoding="utf-8")
    (package / "__init__.py").write_text("raise AssertionError('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    register(monkeypatch, plumbing="house_theories.plumbing", wiring="house_theories.wiring")
    return package


def register(monkeypatch, **packages):
    monkeypatch.setattr(subject, "registrations", lambda _: iter(packages.items()))


def failure(name, folder=None, **options):
    with pytest.raises(TheoryError) as caught:
        locate(name, folder, **options)
    (problem,) = caught.value.diagnostics
    return problem.code, problem.message, problem.help


def theory(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.horn"
    path.write_text("", encoding="utf-8")
    return path


# Paths


def test_a_file_is_itself(tmp_path):
    path = theory(tmp_path, "odd")
    assert locate(path) == path
    assert locate(str(path)) == path


def test_a_folder_is_the_file_of_its_name_even_among_others(tmp_path):
    path = theory(tmp_path / "pipes", "pipes")
    theory(tmp_path / "pipes", "other")
    assert locate(tmp_path / "pipes") == path


def test_a_folder_is_its_only_theory(tmp_path):
    path = theory(tmp_path / "pipes", "water")
    assert locate(tmp_path / "pipes") == path


def test_the_working_directory_goes_by_its_own_name(tmp_path, monkeypatch):
    theory(tmp_path / "pipes", "pipes")
    theory(tmp_path / "pipes", "other")
    monkeypatch.chdir(tmp_path / "pipes")
    assert locate(".").resolve() == tmp_path / "pipes" / "pipes.horn"


@pytest.mark.parametrize(("names", "count"), [((), "no"), (("one", "two"), "several")])
def test_a_folder_without_a_clear_choice_is_refused(tmp_path, names, count):
    (tmp_path / "pipes").mkdir()
    for name in names:
        theory(tmp_path / "pipes", name)
    code, message, hint = failure(tmp_path / "pipes")
    assert code == "HB005"
    assert message == f"the folder `{tmp_path / 'pipes'}` holds {count} `.horn` files"
    assert hint == "name the theory's file `pipes.horn`"


def test_a_path_that_is_not_there_suggests_a_file_next_to_it(tmp_path):
    theory(tmp_path, "family")
    assert failure(tmp_path / "famly.horn") == (
        "HB005",
        f"there is no file `{tmp_path / 'famly.horn'}`",
        "did you mean `family.horn`?",
    )


def test_what_is_there_and_no_file_is_called_so(tmp_path):
    theory(tmp_path, "loops")
    circle, dangling, pipe = tmp_path / "loop.horn", tmp_path / "lops.horn", tmp_path / "pipe.horn"
    circle.symlink_to(circle)
    dangling.symlink_to(tmp_path / "nothing")
    os.mkfifo(pipe)
    for link in (circle, dangling):
        assert failure(link) == (
            "HB005",
            f"`{link}` is a link that leads to no file",
            "did you mean `loops.horn`?",
        )
    assert locate(pipe) == pipe
    # If an import is not found, a link in the same folder does not stop the search for similar names.
    assert failure("loop", tmp_path)[2] == "did you mean `loops`?"


# Names


def test_a_registered_theory_is_found_by_name_without_importing_anything(house):
    assert locate("wiring") == house / "wiring" / "wiring.horn"
    assert known_theories() == {name: house / name / f"{name}.horn" for name in ("plumbing", "wiring")}
    assert not any(name.startswith("house_theories") for name in sys.modules)


def test_a_folder_without_theories_does_not_hide_a_registered_theory(house, tmp_path, monkeypatch):
    (tmp_path / "here" / "wiring").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert locate("wiring") == house / "wiring" / "wiring.horn"
    path = theory(tmp_path / "here" / "wiring", "wiring")
    assert locate("wiring").resolve() == path


def test_an_unknown_name_suggests_a_known_one(house):
    assert failure("wirings") == (
        "HB005",
        "there is no theory or file `wirings`",
        "did you mean `wiring`?",
    )
    assert failure("chess")[2] == "theories that are installed: plumbing, wiring"


def test_a_name_too_long_for_any_file_is_refused_like_any_other(house):
    assert failure("x" * 5000)[0] == "HB005"


def test_a_registration_that_leads_nowhere_is_named(house, monkeypatch):
    (house / "wiring" / "wiring.horn").unlink()
    register(monkeypatch, wiring="house_theories.wiring", gas="nowhere.gas")
    assert known_theories() == {}
    code, message, _ = failure("wiring")
    assert code == "HB005"
    assert message == (
        "the theory `wiring` is registered as the package `house_theories.wiring`, which has no `wiring.horn`"
    )
    assert failure("gas", Path())[0] == "HB016"


def test_a_namespace_package_inside_another_is_found(tmp_path, monkeypatch):
    path = theory(tmp_path / "site" / "bare_space" / "inner_space" / "gas", "gas")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    register(monkeypatch, gas="bare_space.inner_space.gas")
    assert locate("gas") == path


def test_a_folder_of_compiled_modules_only_does_not_hide_the_theory(tmp_path, monkeypatch):
    """An editable install keeps compiled modules apart from the sources, and lists their folder first."""
    path = theory(tmp_path / "sources" / "split_space" / "gas", "gas")
    compiled = tmp_path / "compiled" / "split_space" / "gas"
    compiled.mkdir(parents=True)
    (compiled / "_core.so").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "sources"))
    monkeypatch.syspath_prepend(str(tmp_path / "compiled"))
    register(monkeypatch, gas="split_space.gas")
    assert locate("gas") == path


def test_our_own_theories_are_registered_where_this_is_installed():
    found = known_theories()
    if not found:
        pytest.skip("hornbook is not installed here")
    assert {"board", "family", "go", "moves"} <= found.keys()
    assert found["board"].parent == found["moves"].parent == found["go"].parent / "parts"
    assert all(path.stem == name for name, path in found.items())


# Imports


def test_an_import_looks_next_to_the_file_then_in_a_folder_then_among_the_registered(house, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    assert locate("wiring", folder) == house / "wiring" / "wiring.horn"
    within = theory(folder / "wiring", "wiring")
    assert locate("wiring", folder) == within
    next_to = theory(folder, "wiring")
    assert locate("wiring", folder) == next_to


def test_an_import_leads_to_a_part_of_the_theory_before_the_registered(house, tmp_path):
    part = theory(tmp_path / "mine" / "parts", "wiring")
    other = theory(tmp_path / "mine" / "parts", "other")
    assert locate("wiring", tmp_path / "mine") == part
    assert locate("wiring", part.parent, importing=other) == part
    next_to = theory(tmp_path / "mine", "wiring")
    assert locate("wiring", tmp_path / "mine") == next_to
    assert failure("wirings", tmp_path / "mine")[2] == "did you mean `wiring`?"


def test_a_registered_theory_may_be_a_part(house, monkeypatch):
    part = theory(house / "plumbing" / "parts", "pipes")
    register(monkeypatch, pipes="house_theories.plumbing", plumbing="house_theories.plumbing")
    assert locate("pipes") == part
    assert known_theories() == {"pipes": part, "plumbing": house / "plumbing" / "plumbing.horn"}


def test_the_adapter_of_a_part_stands_above_it(tmp_path):
    part = theory(tmp_path / "mine" / "parts", "wiring")
    (tmp_path / "mine" / "adapter.py").write_text("WHOSE = 'the theory'\n")
    (part.with_name("adapter.py")).write_text("WHOSE = 'a part'\n")
    assert load_adapter(part).WHOSE == "the theory"
    elsewhere = theory(tmp_path / "mine" / "pieces", "wiring")
    assert load_adapter(elsewhere) is None


def test_an_import_never_leads_to_the_file_that_imports(house, tmp_path):
    rules = theory(tmp_path / "mine", "wiring")
    assert locate("wiring", rules.parent, importing=rules) == house / "wiring" / "wiring.horn"


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "secret.horn", "", "a/b", "_x"])
def test_an_import_is_a_name_and_no_path(tmp_path, name):
    theory(tmp_path, "secret")
    (tmp_path / "mine").mkdir()
    assert failure(name, tmp_path / "mine") == (
        "HB016",
        f"`{name}` is not a theory's name",
        "import by name, never by path",
    )


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_an_import_does_not_follow_links_out_of_the_folder(house, tmp_path, linked):
    outside = theory(tmp_path / "outside", "secret")
    (tmp_path / "mine").mkdir()
    if linked == "file":
        (tmp_path / "mine" / "secret.horn").symlink_to(outside)
    else:
        (tmp_path / "mine" / "secret").symlink_to(outside.parent)
    code, message, _ = failure("secret", tmp_path / "mine")
    assert code == "HB016"
    assert message == "`secret.horn` leads out of the folder of the theory that imports it"


def test_an_import_through_a_link_within_the_folder_is_followed(tmp_path):
    theory(tmp_path / "mine" / "parts", "pipes")
    (tmp_path / "mine" / "pipes.horn").symlink_to(tmp_path / "mine" / "parts" / "pipes.horn")
    assert locate("pipes", tmp_path / "mine") == tmp_path / "mine" / "pipes.horn"


def test_an_unknown_import_suggests_neighbours_and_registered_theories(house, tmp_path):
    rules = theory(tmp_path, "values_of_games")
    theory(tmp_path / "drains", "drains")
    assert failure("drain", tmp_path) == (
        "HB016",
        "there is no theory `drain` to import",
        "did you mean `drains`?",
    )
    assert failure("plumbin", tmp_path)[2] == "did you mean `plumbing`?"
    assert failure("value_of_games", tmp_path)[2] == "did you mean `values_of_games`?"
    # The importing file itself is not suggested.
    assert (
        failure("value_of_games", tmp_path, importing=rules)[2]
        == "put `value_of_games.horn` beside this file"
    )


# Adapters


def test_a_theory_without_an_adapter_has_none(tmp_path):
    assert load_adapter(theory(tmp_path, "pipes")) is None


def test_the_adapter_of_a_registered_theory_is_its_packages_module(tmp_path, monkeypatch):
    path = theory(tmp_path / "site" / "drain_theories" / "drains", "drains")
    (path.parent / "adapter.py").write_text("from drain_theories import DEPTH\n", encoding="utf-8")
    (path.parent.parent / "__init__.py").write_text("DEPTH = 7\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    register(monkeypatch, drains="drain_theories.drains")
    module = load_adapter(locate("drains"))
    assert module is not None
    assert module.DEPTH == 7
    assert module is sys.modules["drain_theories.drains.adapter"]


def test_the_adapter_of_a_folder_may_import_its_neighbours_and_folders_do_not_mix(tmp_path):
    modules = []
    for depth in (1, 2):
        path = theory(tmp_path / str(depth) / "drains", "drains")
        (path.parent / "pipe.py").write_text(f"DEPTH = {depth}\n", encoding="utf-8")
        (path.parent / "adapter.py").write_text("from .pipe import DEPTH\n", encoding="utf-8")
        modules.append(load_adapter(path))
        assert load_adapter(path) is modules[-1]
    assert [module.DEPTH for module in modules] == [1, 2]


@pytest.mark.parametrize("text", ["import no_such_module_at_all", "def", "raise RuntimeError('oh')", "1 / 0"])
def test_an_adapter_that_cannot_be_imported_is_a_named_error(tmp_path, text):
    path = theory(tmp_path, "drains")
    (tmp_path / "adapter.py").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(TheoryError, match=r"HB005.*the adapter cannot be imported: \w+Error: "):
        load_adapter(path)


def test_finding_go_does_not_import_it():
    """This runs in a new process, so that no other test has imported the module before."""
    program = (
        "import sys; from hornbook.kb.sources.locate import known_theories; known_theories();"
        "print(sorted(name for name in sys.modules if name.startswith('theories')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
