// The board of checkers as bits. Bit 0 is square 1, bit 7 square 8. After every two rows one bit is no square
// (8, 17, 26), and no bit from 35 on is a square. The neighbour to the south-west is therefore always 4 bits
// on, to the south-east 5, to the north-east 4 back and to the north-west 5 back; a step off the board
// reaches no square.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace checkers {

using Bits = std::uint64_t;

constexpr int SQUARES = 32;
constexpr int bit_of(int square) { return square + square / 8; }  // of a square from 0
constexpr int square_of(int bit) { return bit - bit / 9; }
constexpr Bits one(int square) { return Bits{1} << bit_of(square); }

constexpr Bits BOARD = 0x7FBFDFEFF;
constexpr Bits TOP = 0xF;
constexpr Bits BOTTOM = TOP << 31;

// black's men move in the first two directions, white's in the others
constexpr std::array<int, 4> WAYS = {4, 5, -4, -5};

constexpr Bits shifted(Bits bits, int way) { return way > 0 ? bits << way : bits >> -way; }

inline int count(Bits bits) { return std::popcount(bits); }

// The lowest bit of a set.
constexpr Bits lowest(Bits bits) { return bits & (~bits + 1); }

static_assert(one(31) == Bits{1} << 34 && (BOARD & (one(7) << 1)) == 0 && std::popcount(BOARD) == SQUARES);

}  // namespace checkers
