"""Frame of a picture: one self-contained SVG document with lines of text beside or below the drawing.

Equal input gives equal text.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.escaping import markup

LINE = 18
"""Height of a line of text."""
_FONT = "ui-monospace, Menlo, Consolas, monospace"


@dataclass(frozen=True, slots=True)
class PictureFrame:
    """Size of a picture, and the start of its text; the first line is LINE below `top`."""

    width: int
    height: int
    left: int
    top: int

    def document(self, title: str, drawn: Iterable[str], texts: Iterable[tuple[str | None, str]] = ()) -> str:
        """Return the picture with its texts, each in a colour; None is black."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" font-size="12">',
            f"<title>{markup(title)}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            *drawn,
        ]
        for number, (colour, text) in enumerate(texts, 1):
            place = f'x="{self.left}" y="{self.top + number * LINE}"'
            fill = "" if colour is None else f' fill="{colour}"'
            lines.append(f'<text {place}{fill} xml:space="preserve">{markup(text)}</text>')
        return "\n".join([*lines, "</svg>", ""])
