"""Notebooks as pages of the site: Sphinx runs them while it builds, and shows what each cell shows.

Their text is MyST like that of the other pages. A notebook whose cell fails is a warning of the build, as any
mistake is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx
from sphinx.util import logging

sys.path.append(str(Path(__file__).parents[1]))

from hornbook import theories
from hornbook.kb.text.escaping import markup
from oracles.pages.notebook_cells import CellOutput, cells, run_notebook

_log = logging.getLogger(__name__)
_INSTALLED = f"{Path(theories.__file__).parents[1]}/"


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it would be."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        path = Path(document["source"])
        try:
            text = "\n\n".join(_markdown(path))
        except Exception as problem:  # noqa: BLE001 - whatever a cell raises
            _log.warning("the notebook fails: %r", problem, location=str(path))
            text = f"# {path.stem}"
        super().parse(text, document)


def _markdown(notebook: Path) -> Iterator[str]:
    ran = run_notebook(notebook)
    for cell in cells(notebook):
        if cell["cell_type"] == "markdown":
            yield "".join(cell["source"])
        else:
            shown = next(ran)
            yield f"```python\n{shown.source}\n```"
            yield f"```{{raw}} html\n{_html(shown)}\n```"


def _html(shown: CellOutput) -> str:
    """Return the output of a cell on a white background, for which pictures and proofs are drawn.

    The page does not show the folder of the installed theories.
    """
    parts = [f"<pre>{markup(shown.printed)}</pre>"] if shown.printed else []
    if shown.shown:
        parts.append(f"<pre>{markup(shown.shown)}</pre>" if shown.kind == "text" else shown.shown)
    return f'<div class="notebook-output">{"".join(parts).replace(_INSTALLED, "")}</div>'


def setup(app: Sphinx) -> None:
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
