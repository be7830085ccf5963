from hornbook.theories.domain import Domain, first_argument, game

from . import adapter


class Skeleton(Domain):
    adapter = adapter
    states = adapter.Board
    decisive = frozenset({"win"})  # who wins it has won the whole game

    def to_move(self, state):
        return state.player

    def games(self, state):
        return [game("win", side) for side in adapter.OTHER]

    def outcome(self, state, game):
        if state.player == "nobody":
            return first_argument(game) == ("white" if "w" in state.rows[0] else "black")
        return None if any(self.actions(state)) else first_argument(game) != state.player

    def starts(self):
        return [adapter.read(f"white bbb/{middle}/www", "start") for middle in ("...", ".../...")]

    def write(self, state):
        return f"{state.player} {'/'.join(state.rows)}"

    def grid(self, state):
        return zip(*[iter(state.squares().items())] * len(state.rows[0]), strict=True)


DOMAIN = Skeleton()
