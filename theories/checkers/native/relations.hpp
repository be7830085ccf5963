// The relations of theories/checkers/parts/ on bits, for conditions of rules: the pieces on the board and the
// conclusions about them. For what a side cannot do, the theory has one rule per reason. Here it is the
// complement of what the side can do, which is equivalent.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "play/core/allocation/rules.hpp"
#include "theories/checkers/native/checkers.hpp"

namespace checkers {

struct Relations {
    using State = checkers::State;
    using Tuple = play::allocation::Tuple;

    static const std::vector<play::allocation::Sort>& sorts() {
        static const std::vector<play::allocation::Sort> all = [] {
            std::vector<std::string> squares;
            for (int square = 1; square <= SQUARES; ++square) {
                squares.push_back(std::string(1, 's').append(std::to_string(square)));
            }
            squares.emplace_back("none");
            return std::vector<play::allocation::Sort>{
                {2, {"black", "white"}},
                {squares.size(), squares},
                {2, {"man", "king"}},
                {4, {"south_west", "south_east", "north_east", "north_west"}},  // as WAYS
                {Checkers::most_pieces + 1, {}},
                {1, {"8x8"}}};
        }();
        return all;
    }

    static const std::vector<play::allocation::Relation>& relations() {
        static const std::vector<play::allocation::Relation> all = {
            {"player", {SIDE}, true},
            {"opponent", {SIDE, SIDE}, true},
            {"board", {THE_BOARD}, true},
            {"number", {NUMBER}, true},
            {"next", {SQUARE, WAY, SQUARE}, true},
            {"border", {SQUARE, WAY}, true},
            {"goes", {SIDE, RANK, WAY}, true},
            {"goes_not", {SIDE, RANK, WAY}, true},
            {"becomes", {SIDE, RANK, SQUARE, RANK}, true},
            {"piece", {SQUARE, SIDE, RANK}},
            {"holds", {SIDE, SQUARE}},
            {"stands", {SIDE, SQUARE}},
            {"empty", {SQUARE}},
            {"pieces", {SIDE, NUMBER}},
            {"to_move", {SIDE}},
            {"going", {SQUARE}},
            {"leap", {SIDE, SQUARE, SQUARE, SQUARE}},
            {"no_leap", {SIDE, SQUARE, WAY}},
            {"settled", {SIDE, SQUARE}},
            {"calm", {SIDE}},
            {"walk", {SIDE, SQUARE, SQUARE}},
            {"no_walk", {SIDE, SQUARE, WAY}},
            {"rooted", {SIDE, SQUARE}},
            {"mobile", {SIDE}},
            {"stuck", {SIDE}},
            {"sole", {SIDE, SQUARE}},
            {"may_step", {SIDE, SQUARE, SQUARE}},
            {"may_jump", {SIDE, SQUARE, SQUARE}},
            {"lost", {SIDE}},
            {"running", {SIDE}},
        };
        return all;
    }

    template <class Fact>
    static void fill_fixed(const Fact& fact) {
        for (int number = 0; number <= Checkers::most_pieces; ++number) {
            say(fact, IS_NUMBER, number);
        }
        say(fact, BOARD_IS, 0);
        for (int side = 0; side < 2; ++side) {
            say(fact, PLAYER, side);
            say(fact, OPPONENT, side, 1 - side);
            for (int way = 0; way < 4; ++way) {
                say(fact, GOES, side, KING, way);
                say(fact, (way < 2) == (side == 0) ? GOES : GOES_NOT, side, MAN, way);
            }
        }
        for (int square = 0; square < SQUARES; ++square) {
            for (int way = 0; way < 4; ++way) {
                const Bits beside = shifted(one(square), WAYS[static_cast<std::size_t>(way)]) & BOARD;
                if (beside != 0) {
                    say(fact, NEXT, square, way, at(beside));
                } else {
                    say(fact, BORDER, square, way);
                }
            }
            for (int side = 0; side < 2; ++side) {
                const bool crowned = (one(square) & (side == 0 ? BOTTOM : TOP)) != 0;
                say(fact, BECOMES, side, MAN, square, crowned ? KING : MAN);
                say(fact, BECOMES, side, KING, square, KING);
            }
        }
    }

