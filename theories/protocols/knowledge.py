"""The theories and rule bases of a domain that conclude something about its states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hornbook.kb.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RuleSource:
    """A theory whose rules answer about states of a domain, or a rule base of this theory.

    Attributes:
        theory: The file of the theory.
        rules: The file of the rule base. If it is None, the theory's own rules answer.
    """

    theory: Path
    rules: Path | None = None


class Knowledge(Protocol):
    """The theories and rule bases of a domain that `rules match --all` asks."""

    sources: Sequence[RuleSource] = ()
    """The theories and rule bases, in the order in which their answers are shown. By default, only the theory
    that the user names answers.
    """
