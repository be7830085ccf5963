// Inputs for the decision of a checkers player whether to search deeper: board features, values of small
// searches, and counts of a pattern (section 4.2). The feature names are those of Markovitch and Sella 1996,
// Table 1. The paper does not define them; the definitions are given with each name below. All values are for
// the player to move.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "play/core/allocation/setting.hpp"
#include "theories/checkers/native/pieces.hpp"

namespace checkers {

// The paper does not give the values of kings for players and for the judge. With these values, `never`,
// `random` and `always` agree with its Table 2.
using Players = Pieces<6, 6, true>;

// The same players, with captures played out at the end of each line.
struct Resolved : Players {
    static int evaluation(const State& state) {
        if (all_jumpers(state) == 0) {
            return Players::evaluation(state);
        }
        play::Moves<Checkers> captures;
        moves(state, captures);
        int best = least;
        for (const auto& capture : captures) {
            best = std::max(best, -evaluation(after(state, capture)));
        }
        return best;
    }
};

struct Allocation {
    using Game = Players;
    using Cells = std::array<std::uint8_t, SQUARES>;

    static constexpr std::size_t hand = 23;
    static constexpr std::array<const char*, hand> hand_names = {
        "own legal moves",  // the legal moves
        "own total moves",  // steps and captures, as if captures were not compulsory
        "other total moves",  // the same for the opponent
        "own mobile pieces",  // pieces that could step or capture
        "other mobile pieces",
        "own men", "own kings", "other men", "other kings",
        "evaluation",           // in halves of a man
        "own threatened",  // whether the opponent could capture if it were the opponent's turn
        "own sacrifices",       // moves after which the opponent can capture
        "other sacrifices",  // the opponent's moves after which the opponent can be captured
        "own crown 1", "own crown 2", "own crown 3",  // men one, two or three rows from the last
        "lonely other men",  // without an adjacent piece of their own side
        "own triangles",  // pieces with two pieces of their side behind them
        "other triangles",
        "own centre", "other centre",  // pieces on the eight squares in the middle
        "own base", "other base",  // the squares of the two-square bridge with men on them
    };
    static constexpr int shallow = 4;
    static constexpr std::size_t searched = 3;
    static constexpr std::array<const char*, searched> searched_names = {
        "value 4",  // by a search of depth 4, in halves of a man
        "ties 4",  // the number of moves that are best by it
        "doubt",  // the mean loss of these moves by a search of depth 3 with captures played out
    };

    static State turned(const State& state) { return {state.other, state.own, state.kings, 0, !state.white}; }

    static int half(int value) {
        return static_cast<int>(std::clamp(std::lround(static_cast<double>(value) / Game::half), -60L, 60L));
    }

    static void by_hand(const State& state, std::int16_t* into) {
        const State other = turned(state);
        const Bits men = ~state.kings;
        const auto put = [&](std::size_t number) { *into++ = static_cast<std::int16_t>(number); };
        put(Checkers::count_moves(state));
        put(total(state));
        put(total(other));
        put(static_cast<std::size_t>(count(mobile(state))));
        put(static_cast<std::size_t>(count(mobile(other))));
        put(static_cast<std::size_t>(count(state.own & men)));
        put(static_cast<std::size_t>(count(state.own & state.kings)));
        put(static_cast<std::size_t>(count(state.other & men)));
        put(static_cast<std::size_t>(count(state.other & state.kings)));
        *into++ = static_cast<std::int16_t>(half(Game::evaluation(state)));
        put(Checkers::all_jumpers(other) != 0 ? 1 : 0);
        put(sacrifices(state));
        put(sacrifices(other));
        for (int rows = 1; rows <= 3; ++rows) {
            const Bits row = row_of(state.white ? rows : 7 - rows);
            put(static_cast<std::size_t>(count(state.own & men & row)));
        }
        put(static_cast<std::size_t>(count(state.other & men & ~neighbours(state.other))));
        put(static_cast<std::size_t>(triangles(state.own, state.white)));
        put(static_cast<std::size_t>(triangles(state.other, !state.white)));
        put(static_cast<std::size_t>(count(state.own & Checkers::MIDDLE)));
        put(static_cast<std::size_t>(count(state.other & Checkers::MIDDLE)));
        put(static_cast<std::size_t>(count(state.own & men & bridge(state.white))));
        put(static_cast<std::size_t>(count(state.other & men & bridge(!state.white))));
    }

