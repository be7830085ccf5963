// The interface of heuristics, and the heuristic without information.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "heuristics/relaxed_task.hpp"
#include "machine/machine.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class Heuristic {
  public:
    Heuristic() = default;
    Heuristic(const Heuristic&) = delete;
    Heuristic& operator=(const Heuristic&) = delete;
    virtual ~Heuristic() = default;

    // An estimate of the cost from a state to the goal; `infinite` only if no plan begins in the state.
    virtual Cost value(State state) = 0;

    // A second estimate that the last value was computed from, if there is one. It may order states otherwise.
    virtual std::optional<Cost> companion() const { return std::nullopt; }

    // Operators that the last value suggests; each is applicable in its state.
    virtual std::span<const OperatorId> preferred() const { return {}; }
};

// The heuristics by name: blind, max, add, ff, lmcut. Throws invalid_argument for other names.
std::unique_ptr<Heuristic> heuristic_called(std::string_view name, const Task& task, CostKind costs);

// Whether a heuristic of this name never exceeds the cost of a cheapest plan, given real costs.
bool is_admissible(std::string_view name);

}  // namespace hornbook::planner::tasks
