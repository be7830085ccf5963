// Lower bounds on the slides that a position needs: by distances, by linear conflicts, by pattern databases.
#pragma once

#include <array>

#include "theories/tiles/native/patterns.hpp"
#include "theories/tiles/native/state.hpp"

namespace tiles {

struct Distance {
    int operator()(const State& state) const { return state.distance; }
};

// Linear conflicts (Hansson, Mayer and Yung 1992): tiles in their own row or column that must leave it to let
// others pass need two more slides each. A longest increasing sequence is a largest set of tiles that can
// stay.
struct LinearConflicts {
    int operator()(const State& state) const {
        int found = state.distance;
        for (int row = 0; row < state.rows; ++row) {
            found += leaving(state, row * state.columns, 1, state.columns,
                             [&](int tile) { return tile / state.columns == row; });
        }
        for (int column = 0; column < state.columns; ++column) {
            found += leaving(state, column, state.columns, state.rows,
                             [&](int tile) { return tile % state.columns == column; });
        }
        return found;
    }

private:
    template <class IsAtHome>
    static int leaving(const State& state, int first, int step, int squares, const IsAtHome& is_of_line) {
        std::array<int, MOST_SIDE> tiles{}, longest{};
        std::size_t size = 0;
        int most = 0;
        for (int number = 0; number < squares; ++number) {
            const int tile = state.at[static_cast<std::size_t>(first + number * step)];
            if (tile == 0 || !is_of_line(tile)) {
                continue;
            }
            tiles[size] = tile;
            longest[size] = 1;
            for (std::size_t before = 0; before < size; ++before) {
                if (tiles[before] < tile && longest[before] >= longest[size]) {
                    longest[size] = longest[before] + 1;
                }
            }
            most = longest[size] > most ? longest[size] : most;
            ++size;
        }
        return 2 * (static_cast<int>(size) - most);
    }
};

}  // namespace tiles
