"""`python -m hornbook` is the command `hornbook`."""

from __future__ import annotations

import sys

from hornbook.cli import main

sys.exit(main())
