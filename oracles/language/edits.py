"""Typical edits of a text, for tests of incremental analysis."""

from __future__ import annotations

import random

TYPED = (
    *"(),.:?_%'\" \n-=#",
    ":-",
    "?x",
    "at(",
    "before ",
    "absent ",
    "sort s.\n",
    "derived d(side).\n",
    "import men.\n",
    " or ",
    "/* a */",
    "/*",
    "*/",
    "'.\n",
    "% c\n",
    "\r\n",
)


def edit(numbers: random.Random, text: str) -> str:
    """Return the text with something typed or removed, or with a line moved."""
    at = numbers.randrange(len(text) + 1)
    match numbers.randrange(4):
        case 0 | 1:
            return text[:at] + numbers.choice(TYPED) + text[at:]
        case 2:
            return text[:at] + text[at + numbers.randrange(1, 12) :]
        case _:
            lines = text.split("\n")
            line = lines.pop(numbers.randrange(len(lines)))
            lines.insert(numbers.randrange(len(lines) + 1), line)
            return "\n".join(lines)
