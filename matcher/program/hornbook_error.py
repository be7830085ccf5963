"""The class of every error that input can cause: texts, files, facts, rules, theories, bounds.

It stands here since every other package may use what stands in this one.
"""

from __future__ import annotations


class HornbookError(Exception):
    """What was given cannot be used; the message says what, where and what to do. Every error that a text, a file, a
    fact, a rule or a bound can cause is one of these.
    """
