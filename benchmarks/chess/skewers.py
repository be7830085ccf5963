"""Generator of the table of skewers that win a piece, and of similar ones that do not, for tests.

They are found by search from one diagram and a seed, see `oracles/chess/skewers.py`. Needs the `chess`
library (the extra `test`).

Usage:

    python benchmarks/chess/skewers.py [--seed 1] [--output tests/theories/chess/skewers.tsv]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracles.chess.skewers import table

ROOT = Path(__file__).resolve().parents[2]
HEAD = "# made by: python benchmarks/chess/skewers.py --seed {}\n# position, move, target, verdict, why\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ROOT / "tests/theories/chess/skewers.tsv")
    arguments = parser.parse_args()
    rows = table(arguments.seed)
    text = HEAD.format(arguments.seed) + "".join(f"{row.line()}\n" for row in rows)
    arguments.output.write_text(text, encoding="utf-8")
    for verdict in ("take", "no"):
        print(f"{verdict}: {sum(row.verdict == verdict for row in rows)} positions")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
