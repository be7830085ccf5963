"""The games whose theories have meanings in Coq, and how these are written there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Game:
    """What the statements of a theory are written with.

    `name` is the name of the library in Coq, `theory` that of the theory, and `folder` has the meanings and proofs. `given` are the parameters of its statements, by name, as Coq declares them: of these
    nothing is supposed. `sorts` are the types of the theory's sorts. `of_a_step` are the words that are said only after an action, and read with it.
    """

    name: str
    theory: str
    folder: Path
    state: str
    action: str
    sorts: Mapping[str, str]
    given: Mapping[str, str] = field(default_factory=dict)
    of_a_step: Sequence[str] = ()

    def sources(self) -> list[Path]:
        """The meanings and proofs that are written by hand."""
        return sorted(self.folder.glob("*.v"))


GO = Game(
    name="Go",
    theory="go",
    folder=Path(__file__).parent / "go",
    state="state B",
    action="@{} B",
    sorts={"point": "B", "colour": "hue", "int": "Z", "ban": "ban"},
    given={"B": "(B : board)", "named": "(named : B -> Prop)", "defender": "(defender : hue -> Prop)"},
    of_a_step=("joined", "apart"),
)
GAMES = {game.theory: game for game in (GO,)}
