"""The code beside a theory: its adapter and its domain, and whether they may be run.

Loading a theory runs no code of its folder. An adapter is code by the author of the theory. It is imported
when a state is read, and never if the theory was loaded with `adapters=False` or the environment has
`HORNBOOK_NO_ADAPTERS=1`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.hornbook_error import HornbookError
from hornbook.kb.sources import files
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.locate import adapters_are_run, home, imported_module, load_adapter
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.spans import Span

_NEEDED: Mapping[str, str] = {
    "read": "def read(text: str, name: str)",
    "facts": "def facts(state) -> Iterator[GroundFact]",
}
"""The functions of every adapter, as its author writes them."""
_OPTIONAL: Mapping[str, str] = {
    "read_file": "def read_file(path: Path)",
    "decode": "def decode(data: bytes, name: str) -> str",
    "game_starts": "def game_starts(text: str, name: str) -> Sequence[int]",
    "row": "def row(state, fact: GroundFact) -> int | None",
    "actions": "def actions(state) -> Iterator[GroundFact]",
    "step": "def step(state, action: GroundFact)",
}
_PARAMETERS = {
    "read": 2,
    "facts": 1,
    "read_file": 1,
    "decode": 2,
    "game_starts": 2,
    "row": 2,
    "actions": 1,
    "step": 2,
}


_GAME = re.compile(r"(?P<file>.+)#(?P<number>[0-9]{1,9})", re.DOTALL)
_NO_LINE_END = re.compile(r"[^\n]")


class AdapterError(HornbookError):
    """An adapter or a domain without the required functions, or with results of a wrong type."""


class Adapter:
    """A module `adapter.py` with the functions that read states. Other attributes of the module are available
    too.

    Raises:
        AdapterError: A function is missing or takes other arguments.
    """

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self._file = str(getattr(module, "__file__", None) or module.__name__)
        for name, written in {**_NEEDED, **_OPTIONAL}.items():
            function = getattr(module, name, None)
            if function is None and name in _OPTIONAL:
                continue
            if function is None:
                raise AdapterError(f"{self._file}: the adapter has no function `{name}`; write `{written}`")
            if not _takes(function, _PARAMETERS[name]):
                raise AdapterError(
                    f"{self._file}: the adapter's `{name}` is to be a function such as `{written}`"
                )

    def read(self, text: str, name: str) -> Any:
        """Read a state from a text. `name` denotes the text in messages."""
        try:
            return self.module.read(text, name)
        except SystemExit:
            raise self._exits("read") from None

    def facts(self, state: Any) -> Iterator[GroundFact]:
        """Yield the facts of a state. Raises AdapterError if the adapter returns something else."""
        try:
            found = self.module.facts(state)
            try:
                iterator = iter(found)
            except TypeError:
                raise self._no_facts(found) from None
            for each in iterator:
                if not isinstance(each, GroundFact):
                    raise self._no_facts(each)
                yield each
        except SystemExit:
            raise self._exits("facts") from None

    def _exits(self, name: str) -> AdapterError:
        return AdapterError(f"{self._file}: the adapter's `{name}` ends the program; let it raise ValueError")

    def _no_facts(self, found: object) -> AdapterError:
        kind = "nothing" if found is None else f"a value of type `{type(found).__name__}`"
        return AdapterError(f"{self._file}: the adapter's `facts` gives {kind} where a GroundFact should be")

    def __getattr__(self, name: str) -> Any:
        # requested by `copy` and `pickle` before `module` exists
        if name.startswith("__") or name == "module":
            raise AttributeError(name)
        return getattr(self.module, name)


def _takes(function: object, number: int) -> bool:
    """Return whether an object can be called with `number` arguments."""
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(*(None for _ in range(number)))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


def adapter_of(theory: Theory) -> ModuleType | None:
    """Return the adapter beside a theory's own file, or None if there is none or none may be run."""
    return load_adapter(theory.path) if theory.adapters and theory.path is not None else None


