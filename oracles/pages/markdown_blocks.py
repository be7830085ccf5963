"""The fenced blocks of a Markdown page, and their execution.

A page is a small session. Its blocks are run in order, in a separate folder, so later blocks can use files of
earlier ones. The first line of a block determines its kind:

    ```horn                        a whole theory: checked, without a single diagnostic
    ```horn title="family.horn"    the same, and written to that file
    ```horn append="family.horn"   put at the end of that file, and the file is checked
    ```horn mend="family.horn"     replaces the text that was appended last
    ```horn fails HB010 HB021      checked, with exactly these codes
    ```horn part                   a part of a theory: parsed only
    ```kif                         a whole sheet of GDL: checked, without a single diagnostic;
                                   `fails HB105` as above
    ```pddl                        a domain, or a problem without its domain: checked in the same way
    ```csv title="parents.csv"     written to that file (any language)
    ```python                      executed; one namespace for the page (only written, if it
                                   imports neighbours)
    ```pycon                       a Python session, outputs compared
    ```console                     `$ hornbook …` and its output; a line `...` stands for any lines
    ```console exit 1              the last command ends with this exit code; `> FILE` after a command is
                                   followed; after `$ hornbook repl …` and `play …`, lines that begin with
                                   `> ` or `| ` are typed in
    ```sh                          not run here
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbook.cli import main
from hornbook.kb.load.loader import read
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.planner.gdl.wellformed import validate
from hornbook.planner.pddl.domains import read_domain_part
from hornbook.planner.pddl.problems import read_problem_part

NOT_RUN = {
    "sh",
    "text",
    "json",
    "csv",
    "mermaid",
    "svg",
    "toml",
    "sgf",
    "lua",
    "elisp",
    "ini",
    "nginx",
    "yaml",
}
_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<info>[^`]*)$")
_FILE = re.compile(r'(title|append|mend)="([^"]+)"')


class PageError(AssertionError):
    """The result of a block differs from its page; the message names page and line."""


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A fenced block.

    `line` is that of its first line of text; `how` is the use of its text for `file`.
    """

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    how: str | None
    file: str | None
    text: str

    def error(self, message: str) -> PageError:
        return PageError(f"{self.page}:{self.line}: {message}")


def blocks(page: Path) -> Iterator[PageBlock]:
    """Yield the fenced blocks of a page. Raise PageError for an unclosed block."""
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        opening = _FENCE.match(line)
        if opening is None:
            continue
        indent, fence = len(opening["indent"]), opening["fence"]
        attribute = _FILE.search(opening["info"])
        language, *words = _FILE.sub("", opening["info"]).split() or [""]
        body: list[str] = []
        for _, inner in lines:
            if inner.strip() == fence:
                break
            body.append(inner[indent:])
        else:
            raise PageError(f"{page}:{number}: the block has no end")
        text = "".join(f"{row}\n" for row in body)
        how, file = (None, None) if attribute is None else attribute.groups()
        yield PageBlock(page, number + 1, language, tuple(words), how, file, text)


def run_page(page: Path, others: Callable[[PageBlock], object] = lambda _: None) -> int:
    """Run the blocks of a page in the working directory, which should be empty, and return their number.

    `others` is called for blocks that are not run here. Raise PageError for the first block with another
    result than the page shows.
    """
    names: dict[str, Any] = {"__name__": "__page__"}
    appended: dict[str, str] = {}
    run = 0
    for block in blocks(page):
        if block.file is not None:
            _write(block, block.file, appended)
        match block.language:
            case "horn":
                _horn(block)
            case "kif":
                _kif(block)
            case "pddl":
                _pddl(block)
            case "python" if block.file is not None and "\nfrom . import " in block.text:
                continue
            case "python":
                _python(block, names)
            case "pycon":
                _session(block, names)
            case "console":
                _console(block)
            case language if language in NOT_RUN or language.startswith("{"):
                others(block)
                continue
            case language:
                raise block.error(
                    f"a block of `{language}`; known are horn, kif, pddl, python, pycon, console,"
                    f" {sorted(NOT_RUN)}"
                )
        run += 1
    return run


