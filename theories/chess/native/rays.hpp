// The squares that a man reaches on a board of chess, as bits: bit 0 is a1, bit 1 is b1, bit 8 is a2.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace chess {

using Bits = std::uint64_t;
using Square = std::uint8_t;

constexpr Square NONE = 64;
constexpr Bits bit(int square) { return Bits{1} << square; }
constexpr int lowest(Bits bits) { return std::countr_zero(bits); }
constexpr std::size_t at(int square) { return static_cast<std::size_t>(square); }

using Steps = std::array<std::pair<int, int>, 8>;
using Table = std::array<Bits, 64>;

// The square at an offset of files and ranks, if it is on the board; for a ray, all squares
// in this direction.
constexpr Bits reached(int from, int files, int ranks, bool on) {
    Bits found = 0;
    int file = from % 8 + files, rank = from / 8 + ranks;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        found |= bit(8 * rank + file);
        if (!on) {
            break;
        }
        file += files;
        rank += ranks;
    }
    return found;
}

constexpr Table table(const Steps& steps, std::size_t count) {
    Table found{};
    for (int from = 0; from < 64; ++from) {
        for (std::size_t step = 0; step < count; ++step) {
            found[at(from)] |= reached(from, steps[step].first, steps[step].second, false);
        }
    }
    return found;
}

constexpr Steps HOPS = {{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
// The eight directions: first those of growing square numbers, straight and diagonal in turn.
constexpr Steps WAYS = {{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

constexpr Table HOPS_FROM = table(HOPS, 8);
constexpr Table STEPS_FROM = table(WAYS, 8);
// The squares that a pawn attacks, of white and of black.
constexpr std::array<Table, 2> STRIKES = {table({{{-1, 1}, {1, 1}}}, 2), table({{{-1, -1}, {1, -1}}}, 2)};

constexpr std::array<Table, 8> rays() {
    std::array<Table, 8> found{};
    for (std::size_t way = 0; way < 8; ++way) {
        for (int from = 0; from < 64; ++from) {
            found[way][at(from)] = reached(from, WAYS[way].first, WAYS[way].second, true);
        }
    }
    return found;
}

constexpr std::array<Table, 8> RAYS = rays();

// A ray up to and including the first man on it.
template <std::size_t way>
constexpr Bits seen(int from, Bits men) {
    const Bits ray = RAYS[way][at(from)], met = ray & men;
    if (met == 0) {
        return ray;
    }
    const int first = way < 4 ? std::countr_zero(met) : 63 - std::countl_zero(met);
    return ray & ~RAYS[way][at(first)];
}

constexpr Bits straight(int from, Bits men) {
    return seen<0>(from, men) | seen<2>(from, men) | seen<4>(from, men) | seen<6>(from, men);
}
constexpr Bits aslant(int from, Bits men) {
    return seen<1>(from, men) | seen<3>(from, men) | seen<5>(from, men) | seen<7>(from, men);
}

}  // namespace chess
