"""Tests of the rooms: the allowed imports and includes between them, and the number of files in a folder."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("matcher", "kb", "compiler", "planner", "play", "render", "theories", "app")
"""Folders of the checkout.

When installed, the last one is the package `hornbook` and the others are its subpackages.
"""
ORDER = [
    *("matcher", "matcher.program", "matcher._core", "matcher.compiled", "matcher.demand"),
    "matcher.sql",
    "matcher.standalone",
    *(
        "kb",
        "kb.text",
        "kb.ast",
        "kb.sources",
        "kb.desugar",
        "kb.parse",
        "kb.format",
        "render",
        "kb.integers",
        "kb.check",
        "kb.load",
    ),
    *("kb.lower", "kb.tables", "kb.explain", "kb.pydatalog", "kb.store", "kb.base"),
    "theories",
    *(
        "compiler",
        "compiler.checker",
        "compiler.witness",
        "compiler.generalise",
        "compiler.rules",
        "compiler.trust",
        "compiler.match",
        "compiler.prove",
    ),
    *("compiler.learn", "compiler.maintain", "compiler.refute", "compiler.advise"),
    *(
        "planner",
        "planner._core",
        "planner.gdl",
        "planner.pddl",
        "planner.tasks",
        "planner.grounding",
        "planner.machines",
        "planner.strategies",
        "planner.sequential",
        "planner.conditional",
        "planner.theory_games",
        "planner.translation",
        "planner.pddl_theories",
        "planner.players",
        "planner.protocol",
    ),
    *(
        "play",
        "play.native",
        "play.paths",
        "play.machines",
        "play.answering",
        "play.kep",
        "play.allocation",
        "play.thinking",
    ),
    *("play.whole", "play.tournament"),
    *(
        "terminal",
        "inputs",
        "spread",
        "games",
        "stores",
        "api",
        "advice",
        "repl",
        "web",
        "hornbook",
        "editing",
        "commands",
    ),
    *("command_list", "old_spellings", "application", "cli", "__main__"),
]
"""Every room, by package; a module imports only from its own room and from earlier rooms."""
NEVER = {"theories": ("matcher",)}
"""Packages that a room must not import although they come before it."""
SKELETONS = {
    ROOT / "app" / "hornbook" / "commands" / "theories" / name for name in ("skeleton", "skeleton_game")
}
"""Templates of `hornbook new`. They become user files and are not part of the package around them."""


def modules() -> dict[str, Path]:
    """Return the import name of each module with its file."""
    found = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if SKELETONS.isdisjoint(path.parents):
                prefix = () if package == "app" else ("hornbook",)
                name = ".".join(
                    [
                        *prefix,
                        *path.relative_to(ROOT / "app" if package == "app" else ROOT).with_suffix("").parts,
                    ]
                )
                found[name.removesuffix(".__init__")] = path
    return found


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield every import, also inside functions, by statement or by name."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(level=0, module=str(module), names=names):
                yield from (f"{module}.{name.name}" for name in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module


def edges() -> Iterator[tuple[str, str]]:
    """Yield each module with a project module that it imports."""
    files = modules()
    for name, path in files.items():
        for module in imported(ast.parse(path.read_text(encoding="utf-8"))):
            read = module if module in files else module.rpartition(".")[0]
            if read in files and read != name:
                yield name, read


def room(module: str) -> str:
    """Return the room of a module: the longest entry of ORDER that contains it."""
    parts = module.split(".")[1:] or ["hornbook"]
    return next(
        ".".join(parts[:depth]) for depth in range(len(parts), 0, -1) if ".".join(parts[:depth]) in ORDER
    )


def is_wrong(importing: str, read: str) -> bool:
    above, below = room(importing), room(read)
    return ORDER.index(below) > ORDER.index(above) or below.partition(".")[0] in NEVER.get(above, ())


def test_the_library_imports_nothing_of_the_command_line():
    """The front end alone turns errors of the library into messages and exit codes."""
    found = [
        f"{name} imports {module}"
        for name, path in modules().items()
        if path.relative_to(ROOT).parts[0] != "app"
        for module in imported(ast.parse(path.read_text(encoding="utf-8")))
        if module.partition(".")[0] in ("typer", "click")
    ]
    assert found == []


def test_every_module_lies_in_a_room():
    assert len(modules()) > 300
    assert {room(name) for name in modules()} <= set(ORDER)


def test_no_arrow_leads_upward():
    assert [f"{name} imports {read}" for name, read in edges() if is_wrong(name, read)] == []


def test_no_modules_import_each_other():
    graph: nx.DiGraph[str] = nx.DiGraph(edges())
    assert len(graph) > 300
    assert [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


@pytest.mark.parametrize(
    "source",
    [
        "import hornbook.kb.ast.terms",
        "from hornbook.kb.ast import terms",
        "def f():\n    from hornbook.kb.ast.terms import Atom",
        "if TYPE_CHECKING:\n    import hornbook.kb.ast.terms",
        "import importlib\nimportlib.import_module('hornbook.kb.ast.terms')",
    ],
)
def test_every_way_to_import_is_seen(source):
    found = [name for name in imported(ast.parse(source)) if name.startswith("hornbook.kb.ast.terms")]
    assert len(found) == 1
    assert is_wrong("hornbook.matcher.compiled.engine", found[0])
    assert is_wrong("hornbook.kb.text.lines", found[0])
    assert not is_wrong("hornbook.compiler.checker.checker", found[0])
    assert is_wrong("hornbook.theories.go.adapter", "hornbook.compiler.checker.checker")


def test_every_folder_says_what_it_is_for():
    silent = [
        name
        for name, path in modules().items()
        if path.name == "__init__.py" and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


TESTS = ROOT / "tests"
FOLDERS_OF_TESTS = sorted({path.parent for path in TESTS.rglob("test_*.py")})


def test_the_tests_have_no_packages():
    """A `tests/kb/__init__.py` would be another package `kb`."""
    assert [path for path in TESTS.rglob("*.py") if path.name == "__init__.py"] == []


@pytest.mark.parametrize("folder", FOLDERS_OF_TESTS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_folders_of_tests_mirror_the_rooms_and_are_seen_at_a_glance(folder):
    """Tests of several rooms are next to the folders of these rooms.

    The folder `tests/app` has the tests of `app/hornbook`.
    """
    top, *below = folder.relative_to(ROOT / "tests").parts or ("",)
    assert ROOT.joinpath("app/hornbook" if top == "app" else top, *below).is_dir()
    assert len([path for path in folder.iterdir() if path.name != "__pycache__"]) <= 16


def test_the_page_on_the_house_says_of_each_room_what_the_room_says():
    page = (ROOT / "docs" / "explanation" / "the-house.md").read_text(encoding="utf-8")
    rows = dict(line.strip("| ").split(" | ", 1) for line in page.splitlines() if line.startswith("| `"))
    for name, path in modules().items():
        below = name.removeprefix("hornbook.").split(".")
        is_row = len(below) == 2 and below[0] in ("matcher", "kb", "compiler", "planner", "theories")
        if path.name == "__init__.py" and is_row:
            output = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert rows[f"`{'/'.join(below)}/`"] == " ".join(output.split("\n\n")[0].split())


MOST = 16
"""The maximum number of entries in a folder, without the files that every package has and without proofs."""


def folders() -> Iterator[tuple[Path, int]]:
    """Yield the folders of the packages with their numbers of entries."""
    for top in PACKAGES:
        for folder in (ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())):
            if folder.name != "__pycache__":
                there = (path.name for path in folder.iterdir())
                names = {name for name in there if not name.endswith((".proofs.jsonl", "shown.jsonl"))}
                yield folder, len(names - {"__init__.py", "__pycache__", "py.typed"})


def test_every_folder_can_be_read_at_a_glance():
    found = dict(folders())
    assert len(found) > 60
    assert {str(folder.relative_to(ROOT)): size for folder, size in found.items() if size > MOST} == {}


def test_the_checkout_hides_no_installed_package():
    assert not (ROOT / "hornbook").exists()


def test_the_checkout_has_no_symbolic_links():
    tracked = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    modes = {line.split()[0] for line in tracked.stdout.splitlines()}
    assert "120000" not in modes


def test_only_one_module_imports_typer():
    """All other modules raise HornbookError, which this module turns into a message and an exit code."""
    found = {
        room(name)
        for name, path in modules().items()
        for module in imported(ast.parse(path.read_text(encoding="utf-8")))
        if module.partition(".")[0] in ("typer", "click")
    }
    assert found <= {"application"}


NATIVE = (
    *("matcher/core", "planner/core", "play/core", "theories/go/reading", "matcher/standalone"),
    "kb/parse/reading",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "theories").glob("*/native")),
)
"""The folders of C++. Those of theories are for one game each."""
NATIVE_ORDER = [
    *(
        "matcher/core/data",
        "matcher/core/plan",
        "matcher/core/run",
        "matcher/core/report",
        "matcher/core/python",
    ),
    "matcher/standalone",
    "kb/parse/reading",
    *(f"planner/core/{room}" for room in ("clauses", "grounding", "machine", "resolution")),
    *(f"planner/core/{room}" for room in ("circuit", "network")),
    *(f"planner/core/{room}" for room in ("sequential", "conditional", "play")),
    *(f"planner/core/{room}" for room in ("tasks", "heuristics", "best_first", "python")),
    *(
        "play/core/game.hpp",
        "play/core/perft.hpp",
        "play/core/search",
        "play/core/paths",
        "play/core/allocation",
    ),
    *("play/core/python.hpp", "theories/"),
]
"""Every room of C++; a file includes only files of its own room and of earlier rooms."""
SHARED_BY_PACKAGES = {"planner/core/python/signals.hpp"}
"""Headers that other packages include, besides those of `play/core`, which belong to every game."""


def native_files() -> dict[str, Path]:
    """Return the C++ files by their paths from the root."""
    return {
        str(path.relative_to(ROOT)): path
        for folder in NATIVE
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".cpp", ".hpp", ".h", ".c")
    }


def native_room(file: str) -> str:
    """Return the room of a C++ file: the entry of NATIVE_ORDER with which its path begins."""
    return next(room for room in NATIVE_ORDER if file.startswith(room))


def includes() -> Iterator[tuple[str, str]]:
    """Yield each C++ file with a file of the project that it includes.

    Paths are relative to the root, to the core, or to the file.
    """
    files = native_files()
    for name, path in files.items():
        core = next(folder for folder in NATIVE if name.startswith(f"{folder}/"))
        for read in re.findall(r'^#include "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            places = (read, f"{core}/{read}", str(Path(name).parent / read))
            yield name, next(place for place in places if place in files)


def test_every_native_file_lies_in_a_room():
    assert len(native_files()) > 120
    assert {native_room(name) for name in native_files()} == set(NATIVE_ORDER)


def test_no_include_leads_upward():
    order = NATIVE_ORDER.index
    found = [
        f"{name} includes {read}"
        for name, read in includes()
        if order(native_room(read)) > order(native_room(name))
    ]
    assert found == []


def test_no_native_files_include_each_other():
    assert nx.is_directed_acyclic_graph(nx.DiGraph(includes()))


def test_packages_share_few_native_files():
    """A core is of one package, a game includes no other game, and only games and programs include `play/core`."""
    found = {
        f"{name} includes {read}"
        for name, read in includes()
        if name.split("/")[:2] != read.split("/")[:2]
        and read not in SHARED_BY_PACKAGES
        and not (name.startswith("theories/") and read.startswith("play/core/"))
    }
    assert found == set()


def test_only_the_choice_of_engines_names_the_oracles():
    """The reference engine is loaded by name, if there is a checkout; nothing else of the product is in `oracles`."""
    found = {
        name
        for name, path in modules().items()
        for module in imported(ast.parse(path.read_text(encoding="utf-8")))
        if module.partition(".")[0] in ("oracles", "benchmarks", "tests")
    }
    assert found <= {"hornbook.kb.lower.engines", "hornbook.commands.theories.bench"}


def test_no_game_imports_another_game():
    shared = ("boards", "protocols")
    games = {path.name for path in (ROOT / "theories").iterdir() if path.is_dir() and path.name not in shared}
    found = []
    for name, read in edges():
        above, below = (module.split(".")[1:3] for module in (name, read))
        if above[:1] == below[:1] == ["theories"] and above != below and below[1] in games:
            found.append(f"{name} imports {read}")
    assert found == []
