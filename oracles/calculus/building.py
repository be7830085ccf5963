"""Compilation of the proof, extraction of the checker from it, and questions to that checker."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.text.writing import write_text
from oracles.coq import record, tools
from oracles.coq.compiling import command, compile_library, require_no_assumptions
from oracles.coq.record import Row

SOURCES = Path(__file__).parent / "coq"
RECORD = Path(__file__).parent / "proved.jsonl"
TOOLS = ("coqc", "coqdep", "ocamlfind")
LIBRARY = "Calculus"
CHECK = "All.v"
CHECK_TEXT = """\
From Calculus Require Claim Check.
Definition shown : Calculus.Claim.claim := @Calculus.Check.check_all_sound.
Print Assumptions shown.
"""
"""The source that compares the proof with the claim and prints the proof's assumptions."""
UNPROVED = ("Extract.v", "driver.ml")
"""The files that are compiled to the checker, and that prove nothing."""


@dataclass(frozen=True, slots=True)
class Built:
    """The extracted checker, the digests of the compiled sources, and how many of them the cache spared."""

    program: Path
    sources: dict[str, str]
    cached: int


def built(folder: Path) -> Built:
    """Compile the proof and the checker in a folder.

    Raise UnprovedError if a file does not compile, if the theorem is not the claim, or if it depends on an
    assumption.
    """
    (folder / LIBRARY).mkdir(parents=True, exist_ok=True)
    for path in SOURCES.iterdir():
        if path.suffix in (".v", ".ml"):
            shutil.copyfile(path, folder / (path.name if path.name in UNPROVED else f"{LIBRARY}/{path.name}"))
    write_text(folder / CHECK, CHECK_TEXT)
    proofs = compile_library(folder, [LIBRARY])
    checked = require_no_assumptions(folder, [LIBRARY], CHECK)
    tools.run(command([LIBRARY], "Extract.v"), folder)
    program = folder / "calculus"
    # The extracted code has names that nothing uses: its warnings are turned off.
    sources = ["checker.mli", "checker.ml", "driver.ml"]
    tools.run(["ocamlfind", "ocamlopt", "-w", "-a", *sources, "-o", program.name], folder)
    unproved = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in UNPROVED}
    return Built(program, {**proofs.sources, **unproved, CHECK: checked}, proofs.cached)


def digests() -> dict[str, str]:
    """Return the SHA-256 digest of each source that `built` compiles, by its path."""
    files = (path for path in SOURCES.iterdir() if path.suffix in (".v", ".ml"))
    found = {
        path.name if path.name in UNPROVED else f"{LIBRARY}/{path.name}": path.read_bytes() for path in files
    }
    found[CHECK] = CHECK_TEXT.encode()
    return {path: hashlib.sha256(content).hexdigest() for path, content in found.items()}


def head() -> Row:
    """Return the first row of the record of a run that ends now."""
    return record.head("oracles/calculus/coq, in Coq", "python -m oracles.calculus --write")


def rows() -> list[Row]:
    """Return the rows of the record after the first."""
    return record.sources(digests(), {CHECK})


def verdicts(program: Path, theory: str, questions: Sequence[str], folder: Path) -> list[str]:
    """Return the checker's answer to each question about a theory: `accepted`, `refused: WHY` or `not
    covered: WHY`.
    """
    path = folder / "questions"
    path.write_bytes("\n".join((theory, *questions)).encode("utf-8", "surrogatepass"))
    answers = tools.run([str(program), str(path)], folder).splitlines()
    if len(answers) != len(questions):
        raise RuntimeError(f"{len(answers)} verdicts on {len(questions)} questions")
    return answers
