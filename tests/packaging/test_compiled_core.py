"""The compiled core that is imported is the one that belongs to this version of the package."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import hornbook
import matcher._core


def test_the_core_has_the_version_of_the_package() -> None:
    """It fails where the core is left over from an older build: install again."""
    assert matcher._core.__version__ == hornbook.__version__ == metadata.version("hornbook")


def test_the_core_is_a_file_of_the_installed_package() -> None:
    place = Path(matcher._core.__file__).resolve()
    installed = metadata.files("hornbook") or []
    assert place in [Path(str(file.locate())).resolve() for file in installed]