def reader_of(theory: Theory) -> Adapter | None:
    """Return the adapter of a theory, its own or that of the nearest imported theory.

    None is returned if there is no adapter or none may be run. Raises AdapterError if it cannot read states.
    """
    module = _nearest(theory, "adapter")
    return None if module is None else Adapter(module)


def text_of(reader: Adapter | ModuleType, path: Path) -> str:
    """Return the text of a file with a state or a game.

    `FILE#2` is the second game of a file, if the adapter has `game_starts(text, name)`.
    An adapter with `decode(data, name)` determines the encoding. The default is UTF-8. Raises TheoryError
    (HB004, HB005).
    """
    file, number = _numbered(path)
    text: str = getattr(reader, "decode", files.decode)(files.read_bytes(file, str(file)), str(file))
    return text if number is None else _one_game(reader, text, file, number)


def _numbered(path: Path) -> tuple[Path, int | None]:
    """Return the file and the number of a game in it; no number for the name of a file that exists."""
    found = _GAME.fullmatch(str(path))
    if found is None or path.exists() or not Path(found["file"]).exists():
        return path, None
    return Path(found["file"]), int(found["number"])


def _one_game(reader: Adapter | ModuleType, text: str, file: Path, number: int) -> str:
    """Return a text in which blanks replace all games but one, so that lines and columns stay. Raises
    TheoryError (HB005).
    """
    text, name = with_plain_ends(text.removeprefix("\ufeff")), str(file)
    game_starts = getattr(reader, "game_starts", None)
    span = Span(name, 1, 1, 1, 2)
    if game_starts is None:
        message = f"`#{number}` names a game, and files of this theory are read as one"
        raise TheoryError([error("HB005", message, span, f"leave out `#{number}`")], {name: text})
    starts = [*game_starts(text, name)]
    if not 1 <= number <= len(starts):
        message = f"there is no game {number}: the file has {counted(len(starts), 'game')}"
        raise TheoryError(
            [error("HB005", message, span, "games are numbered from 1, as in `FILE#2`")], {name: text}
        )
    begin, end = starts[number - 1], [*starts, len(text)][number]
    return _NO_LINE_END.sub(" ", text[:begin]) + text[begin:end]


def state_of_file(reader: Adapter | ModuleType, path: Path) -> Any:
    """Return the state of a file. An adapter with `read_file(path)` can read binary files. Raises
    TheoryError.
    """
    read_file = getattr(reader, "read_file", None)
    state = None if read_file is None else read_file(path)
    return reader.read(text_of(reader, path), str(path)) if state is None else state


def domain_module_of(theory: Theory) -> ModuleType | None:
    """Return the module `domain.py` of a theory, found in the same way as its adapter."""
    return _nearest(theory, "domain")


def has_code(theory: Theory, name: str) -> bool:
    """Return whether the folder of a theory or an imported one has a runnable module of this name. Nothing is
    run.
    """
    return any(home(place).joinpath(f"{name}.py").is_file() for place in _places(theory))


def _nearest(theory: Theory, name: str) -> ModuleType | None:
    return next(
        (found for place in _places(theory) if (found := imported_module(place, name)) is not None), None
    )


def _places(theory: Theory) -> tuple[Path, ...]:
    """Return the files whose folders may contain code, the nearest first; none if no code may be run."""
    return _files(theory) if _may_be_run(theory) else ()


def _files(theory: Theory) -> tuple[Path, ...]:
    return () if theory.path is None else (theory.path, *map(Path, reversed([*theory.sources])))


def _may_be_run(theory: Theory) -> bool:
    return theory.adapters and adapters_are_run()


def is_adapter_forbidden(theory: Theory) -> bool:
    """Return whether the folder of a theory or an imported one has an adapter that may not be run."""
    files = () if _may_be_run(theory) else _files(theory)
    return any(home(place).joinpath("adapter.py").is_file() for place in files)


def why_none(theory: Theory) -> str:
    """Return a supplement for the message that a theory has no adapter, if adapters are disabled."""
    return "" if _may_be_run(theory) else " that may be run (`--no-adapters`)"
