"""The games whose theories have meanings in Coq, and the translation of their terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

import hornbook.theories
from hornbook.inputs.theories import load
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Rule, predicate_of
from hornbook.kb.ast.theory import Theory

FOLDER = Path(hornbook.theories.__file__).parent
T = TypeVar("T")


def _as_it_is(word: str, sort: str) -> str:
    return word


@dataclass(frozen=True, slots=True)
class CoqGame:
    """The translation of a theory's statements into Coq.

    - `name`: the name of the library in Coq.
    - `theories`: the theories with translated clauses, each by name or file.
    - `folder`: the folder of the meanings and proofs.
    - `state`, `action`: the types of positions and actions.
    - `step`: the form of a step.
    - `act`: the form of an action.
    - `given`: the parameters of the statements by name, as Coq declares them; nothing is assumed about them.
    - `sorts`: the types of the theory's sorts.
    - `word`: the form of a constant of a sort.
    - `words`: the predicates with another name in Coq.
    - `of_a_step`: the predicates that hold only after an action, with their arguments.
    - `replying`: for each game, with its first term `{0}`, a condition on that term, and that the player of
      `act` is the replying side.
    - `followed`: the games with more conclusions after an action than about the next state, with the
      predicate for a step.

    A game may extend another one, `upon`. Its library then uses the predicates and proofs of that game.
    Clauses of that game are left out, and so are lemmas, which have certificates, and clauses whose concluded
    predicate matches `without`.
    """

    name: str
    theories: Sequence[str | Path]
    folder: Path
    sorts: Mapping[str, str]
    state: str = "state"
    action: str = "action"
    step: str = "step"
    act: str = "{}"
    given: Mapping[str, str] = field(default_factory=dict)
    word: Callable[[str, str], str] = _as_it_is
    words: Mapping[str, str] = field(default_factory=dict)
    of_a_step: Mapping[str, str] = field(default_factory=dict)
    replying: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    followed: Mapping[str, str] = field(default_factory=dict)
    upon: CoqGame | None = None
    without: str = "(?!)"

    def libraries(self) -> tuple[CoqGame, ...]:
        """Return the games that it extends, and itself."""
        return (*(self.upon.libraries() if self.upon else ()), self)

    def sources(self) -> list[Path]:
        """Return the hand-written meanings and proofs."""
        return sorted(self.folder.glob("*.v"))

    def theory(self) -> Theory:
        """Return the clauses of all its theories with their lemmas, each once.

        Raise ValueError if two different ones have the same name.
        """
        read = [load(each) for each in self.theories]
        rules: dict[str, Rule] = {}
        words: dict[str, Predicate] = {}
        for theory in read:
            words |= theory.vocabulary.predicates
            for rule in theory.rules:
                if rules.setdefault(rule.name, rule) != rule:
                    raise ValueError(f"two clauses have the name {rule.name}")
        found = replace(
            read[0],
            vocabulary=replace(read[0].vocabulary, predicates=words),
            rules=tuple(rules.values()),
            facts=_each_once(theory.facts for theory in read),
            frames=_each_once(theory.frames for theory in read),
            replies=_each_once(theory.replies for theory in read),
        )
        return found if self.upon is None else self._besides(found, self.upon.theory())

    def _besides(self, theory: Theory, known: Theory) -> Theory:
        """Return the part of a theory that is neither known nor left out."""
        left_out = re.compile(self.without)
        rules = (
            rule
            for rule in theory.rules
            if not rule.lemma and rule not in known.rules and not left_out.search(predicate_of(rule.head))
        )
        return replace(
            theory,
            rules=tuple(rules),
            facts=tuple(each for each in theory.facts if each not in known.facts),
            frames=tuple(each for each in theory.frames if each not in known.frames),
            replies=tuple(each for each in theory.replies if each not in known.replies),
        )


def _each_once(found: Iterable[Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(chain(*found)))


GO = CoqGame(
    name="Go",
    theories=("go", FOLDER / "go" / "capture" / "balance.horn", "connection"),
    folder=Path(__file__).parent / "go",
    sorts={"point": "B", "colour": "hue", "int": "Z", "ban": "ban"},
    state="state B",
    action="action B",
    act="@{} B",
    given={"B": "(B : board)", "named": "(named : B -> Prop)", "defender": "(defender : hue -> Prop)"},
    of_a_step={"joined": "S' act", "apart": "S' act"},
    replying={
        "take": ("Words.player (col S {0})", "Words.actor act = col S {0}"),
        "save": ("Words.player (col S {0})", "Words.actor act = other (col S {0})"),
        "connect": ("Words.player (col S {0})", "Words.actor act = other (col S {0})"),
    },
)


def _of_chess(word: str, sort: str) -> str:
    if sort == "square":
        return f"(sq {'abcdefgh'.index(word[0])} {int(word[1]) - 1})"
    if word == "none":
        return {"side": "Nobody", "way": "Nowhere"}[sort]
    return f"Words.{word.capitalize()}" if sort in ("right", "passage") else word.capitalize()


CHESS = CoqGame(
    name="Chess",
    theories=("chess", FOLDER / "chess" / "balance.horn"),
    folder=Path(__file__).parent / "chess",
    sorts={
        "int": "Z",
        **{each: each for each in ("square", "side", "kind", "way", "leg", "wing")},
        **{each: f"Words.{each}" for each in ("right", "passage")},
    },
    step="plays",
    word=_of_chess,
    words={"at": "at_"},
    of_a_step=dict.fromkeys(
        ("moved", "went", "stepped", "castled", "leaves", "sealed", "trod", "pushed", "strode"), "S act S'"
    ),
    replying={
        "take": ("who S {0} <> Nobody", "Words.actor S act = who S {0} -> loser S' <> who S {0}"),
        "crown": ("{0} <> Nobody", "Words.actor S act = other {0} -> loser S' <> other {0}"),
    },
)
AHEAD = replace(
    CHESS,
    name="Ahead",
    theories=("combinations", FOLDER / "chess" / "ahead" / "taking.horn"),
    folder=CHESS.folder / "ahead",
    replying={
        "mate": ("{0} <> Nobody", "Words.actor S act = {0} -> loser S' <> {0}"),
        "capture": CHESS.replying["take"],
        "ascend": CHESS.replying["crown"],
    },
    followed={"capture": "captured"},
    upon=CHESS,
    without=r"_(in|promoted)_\d",
)
"""`without` leaves out the clauses that `hornbook theory regress` wrote."""
ENDINGS = replace(
    CHESS,
    name="Endings",
    theories=(FOLDER / "chess" / "endings" / "endings.horn",),
    folder=CHESS.folder / "endings",
    of_a_step={"went": "S act S'"},
    replying={
        "win": ("Words.player {0}", "Words.actor S act = other {0} -> loser S' <> other {0}"),
    },
    upon=CHESS,
)
GAMES = {game.folder.name: game for game in (GO, CHESS, AHEAD, ENDINGS)}
