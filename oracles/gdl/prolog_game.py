"""A game that SWI-Prolog plays in a separate process."""

from __future__ import annotations

import select
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from oracles.gdl.prolog_text import Kif, expressions, program

SWIPL = shutil.which("swipl")
PLAYER = Path(__file__).with_name("player.pl")
Ground = str | tuple["Ground", ...]


class Late(Exception):
    """SWI-Prolog gave no answer within the time limit."""


class PrologGame:
    """A context manager for a game in SWI-Prolog.

    An answer may take at most `most` seconds. A RuntimeError reports errors of Prolog.
    """

    def __init__(self, text: str, most: float = 60.0) -> None:
        assert SWIPL is not None
        self.most = most
        self._folder = TemporaryDirectory()
        sheet = Path(self._folder.name) / "sheet.pl"
        sheet.write_text(program(text), encoding="utf-8")
        command = [SWIPL, "-q", "--stack-limit=1g", "-g", "main", "-t", "halt", str(PLAYER), str(sheet)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        answer = self._ask("start")
        self.roles = tuple(dict.fromkeys(str(role) for name, role in answer if name == "role"))
        self.initial = frozenset(fluent for name, fluent in answer if name == "init")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def look(self, state: Iterable[Ground]) -> tuple[dict[str, set[Ground]], bool, dict[str, set[Ground]]]:
        """Return the moves of each role, whether the game is over, and the worth to each role."""
        legal: dict[str, set[Ground]] = {}
        goals: dict[str, set[Ground]] = {}
        over = False
        for name, *terms in self._ask(f"state({_list(map(_text, state))})"):
            if name == "terminal":
                over = True
            else:
                (legal if name == "legal" else goals).setdefault(str(terms[0]), set()).add(terms[1])
        return legal, over, goals

    def next(self, state: Iterable[Ground], moves: Mapping[str, Ground]) -> frozenset[Ground]:
        done = _list(f"{_text(role)}-{_text(move)}" for role, move in moves.items())
        return frozenset(fluent for _, fluent in self._ask(f"next({_list(map(_text, state))},{done})"))

    def play(self, seed: int, seconds: float, plies: int) -> tuple[int, float]:
        """Play random games of at most `plies` moves for some seconds.

        Return the number of states and the processor time.
        """
        states, took = self._ask(f"play({seed},{seconds},{plies})")[0][1:]
        return int(str(states)), float(str(took))

    @property
    def seconds(self) -> float:
        """Return the processor time of Prolog in seconds."""
        return float(str(self._ask("seconds")[0][1]))

    def _ask(self, request: str) -> list[tuple[Ground, ...]]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{request}.\n".encode())
        lines = self._answer().decode().splitlines()[:-1]
        for line in lines:
            if line.startswith("error "):
                raise RuntimeError(line)
        return [tuple(map(_ground, expressions(line))) for line in lines]

    def _answer(self) -> bytes:
        out = self._process.stdout
        assert out is not None
        got = b""
        while not (got.endswith(b"\ndone\n") or got == b"done\n"):
            if not select.select([out], [], [], self.most)[0]:
                raise Late
            read = out.read(1 << 20)
            if not read:
                raise RuntimeError("SWI-Prolog ended")
            got += read
        return got


def _ground(expression: Kif) -> Ground:
    return expression if isinstance(expression, str) else tuple(map(_ground, expression))


def _list(terms: Iterable[str]) -> str:
    return f"[{','.join(terms)}]"


def _text(term: Ground) -> str:
    if isinstance(term, tuple):
        return f"{_text(term[0])}({','.join(map(_text, term[1:]))})"
    return "'" + term.replace("\\", "\\\\").replace("'", "\\'") + "'"
