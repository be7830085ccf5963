// The states that a search for a plan has found, each with the way to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "sequential/state_store.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

enum class Progress {
    searching,
    solved,     // a plan was found, and the search does not look for a better one
    exhausted,  // no state is left: no plan is cheaper than the best one, or than the given bound
    full        // the memory limit is reached
};

class SearchNodes {
  public:
    explicit SearchNodes(const Task& task) {
        const std::vector<Word> first = task.first_state();
        insert(first, none, none, 0);
    }

    std::size_t size() const { return costs_.size(); }
    State state(StateId node) const { return store_.at(node); }
    Cost cost(StateId node) const { return costs_[node]; }

    // Returns the number of a state, and whether it is new. If it is, it is reached from `parent` by an operator.
    std::pair<StateId, bool> insert(State state, StateId parent, OperatorId by, Cost cost) {
        const auto found = store_.insert(state);
        if (found.second) {
            origins_.push_back({parent, by});
            costs_.push_back(cost);
        }
        return found;
    }

    // Replaces the way to a state by a cheaper one.
    void improve(StateId node, StateId parent, OperatorId by, Cost cost) {
        origins_[node] = {parent, by};
        costs_[node] = cost;
    }

    // The operators that lead to a state.
    std::vector<OperatorId> path(StateId node) const {
        std::vector<OperatorId> found;
        for (; origins_[node].parent != none; node = origins_[node].parent) found.push_back(origins_[node].by);
        std::reverse(found.begin(), found.end());
        return found;
    }

    std::size_t bytes() const {
        return store_.bytes() + origins_.capacity() * sizeof(Origin) + costs_.capacity() * sizeof(Cost);
    }

  private:
    struct Origin {
        StateId parent;
        OperatorId by;
    };

    StateStore store_;
    std::vector<Origin> origins_;
    std::vector<Cost> costs_;
};

}  // namespace hornbook::planner::tasks
