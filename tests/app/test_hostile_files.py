"""Files with arbitrary content: each command reports the error in time, without a traceback.

No internal error may be reported.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import hornbook
from hornbook.cli import main
from hornbook.kb.store import Store
from hornbook.kb.tables.tables import read_csv, read_parquet
from hornbook.kb.text.writing import write_text
from hornbook.terminal.failure import INTERNAL

HOSTILE: dict[str, bytes] = {
    "nul": b"\0" * 10,
    "not-utf8": b"caf\xe9 p(\xff).\n",
    "surrogate": b"\xed\xa0\x80 p(a).\n",
    "surrogate-in-json": b'{"id": "\\ud800", "rule": "\\ud800"}\n',
    "utf16": "p(a).\n".encode("utf-16"),
    "two-marks": b"\xef\xbb\xbf\xef\xbb\xbfp(",
    "lone-cr": b"a\rb,c\rd",
    "lone-cr-in-quotes": b'kind,name,price\n"a\rb",1\r',
    "open-quote": b'"',
    "digits": b"9" * 5_000,
    "digits-in-json": b'{"id": ' + b"9" * 5_000 + b"}",
    "digits-in-a-diagram": b"9" * 5_000 + b" X O\n",
    "wide": b"X" * 3_000 + b"\n",
    "deep-list": b"[" * 10_000,
    "deep-object": b'{"a":' * 10_000,
    "deep-sgf": b"(;" * 10_000,
    "long-field": b"a,b\n" + b"x" * 131_073 + b",1\n",
    "endless-line": b"a" * 60_000,
    "endless-blanks": b"a" + b" " * 60_000 + b"?",
    "sqlite": b"SQLite format 3\0" + b"\0" * 100,
    "parquet": b"PAR1" + b"\xff" * 40 + b"PAR1",
}
COMMANDS = {
    "check": ["check", "{}"],
    "fmt": ["fmt", "--check", "{}"],
    "test": ["test", "{}"],
    "graph": ["theory", "graph", "{}"],
    "state of go": ["query", "go", "colour(?p, ?c)", "--state", "{}"],
    "state of chess": ["query", "chess", "at(?s, ?p, ?k)", "--state", "{}"],
    "state of a firm": ["query", "firm", "price(?p, ?x)", "--state", "{}"],
    "state of a firm in parquet": ["query", "firm", "price(?p, ?x)", "--state", "{}.parquet"],
    "csv": ["query", "family", "parent(?x, ?y)", "--facts", "parent={}.csv"],
    "tsv": ["query", "family", "parent(?x, ?y)", "--facts", "parent={}.tsv"],
    "parquet": ["query", "family", "parent(?x, ?y)", "--facts", "parent={}.parquet"],
    "facts": ["why", "family", "parent(ada, ben)", "--add", "{}"],
    "examples": ["learn", "cup", "--into", "into.horn", "--problems", "{}"],
    "problems of go": ["learn", "capture", "--into", "into.horn", "--problems", "{}"],
    "problems in sgf": ["learn", "capture", "--into", "into.horn", "--problems", "{}.sgf"],
    "problems of chess": ["learn", "chess", "--into", "into.horn", "--problems", "{}"],
    "rules to add to": ["learn", "cup", "--into", "{}"],
    "position": ["rules", "match", "chess", "--rules", "empty.horn", "{}"],
    "rules": ["rules", "verify", "--theory", "cup", "{}"],
    "rules of another day": ["rules", "verify", "--renew", "--theory", "cup", "{}"],
    "advice": ["firm", "advise", "firm", "--state", "{}"],
    "years": ["firm", "report", "firm", "{}", "--into", "page.html"],
    "statistics": ["theory", "network", "saucer.horn", "--theory", "cup"],
    "score": ["problems", "grade", "{}", "{}"],
    "audit": ["problems", "audit", "{}", "--problems", "{}"],
    "pydatalog": ["theory", "import-pydatalog", "{}"],
    "strategy": ["game", "verify", "nim", "{}"],
    "proof": ["search", "verify", "chess", "{}"],
    "statistics of a game": [
        "search",
        "best-move",
        "othello",
        "--position",
        "x",
        "--nodes",
        "9",
        "--statistics",
        "{}",
    ],
    "classifier": ["allocate", "play", "checkers", "{}", "--games", "1"],
    "position to think about": ["search", "best-move", "othello", "--position", "{}", "--nodes", "9"],
    "store": ["store", "show", "{}"],
    "store as text": ["store", "import", "made.sqlite", "{}"],
    "facts of a store": ["store", "add", "there.sqlite", "--add", "{}"],
}

FEW = (
    "state of go", "state of chess", "state of a firm", "state of a firm in parquet", "position", "advice", "years",
    "problems of go", "problems in sgf", "problems of chess",
    "test", "graph", "fmt", "rules of another day", "facts", "examples", "rules to add to",
)  # fmt: skip
"""Commands that read a large theory each time, or use the reader of another command.

