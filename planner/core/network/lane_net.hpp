// A circuit laid out for many states at once.
//
// Each node has a row of bits, with one bit (a lane) for each state: so one instruction evaluates a gate in 64
// states. Nothing is skipped, so this is for many different states, and the network of net.hpp for one at a time.
// Gates are ordered by their levels. Gates of a level with the same numbers of literals have consecutive rows, so
// that their evaluation has no branches.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "circuit/meaning.hpp"

namespace hornbook::planner::network {

// Row 0 is always true; fluents have the rows from 1 on, and then the moves of each role.
struct LaneNet {
    // Gates with consecutive rows: for each gate, `operands` has the rows of the literals that are not negated, and
    // then of those that are.
    struct Gates {
        std::uint32_t first = 0;
        std::uint32_t many = 0;
        std::uint32_t positive = 0;
        std::uint32_t negated = 0;
        std::size_t operands = 0;
    };
    // Gates, or the number of a cycle.
    struct Step {
        Gates gates;
        std::int32_t cycle = -1;
    };

    std::vector<std::uint32_t> operands;
    std::vector<Cycle> cycles;  // with rows instead of nodes
    std::vector<Step> look;     // for terminal and legal
    std::vector<Step> next;     // for next, besides those
    std::vector<Step> goal;     // for goal, besides both
    std::uint32_t rows = 0;

    // Answers are literals of rows instead of nodes.
    std::vector<std::uint32_t> moves;  // of each role
    std::vector<std::uint32_t> does;   // the row of each role's first move
    std::vector<Literal> next_state;   // for each fluent
    std::vector<std::vector<Literal>> legal;
    Literal terminal = always_false;
    std::vector<std::vector<std::pair<int, Literal>>> goals;
};

LaneNet lane_net_of(const Meaning& meaning);

}  // namespace hornbook::planner::network
