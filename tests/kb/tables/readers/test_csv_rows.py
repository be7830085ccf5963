"""Tests of CSV cells: reading them without inspecting each cell gives the same values as inspecting each one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.tables.readers import csv_rows
from hornbook.kb.tables.readers.csv_rows import csv_batches

CELLS = st.text("a1 \t\v\x1cé", max_size=3)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=5)


@pytest.mark.parametrize("quoted", [True, False])
@given(rows=ROWS, delimiter=st.sampled_from(",\t;"), end=st.sampled_from(["\n", "\r\n", ""]))
def test_cells_without_quotes_are_read_alike_in_both_ways(tmp_path_factory, quoted, rows, delimiter, end):
    path = tmp_path_factory.mktemp("rows") / "table.csv"
    text = "\n".join(delimiter.join(cell.replace(delimiter, "") for cell in row) for row in rows)
    path.write_text(text + end, encoding="utf-8", newline="")
    fast = [batch.rows() for batch in csv_batches(path, delimiter, quoted=quoted)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_rows, "_are_values", lambda *_: False)
        slow = [batch.rows() for batch in csv_batches(path, delimiter, quoted=quoted)]
    assert fast == slow


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a b,c d\n"])
def test_tables_without_blanks_around_cells_are_not_looked_at_cell_by_cell(text):
    assert csv_rows._are_values(text, ",")