Their readers get all contents through another command below, or through benchmarks/fuzz/readers.py.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", StringIO(""))
    (tmp_path / "empty.horn").write_text("import chess.\n", encoding="utf-8")
    (tmp_path / "saucer.horn").write_text("import cup.\n", encoding="utf-8")
    with Store.create(tmp_path / "there.sqlite") as store:
        store.put_theory("family")
    return tmp_path


def outcome(command: str, name: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main([word.replace("{}", name) for word in COMMANDS[command]])
    return code, "".join(capsys.readouterr())


def place(command: str, name: str) -> Path:
    """Return the path of the file that a command reads."""
    if command == "statistics":
        return Path("saucer.stats.json")
    word = next(word for word in COMMANDS[command] if "{}" in word)
    return Path(word.rpartition("=")[2].replace("{}", name))


@pytest.mark.parametrize("command", COMMANDS)
def test_hostile_content_is_refused_with_a_message(command, capsys):
    accepted = []
    for name, data in HOSTILE.items():
        if command in FEW and name != "deep-object":
            continue
        if command == "years":
            Path(name).mkdir()
            (Path(name) / "journal.csv").write_bytes(data)
        else:
            place(command, name).write_bytes(data)
        code, message = outcome(command, name, capsys)
        assert code != INTERNAL, (name, message)
        assert "Traceback" not in message, name
        if code == 0:
            accepted.append(name)
        else:
            assert message.strip(), name
    assert accepted == []
    assert not Path("made.sqlite").exists()


@pytest.mark.deep
@pytest.mark.parametrize("name", ["go", "chess", "firm"])
def test_no_state_is_read_from_hostile_content(name):
    theory = hornbook.read_theory(name)
    for case, data in HOSTILE.items():
        for file in (Path(case), Path(f"{case}.parquet")):
            file.write_bytes(data)
            with pytest.raises(hornbook.HornbookError):
                hornbook.read_state(theory, file)


@pytest.mark.parametrize(
    "command", [name for name in COMMANDS if name not in ("years", "statistics", "rules to add to")]
)
def test_a_folder_and_nothing_in_the_place_of_a_file_are_reported(command, capsys):
    place(command, "a_folder").mkdir()
    for name in ("a_folder",) if command in FEW else ("a_folder", "nothing"):
        code, message = outcome(command, name, capsys)
        assert code not in (0, INTERNAL), name
        assert name in message, name


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_a_pipe_with_a_name_is_read_like_a_file(folder, capsys):
    os.mkfifo("pipe.csv")
    writer = threading.Thread(
        target=lambda: (folder / "pipe.csv").write_text("parent,child\nzoe,ada\n", encoding="utf-8")
    )
    writer.start()
    code = main(["query", "family", "parent(zoe, ?y)", "--facts", "parent(parent, child)=pipe.csv"])
    writer.join()
    assert (code, capsys.readouterr().out.split()) == (0, ["?y", "ada"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_a_pipe_without_end_is_refused_at_the_bound(monkeypatch, capsys):
    monkeypatch.setattr("hornbook.kb.sources.files.MAX_TEXT", 100_000)
    os.mkfifo("pipe")

    def write() -> None:
        try:
            with Path("pipe").open("wb") as pipe:
                while True:
                    pipe.write(b"a" * 65_536)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    code = main(["query", "family", "parent(ada, ?y)", "--add", "pipe"])
    writer.join()
    assert code == 1
    assert "HB004" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "csv", "rules", "problems of go", "state of go", "store"])
def test_a_file_that_may_not_be_read_is_reported(command, monkeypatch, capsys):
    path = place(command, "shut")
    path.write_text("p.", encoding="utf-8")
    whole = Path.open

    def opened(self: Path, *given: Any, **named: Any) -> Any:
        if self.name == path.name:
            # As for any user except the superuser, who may read every file.
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return whole(self, *given, **named)

    monkeypatch.setattr(Path, "open", opened)
    code, message = outcome(command, "shut", capsys)
    assert code not in (0, INTERNAL)
    assert "permission denied" in message.lower()


def test_one_byte_order_mark_is_no_part_of_a_text(capsys):
    mark = b"\xef\xbb\xbf"
    Path("people.csv").write_bytes(mark + b"parent,child\nzoe,ada\n")
    Path("more.horn").write_bytes(mark + b"parent(zoe, ben).\n")
    Path("board.txt").write_bytes(mark + b"X .\n. O\n")
    Path("fen").write_bytes(mark + b"6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1\n")
    tables = ["--facts", "parent(parent, child)=people.csv", "--add", "more.horn"]
    assert main(["query", "family", "parent(zoe, ?y)", *tables]) == 0
    assert capsys.readouterr().out.split() == ["?y", "ada", "ben"]
    assert main(["query", "go", "colour(?p, black)", "--state", "board.txt"]) == 0
    assert main(["query", "chess", "king(white, ?s)", "--state", "fen"]) == 0


NAMES = ("a\0b", "\ud800", "x" * 5_000, "a/" * 3_000 + "b", "/dev/null/x", "")
"""Names that no file can have, or at least none here."""


@pytest.fixture(scope="module")
def theories():
    return [hornbook.read_theory(theory) for theory in ("cup", "family", "firm")]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:8]))
