// LM-cut: the sum of the costs of disjunctive landmarks.
//
// Helmert and Domshlak, Landmarks, Critical Paths and Abstractions: What's the Difference Anyway?, ICAPS 2009. A cut
// between the state and the zone of atoms that reach the goal without cost is a set of operators of which every plan
// uses one. Its least cost is counted, and the cost of its operators is reduced.
//
// With conditional effects, an operator is several relaxed operators, and a cut reduces the cost of all of them. So
// each application of an operator pays for a landmark at most its own cost, and the sum is admissible. The value may
// then be less than h_max (Röger, Pommerening and Helmert, Optimal Planning in the Presence of Conditional Effects,
// ECAI 2014). Without conditional effects it is at least h_max.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/radix_heap.hpp"
#include "heuristics/relaxed_task.hpp"
#include "machine/machine.hpp"
#include "tasks/lists.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class LandmarkCut : public Heuristic {
  public:
    LandmarkCut(const Task& task, CostKind costs);
    Cost value(State state) override;

  private:
    enum class Zone : std::uint8_t { unknown, before_goal, goal };

    void explore(State state);
    void explore_again();
    void reach(Atom atom, Cost cost);
    void reach_effects(std::uint32_t number);
    void mark_goal_zone();
    void find_cut(State state);
    Cost reduce_cut();
    template <class Each>
    void each_true_atom(State state, Each&& each) const;

    RelaxedTask relaxed_;
    Lists relaxed_operators_;  // by source
    std::vector<std::uint32_t> conditions_, missing_;
    // Of relaxed operators: the most expensive precondition, or `none` if not reached, and its cost.
    std::vector<Atom> supporters_;
    std::vector<Cost> supporter_costs_;
    std::vector<Cost> costs_;      // of atoms, by h_max
    std::vector<Cost> remaining_;  // of sources
    std::vector<Zone> zones_;      // of atoms
    std::vector<std::uint32_t> cut_;  // sources
    std::vector<Atom> left_;
    RadixHeap open_;
};

}  // namespace hornbook::planner::tasks
