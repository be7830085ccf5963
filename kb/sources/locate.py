"""The location of theories: from a name or path to a `.horn` file and the adapter in its folder.

Finding a theory never runs its code. A registered theory (entry point group `hornbook.theories`, whose value
names a package) is found by the finders of the import system, without importing the package or its parents.
Only `imported_module` imports code, and only the requested module.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, error, spelling_fixes
from hornbook.kb.sources.registrations import registrations
from hornbook.kb.text.spans import Span
from hornbook.kb.text.streams import is_stream, stream_named

GROUP = "hornbook.theories"
"""The entry point group of packages with theories."""
SUFFIX = ".horn"
PARTS = "parts"
"""The folder of imported files of a theory. The files of the theory itself are in the folder above."""
NO_ADAPTERS = "HORNBOOK_NO_ADAPTERS"
"""The environment variable that disables adapters."""
_BEFORE_SOURCES = EXTENSION_SUFFIXES
"""The suffixes of compiled modules, which Python prefers to `.py`."""
_NAME = re.compile(r"[^\W\d_]\w*")


def locate(name_or_path: str | Path, folder: Path | None = None, *, importing: Path | None = None) -> Path:
    """Return the `.horn` file of a theory.

    Args:
        name_or_path: Without `folder`: an existing `.horn` file, a folder that contains one, the name of a
            registered theory, `-` for the standard input, or a pipe. With `folder`: the name in an import.
        folder: The folder of the importing file. The theory is searched there (never outside, even through
            links) and then among the registered theories.
        importing: The importing file, which is never the result (a rule base called `go.horn` may import
            `go`).

    Raises:
        TheoryError: There is no such theory (HB016 for an import, HB005 otherwise).
    """
    if folder is not None:
        return _import(str(name_or_path), folder, importing)
    path = Path(name_or_path)
    try:
        if path.is_file() or is_stream(path):
            return path
        found = _in_folder(path) if path.is_dir() else None
    except OSError as problem:
        raise _failure("HB005", f"`{path}` cannot be read: {problem.strerror}", str(path)) from None
    registered = None if found is not None else _registered(str(name_or_path), "HB005")
    if found is None and registered is None:
        raise _not_found(path)
    return found or registered or path


def place_of_theory(name_or_path: str | Path) -> Path:
    """Return the file of a theory without symbolic links, or the stream of its text. Raises TheoryError like
    `locate`.
    """
    found = locate(name_or_path)
    return stream_named(found) if is_stream(found) else found.resolve()


def known_theories() -> dict[str, Path]:
    """Return the registered theories whose files can be found, by name."""
    found = {}
    for name, package in registrations(GROUP):
        folder = _package_folder(package)
        file = None if folder is None else _in_package(folder, name)
        if file is not None:
            found[name] = file
    return dict(sorted(found.items()))


def is_theory(name: str) -> bool:
    """Return whether an argument of a command names a theory: one that ships, a `.horn` file or a folder."""
    return name in known_theories() or Path(name).suffix == SUFFIX or Path(name).is_dir()


def home(path: Path) -> Path:
    """Return the folder of the theory that a file belongs to: the file's own, or the one above a folder of
    parts.
    """
    folder = path.resolve().parent
    return folder.parent if folder.name == PARTS else folder


def load_adapter(path: Path) -> ModuleType | None:
    """Return the imported module `adapter.py` in a theory's folder, or None if there is none or adapters are
    disabled.

    Raises:
        TheoryError: Importing it fails (HB005).
    """
    return imported_module(path, "adapter")


def imported_module(path: Path, name: str) -> ModuleType | None:
    """Return an imported module in a theory's folder, or None if there is none or code is disabled.

    The folder is that of the theory's file, or the one above a folder of parts. In the package of a
    registered theory, the module is imported by its package name. Otherwise a package is created for the
    folder, so that the module may import its neighbours (`from .board import …`).

    Raises:
        TheoryError: Importing it fails (HB005).
    """
    try:
        place = home(path)
        file = place / f"{name}.py"
        if not file.is_file() or not adapters_are_run():
            return None
    except (OSError, ValueError):  # an invalid file name
        return None
    _must_be_that_file(file)
    package = _package_of(place) or _made_up_package(place)
    try:
        return importlib.import_module(f"{package}.{name}")
    except (Exception, SystemExit) as problem:  # a foreign module may raise any exception during its import
        reason = f"{type(problem).__name__}: {problem}"
        raise _failure("HB005", f"the {name} cannot be imported: {reason}", str(file)) from problem


def _must_be_that_file(file: Path) -> None:
    """Raise TheoryError (HB005) if Python would import something else than this file under its name."""
    package = file.with_suffix("")
    others = [
        *(file.with_name(f"{file.stem}{suffix}") for suffix in _BEFORE_SOURCES),
        *(package / f"__init__{suffix}" for suffix in (".py", ".pyc", *_BEFORE_SOURCES)),
    ]
    hidden = next((other for other in others if other.exists()), None)
    if hidden is not None:
        message = f"Python would import `{hidden.relative_to(file.parent)}` instead of `{file.name}`"
        raise _failure("HB005", message, str(file), f"rename or remove `{hidden}`")


def adapters_are_run() -> bool:
    """Return whether the environment allows running the code of theories."""
    return os.environ.get(NO_ADAPTERS, "") in ("", "0")


# Files and folders


def _in_folder(folder: Path) -> Path | None:
    """Return the folder's NAME.horn, or its only `.horn` file."""
    own = folder / f"{folder.resolve().name}{SUFFIX}"
    if own.is_file():
        return own
    files = sorted(folder.glob(f"*{SUFFIX}"))
    return files[0] if len(files) == 1 else None


