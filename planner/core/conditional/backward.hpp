// Backward induction on a graph: what is guaranteed in each state as far as the graph is known, and the smallest strategy.
#pragma once

#include <vector>

#include "conditional/graph.hpp"
#include "conditional/predecessors.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

// The most that the role can force from each state, where each waiting state counts as `unknown`: with no_end that is
// guaranteed, with the most that any end is worth nothing more can be, whatever the states are that nobody has looked at. A
// play that never ends counts as no_end. Throws what the watch throws.
std::vector<Worth> settle(const Graph& graph, const Predecessors& before, Worth unknown, Watch& watch);

// A node of a strategy.
struct Step {
    Index state;
    int value;
    int rank;
    Move move;  // -1 where the game is over
    std::vector<std::vector<Move>> replies;
    std::vector<std::uint32_t> to;
};

// The strategy from state 0 that guarantees `least` and has the fewest nodes, counted as a tree; states that arise in several
// ways are one node. None where `guaranteed`, from settle, does not have it. Among the states that were expanded alone. Throws
// what the watch throws.
std::vector<Step> smallest_strategy(Graph& graph, const std::vector<Worth>& guaranteed, Worth least, Watch& watch);

// A node of a refutation: for each move of the role the others' reply to it, and where that leads.
struct Refuted {
    Index state;
    std::vector<Move> moves;  // none where the game is over, or nobody can go on
    std::vector<std::vector<Move>> replies;
    std::vector<std::uint32_t> to;
};

// The others' replies that keep the role from state 0 to `most` at most, or to a play that never ends. Where they can force an
// end, they do it with the fewest nodes, counted as a tree; else they go on among the states in which no more than `most` is
// possible. None where `possible`, from settle with the most that any end is worth, does not have it. Throws what the watch
// throws.
std::vector<Refuted> smallest_refutation(Graph& graph, const std::vector<Worth>& possible, Worth most, Watch& watch);

}  // namespace hornbook::planner
