"""How Sphinx makes a site of these pages; they are plain Markdown and can be read without it."""

from __future__ import annotations

from hornbook import __version__

project = "Hornbook"
author = "The Hornbook authors"
copyright = f"2026, {author}"  # noqa: A001 - the name that Sphinx reads
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
# Every link must lead somewhere. Types that the reference of the API does not describe are shown without one.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
# Examples of mistakes are not valid text, and that is their point.
suppress_warnings = ["misc.highlighting_failure"]
# Docstrings write code between single backticks.
default_role = "code"
autodoc_member_order = "bysource"
toc_object_entries = False
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"Hornbook {release}"
