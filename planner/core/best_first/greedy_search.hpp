// Greedy best-first search for a first plan, with deferred evaluation, preferred operators and alternation.
//
// A state is evaluated when it is taken from an open list, where it waits with an estimate of its parent. Each
// estimate has two open lists: one of all states, and one of those that preferred operators lead to (Helmert, The Fast
// Downward Planning System, JAIR 26 (2006), 5.3). The lists alternate. Whenever an estimate is smaller than all before,
// the lists of preferred operators come first for a while (Richter and Helmert, Preferred Operators and Deferred
// Evaluation in Satisficing Planning, ICAPS 2009). A heuristic may have two estimates, as h_FF comes with h_add: where
// one does not tell states apart, the other often does (Roeger and Helmert, The More, the Merrier: Combining Heuristic
// Estimators for Satisficing Planning, ICAPS 2010).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "best_first/search_nodes.hpp"
#include "best_first/successors.hpp"
#include "heuristics/heuristic.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class GreedySearch {
  public:
    // The heuristic counts actions, whatever they cost. `memory` is in bytes.
    GreedySearch(const Task& task, std::string_view heuristic, std::size_t memory);

    // Takes about this number of further entries from the open lists, unless the search ends earlier.
    Progress run(std::size_t steps);

    Progress status() const { return status_; }
    // The plan, and its cost, if there is one.
    const std::vector<OperatorId>& plan() const { return plan_; }
    Cost best() const { return best_; }
    // No plan is cheaper than this.
    Cost bound() const { return 0; }
    bool proves() const { return false; }
    std::size_t states() const { return nodes_.size(); }
    std::size_t evaluated() const { return evaluated_; }
    std::size_t bytes() const;

  private:
    // A state that is not made yet: its parent, and the operator that leads to it.
    struct Entry {
        StateId parent;
        OperatorId by;
    };
    struct Bucket {
        std::vector<Entry> entries;
        std::size_t next = 0;
    };
    // Entries by an estimate. The list with the least priority number comes next.
    struct OpenList {
        std::size_t estimate;
        bool only_preferred;
        std::map<Cost, Bucket> buckets;
        std::int64_t priority = 0;
    };
    static constexpr std::int64_t boost = 1000;

    // The open list that comes next, or null if all are empty.
    OpenList* next_list();
    Entry take(OpenList& list);
    void visit(Entry entry);
    void evaluate(StateId node);
    void push(StateId node, bool are_preferred, std::span<const OperatorId> operators);

    const Task& task_;
    const std::size_t memory_;
    const Successors successors_;
    const std::unique_ptr<Heuristic> heuristic_;
    SearchNodes nodes_;
    std::array<OpenList, 4> lists_ = {{{0, false, {}}, {0, true, {}}, {1, false, {}}, {1, true, {}}}};
    // The estimates of the state evaluated last, and the least ones so far.
    std::array<std::optional<Cost>, 2> estimates_;
    std::array<Cost, 2> least_ = {infinite, infinite};
    std::size_t waiting_ = 0, evaluated_ = 0;
    Cost best_ = infinite;
    std::vector<OperatorId> plan_, applicable_;
    std::vector<Word> after_;
    Progress status_ = Progress::searching;
};

}  // namespace hornbook::planner::tasks
