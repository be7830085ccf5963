"""A session at a terminal: a line editor with history, completion and colours (extra `repl`).

Ctrl-C discards the line or stops the current answer; Ctrl-D ends. The session continues if the history file
or a terminal feature fails.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import AnyFormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import Lexer, PygmentsLexer
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from hornbook.kb.format.pygments_lexer import HornLexer
from hornbook.kb.text.escaping import visible
from hornbook.repl.completion import completions
from hornbook.repl.execution import opened
from hornbook.repl.interruption import stoppable
from hornbook.repl.lines import CONTINUATION, PROMPT, answer, requests
from hornbook.repl.request import is_complete
from hornbook.repl.session import Session
from hornbook.terminal.screen import unfiltered

_STYLE = Style.from_dict(
    {
        "pygments.comment": "ansibrightblack",
        "pygments.error": "ansired underline",
        "pygments.keyword": "ansimagenta",
        "pygments.name.builtin": "ansimagenta",
        "pygments.name.class": "ansigreen",
        "pygments.name.constant": "ansiyellow",
        "pygments.name.function": "ansigreen",
        "pygments.name.label": "ansiblue",
        "pygments.name.variable": "ansicyan",
        "pygments.number": "ansiyellow",
        "pygments.string": "ansiyellow",
    }
)
"""Colours of the terminal's palette, readable on any background."""


class SessionCompleter(Completer):
    """An adapter from `completions` to the line editor."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Offered]:
        for each in completions(document.text_before_cursor, self._session):
            yield Offered(
                each.word, -each.replaces, display=visible(each.word), display_meta=visible(each.what)
            )


class _SafeHistory(FileHistory):
    """A history that continues without its file if the file cannot be read or written."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        with contextlib.suppress(OSError):
            super().store_string(string)


def history_file() -> Path:
    """Return the history file in the user's folder for state (XDG_STATE_HOME)."""
    named = os.environ.get("XDG_STATE_HOME", "")
    home = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "state"
    return home / "hornbook" / "repl_history"


def _history() -> History:
    try:
        place = history_file()
        place.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return InMemoryHistory()
    return _SafeHistory(str(place))


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @Condition
    def is_choosing() -> bool:
        state = get_app().current_buffer.complete_state
        return state is not None and state.current_completion is not None

    @keys.add("enter", filter=~is_choosing)
    def _end_or_go_on(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("enter", filter=is_choosing)
    def _take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    return keys


def prompt_session(
    session: Session, *, source: Input | None = None, output: Output | None = None
) -> PromptSession[str]:
    """Return the line editor of a session; `source` and `output` can replace the terminal."""
    plain = bool(os.environ.get("NO_COLOR"))
    lexer: Lexer | None = None if plain else PygmentsLexer(HornLexer)
    return PromptSession(
        PROMPT,
        multiline=True,
        prompt_continuation=_continuation,
        lexer=lexer,
        style=_STYLE,
        include_default_pygments_style=False,
        completer=SessionCompleter(session),
        complete_while_typing=False,
        history=_history(),
        key_bindings=_keys(),
        color_depth=ColorDepth.DEPTH_1_BIT if plain else None,
        input=source,
        output=create_output(unfiltered(sys.stdout)) if output is None else output,
    )


def _continuation(width: int, line: int, wrapped: int) -> AnyFormattedText:
    return " " * width if wrapped else CONTINUATION


def run_prompt(session: Session, *, source: Input | None = None, output: Output | None = None) -> int:
    """Run the session until it ends, and return the exit code."""
    editor = prompt_session(session, source=source, output=output)
    sys.stdout.write(f"{opened(session)}\n`:help` says what can be typed, Ctrl-D ends\n")
    while True:
        try:
            typed = editor.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        # A pasted text may contain several requests.
        if any(_ends(session, each) for each in requests(typed.split("\n"))):
            return 0


def _ends(session: Session, typed: str) -> bool:
    """Answer one request and return whether it was the last."""
    changes = tuple(session.changes)
    try:
        with stoppable(session):
            return answer(session, typed)[0].ends
    except KeyboardInterrupt:
        came_late = tuple(session.changes) != changes
        sys.stderr.write(f"interrupted{' after it was done' if came_late else '; nothing was changed'}\n")
        return False
