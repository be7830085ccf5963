"""A separate process for pyDatalog: programs as JSON on standard input, a line of answers for each.

A signal ends the process if a program takes too long: an exception cannot leave pyDatalog's endless
recursion. The limit is processor time, so it does not depend on other load.
"""

from __future__ import annotations

import json
import signal
import sys
import warnings
from typing import Any

SECONDS = 0.25


def answer(question: dict[str, Any]) -> list[list[tuple[int, ...]]]:
    from pyDatalog import pyDatalog

    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    pyDatalog.clear()
    pyDatalog.load(question["text"])
    found = []
    for predicate, arity in enumerate(question["arities"]):
        variables = ", ".join(f"X{column}" for column in range(arity))
        try:
            answers = pyDatalog.ask(f"p{predicate}({variables})")
        except AttributeError:  # a predicate without facts and rules
            answers = None
        found.append(sorted(answers.answers) if answers else [])
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for each in json.load(sys.stdin):
        print(json.dumps(answer(each)), flush=True)
