"""How Sphinx makes a site of these pages; they are plain Markdown and can be read without it."""

from __future__ import annotations

from hornbook import __version__

project = "Hornbook"
author = "The Hornbook authors"
copyright = f"2026, {author}"  # noqa: A001 - the name that Sphinx reads
release = __version__

extensions = ["myst_parser"]
myst_heading_anchors = 3
# Examples of mistakes are not valid text, and that is their point.
suppress_warnings = ["misc.highlighting_failure"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Hornbook {release}"