def test_a_name_that_no_file_has_is_refused(name, folder, theories):
    cup, family, firm = theories
    rules = hornbook.LearnedRules(cup)
    acts: dict[str, Callable[[str], object]] = {
        "load": hornbook.read_theory,
        "state": lambda name: hornbook.read_state(firm, Path(name)),
        "state in parquet": lambda name: hornbook.read_state(firm, Path(f"{name}.parquet")),
        "rules": lambda name: hornbook.read_rules(name or ".", cup),
        "examples": lambda name: hornbook.read_examples(cup, name or "."),
        "csv": lambda name: read_csv(name, "parent", family.vocabulary),
        "parquet": lambda name: read_parquet(f"{name}.parquet", "parent", family.vocabulary),
        "write": lambda name: rules.save(folder / name if name == "" else name),
        "picture": lambda name: hornbook.show(family).save(folder if name == "" else name),
        "store": hornbook.Store,
        "new store": lambda name: hornbook.Store.create(name or "."),
        "statements": hornbook.KnowledgeBase(family).engine.statements,
    }
    for act in acts.values():
        with pytest.raises(hornbook.HornbookError):
            act(name)
    assert hornbook.load_adapter(Path(name)) is None
    with pytest.raises(hornbook.HornbookError, match="half a character"):
        write_text(folder / "text", "a\ud800")


def test_what_a_message_quotes_is_cut(capsys):
    for text in ("a" * 200_000 + ": x\n", "to play: " + "x" * 200_000, "9" * 5_000 + " X O\n"):
        Path("board").write_text(text, encoding="utf-8")
        assert main(["query", "board", "neighbour(?a, ?b)", "--state", "board"]) != 0
        assert len(capsys.readouterr().err) < 3_000
