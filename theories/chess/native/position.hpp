// A position of chess as bits, attacks on its squares, and the effect of moves. Shares no code with the
// theory or with theories/chess/states/. Moves are not counted, and the history is not recorded.
#pragma once

#include "theories/chess/native/rays.hpp"

namespace chess {

enum Kind : std::uint8_t { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KINDS };

// Castling is the king's move. `promotion` is PAWN if there is none.
struct Move {
    Square from;
    Square to;
    Kind promotion;

    bool operator==(const Move&) const = default;
};

struct State {
    std::array<Bits, KINDS> kinds{};  // men of a kind, of both sides
    std::array<Bits, 2> sides{};      // men of white and of black
    std::uint8_t rights = 0;          // to castle: white to the king's side, to the queen's side, and black
    Square passed = NONE;             // the square that a pawn has just passed over
    std::uint8_t mover = 0;           // 0 is white

    bool operator==(const State&) const = default;

    Bits men() const { return sides[0] | sides[1]; }
    Bits men(int side, Kind kind) const { return sides[at(side)] & kinds[kind]; }
    int king(int side) const { return lowest(men(side, KING)); }
    Kind kind_on(int square) const {
        for (std::uint8_t kind = PAWN; kind < KINDS; ++kind) {
            if ((kinds[kind] & bit(square)) != 0) {
                return static_cast<Kind>(kind);
            }
        }
        return KINDS;
    }
};

// A castling right: the home squares of king and rook, and their targets.
struct Castling {
    Square king, rook, king_to, rook_to;
    char letter;
};
constexpr std::array<Castling, 4> CASTLINGS = {
    {{4, 7, 6, 5, 'K'}, {4, 0, 2, 3, 'Q'}, {60, 63, 62, 61, 'k'}, {60, 56, 58, 59, 'q'}}};

// The men `by` that attack a square if `men` are on the board.
inline Bits attackers(const State& state, int square, int side, Bits by, Bits men) {
    const Bits lines = state.kinds[ROOK] | state.kinds[QUEEN],
               slants = state.kinds[BISHOP] | state.kinds[QUEEN];
    Bits found = (STRIKES[at(1 - side)][at(square)] & state.kinds[PAWN]) |
                 (HOPS_FROM[at(square)] & state.kinds[KNIGHT]) | (STEPS_FROM[at(square)] & state.kinds[KING]);
    if ((lines & by) != 0) {
        found |= straight(square, men) & lines;
    }
    if ((slants & by) != 0) {
        found |= aslant(square, men) & slants;
    }
    return found & by;
}

inline bool is_attacked(const State& state, int square, int side) {
    return attackers(state, square, side, state.sides[at(side)], state.men()) != 0;
}

inline bool in_check(const State& state, int side) { return is_attacked(state, state.king(side), 1 - side); }

// The square of the pawn that was passed over, behind `passed` for the player to move.
inline int passing_pawn(const State& state) { return state.passed + (state.mover == 0 ? -8 : 8); }

inline bool takes_in_passing(const State& state, Move move) {
    return move.to == state.passed && (state.kinds[PAWN] & bit(move.from)) != 0;
}

// Whether a pseudo-legal move leaves the own king unattacked.
inline bool is_safe(const State& state, Move move) {
    const int own = state.mover, other = 1 - own;
    Bits by = state.sides[at(other)] & ~bit(move.to), men = (state.men() & ~bit(move.from)) | bit(move.to);
    if (takes_in_passing(state, move)) {
        by &= ~bit(passing_pawn(state));
        men &= ~bit(passing_pawn(state));
    }
    const int king = state.king(own);
    return attackers(state, king == move.from ? move.to : king, other, by, men) == 0;
}

inline void lift(State& state, int square) {
    for (Bits& each : state.kinds) {
        each &= ~bit(square);
    }
    for (Bits& each : state.sides) {
        each &= ~bit(square);
    }
}

inline void put(State& state, int square, int side, Kind kind) {
    state.kinds[kind] |= bit(square);
    state.sides[at(side)] |= bit(square);
}

inline State played(State state, Move move) {
    const int own = state.mover;
    const Kind kind = state.kind_on(move.from);
    if (takes_in_passing(state, move)) {
        lift(state, passing_pawn(state));
    }
    lift(state, move.from);
    lift(state, move.to);
    put(state, move.to, own, move.promotion == PAWN ? kind : move.promotion);
    state.passed = NONE;
    if (kind == PAWN && (move.to == move.from + 16 || move.from == move.to + 16)) {
        state.passed = static_cast<Square>((move.from + move.to) / 2);
    }
    for (std::size_t right = 0; state.rights != 0 && right < CASTLINGS.size(); ++right) {
        const Castling& castling = CASTLINGS[right];
        const bool is_kept = (state.rights >> right) % 2 == 1;
        if (is_kept && kind == KING && move.from == castling.king && move.to == castling.king_to) {
            lift(state, castling.rook);
            put(state, castling.rook_to, own, ROOK);
        }
        const Bits touched = bit(move.from) | bit(move.to);
        if ((touched & (bit(castling.king) | bit(castling.rook))) != 0) {
            state.rights &= static_cast<std::uint8_t>(~(1U << right));
        }
    }
    state.mover = static_cast<std::uint8_t>(1 - own);
    return state;
}

}  // namespace chess
