// The number of lines of play with a given length, for comparison of move generators with other programs.
#pragma once

#include <cstdint>

#include "play/core/game.hpp"

namespace play {

// The number of lines with exactly `depth` moves from a state; a line that ends the game earlier is not
// counted, as in chess programs. (Some Othello programs count it: 24,571,284 lines of ten moves instead of
// 24,571,056.) If moves are counted faster than listed, the last move is not made.
template <Game G>
std::uint64_t perft(const typename G::State& state, int depth) {
    if (depth == 0) {
        return 1;
    }
    if constexpr (Counting<G>) {
        if (depth == 1) {
            return G::count_moves(state);
        }
    }
    Moves<G> moves;
    G::moves(state, moves);
    if (depth == 1) {
        return moves.size();
    }
    std::uint64_t lines = 0;
    for (const auto move : moves) {
        lines += perft<G>(G::after(state, move), depth - 1);
    }
    return lines;
}

}  // namespace play
