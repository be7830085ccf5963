// Heuristics from one exploration of the delete relaxation.
//
// h_max and h_add: Bonet and Geffner, Planning as Heuristic Search, AIJ 129 (2001). h_FF: Hoffmann and Nebel, The FF
// Planning System, JAIR 14 (2001); the relaxed plan is made of the cheapest supporters by h_add, as in Keyder and
// Geffner, Heuristics for Planning with Action Costs Revisited, ECAI 2008.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/radix_heap.hpp"
#include "heuristics/relaxed_task.hpp"
#include "machine/machine.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

// The least costs of atoms, where the cost of a precondition is the greatest cost of its atoms, or their sum.
class Exploration {
  public:
    enum class Combination { greatest, sum };

    Exploration(const RelaxedTask& task, Combination combination);

    // Computes the cost of the goal, and of all atoms that are cheaper. Returns `infinite` if it cannot be reached.
    Cost explore(State state);

    // The relaxed operator that gives an atom its cost, or `none` if the atom is true. Only for atoms below the goal.
    std::uint32_t supporter(Atom atom) const { return supporters_[atom]; }

  private:
    void reach(Atom atom, Cost cost, std::uint32_t by);

    const RelaxedTask& task_;
    const Combination combination_;
    std::vector<std::uint32_t> conditions_, missing_;
    std::vector<Cost> base_, reached_;  // of relaxed operators
    std::vector<Cost> costs_;           // of atoms
    std::vector<std::uint32_t> supporters_;
    RadixHeap open_;
};

class MaxHeuristic : public Heuristic {
  public:
    MaxHeuristic(const Task& task, CostKind costs)
        : relaxed_(task, costs), exploration_(relaxed_, Exploration::Combination::greatest) {}
    Cost value(State state) override { return exploration_.explore(state); }

  private:
    RelaxedTask relaxed_;
    Exploration exploration_;
};

class AddHeuristic : public Heuristic {
  public:
    AddHeuristic(const Task& task, CostKind costs)
        : relaxed_(task, costs), exploration_(relaxed_, Exploration::Combination::sum) {}
    Cost value(State state) override { return exploration_.explore(state); }

  private:
    RelaxedTask relaxed_;
    Exploration exploration_;
};

class RelaxedPlanHeuristic : public Heuristic {
  public:
    RelaxedPlanHeuristic(const Task& task, CostKind costs)
        : task_(task),
          relaxed_(task, costs),
          exploration_(relaxed_, Exploration::Combination::sum),
          needed_(relaxed_.atoms, 0),
          used_(relaxed_.source_count, 0) {}
    Cost value(State state) override;
    // The value of h_add.
    std::optional<Cost> companion() const override { return sum_; }
    std::span<const OperatorId> preferred() const override { return preferred_; }

  private:
    const Task& task_;
    RelaxedTask relaxed_;
    Exploration exploration_;
    Cost sum_ = infinite;
    // The number of the evaluation in which an atom was needed, or an operator used.
    std::vector<std::uint32_t> needed_, used_;
    std::uint32_t evaluation_ = 0;
    std::vector<Atom> left_;
    std::vector<OperatorId> preferred_;
};

}  // namespace hornbook::planner::tasks
