"""Compiles the proofs of a theory's clauses with Coq, and says which clauses have one that rests on no assumption."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.writing import write_text
from oracles.meaning import statements
from oracles.meaning.games import Game
from oracles.meaning.statements import Proposition

CLOSED = "Closed under the global context"
"""What Coq prints where a theorem rests on no axiom and on nothing that is only admitted."""
TOOLS = ("coqc", "coqdep")
_THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)


def missing() -> list[str]:
    """The tools that are not on this machine."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def version() -> str:
    return subprocess.run(
        ["coqc", "--print-version"], capture_output=True, text=True, check=True
    ).stdout.split()[0]


def proved(theory: Theory, game: Game, folder: Path) -> list[str]:
    """What has a proof of what the theory says, by its name in Coq, in the order of `propositions`; all is compiled in a folder. Raises RuntimeError with
    what Coq says where something does not compile, a proof is of another statement, or rests on an assumption.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in game.sources():
        shutil.copy(path, folder)
    write_text(folder / "Statements.v", statements.text(theory, game))
    homes = {
        name: path.stem
        for path in game.sources()
        for name in _THEOREM.findall(path.read_text(encoding="utf-8"))
    }
    shown = [each for each in statements.propositions(theory, game) if each.name in homes]
    files = " ".join(sorted({"Statements", *homes.values()}))
    lines = [
        "From mathcomp Require Import all_ssreflect.",
        f"From {game.name} Require Import Board.",
        f"From {game.name} Require {files}.",
        *(_is_of_its_statement(each, homes[each.name], game) for each in shown),
        "Definition every : True :=",
        *(f"  let _ := @shown_{each.name} in" for each in shown),
        "  I.",
        "Print Assumptions every.",
        "",
    ]
    write_text(folder / "All.v", "\n".join(lines))
    said = ""
    for file in _run(["coqdep", "-sort", "-Q", ".", game.name, *_names(folder)], folder).split():
        said += _run(["coqc", "-q", "-w", "-all", "-Q", ".", game.name, file], folder)
    if said.strip() != CLOSED:
        raise RuntimeError(f"a proof rests on an assumption: {said}")
    return [each.name for each in shown]


def rows(theory: Theory, game: Game, names: Iterable[str]) -> list[dict[str, str]]:
    """What `hornbook trust` reads beside the theory: by what the clauses are shown, and what each says."""
    known = set(names)
    head = {"by": f"oracles/meaning/{game.folder.name}, Coq {version()}", "sources": digest(game)}
    return [
        head,
        *(
            {"clause": r.name, "fingerprint": fingerprint_of_rule(r)}
            for r in theory.rules
            if statements.name(r) in known
        ),
    ]


def digest(game: Game) -> str:
    """Changes with whatever the meanings and proofs say."""
    found = hashlib.sha256()
    for path in sorted(game.sources()):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _is_of_its_statement(said: Proposition, file: str, game: Game) -> str:
    binders = "".join(f" {game.given[each]}" for each in said.parameters)
    row = "".join(f" {each}" for each in said.parameters)
    return f"Definition shown_{said.name}{binders} : Statements.{said.name}{row} := @{file}.{said.name}{row}."


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.v"))


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[-1]}: {done.stderr.strip()}")
    return done.stdout
