// A game as rules without variables: the arrays described in planner/grounding/ground_program.py.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hornbook::planner::network {

using Atom = std::int32_t;

// Fluent `f` is atom `f`. Rules are sorted by their heads; a positive condition is smaller than the head or
// in its cycle, a negative one is smaller and in no cycle with it. An atom that is no input and has no rule
// is never true.
struct GroundRules {
    Atom atoms = 0;
    std::vector<Atom> initial;                 // fluents, ascending
    std::vector<Atom> next;                    // for each fluent
    std::vector<std::vector<Atom>> does;       // for each role and move
    std::vector<std::vector<Atom>> legal;      // for each role and move
    Atom terminal = 0;
    std::vector<std::vector<std::pair<int, Atom>>> goals;  // for each role: goal values, each with its atom
    std::vector<Atom> heads;
    std::vector<std::int32_t> positive_starts;
    std::vector<Atom> positive;
    std::vector<std::int32_t> negative_starts;
    std::vector<Atom> negative;
    std::vector<std::pair<Atom, Atom>> cycles;  // the first atom, and the one after the last

    // Throws std::invalid_argument if an invariant above is violated.
    void check() const;
};

}  // namespace hornbook::planner::network
