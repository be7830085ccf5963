"""All readers of files on mutated texts: a reader may fail only with a HornbookError.

An input follows from the seed, the reader's name and its own number, so each can be generated again.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet

import hornbook
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.opening_store import open_store
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower import measures
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.pydatalog.importing import import_pydatalog
from hornbook.kb.sources.files import decode, read_text
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store import Store, text
from hornbook.kb.tables import tables
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.chess import adapter as chess_adapter
from hornbook.theories.chess.problems import problem as chess_problem
from hornbook.theories.chess.problems import score as chess_score
from hornbook.theories.chess.states import notation
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.firm import adapter as firm_adapter
from hornbook.theories.go import adapter as go_adapter
from hornbook.theories.go.problems import jsonl, score, sgf
from hornbook.theories.go.states.sgf import parse_sgf
from oracles.deadlines import OverrunError, bounded
from oracles.language.mutated_texts import Corpus, as_bytes, mutated, mutated_bytes

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 5.0
"""The limit of processor seconds for one input."""


@dataclass(frozen=True)
class FuzzedReader:
    """A reader: the generator of its inputs, and the function that reads them."""

    name: str
    make: Callable[[Random], bytes]
    read: Callable[[bytes], object]


@dataclass(frozen=True)
class ReaderFindings:
    """The outcome of one input."""

    outcome: str
    seconds: float
    fault: str = ""


def input_of(reader: FuzzedReader, seed: int, number: int) -> bytes:
    return reader.make(Random(f"{seed} {reader.name} {number}"))


def tried(reader: FuzzedReader, data: bytes) -> ReaderFindings:
    """Return whether an input is read, is refused, or reveals an error of ours."""
    began = time.process_time()
    try:
        with bounded(MOST_SECONDS):
            reader.read(data)
            outcome, fault = "read", ""
    except HornbookError as problem:
        outcome, fault = (
            "refused" if str(problem) else "fault",
            "" if str(problem) else "an error without a message",
        )
    except (Exception, OverrunError):  # noqa: BLE001 - that is what is looked for
        outcome, fault = "fault", traceback.format_exc(limit=-6)
    return ReaderFindings(outcome, time.process_time() - began, fault)


# Readers of texts


def _texts(paths: Iterable[Path], most: int = 20) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(paths)[:most]]


def _lines(path: Path, most: int) -> list[str]:
    """Return some lines of a file, single and in pairs."""
    lines = path.read_text(encoding="utf-8").split("\n")
    chosen = [line for line in lines[:: max(1, len(lines) // most)] if line]
    return [*chosen, *(f"{a}\n{b}\n" for a, b in pairwise(chosen))]


def _of_text(
    name: str, seeds: Sequence[str], words: Sequence[str], read: Callable[[str], object]
) -> FuzzedReader:
    """Return a reader of texts: mostly of files, rarely of a Python string with arbitrary characters."""

    def make(numbers: Random) -> bytes:
        return as_bytes(mutated(numbers.choice(seeds), seeds, words, numbers), numbers)

    def read_bytes(data: bytes) -> object:
        if len(data) % 8 == 0:
            return read(data.decode("utf-8", "surrogateescape"))
        return read(decode(data, "input"))

    return FuzzedReader(name, make, read_bytes)


_SGF = (
    "(;", ")", "(", ";", "AB[", "AW[", "AE[", "B[", "W[", "PL[", "SZ[", "KO[", "HA[", "GN[", "C[", "TR[",
    "]", "[", "[]", "[aa]",
    "[tt]", "[aa:bb]", "[zz:aa]", "\\]", "SZ[19:9]", "SZ[26]", "SZ[52]", "CA[utf-16]", "CA[nosuch]",
    "CA[UTF-8]", "FF[4]", "GM[2]",
    "B", "W[]", "PL[B]", "PL[x]", "KO[]", "C[value: GP]", "C[depth: 3]", "HA[2]", "MN[x]",
)  # fmt: skip
_GO = (
    "X" * 60,
    ". " * 60,
    "X",
    "O",
    ".",
    "#",
    "@",
    "+",
    ",",
    "to play: black",
    "to play: white",
    "ko: a1",
    "ko:",
    "a b c d",
    "% ",
    ":",
    "19",
    "1",
)
_CHESS = (
    "/", "8", "w", "b", "-", "KQkq", "e3", "e6", "k", "K", "P", "p", "to move: black", "castling: KQ",
    "en passant: e6",
    "a b c d e f g h", ".", "0 1",
)  # fmt: skip
_JSON = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    '"id"',
    '"a"',
    "null",
    "true",
    "1",
    "-1",
    "1.5",
    "{}",
    "[]",
    '""',
    '"\\ud800"',
    "\\u0000",
)
_CSV = (
    ",",
    ";",
    '"',
    '""',
    "\n",
    "kind",
    "name",
    "setting",
    "product",
    "material",
    "machine",
    "month",
    "amount",
    "flour 2",
    "-1",
    "staff",
)


def _go_board(read: str) -> object:
    return list(go_adapter.facts(go_adapter.read(read, "input")))


def _chess_board(read: str) -> object:
    return list(chess_adapter.position_facts(chess_adapter.read(read, "input")))


def _moves(read: str) -> object:
    position = parse_fen("r3k2r/pPpp1ppp/8/4pP2/8/8/PPPP2PP/R3K2R w KQkq e6 0 1")
    for one in (notation.parse_uci, notation.parse_san):
        try:
            return one(position, read)
        except HornbookError:
            continue
    return notation.parse_san(position, read)


def texts() -> list[FuzzedReader]:
    """Return the readers of states and problems, of tables, of programs and of texts of a store."""
    go, chess = ROOT / "theories/go", ROOT / "theories/chess"
    lines_of_go = _lines(go / "problems/hundred.jsonl", 20)
    lines_of_chess = _lines(chess / "problems/learn.jsonl", 40)
    problems_of_go = jsonl.parse_problems((go / "problems/hundred.jsonl").read_text(encoding="utf-8"))
    trees = [sgf.print_problems([each]) for each in problems_of_go[:20]]
    games = [
        "(;GM[1]SZ[5]AB[aa][bb]AW[cc];B[dd])",
        "(;SZ[9]HA[2]AB[cc][gg];W[ee];B[dd](;W[aa])(;W[bb]))",
        "(;SZ[3];B[aa];W[ba];B[bb];W[ca];B[ab])",
        "(;SZ[19]AB[aa:cc]PL[W]C[a \\] b];W[];B[tt])",
    ]
    answers_of_go = [f'{{"id": "{each.id}", "value": "GG", "move": "aa"}}' for each in problems_of_go[:9]]
    answers_of_chess = ['{"id": "a", "value": "GI", "move": "e2e4"}', '{"id": "b", "value": "unknown"}']
    by_name = {each.id: each for each in problems_of_go}
    firm = _texts((ROOT / "theories/firm/examples").rglob("*.csv"), 3)
    coding = Coding(load("family").vocabulary)
    measured = [
        (
            '{"theory": "family", "states": 1, "relations": [{"relation": "parent", "moment": null, "rows": '
            '1.5, "distinct": [1, 2]}]}'
        )
    ]
    programs = [
        "+ parent('a', 'b')\nold(X, Y) <= parent(X, Z) & old(Z, Y) & (X != Y)\nprint(old('a', Y))\n",
        'load("""\n+ p(a, 1)\nq(X) <= p(X, Y) & (Y > 2) & ~ r(X)\n""")\n',
    ]
    return [
        _of_text("sgf", [*games, *_texts((go / "examples").glob("*.sgf"))], _SGF,
                 lambda t: parse_sgf(t, "input")),
        _of_text("go diagram", _texts((go / "examples").glob("*.txt")), _GO, _go_board),
        _of_text("go problems", lines_of_go, _JSON, lambda t: jsonl.parse_problems(t, "input")),
        _of_text("go problems in sgf", trees, _SGF, lambda t: sgf.parse_problems(t, "input")),
        _of_text("go answers", answers_of_go, _JSON, lambda t: score.parse_answers(t, by_name, "input")),
        _of_text("fen", _texts((chess / "examples").glob("*.fen")), _CHESS, _chess_board),
        _of_text("chess diagram", [_CHESS_DIAGRAM], _CHESS, _chess_board),
        _of_text("chess moves", ["e2e4", "Nf3", "exf6", "O-O", "b8=Q+", "Rab1#", "b7a8q"],
                 "NBRQKOx=+#-12345678abcdefgh", _moves),
        _of_text("chess problems", lines_of_chess, _JSON, lambda t: chess_problem.parse_problems(t, "input")),
        _of_text("chess answers", answers_of_chess, _JSON,
                 lambda t: chess_score.parse_answers(t, ("a", "b"), "input")),
        _of_text("firm", firm, _CSV, lambda t: list(firm_adapter.facts(firm_adapter.read(t, "input")))),
        _of_text("statistics", measured, _JSON, lambda t: measures.parse_statistics(t, "input", coding)),
        _of_text("pydatalog", programs,
                 ("<=", "&", "~", "(", ")", "'a'", "X", "==", "load(", "lambda", "\n "),
                 lambda t: import_pydatalog(t, "imported", "input")),
        _of_text("query", ["parent(?x, ?y), ?x != ?y", "after p(a), ?n = count ?x in q(?x), absent r"],
                 ("absent", "?x", "(", ","), parse_query),
    ]  # fmt: skip


_CHESS_DIAGRAM = """to move: white
castling: KQkq
en passant: -
  a b c d e f g h
