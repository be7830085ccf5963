"""A GTP client of GNU Go, an independent Go engine, for the tests.

Points are named as in our facts (`a1`, lower case). GNU Go is configured with our rules: suicide is
forbidden, ko is simple ko.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Self

PROGRAM = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
"""The path of GNU Go, which Debian installs outside of the usual PATH; None if it is missing."""


class GnuGo:
    """A running GNU Go process with its own board."""

    def __init__(self) -> None:
        assert PROGRAM is not None
        command = [PROGRAM, "--mode", "gtp", "--forbid-suicide", "--simple-ko", "--level", "0"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=10)

    def ask(self, command: str) -> str:
        """Return the answer to a GTP command, without its mark."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline().rstrip("\n")) or not lines:
            lines.append(line)
        answer = "\n".join(lines)
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    def clear(self, size: int) -> None:
        self.ask(f"boardsize {size}")
        self.ask("clear_board")

    def play(self, colour: str, point: str) -> None:
        self.ask(f"play {colour} {point}")

    def legal(self, colour: str) -> set[str]:
        """Return the points where a player may move, without the pass."""
        return self._points(f"all_legal {colour}")

    def stones(self, colour: str) -> set[str]:
        return self._points(f"list_stones {colour}")

    def liberties(self, stone: str) -> set[str]:
        """Return the liberties of the block of a stone."""
        return self._points(f"findlib {stone}")

    def blocks(self, colour: str) -> list[set[str]]:
        """Return all blocks of a player."""
        return [set(line.lower().split()) for line in self.ask(f"worm_stones {colour}").splitlines()]

    def _points(self, command: str) -> set[str]:
        return set(self.ask(command).lower().split())
