// For each state of a graph the rows that contain it, and the number of unfinished states of each row.
//
// Backward induction finishes one state after the other, and with each the rows without other unfinished
// states. A row is a move of the role in a state with the successors for each joint reply.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conditional/graph.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

struct Row {
    Index state;
    std::uint32_t move;
};

class Predecessors {
  public:
    // The rows of the current states. Throws the exceptions of the watch.
    Predecessors(const Graph& graph, Watch& watch);

    // The number of states that each row waits for: one for each reply, though a state may occur several times.
    std::vector<std::uint32_t> waiting_for(const Graph& graph) const;

    const Row& row(std::uint32_t number) const { return rows_[number]; }

    // The numbers of the rows that contain a state, with repetitions.
    std::span<const std::uint32_t> rows_with(Index state) const {
        return {places_.data() + first_[state], first_[state + 1] - first_[state]};
    }

  private:
    std::vector<Row> rows_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> places_;
};

}  // namespace hornbook::planner
