// English checkers on bits; a capture of several pieces is one move. Shares no code with the theory or with
// theories/checkers/states/.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "play/core/game.hpp"
#include "theories/checkers/native/board.hpp"
#include "theories/checkers/native/weights.hpp"

namespace checkers {

struct State {
    Bits own = 0;  // the pieces of the player to move
    Bits other = 0;  // the pieces of the opponent
    Bits kings = 0;  // the kings of both sides
    Bits going = 0;  // the piece that has jumped and must go on, if the position is within a capture
    bool white = false;  // whether white is to move

    bool operator==(const State&) const = default;
};

// A capture stores the direction of each jump, so that each path is a distinct move. Nothing is initialised,
// because move lists are large.
struct Move {
    Bits from, to;
    Bits captured;
    std::uint32_t ways;  // the place in WAYS of each jump, two bits each, the first lowest

    bool operator==(const Move&) const = default;
};

struct Checkers {
    using State = checkers::State;
    using Move = checkers::Move;

    // A side has at most 12 pieces, and each has at most 16 ways to capture. A king reaches 16 in the middle
    // of a board where it can jump 9 pieces and all other squares are empty. With fewer pieces to jump or
    // more obstacles, each capture is a prefix of one of these, and no two captures are prefixes of the same
    // one.
    static constexpr int most_pieces = 12;
    static constexpr std::size_t most_moves = 16 * most_pieces;
    static constexpr int players = 2;
    static constexpr int evaluation_unit = 1000;
    static constexpr int least = -1000;
    static constexpr int greatest = 1000;
    static constexpr int surest = 950;  // while play goes on

    static constexpr Bits MIDDLE =
        one(13) | one(14) | one(17) | one(18) | one(9) | one(10) | one(21) | one(22);

    static Bits empty(const State& state) { return BOARD & ~(state.own | state.other); }

    // The own pieces that move in this direction: the men of one colour, and kings.
    static Bits movable(const State& state, std::size_t way) {
        return (way < 2) == state.white ? state.own & state.kings : state.own;
    }

    static Bits walkers(const State& state, std::size_t way) {
        return movable(state, way) & shifted(empty(state), -WAYS[way]);
    }
    static Bits jumpers(const State& state, std::size_t way) {
        return movable(state, way) & shifted(state.other & shifted(empty(state), -WAYS[way]), -WAYS[way]);
    }
    static Bits all_jumpers(const State& state) {
        return jumpers(state, 0) | jumpers(state, 1) | jumpers(state, 2) | jumpers(state, 3);
    }

    static void moves(const State& state, play::Moves<Checkers>& found) {
        Bits left = all_jumpers(state);
        if (left != 0) {
            for (left = state.going != 0 ? state.going : left; left != 0; left &= left - 1) {
                const Bits from = lowest(left);
                captures(state, from, {from, from, 0, 0}, found);
            }
            return;
        }
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            for (Bits walking = walkers(state, way); walking != 0; walking &= walking - 1) {
                const Bits from = lowest(walking);
                found.add({from, shifted(from, WAYS[way]), 0, 0});
            }
        }
    }

    static std::size_t count_moves(const State& state) {
        if (all_jumpers(state) != 0) {
            play::Moves<Checkers> found;
            moves(state, found);
            return found.size();
        }
        return walks(state);
    }

    static State after(const State& state, const Move& move) {
        const bool is_king = (state.kings & move.from) != 0;
        const Bits own = (state.own & ~move.from) | move.to;
        const Bits crowned = is_king ? move.to : move.to & (state.white ? TOP : BOTTOM);
        const Bits kings = (state.kings & ~(move.captured | move.from)) | crowned;
        return {state.other & ~move.captured, own, kings, 0, !state.white};
    }

    static int to_move(const State& state) { return state.white ? 1 : 0; }
    static bool is_over(const State& state) { return all_jumpers(state) == 0 && walks(state) == 0; }

    // A player who cannot move has lost: 1 if black has won, else -1.
    static int outcome(const State& state) { return state.white ? 1 : -1; }

    static std::uint64_t hash(const State& state) {
        std::uint64_t mixed =
            state.own * 0x9E3779B97F4A7C15 ^ std::rotl(state.other * 0xC2B2AE3D27D4EB4F, 31);
        mixed ^= std::rotl(state.kings * 0x165667B19E3779F9, 17) ^ (state.going * 0xFF51AFD7ED558CCD);
        mixed ^= state.white ? 0x27D4EB2F165667C5 : 0;
        mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93;
        return mixed ^ (mixed >> 29);
    }

    // Each feature is the value of the player to move minus that of the opponent.
    static constexpr std::array<const char*, 7> feature_names = {
        "men", "kings", "steps", "jumps", "rows gone", "guards of the first row", "middle"};

    static std::array<int, 7> features(const State& state) {
        const State turned = {state.other, state.own, state.kings, 0, !state.white};
        const Bits men = ~state.kings, first = state.white ? BOTTOM : TOP, last = state.white ? TOP : BOTTOM;
        const auto less = [&](Bits mask) { return count(state.own & mask) - count(state.other & mask); };
        return {less(men),
                less(state.kings),
                static_cast<int>(walks(state)) - static_cast<int>(walks(turned)),
                count(all_jumpers(state)) - count(all_jumpers(turned)),
                rows_advanced(state.own & men, state.white) - rows_advanced(state.other & men, !state.white),
                count(state.own & men & first) - count(state.other & men & last),
                less(MIDDLE)};
    }

