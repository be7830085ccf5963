// Greedy best-first search for a first plan, with deferred evaluation and preferred operators.
//
// A state is evaluated when it is taken from the open list, where it waits with the value of its parent. A second
// open list has the states that preferred operators lead to. The lists alternate, and the second one is preferred
// for a while whenever a state has a smaller value than all before (Richter and Helmert, Preferred Operators and
// Deferred Evaluation in Satisficing Planning, ICAPS 2009).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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
    struct OpenList {
        std::map<Cost, Bucket> buckets;
        std::int64_t priority = 0;
    };
    static constexpr std::int64_t boost = 1000;

    void push(OpenList& list, Cost value, Entry entry);
    Entry take();
    void visit(Entry entry);
    void evaluate(StateId node);

    const Task& task_;
    const std::size_t memory_;
    const Successors successors_;
    const std::unique_ptr<Heuristic> heuristic_;
    SearchNodes nodes_;
    OpenList all_, preferred_;
    std::size_t waiting_ = 0, evaluated_ = 0;
    Cost least_ = infinite, best_ = infinite;
    std::vector<OperatorId> plan_, applicable_;
    std::vector<Word> after_;
    Progress status_ = Progress::searching;
};

}  // namespace hornbook::planner::tasks