    template <class Fact>
    static void fill(const State& state, const Fact& fact) {
        const int mover = state.white ? 1 : 0;
        say(fact, TO_MOVE, mover);
        say(fact, GOING, state.going == 0 ? SQUARES : at(state.going));
        for (Bits left = Checkers::empty(state); left != 0; left &= left - 1) {
            say(fact, EMPTY, at(left));
        }
        fill_side(state, mover, true, fact);
        fill_side({state.other, state.own, state.kings, 0, !state.white}, 1 - mover, false, fact);
    }

private:
    enum : std::size_t { SIDE, SQUARE, RANK, WAY, NUMBER, THE_BOARD };
    enum : std::size_t {  // in the order of `relations`
        PLAYER, OPPONENT, BOARD_IS, IS_NUMBER, NEXT, BORDER, GOES, GOES_NOT, BECOMES,
        PIECE, HOLDS, STANDS, EMPTY, PIECES, TO_MOVE, GOING,
        LEAP, NO_LEAP, SETTLED, CALM, WALK, NO_WALK, ROOTED, MOBILE, STUCK, SOLE,
        MAY_STEP, MAY_JUMP, LOST, RUNNING
    };
    static constexpr int MAN = 0, KING = 1;

    static int at(Bits bits) { return square_of(std::countr_zero(bits)); }

    template <class Fact, class... Values>
    static void say(const Fact& fact, std::size_t relation, Values... values) {
        fact(relation, Tuple{static_cast<std::uint8_t>(values)...});
    }

    // The facts about one side, as if it were to move; `moves` is true if it is.
    template <class Fact>
    static void fill_side(const State& state, int side, bool moves, const Fact& fact) {
        Bits leaping = 0, walking = 0;
        for (std::size_t way = 0; way < WAYS.size(); ++way) {
            leaping |= Checkers::jumpers(state, way);
            walking |= Checkers::walkers(state, way);
        }
        for (Bits left = state.own; left != 0; left &= left - 1) {
            const Bits here = lowest(left);
            const int square = at(here);
            say(fact, PIECE, square, side, (state.kings & here) != 0 ? KING : MAN);
            say(fact, HOLDS, side, square);
            say(fact, STANDS, side, square);
            for (std::size_t way = 0; way < WAYS.size(); ++way) {
                const Bits beside = shifted(here, WAYS[way]);
                if ((Checkers::jumpers(state, way) & here) == 0) {
                    say(fact, NO_LEAP, side, square, way);
                } else {
                    const int to = at(shifted(beside, WAYS[way]));
                    say(fact, LEAP, side, square, at(beside), to);
                    if (moves && (state.going == 0 || state.going == here)) {
                        say(fact, MAY_JUMP, side, square, to);
                    }
                }
                if ((Checkers::walkers(state, way) & here) == 0) {
                    say(fact, NO_WALK, side, square, way);
                } else {
                    say(fact, WALK, side, square, at(beside));
                    if (moves && state.going == 0 && leaping == 0) {
                        say(fact, MAY_STEP, side, square, at(beside));
                    }
                }
            }
            if ((leaping & here) == 0) {
                say(fact, SETTLED, side, square);
            }
            if ((walking & here) == 0) {
                say(fact, ROOTED, side, square);
            }
        }
        say(fact, PIECES, side, count(state.own));
        if (leaping == 0) {
            say(fact, CALM, side);
        } else if (count(leaping) == 1) {
            say(fact, SOLE, side, at(leaping));
        }
        const bool is_mobile = (leaping | walking) != 0;
        say(fact, is_mobile ? MOBILE : STUCK, side);
        if (moves) {
            say(fact, is_mobile ? RUNNING : LOST, side);
        }
    }
};

static_assert(play::allocation::Related<Relations>);

}  // namespace checkers
