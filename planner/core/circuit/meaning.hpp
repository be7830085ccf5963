// The rules of a game as a circuit, with the literals for legal moves, successors, ends and goal values.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "circuit/circuit.hpp"
#include "circuit/ground_rules.hpp"

namespace hornbook::planner::network {

struct Meaning {
    explicit Meaning(std::function<void()> on_pause) : circuit(std::move(on_pause)) {}

    Circuit circuit;
    std::vector<Literal> fluents;
    std::vector<std::vector<Literal>> does;   // for each role and move
    std::vector<std::vector<Literal>> legal;  // for each role and move
    std::vector<Literal> next;                // for each fluent
    Literal terminal = always_false;
    std::vector<std::vector<std::pair<int, Literal>>> goals;  // for each role: goal values, each with its literal
};

// `rules` must have been checked. `on_pause`: see Circuit.
Meaning meaning_of(const GroundRules& rules, std::function<void()> on_pause = [] {});

}  // namespace hornbook::planner::network