def _import(name: str, folder: Path, importing: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise _failure("HB016", f"`{name}` is not a theory's name", name, "import by name, never by path")
    asking = None if importing is None else importing.resolve()
    inside = folder.resolve()
    for candidate in (folder / place / f"{name}{SUFFIX}" for place in ("", name, PARTS)):
        if not candidate.is_file() or candidate.resolve() == asking:
            continue
        if not candidate.resolve().is_relative_to(inside):
            message = f"`{candidate.name}` leads out of the folder of the theory that imports it"
            raise _failure("HB016", message, name, "copy the file here, or register it as a theory")
        return candidate
    registered = _registered(name, "HB016")
    if registered is None:
        known = [*known_theories(), *_neighbours(folder, asking)]
        hint = did_you_mean(name, known)
        message = f"there is no theory `{name}` to import"
        raise _failure("HB016", message, name, hint or f"put `{name}{SUFFIX}` beside this file", known)
    return registered


def _neighbours(folder: Path, asking: Path | None) -> list[str]:
    """Return the names that an import in this folder could mean."""
    files = [*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*/*{SUFFIX}")]
    own = [file for file in files if file.parent.name in (file.stem, folder.name, PARTS)]
    return [file.stem for file in own if file.is_file() and file.resolve() != asking]


def _not_found(path: Path) -> TheoryError:
    if path.is_dir():
        several = len(list(path.glob(f"*{SUFFIX}"))) > 1
        message = f"the folder `{path}` holds {'several' if several else 'no'} `{SUFFIX}` files"
        return _failure(
            "HB005", message, str(path), f"name the theory's file `{path.resolve().name}{SUFFIX}`"
        )
    if path.suffix or len(path.parts) > 1:
        folder = path.parent
        siblings = (
            [file.name for file in folder.glob(f"*{SUFFIX}") if file.is_file()] if folder.is_dir() else []
        )
        message = f"there is no file `{path}`"
        if path.is_symlink():
            message = f"`{path}` is a link that leads to no file"
        elif path.exists():
            message = f"`{path}` is no file"
        return _failure("HB005", message, str(path), did_you_mean(path.name, siblings))
    known = known_theories()
    hint = did_you_mean(path.name, known) or f"theories that are installed: {', '.join(known) or 'none'}"
    return _failure("HB005", f"there is no theory or file `{path}`", str(path), hint)


def _failure(code: str, message: str, place: str, hint: str = "", known: Iterable[str] = ()) -> TheoryError:
    """Return the error about a name or path. `known` are the names that it may be a misspelling of."""
    span = Span(place, 1, 1, 1, 1)
    problem: Diagnostic = error(code, message, span, hint, spelling_fixes(span, place, known))
    return TheoryError([problem], {})


# Registered theories


def _registered(name: str, code: str) -> Path | None:
    """Return the file of the registered theory of this name, or None."""
    broken: str | None = None
    for package in [package for each, package in registrations(GROUP) if each == name]:
        folder = _package_folder(package)
        file = None if folder is None else _in_package(folder, name)
        if file is not None:
            return file
        broken = package
    if broken is None:
        return None
    message = f"the theory `{name}` is registered as the package `{broken}`, which has no `{name}{SUFFIX}`"
    raise _failure(code, message, name, "install the distribution that registers it again")


def _in_package(folder: Path, name: str) -> Path | None:
    """Return the file of a theory in a package's folder, or among its parts."""
    places = (folder / f"{name}{SUFFIX}", folder / PARTS / f"{name}{SUFFIX}")
    return next((place for place in places if place.is_file()), None)


@cache
def _package_of(place: Path) -> str | None:
    """Return the name of the registered package with this folder. It is cached, since the search takes
    milliseconds.
    """
    for _, package in registrations(GROUP):
        folder = _package_folder(package)
        if folder is not None and folder.resolve() == place:
            return package
    return None


def _package_folder(package: str) -> Path | None:
    """Return a package's folder without importing it or its parents (`importlib.util.find_spec` would)."""
    top, *inner = package.split(".")
    found = (finder.find_spec(top, None) for finder in sys.meta_path)
    spec = next((spec for spec in found if spec is not None), None)
    if spec is None or spec.submodule_search_locations is None:
        return None
    folders = [Path(place).joinpath(*inner) for place in spec.submodule_search_locations]
    there = [folder for folder in folders if folder.is_dir()]
    # An editable install has a separate folder of compiled modules, which comes first and contains no theory.
    return next((folder for folder in there if any(folder.glob(f"*{SUFFIX}"))), next(iter(there), None))


class _FromSource(SourceFileLoader):
    """The loader of modules in a theory's folder. It runs what the source says, and neither reads nor writes
    `__pycache__`.
    """

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _made_up_package(place: Path) -> str:
    """Return a package for a folder that is not one. Each folder always gets the same package."""
    import hashlib  # noqa: PLC0415 - slow to import

    name = f"_hornbook_theory_{hashlib.sha256(str(place).encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        package = ModuleType(name, f"The folder {place}, as a package for its adapter.")
        package.__path__ = [str(place)]
        loaders = ((_FromSource, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES))
        sys.path_importer_cache[str(place)] = FileFinder(str(place), *loaders)
        sys.modules[name] = package
    return name
