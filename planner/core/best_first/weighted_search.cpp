#include "best_first/weighted_search.hpp"

#include <algorithm>

namespace hornbook::planner::tasks {

WeightedSearch::WeightedSearch(const Task& task, std::string_view heuristic, std::uint32_t weight, Cost below,
                               std::size_t memory)
    : task_(task),
      weight_(weight),
      memory_(memory),
      successors_(task),
      heuristic_(heuristic_called(heuristic, task, CostKind::real)),
      is_admissible_(is_admissible(heuristic)),
      proves_(is_admissible_ && weight == 1),
      nodes_(task),
      below_(below) {
    meet(0);
}

Progress WeightedSearch::run(std::size_t steps) {
    for (; steps > 0 && status_ == Progress::searching; --steps) {
        if (bytes() > memory_) {
            status_ = Progress::full;
            break;
        }
        if (proves_ && !open_.empty()) bound_ = std::max(bound_, open_.top().total);
        if (open_.empty() || (proves_ && open_.top().total >= below_)) {
            status_ = Progress::exhausted;
            break;
        }
        const Entry entry = open_.top();
        open_.pop();
        // An entry is out of date if a cheaper way to its state was found.
        if (entry.cost == nodes_.cost(entry.node)) expand(entry.node);
    }
    return status_;
}

void WeightedSearch::expand(StateId node) {
    const Cost before = nodes_.cost(node);
    if (before >= below_) return;
    successors_.of(nodes_.state(node), applicable_);
    for (const OperatorId by : applicable_) {
        const Cost cost = before + task_.cost(by);
        if (cost >= below_) continue;
        task_.apply(by, nodes_.state(node), after_);
        const auto [after, is_new] = nodes_.insert(after_, node, by, cost);
        if (!is_new) {
            if (nodes_.cost(after) <= cost) continue;
            nodes_.improve(after, node, by, cost);
        }
        meet(after);
    }
}

// A state was reached for the first time, or in a cheaper way.
void WeightedSearch::meet(StateId node) {
    const State state = nodes_.state(node);
    if (task_.is_goal(state)) {
        if (node == estimates_.size()) estimates_.push_back(0);
        found(node);
        return;
    }
    if (node == estimates_.size()) {
        estimates_.push_back(heuristic_->value(state));
        ++evaluated_;
    }
    const Cost estimate = estimates_[node], cost = nodes_.cost(node);
    if (estimate >= infinite || cost >= below_ || (is_admissible_ && cost + estimate >= below_)) return;
    open_.push({cost + weight_ * estimate, estimate, cost, node});
}

void WeightedSearch::found(StateId node) {
    if (nodes_.cost(node) >= below_) return;
    best_ = below_ = nodes_.cost(node);
    plan_ = nodes_.path(node);
}

std::size_t WeightedSearch::bytes() const {
    return nodes_.bytes() + estimates_.capacity() * sizeof(Cost) + open_.size() * sizeof(Entry);
}

}  // namespace hornbook::planner::tasks
