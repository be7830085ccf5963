"""Where a theory stands: from a name or path to its `.horn` file and the adapter beside it.

Finding a theory never runs any of its code: a registered theory (entry point group `hornbook.theories`,
whose value names a package) is found through the import system's finders alone, without importing the
package or its parents. Only `beside` imports, and only the module that is asked for.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from functools import cache
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, error
from hornbook.kb.text.streams import is_stream, stream_named

GROUP = "hornbook.theories"
"""The entry point group in which packages register their theories."""
SUFFIX = ".horn"
PARTS = "parts"
"""The folder of a theory's own files that it imports; what belongs to the theory stands in the folder above."""
NO_ADAPTERS = "HORNBOOK_NO_ADAPTERS"
"""The environment variable by which no adapter is run."""
_BEFORE_SOURCES = EXTENSION_SUFFIXES
"""The ends of file names that Python prefers to `.py`: those of compiled modules."""
_NAME = re.compile(r"[^\W\d_]\w*")


def locate(name_or_path: str | Path, folder: Path | None = None, *, importing: Path | None = None) -> Path:
    """The `.horn` file of a theory.

    Without `folder`: an existing `.horn` file, a folder that holds one, the name of a registered theory, or a stream: `-` for
    the standard input, or a pipe.
    With `folder` it is an import: only a name will do, looked for in that folder (never outside it, whatever
    links say) and then among the registered theories; `importing` is the file that asks, which never is the
    answer (a rule base called `go.horn` may import `go`).

    Raises TheoryError if there is no such theory (HB016 for an import, HB005 otherwise).
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
    """The file of a theory without symbolic links, or the stream that its text comes from. Raises TheoryError like `locate`."""
    found = locate(name_or_path)
    return stream_named(found) if is_stream(found) else found.resolve()


def known_theories() -> dict[str, Path]:
    """The registered theories whose files can be found, by name."""
    found = {}
    for entry in entry_points(group=GROUP):
        package = _package_folder(entry.module)
        file = None if package is None else _in_package(package, entry.name)
        if file is not None:
            found[entry.name] = file
    return dict(sorted(found.items()))


def is_theory(name: str) -> bool:
    """Return whether an argument of a command names a theory: one that ships, a `.horn` file or a folder."""
    return name in known_theories() or Path(name).suffix == SUFFIX or Path(name).is_dir()


def home(path: Path) -> Path:
    """The folder of the theory that a file belongs to: the file's own, or the one above a folder of parts."""
    folder = path.resolve().parent
    return folder.parent if folder.name == PARTS else folder


def adapter(path: Path) -> ModuleType | None:
    """The module `adapter.py` beside a theory's file, imported; None where there is none, or none is run.

    Raises TheoryError (HB005) if importing it fails.
    """
    return beside(path, "adapter")


def beside(path: Path, name: str) -> ModuleType | None:
    """A module beside a theory's file (or above its folder of parts), imported; None where there is none, or no code beside theories is run.

    It is imported by its package name where its folder is the package of a registered theory; elsewhere as
    part of a package made up for its folder, so that it may import its neighbours (`from .board import …`).
    Raises TheoryError (HB005) if importing it fails.
    """
    try:
        place = home(path)
        file = place / f"{name}.py"
        if not file.is_file() or not adapters_are_run():
            return None
    except (OSError, ValueError):  # a name that no file can have
        return None
    _must_be_that_file(file)
    package = _package_of(place) or _made_up_package(place)
    try:
        return importlib.import_module(f"{package}.{name}")
    except (Exception, SystemExit) as problem:  # whatever a foreign module raises while it is imported
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
    """Whether the environment lets code beside theories be run."""
    return os.environ.get(NO_ADAPTERS, "") in ("", "0")


# Files and folders


def _in_folder(folder: Path) -> Path | None:
    """The folder's NAME.horn, or its only `.horn` file."""
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
        hint = did_you_mean(name, [*known_theories(), *_neighbours(folder, asking)])
        message = f"there is no theory `{name}` to import"
        raise _failure("HB016", message, name, hint or f"put `{name}{SUFFIX}` beside this file")
    return registered


def _neighbours(folder: Path, asking: Path | None) -> list[str]:
    """The names that an import in this folder could mean."""
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
        beside = (
            [file.name for file in folder.glob(f"*{SUFFIX}") if file.is_file()] if folder.is_dir() else []
        )
        message = f"there is no file `{path}`"
        if path.is_symlink():
            message = f"`{path}` is a link that leads to no file"
        elif path.exists():
            message = f"`{path}` is no file"
        return _failure("HB005", message, str(path), did_you_mean(path.name, beside))
    known = known_theories()
    hint = did_you_mean(path.name, known) or f"theories that are installed: {', '.join(known) or 'none'}"
    return _failure("HB005", f"there is no theory or file `{path}`", str(path), hint)


def _failure(code: str, message: str, place: str, hint: str = "") -> TheoryError:
    problem: Diagnostic = error(code, message, Span(place, 1, 1, 1, 1), hint)
    return TheoryError([problem], {})


# Registered theories


def _registered(name: str, code: str) -> Path | None:
    """The file of the registered theory of this name; None where no theory is registered by it."""
    broken: EntryPoint | None = None
    for entry in entry_points(group=GROUP, name=name):
        folder = _package_folder(entry.module)
        file = None if folder is None else _in_package(folder, name)
        if file is not None:
            return file
        broken = entry
    if broken is None:
        return None
    message = (
        f"the theory `{name}` is registered as the package `{broken.module}`, which has no `{name}{SUFFIX}`"
    )
    raise _failure(code, message, name, "install the distribution that registers it again")


def _in_package(folder: Path, name: str) -> Path | None:
    """The file of a theory in a package's folder, or among its parts."""
    places = (folder / f"{name}{SUFFIX}", folder / PARTS / f"{name}{SUFFIX}")
    return next((place for place in places if place.is_file()), None)


@cache
def _package_of(place: Path) -> str | None:
    """The name of the registered package whose folder this is; what is installed is looked for once, as it takes milliseconds."""
    for entry in entry_points(group=GROUP):
        folder = _package_folder(entry.module)
        if folder is not None and folder.resolve() == place:
            return entry.module
    return None


def _package_folder(package: str) -> Path | None:
    """A package's folder, found without importing it or its parents (`importlib.util.find_spec` would)."""
    top, *inner = package.split(".")
    found = (finder.find_spec(top, None) for finder in sys.meta_path)
    spec = next((spec for spec in found if spec is not None), None)
    if spec is None or spec.submodule_search_locations is None:
        return None
    folders = [Path(place).joinpath(*inner) for place in spec.submodule_search_locations]
    there = [folder for folder in folders if folder.is_dir()]
    # An editable install has compiled modules in a folder of their own, which comes first and holds no theory.
    return next((folder for folder in there if any(folder.glob(f"*{SUFFIX}"))), next(iter(there), None))


class _FromSource(SourceFileLoader):
    """The loader of modules in a theory's folder. It runs what the source says, and neither reads nor writes `__pycache__`."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _made_up_package(place: Path) -> str:
    """A package for a folder that is none; the same one whenever the same folder is asked for."""
    name = f"_hornbook_theory_{hashlib.sha256(str(place).encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        package = ModuleType(name, f"The folder {place}, as a package for its adapter.")
        package.__path__ = [str(place)]
        loaders = ((_FromSource, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES))
        sys.path_importer_cache[str(place)] = FileFinder(str(place), *loaders)
        sys.modules[name] = package
    return name
