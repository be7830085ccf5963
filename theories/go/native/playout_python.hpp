// Bindings that show the contents of a playout board, for tests.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "theories/go/native/playout.hpp"

namespace go {

namespace nb = nanobind;
using namespace nb::literals;

using Names = std::vector<std::string>;

// A board after some moves from a state: the legal points of the player to move, the urgent moves, the
// shaping moves, and the stones as a state with black to move.
inline std::tuple<Names, Names, Names, State> playout_board(const State& from, const Names& moves) {
    PlayoutBoard board(from);
    std::uint8_t side = from.mover;
    auto last = PlayoutBoard::NOWHERE;
    const auto place = [&](const std::string& name) {
        for (Point point = 0; point < from.size * from.size; ++point) {
            if (Go::write_move(from, point) == name) {
                return board.place(point / from.size, point % from.size);
            }
        }
        throw std::invalid_argument("`" + name + "` is no point of the board");
    };
    for (const std::string& move : moves) {
        if (move == "pass") {
            board.pass();
            last = PlayoutBoard::NOWHERE;
        } else {
            last = place(move);
            board.put(last, side);
        }
        side = static_cast<std::uint8_t>(1 - side);
    }
    State now = board.state(from);
    now.mover = 0;
    now.ko = NONE;
    now.passes = 0;
    Names legal;
    empty(now).each([&](int row, int column) {
        if (board.is_legal(board.place(row, column), side)) {
            legal.push_back(Go::write_move(now, now.point(row, column)));
        }
    });
    const auto named = [&](const PlayoutBoard::Few& few) {
        Names found;
        for (const auto at : few.all()) {
            found.push_back(Go::write_move(now, board.point(at)));
        }
        return found;
    };
    if (last == PlayoutBoard::NOWHERE) {
        return {legal, {}, {}, now};
    }
    return {legal, named(board.urgent_moves(last, side)), named(board.shaping_moves(last, side)), now};
}

// The moves of one random game from a state.
inline Names played_out(const State& from, std::uint64_t seed, bool local, bool shapes) {
    play::Sampling how;
    how.local = local;
    how.shapes = shapes;
    play::Random random(seed);
    PlayoutBoard board(from);
    Names found;
    play_out(board, from, how, random, [&](std::uint8_t, PlayoutBoard::Place at) {
        found.push_back(Go::write_move(from, at == PlayoutBoard::NOWHERE ? PASS : board.point(at)));
    });
    return found;
}

inline void bind_playouts(nb::module_& module) {
    module.def("playout_board", &playout_board, "state"_a, "moves"_a);
    module.def("played_out", &played_out, "state"_a, "seed"_a, "local"_a = true, "shapes"_a = true);
}

}  // namespace go
