"""How Sphinx makes a site of these pages; they are plain Markdown and can be read without it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

from hornbook import __version__

project = "Hornbook"
author = "The Hornbook authors"
copyright = f"2026, {author}"  # noqa: A001 - the name that Sphinx reads
release = __version__

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "notebook_pages"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
# Every link must lead somewhere. Types that the reference of the API does not describe are shown without one.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
# Examples of mistakes are not valid text, and that is their point.
suppress_warnings = ["misc.highlighting_failure"]
# Docstrings write code between single backticks.
default_role = "code"
autodoc_member_order = "bysource"
# Docstrings have sections such as `Args` and `Raises`. An attribute listed there may have a docstring too.
napoleon_numpy_docstring = False
napoleon_use_ivar = True
toc_object_entries = False
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Hornbook {release}"
html_static_path = ["_static"]
html_css_files = ["tables.css"]

_FILE = re.compile(r'^( *)```(\w+).*\b(title|append|mend)="([^"]+)".*$', re.MULTILINE)
_CAPTIONS = {"title": "", "append": ": add at the end", "mend": ": in the place of what was added last"}


def setup(app: Sphinx) -> None:
    """Blocks that are files say so above: `horn title="family.horn"` on the page.

    The reference of commands shows the options of each.
    """
    app.connect("source-read", _name_files)
    app.connect("source-read", _list_options)


def _name_files(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = _FILE.sub(
        lambda m: f"{m[1]}```{{code-block}} {m[2]}\n{m[1]}:caption: {m[4]}{_CAPTIONS[m[3]]}\n", source[0]
    )


def _list_options(app: Sphinx, page: str, source: list[str]) -> None:
    from oracles.pages.command_options import with_options  # noqa: PLC0415 - needs the path above

    if page == "reference/commands":
        source[0] = with_options(source[0])