    // The expected score of the player to move, from -1 to 1, in thousandths: the weighted sum of the
    // features by weights.hpp.
    static int evaluation(const State& state) {
        if (is_over(state)) {
            return least;
        }
        const auto found = features(state);
        const auto& weights = WEIGHTS[phase(state)];
        int sum = weights[found.size()];
        for (std::size_t number = 0; number < found.size(); ++number) {
            sum += weights[number] * found[number];
        }
        return sum < -surest ? -surest : sum > surest ? surest : sum;
    }

    // The phase of a game by the number of remaining pieces: the row of weights.
    static std::size_t phase(const State& state) {
        return static_cast<std::size_t>((2 * most_pieces - count(state.own | state.other)) / 6);
    }

    // Reads the player to move, the squares of white and of black as in `B:W21,K22:B1,2`, and `:J1` within a
    // capture.
    static State read(const std::string& text) {
        std::string_view left = text;
        const bool is_white = took(left, "W");
        if (!is_white && !took(left, "B")) {
            refuse();
        }
        State state;
        state.white = is_white;
        if (!took(left, ":W")) {
            refuse();
        }
        const Bits white = pieces(left, state.kings, TOP);
        if (!took(left, ":B")) {
            refuse();
        }
        const Bits black = pieces(left, state.kings, BOTTOM);
        state.own = is_white ? white : black;
        state.other = is_white ? black : white;
        if (took(left, ":J")) {
            state.going = one(number(left));
        }
        if (!left.empty() || (white & black) != 0 || count(white) > most_pieces ||
            count(black) > most_pieces || (state.going & ~all_jumpers(state)) != 0) {
            refuse();
        }
        return state;
    }

    static std::string write(const State& state) {
        const Bits white = state.white ? state.own : state.other,
                   black = state.white ? state.other : state.own;
        std::string text = state.white ? "W" : "B";
        text += ":W" + listed(white, state.kings) + ":B" + listed(black, state.kings);
        return state.going == 0 ? text : text + ":J" + named(state.going);
    }

    static std::string write_move(const State&, const Move& move) {
        if (move.captured == 0) {
            return named(move.from) + "-" + named(move.to);
        }
        std::string text = named(move.from);
        Bits at = move.from;
        for (int jump = 0; jump < count(move.captured); ++jump) {
            at = shifted(at, 2 * WAYS[(move.ways >> (2 * jump)) & 3]);
            text += 'x';
            text += named(at);
        }
        return text;
    }

private:
    // The captures of one piece that extend `made`. No piece is jumped twice, and the start square counts as
    // empty.
    static void captures(const State& state, Bits from, const Move& made, play::Moves<Checkers>& found) {
        const Bits other = state.other & ~made.captured;
        const Bits free = BOARD & ~((state.own & ~from) | state.other);
        const bool is_king = (state.kings & from) != 0;
        const int jumps = count(made.captured);
        bool goes_on = false;
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            if (!is_king && (way < 2) == state.white) {
                continue;
            }
            const Bits over = shifted(made.to, WAYS[way]) & other;
            const Bits to = shifted(over, WAYS[way]) & free;
            if (to == 0) {
                continue;
            }
            goes_on = true;
            const auto way_bits = static_cast<std::uint32_t>(way) << (2 * jumps);
            const Move longer = {from, to, made.captured | over, made.ways | way_bits};
            if (!is_king && (to & (TOP | BOTTOM)) != 0) {
                found.add(longer);  // it becomes a king, which ends the move
            } else {
                captures(state, from, longer, found);
            }
        }
        if (!goes_on) {
            found.add(made);
        }
    }

    static std::size_t walks(const State& state) {
        int sum = 0;
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            sum += count(walkers(state, way));
        }
        return static_cast<std::size_t>(sum);
    }

    // The sum of the rows that men have advanced from their side's first row.
    static int rows_advanced(Bits men, bool white) {
        int sum = 0;
        for (; men != 0; men &= men - 1) {
            const int row = square_of(std::countr_zero(men)) / 4;
            sum += white ? 7 - row : row;
        }
        return sum;
    }

    static bool took(std::string_view& left, std::string_view word) {
        const bool begins = left.starts_with(word);
        if (begins) {
            left.remove_prefix(word.size());
        }
        return begins;
    }

    static int number(std::string_view& left) {
        int square = 0;
        const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), square);
        if (error != std::errc{} || square < 1 || square > SQUARES) {
            refuse();
        }
        left.remove_prefix(static_cast<std::size_t>(end - left.data()));
        return square - 1;
    }

    static Bits pieces(std::string_view& left, Bits& kings, Bits last) {
        Bits found = 0;
        if (left.empty() || left.front() == ':') {
            return found;
        }
        do {
            const bool is_king = took(left, "K");
            const Bits here = one(number(left));
            if ((found & here) != 0 || (!is_king && (here & last) != 0)) {
                refuse();
            }
            found |= here;
            kings |= is_king ? here : 0;
        } while (took(left, ","));
        return found;
    }

    static std::string named(Bits bit) { return std::to_string(square_of(std::countr_zero(bit)) + 1); }

    static std::string listed(Bits bits, Bits kings) {
        std::string text;
        for (; bits != 0; bits &= bits - 1) {
            const Bits here = lowest(bits);
            text += text.empty() ? "" : ",";
            text += (kings & here) != 0 ? "K" : "";
            text += named(here);
        }
        return text;
    }

    [[noreturn]] static void refuse() {
        throw std::invalid_argument(
            "no position of checkers: such as B:W21,K22:B1,2 with at most 12 pieces a side");
    }
};

static_assert(play::Game<Checkers> && play::Counting<Checkers> && play::Featured<Checkers>);

}  // namespace checkers
