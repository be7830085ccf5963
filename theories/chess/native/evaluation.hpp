// Estimated value of a position of chess, in hundredths of a pawn: men and their squares, after
// profitable captures.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "theories/chess/native/moves.hpp"

namespace chess {

constexpr int MOST = 19000;  // an upper bound on the worth of men; a mate is worth more
constexpr std::array<int, KINDS> WORTH = {100, 320, 330, 500, 950, 0};
constexpr std::array<int, KINDS> FORCE = {0, 1, 1, 2, 4, 0};
constexpr int ALL_FORCE = 24;

// The distance of a square from the edge, from 0 on the edge to 3 in the centre.
constexpr int inside(int square) {
    const int file = square % 8, rank = square / 8;
    return std::min(std::min(file, 7 - file), std::min(rank, 7 - rank));
}

// The bonus of a square for a man, for white's squares, with many men left and with few.
constexpr int square_worth(Kind kind, int square, bool is_late) {
    constexpr std::array<int, 8> forward = {0, 0, 3, 8, 18, 40, 75, 0},
                                 late_forward = {0, 5, 12, 25, 45, 80, 130, 0};
    constexpr std::array<int, 8> home = {18, 28, 8, -6, 0, -4, 32, 20};
    const int file = square % 8, rank = square / 8, centre = inside(square);
    switch (kind) {
        case PAWN: {
            const int middle = (file == 3 || file == 4) && rank >= 3 ? 14 : 0;
            return is_late ? late_forward[at(rank)] : forward[at(rank)] + middle;
        }
        case KNIGHT: return 15 * centre - 25;
        case BISHOP: return 7 * centre - 8;
        case ROOK: return rank == 6 ? 18 : !is_late && (file == 3 || file == 4) ? 6 : 0;
        case QUEEN: return is_late ? 6 * centre - 6 : 2 * centre - 3;
        default: return is_late ? 16 * centre - 24 : rank == 0 ? home[at(file)] : -20 * std::min(rank, 4);
    }
}

using Worths = std::array<std::array<std::array<int, 64>, KINDS>, 2>;

constexpr Worths worths() {
    Worths found{};
    for (std::size_t late = 0; late < 2; ++late) {
        for (std::uint8_t kind = PAWN; kind < KINDS; ++kind) {
            for (int square = 0; square < 64; ++square) {
                found[late][kind][at(square)] =
                    WORTH[kind] + square_worth(static_cast<Kind>(kind), square, late == 1);
            }
        }
    }
    return found;
}

constexpr Worths WORTHS = worths();

inline int king_distance(int a, int b) { return std::max(std::abs(a % 8 - b % 8), std::abs(a / 8 - b / 8)); }

// A bonus for driving a lone king to the edge and coming near.
inline int mating_bonus(const State& state, int lone_side) {
    const int king = state.king(lone_side);
    return 25 * (3 - inside(king)) + 6 * (7 - king_distance(king, state.king(1 - lone_side)));
}

// The static value for the player to move.
inline int static_value(const State& state) {
    int early = 0, late = 0, force = 0;
    for (int side = 0; side < 2; ++side) {
        const int sign = side == state.mover ? 1 : -1, turn = side == 0 ? 0 : 56;
        for (std::uint8_t kind = PAWN; kind < KINDS; ++kind) {
            const Bits men = state.men(side, static_cast<Kind>(kind));
            force += FORCE[kind] * std::popcount(men);
            for (Bits left = men; left != 0; left &= left - 1) {
                const std::size_t square = at(lowest(left) ^ turn);
                early += sign * WORTHS[0][kind][square];
                late += sign * WORTHS[1][kind][square];
            }
        }
        if (std::popcount(state.men(side, BISHOP)) > 1) {
            early += sign * 30;
            late += sign * 45;
        }
        if (std::popcount(state.sides[at(side)]) == 1) {
            late -= sign * mating_bonus(state, side);
        }
    }
    force = std::min(force, ALL_FORCE);
    return std::clamp((early * force + late * (ALL_FORCE - force)) / ALL_FORCE, -MOST, MOST);
}

// The value after at most `plies` profitable captures, within the bounds; the player to move may stop at
// the static value. A man does not capture a lesser guarded one, and captures that stay below the lower
// bound are skipped.
inline int quiet_value(const State& state, int least, int greatest, int plies = 4) {
    constexpr int hope = 200;
    const int now = static_value(state);
    int best = now;
    if (best >= greatest || plies == 0) {
        return best;
    }
    least = std::max(least, best);
    captures(state, [&](Move move) {
        if (best >= greatest || (move.promotion != PAWN && move.promotion != QUEEN)) {
            return;
        }
        const Kind taken = state.kind_on(move.to);
        const int gain = WORTH[taken == KINDS ? PAWN : taken] + (move.promotion == QUEEN ? WORTH[QUEEN] : 0);
        if (now + gain + hope <= least ||
            (WORTH[state.kind_on(move.from)] > gain && is_attacked(state, move.to, 1 - state.mover))) {
            return;
        }
        best = std::max(best, -quiet_value(played(state, move), -greatest, -least, plies - 1));
        least = std::max(least, best);
    });
    return best;
}

}  // namespace chess
