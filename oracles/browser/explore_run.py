"""Check the pages of `hornbook explore` in a real browser, at three widths, light and dark.

    python -m oracles.browser.explore_run INTO [--rules DIR] [--only PART]

The command writes a picture of each view to INTO. It prints all faults and exits with 1 if there are any.
Faults are pages wider than their window, messages on the browser's console, and findings of axe-core.

Chromium, its driver and Selenium are required. Without the package axe-playwright-python, axe-core is skipped
with a message.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from oracles.browser.chromium import axe_source, chromium, complaints, look, overflow, violations

WIDTHS = (360, 800, 1400)
SCHEMES = ("light", "dark")
HEIGHT = 900


@dataclass(frozen=True, slots=True)
class View:
    """A page to check: the theory with further arguments of the command line, and the page's path with its
    query.
    """

    theory: tuple[str, ...]
    page: str
    query: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> str:
        return f"{self.page}?{urlencode(self.query)}"


FAMILY, CHESS, OTHELLO, GO = ("family",), ("chess",), ("othello",), ("go", "--rules", "{rules}/go-rules.horn")
CUP = ("cup", "--rules", "{rules}/cup.horn")
"""A command line; `{rules}` is replaced by the folder of rules."""
_FORK = ("state", "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1")
_PAWN = ("state", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1")
_ATARI = ("state", "to play: black\n. . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .\n")
VIEWS = {
    "theory": View(FAMILY, "theory"),
    "theory-large": View(CHESS, "theory"),
    "predicate": View(FAMILY, "predicate", (("name", "ancestor"),)),
    "predicate-large": View(CHESS, "predicate", (("name", "legal"),)),
    "source": View(FAMILY, "source"),
    "answers": View(FAMILY, "ask", (("query", "ancestor(ada, ?who)"), ("why", "ancestor(ada, cleo)"))),
    "why-not": View(FAMILY, "ask", (("query", "ancestor(cleo, ada)"), ("why", "ancestor(ada, cleo)"))),
    "mistake": View(FAMILY, "ask", (("query", "ancestr(ada, ?who)"),)),
    "rules": View(CUP, "rules"),
    "rule": View(CUP, "rule", (("name", "cup_1"),)),
    "example": View(CUP, "state"),
    "timings": View(OTHELLO, "timings"),
    "state-chess": View(CHESS, "state", (_FORK, ("at", "d5"))),
    "act-chess": View(CHESS, "state", (_FORK, ("act", "move(d5, c7)"))),
    "act-why": View(
        CHESS, "ask", (_FORK, ("suppose", "move(d5, c7)"), ("why", "after at(c7, white, knight)"))
    ),
    "play-chess": View(CHESS, "play", (("moves", "e2e4"), ("seconds", "0.2"))),
    "strategy": View(CHESS, "strategy", (_PAWN,)),
    "play-othello": View(OTHELLO, "play", (("side", "both"), ("moves", "d3 c3"))),
    "go-rules": View(GO, "rules"),
    "go-rule": View(GO, "rule", (("name", "take_by_move_is_gi_2"),)),
    "go-state": View(GO, "state", (_ATARI, ("answer", "1"))),
    "go-act": View(GO, "state", (_ATARI, ("act", "move(black, d3)"))),
}  # fmt: skip


@contextmanager
def served(arguments: tuple[str, ...]) -> Iterator[str]:
    """Yield the address that a server prints; the server ends with the block."""
    command = [sys.executable, "-m", "hornbook", "explore", *arguments, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("into", type=Path)
    parser.add_argument(
        "--rules", type=Path, help="a folder with cup.horn and go-rules.horn, rules that were learned"
    )
    parser.add_argument("--only", default="", help="only views whose names have this")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    axe, wrong = axe_source(), 0
    if axe is None:
        print("axe-core is not there: `pip install --no-deps axe-playwright-python`")
    chosen = {
        name: view
        for name, view in VIEWS.items()
        if arguments.only in name and (arguments.rules is not None or "--rules" not in view.theory)
    }
    with chromium() as driver:
        for theory in dict.fromkeys(view.theory for view in chosen.values()):
            with served(tuple(each.format(rules=arguments.rules) for each in theory)) as link:
                driver.get(link)
                root = link.partition("?")[0]
                for name, view in chosen.items():
                    if view.theory == theory:
                        for fault in looked_at(driver, root + view.path, arguments.into / name, axe):
                            print(f"{name}: {fault}")
                            wrong += 1
    print(f"{len(chosen)} views, {len(chosen) * len(WIDTHS) * len(SCHEMES)} pictures; wrong: {wrong}")
    return 1 if wrong else 0


def looked_at(driver: object, link: str, into: Path, axe: str | None) -> Iterator[str]:
    """Photograph a view and yield its faults."""
    for scheme in SCHEMES:
        for width in WIDTHS:
            look(driver, width, HEIGHT, scheme)
            driver.get(link)
            driver.save_screenshot(f"{into}-{width}-{scheme}.png")
            if (more := overflow(driver)) > 0:
                yield f"{width} {scheme}: {more} pixels too wide"
            # Status 422 reports a mistake in typed input. It is expected and no fault of the page.
            messages = (each for each in complaints(driver) if "status of 422" not in each)
            yield from (f"{width} {scheme}: {fault}" for fault in messages)
            if axe is not None:
                yield from (f"{width} {scheme}: {fault}" for fault in violations(driver, axe))


if __name__ == "__main__":
    sys.exit(main())
