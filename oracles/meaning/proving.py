"""Compilation of the proofs of a theory's clauses with Coq, and the check that each proves its statement
without assumptions.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.writing import write_text
from oracles.coq.compiling import compile_library, require_no_assumptions
from oracles.meaning import statements
from oracles.meaning.games import CoqGame
from oracles.meaning.statements import Proposition

TOOLS = ("coqc", "coqdep", "mathcomp")
CHECK = "All.v"
"""The file that compares every theorem with its statement, and that prints the assumptions of all."""
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CheckedProofs:
    """The result of a run: the proved statements by their names in Coq, the compiled sources with digests,
    and the number of cached sources.
    """

    names: list[str]
    sources: dict[str, str]
    cached: int


def theorems(game: CoqGame) -> dict[str, str]:
    """Return the theorems in the sources of a game, each with the name of its file."""
    texts = ((path.stem, path.read_text(encoding="utf-8")) for path in game.sources())
    return {name: stem for stem, text in texts for name in _THEOREM.findall(_COMMENT.sub("", text))}


def check(theory: Theory, game: CoqGame, folder: Path) -> CheckedProofs:
    """Compile the proofs of a game in a folder, against statements that are generated from the theory.

    Raise UnprovedError if Coq rejects a source, if a theorem is not the statement of its name, or if a
    theorem depends on an assumption.
    """
    for path, source in _files(game):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / path)
    # Generated sources come last, so that no hand-written source can replace one.
    for path, text in _texts(theory, game):
        write_text(folder / path, text)
    libraries = [each.name for each in game.libraries()]
    compilation = compile_library(folder, libraries)
    checked = require_no_assumptions(folder, libraries, CHECK)
    names = [each.name for each in _proved(theory, game)]
    return CheckedProofs(names, {**compilation.sources, CHECK: checked}, compilation.cached)


def digests(theory: Theory, game: CoqGame) -> dict[str, str]:
    """Return the SHA-256 digest of each source that `check` compiles, by its path.

    Generated sources included.
    """
    found = {path: source.read_bytes() for path, source in _files(game)}
    found |= {path: text.encode() for path, text in _texts(theory, game)}
    return {path: hashlib.sha256(content).hexdigest() for path, content in sorted(found.items())}


def generated(game: CoqGame) -> set[str]:
    """Return the paths of the sources that are generated, and that no folder holds."""
    return {CHECK, *(f"{each.name}/Statements.v" for each in game.libraries())}


def _files(game: CoqGame) -> Iterator[tuple[str, Path]]:
    """Yield the hand-written sources by their paths in the compiled folder."""
    for each in game.libraries():
        for path in each.sources():
            yield f"{each.name}/{path.name}", path


def _texts(theory: Theory, game: CoqGame) -> Iterator[tuple[str, str]]:
    """Yield the generated sources: the statements of each library, and the check of the last."""
    for each in game.libraries():
        stated = theory if each is game else each.theory()
        yield f"{each.name}/Statements.v", statements.text(stated, each)
    yield CHECK, _check(theory, game)


def _proved(theory: Theory, game: CoqGame) -> list[Proposition]:
    homes = theorems(game)
    return [each for each in statements.propositions(theory, game) if each.name in homes]


def _check(theory: Theory, game: CoqGame) -> str:
    homes = theorems(game)
    proved = _proved(theory, game)
    files = " ".join(sorted({"Statements", *homes.values()}))
    lines = [
        "From mathcomp Require Import all_ssreflect.",
        f"From {game.libraries()[0].name} Require Import Board.",
        f"From {game.name} Require {files}.",
        *(_is_its_statement(each, homes[each.name], game) for each in proved),
        "Definition every : True :=",
        *(f"  let _ := @shown_{each.name} in" for each in proved),
        *(f"  let _ := @{game.name}.{file}.{name} in" for name, file in homes.items()),
        "  I.",
        "Print Assumptions every.",
        "",
    ]
    return "\n".join(lines)


def _is_its_statement(proposition: Proposition, file: str, game: CoqGame) -> str:
    binders = "".join(f" {game.given[each]}" for each in proposition.parameters)
    row = "".join(f" {each}" for each in proposition.parameters)
    statement, proof = (
        f"{game.name}.Statements.{proposition.name}{row}",
        f"@{game.name}.{file}.{proposition.name}{row}",
    )
    return f"Definition shown_{proposition.name}{binders} : {statement} := {proof}."
