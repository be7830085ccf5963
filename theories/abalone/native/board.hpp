// The board of Abalone: 61 cells, numbered row by row from the top left (i5 is 0, a5 is 60), and their
// neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace abalone {

using Bits = std::uint64_t;

constexpr std::size_t CELLS = 61;
constexpr std::uint8_t OFF = 61;
constexpr std::size_t WAYS = 6;  // east, north-east, north-west, and then the opposite of each
constexpr std::size_t LINES = 3;
constexpr std::array<std::size_t, 9> LENGTHS = {5, 6, 7, 8, 9, 8, 7, 6, 5};

struct Board {
    // The neighbour of a cell in each direction: OFF beyond the border; the neighbours of OFF are OFF.
    std::array<std::array<std::uint8_t, CELLS + 1>, WAYS> next{};
    std::array<std::uint8_t, CELLS> letter{}, number{};            // from 1: e5 in the middle is 5, 5
    std::array<std::uint8_t, CELLS> ring{};  // the distance from the middle: 0 to 4
};

constexpr Board make_board() {
    Board board;
    std::array<std::array<std::uint8_t, 11>, 11> place{};
    for (auto& row : place) {
        row.fill(OFF);
    }
    std::uint8_t cell = 0;
    for (std::size_t row = 0; row < LENGTHS.size(); ++row) {
        const std::size_t letter = 9 - row, first = letter > 5 ? letter - 4 : 1;
        for (std::size_t number = first; number < first + LENGTHS[row]; ++number, ++cell) {
            place[letter][number] = cell;
            board.letter[cell] = static_cast<std::uint8_t>(letter);
            board.number[cell] = static_cast<std::uint8_t>(number);
        }
    }
    constexpr std::array<int, WAYS> UP = {0, 1, 1, 0, -1, -1}, RIGHT = {1, 1, 0, -1, -1, 0};
    for (std::size_t way = 0; way < WAYS; ++way) {
        board.next[way][OFF] = OFF;
        for (std::size_t from = 0; from < CELLS; ++from) {
            board.next[way][from] = place[static_cast<std::size_t>(board.letter[from] + UP[way])]
                                         [static_cast<std::size_t>(board.number[from] + RIGHT[way])];
        }
    }
    for (std::size_t from = 0; from < CELLS; ++from) {
        const int up = board.letter[from] - 5, right = board.number[from] - 5, across = up - right;
        const int a = up < 0 ? -up : up, b = right < 0 ? -right : right, c = across < 0 ? -across : across;
        board.ring[from] = static_cast<std::uint8_t>(a > b ? (a > c ? a : c) : (b > c ? b : c));
    }
    return board;
}

constexpr Board BOARD = make_board();

// The cells of each ring around the middle.
constexpr std::array<Bits, 5> make_rings() {
    std::array<Bits, 5> rings{};
    for (std::size_t cell = 0; cell < CELLS; ++cell) {
        rings[BOARD.ring[cell]] |= Bits{1} << cell;
    }
    return rings;
}

constexpr std::array<Bits, 5> RINGS = make_rings();

}  // namespace abalone
