"""The command `hornbook theory lsp`: the language server."""

from __future__ import annotations

import io
import sys

from hornbook.kb.sources.extras import extra_module
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import warn
from hornbook.terminal.screen import unfiltered


def lsp() -> None:
    """Serve an editor by the Language Server Protocol.

    An editor starts this command and communicates with it on standard input and output. The command needs the
    extra `editor`.
    """
    extra_module("pygls.lsp.server", "editor")
    given = getattr(sys.stdin, "buffer", None)
    if given is None or sys.stdin.isatty():
        warn(
            "error: an editor starts this command, and sends messages to its standard input; see"
            " docs/how-to/edit-in-an-editor.md"
        )
        raise ReportedError(2)
    from hornbook.editing.answers import answer_about_names, answer_about_text  # noqa: PLC0415 - they need the extra
    from hornbook.editing.documents import keep_documents  # noqa: PLC0415 - the same
    from hornbook.editing.examples import offer_lenses  # noqa: PLC0415 - the same
    from hornbook.editing.server import HornServer  # noqa: PLC0415 - the same

    server = HornServer()
    keep_documents(server)
    answer_about_names(server)
    answer_about_text(server)
    offer_lenses(server)
    out = unfiltered(sys.stdout).buffer
    # Output of code in a theory's folder must not mix with the protocol.
    sys.stdout = io.TextIOWrapper(unfiltered(sys.stderr).buffer, "utf-8", line_buffering=True)
    server.start_io(given, out)
