// Go as a game for the searches of play/core/: whole games on boards of 1 × 1 to 19 × 19 points, with area
// scoring. A text is a diagram with headings; `passes` is omitted without a pass, and `komi` if it is 7.5.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "play/core/game.hpp"
#include "theories/go/native/evaluation.hpp"

namespace go {

struct Go {
    using State = go::State;
    using Move = Point;

    static constexpr std::size_t most_moves = MOST_SIDE * MOST_SIDE + 1;
    static constexpr int players = 2;
    static constexpr int evaluation_unit = UNIT;  // the outcome is in half points
    static constexpr int most_komi = 2 * MOST_SIDE * MOST_SIDE;
    static constexpr int least = -2 * most_komi * UNIT;
    static constexpr int greatest = 2 * most_komi * UNIT;

    static void moves(const State& state, play::Moves<Go>& found) {
        if (is_over(state)) {
            return;
        }
        found.add(PASS);
        empty(state).each([&](int row, int column) {
            const Point point = state.point(row, column);
            if (is_legal(state, point)) {
                found.add(point);
            }
        });
    }

    static State after(const State& state, Move move) { return played(state, move); }
    static int to_move(const State& state) { return state.mover; }
    static bool is_over(const State& state) { return state.passes >= 2; }
    static int outcome(const State& state) { return area(state); }

    static int evaluation(const State& state) {
        const int found = is_over(state) ? area(state) * UNIT : estimate(state);
        return state.mover == 0 ? found : -found;
    }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed = state.ko + 512U * state.passes + 2048U * state.mover + 4096U * state.size;
        mixed += static_cast<std::uint64_t>(static_cast<std::uint16_t>(state.komi)) << 32;
        for (int row = 0; row < state.size; ++row) {
            mixed = (mixed ^ state.stones[0][row] ^ (std::uint64_t{state.stones[1][row]} << 32)) *
                    0x9E3779B97F4A7C15;
            mixed ^= mixed >> 29;
        }
        return mixed ^ (mixed >> 32);
    }

    // Throws std::invalid_argument if the text is not a diagram of a position.
    static State read(const std::string& text) {
        State state;
        std::string ko, mover = "black";
        std::vector<std::string> rows;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t colon = line.find(": ");
            if (colon == std::string::npos) {
                read_row(line, rows);
                continue;
            }
            const std::string heading = line.substr(0, colon), value = line.substr(colon + 2);
            if (heading == "to play") {
                mover = value;
            } else if (heading == "ko") {
                ko = value;
            } else if (heading == "komi") {
                state.komi = read_komi(value);
            } else {
                require(heading == "passes" && (value == "1" || value == "2"),
                        "headings are to play, ko, komi and passes");
                state.passes = value == "1" ? 1 : 2;
            }
        }
        require(mover == "black" || mover == "white", "black or white is to play");
        state.mover = mover == "black" ? 0 : 1;
        read_stones(rows, state);
        state.ko = ko.empty() ? NONE : read_ko(ko, state);
        return state;
    }

    static std::string write(const State& state) {
        std::string text;
        const auto heading = [&](const char* name, const std::string& value) {
            text.append(name).append(": ").append(value).append("\n");
        };
        heading("to play", state.mover == 0 ? "black" : "white");
        if (state.ko != NONE) {
            heading("ko", name(state, state.ko));
        }
        if (state.komi != State{}.komi) {
            heading("komi", write_komi(state.komi));
        }
        if (state.passes != 0) {
            heading("passes", std::to_string(state.passes));
        }
        const std::size_t margin = std::to_string(state.size).size();
        text.append(margin, ' ');
        for (int column = 0; column < state.size; ++column) {
            text.append(1, ' ').append(1, LETTERS[column]);
        }
        for (int row = state.size - 1; row >= 0; --row) {
            const std::string number = std::to_string(row + 1);
            text.append(1, '\n').append(margin - number.size(), ' ').append(number);
            for (int column = 0; column < state.size; ++column) {
                text += state.stones[0].has(row, column)   ? " X"
                        : state.stones[1].has(row, column) ? " O"
                                                           : " .";
            }
        }
        return text + "\n";
    }

    static std::string write_move(const State& state, Move move) {
        return move == PASS ? "pass" : name(state, move);
    }

    static constexpr const char* LETTERS = "abcdefghjklmnopqrst";  // of columns

