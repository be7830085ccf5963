// Abalone as a game for searches, on bits. Shares no code with the theory or with theories/abalone/states/.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "play/core/game.hpp"
#include "theories/abalone/native/board.hpp"

namespace abalone {

constexpr int ALL = 14;
constexpr int LOST = 6;

struct State {
    Bits own = 0;  // the marbles of the player to move
    Bits other = 0;  // the marbles of the opponent
    bool white = false;

    bool operator==(const State&) const = default;
};

// Move of a row of marbles whose rearmost is at `cell`. If `marbles` is 0, the row moves along itself and may
// push. Otherwise two or three marbles along `line` (east, north-east or north-west) step sideways.
struct Move {
    std::uint8_t cell = 0;
    std::uint8_t way = 0;
    std::uint8_t line = 0;
    std::uint8_t marbles = 0;

    bool operator==(const Move&) const = default;
};

inline bool has(Bits bits, std::uint8_t cell) { return (bits >> cell & 1) != 0; }

struct Abalone {
    using State = abalone::State;
    using Move = abalone::Move;

    // A marble pushes in at most six ways. Two or three marbles in a row step in four ways each. One row of
    // each length begins at a marble in each of three lines.
    static constexpr std::size_t most_moves = ALL * (6 + 3 * 2 * 4);
    static constexpr int players = 2;
    static constexpr int evaluation_unit = 100;  // hundredths of a marble
    static constexpr int least = -100 * LOST;
    static constexpr int greatest = 100 * LOST;

    static void moves(const State& state, play::Moves<Abalone>& found) {
        if (!is_lost(state)) {
            each_move(state, [&](Move move) { found.add(move); });
        }
    }

    static std::size_t count_moves(const State& state) {
        std::size_t count = 0;
        if (!is_lost(state)) {
            each_move(state, [&](Move) { ++count; });
        }
        return count;
    }

    static State after(const State& state, Move move) {
        Bits own = state.own, other = state.other;
        const auto& next = BOARD.next[move.way];
        if (move.marbles == 0) {
            std::uint8_t front = move.cell;
            while (has(state.own, front)) {
                front = next[front];
            }
            own ^= Bits{1} << move.cell | Bits{1} << front;
            if (has(state.other, front)) {
                other ^= Bits{1} << front;
                std::uint8_t beyond = next[front];
                while (beyond != OFF && has(state.other, beyond)) {
                    beyond = next[beyond];
                }
                other |= beyond == OFF ? 0 : Bits{1} << beyond;
            }
        } else {
            std::uint8_t cell = move.cell;
            for (int number = 0; number < move.marbles; ++number, cell = BOARD.next[move.line][cell]) {
                own ^= Bits{1} << cell | Bits{1} << next[cell];
            }
        }
        return {other, own, !state.white};
    }

    static int to_move(const State& state) { return state.white ? 1 : 0; }
    static bool is_over(const State& state) { return count_moves(state) == 0; }

    // The marbles that white has lost minus those that black has lost.
    static int outcome(const State& state) { return state.white ? -lead(state) : lead(state); }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed =
            state.own * 0x9E3779B97F4A7C15 ^ std::rotl(state.other * 0xC2B2AE3D27D4EB4F, 31);
        mixed ^= state.white ? 0x27D4EB2F165667C5 : 0;
        mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93;
        return mixed ^ (mixed >> 29);
    }

    // Each feature is the value of the player to move minus that of the opponent.
    static constexpr std::array<const char*, 3> feature_names = {"marbles", "nearness to the middle",
                                                                 "own neighbours"};

    static std::array<int, 3> features(const State& state) {
        return {lead(state), nearness(state.own) - nearness(state.other),
                neighbours(state.own) - neighbours(state.other)};
    }

    // The lead in marbles. One ring nearer to the middle counts as six hundredths of a marble, a neighbour as
    // two.
    static int evaluation(const State& state) {
        if (is_over(state)) {
            return lead(state) * evaluation_unit;
        }
        const auto found = features(state);
        const int sum = evaluation_unit * found[0] + 6 * found[1] + 2 * found[2];
        return sum < least + 1 ? least + 1 : sum > greatest - 1 ? greatest - 1 : sum;
    }

