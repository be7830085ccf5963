// From atoms and instances of actions to a ground task.
//
// The calls come in this order: relations and costs, then actions, then their effects, then the goal and `finish`. The
// task omits atoms that are always true or never true, and operators and atoms that the goal does not depend on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "grounding/assembly.hpp"
#include "grounding/atom_table.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

using grounding::AtomTable;
using grounding::Pattern;
using grounding::PredicateNumber;
using grounding::Table;

// A condition whose literals have the columns of an instance.
struct ConditionPattern {
    std::vector<Pattern> positive, negative;
};

class TaskBuilder {
  public:
    // The atoms of a relation that can ever be true, and those that are true in the first state. Each relation is
    // added once.
    void relation(PredicateNumber predicate, std::size_t width, Table rows, const Table& initial);

    // The values of a function: a value for each row.
    void function(PredicateNumber function, std::size_t width, Table rows, std::vector<Cost> values);

    // An action with the rows of its parameters, each an instance. Its cost is a number or the value of a function.
    void action(std::size_t width, Table rows, const ConditionPattern& condition, Cost cost);
    void action(std::size_t width, Table rows, const ConditionPattern& condition, const Pattern& cost);

    // An effect of the last action for all of its instances.
    void effect(const Pattern& literal, bool adds, const ConditionPattern& condition);

    // An effect with further parameters: each row begins with the row of an instance.
    void effects(const Pattern& literal, bool adds, const ConditionPattern& condition, std::size_t width,
                 const Table& rows);

    // The task for a goal without variables, which is never true unless `is_possible`. The second result has the
    // action and row of each operator.
    std::pair<Task, std::vector<std::uint32_t>> finish(const ConditionPattern& goal, bool is_possible);

  private:
    struct Instance {
        std::uint32_t action, row;
        Condition condition;
        std::vector<ConditionalEffect> effects;
        Cost cost;
    };
    enum class Truth { changing, always };

    std::uint32_t atom_of(const Pattern& pattern, const grounding::Cell* row);
    // Fills a condition; returns false if it is never true.
    bool fill(const ConditionPattern& pattern, const grounding::Cell* row, Condition& out);
    void add_action(std::size_t width, Table rows, const ConditionPattern& condition);
    void find_changes();
    bool simplify(Condition& condition) const;
    bool simplify(Instance& instance) const;
    std::vector<bool> relevant_atoms(const Condition& goal) const;

    std::map<PredicateNumber, AtomTable> relations_, functions_;
    std::map<PredicateNumber, std::vector<Cost>> values_;
    std::uint32_t atoms_ = 0, actions_ = 0;
    std::vector<bool> initial_;
    std::vector<Truth> truths_;
    AtomTable last_rows_;          // of the last action
    std::size_t first_of_last_ = 0;  // its first instance
    std::vector<Instance> operators_;
    std::vector<grounding::Cell> cells_;
};

}  // namespace hornbook::planner::tasks
