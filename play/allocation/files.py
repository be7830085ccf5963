"""Classifiers as JSON files: the tree, the decision rule of its leaves, and the learning settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.allocation.native import Allocation, AllocationSetting, Classifier, Policy, Row

LONGEST = 1000
"""The maximal number of moves of a game."""
DEEPEST = 12
"""The maximal search depth of a player; deeper searches would not end."""


POLICY = "policy"
"""The decision rule of leaves learned from the results of games: search deeply if its worth is above 0."""


class ClassifierError(HornbookError):
    """A file of a classifier cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class StoredClassifier:
    """A classifier of a game, the setting that it was learned for, and the decision rule of its leaves."""

    game: str
    command: str
    version: str
    moves: int
    searches: int
    shallow: int
    deep: int
    decides: str
    asked: float
    """The share of moves for which a strategy is queried: those with a choice."""

    ends: float
    """The share of games that end at a move."""

    patterns: tuple[int, ...]
    nodes: tuple[Row, ...]
    """Feature (-1 at a leaf), threshold, the nodes up to it and above it, share of boards, worth."""

    def setting(self, native: Allocation) -> AllocationSetting:
        return native.Setting(self.moves, self.searches, self.shallow, self.deep)

    def strategy(self, native: Allocation) -> Classifier | Policy:
        """Return the classifier for play. Raises ClassifierError if the nodes form no tree of this game."""
        try:
            if self.decides == POLICY:
                return native.Policy(list(self.nodes))
            found = native.Classifier(list(self.nodes), self.patterns, "context")
            found.decide_by(self.decides, self.setting(native), self.asked, self.ends)
        except ValueError as problem:
            raise ClassifierError(f"this is no classifier of `{self.game}`: {problem}") from None
        except (TypeError, RuntimeError):
            raise ClassifierError(
                f"this is no classifier of `{self.game}`: "
                "nodes and patterns are not as `search learn-allocation` writes them"
            ) from None
        return found


def write_classifier(written: StoredClassifier, path: Path) -> None:
    """Write the file, completely or not at all."""
    keys: dict[str, Any] = {name: getattr(written, name) for name in StoredClassifier.__slots__}
    nodes = ",\n ".join(json.dumps(node) for node in keys.pop("nodes"))
    write_text(path, f'{json.dumps(keys)[:-1]},\n "nodes": [\n {nodes}]}}\n')


def read_classifier(path: Path, text: str, game: str) -> StoredClassifier:
    """Return the content of a file. Raises ClassifierError."""
    try:
        keys = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ClassifierError(f"{path}: this is no JSON: {problem}") from None
    kinds: dict[str, type | tuple[type, ...]] = {
        **dict.fromkeys(("game", "command", "version", "decides"), str),
        **dict.fromkeys(("moves", "searches", "shallow", "deep"), int),
        **dict.fromkeys(("asked", "ends"), (int, float)),
        "patterns": list,
        "nodes": list,
    }
    if isinstance(keys, dict) and keys.get("rules") == {}:
        del keys["rules"]  # rules were features in earlier versions
    if not isinstance(keys, dict) or set(keys) != set(kinds):
        expected = ", ".join(kinds)
        raise ClassifierError(
            f"{path}: a classifier has the keys {expected}; `hornbook search learn-allocation` writes one"
        )
    for name, kind in kinds.items():
        if not isinstance(keys[name], kind) or isinstance(keys[name], bool):
            raise ClassifierError(
                f"{path}: `{name}` is not what `hornbook search learn-allocation` writes there"
            )
    if not all(0 <= keys[name] <= 1 for name in ("asked", "ends")):
        raise ClassifierError(f"{path}: `asked` and `ends` are shares from 0 to 1")
    if not all(
        1 <= keys[name] <= most
        for name, most in (("moves", LONGEST), ("searches", LONGEST), ("shallow", DEEPEST), ("deep", DEEPEST))
    ):
        raise ClassifierError(
            f"{path}: moves and searches are from 1 to {LONGEST}, depths from 1 to {DEEPEST}"
        )
    if not all(isinstance(node, list) and len(node) == 6 for node in keys["nodes"]):
        raise ClassifierError(f"{path}: a node has six numbers")
    if keys["game"] != game:
        raise ClassifierError(f"{path}: this was learned for `{keys['game']}`, not for `{game}`")
    keys["patterns"], keys["nodes"] = tuple(keys["patterns"]), tuple(map(tuple, keys["nodes"]))
    return StoredClassifier(**keys)