8 r . . . k . . r
7 p p p p . p p p
6 . . . . . . . .
5 . . . . p . . .
4 . . . . P . . .
3 . . . . . . . .
2 P P P P . P P P
1 R . . . K . . R
"""


# Readers of files


def files(folder: Path) -> list[FuzzedReader]:
    """Return the readers of files, which write into the folder: tables, rules with proofs, stores as text."""
    return [*_tables(folder), *_rules(folder), _stores(folder)]


_PEOPLE = "sort person. sort years = int. fluent age(person -> years). static knows(person, person)."


def _tables(folder: Path) -> list[FuzzedReader]:
    vocabulary = load_text(_PEOPLE).vocabulary
    seeds = [
        "person,years\nada,36\nben,12\n",
        'a,b\n"x ""y""",1\n\n',
        "person;years\nada;3\n",
        "knows,who\na,b\n\u2028,c\n",
    ]
    path = folder / "table.csv"

    def read_csv(data: bytes) -> object:
        path.write_bytes(data)
        delimiter, predicate = (",", "\t")[len(data) % 7 == 0], ("age", "knows")[len(data) % 2]
        return tables.read_csv(path, predicate, vocabulary, delimiter=delimiter, header=len(data) % 3 > 0)

    parquet = folder / "table.parquet"
    columns: dict[str, list[Any]] = {"person": ["ada", "ben", "x y"], "years": [36, 2**62, -1]}
    pyarrow.parquet.write_table(pyarrow.table(columns), parquet)
    good = parquet.read_bytes()

    def read_parquet(data: bytes) -> object:
        parquet.write_bytes(data)
        if len(data) % 2:
            return firm_adapter.read_file(parquet)
        return tables.read_parquet(parquet, "age", vocabulary)

    return [
        FuzzedReader(
            "csv",
            lambda numbers: as_bytes(mutated(numbers.choice(seeds), seeds, _CSV, numbers), numbers),
            read_csv,
        ),
        FuzzedReader("parquet", lambda numbers: mutated_bytes(good, numbers), read_parquet),
    ]


