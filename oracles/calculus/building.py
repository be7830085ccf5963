"""Compiles the proof, extracts the checker from it, and asks it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

SOURCES = Path(__file__).parent / "coq"
TOOLS = ("coqc", "ocamlfind")
FILES = (
    "Values",
    "Linear",
    "Meaning",
    "Contexts",
    "Conditions",
    "Worlds",
    "Stages",
    "Variables",
    "Sets",
    "Steps",
    "Cases",
    "Replies",
    "Check",
    "Extract",
)
CLOSED = "Closed under the global context"
"""What Coq prints where a theorem rests on no axiom and on nothing that is only admitted."""


def missing() -> list[str]:
    """The tools that are not on this machine."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def built(folder: Path) -> Path:
    """The checker, compiled in a folder. Raises RuntimeError where the theorem rests on an assumption, and CalledProcessError where
    something does not compile.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in SOURCES.iterdir():
        if path.suffix in (".v", ".ml"):
            shutil.copy(path, folder)
    said = ""
    for name in FILES:
        said = said + _run(["coqc", "-q", "-Q", ".", "Calculus", f"{name}.v"], folder)
    if said.strip() != CLOSED:
        raise RuntimeError(f"the theorem rests on an assumption: {said}")
    program = folder / "calculus"
    sources = ["checker.mli", "checker.ml", "driver.ml"]
    # The extracted code has names that nothing uses: its warnings are turned off.
    _run(["ocamlfind", "ocamlopt", "-w", "-a", *sources, "-o", program.name], folder)
    return program


def verdicts(program: Path, theory: str, questions: Sequence[str], folder: Path) -> list[str]:
    """What the checker says of each question about a theory: `accepted`, `refused: WHY` or `not covered: WHY`."""
    path = folder / "questions"
    path.write_bytes("\n".join((theory, *questions)).encode("utf-8", "surrogatepass"))
    said = _run([str(program), str(path)], folder).splitlines()
    if len(said) != len(questions):
        raise RuntimeError(f"{len(said)} verdicts on {len(questions)} questions")
    return said


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8", "surrogatepass")