    // Features by searches. Their nodes are counted.
    static void by_search(const State& state, play::Meter& meter, std::int16_t* into,
                          play::Moves<Game>& best) {
        *into++ =
            static_cast<std::int16_t>(half(play::allocation::best_of<Game>(state, shallow, meter, best)));
        const auto ties = static_cast<int>(best.size());
        *into++ = static_cast<std::int16_t>(ties);
        *into = static_cast<std::int16_t>(half(4 * lost(state, best, meter) / ties));
    }

    // Patterns: a 3 × 3 part of the board with five dark squares. Each square has one of eight values, and
    // the part has one of six places.
    static constexpr std::size_t kinds = 8;
    static constexpr std::size_t places = 6;
    static constexpr std::size_t patterns = places * kinds * kinds * kinds * kinds * kinds;
    static_assert(patterns == 196608);
    static constexpr std::array<const char*, places> place_names = {"anywhere", "own base", "other base",
                                                                    "middle",   "right",    "left"};
    static constexpr std::array<const char*, kinds> kind_names = {
        "any", "free", "own", "other", "own man", "own king", "other man", "other king"};

    // The squares as the player to move sees them, playing upwards, row by row from the top: 0 free, 1 own
    // man, 2 own king, 3 and 4 the other side's.
    static Cells cells(const State& state) {
        Cells found{};
        for (int square = 0; square < SQUARES; ++square) {
            const Bits here = one(state.white ? square : SQUARES - 1 - square);
            const int king = (state.kings & here) != 0 ? 1 : 0;
            found[static_cast<std::size_t>(square)] =
                static_cast<std::uint8_t>((state.own & here) != 0     ? 1 + king
                                          : (state.other & here) != 0 ? 3 + king
                                                                      : 0);
        }
        return found;
    }

    // Calls `found` with each occurring pattern, once for each place where it occurs.
    template <class Each>
    static void occurring(const Cells& board, const Each& found) {
        for (int row = 1; row < 7; ++row) {
            // dark squares that are not at the border
            for (int column = 1 + row % 2; column < 7; column += 2) {
                occurring_at(board, row, column, found);
            }
        }
    }

    // The number of occurrences of a pattern.
    static int occurrences(const Cells& board, std::uint32_t pattern) {
        int number = 0;
        for (int row = 1; row < 7; ++row) {
            for (int column = 1 + row % 2; column < 7; column += 2) {
                number += is_occurrence(board, row, column, pattern) ? 1 : 0;
            }
        }
        return number;
    }

    static std::string named(std::uint32_t pattern) {
        std::string text = place_names[pattern / 32768];
        for (int square = 0; square < 5; ++square) {
            text += square == 0 ? ": " : ", ";
            text += kind_names[(pattern >> (3 * square)) & 7];
        }
        return text;
    }

private:
    // The sum of how much worse than the best the moves are, by a search of depth 3 with captures played out.
    static int lost(const State& state, const play::Moves<Game>& moves, play::Meter& meter) {
        const auto value = [&](const Move& move, int alpha) {
            return play::allocation::value_after<Resolved>(state, move, 3, alpha, -play::WORST<Resolved>,
                                                           meter);
        };
        int most = play::WORST<Resolved>, sum = 0;
        for (const auto& move : moves) {
            const int found = value(move, play::WORST<Resolved>);
            most = std::max(most, found);
            sum += found;
        }
        play::Moves<Game> all;
        Game::moves(state, all);
        for (const auto& move : all) {
            if (std::find(moves.begin(), moves.end(), move) == moves.end()) {
                most = std::max(most, value(move, most));
            }
        }
        return static_cast<int>(moves.size()) * most - sum;
    }

