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
        if (all_.buckets.empty() && preferred_.buckets.empty()) {
            status_ = Progress::exhausted;
        } else if (bytes() > memory_) {
            status_ = Progress::full;
        } else {
            visit(take());
        }
    }
    return status_;
}

void GreedySearch::push(OpenList& list, Cost value, Entry entry) {
    list.buckets[value].entries.push_back(entry);
    ++waiting_;
}

// The oldest entry of the least value, from the list with the smaller priority number.
GreedySearch::Entry GreedySearch::take() {
    const bool from_all =
        preferred_.buckets.empty() || (!all_.buckets.empty() && all_.priority <= preferred_.priority);
    OpenList& list = from_all ? all_ : preferred_;
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
    if (value < least_) {
        least_ = value;
        preferred_.priority -= boost;
    }
    successors_.of(state, applicable_);
    for (const OperatorId by : applicable_) push(all_, value, {node, by});
    for (const OperatorId by : heuristic_->preferred()) push(preferred_, value, {node, by});
}

std::size_t GreedySearch::bytes() const { return nodes_.bytes() + 2 * waiting_ * sizeof(Entry); }

}  // namespace hornbook::planner::tasks