private:

    static void require(bool condition, const char* what) {
        if (!condition) {
            throw std::invalid_argument(what);
        }
    }

    static std::string name(const State& state, Point point) {
        return std::string(1, LETTERS[point % state.size]).append(std::to_string(point / state.size + 1));
    }

    // A row without its numbers and spaces. A line of letters and an empty line are no rows.
    static void read_row(const std::string& line, std::vector<std::string>& rows) {
        std::string cells;
        for (const char each : line) {
            if (each != ' ' && (each < '0' || each > '9')) {
                cells += each;
            }
        }
        if (!cells.empty() && cells[0] != 'a') {
            require(cells.find_first_not_of("XO.") == std::string::npos,
                    "a row has X for black, O for white and . for empty");
            rows.push_back(cells);
        }
    }

    static std::int16_t read_komi(const std::string& text) {
        std::size_t end = 0;
        double komi = 0;
        try {
            komi = std::stod(text, &end);
        } catch (const std::logic_error&) {
            end = 0;
        }
        const double half = 2 * komi;
        require(end == text.size() && end > 0 && half >= -most_komi && half <= most_komi &&
                    half == static_cast<double>(static_cast<int>(half)),
                "komi is a number of half points, no more than the board has points");
        return static_cast<std::int16_t>(half);
    }

    static std::string write_komi(int komi) {
        const int half = komi < 0 ? -komi : komi;
        return std::string(komi < 0 ? "-" : "")
            .append(std::to_string(half / 2))
            .append(half % 2 == 0 ? "" : ".5");
    }

    static void read_stones(const std::vector<std::string>& rows, State& state) {
        require(!rows.empty() && rows.size() <= MOST_SIDE, "a board has 1 to 19 rows");
        state.size = static_cast<std::uint8_t>(rows.size());
        for (int row = 0; row < state.size; ++row) {
            const std::string& cells = rows[rows.size() - 1 - static_cast<std::size_t>(row)];
            require(cells.size() == rows.size(), "a board has as many columns as rows");
            for (int column = 0; column < state.size; ++column) {
                const char cell = cells[static_cast<std::size_t>(column)];
                if (cell != '.') {
                    state.stones[cell == 'X' ? 0 : 1].add(row, column);
                }
            }
        }
        for (const Rows& stones : state.stones) {
            for (Rows left = stones; !left.is_empty();) {
                const Rows block = left.one().joined(left);
                require(!liberties(state, block).is_empty(), "a block has no liberty");
                left -= block;
            }
        }
    }

    // A ko ban follows the capture of one stone by a single stone with one liberty.
    static Point read_ko(const std::string& text, const State& state) {
        Point ko = NONE;
        empty(state).each([&](int row, int column) {
            if (name(state, state.point(row, column)) == text) {
                ko = state.point(row, column);
            }
        });
        require(ko != NONE, "ko forbids an empty point");
        const Rows put = single(state, ko), around = put.beside() & board(state);
        int capturable = 0;
        (around & state.other()).each([&](int row, int column) {
            const Rows stone = single(state, state.point(row, column));
            capturable += (stone.beside() & state.other()).is_empty() && liberties(state, stone) == put;
        });
        const Rows taken = captured(state, put);
        require((around - state.other()).is_empty() && capturable == 1 && taken.size() == 1,
                "no capture can have led to that ko");
        return ko;
    }
};

static_assert(play::Game<Go>);

}  // namespace go
