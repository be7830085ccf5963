"""A folder with learned rules as a C++ program: its files are written, and built where that is asked for.

Always true: what a user may have changed is not overwritten, and the program is written whole or not at all.
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
from hornbook.compiler.match.position import asked_fact
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.text.writing import WritingError, new_folder, write_texts
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.standalone.cpp import MARK, Program, source, text_of
from hornbook.matcher.standalone.shared_library import FILE
from hornbook.theories.domain import Domain, Question
from hornbook.theories.not_said import NotSaidError

POSITIONS = 12
"""So many positions are looked at for what positions are like."""


class BuildingError(HornbookError):
    """The program could not be compiled; the message has what the compiler said."""


class NoRulesError(HornbookError):
    """There is no rule that could answer."""


def compiled(
    theory: Theory, rules: Sequence[Rule], problems: Path | None = None
) -> tuple[Program, list[GroundFact]]:
    """Rules about games as what is compiled, for positions like those of some problems (by default of those that ship, if
    any do); and the facts of one of these, with what is asked. Raises NoRulesError, NoDomainError, and TheoryError where
    the problems are wrong.
    """
    domain = the_domain(theory, "what is asked about its states")
    questions = _questions(domain, problems)
    program = program_of(theory, domain.focus_predicate, rules, [(q.parts, q.games) for q in questions])
    if not program.answering:
        raise NoRulesError(
            "no rule with a certificate that holds says something about a game; `hornbook rules verify` says what holds"
        )
    of_one = [
        fact
        for each in questions[:1]
        for fact in (
            *(f for part in dict.fromkeys(each.parts) for f in part.facts()),
            *map(asked_fact, each.games),
        )
    ]
    return program, of_one


def _questions(domain: Domain, problems: Path | None) -> list[Question]:
    """What some positions are asked, none where no problems ship."""
    try:
        path = domain.shipped() if problems is None else problems
    except NotSaidError:
        return []
    asked = map(domain.asked, islice(domain.read_problems(path), POSITIONS))
    return [domain.question(each.state, each.game) for each in asked]


def write(folder: Path, program: Program, example: Sequence[GroundFact]) -> list[str]:
    """Writes the program, its header, an example in C, and what builds them; an example or a Makefile that is there stays.
    Returns the names of the files that were written. Raises WritingError, and where a file was not written by this.
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
    """Compiles the program in a folder, by the compiler that CXX names, else `c++`, with the options of CXXFLAGS, else
    `-O2`. Raises BuildingError.
    """
    compiler = os.environ.get("CXX") or "c++"
    if shutil.which(compiler) is None:
        raise BuildingError(
            f"there is no `{compiler}` to compile {folder / 'rules.cpp'} with: install a C++ compiler, or name one by CXX"
        )
    made = folder / FILE
    new = folder / f".{FILE}.{os.getpid()}"
    chosen = shlex.split(os.environ.get("CXXFLAGS") or "-O2")
    options = ["-std=c++17", *chosen, "-fPIC", "-fvisibility=hidden", "-shared", "-o", str(new)]
    try:
        done = subprocess.run(  # noqa: S603 - the user's own compiler, which he asked for
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
