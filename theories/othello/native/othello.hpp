// Othello as bits: a board of 4 × 4, 6 × 6 or 8 × 8 squares in the top left corner of an 8 × 8 board. Bit 0
// is a1, bit 1 is b1, bit 8 is a2. Shares no code with the theory or with theories/othello/states/.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "play/core/game.hpp"
#include "theories/othello/native/weights.hpp"

namespace othello {

using Bits = std::uint64_t;

struct State {
    Bits own = 0;  // the discs of the player to move
    Bits other = 0;  // the discs of the opponent
    std::uint8_t size = 8;
    bool white = false;  // whether white is to move

    bool operator==(const State&) const = default;
};

constexpr Bits area(int size) {
    Bits found = 0;
    for (int row = 0; row < size; ++row) {
        found |= ((Bits{1} << size) - 1) << (8 * row);
    }
    return found;
}

constexpr std::array<Bits, 9> AREA = {0, 0, 0, 0, area(4), 0, area(6), 0, area(8)};
constexpr Bits INNER = 0x7E7E7E7E7E7E7E7E;  // without the columns a and h
constexpr Bits NOT_A = 0xFEFEFEFEFEFEFEFE;
constexpr Bits NOT_H = 0x7F7F7F7F7F7F7F7F;

// The eight directions, as shifts. Masks on columns a and h keep runs from leaving one row for the next.
// Squares outside a smaller board never have a disc.
template <int way>
constexpr Bits shifted(Bits bits) {
    if constexpr (way > 0) {
        return bits << way;
    } else {
        return bits >> -way;
    }
}

// The runs of `through` that begin next to the squares `from`, in one direction.
template <int way>
constexpr Bits runs(Bits from, Bits through) {
    Bits run = shifted<way>(from) & through;
    run |= shifted<way>(run) & through;
    const Bits two = through & shifted<way>(through);
    run |= shifted<2 * way>(run) & two;
    run |= shifted<2 * way>(run) & two;
    return run;
}

template <int way>
constexpr Bits reached(Bits own, Bits other) {
    constexpr bool is_vertical = way == 8 || way == -8;
    return shifted<way>(runs<way>(own, is_vertical ? other : other & INNER));
}

// The empty squares on which a disc of `own` flips something.
inline Bits places(Bits own, Bits other, Bits board) {
    const Bits found = reached<1>(own, other) | reached<-1>(own, other) | reached<8>(own, other) |
                       reached<-8>(own, other) | reached<7>(own, other) | reached<-7>(own, other) |
                       reached<9>(own, other) | reached<-9>(own, other);
    return found & board & ~(own | other);
}

template <int way>
constexpr Bits outflanked(Bits put, Bits own, Bits other) {
    constexpr bool is_vertical = way == 8 || way == -8;
    const Bits run = runs<way>(put, is_vertical ? other : other & INNER);
    return (shifted<way>(run) & own) != 0 ? run : 0;
}

// The discs of `other` that a disc on the square `put` flips.
inline Bits flipped(Bits put, Bits own, Bits other) {
    return outflanked<1>(put, own, other) | outflanked<-1>(put, own, other) | outflanked<8>(put, own, other) |
           outflanked<-8>(put, own, other) | outflanked<7>(put, own, other) |
           outflanked<-7>(put, own, other) | outflanked<9>(put, own, other) | outflanked<-9>(put, own, other);
}

// All squares adjacent to the given ones.
inline Bits around(Bits bits) {
    const Bits wide = bits | ((bits << 1) & NOT_A) | ((bits >> 1) & NOT_H);
    return wide | (wide << 8) | (wide >> 8);
}

inline int count(Bits bits) { return std::popcount(bits); }

struct Othello {
    using State = othello::State;
    using Move = std::uint8_t;  // a square, or PASS

    static constexpr Move PASS = 64;
    static constexpr std::size_t most_moves = 60;  // an upper bound on empty squares
    static constexpr int players = 2;
    static constexpr int evaluation_unit = 100;  // hundredths of a disc
    static constexpr int least = -6400;
    static constexpr int greatest = 6400;