    // Reads the cells row by row (X for black, O for white, - for empty, / between rows), then the player to
    // move.
    static State read(const std::string& text) {
        const auto wrong = [] {
            throw std::invalid_argument(
                "no position of Abalone: nine rows of X, O and - with / between them, a space, and X or O");
        };
        Bits black = 0, white = 0;
        std::size_t at = 0, cell = 0;
        for (std::size_t row = 0; row < LENGTHS.size(); ++row) {
            for (std::size_t number = 0; number < LENGTHS[row]; ++number, ++cell, ++at) {
                const char is = at < text.size() ? text[at] : '?';
                if (is != 'X' && is != 'O' && is != '-') {
                    wrong();
                }
                (is == 'X' ? black : white) |= is == '-' ? 0 : Bits{1} << cell;
            }
            if (at >= text.size() || text[at++] != (row + 1 == LENGTHS.size() ? ' ' : '/')) {
                wrong();
            }
        }
        if (at + 1 != text.size() || (text[at] != 'X' && text[at] != 'O')) {
            wrong();
        }
        const int blacks = std::popcount(black), whites = std::popcount(white);
        if (blacks > ALL || whites > ALL || blacks < ALL - LOST || whites < ALL - LOST ||
            blacks + whites == 2 * (ALL - LOST)) {
            throw std::invalid_argument(
                "each player has 14 marbles to begin with, and one of them has lost six at most");
        }
        const bool is_white = text[at] == 'O';
        return {is_white ? white : black, is_white ? black : white, is_white};
    }

    static std::string write(const State& state) {
        const Bits black = state.white ? state.other : state.own,
                   white = state.white ? state.own : state.other;
        std::string text;
        std::uint8_t cell = 0;
        for (std::size_t row = 0; row < LENGTHS.size(); ++row) {
            text += row == 0 ? "" : "/";
            for (std::size_t number = 0; number < LENGTHS[row]; ++number, ++cell) {
                text += has(black, cell) ? 'X' : has(white, cell) ? 'O' : '-';
            }
        }
        return text + (state.white ? " O" : " X");
    }

    // Writes the cell of the rearmost marble, the other end of the row for a sidestep, and the cell to which
    // the rearmost marble goes.
    static std::string write_move(const State&, Move move) {
        std::uint8_t last = move.cell;
        for (int number = 1; number < move.marbles; ++number) {
            last = BOARD.next[move.line][last];
        }
        return name(move.cell) + (move.marbles == 0 ? "" : name(last)) +
               name(BOARD.next[move.way][move.cell]);
    }

private:
    template <class Use>
    static void each_move(const State& state, const Use& use) {
        const Bits empty = ((Bits{1} << CELLS) - 1) & ~(state.own | state.other);
        for (Bits left = state.own; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint8_t>(std::countr_zero(left));
            for (std::uint8_t way = 0; way < WAYS; ++way) {
                if (pushes(state, empty, cell, BOARD.next[way])) {
                    use(Move{cell, way, 0, 0});
                }
            }
            for (std::uint8_t line = 0; line < LINES; ++line) {
                const auto& along = BOARD.next[line];
                const std::uint8_t second = along[cell], third = along[second];
                if (!has(state.own, second)) {
                    continue;
                }
                const bool are_three = has(state.own, third);
                for (std::uint8_t way = 0; way < WAYS; ++way) {
                    const auto& next = BOARD.next[way];
                    if (way % LINES == line || !has(empty, next[cell]) || !has(empty, next[second])) {
                        continue;
                    }
                    use(Move{cell, way, line, 2});
                    if (are_three && has(empty, next[third])) {
                        use(Move{cell, way, line, 3});
                    }
                }
            }
        }
    }

    // Whether the row with its rearmost marble on `cell` can move along itself. OFF is in none of the sets.
    static bool pushes(const State& state, Bits empty, std::uint8_t cell,
                       const std::array<std::uint8_t, CELLS + 1>& next) {
        int own = 1;
        std::uint8_t front = next[cell];
        for (; has(state.own, front); front = next[front]) {
            if (++own > 3) {
                return false;
            }
        }
        if (has(empty, front)) {
            return true;
        }
        if (own == 1 || front == OFF) {
            return false;
        }
        int others = 0;
        for (; has(state.other, front); front = next[front]) {
            if (++others >= own) {
                return false;
            }
        }
        return front == OFF || has(empty, front);
    }

    static bool is_lost(const State& state) {
        return std::popcount(state.own) == ALL - LOST || std::popcount(state.other) == ALL - LOST;
    }

    static int lead(const State& state) { return std::popcount(state.own) - std::popcount(state.other); }

    static int nearness(Bits marbles) {
        int sum = 0;
        for (std::size_t ring = 0; ring < RINGS.size(); ++ring) {
            sum += (4 - static_cast<int>(ring)) * std::popcount(marbles & RINGS[ring]);
        }
        return sum;
    }

    // The number of pairs of adjacent marbles.
    static int neighbours(Bits marbles) {
        int sum = 0;
        for (Bits left = marbles; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::size_t>(std::countr_zero(left));
            for (std::size_t line = 0; line < LINES; ++line) {
                sum += has(marbles, BOARD.next[line][cell]) ? 1 : 0;
            }
        }
        return sum;
    }

    static std::string name(std::uint8_t cell) {
        return {static_cast<char>('a' + BOARD.letter[cell] - 1), static_cast<char>('0' + BOARD.number[cell])};
    }
};

static_assert(play::Game<Abalone> && play::Counting<Abalone> && play::Featured<Abalone>);

}  // namespace abalone
