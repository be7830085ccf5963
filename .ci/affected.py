"""The files that a change can affect: `python .ci/affected.py BASE`.

The command prints the files that the changes since the Git revision BASE can affect, one a line. Without a
known BASE, it prints all files. `.ci/run` selects tests and steps by it.

A file is affected in one of these ways:

- It changed.
- It imports an affected file. Imports inside functions count, and so do names of modules in its strings.
- It is a test or an oracle, and its folder or one below has a changed file that no module imports, such as a
  golden file.
- It is a test or an oracle, and one of its strings has the name of such a file or of a folder around it.
- A theory changed, and a string names this theory or one that imports it.
- It reads whole folders of the repository, and anything changed.

A change to the build, to the checks themselves or to a shared core of C++ affects every file.

Invariants: a selection may be too large, but a test that is left out cannot depend on the change.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

EVERYTHING = (
    ".ci/",
    "CMakeLists.txt",
    "matcher/core/",
    "packaging/RequireCompiler.cmake",
    "play/core/",
    "pyproject.toml",
)
"""Changes that affect every file."""
CORES = {"planner/core/": "planner/_core.py", "kb/parse/reading/": "kb/parse/_reading.py"}
"""Folders of C++, each with the module that is built from it."""
USERS = ("tests/", "oracles/")
"""Folders whose files may depend on files that they do not import."""
WHOLE_FOLDERS = frozenset({"git", "rglob"})
"""Words in the code or the strings of a file that reads whole folders of the repository."""
THEORIES = frozenset({"README", "docs", "theories"})
"""Words of the files that read any theory; the pages of the documentation use many."""
COMMANDS = ("hornbook.cli", "hornbook.__main__")
"""The modules that a process named `hornbook` runs."""
BENCH = frozenset({"bench", "benchmarks"})
"""Words of the tests of `hornbook theory bench`, which runs the benchmarks in a checkout."""

_MODULE = re.compile(r"[a-z_]+(?:\.\w+)+")
_COMMAND = re.compile(r"\bhornbook\b(?!\.\w)")
_PACKAGE = re.compile(r"[a-z_]+(?:\.\w+)*\.")
_THEORY_IMPORT = re.compile(r"^\s*import\s+(\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")


@dataclass
class Source:
    """A Python file: the modules that it imports, and the words in its strings.

    The imports in `first` happen when the module is imported, and the others when its functions are called.
    All modules of the packages in `below` may be imported. A lazy module imports a name in `lazy` when it is
    used.
    """

    imports: set[str] = field(default_factory=set)
    first: set[str] = field(default_factory=set)
    below: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    lazy: dict[str, set[str]] = field(default_factory=dict)


class Project:
    """The Python files of a checkout, with what each imports and names."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self.root, self.files = root, frozenset(files)
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        self._theories = settings["project"]["entry-points"]["hornbook.theories"]
        mapped = settings["tool"]["scikit-build"]["wheel"]["packages"]
        folders = {package.replace("/", "."): folder for package, folder in mapped.items()}
        folders |= {"oracles": "oracles", "benchmarks": "benchmarks"}
        self.packages = dict(sorted(folders.items(), reverse=True))  # the innermost package first
        self.sources = {name: self._source(name) for name in self.files if name.endswith(".py")}
        self._add_words_of_data()

    def affected(self, changed: set[str]) -> set[str]:
        """Return all files that the changes can affect, including the changed ones."""
        if any(name.startswith(EVERYTHING) for name in changed):
            return set(self.files)
        words = set[str]()
        found = set(changed)
        for name in changed:
            found |= {module for core, module in CORES.items() if name.startswith(core)}
            if name.startswith("theories/"):
                words |= THEORIES | self._theories_with(name.split("/")[1])
            elif name.startswith("benchmarks/"):
                words |= BENCH
            if not self._is_module(name) and not name.startswith(tuple(CORES)):
                found |= self._around(name)
                if not name.startswith("theories/"):
                    path = PurePosixPath(name)
                    words |= {*path.parts[:-1], path.stem, path.name} - {"tests"}
        if changed:
            words |= WHOLE_FOLDERS
        for name, source in self.sources.items():
            if name.startswith(USERS) and not words.isdisjoint(source.words):
                found.add(name)
        return self._importers(found)

    def _importers(self, found: set[str]) -> set[str]:
        """Return the given files and all files that import them, directly or not."""
        users = self._users(found)
        reached = set[str]()
        todo = [*found, *(f"{name} first" for name in found)]
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo += users[name]
        return {name for name in reached if " " not in name}

    def _users(self, found: set[str]) -> defaultdict[str, set[str]]:
        """Return for each file the files that import it, also for found files that were deleted.

        The key `FILE first` is the part of FILE that runs when it is imported. The key `FILE NAME` is a name
        that a lazy module FILE imports when the name is used.
        """
        users: defaultdict[str, set[str]] = defaultdict(set)

        def add(user: str, modules: Iterable[str]) -> None:
            for module in modules:
                for path in self._paths(module):
                    users[path].add(user)

        for name, source in self.sources.items():
            users[f"{name} first"].add(name)
            add(name, source.imports)
            add(f"{name} first", source.first)
            for word, modules in source.lazy.items():
                add(f"{name} {word}", modules)
                users[f"{name} {word}"].add(name)
            for folder in filter(None, map(self._folder, source.below)):
                if name.startswith(("benchmarks/", *USERS)) or not folder.startswith("benchmarks/"):
                    for other in (*self.sources, *found):
                        if other.startswith(folder):
                            users[other].add(name)
            if name.startswith("tests/"):
                for folder in PurePosixPath(name).parents:
                    if name != f"{folder}/conftest.py":
                        users[f"{folder}/conftest.py"].add(name)
        return users

    def _paths(self, module: str) -> Iterator[str]:
        """Return the keys of the files that an import of the module may read; they need not exist.

        An import also runs the `__init__.py` of each package around the module.
        """
        parts = module.split(".")
        for count in range(1, len(parts)):
            folder = self._folder(".".join(parts[:count]))
            if folder:
                yield f"{folder}__init__.py first"
                if count == len(parts) - 1:
                    lazy = self.sources.get(f"{folder}__init__.py", Source()).lazy
                    yield (
                        f"{folder}__init__.py {parts[-1]}"
                        if parts[-1] in lazy
                        else f"{folder}__init__.py first"
                    )
        folder = self._folder(module)
        if folder:
            yield f"{folder}__init__.py"
            yield f"{folder[:-1]}.py"

    def _folder(self, module: str) -> str:
        """Return the folder of a module of the project if it is a package, or an empty text."""
        for package, folder in self.packages.items():
            if f"{module}.".startswith(f"{package}."):
                return folder + module[len(package) :].replace(".", "/") + "/"
        return ""

    def _is_module(self, name: str) -> bool:
        """Return whether other files can use this one only by importing it."""
        path = PurePosixPath(name)
        if path.suffix != ".py":
            return False
        if name.startswith(("tests/", "benchmarks/")):
            return (
                path.name == "conftest.py" or path.name.startswith("test_") or name.startswith("benchmarks/")
            )
        return any(name.startswith(f"{folder}/") for folder in self.packages.values()) and (
            path.name == "__init__.py" or f"{path.parent}/__init__.py" in self.files
        )

    def _around(self, name: str) -> set[str]:
        """Return the Python files in the innermost folder around the file that has any, and below it."""
        for folder in PurePosixPath(name).parents:
            if folder != PurePosixPath() and (
                found := {o for o in self.sources if o.startswith(f"{folder}/")}
            ):
                return found
        return set()

    def _theories_with(self, folder: str) -> set[str]:
        """Return the names of the theories in a folder below `theories/`, and of those that import them."""
        names: defaultdict[str, set[str]] = defaultdict(set)
        files: defaultdict[str, set[str]] = defaultdict(set)
        imports: defaultdict[str, set[str]] = defaultdict(set)
        for name, package in self._theories.items():
            names[package.split(".")[2]].add(name)
        for name in self.files:
            if name.startswith("theories/") and name.endswith(".horn"):
                path = PurePosixPath(name)
                files[path.parts[1]].add(path.stem)
                imports[path.parts[1]] |= set(_THEORY_IMPORT.findall(self._text(name)))
        folders = {folder}
        while more := {
            other
            for other, imported in imports.items()
            if other not in folders
            and not imported.isdisjoint(set().union(*(files[each] for each in folders)))
        }:
            folders |= more
        return folders.union(*(names[each] for each in folders))

    def _add_words_of_data(self) -> None:
        """Add the theories that a file of test data imports to the words of the tests around it."""
        for name in self.files:
            if name.startswith(USERS) and PurePosixPath(name).suffix in {".horn", ".toml", ".txt"}:
                words = set(_THEORY_IMPORT.findall(self._text(name)))
                for other in self._around(name) if words else ():
                    self.sources[other].words |= words

    def _text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def _source(self, name: str) -> Source:
        """Read a Python file."""
        tree = ast.parse(self._text(name))
        source = Source()
        documentation = set[int]()
        names = set[int]()
        attributes = set[str]()
        runs_commands = False
        for node in ast.walk(tree):  # a node comes before its parts
            match node:
                case ast.Import() | ast.ImportFrom():
                    source.imports |= self._imported(node, name)
                case ast.Expr(value=ast.Constant() as value):
                    documentation.add(id(value))
                case ast.JoinedStr():
                    for part in node.values:
                        if isinstance(part, ast.Constant) and _PACKAGE.fullmatch(part.value):
                            source.below.add(part.value[:-1])
                case ast.Constant(value=str() as text) if id(node) not in documentation:
                    source.imports |= set(_MODULE.findall(text))
                    if not (_MODULE.fullmatch(text) and self._folder(text)):
                        source.words |= {*_WORD.findall(text), PurePosixPath(text).name}
                        runs_commands |= _COMMAND.search(text) is not None
                case ast.Attribute(value=ast.Name(id="hornbook") as value):
                    names.add(id(value))
                    attributes.add(f"hornbook.{node.attr}")
                case ast.Attribute(attr="rglob"):
                    source.words.add("rglob")
                case ast.Name(id="hornbook") if id(node) not in names:
                    attributes.add("hornbook")
        if name.startswith(USERS) and runs_commands:
            source.imports |= set(COMMANDS)
        if any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
            self._add_lazy(tree, source, name)
        self._add_first(tree.body, source, name)
        if "hornbook" in source.imports:
            source.imports = source.imports - {"hornbook"} | attributes
            source.first -= {"hornbook"}
        return source

    def _add_first(self, body: Iterable[ast.stmt], source: Source, name: str) -> None:
        """Add the imports of statements that run when the module is imported."""
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) or _is_for_types(statement):
                continue
            for node in ast.walk(statement):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    source.first |= self._imported(node, name)

    def _add_lazy(self, tree: ast.Module, source: Source, name: str) -> None:
        """Add the names that a lazy module shows to type checkers, each with its module."""
        for statement in filter(_is_for_types, tree.body):
            for node in ast.walk(statement):
                if isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        source.lazy[alias.asname or alias.name] = self._imported(node, name)

    def _imported(self, node: ast.Import | ast.ImportFrom, name: str) -> set[str]:
        """Return the modules that the statement may import.

        The package `hornbook` itself is left out of `from hornbook import NAME`, since it is lazy.
        """
        if isinstance(node, ast.Import):
            return {alias.name for alias in node.names}
        module = node.module or ""
        if node.level:
            around = PurePosixPath(name).parents[node.level - 1].as_posix()
            for package, folder in self.packages.items():
                if f"{around}/".startswith(f"{folder}/"):
                    above = package + around[len(folder) :].replace("/", ".")
                    module = f"{above}.{module}" if module else above
                    break
        names = {f"{module}.{alias.name}" for alias in node.names}
        return names if module == "hornbook" else {module, *names}


def _is_for_types(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"


def _git(root: Path, *arguments: str) -> set[str] | None:
    """Return the names of files that a Git command prints, or None if it fails."""
    command = ["git", *arguments]
    try:
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return {name for name in ran.stdout.split("\0") if name}


def all_files(root: Path) -> set[str]:
    """Return the names of all files of the checkout, relative to its root."""
    listed = _git(root, "ls-files", "-z")
    if listed is None:
        listed = {path.relative_to(root).as_posix() for path in root.rglob("*") if ".venv" not in path.parts}
    return {name for name in listed if (root / name).is_file()}


def changes(root: Path, base: str) -> set[str] | None:
    """Return the files that differ from those of the revision, or None if they are unknown."""
    if not base or base.startswith("-"):
        return None
    return _git(root, "diff", "-z", "--name-only", "--no-renames", base, "--")


def main(root: Path, base: str) -> None:
    """Print the affected files."""
    files = all_files(root)
    changed = changes(root, base)
    found = files if changed is None else Project(root, files).affected(changed) & files
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main(Path.cwd(), (sys.argv[1:] or [""])[0])
