#include "best_first/greedy_search.hpp"

#include <algorithm>

namespace hornbook::planner::tasks {

GreedySearch::GreedySearch(const Task& task, std::string_view heuristic, std::size_t memory)
    : task_(task),
      memory_(memory),
      successors_(task),
      heuristic_(heuristic_called(heuristic, task, CostKind::unit)),
      nodes_(task) {
    evaluate(0);
}

Progress GreedySearch::run(std::size_t steps) {
    for (; steps > 0 && status_ == Progress::searching; --steps) {
        OpenList* const list = next_list();
        if (list == nullptr) {
            status_ = Progress::exhausted;
        } else if (bytes() > memory_) {
            status_ = Progress::full;
        } else {
            visit(take(*list));
        }
    }
    return status_;
}

GreedySearch::OpenList* GreedySearch::next_list() {
    OpenList* found = nullptr;
    for (OpenList& list : lists_) {
        if (list.buckets.empty()) continue;
        if (found == nullptr || list.priority < found->priority) found = &list;
    }
    return found;
}

// The oldest entry of the least estimate.
GreedySearch::Entry GreedySearch::take(OpenList& list) {
    ++list.priority;
    const auto first = list.buckets.begin();
    Bucket& bucket = first->second;
    const Entry found = bucket.entries[bucket.next++];
    if (bucket.next == bucket.entries.size()) {
        waiting_ -= bucket.next;
        list.buckets.erase(first);
    }
    return found;
}

void GreedySearch::visit(Entry entry) {
    task_.apply(entry.by, nodes_.state(entry.parent), after_);
    const Cost cost = nodes_.cost(entry.parent) + task_.cost(entry.by);
    const auto [node, is_new] = nodes_.insert(after_, entry.parent, entry.by, cost);
    if (is_new) evaluate(node);
}

// Evaluates a new state, and lets its successors wait.
void GreedySearch::evaluate(StateId node) {
    const State state = nodes_.state(node);
    if (task_.is_goal(state)) {
        plan_ = nodes_.path(node);
        best_ = nodes_.cost(node);
        status_ = Progress::solved;
        return;
    }
    const Cost value = heuristic_->value(state);
    ++evaluated_;
    if (value >= infinite) return;
    estimates_ = {value, heuristic_->companion()};
    for (std::size_t number = 0; number < estimates_.size(); ++number) {
        if (estimates_[number].value_or(infinite) >= least_[number]) continue;
        least_[number] = *estimates_[number];
        for (OpenList& list : lists_) {
            if (list.only_preferred) list.priority -= boost;
        }
    }
    successors_.of(state, applicable_);
    push(node, false, applicable_);
    push(node, true, heuristic_->preferred());
}

// Lets the successors of a state wait in the lists of all states, or in those of preferred operators.
void GreedySearch::push(StateId node, bool are_preferred, std::span<const OperatorId> operators) {
    if (operators.empty()) return;
    for (OpenList& list : lists_) {
        const auto estimate = estimates_[list.estimate];
        if (list.only_preferred != are_preferred || !estimate) continue;
        auto& entries = list.buckets[*estimate].entries;
        for (const OperatorId by : operators) entries.push_back({node, by});
        waiting_ += operators.size();
    }
}

std::size_t GreedySearch::bytes() const { return nodes_.bytes() + 2 * waiting_ * sizeof(Entry); }

}  // namespace hornbook::planner::tasks
