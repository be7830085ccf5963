// Backward induction on a graph: the guaranteed value of each state in the known part of the graph, and the
// smallest strategy.
#pragma once

#include <vector>

#include "conditional/graph.hpp"
#include "conditional/predecessors.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

// The greatest value that the role can force from each state, if each waiting state has the value `unknown`. If
// `unknown` is no_end, the role can force at least the result. If it is the greatest value of any terminal state,
// the role can force at most the result. A play that never ends has the value no_end. Throws the exceptions of
// the watch.
std::vector<Worth> settle(const Graph& graph, const Predecessors& before, Worth unknown, Watch& watch);

// A node of a strategy.
struct Step {
    Index state;
    int value;  // the smallest value of an end that the strategy allows from here
    int rank;   // the greatest number of moves until the end
    Move move;  // the role's move, -1 if the game is over
    std::vector<std::vector<Move>> replies;  // the joint replies of the others
    std::vector<std::uint32_t> to;           // the node after each reply
};

// The strategy from state 0 that guarantees `least` and has the fewest nodes, counted as a tree; a state that
// arises in several ways is one node. None if `guaranteed`, from settle, is below `least`. Only expanded
// states are used. Throws the exceptions of the watch.
std::vector<Step> smallest_strategy(Graph& graph, const std::vector<Worth>& guaranteed, Worth least, Watch& watch);

// A node of a refutation: for each move of the role the others' joint reply to it, and the node after it.
struct Refuted {
    Index state;
    std::vector<Move> moves;  // none if the game is over or cannot continue
    std::vector<std::vector<Move>> replies;
    std::vector<std::uint32_t> to;
};

// The others' replies that keep the role from state 0 at `most`, or lead to a play that never ends. If they
// can force an end, they do so with the fewest nodes, counted as a tree; otherwise they stay among the states
// in which no more than `most` is possible. None if `possible`, from settle with the greatest value of any
// end, is above `most`. Throws the exceptions of the watch.
std::vector<Refuted> smallest_refutation(Graph& graph, const std::vector<Worth>& possible, Worth most, Watch& watch);

}  // namespace hornbook::planner