    using Around = std::array<std::uint8_t, 5>;

    static Bits row_of(int row) { return TOP << (4 * row + row / 2); }
    static Bits bridge(bool white) { return white ? one(29) | one(31) : one(0) | one(2); }
    static Bits neighbours(Bits pieces) {
        return shifted(pieces, 4) | shifted(pieces, 5) | shifted(pieces, -4) | shifted(pieces, -5);
    }
    static int triangles(Bits pieces, bool white) {
        const int way = white ? -1 : 1;
        return count(pieces & shifted(pieces, 4 * way) & shifted(pieces, 5 * way));
    }
    static std::size_t total(const State& state) {
        int sum = 0;
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            sum += count(Checkers::walkers(state, way)) + count(Checkers::jumpers(state, way));
        }
        return static_cast<std::size_t>(sum);
    }
    static Bits mobile(const State& state) {
        Bits found = Checkers::all_jumpers(state);
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            found |= Checkers::walkers(state, way);
        }
        return found;
    }
    static std::size_t sacrifices(const State& state) {
        play::Moves<Checkers> found;
        Checkers::moves(state, found);
        std::size_t sum = 0;
        for (const auto& move : found) {
            sum += Checkers::all_jumpers(Checkers::after(state, move)) != 0 ? 1 : 0;
        }
        return sum;
    }

    static Around around(const Cells& board, int row, int column) {
        const auto at = [&](int down, int right) {
            return board[static_cast<std::size_t>(4 * (row + down) + (column + right) / 2)];
        };
        return {at(-1, -1), at(-1, 1), at(0, 0), at(1, -1), at(1, 1)};
    }

    static bool is_in_place(std::uint32_t place, int row, int column) {
        switch (place) {
            case 1: return row == 6;
            case 2: return row == 1;
            case 3: return row > 1 && row < 6 && column > 1 && column < 6;
            case 4: return column == 6;
            case 5: return column == 1;
            default: return true;
        }
    }

    // The values of a square from the most general one: three, or two for a free square.
    static constexpr std::array<std::array<std::uint32_t, 3>, 5> values = {
        {{0, 1, 1}, {0, 2, 4}, {0, 2, 5}, {0, 3, 6}, {0, 3, 7}}};

    static bool is_occurrence(const Cells& board, int row, int column, std::uint32_t pattern) {
        if (!is_in_place(pattern / 32768, row, column)) {
            return false;
        }
        const Around here = around(board, row, column);
        for (std::size_t square = 0; square < 5; ++square) {
            const auto& has = values[here[square]];
            if (std::find(has.begin(), has.end(), (pattern >> (3 * square)) & 7) == has.end()) {
                return false;
            }
        }
        return true;
    }

    template <class Each>
    static void occurring_at(const Cells& board, int row, int column, const Each& found) {
        const Around here = around(board, row, column);
        std::array<std::uint32_t, 243> alike;
        std::size_t number = 1;
        alike[0] = 0;
        for (std::size_t square = 0; square < 5; ++square) {
            const std::size_t of = here[square] == 0 ? 2 : 3, before = number;
            for (std::size_t value = 1; value < of; ++value) {
                for (std::size_t one_of = 0; one_of < before; ++one_of) {
                    alike[number++] = alike[one_of] | (values[here[square]][value] << (3 * square));
                }
            }
        }
        for (std::uint32_t place = 0; place < places; ++place) {
            if (is_in_place(place, row, column)) {
                for (std::size_t each = 0; each < number; ++each) {
                    found(place * 32768 + alike[each]);
                }
            }
        }
    }
};

}  // namespace checkers
