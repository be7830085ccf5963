"""Example domains and problems of PDDL, shipped for trying the commands and as templates."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"
NAMES = ("blocks", "blocks-tower", "doors", "doors-museum")
