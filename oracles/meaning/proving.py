"""Compiles the proofs of a theory's clauses with Coq, and says which clauses have one that rests on no assumption."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import networkx as nx

from hornbook.compiler.trust.shown import fingerprint
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.writing import write_text
from oracles.meaning import statements
from oracles.meaning.games import Game
from oracles.meaning.statements import Proposition

CLOSED = "Closed under the global context"
"""What Coq prints where a theorem rests on no axiom and on nothing that is only admitted."""
TOOLS = ("coqc", "coqdep")
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)
_BEGINNING = re.compile(r"^\s*(?:Theorem|Lemma|Fact|Corollary|CoFixpoint|Definition) (\w+)")
_PLACE = re.compile(r'File "\./((?:\w+/)?\w+\.v)", line (\d+)')


class UnprovedError(Exception):
    """What Coq does not accept, with what it says."""


def missing() -> list[str]:
    """The tools that are not on this machine."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def version() -> str:
    return subprocess.run(
        ["coqc", "--print-version"], capture_output=True, text=True, check=True
    ).stdout.split()[0]


def theorems(game: Game) -> dict[str, str]:
    """The theorems that are written by hand, each with its file."""
    texts = ((path.stem, path.read_text(encoding="utf-8")) for path in game.sources())
    return {name: stem for stem, text in texts for name in _THEOREM.findall(_COMMENT.sub("", text))}


def proved(theory: Theory, game: Game, folder: Path) -> list[str]:
    """What has a proof of what the theory says, by its name in Coq, in the order of `propositions`; all is compiled in a folder. Raises
    UnprovedError where something does not compile, a proof is of another statement, or any theorem rests on an assumption.
    """
    for each, text in _said(theory, game):
        place = folder / each.name
        place.mkdir(parents=True, exist_ok=True)
        for path in each.sources():
            shutil.copy(path, place)
        write_text(place / "Statements.v", text)
    homes = theorems(game)
    shown = [each for each in statements.propositions(theory, game) if each.name in homes]
    files = " ".join(sorted({"Statements", *homes.values()}))
    lines = [
        "From mathcomp Require Import all_ssreflect.",
        f"From {game.libraries()[0].name} Require Import Board.",
        f"From {game.name} Require {files}.",
        *(_is_of_its_statement(each, homes[each.name], game) for each in shown),
        "Definition every : True :=",
        *(f"  let _ := @{game.name}.{file}.{name} in" for name, file in homes.items()),
        "  I.",
        "Print Assumptions every.",
        "",
    ]
    write_text(folder / "All.v", "\n".join(lines))
    options = [word for each in game.libraries() for word in ("-Q", each.name, each.name)]
    said = ""
    for file in _in_order(folder, options):
        said = _run(["coqc", "-q", "-w", "-all", *options, file], folder)
    if said.strip() != CLOSED:
        raise UnprovedError(f"a proof rests on an assumption: {said}")
    return [each.name for each in shown]


def rows(theory: Theory, game: Game, names: Iterable[str]) -> list[dict[str, str]]:
    """What `hornbook trust` reads beside the theory: by what the clauses are shown, and what each says."""
    known = set(names)
    folders = "/".join(each.folder.name for each in game.libraries())
    head = {"by": f"oracles/meaning/{folders}, in Coq", "sources": digest(theory, game)}
    shown = (rule for rule in theory.rules if statements.name(rule) in known)
    words = theory.vocabulary
    return [head, *({"clause": rule.name, "fingerprint": fingerprint(rule, words)} for rule in shown)]


def digest(theory: Theory, game: Game) -> str:
    """Changes with whatever the meanings and proofs say, and with what is to be proved: facts, frames and replies, too."""
    found = hashlib.sha256()
    for each, text in _said(theory, game):
        found.update(text.encode())
        for path in each.sources():
            found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _said(theory: Theory, game: Game) -> Iterator[tuple[Game, str]]:
    """The statements of a game, after those of what it stands upon."""
    for each in game.libraries():
        yield each, statements.text(theory if each is game else each.theory(), each)


def _is_of_its_statement(said: Proposition, file: str, game: Game) -> str:
    binders = "".join(f" {game.given[each]}" for each in said.parameters)
    row = "".join(f" {each}" for each in said.parameters)
    statement, proof = f"{game.name}.Statements.{said.name}{row}", f"@{game.name}.{file}.{said.name}{row}"
    return f"Definition shown_{said.name}{binders} : {statement} := {proof}."


def _in_order(folder: Path, options: Sequence[str]) -> list[str]:
    """`All.v` and the files that it needs, each after those that it needs itself."""
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.v"))
    needs: nx.DiGraph[str] = nx.DiGraph()
    for line in _run(["coqdep", *options, *files], folder).splitlines():
        made, _, needed = line.partition(": ")
        needs.add_edges_from((each, made.split()[0]) for each in needed.split() if each.endswith(".vo"))
    wanted = needs.subgraph({"All.vo", *nx.ancestors(needs, "All.vo")})
    return [made.removesuffix("o") for made in nx.lexicographical_topological_sort(wanted)]


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        raise UnprovedError(f"{_where(said, folder) or command[-1]}: {said}")
    return done.stdout


def _where(said: str, folder: Path) -> str:
    """The file and line of which Coq speaks, with what begins last before it."""
    place = _PLACE.search(said)
    if place is None:
        return ""
    file, line = place[1], int(place[2])
    above = (folder / file).read_text(encoding="utf-8").splitlines()[:line]
    begun = [found[1] for each in above if (found := _BEGINNING.match(each))]
    return f"{file}:{line}: {begun[-1]}" if begun else f"{file}:{line}"
