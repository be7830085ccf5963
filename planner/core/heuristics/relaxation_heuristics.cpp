#include "heuristics/relaxation_heuristics.hpp"

#include <algorithm>
#include <bit>

namespace hornbook::planner::tasks {

namespace {

// Sums of costs stop here, far below `infinite`.
constexpr Cost greatest_sum = Cost{1} << 50U;

}  // namespace

Exploration::Exploration(const RelaxedTask& task, Combination combination)
    : task_(task),
      combination_(combination),
      missing_(task.operators()),
      reached_(task.operators()),
      costs_(task.atoms),
      supporters_(task.atoms) {
    for (std::uint32_t number = 0; number < task.operators(); ++number) {
        conditions_.push_back(static_cast<std::uint32_t>(task.preconditions[number].size()));
        base_.push_back(task.costs[task.sources[number]]);
    }
}

void Exploration::reach(Atom atom, Cost cost, std::uint32_t by) {
    if (cost >= costs_[atom]) return;
    costs_[atom] = cost;
    supporters_[atom] = by;
    open_.push(cost, atom);
}

Cost Exploration::explore(State state) {
    missing_ = conditions_;
    reached_ = base_;
    std::fill(costs_.begin(), costs_.end(), infinite);
    open_.clear();
    reach(task_.always, 0, none);
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (Word left = state[word]; left != 0; left &= left - 1) {
            reach(static_cast<Atom>(word * 64 + static_cast<std::size_t>(std::countr_zero(left))), 0, none);
        }
    }
    while (!open_.empty()) {
        const auto [cost, atom] = open_.pop();
        if (cost > costs_[atom]) continue;
        if (atom == task_.goal) return cost;
        for (const std::uint32_t number : task_.needing[atom]) {
            if (combination_ == Combination::sum) reached_[number] = std::min(reached_[number] + cost, greatest_sum);
            if (--missing_[number] != 0) continue;
            // The last precondition is the most expensive one.
            const Cost total = combination_ == Combination::sum ? reached_[number] : base_[number] + cost;
            for (const Atom added : task_.adds[number]) reach(added, total, number);
        }
    }
    return infinite;
}

Cost RelaxedPlanHeuristic::value(State state) {
    preferred_.clear();
    sum_ = exploration_.explore(state);
    if (sum_ == infinite) return infinite;
    if (++evaluation_ == 0) {
        std::fill(needed_.begin(), needed_.end(), 0);
        std::fill(used_.begin(), used_.end(), 0);
        evaluation_ = 1;
    }
    Cost sum = 0;
    left_.assign(1, relaxed_.goal);
    while (!left_.empty()) {
        const Atom atom = left_.back();
        left_.pop_back();
        if (needed_[atom] == evaluation_) continue;
        needed_[atom] = evaluation_;
        const std::uint32_t number = exploration_.supporter(atom);
        if (number == none) continue;
        for (const Atom needs : relaxed_.preconditions[number]) left_.push_back(needs);
        const std::uint32_t source = relaxed_.sources[number];
        if (used_[source] == evaluation_) continue;
        used_[source] = evaluation_;
        sum += relaxed_.costs[source];
        if (source + 1 < relaxed_.source_count && Task::holds(task_.precondition(source), state)) {
            preferred_.push_back(source);
        }
    }
    return sum;
}

}  // namespace hornbook::planner::tasks