    static Bits places_of(const State& state) { return places(state.own, state.other, AREA[state.size]); }
    static Bits places_of_other(const State& state) {
        return places(state.other, state.own, AREA[state.size]);
    }

    static void moves(const State& state, play::Moves<Othello>& found) {
        Bits left = places_of(state);
        if (left == 0 && places_of_other(state) != 0) {
            found.add(PASS);
        }
        for (; left != 0; left &= left - 1) {
            found.add(static_cast<Move>(std::countr_zero(left)));
        }
    }

    static std::size_t count_moves(const State& state) {
        const Bits found = places_of(state);
        return found != 0 ? static_cast<std::size_t>(count(found)) : places_of_other(state) != 0 ? 1 : 0;
    }

    static State after(const State& state, Move move) {
        if (move == PASS) {
            return {state.other, state.own, state.size, !state.white};
        }
        const Bits put = Bits{1} << move;
        const Bits turned = flipped(put, state.own, state.other);
        return {state.other & ~turned, state.own | turned | put, state.size, !state.white};
    }

    static int to_move(const State& state) { return state.white ? 1 : 0; }
    static bool is_over(const State& state) { return places_of(state) == 0 && places_of_other(state) == 0; }

    // The discs of black minus those of white. Empty squares count for neither side.
    static int outcome(const State& state) {
        const int lead = count(state.own) - count(state.other);
        return state.white ? -lead : lead;
    }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed =
            state.own * 0x9E3779B97F4A7C15 ^ std::rotl(state.other * 0xC2B2AE3D27D4EB4F, 31);
        mixed ^= state.size * std::uint64_t{0x165667B19E3779F9} + (state.white ? 0x27D4EB2F165667C5 : 0);
        mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93;
        return mixed ^ (mixed >> 29);
    }

    // Each feature is the value of the player to move minus that of the opponent.
    static constexpr std::array<const char*, 7> feature_names = {
        "discs", "moves", "frontier", "corners", "beside empty corners", "held edges", "parity"};

    static std::array<int, 7> features(const State& state) {
        const Bits board = AREA[state.size], empty = board & ~(state.own | state.other);
        const Bits corner = corners(state.size), open = around(corner & empty) & ~corner;
        const Bits beside = around(empty);
        const auto less = [&](Bits mask) { return count(state.own & mask) - count(state.other & mask); };
        return {less(board),
                count(places_of(state)) - count(places_of_other(state)),
                less(beside),
                less(corner),
                less(open),
                count(anchored(state.own, state.size)) - count(anchored(state.other, state.size)),
                count(empty) % 2};
    }

    // The expected final lead in discs of the player to move, by weights.hpp.
    static int evaluation(const State& state) {
        if (is_over(state)) {
            return (state.white ? -outcome(state) : outcome(state)) * evaluation_unit;
        }
        const auto found = features(state);
        const auto& weights = WEIGHTS[phase(state)];
        int sum = 0;
        for (std::size_t number = 0; number < found.size(); ++number) {
            sum += weights[number] * found[number];
        }
        sum += weights[found.size()];
        // keep clear of the values of decided games
        return sum <= least ? least + 1 : sum >= greatest ? greatest - 1 : sum;
    }

    // The phase of a game by how full the board is: the row of weights.
    static std::size_t phase(const State& state) {
        const int squares = state.size * state.size;
        const int full = count(state.own | state.other);
        return static_cast<std::size_t>((full - 1) * static_cast<int>(WEIGHTS.size()) / squares);
    }

    // The fill of the board, from 0 to 99.
    static int progress(const State& state) {
        return 99 * count(state.own | state.other) / (state.size * state.size);
    }

