"""Folder with learned rules as a C++ program: writing its files, and building it on request.

Invariants: Files that a user may have changed are not overwritten. The program is written whole or not at
all.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from hornbook.compiler.match.as_code import program_of
from hornbook.compiler.match.position import query_fact
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.text.writing import WritingError, new_folder, write_texts
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.standalone.cpp import MARK, CompiledProgram, source, text_of
from hornbook.matcher.standalone.shared_library import FILE
from hornbook.theories.domain import Domain, RuleQuery
from hornbook.theories.protocols.missing_member import MissingMemberError

POSITIONS = 12
"""The number of sample positions."""


class BuildingError(HornbookError):
    """The program could not be compiled; the message has the compiler's output."""


class NoRulesError(HornbookError):
    """No rule can answer."""


def compiled(
    theory: Theory, rules: Sequence[Rule], problems: Path | None = None
) -> tuple[CompiledProgram, list[GroundFact]]:
    """Return the program for rules about games, and the facts of a sample position with its query.

    The program is specialised for positions like those of `problems`, by default the shipped ones.

    Raises:
        NoRulesError: If no rule can answer.
        NoDomainError: If no domain says which games to query.
        TheoryError: If the problems have mistakes.
    """
    domain = the_domain(theory, "what is asked about its states")
    questions = _questions(domain, problems)
    program = program_of(theory, domain.focus_predicate, rules, [(q.parts, q.games) for q in questions])
    if not program.answering:
        raise NoRulesError(
            "no rule with a certificate that holds says something about a game; `hornbook rules verify`"
            " says what holds"
        )
    of_one = [
        fact
        for each in questions[:1]
        for fact in (
            *(f for part in dict.fromkeys(each.parts) for f in part.facts()),
            *map(query_fact, each.games),
        )
    ]
    return program, of_one


def _questions(domain: Domain, problems: Path | None) -> list[RuleQuery]:
    """Return the queries about some positions; none if no problems ship."""
    try:
        path = domain.shipped() if problems is None else problems
    except MissingMemberError:
        return []
    queries = map(domain.query_of, islice(domain.read_problems(path), POSITIONS))
    return [domain.question(each.state, each.game) for each in queries]


def write(folder: Path, program: CompiledProgram, example: Sequence[GroundFact]) -> list[str]:
    """Write the program, its header, an example in C, and the Makefile; return the names of the files.

    An existing example or Makefile is retained. Raises WritingError, also if the existing program was not
    written by this function.
    """
    main = folder / "rules.cpp"
    if main.exists() and not main.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        raise WritingError(
            None, "it was not written by `hornbook rules compile`, so it is not replaced", str(main)
        )
    texts = {"rules.cpp": source(program), "hornbook_rules.h": text_of("hornbook_rules.h")}
    others = {
        "Makefile": text_of("Makefile.txt"),
        "example.c": text_of("example.c"),
        "example.facts": "".join("\t".join(map(str, (f.relation, *f.values))) + "\n" for f in example),
    }
    texts |= {name: text for name, text in others.items() if not (folder / name).exists()}
    with new_folder(folder):
        write_texts((folder / name, text) for name, text in texts.items())
    return list(texts)


def build(folder: Path) -> Path:
    """Compile the program in a folder and return the library.

    The compiler is `CXX` or else `c++`, with the options `CXXFLAGS` or else `-O2`. Raises BuildingError.
    """
    compiler = os.environ.get("CXX") or "c++"
    if shutil.which(compiler) is None:
        raise BuildingError(
            f"there is no `{compiler}` to compile {folder / 'rules.cpp'} with: install a C++ compiler,"
            " or name one by CXX"
        )
    made = folder / FILE
    new = folder / f".{FILE}.{os.getpid()}"
    chosen = shlex.split(os.environ.get("CXXFLAGS") or "-O2")
    options = ["-std=c++17", *chosen, "-fPIC", "-fvisibility=hidden", "-shared", "-o", str(new)]
    try:
        done = subprocess.run(  # noqa: S603 - the user's own compiler
            [compiler, *options, str(folder / "rules.cpp")], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BuildingError(
                f"`{compiler}` could not compile {folder / 'rules.cpp'}:\n{done.stderr.strip()}"
            )
        new.replace(made)
    finally:
        new.unlink(missing_ok=True)
    return made
