"""Random games as sheets: a table gives the successor of each place for the moves of the roles.

The games include cycles, simultaneous moves, places without a move for some role, ends without a goal or with
two, and goals out of range.
"""

from __future__ import annotations

from itertools import product
from random import Random

_RULES = """
(init (at 0))
(<= (legal ?r ?m) (true (at ?s)) (may ?s ?r ?m))
(<= terminal (true (at ?s)) (over ?s))
(<= (goal ?r ?n) (true (at ?s)) (worth ?s ?r ?n))
"""


def random_game(random: Random, places: int = 12) -> str:
    """Return the text of a sheet with one to three roles, one of them possibly `random`."""
    roles = random.choice([["ann"], ["ann", "ben"], ["ann", "random"], ["ann", "ben", "cid"]])
    does = " ".join(f"(does {role} ?m{number})" for number, role in enumerate(roles))
    moves = " ".join(f"?m{number}" for number in range(len(roles)))
    lines = [f"(role {role})" for role in roles]
    lines += [_RULES, f"(<= (next (at ?t)) (true (at ?s)) {does} (edge ?s {moves} ?t))"]
    for place in range(places):
        if place and random.random() < 0.35:
            lines.append(f"(over {place})")
            for role in roles:
                number = random.choices([1, 0, 2], [20, 1, 1])[0]
                lines += [
                    f"(worth {place} {role} {random.choice([0, 30, 50, 100, 250])})" for _ in range(number)
                ]
            continue
        may = [[f"m{n}" for n in range(random.choices([1, 2, 3, 0], [10, 6, 3, 0.3])[0])] for _ in roles]
        for role, own in zip(roles, may, strict=True):
            lines += [f"(may {place} {role} {move})" for move in own]
        for joint in product(*may):
            # Forward steps are more frequent than backward steps.
            to = random.randrange(places) if random.random() < 0.3 else random.randrange(place, places)
            lines.append(f"(edge {place} {' '.join(joint)} {to})")
    return "\n".join(
        [
            *lines,
            "(over none)",
            "(worth none ann 0)",
            "(may none ann m0)",
            f"(edge {'none ' * (len(roles) + 2)})",
        ]
    )