    // The least position, as numbers, among a position and its mirror images.
    static State canonical(const State& state) {
        State least = state, image = state;
        for (int turn = 1; turn < 8; ++turn) {
            image.own = turn % 2 == 1 ? transposed(image.own) : flipped_over(image.own, state.size);
            image.other = turn % 2 == 1 ? transposed(image.other) : flipped_over(image.other, state.size);
            if (std::pair(image.own, image.other) < std::pair(least.own, least.other)) {
                least = image;
            }
        }
        return least;
    }

    // Swaps rows and columns.
    static Bits transposed(Bits bits) {
        Bits swapped = (bits ^ (bits >> 7)) & 0x00AA00AA00AA00AA;
        bits ^= swapped ^ (swapped << 7);
        swapped = (bits ^ (bits >> 14)) & 0x0000CCCC0000CCCC;
        bits ^= swapped ^ (swapped << 14);
        swapped = (bits ^ (bits >> 28)) & 0x00000000F0F0F0F0;
        return bits ^ swapped ^ (swapped << 28);
    }

    // Reverses the order of the rows.
    static Bits flipped_over(Bits bits, int size) {
        bits = ((bits >> 8) & 0x00FF00FF00FF00FF) | ((bits & 0x00FF00FF00FF00FF) << 8);
        bits = ((bits >> 16) & 0x0000FFFF0000FFFF) | ((bits & 0x0000FFFF0000FFFF) << 16);
        return ((bits >> 32) | (bits << 32)) >> (8 * (8 - size));
    }

    static Bits corners(int size) {
        const Bits top = Bits{1} | (Bits{1} << (size - 1));
        return top | (top << (8 * (size - 1)));
    }

    // Discs on the edge that a row of discs of the same colour connects to a corner. No move flips them.
    static Bits anchored(Bits discs, int size) {
        const int last = size - 1;
        const Bits row = (Bits{1} << size) - 1,
                   column = AREA[static_cast<std::size_t>(size)] & 0x0101010101010101;
        Bits found = discs & corners(size);
        const Bits across = discs & (row | (row << (8 * last))), down = discs & (column | (column << last));
        for (int step = 0; step < last; ++step) {
            found |= ((found << 1) & NOT_A) & across;
            found |= ((found >> 1) & NOT_H) & across;
            found |= ((found << 8) | (found >> 8)) & down;
        }
        return found;
    }

    // Reads the squares row by row (X for black, O for white, - for empty), then the player to move.
    static State read(const std::string& text) {
        const std::size_t squares = text.find(' ');
        const int size = squares == 16 ? 4 : squares == 36 ? 6 : squares == 64 ? 8 : 0;
        if (size == 0 || text.size() != squares + 2 || (text.back() != 'X' && text.back() != 'O')) {
            throw std::invalid_argument("no position of Othello: 16, 36 or 64 squares, a space, and X or O");
        }
        Bits black = 0, white = 0;
        for (int place = 0; place < size * size; ++place) {
            const Bits square = Bits{1} << (8 * (place / size) + place % size);
            switch (text[static_cast<std::size_t>(place)]) {
                case 'X': black |= square; break;
                case 'O': white |= square; break;
                case '-': break;
                default: throw std::invalid_argument("a square is X, O or -");
            }
        }
        const bool is_white = text.back() == 'O';
        return {is_white ? white : black, is_white ? black : white, static_cast<std::uint8_t>(size),
                is_white};
    }

    static std::string write(const State& state) {
        const Bits black = state.white ? state.other : state.own,
                   white = state.white ? state.own : state.other;
        std::string text;
        for (int row = 0; row < state.size; ++row) {
            for (int column = 0; column < state.size; ++column) {
                const Bits square = Bits{1} << (8 * row + column);
                text += (black & square) != 0 ? 'X' : (white & square) != 0 ? 'O' : '-';
            }
        }
        return text + (state.white ? " O" : " X");
    }

    static std::string write_move(const State&, Move move) {
        return move == PASS
                   ? "pass"
                   : std::string{static_cast<char>('a' + move % 8), static_cast<char>('1' + move / 8)};
    }
};

static_assert(play::Game<Othello> && play::Counting<Othello> && play::Featured<Othello>);

}  // namespace othello
