// What a role can guarantee from a state: finds states, in breadth or where a proof needs them, and says what is proved.
//
// Work comes in slices of time, so that who asks can show how it goes and stop between two of them; what is proved by then
// stays.
#pragma once

#include <utility>
#include <vector>

#include "conditional/backward.hpp"
#include "conditional/graph.hpp"
#include "conditional/proof_numbers.hpp"

namespace hornbook::planner {

class Solver {
  public:
    Solver(Machine& machine, std::size_t role, State start, std::size_t most_bytes)
        : graph_(machine, role, start, most_bytes) {}
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    const Graph& graph() const { return graph_; }

    // Whether the graph has no more room.
    bool full() const { return full_; }

    // Expands states in the order in which they were found, for so long or until so many are expanded. True when all are.
    bool explore(double seconds, std::size_t most_expanded);

    // Looks for a proof or a disproof that the role can force `least`, for so long or until so many states are expanded. True
    // when there is one: see bounds.
    bool prove(Worth least, double seconds, std::size_t most_expanded);

    // What the role can force from the first state: at least, and at most. From no_end to most_worth.
    std::pair<int, int> bounds();

    // Worths of the ends that were found, ascending, each once.
    std::vector<int> worths() const;

    // See smallest_strategy.
    std::vector<Step> strategy(Worth least);

  private:
    void settle_both();

    Graph graph_;
    ProofNumbers numbers_;
    std::vector<Worth> guaranteed_;
    std::vector<Worth> possible_;
    std::size_t settled_ = 0;  // with so many states expanded
    Index next_ = 0;           // all before it are expanded
    int aim_ = -1;             // what `numbers_` is about
    bool full_ = false;
};

}  // namespace hornbook::planner
