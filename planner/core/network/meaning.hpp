// The rules of a game as a circuit, with the literals for legal moves, successors, ends and goal values.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "network/circuit.hpp"
#include "network/ground_rules.hpp"

namespace hornbook::planner::network {

// A role's moves are legal if `always` is true, and also, while `enabled` holds, if `then` is. Usually it is
// the turn of the role that enables its moves: so a change of turn does not touch the gates of every move.
struct Legal {
    std::vector<Literal> always;
    std::vector<Literal> then;
    Literal enabled = always_false;
};

// The next state: a fluent is true if `always` is true, and also if a row of a move that is made is. Moves on
// which most fluents depend have a row: so a change of move does not touch the gates of every fluent.
struct Next {
    struct Row {
        std::size_t role;
        std::size_t move;
        std::vector<Literal> then;  // for each fluent
    };
    std::vector<Literal> always;
    std::vector<Row> rows;
};

struct Meaning {
    explicit Meaning(std::function<void()> on_pause) : circuit(std::move(on_pause)) {}

    Circuit circuit;
    std::vector<Literal> fluents;
    std::vector<std::vector<Literal>> does;   // for each role and move
    std::vector<Legal> legal;                 // for each role
    Next next;
    Literal terminal = always_false;
    std::vector<std::vector<std::pair<int, Literal>>> goals;  // for each role: goal values, each with its literal
};

// `rules` must have been checked. `on_pause`: see Circuit.
Meaning meaning_of(const GroundRules& rules, std::function<void()> on_pause = [] {});

}  // namespace hornbook::planner::network
