// The delete relaxation of a task: operators that only add atoms.
//
// The effects of an operator with the same condition are one relaxed operator, whose precondition is the operator's
// together with that condition. An operator that deletes an atom adds its complement. Two further atoms are `always`,
// which is true in every state and is the precondition of operators without one, and `goal`, which a relaxed operator
// without cost adds if the goal holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tasks/lists.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

// The cost of each action in the relaxation: that of the task, or 1.
enum class CostKind { real, unit };

struct RelaxedTask {
    RelaxedTask(const Task& task, CostKind costs);

    std::size_t operators() const { return sources.size(); }

    std::size_t atoms;  // with `always` and `goal`
    Atom always, goal;
    Lists preconditions, adds;
    // For each atom the relaxed operators that need it, and those that add it.
    Lists needing, adding;
    // The operator of the task for each relaxed operator; `source_count - 1` for the goal.
    std::vector<std::uint32_t> sources;
    std::size_t source_count;
    std::vector<Cost> costs;  // by source
};

}  // namespace hornbook::planner::tasks