def _write(block: PageBlock, file: str, appended: dict[str, str]) -> None:
    """Write the file of a block; `appended` holds the text that was appended last to each file."""
    place = Path(file)
    if place.is_absolute() or ".." in place.parts:
        raise block.error(f"{file} is no file of the page's folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    before = "" if block.how == "title" else place.read_text(encoding="utf-8")
    if block.how == "mend":
        before = before.removesuffix(appended[file])
    added = block.text if block.how == "title" else f"\n{block.text.strip()}\n"
    place.write_text(before.rstrip("\n") + "\n" * (before != "") + added, encoding="utf-8")
    appended[file] = added


def _horn(block: PageBlock) -> None:
    if "part" in block.words:
        parsed = parse(block.text, "<page>")
        if parsed.diagnostics:
            raise block.error(str(TheoryError(parsed.diagnostics, {"<page>": block.text})))
        return
    place = Path(block.file or f"block_{block.line}.horn")
    if block.file is None:
        place.write_text(block.text, encoding="utf-8")
    loaded, _ = read(place)
    _expect(block, loaded.diagnostics, {loaded.parsed.name: loaded.parsed.text})


def _kif(block: PageBlock) -> None:
    _expect(block, validate(block.text, "<page>").diagnostics, {"<page>": block.text})


def _pddl(block: PageBlock) -> None:
    reads = read_domain_part if "(domain " in block.text else read_problem_part
    _, diagnostics = reads(block.text, "<page>")
    _expect(block, diagnostics, {"<page>": block.text})


def _expect(block: PageBlock, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
    """Raise PageError if the codes of the diagnostics differ from those of the block."""
    expected = sorted(word for word in block.words if word.startswith("HB"))
    found = sorted(d.code for d in diagnostics)
    if found != expected:
        shown = str(TheoryError(diagnostics, sources))
        raise block.error(f"expected {expected or 'no diagnostics'}, found {found or 'none'}\n{shown}")


def _python(block: PageBlock, names: dict[str, Any]) -> None:
    # The empty lines give tracebacks the page's line numbers.
    code = compile("\n" * (block.line - 1) + block.text, str(block.page), "exec")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)


def _session(block: PageBlock, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, names, str(block.page), str(block.page), block.line - 1
    )
    if not test.examples:
        raise block.error("a session without `>>>`")
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    if runner.failures:
        raise block.error(report.getvalue())


def _console(block: PageBlock) -> None:
    sessions = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if sessions[0].strip() or len(sessions) == 1:
        raise block.error("a console block begins with `$ command`")
    line = block.line
    for number, session in enumerate(sessions[1:], 1):
        last = number == len(sessions) - 1
        _command(block, line, session, int(block.words[-1]) if last and "exit" in block.words else 0)
        line += session.count("\n")


def _command(block: PageBlock, line: int, session: str, expected_code: int) -> None:
    command, _, expected = session.replace("\\\n", " ").partition("\n")
    place = f"{block.page}:{line}: $ {command}"
    words = shlex.split(command)
    if words[0] == "cat":
        output, code = "".join(Path(word).read_text(encoding="utf-8") for word in words[1:]), 0
    elif words[0] == "hornbook" and words[1] in ("repl", "play"):
        output, code = run_hornbook([*words[1:], "--echo"], typed_in(expected))
    elif words[0] == "hornbook" and words[-2] == ">":
        output, code = _into_file(words[1:-2], Path(words[-1]))
    elif words[0] == "hornbook":
        output, code = run_hornbook(words[1:])
    else:
        raise PageError(f"{place}\nonly `hornbook` and `cat` are run here; show others in a block of `sh`")
    if code != expected_code:
        raise PageError(f"{place}\nends with exit code {code}, not {expected_code}:\n{output}")
    if not alike(expected, output):
        raise PageError(f"{place}\nthe page shows:\n{expected}\nthe command printed:\n{output}")


def _into_file(arguments: list[str], place: Path) -> tuple[str, int]:
    """Run a command with `> FILE`, which writes its result to the file."""
    result, messages = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(result), contextlib.redirect_stderr(messages):
        code = main(arguments)
    place.write_text(result.getvalue(), encoding="utf-8")
    return messages.getvalue(), code


def typed_in(transcript: str) -> str:
    """Return the input typed at the prompts of a transcript."""
    return "".join(f"{row[2:]}\n" for row in transcript.splitlines() if row[:2].rstrip() in (">", "|"))


def run_hornbook(arguments: list[str], typed: str = "") -> tuple[str, int]:
    """Return the output of a command (both streams, as on a terminal) and its exit code."""
    stream = io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            code = main(arguments)
    finally:
        sys.stdin = before
    return stream.getvalue(), code


def alike(expected: str, output: str) -> bool:
    """Return whether an output is as shown, except for white space at line ends; `...` matches any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if row.strip() == "..." else re.escape(row.rstrip()) + r"[ \t]*\n"
        for row in expected.strip("\n").split("\n")
        if expected.strip()
    )
    text = output.strip("\n")
    return re.fullmatch(pattern, f"{text}\n" if text else "") is not None
