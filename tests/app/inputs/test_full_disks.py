"""Commands that cannot write: a clear error, a non-zero exit code, and no partial or changed file.

A limit on the size of files simulates a full disk: the call that writes fails after the file was created.
"""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

CUP = """theory cups. sort thing. fluent light(thing). fluent open(thing). derived cup(thing).
cups: cup(?x) :- light(?x), open(?x).
"""
HARE = """theory hare. sort place. static gate(place). fluent fenced(place). action shut(place).
derived barred(place). game trap(place).
by_a_fence: barred(?p) :- fenced(?p).
it_is_shut: after fenced(?p) :- shut(?p), gate(?p).
trapped: before trap(?p) by shut(?p) is GI :- shut(?p), gate(?p), after barred(?p).
example one: gate(a), shut(a).
"""
PYDATALOG = "from pyDatalog import pyDatalog\npyDatalog.create_terms('p, q, X')\n+ p(1)\nq(X) <= p(X)\n"
SHEET = str(Path(__file__).parents[3] / "oracles/gdl/sheets/counting.kif")
YEAR = str(Path(__file__).parents[3] / "theories/firm/examples/bakery")
PADDING = f"% {'long ' * 20_000}\n"
"""A comment that makes an export larger than the working files of a database."""
RULE = ("learned.horn", "take_by_move_is_gi_1", "--theory", "go")

WRITERS: dict[str, tuple[str, ...]] = {
    "new": ("new", "shop", "--into", "DIR"),
    "learn": ("learn", "cup", "--into", "OUT.horn"),
    "rules invent": ("rules", "invent", "hare.horn", "--into", "OUT.horn"),
    "rules compile": ("rules", "compile", "learned.horn", "--theory", "go", "--into", "OUT"),
    "rules explain": ("rules", "explain", *RULE, "--svg", "OUT.svg"),
    "theory import-pydatalog": ("theory", "import-pydatalog", "program.py", "--into", "OUT.horn"),
    "theory run": ("theory", "run", "family", "--into", "OUT"),
    "theory run, SQLite": ("theory", "run", "family", "--into", "OUT.sqlite"),
    "theory run, DuckDB": ("theory", "run", "family", "--into", "OUT.duckdb"),
    "theory run, Parquet": ("theory", "run", "family", "--into", "OUT", "--format", "parquet"),
    "theory graph": ("theory", "graph", "family", "--into", "OUT.svg"),
    "theory network": ("theory", "network", "family", "--svg", "OUT.svg"),
    "theory regress": ("theory", "regress", "hare.horn", "barred", "--by", "shut", "--into", "OUT.horn"),
    "theory template": ("theory", "template", "firm", "OUT.csv"),
    "query": ("query", "family", "parent(?x, ?y)", "--into", "OUT.csv"),
    "query, Parquet": ("query", "family", "parent(?x, ?y)", "--into", "OUT.parquet"),
    "why": ("why", "family", "grandparent(ada, ?x)", "--html", "OUT.html"),
    "game import": ("game", "import", SHEET, "--into", "OUT"),
    "play": ("play", "chess", "--save", "OUT.pgn"),
    "problems generate": ("problems", "generate", "go", "-n", "1", "--into", "OUT.jsonl"),
    "search statistics": ("search", "statistics", "othello", "--positions", "100", "--into", "OUT.json"),
    "search tournament": (
        *("search", "tournament", "deepening", "uct", "--game", "othello", "--games", "2", "--nodes", "20"),
        *("--into", "OUT.jsonl"),
    ),
    "firm report": ("firm", "report", "firm", YEAR, "--into", "OUT.html"),
    "store new": ("store", "new", "OUT.sqlite", "family"),
    "store import": ("store", "import", "OUT.sqlite", "store.txt"),
    "store export": ("store", "export", "store.sqlite", "OUT.txt"),
}
MAKE_FOLDERS = ("rules compile", "theory run", "theory run, Parquet", "game import")
"""Commands that create the folder of their output."""
MUG = (
    "looks(mug, light). part(mug, ear). is_a(ear, handle). part(mug, foot). is_a(foot, bottom). looks(foot, flat)."
    " part(mug, hollow). is_a(hollow, concavity). looks(hollow, upward_pointing).\n"
)
REPL = {":write": f"{MUG}:write made.horn\n", ":save": f"{MUG}learn cup(mug)\n:keep\n:save made.horn\n"}


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def place(folder, run, taught) -> Path:
    padded = CUP.replace("cups.", "padded.", 1) + PADDING
    texts = {"cups.horn": CUP, "hare.horn": HARE, "program.py": PYDATALOG, "padded.horn": padded}
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    for name in ("learned.horn", "learned.proofs.jsonl", "p.jsonl"):
        Path(name).write_bytes((taught / name).read_bytes())
    assert run("store", "new", "store.sqlite", "padded.horn")[0] == 0
    assert run("store", "export", "store.sqlite", "store.txt")[0] == 0
    return folder


