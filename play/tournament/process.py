"""A playing program with a line-based interface and a time limit for every answer."""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
from pathlib import Path
from threading import Thread
from time import monotonic

from hornbook.matcher.program.hornbook_error import HornbookError


class PlayerProgramError(HornbookError):
    """A program does not play; the message gives the reason.

    It cannot be started, has ended, is silent, or refuses a command.
    """


class PlayerTimeoutError(PlayerProgramError):
    """A program gave no answer in time."""


class PlayerProcess:
    """A running program, with which lines of text are exchanged."""

    def __init__(self, command: str) -> None:
        """Start the program. Raises PlayerProgramError if it cannot be started."""
        self.command = command
        try:
            words = shlex.split(command)
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as problem:
            raise PlayerProgramError(f"`{command}` cannot be started: {problem}") from None
        self._lines: queue.Queue[tuple[str | None, float]] = queue.Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((line.rstrip("\r\n"), monotonic()))
        self._lines.put((None, monotonic()))

    def say(self, line: str) -> None:
        """Send a line. Raises PlayerProgramError if the program has ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            raise PlayerProgramError(f"`{self.command}` has ended") from None

    def hear(self, until: float) -> tuple[str, float]:
        """Return the next line of the program, and its time of arrival by `time.monotonic`.

        Raises PlayerTimeoutError if there is none before the time `until`, and PlayerProgramError if the
        program has ended.
        """
        try:
            line, came = self._lines.get(timeout=max(0.0, until - monotonic()))
        except queue.Empty:
            raise PlayerTimeoutError(f"`{self.command}` gave no answer in time") from None
        if line is None:
            raise PlayerProgramError(f"`{self.command}` has ended")
        return line, came

    @property
    def processor_seconds(self) -> float | None:
        """Return the processor seconds of the program.

        The result is None if the system does not provide them; Linux provides them.
        """
        try:
            fields = (
                Path(f"/proc/{self._process.pid}/stat")
                .read_text(encoding="ascii", errors="replace")
                .rpartition(")")[2]
                .split()
            )
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the program: close its input, and kill it if it does not exit."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()
