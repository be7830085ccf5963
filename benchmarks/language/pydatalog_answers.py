"""Separate process that runs a program with pyDatalog, and prints pyDatalog's answers for each predicate.

Each line is a predicate (as `parent/2` or `salary[1]`) with its answers, or null if pyDatalog has none for
the open query. Because pyDatalog does not always terminate, a signal that programs cannot catch limits its
processor time; lines printed by then are used.

Usage:

    python benchmarks/language/pydatalog_answers.py FILE
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

from hornbook.kb.pydatalog.constants import float_word
from hornbook.kb.pydatalog.process import pydatalog
from hornbook.kb.pydatalog.python_files import notebook_source
from hornbook.kb.pydatalog.running import serve

SECONDS = 20.0


def value(term: object) -> object:
    """Return a value as an import represents it: an integer or a word."""
    if isinstance(term, float):
        return float_word(term)
    if isinstance(term, bool) or term is None or not hasattr(term, "__index__"):
        return " ".join(str(term).split()) if not isinstance(term, str) else term
    return int(term.__index__())


def say_comparisons(engine: Any) -> None:
    """Rewrite `f[X] > 2` as `(f[X] == Y) & (Y > 2)`, because this pyDatalog does not find the
    documented answers.
    """
    for predicate in list(engine.Logic.tl.logic.Db.values()):
        for clause in predicate.clauses.values():
            body: list[Any] = []
            for number, literal in enumerate(clause.body):
                operator = literal.pred.comparison
                equal = literal.pred.name.replace(f"]{operator}", "]==")
                if (
                    operator not in ("<", "<=", ">", ">=", "!=")
                    or literal.pred.name.startswith("~")
                    or "." in equal
                ):
                    body.append(literal)
                    continue
                between = engine.Var(f"Between{number}")
                terms = [*literal.terms[:-1], between]
                body.append(engine.Literal(equal, terms, prearity=len(terms) - 1))
                body.append(engine.Literal(operator, [between, literal.terms[-1]]))
            if len(body) > len(clause.body):
                engine.retract(clause)
                engine.assert_(engine.Clause(clause.head, body))  # noqa: PT009


def main() -> None:
    warnings.simplefilter("ignore")
    lines = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    file = Path(sys.argv[1]).resolve()
    os.chdir(file.parent)
    text = file.read_text(encoding="utf-8")
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    serve([notebook_source(text, str(file)) if file.suffix == ".ipynb" else text, str(file)])
    engine = pydatalog("pyEngine")
    say_comparisons(engine)
    for predicate in list(engine.Logic.tl.logic.Db.values()):
        function = re.fullmatch(r"(.+\[\d+\])==", predicate.name)
        if predicate.prim or re.search(r"!|^~|^_pyD_query", predicate.name):
            continue
        of_class = "." in predicate.name
        names = [engine.Var(f"X{i}") for i in range(predicate.arity)]
        if function is not None or of_class:
            names[0] = engine.Const("_pyD_class")
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            rows = engine.Literal(predicate, names).ask()
        except Exception:  # noqa: BLE001 - pyDatalog needs a bound argument
            rows = None
        if rows is True:
            rows = None
        if rows is not None:
            rows = [[value(term) for term in row[function is not None or of_class :]] for row in rows]
        name = f"{predicate.name}/{predicate.arity - of_class}" if function is None else function[1]
        name = name.replace(".", "_")
        print(json.dumps([name, rows]), file=lines, flush=True)
    lines.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