def content(folder: Path) -> dict[str, bytes | None]:
    """Return all files and folders, except for the working files of SQLite and Python."""
    passing = ("__pycache__", "store.sqlite-wal", "store.sqlite-shm")
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not any(part in passing for part in path.parts)
    }


def with_output(name: str, output: str) -> list[str]:
    folder = str(Path(output).parent)
    return [word.replace("OUT", output).replace("DIR", folder) for word in WRITERS[name]]


@pytest.fixture
def attempt(place, run, monkeypatch):
    """Return a function that runs a command with limited disk space.

    The function returns the exit code and the errors.
    """

    def done(arguments: Sequence[str], room: int | None = None, typed: str = "quit\n") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        if room is None:
            code, _, err = run(*arguments)
        else:
            with full_disk(room):
                code, _, err = run(*arguments)
        return code, err

    return done


@pytest.fixture
def must_fail(place, attempt):
    def failed(arguments: Sequence[str], room: int | None = None, typed: str = "quit\n") -> None:
        before = content(place)
        code, err = attempt(arguments, room, typed)
        assert code in (1, 2), arguments
        assert "rror" in err
        assert "internal error" not in err
        assert content(place) == before

    return failed


@pytest.mark.deep_cases("firm report", "game import", "new", "rules compile")
@pytest.mark.parametrize("name", WRITERS)
def test_a_command_without_room_or_place_writes_nothing(place, attempt, must_fail, name):
    room = 40_000 if name == "store export" else 0
    must_fail(with_output(name, "made"), room)
    for output in ("cups.horn/made", "/proc/made", *(() if name in MAKE_FOLDERS else ("no/made",))):
        must_fail(with_output(name, output))
    targets = (word.replace("OUT", "made") for word in WRITERS[name] if word.startswith("OUT."))
    for target in () if name.startswith("theory run") else targets:
        # `theory run` writes tables into a folder of any name.
        Path(target).mkdir()
        must_fail(with_output(name, "made"))
        Path(target).rmdir()
    code, err = attempt(with_output(name, "made"))
    assert code == 0, err
    assert any(each.startswith(("made", "shop")) for each in content(place))


@pytest.mark.deep_cases("firm report")
@pytest.mark.parametrize(
    "name", ["query", "query, Parquet", "why", "play", "firm report", "search statistics"]
)
def test_an_existing_file_stays_if_the_disk_is_full(must_fail, name):
    [target] = [word.replace("OUT", "made") for word in WRITERS[name] if word.startswith("OUT.")]
    Path(target).write_text("kept", encoding="utf-8")
    must_fail(with_output(name, "made"), 0)


@pytest.mark.deep_cases("firm report")
@pytest.mark.parametrize(
    "name", ["rules explain", "theory graph", "theory network", "why", "play", "firm report"]
)
def test_a_full_device_is_an_error(must_fail, name):
    must_fail(["/dev/full" if word.startswith("OUT.") else word for word in WRITERS[name]])


def test_a_store_stays_if_the_disk_is_full(place, run, must_fail):
    must_fail(("store", "add", "store.sqlite", "family"), 0)
    assert run("store", "check", "store.sqlite")[0] == 0


def test_a_tournament_without_room_keeps_the_games_before(place, attempt):
    code, err = attempt(with_output("search tournament", "made"))
    assert code == 0, err
    before = Path("made.jsonl").read_bytes()
    more = ["4" if word == "2" else word for word in with_output("search tournament", "made")]
    code, err = attempt(more, len(before) + 10)
    assert (code, "made.jsonl" in err) == (1, True)
    assert Path("made.jsonl").read_bytes() == before


@pytest.mark.parametrize("writer", REPL)
def test_a_prompt_without_room_writes_nothing(attempt, must_fail, writer):
    theory, typed = "cup", REPL[writer]
    must_fail(("repl", theory), 0, typed)
    must_fail(("repl", theory), typed=typed.replace("made", "no/made"))
    code, err = attempt(("repl", theory), typed=typed)
    assert code == 0, err
    assert Path("made.horn").exists()
