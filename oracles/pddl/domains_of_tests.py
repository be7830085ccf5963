"""Small domains for tests, each with a problem: those that ship, and those in `domains/`."""

from __future__ import annotations

from pathlib import Path

from hornbook.planner.pddl.examples import FOLDER

OWN = Path(__file__).parent / "domains"
PROBLEMS = {
    "blocks": (FOLDER / "blocks.pddl", FOLDER / "blocks-tower.pddl"),
    "doors": (FOLDER / "doors.pddl", FOLDER / "doors-museum.pddl"),
    "gripper": (OWN / "gripper.pddl", OWN / "gripper-problem.pddl"),
    "logistics": (OWN / "logistics.pddl", OWN / "logistics-problem.pddl"),
}
"""The files of each domain and its problem."""
DOMAINS = tuple(PROBLEMS)
