// Chess as a game for the searches of play/core/. A text is FEN; the counts of plies and moves are optional,
// not stored, and written as `0 1`. Draws by repetition and by the fifty-move rule are therefore up to the
// owner of a game; no state records them.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#include "play/core/game.hpp"
#include "theories/chess/native/evaluation.hpp"

namespace chess {

struct Chess {
    using State = chess::State;
    using Move = chess::Move;

    static constexpr std::size_t most_moves = 448;  // fifteen queens with 27 moves each, and a king
    static constexpr int players = 2;
    static constexpr int evaluation_unit = 20000;  // a mate is worth 200 pawns
    static constexpr int least = -evaluation_unit;
    static constexpr int greatest = evaluation_unit;

    static void moves(const State& state, play::Moves<Chess>& found) {
        const auto add = [&](Move move) { found.add(move); };
        captures(state, add);
        quiet_moves(state, add);
    }

    static State after(const State& state, Move move) { return played(state, move); }
    static int to_move(const State& state) { return state.mover; }
    static bool is_over(const State& state) { return !has_move(state); }

    // 1 if white has mated, -1 if black has, 0 for stalemate.
    static int outcome(const State& state) {
        return !in_check(state, state.mover) ? 0 : state.mover == 0 ? -1 : 1;
    }

    static int evaluation(const State& state) {
        if (is_over(state)) {
            return in_check(state, state.mover) ? least : 0;
        }
        return quiet_value(state, -MOST, MOST);
    }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed = state.passed + 64U * state.rights + 1024U * state.mover;
        const auto mix = [&](Bits bits) {
            mixed = (mixed ^ bits) * 0x9E3779B97F4A7C15;
            mixed ^= mixed >> 29;
        };
        for (std::size_t kind = PAWN; kind < KINDS; ++kind) {
            mix(state.kinds[kind]);
        }
        mix(state.sides[0]);
        return mixed ^ (mixed >> 32);
    }

    // Rejects texts that are no position of chess. Throws std::invalid_argument.
    static State read(const std::string& text) {
        std::istringstream fields(text);
        std::string men, mover, rights, passed, count, more;
        fields >> men >> mover >> rights >> passed;
        require(!passed.empty(), "no position of chess: FEN has four to six fields");
        for (int number = 0; fields >> count; ++number) {
            require(
                number < 2 && count.size() < 6 && count.find_first_not_of("0123456789") == std::string::npos,
                "no position of chess: FEN ends with the counts of plies and moves");
        }
        State state;
        read_men(men, state);
        require(mover == "w" || mover == "b", "w or b is to move");
        state.mover = mover == "w" ? 0 : 1;
        read_rights(rights, state);
        read_passed(passed, state);
        require(!in_check(state, 1 - state.mover), "who has just moved stands in check");
        return state;
    }

    static std::string write(const State& state) {
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            int empty = 0;
            for (int file = 0; file < 8; ++file) {
                const int square = 8 * rank + file;
                const Kind kind = state.kind_on(square);
                if (kind == KINDS) {
                    ++empty;
                    continue;
                }
                text.append(empty == 0 ? "" : std::to_string(empty)).append(1, letter(state, square, kind));
                empty = 0;
            }
            text.append(empty == 0 ? "" : std::to_string(empty)).append(rank == 0 ? " " : "/");
        }
        text += state.mover == 0 ? "w " : "b ";
        for (std::size_t right = 0; right < CASTLINGS.size(); ++right) {
            if ((state.rights >> right) % 2 == 1) {
                text += CASTLINGS[right].letter;
            }
        }
        text += state.rights == 0 ? "- " : " ";
        return text.append(state.passed == NONE ? "-" : name(state.passed)).append(" 0 1");
    }

    static std::string write_move(const State&, Move move) {
        std::string text = name(move.from).append(name(move.to));
        if (move.promotion != PAWN) {
            text += LETTERS[move.promotion];
        }
        return text;
    }

private:
    static constexpr const char* LETTERS = "pnbrqk";

    static void require(bool condition, const char* what) {
        if (!condition) {
            throw std::invalid_argument(what);
        }
    }

    static std::string name(int square) {
        return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
    }

    static char letter(const State& state, int square, Kind kind) {
        const char small = LETTERS[kind];
        const bool is_white = (state.sides[0] & bit(square)) != 0;
        return is_white ? static_cast<char>(small - 'a' + 'A') : small;
    }

    static void read_men(const std::string& men, State& state) {
        int rank = 7, file = 0;
        for (const char each : men) {
            const char small = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
            const std::size_t kind = std::string(LETTERS).find(small);
            if (each == '/') {
                require(file == 8 && rank > 0, "there are eight ranks of eight squares");
                --rank;
                file = 0;
            } else if (each >= '1' && each <= '8') {
                file += each - '0';
            } else {
                require(kind != std::string::npos && file < 8,
                        "a rank has letters KQRBNPkqrbnp, digits, and eight squares");
                put(state, 8 * rank + file++, each == small ? 1 : 0, static_cast<Kind>(kind));
            }
            require(file <= 8, "a rank has eight squares");
        }
        require(rank == 0 && file == 8, "there are eight ranks of eight squares");
        require((state.kinds[PAWN] & (RANK_1 | RANK_8)) == 0, "no pawn stands on a first or last rank");
        for (int side = 0; side < 2; ++side) {
            require(std::popcount(state.men(side, KING)) == 1, "each side has one king");
            require(std::popcount(state.sides[at(side)]) <= 16, "a side has sixteen men at most");
        }
    }

    static void read_rights(const std::string& rights, State& state) {
        for (const char each : rights == "-" ? std::string() : rights) {
            const std::size_t right = std::string("KQkq").find(each);
            require(right != std::string::npos, "the rights to castle are some of KQkq, or -");
            const Castling& castling = CASTLINGS[right];
            const int side = right < 2 ? 0 : 1;
            const bool is_home = (state.men(side, KING) & bit(castling.king)) != 0 &&
                                 (state.men(side, ROOK) & bit(castling.rook)) != 0;
            require(is_home && (state.rights >> right) % 2 == 0,
                    "a right to castle needs king and rook at home");
            state.rights |= static_cast<std::uint8_t>(1U << right);
        }
    }

    static void read_passed(const std::string& passed, State& state) {
        if (passed == "-") {
            return;
        }
        require(passed.size() == 2 && passed[0] >= 'a' && passed[0] <= 'h' &&
                    passed[1] == (state.mover == 0 ? '6' : '3'),
                "the square passed over is on the sixth or third rank, or -");
        state.passed = static_cast<Square>(passed[0] - 'a' + 8 * (passed[1] - '1'));
        const int home = state.passed + (state.mover == 0 ? 8 : -8);
        require((state.men(1 - state.mover, PAWN) & bit(passing_pawn(state))) != 0 &&
                    (state.men() & (bit(state.passed) | bit(home))) == 0,
                "no pawn can just have passed over that square");
    }
};

static_assert(play::Game<Chess>);

}  // namespace chess
