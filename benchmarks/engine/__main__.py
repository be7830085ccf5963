"""Entry point `python -m benchmarks.engine`, the same as `hornbook theory bench`, from the checkout."""

from __future__ import annotations

import sys

from hornbook.cli import main

sys.exit(main(["theory", "bench", *sys.argv[1:]]))