def _rules(folder: Path) -> list[FuzzedReader]:
    theory = load("cup")
    hornbook.learn(theory, hornbook.read_examples(theory)).rules.save(folder / "cup_rules.horn")
    path = folder / "cup_rules.horn"
    rules, proofs = (read_text(each) for each in (path, proofs_path(path)))
    words = ("?x", ":-", ",", ".", "'", "%", "rule", "liftable", '"steps"', '"rank"', "[]", "{}", "null")

    def reader(name: str, changed: Path, other: Path, unchanged: str, seeds: list[str]) -> FuzzedReader:
        def read(data: bytes) -> object:
            changed.write_bytes(data)
            other.write_text(unchanged, encoding="utf-8")
            base = rulebase.read(path, theory)
            rulebase.entries_of(path)
            rulebase.written(base, path)
            return list(verify_all(base, theory))

        return FuzzedReader(
            name,
            lambda numbers: as_bytes(mutated(numbers.choice(seeds), seeds, words, numbers), numbers),
            read,
        )

    proofs_file = proofs_path(path)
    return [
        reader("rules", path, proofs_file, proofs, [rules]),
        reader("proofs", proofs_file, path, rules, [proofs]),
    ]


def _stores(folder: Path) -> FuzzedReader:
    made = folder / "made.sqlite"
    with Store.create(made) as store:
        store.put_theory("family")
        exported = text.export_text(store)
    seeds = [exported]

    def read(data: bytes) -> object:
        target = folder / "imported.sqlite"
        try:
            text.import_text(decode(data, "input"), "input", target)
            with open_store(target) as store:
                return store.theories()
        finally:
            target.unlink(missing_ok=True)

    return FuzzedReader(
        "store as text", lambda numbers: as_bytes(mutated(exported, seeds, _JSON, numbers), numbers), read
    )


# Parser and checker


def checker() -> FuzzedReader:
    """Return a reader of theories made from shipped ones: they are parsed, checked, formatted and, if valid,
    queried.
    """
    paths = [
        *ROOT.glob("theories/**/*.horn"),
        *ROOT.glob("oracles/proofs/games/*.horn"),
        *ROOT.glob("tests/kb/format/golden/*.horn"),
    ]
    corpus = Corpus.of([path for path in sorted(paths) if path.name != "rules.horn"])

    def make(numbers: Random) -> bytes:
        return corpus.theory(numbers).encode("utf-8", "surrogatepass")

    return FuzzedReader("checker", make, _checked)


def _checked(data: bytes) -> object:
    read = data.decode("utf-8", "surrogatepass")
    theory: Theory = load_text(read, "input")
    if len(data) % 4 == 0:
        format_text(read)
    if len(data) % 16 == 0:
        KnowledgeBase(theory, limits=Limits(facts=10_000, seconds=1))
    return theory
