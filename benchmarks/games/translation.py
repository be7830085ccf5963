"""Translation of every sheet of a folder to a theory, and comparison of both on random states.

The output per sheet is the processor seconds of the translation, rules and facts of the theory, states
compared, and `equal`, the first difference, or the reason why there is no theory. In each state the legal
actions, the end of the game, the value for each role, and all facts after a random move are compared. A
game of simultaneous moves becomes a theory where the roles choose one after another; that game is
additionally compared with the sheet, on as many states (`one by one`). If a sheet exceeds its time limit,
fewer states are compared.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import process_time

from benchmarks.study import Study, options
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.game import Game
from hornbook.planner.translation.folder import write_folder
from hornbook.planner.translation.sheet_domain import SheetGame
from oracles.gdl.translated_games import agreement, same_game

MOST_BYTES = 3 * 2**30


def child(file: Path, seed: str, states: int, most: float) -> None:
    """Translate and compare one sheet, and print the results as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (int(2 * most) + 5, int(2 * most) + 6))
    started = process_time()
    found: dict[str, object] = {"file": file.parent.name, "rules": 0, "states": 0}
    with tempfile.TemporaryDirectory() as place:
        try:
            path = write_folder(file, Path(place) / "game")
            text = path.read_text(encoding="utf-8")
            found |= {"seconds": round(process_time() - started, 1), "rules": text.count(":-")}
            found |= {"lines": text.count("\n"), "said": "a theory, and not compared in time"}
            # The output if the time ends while states are compared.
            print(json.dumps(found), flush=True)
            compared = agreement(path.parent, Random(seed), states, most)
            found |= {"states": compared.states, "said": compared.difference or "equal"}
            original = read_text(file, str(file))
            if read_text(path.with_suffix(".kif"), str(path)) != original:
                played = same_game(
                    Game(original), SheetGame(path.parent, f"{path.stem}.kif"), Random(seed), states, most
                )
                found["said"] = compared.difference or played.difference or "equal, one by one"
        except TheoryError as problem:
            first = problem.diagnostics[0]
            found["said"] = f"no theory: line {first.span.line}: {first.message}"
        except (
            HornbookError,
            MemoryError,
            RecursionError,
            AssertionError,
            KeyError,
            StopIteration,
        ) as problem:
            found["said"] = f"failed: {type(problem).__name__} {str(problem)[:200]}"
    print(json.dumps(found))


def compared_sheet(file: Path, given: argparse.Namespace) -> dict[str, object]:
    command = [sys.executable, "-m", "benchmarks.games.translation", "--child", str(file), str(given.seed)]
    command += [str(given.states), str(given.most)]
    nothing = {"file": file.parent.name, "rules": 0, "states": 0}
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=8 * given.most)
    except subprocess.TimeoutExpired:
        return nothing | {"said": f"no theory: more than {given.most:g} seconds"}
    lines = process.stdout.splitlines()
    if not lines:
        return nothing | {
            "said": f"no theory: more than {given.most:g} seconds, or {process.stderr[-100:]!r}"
        }
    found: dict[str, object] = json.loads(lines[-1])
    return found


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
        return 0
    parser = options(__doc__, seed=1, states=1_000, most=60.0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    files = sorted(given.folder.rglob("*.kif"), key=lambda file: (file.stat().st_size, file))
    body = [f"{'sheet':<40}{'seconds':>9}{'rules':>7}{'lines':>8}{'states':>8}  answer"]
    wrong, reasons, counts = list[str](), Counter[str](), Counter[str]()
    for file in files:
        name = str(file.relative_to(given.folder).with_suffix(""))
        found = compared_sheet(file, given)
        shown = name if len(name) < 40 else file.stem
        numbers = (
            f"{found.get('seconds', '-'):>9}{found['rules']:>7}{found.get('lines', '-'):>8}"
            f"{found['states']:>8}"
        )
        line = f"{shown:<40}{numbers}  {found['said']}"
        body.append(line)
        print(line, file=sys.stderr, flush=True)
        message = str(found["said"])
        if message.startswith("equal"):
            counts["all" if found["states"] == given.states else "some"] += 1
            counts["one by one"] += message != "equal"
        elif message.startswith("a theory"):
            counts["not compared"] += 1
        elif message.startswith("no theory"):
            reasons[_reason(message)] += 1
        else:
            wrong.append(line)
    body += [
        "",
        (
            f"{len(files)} sheets, {counts['all'] + counts['some']} are theories that agree with them, "
            f"{len(wrong)} differ;"
        ),
        (
            f"{counts['all']} on all {given.states} states and {counts['some']} on as many as were "
            "compared in time;"
        ),
        (
            f"of these {counts['one by one']} with moves at the same time; {counts['not compared']} "
            "more were not compared in time"
        ),
        "",
        "why others are no theory:",
        *(f"{number:>5}  {reason}" for reason, number in reasons.most_common()),
        "",
        f"processor time: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:.0f} seconds",
        "",
    ]
    return study.finish("\n".join(body), wrong)


def _reason(message: str) -> str:
    """Return the message about a sheet without its line and its details."""
    return re.sub(
        r"`[^`]*`", "`…`", re.sub(r"^no theory: (line [0-9]+: (this cannot be a theory: )?)?", "", message)
    )


if __name__ == "__main__":
    sys.exit(main())
