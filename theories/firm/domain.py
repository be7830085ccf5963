"""The firm as a domain: years recorded month by month."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hornbook.theories.domain import Domain
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.tables.year import RecordedMonth, read_year


class Business(Domain):
    """Domain of firms. A firm has no opponent, so there are no games."""

    adapter = adapter
    states = Firm

    def read_year(self, folder: Path) -> Sequence[RecordedMonth]:
        return read_year(folder)


DOMAIN = Business()
