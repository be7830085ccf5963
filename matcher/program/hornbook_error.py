"""The base class of every error that input can cause: texts, files, facts, rules, theories, limits.

It is in this package because every other package may import it.
"""

from __future__ import annotations


class HornbookError(Exception):
    """Unusable input; the message gives the problem, its place and a remedy.

    Every error that a text, a file, a fact, a rule or a limit can cause is a subclass.
    """
