// Sliding tiles as a game for searches. Shares no code with the theory or with theories/tiles/states/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "play/core/game.hpp"
#include "play/core/paths/paths.hpp"
#include "theories/tiles/native/bounds.hpp"
#include "theories/tiles/native/state.hpp"

namespace tiles {

struct Tiles {
    using State = tiles::State;
    using Move = std::uint8_t;  // the square whose tile slides

    static constexpr std::size_t most_moves = 4;
    static constexpr int players = 1;
    static constexpr int evaluation_unit = 1;  // one remaining slide
    static constexpr int least = -static_cast<int>(MOST_SQUARES * 2 * (MOST_SIDE - 1));
    static constexpr int greatest = 0;

    static void moves(const State& state, play::Moves<Tiles>& found) {
        if (is_over(state)) {
            return;
        }
        const int blank = state.place[0], column = blank % state.columns;
        if (blank >= state.columns) {
            found.add(static_cast<Move>(blank - state.columns));
        }
        if (column > 0) {
            found.add(static_cast<Move>(blank - 1));
        }
        if (column < state.columns - 1) {
            found.add(static_cast<Move>(blank + 1));
        }
        if (blank + state.columns < state.squares()) {
            found.add(static_cast<Move>(blank + state.columns));
        }
    }

    static State after(const State& state, Move move) {
        State next = state;
        const std::uint8_t tile = state.at[move], blank = state.place[0];
        next.at[blank] = tile;
        next.at[move] = 0;
        next.place[tile] = blank;
        next.place[0] = move;
        next.distance = static_cast<std::int16_t>(state.distance + far(tile, blank, state.columns) -
                                                  far(tile, move, state.columns));
        return next;
    }

    // The move that undoes another one.
    static Move undo(const State& before, Move) { return before.place[0]; }

    static int to_move(const State&) { return 0; }
    static bool is_over(const State& state) { return state.distance == 0; }

    // The negated number of remaining slides: 0 at the end.
    static int outcome(const State&) { return 0; }
    static int evaluation(const State& state) { return -state.distance; }

    // A lower bound on the slides to the end.
    static int distance(const State& state) { return state.distance; }

    static constexpr std::array<const char*, 3> bound_names = {"distance", "linear conflicts", "patterns"};

    // Calls `use` with the bound of that name for positions of the state's board.
    template <class Use>
    static void with_bound(const std::string& name, const State& state, const Use& use) {
        if (name == bound_names[0]) {
            use(Distance{});
        } else if (name == bound_names[1]) {
            use(LinearConflicts{});
        } else if (name == bound_names[2]) {
            use(Patterns::of(state.rows, state.columns));
        } else {
            throw std::invalid_argument("no bound is named `" + name + "`");
        }
    }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed = static_cast<std::uint64_t>(state.rows) * 31 + state.columns;
        for (int square = 0; square < state.squares(); ++square) {
            mixed = (mixed ^ state.at[static_cast<std::size_t>(square)]) * 0x9E3779B97F4A7C15;
            mixed ^= mixed >> 29;
        }
        return mixed * 0xD6E8FEB86659FD93;
    }

    // Rows of numbers, with ` / ` between two rows.
    static State read(const std::string& text) {
        State state;
        int tiles = 0, column = 0, columns = 0, rows = 1;
        const auto wrong = [] {
            throw std::invalid_argument(
                "no position of sliding tiles: rows of numbers with ` / ` between them");
        };
        std::array<bool, MOST_SQUARES> seen{};
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t end =
                text.find(' ', from) == std::string::npos ? text.size() : text.find(' ', from);
            const std::string word = text.substr(from, end - from);
            from = end + 1;
            if (word == "/") {
                if (column == 0 || (columns != 0 && column != columns)) {
                    wrong();
                }
                columns = column;
                column = 0;
                ++rows;
                continue;
            }
            if (word.empty() || word.size() > 2 ||
                word.find_first_not_of("0123456789") != std::string::npos) {
                wrong();
            }
            const auto tile = static_cast<std::size_t>(std::stoi(word));
            if (tile >= MOST_SQUARES || seen[tile] || tiles == static_cast<int>(MOST_SQUARES)) {
                wrong();
            }
            seen[tile] = true;
            state.at[static_cast<std::size_t>(tiles++)] = static_cast<std::uint8_t>(tile);
            ++column;
        }
        if (column != columns || rows < LEAST_SIDE || rows > MOST_SIDE || columns < LEAST_SIDE ||
            columns > MOST_SIDE) {
            wrong();
        }
        for (int tile = 0; tile < tiles; ++tile) {
            if (!seen[static_cast<std::size_t>(tile)]) {
                wrong();
            }
        }
        state.rows = static_cast<std::uint8_t>(rows);
        state.columns = static_cast<std::uint8_t>(columns);
        for (int square = 0; square < tiles; ++square) {
            const std::uint8_t tile = state.at[static_cast<std::size_t>(square)];
            state.place[tile] = static_cast<std::uint8_t>(square);
            state.distance =
                static_cast<std::int16_t>(state.distance + (tile == 0 ? 0 : far(tile, square, columns)));
        }
        if (!is_solvable(state)) {
            throw std::invalid_argument("no slides solve this position");
        }
        return state;
    }

    // Whether slides lead to the end. Each slide is a swap and moves the blank by one square.
    static bool is_solvable(const State& state) {
        int inversions = 0;
        for (std::size_t square = 0; square < static_cast<std::size_t>(state.squares()); ++square) {
            for (std::size_t later = square + 1; later < static_cast<std::size_t>(state.squares()); ++later) {
                inversions += state.at[square] > state.at[later] ? 1 : 0;
            }
        }
        return (inversions + far(0, state.place[0], state.columns)) % 2 == 0;
    }

    static std::string write(const State& state) {
        std::string text;
        for (int square = 0; square < state.squares(); ++square) {
            text += square == 0 ? "" : square % state.columns == 0 ? " / " : " ";
            text += std::to_string(state.at[static_cast<std::size_t>(square)]);
        }
        return text;
    }

    static std::string write_move(const State& state, Move move) { return std::to_string(state.at[move]); }
};

static_assert(play::GameOfOne<Tiles>);

}  // namespace tiles
