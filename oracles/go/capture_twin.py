"""Go and capture search in the simplest Python, without tables, move order or pruning, to compare the reader
with.

A position is a board as text of `X`, `O` and `.`, one letter for each point, row by row, with its width, and
the point that ko forbids to the player to move, or None. It shares no code with the theories or with the
reader.
"""

from __future__ import annotations

from random import Random

OTHER = {"X": "O", "O": "X"}


def neighbours(point: int, width: int, size: int) -> list[int]:
    row, column = divmod(point, width)
    adjacent = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * width + c for r, c in adjacent if 0 <= r < size // width and 0 <= c < width]


def block(text: str, width: int, point: int) -> tuple[set[int], set[int]]:
    """Return the stones of a block, and its liberties."""
    stones, liberties, left = {point}, set(), [point]
    while left:
        for neighbour in neighbours(left.pop(), width, len(text)):
            if text[neighbour] == ".":
                liberties.add(neighbour)
            elif text[neighbour] == text[point] and neighbour not in stones:
                stones.add(neighbour)
                left.append(neighbour)
    return stones, liberties


def play(text: str, width: int, ko: int | None, player: str, point: int) -> tuple[str, int | None] | None:
    """Return the board after a move and the point that ko forbids to the other player.

    None if the move is illegal.
    """
    if text[point] != "." or point == ko:
        return None
    after = list(text)
    after[point] = player
    captured: set[int] = set()
    for neighbour in neighbours(point, width, len(text)):
        if after[neighbour] == OTHER[player]:
            stones, liberties = block("".join(after), width, neighbour)
            captured |= set() if liberties else stones
    for stone in captured:
        after[stone] = "."
    made = "".join(after)
    stones, liberties = block(made, width, point)
    if not liberties:
        return None
    is_ko = len(captured) == len(stones) == len(liberties) == 1
    return made, min(captured) if is_ko else None


class Twin:
    """Captures of one target. `ignores` are the players who may violate ko."""

    def __init__(self, width: int, target: int, attacker: str, ignores: str = "") -> None:
        self.width, self.target, self.attacker, self.ignores = width, target, attacker, ignores

    def moves(self, text: str, ko: int | None, player: str) -> dict[int, tuple[str, int | None]]:
        """Return every legal move with its result."""
        ban = None if player in self.ignores else ko
        found = {point: play(text, self.width, ban, player, point) for point in range(len(text))}
        return {point: after for point, after in found.items() if after is not None}

    def attack(self, text: str, ko: int | None, k: int) -> bool:
        return k > 0 and bool(self.winning(text, ko, k))

    def winning(self, text: str, ko: int | None, k: int) -> set[int]:
        after = self.moves(text, ko, self.attacker)
        return {point for point, (t, n) in after.items() if t[self.target] == "." or self.defend(t, n, k - 1)}

    def defend(self, text: str, ko: int | None, k: int) -> bool:
        """Return whether the block is captured even if its owner moves first."""
        return k > 0 and self.attack(text, None, k) and not self.saving(text, ko, k)

    def saving(self, text: str, ko: int | None, k: int) -> set[int]:
        after = self.moves(text, ko, OTHER[self.attacker])
        return {point for point, (t, n) in after.items() if not self.attack(t, n, k)}


def random_position(random: Random, rows: int, width: int, moves: int) -> tuple[str, int | None, str]:
    """Return a board after `moves` random moves, the point that ko forbids, and the next player."""
    text, ko, player = "." * (rows * width), None, "X"
    for _ in range(moves):
        after = [play(text, width, ko, player, point) for point in range(len(text))]
        legal = [made for made in after if made is not None]
        text, ko = random.choice(legal) if legal else (text, None)
        player = OTHER[player]
    return text, ko, player
