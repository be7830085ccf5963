// For each state of a graph the rows in which it stands, and how much of each row is not finished yet.
//
// Backward induction finishes one state after the other, and with each the rows that need nothing else. A row is a move of the role
// in a state with the states that follow each joint reply.
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
    // The rows of the states found so far. Throws what the watch throws.
    Predecessors(const Graph& graph, Watch& watch);

    // How many states each row waits for: one for each reply, though a state may stand there several times.
    std::vector<std::uint32_t> waiting_for(const Graph& graph) const;

    const Row& row(std::uint32_t number) const { return rows_[number]; }

    // The numbers of the rows in which a state stands, as often as it does.
    std::span<const std::uint32_t> rows_with(Index state) const {
        return {places_.data() + first_[state], first_[state + 1] - first_[state]};
    }

  private:
    std::vector<Row> rows_;
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> places_;
};

}  // namespace hornbook::planner
