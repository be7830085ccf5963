"""The firm as the commands know it: years that were kept month by month."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hornbook.theories.domain import Domain
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.tables.year import KeptMonth, read_year


class Business(Domain):
    """A firm plays against nobody, so nothing is said of games."""

    adapter = adapter
    states = Firm

    def read_year(self, folder: Path) -> Sequence[KeptMonth]:
        return read_year(folder)


DOMAIN = Business()
