// A* and weighted A* with reopening: every cheaper plan is reported until none is left.
//
// States are taken in the order of cost + weight · estimate (Hart, Nilsson and Raphael 1968; Pohl 1970). A state
// whose cost is not below that of the best plan is dropped, and for an admissible heuristic a state whose cost and
// estimate together are not. So whatever the heuristic and the weight, a search that has no state left has proved
// that no plan is cheaper than its best one. The first plan comes from another search, whose cost is the bound.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <string_view>
#include <vector>

#include "best_first/search_nodes.hpp"
#include "best_first/successors.hpp"
#include "heuristics/heuristic.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class WeightedSearch {
  public:
    // Only plans cheaper than `below` are of interest. `memory` is in bytes.
    WeightedSearch(const Task& task, std::string_view heuristic, std::uint32_t weight, Cost below,
                   std::size_t memory);

    // Takes about this number of further states from the open list, unless the search ends earlier.
    Progress run(std::size_t steps);

    Progress status() const { return status_; }
    // The best plan so far, and its cost, if there is one that is cheaper than the given bound.
    const std::vector<OperatorId>& plan() const { return plan_; }
    Cost best() const { return best_; }
    // No plan is cheaper than this; at most the cost of the best plan and the given bound.
    Cost bound() const { return std::min(bound_, below_); }
    // Whether the search is A* with an admissible heuristic.
    bool proves() const { return proves_; }
    std::size_t states() const { return nodes_.size(); }
    std::size_t evaluated() const { return evaluated_; }
    std::size_t bytes() const;

  private:
    struct Entry {
        Cost total, estimate, cost;
        StateId node;
    };
    // Among equal totals, the smaller estimate comes first, and then the newer state.
    struct Later {
        bool operator()(const Entry& one, const Entry& other) const {
            if (one.total != other.total) return one.total > other.total;
            if (one.estimate != other.estimate) return one.estimate > other.estimate;
            return one.node < other.node;
        }
    };

    void expand(StateId node);
    void meet(StateId node);
    void found(StateId node);

    const Task& task_;
    const Cost weight_;
    const std::size_t memory_;
    const Successors successors_;
    const std::unique_ptr<Heuristic> heuristic_;
    const bool is_admissible_, proves_;
    SearchNodes nodes_;
    std::vector<Cost> estimates_;  // of nodes
    std::priority_queue<Entry, std::vector<Entry>, Later> open_;
    Cost below_, best_ = infinite, bound_ = 0;
    std::size_t evaluated_ = 0;
    std::vector<OperatorId> plan_, applicable_;
    std::vector<Word> after_;
    Progress status_ = Progress::searching;
};

}  // namespace hornbook::planner::tasks
