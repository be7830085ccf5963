// A position of a whole game of Go and the effect of a move: capture, suicide illegal, simple ko, two passes
// end the game. Shares no code with the theory, with theories/go/states/ or with the capture search.
#pragma once

#include "theories/go/native/rows.hpp"

namespace go {

// A point, row by row from a1; or PASS, or NONE.
using Point = std::uint16_t;
constexpr Point PASS = MOST_SIDE * MOST_SIDE;
constexpr Point NONE = PASS + 1;

struct State {
    std::array<Rows, 2> stones{};  // of black and of white
    Point ko = NONE;  // the point that ko forbids to the player to move
    std::int16_t komi = 15;  // of white, in half points
    std::uint8_t size = 9;
    std::uint8_t mover = 0;   // 0 is black
    std::uint8_t passes = 0;  // the number of passes just before; after two the game is over

    bool operator==(const State&) const = default;

    Point point(int row, int column) const { return static_cast<Point>(row * size + column); }
    const Rows& own() const { return stones[mover]; }
    const Rows& other() const { return stones[1 - mover]; }
};

constexpr std::array<Rows, MOST_SIDE + 1> boards() {
    std::array<Rows, MOST_SIDE + 1> found{};
    for (int size = 1; size <= MOST_SIDE; ++size) {
        for (int row = 0; row < size; ++row) {
            found[static_cast<std::size_t>(size)][row] = (std::uint32_t{1} << size) - 1;
        }
    }
    return found;
}

inline constexpr auto BOARDS = boards();
inline const Rows& board(const State& state) { return BOARDS[state.size]; }
inline Rows empty(const State& state) { return board(state) - state.stones[0] - state.stones[1]; }

inline Rows single(const State& state, Point point) {
    Rows found;
    found.add(point / state.size, point % state.size);
    return found;
}

// The empty points next to stones.
inline Rows liberties(const State& state, const Rows& stones) { return stones.beside() & empty(state); }

// The stones of the other side that a stone on an empty point leaves without a liberty.
inline Rows captured(const State& state, const Rows& put) {
    const Rows open = empty(state) - put;
    Rows found, left = put.beside() & state.other();
    while (!left.is_empty()) {
        const Rows block = left.one().joined(state.other());
        left -= block;
        if ((block.beside() & open).is_empty()) {
            found |= block;
        }
    }
    return found;
}

// Whether the player to move may play on an empty point.
inline bool is_legal(const State& state, Point point) {
    if (point == state.ko) {
        return false;
    }
    const Rows put = single(state, point), open = empty(state) - put;
    if (!(put.beside() & open).is_empty()) {
        return true;
    }
    const Rows block = put.joined(state.own() | put);
    return !(block.beside() & open).is_empty() || !captured(state, put).is_empty();
}

inline State played(State state, Point point) {
    if (point == PASS) {
        state.ko = NONE;
        ++state.passes;
    } else {
        const Rows put = single(state, point), taken = captured(state, put);
        state.stones[1 - state.mover] -= taken;
        state.stones[state.mover] |= put;
        state.passes = 0;
        state.ko = NONE;
        if (taken.size() == 1 && (put.beside() & state.own()).is_empty() && liberties(state, put) == taken) {
            taken.each([&](int row, int column) { state.ko = state.point(row, column); });
        }
    }
    state.mover = static_cast<std::uint8_t>(1 - state.mover);
    return state;
}

// Twice the points of black minus those of white, including komi: stones, and empty points that reach stones
// of only one side. All stones on the board are alive.
inline int area(const State& state) {
    const Rows open = empty(state);
    const Rows black = (state.stones[0].beside() & open).joined(open);
    const Rows white = (state.stones[1].beside() & open).joined(open);
    const int of_black = state.stones[0].size() + (black - white).size();
    const int of_white = state.stones[1].size() + (white - black).size();
    return 2 * (of_black - of_white) - state.komi;
}

}  // namespace go
