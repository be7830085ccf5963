// The answers of a game, factored for change propagation.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/meaning.hpp"

namespace hornbook::planner::network {

// A role's moves are legal if `always` is true, and also, while `enabled` holds, if `then` is. Usually it is
// the turn of the role that enables its moves: so a change of turn does not touch the gates of every move.
struct Legal {
    std::vector<Literal> always;
    std::vector<Literal> then;
    Literal enabled = always_false;
};

// A fluent's condition after a certain move.
struct Effect {
    std::uint32_t fluent = 0;
    Literal then = always_false;
};

// The part of the next state that depends on the move of one role: after a move, a fluent is true if its effect is
// or, if the move has none on the fluent, if `otherwise` is.
struct NextOfRole {
    std::vector<Literal> otherwise;            // for each fluent
    std::vector<std::vector<Effect>> effects;  // for each move, with ascending fluents
};

// The next state: a fluent is true if `always` is true, or the part of any role. Only `always` may depend on moves.
// Most moves have effects on few fluents. So a change of move touches no gate.
struct Next {
    std::vector<Literal> always;
    std::vector<NextOfRole> roles;
};

struct Factors {
    std::vector<Legal> legal;  // for each role
    Next next;
};

// New gates are added to the circuit.
Factors factors_of(Meaning& meaning);

}  // namespace hornbook::planner::network
