// Estimated value of a position of Go: points nearer to either side's stones, blocks about to be captured,
// and separately blocks with a known fate.
#pragma once

#include "theories/go/native/position.hpp"

namespace go {

constexpr int UNIT = 8;  // the number of units in half a point
// the deduction for a stone that is lost but still on the board, so that the search captures it eventually
constexpr int LOST_STONE = 1;

// Stones of blocks of either side that are known to be lost or safe.
struct Fates {
    std::array<Rows, 2> lost{};
    std::array<Rows, 2> safe{};
};

// Stones of a side in danger. Blocks that are known to be lost or safe are not counted as `lost` or `weak`.
struct Danger {
    int lost = 0;        // stones of blocks with one liberty
    int weak = 0;        // stones of blocks with two liberties
    int known_lost = 0;  // stones known to be lost
    Rows dead;  // stones counted as captured: those known to be lost, and `lost` ones if the owner is not to move
};

inline Danger danger(const State& state, int side, const Fates& fates) {
    const std::size_t place = static_cast<std::size_t>(side);
    const auto is_of = [](const Rows& block, const Rows& stones) { return !(block & stones).is_empty(); };
    Danger found;
    Rows left = state.stones[place];
    while (!left.is_empty()) {
        const Rows block = left.one().joined(left);
        left -= block;
        const int free = liberties(state, block).size();
        if (is_of(block, fates.lost[place])) {
            found.dead |= block;
            found.known_lost += block.size();
        } else if (is_of(block, fates.safe[place])) {
            continue;
        } else if (free == 1) {
            found.lost += block.size();
            if (side != state.mover) {
                found.dead |= block;
            }
        } else if (free == 2) {
            found.weak += block.size();
        }
    }
    return found;
}

// The value for black in units of 1 / UNIT: twice the estimated points.
inline int estimate(const State& state, const Fates& fates = {}) {
    const std::array<Danger, 2> found = {danger(state, 0, fates), danger(state, 1, fates)};
    // Blocks that can be captured at once belong to the capturing side; the points around them are undecided.
    std::array<Rows, 2> near = {state.stones[0] - found[0].dead, state.stones[1] - found[1].dead};
    std::array<int, 2> points = {near[0].size() + found[1].dead.size(),
                                 near[1].size() + found[0].dead.size()};
    const Rows open = empty(state);
    Rows left = open;
    points[0] *= 2 * UNIT;
    points[1] *= 2 * UNIT;
    for (int step = 0; step < 4 && !left.is_empty(); ++step) {
        const Rows black = (near[0].beside() & left) | (near[0] & left);
        const Rows white = (near[1].beside() & left) | (near[1] & left);
        const Rows both = black & white;
        points[0] += (2 * UNIT - 3 * step) * (black - both).size();
        points[1] += (2 * UNIT - 3 * step) * (white - both).size();
        near[0] = black - both;
        near[1] = white - both;
        left -= black | white;
    }
    const auto risk = [&](std::size_t side) {
        const bool is_mover = side == state.mover;
        return (is_mover ? 6 : 0) * found[side].lost + (is_mover ? 1 : 4) * found[side].weak -
               LOST_STONE * found[side].known_lost;
    };
    return points[0] - points[1] - risk(0) + risk(1) - UNIT * state.komi;
}

}  // namespace go
