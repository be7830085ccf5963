// The legal moves of a position of chess: captures first, greater men first, so that a
// search finds them early.
#pragma once

#include "theories/chess/native/position.hpp"

namespace chess {

constexpr Bits RANK_1 = 0xFF, RANK_8 = RANK_1 << 56;
constexpr std::array<Kind, 4> PROMOTIONS = {QUEEN, ROOK, BISHOP, KNIGHT};

// The squares to which a man of the player to move goes or captures, except castling, even if its
// king is then in check.
inline Bits targets(const State& state, int from, Kind kind) {
    const int own = state.mover;
    const Bits men = state.men(), others = state.sides[at(1 - own)] & ~state.kinds[KING];
    const Bits open = ~men | others;
    switch (kind) {
        case KNIGHT: return HOPS_FROM[at(from)] & open;
        case BISHOP: return aslant(from, men) & open;
        case ROOK: return straight(from, men) & open;
        case QUEEN: return (straight(from, men) | aslant(from, men)) & open;
        case KING: return STEPS_FROM[at(from)] & open;
        default: break;
    }
    const Bits ahead = own == 0 ? bit(from) << 8 : bit(from) >> 8;
    Bits found = ahead & ~men;
    if (found != 0 && from / 8 == (own == 0 ? 1 : 6)) {
        found |= (own == 0 ? found << 8 : found >> 8) & ~men;
    }
    const Bits passed = state.passed == NONE ? 0 : bit(state.passed);
    return found | (STRIKES[at(own)][at(from)] & (others | passed));
}

// Visits the legal moves from each square to the squares `to`, until `visit` returns true.
template <class Visit>
bool moves_to(const State& state, Bits to, Visit&& visit) {
    for (std::uint8_t kind = PAWN; kind < KINDS; ++kind) {
        for (Bits men = state.men(state.mover, static_cast<Kind>(kind)); men != 0; men &= men - 1) {
            const int from = lowest(men);
            for (Bits left = targets(state, from, static_cast<Kind>(kind)) & to; left != 0;
                 left &= left - 1) {
                Move move{static_cast<Square>(from), static_cast<Square>(lowest(left)), PAWN};
                if (!is_safe(state, move)) {
                    continue;
                }
                if (kind != PAWN || (bit(move.to) & (RANK_1 | RANK_8)) == 0) {
                    if (visit(move)) {
                        return true;
                    }
                    continue;
                }
                for (const Kind promotion : PROMOTIONS) {
                    move.promotion = promotion;
                    if (visit(move)) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

template <class Visit>
void castlings(const State& state, Visit&& visit) {
    const int own = state.mover;
    for (std::size_t right = static_cast<std::size_t>(2 * own); right < static_cast<std::size_t>(2 * own + 2);
         ++right) {
        const Castling& castling = CASTLINGS[right];
        if ((state.rights >> right) % 2 == 0) {
            continue;
        }
        const int low = castling.king < castling.rook ? castling.king : castling.rook;
        const int high = castling.king < castling.rook ? castling.rook : castling.king;
        const Bits between = (bit(high) - 1) & ~((bit(low) << 1) - 1);
        if ((state.men() & between) == 0 && !is_attacked(state, castling.king, 1 - own) &&
            !is_attacked(state, castling.rook_to, 1 - own) &&
            !is_attacked(state, castling.king_to, 1 - own)) {
            visit(Move{castling.king, castling.king_to, PAWN});
        }
    }
}

// Captures, also in passing, of greater men first.
template <class Visit>
void captures(const State& state, Visit&& visit) {
    const auto each = [&](Move move) {
        visit(move);
        return false;
    };
    for (std::uint8_t kind = QUEEN; kind > PAWN; --kind) {
        moves_to(state, state.men(1 - state.mover, static_cast<Kind>(kind)), each);
    }
    moves_to(state, state.men(1 - state.mover, PAWN), each);
    if (state.passed != NONE) {
        moves_to(state, bit(state.passed), [&](Move move) {
            if (takes_in_passing(state, move)) {
                visit(move);
            }
            return false;
        });
    }
}

template <class Visit>
void quiet_moves(const State& state, Visit&& visit) {
    castlings(state, visit);
    moves_to(state, ~state.men(), [&](Move move) {
        if (!takes_in_passing(state, move)) {
            visit(move);
        }
        return false;
    });
}

// If castling is legal, the king can also step next to its square.
inline bool has_move(const State& state) {
    return moves_to(state, ~Bits{0}, [](Move) { return true; });
}

}  // namespace chess
