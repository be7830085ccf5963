// A ground planning task: atoms, the first state, the goal, and operators with conditional effects and costs.
//
// A state is a set of atoms, as bits. An atom that some condition needs to be false has a complement: an atom that
// is true exactly if the other one is false. So every condition is a set of atoms that must be true.
//
// Semantics (PDDL, Fox and Long 2003): the conditions of all effects are read in the state before; then atoms are
// deleted, and then atoms are added. An atom that is deleted and added at once is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "tasks/lists.hpp"

namespace hornbook::planner::tasks {

using Atom = std::uint32_t;
using OperatorId = std::uint32_t;
using Cost = std::int64_t;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
// The cost of what cannot be reached.
constexpr Cost infinite = Cost{1} << 60U;
// The greatest cost of one operator.
constexpr Cost most_cost = Cost{1} << 31U;

// A condition: atoms that must be true, and atoms that must be false.
struct Condition {
    std::vector<Atom> positive, negative;
};

struct ConditionalEffect {
    Condition condition;
    Atom atom;
    bool adds;
};

class Task {
  public:
    // Atoms are numbers below `atoms`. Throws invalid_argument if a number is not below.
    Task(std::size_t atoms, const std::vector<Atom>& initial, const Condition& goal);

    // Adds an operator. Throws invalid_argument if an atom or the cost is out of range.
    void add(const Condition& condition, std::span<const ConditionalEffect> effects, Cost cost);

    // The number of atoms with the complements, which come last.
    std::size_t atoms() const { return complements_.size(); }
    std::size_t words() const { return (atoms() + 63) / 64; }
    std::size_t operators() const { return costs_.size(); }

    std::span<const Atom> goal() const { return goal_; }
    std::span<const Atom> precondition(OperatorId number) const { return preconditions_[number]; }
    Cost cost(OperatorId number) const { return costs_[number]; }

    // The effects of an operator, deletions first. Each has an atom, whether it adds, and conditions.
    std::uint32_t first_effect(OperatorId number) const { return effect_starts_[number]; }
    std::uint32_t end_of_effects(OperatorId number) const { return effect_starts_[number + 1]; }
    Atom effect_atom(std::uint32_t effect) const { return effects_[effect] / 2; }
    bool effect_adds(std::uint32_t effect) const { return (effects_[effect] & 1U) != 0; }
    std::span<const Atom> effect_condition(std::uint32_t effect) const { return conditions_[effect]; }
    // The complement of an atom, or `none`.
    Atom complement(Atom atom) const { return complements_[atom]; }

    std::vector<Word> first_state() const;
    bool is_goal(State state) const { return holds(goal_, state); }
    // Writes the state after an operator that is applicable in `before`.
    void apply(OperatorId number, State before, std::vector<Word>& after) const;

    static bool is_true(Atom atom, State state) { return ((state[atom / 64] >> (atom % 64)) & 1U) != 0; }
    static bool holds(std::span<const Atom> condition, State state) {
        for (const Atom atom : condition) {
            if (!is_true(atom, state)) return false;
        }
        return true;
    }

  private:
    void require(Atom atom) const;
    Atom complement_of(Atom atom);
    std::vector<Atom> as_positive(const Condition& condition);

    std::size_t own_atoms_;
    std::vector<Atom> complements_, initial_, goal_;
    Lists preconditions_, conditions_;
    std::vector<Cost> costs_;
    std::vector<std::uint32_t> effect_starts_ = {0};
    std::vector<std::uint32_t> effects_;  // 2 · atom + 1 if it is added
};

}  // namespace hornbook::planner::tasks
