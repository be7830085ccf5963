#include "tasks/task.hpp"

#include <algorithm>
#include <stdexcept>

namespace hornbook::planner::tasks {

Task::Task(std::size_t atoms, const std::vector<Atom>& initial, const Condition& goal)
    : own_atoms_(atoms), complements_(atoms, none), initial_(initial) {
    if (atoms > none / 4) throw std::invalid_argument("too many atoms");
    for (const Atom atom : initial_) require(atom);
    goal_ = as_positive(goal);
}

void Task::require(Atom atom) const {
    if (atom >= own_atoms_) throw std::invalid_argument("an atom that is not among the atoms of the task");
}

Atom Task::complement_of(Atom atom) {
    if (complements_[atom] == none) {
        const auto fresh = static_cast<Atom>(complements_.size());
        complements_[atom] = fresh;
        complements_.push_back(atom);
    }
    return complements_[atom];
}

std::vector<Atom> Task::as_positive(const Condition& condition) {
    std::vector<Atom> found;
    for (const Atom atom : condition.positive) {
        require(atom);
        found.push_back(atom);
    }
    for (const Atom atom : condition.negative) {
        require(atom);
        found.push_back(complement_of(atom));
    }
    make_set(found);
    return found;
}

void Task::add(const Condition& condition, std::span<const ConditionalEffect> effects, Cost cost) {
    if (cost < 0 || cost > most_cost) throw std::invalid_argument("the cost of an operator is from 0 to 2^31");
    if (operators() >= none - 1) throw std::length_error("more operators than there are numbers");
    preconditions_.append(as_positive(condition));
    costs_.push_back(cost);
    for (const bool adds : {false, true}) {
        for (const ConditionalEffect& effect : effects) {
            if (effect.adds != adds) continue;
            require(effect.atom);
            effects_.push_back(2 * effect.atom + (adds ? 1 : 0));
            conditions_.append(as_positive(effect.condition));
        }
    }
    effect_starts_.push_back(static_cast<std::uint32_t>(effects_.size()));
}

std::vector<Word> Task::first_state() const {
    std::vector<Word> state(words(), 0);
    for (const Atom atom : initial_) state[atom / 64] |= Word{1} << (atom % 64);
    for (std::size_t atom = own_atoms_; atom < atoms(); ++atom) {
        if (!is_true(complements_[atom], state)) state[atom / 64] |= Word{1} << (atom % 64);
    }
    return state;
}

void Task::apply(OperatorId number, State before, std::vector<Word>& after) const {
    after.assign(before.begin(), before.end());
    const auto set = [&](Atom atom, bool value) {
        const Word bit = Word{1} << (atom % 64);
        if (value) {
            after[atom / 64] |= bit;
        } else {
            after[atom / 64] &= ~bit;
        }
    };
    for (std::uint32_t effect = first_effect(number); effect < end_of_effects(number); ++effect) {
        if (!holds(conditions_[effect], before)) continue;
        const Atom atom = effect_atom(effect);
        const bool adds = effect_adds(effect);
        set(atom, adds);
        if (complements_[atom] != none) set(complements_[atom], !adds);
    }
}

}  // namespace hornbook::planner::tasks
