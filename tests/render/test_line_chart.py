"""Charts of a year: every known value is visible."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hornbook.render.line_chart import Series, line_chart


def drawn(values: list[int | None], kind: str = "line") -> list[str]:
    svg = ET.fromstring(
        line_chart("cash", [str(n) for n in range(len(values))], [Series("cash", values, kind)], str)
    )
    return [element.tag.rpartition("}")[2] for element in svg if element.tag.endswith(("polyline", "circle"))]


def test_a_line_is_drawn_with_its_sample():
    assert drawn([1, 2, 3]) == ["polyline", "polyline"]
    assert drawn([1, 2, 3], "dots") == ["circle"] * 4


def test_a_single_month_is_a_dot():
    assert drawn([7]) == ["circle", "polyline"]
    assert drawn([None, 7, None], "dashed") == ["circle", "polyline"]
