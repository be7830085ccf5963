// A position of sliding tiles on a board of 2 × 2 to 5 × 5 squares, as two lists: the tile on each square,
// and the square of each tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tiles {

constexpr int LEAST_SIDE = 2;
constexpr int MOST_SIDE = 5;
constexpr std::size_t MOST_SQUARES = MOST_SIDE * MOST_SIDE;

struct State {
    std::array<std::uint8_t, MOST_SQUARES> at{};     // the tile on each square, row by row; 0 is the blank
    std::array<std::uint8_t, MOST_SQUARES> place{};  // the square of each tile, and of the blank
    std::uint8_t rows = 0;
    std::uint8_t columns = 0;
    std::int16_t distance = 0;  // the sum of the distances of all tiles from their squares

    bool operator==(const State& other) const {
        return at == other.at && rows == other.rows && columns == other.columns;
    }
    int squares() const { return rows * columns; }
};

// The slides that a tile needs from a square to its own if there were no other tiles.
inline int far(int tile, int square, int columns) {
    return std::abs(tile / columns - square / columns) + std::abs(tile % columns - square % columns);
}

}  // namespace tiles
