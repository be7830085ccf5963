#include "heuristics/landmark_cut.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace hornbook::planner::tasks {

LandmarkCut::LandmarkCut(const Task& task, CostKind costs)
    : relaxed_(task, costs),
      missing_(relaxed_.operators()),
      supporters_(relaxed_.operators()),
      supporter_costs_(relaxed_.operators()),
      costs_(relaxed_.atoms),
      zones_(relaxed_.atoms) {
    Lists by_operator;
    for (std::uint32_t number = 0; number < relaxed_.operators(); ++number) {
        conditions_.push_back(static_cast<std::uint32_t>(relaxed_.preconditions[number].size()));
        by_operator.append(std::span(&relaxed_.sources[number], 1));
    }
    relaxed_operators_ = by_operator.inverted(relaxed_.source_count);
}

template <class Each>
void LandmarkCut::each_true_atom(State state, Each&& each) const {
    each(relaxed_.always);
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (Word left = state[word]; left != 0; left &= left - 1) {
            each(static_cast<Atom>(word * 64 + static_cast<std::size_t>(std::countr_zero(left))));
        }
    }
}

Cost LandmarkCut::value(State state) {
    remaining_ = relaxed_.costs;
    explore(state);
    if (costs_[relaxed_.goal] == infinite) return infinite;
    Cost sum = 0;
    while (costs_[relaxed_.goal] != 0) {
        std::fill(zones_.begin(), zones_.end(), Zone::unknown);
        mark_goal_zone();
        find_cut(state);
        sum += reduce_cut();
        explore_again();
    }
    return sum;
}

void LandmarkCut::reach(Atom atom, Cost cost) {
    if (cost >= costs_[atom]) return;
    costs_[atom] = cost;
    open_.push(cost, atom);
}

void LandmarkCut::reach_effects(std::uint32_t number) {
    const Cost cost = supporter_costs_[number] + remaining_[relaxed_.sources[number]];
    for (const Atom atom : relaxed_.adds[number]) reach(atom, cost);
}

// Computes h_max of all atoms, and the supporter of each relaxed operator: its last precondition.
void LandmarkCut::explore(State state) {
    missing_ = conditions_;
    std::fill(costs_.begin(), costs_.end(), infinite);
    std::fill(supporters_.begin(), supporters_.end(), none);
    open_.clear();
    each_true_atom(state, [&](Atom atom) { reach(atom, 0); });
    while (!open_.empty()) {
        const auto [cost, atom] = open_.pop();
        if (cost > costs_[atom]) continue;
        for (const std::uint32_t number : relaxed_.needing[atom]) {
            if (--missing_[number] != 0) continue;
            supporters_[number] = atom;
            supporter_costs_[number] = cost;
            reach_effects(number);
        }
    }
}

// Updates h_max after the costs of the cut were reduced.
void LandmarkCut::explore_again() {
    open_.clear();
    for (const std::uint32_t source : cut_) {
        for (const std::uint32_t number : relaxed_operators_[source]) {
            if (supporters_[number] != none) reach_effects(number);
        }
    }
    while (!open_.empty()) {
        const auto [cost, atom] = open_.pop();
        if (cost > costs_[atom]) continue;
        for (const std::uint32_t number : relaxed_.needing[atom]) {
            if (supporters_[number] != atom || supporter_costs_[number] <= cost) continue;
            const auto needs = relaxed_.preconditions[number];
            const Atom most = *std::max_element(
                needs.begin(), needs.end(), [&](Atom one, Atom other) { return costs_[one] < costs_[other]; });
            supporters_[number] = most;
            if (costs_[most] == supporter_costs_[number]) continue;
            supporter_costs_[number] = costs_[most];
            reach_effects(number);
        }
    }
}

// The atoms from which the goal follows without cost, by operators and their supporters.
void LandmarkCut::mark_goal_zone() {
    left_.assign(1, relaxed_.goal);
    zones_[relaxed_.goal] = Zone::goal;
    while (!left_.empty()) {
        const Atom atom = left_.back();
        left_.pop_back();
        for (const std::uint32_t number : relaxed_.adding[atom]) {
            const Atom needs = supporters_[number];
            if (needs == none || remaining_[relaxed_.sources[number]] != 0 || zones_[needs] == Zone::goal) continue;
            zones_[needs] = Zone::goal;
            left_.push_back(needs);
        }
    }
}

// The sources of the relaxed operators that lead from the atoms before the goal zone into it.
void LandmarkCut::find_cut(State state) {
    cut_.clear();
    left_.clear();
    const auto reach_before = [&](Atom atom) {
        if (zones_[atom] != Zone::unknown) return;
        zones_[atom] = Zone::before_goal;
        left_.push_back(atom);
    };
    each_true_atom(state, reach_before);
    while (!left_.empty()) {
        const Atom atom = left_.back();
        left_.pop_back();
        for (const std::uint32_t number : relaxed_.needing[atom]) {
            if (supporters_[number] != atom) continue;
            const auto adds = relaxed_.adds[number];
            if (std::any_of(adds.begin(), adds.end(), [&](Atom added) { return zones_[added] == Zone::goal; })) {
                cut_.push_back(relaxed_.sources[number]);
            } else {
                for (const Atom added : adds) reach_before(added);
            }
        }
    }
    make_set(cut_);
}

// Subtracts the least cost of the cut from its operators, and returns it.
Cost LandmarkCut::reduce_cut() {
    Cost least = infinite;
    for (const std::uint32_t source : cut_) least = std::min(least, remaining_[source]);
    for (const std::uint32_t source : cut_) remaining_[source] -= least;
    return least;
}

}  // namespace hornbook::planner::tasks
