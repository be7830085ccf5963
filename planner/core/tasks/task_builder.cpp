#include "tasks/task_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace hornbook::planner::tasks {

using grounding::Cell;
using grounding::no_atom;

void TaskBuilder::relation(PredicateNumber predicate, std::size_t width, Table rows, const Table& initial) {
    const std::size_t count = rows.count;
    const AtomTable& table =
        relations_.emplace(predicate, AtomTable(std::move(rows.cells), width, count, atoms_)).first->second;
    atoms_ += static_cast<std::uint32_t>(count);
    initial_.resize(atoms_, false);
    for (std::size_t row = 0; row < initial.count; ++row) {
        const std::uint32_t atom = table.find(initial.cells.data() + row * width);
        if (atom == no_atom) throw std::invalid_argument("a first atom that is not reachable");
        initial_[atom] = true;
    }
}

void TaskBuilder::function(PredicateNumber function, std::size_t width, Table rows, std::vector<Cost> values) {
    const std::size_t count = rows.count;
    functions_.emplace(function, AtomTable(std::move(rows.cells), width, count, 0));
    values_.emplace(function, std::move(values));
}

void TaskBuilder::action(std::size_t width, Table rows, const ConditionPattern& condition, Cost cost) {
    add_action(width, std::move(rows), condition);
    for (std::size_t number = first_of_last_; number < operators_.size(); ++number) operators_[number].cost = cost;
}

void TaskBuilder::action(std::size_t width, Table rows, const ConditionPattern& condition, const Pattern& cost) {
    add_action(width, std::move(rows), condition);
    const AtomTable& table = functions_.at(cost.predicate);
    const std::vector<Cost>& values = values_.at(cost.predicate);
    for (Instance* each = operators_.data() + first_of_last_; each != operators_.data() + operators_.size(); ++each) {
        if (each->row == none) continue;
        cells_.clear();
        for (const Pattern::Term& term : cost.terms) {
            cells_.push_back(term.is_column ? last_rows_.row(each->row)[term.cell] : term.cell);
        }
        const std::uint32_t place = table.find(cells_.data());
        if (place == no_atom) throw std::invalid_argument("an instance whose cost has no value");
        each->cost = values.at(place);
    }
}

void TaskBuilder::add_action(std::size_t width, Table rows, const ConditionPattern& condition) {
    const std::size_t count = rows.count;
    last_rows_ = AtomTable(std::move(rows.cells), width, count, 0);
    first_of_last_ = operators_.size();
    operators_.resize(first_of_last_ + count);
    for (std::uint32_t row = 0; row < count; ++row) {
        Instance& made = operators_[first_of_last_ + row];
        made.action = actions_;
        made.row = row;
        // The effects of an instance that is never applicable are not seen: its cost and effects stay empty.
        if (!fill(condition, last_rows_.row(row), made.condition)) made.row = none;
    }
    ++actions_;
}

void TaskBuilder::effect(const Pattern& literal, bool adds, const ConditionPattern& condition) {
    for (std::size_t number = first_of_last_; number < operators_.size(); ++number) {
        Instance& each = operators_[number];
        if (each.row == none) continue;
        const Cell* row = last_rows_.row(each.row);
        ConditionalEffect made{{}, atom_of(literal, row), adds};
        if (made.atom != no_atom && fill(condition, row, made.condition)) each.effects.push_back(std::move(made));
    }
}

void TaskBuilder::effects(const Pattern& literal, bool adds, const ConditionPattern& condition, std::size_t width,
                          const Table& rows) {
    for (std::size_t place = 0; place < rows.count; ++place) {
        const Cell* row = rows.cells.data() + place * width;
        const std::uint32_t found = last_rows_.find(row);
        if (found == no_atom) throw std::invalid_argument("an effect of an instance that does not exist");
        Instance& each = operators_[first_of_last_ + found];
        if (each.row == none) continue;
        ConditionalEffect made{{}, atom_of(literal, row), adds};
        if (made.atom != no_atom && fill(condition, row, made.condition)) each.effects.push_back(std::move(made));
    }
}

std::uint32_t TaskBuilder::atom_of(const Pattern& pattern, const Cell* row) {
    cells_.clear();
    for (const Pattern::Term& term : pattern.terms) cells_.push_back(term.is_column ? row[term.cell] : term.cell);
    return relations_.at(pattern.predicate).find(cells_.data());
}

bool TaskBuilder::fill(const ConditionPattern& pattern, const Cell* row, Condition& out) {
    for (const Pattern& each : pattern.positive) {
        const std::uint32_t atom = atom_of(each, row);
        if (atom == no_atom) return false;
        out.positive.push_back(atom);
    }
    for (const Pattern& each : pattern.negative) {
        const std::uint32_t atom = atom_of(each, row);
        if (atom != no_atom) out.negative.push_back(atom);
    }
    make_set(out.positive);
    make_set(out.negative);
    return true;
}

// An atom is always true if it is true at first and no operator deletes it.
void TaskBuilder::find_changes() {
    std::vector<bool> deleted(atoms_, false);
    for (const Instance& each : operators_) {
        for (const ConditionalEffect& effect : each.effects) {
            if (!effect.adds) deleted[effect.atom] = true;
        }
    }
    truths_.assign(atoms_, Truth::changing);
    for (std::uint32_t atom = 0; atom < atoms_; ++atom) {
        if (initial_[atom] && !deleted[atom]) truths_[atom] = Truth::always;
    }
}

// Removes what is always true; returns false if the condition is never true.
bool TaskBuilder::simplify(Condition& condition) const {
    std::erase_if(condition.positive, [&](Atom atom) { return truths_[atom] == Truth::always; });
    for (const Atom atom : condition.negative) {
        if (truths_[atom] == Truth::always ||
            std::binary_search(condition.positive.begin(), condition.positive.end(), atom)) {
            return false;
        }
    }
    return true;
}

// Removes effects and conditions without use; returns false if the operator is never applicable or has no effect.
bool TaskBuilder::simplify(Instance& instance) const {
    if (instance.row == none || !simplify(instance.condition)) return false;
    const auto holds = [](const std::vector<Atom>& atoms, Atom atom) {
        return std::binary_search(atoms.begin(), atoms.end(), atom);
    };
    const Condition& before = instance.condition;
    std::vector<Atom> added;  // without condition
    std::erase_if(instance.effects, [&](ConditionalEffect& effect) {
        Condition& condition = effect.condition;
        if (truths_[effect.atom] == Truth::always || !simplify(condition)) return true;
        for (const Atom atom : condition.positive) {
            if (holds(before.negative, atom)) return true;
        }
        for (const Atom atom : condition.negative) {
            if (holds(before.positive, atom)) return true;
        }
        std::erase_if(condition.positive, [&](Atom atom) { return holds(before.positive, atom); });
        std::erase_if(condition.negative, [&](Atom atom) { return holds(before.negative, atom); });
        if (effect.adds && condition.positive.empty() && condition.negative.empty()) {
            added.push_back(effect.atom);
            return true;
        }
        return false;
    });
    make_set(added);
    std::erase_if(instance.effects, [&](const ConditionalEffect& effect) { return holds(added, effect.atom); });
    for (const Atom atom : added) {
        if (!holds(before.positive, atom)) instance.effects.push_back({{}, atom, true});
    }
    return !instance.effects.empty();
}

// The atoms that the goal depends on: those of the goal, and of the conditions of effects on them.
std::vector<bool> TaskBuilder::relevant_atoms(const Condition& goal) const {
    struct Use {
        std::uint32_t number, effect;
    };
    std::vector<std::vector<Use>> uses(atoms_);
    for (std::uint32_t number = 0; number < operators_.size(); ++number) {
        const auto& effects = operators_[number].effects;
        for (std::uint32_t effect = 0; effect < effects.size(); ++effect) {
            uses[effects[effect].atom].push_back({number, effect});
        }
    }
    std::vector<bool> relevant(atoms_, false), used(operators_.size(), false);
    std::vector<Atom> left;
    const auto need = [&](const Condition& condition) {
        for (const auto* atoms : {&condition.positive, &condition.negative}) {
            for (const Atom atom : *atoms) {
                if (relevant[atom]) continue;
                relevant[atom] = true;
                left.push_back(atom);
            }
        }
    };
    need(goal);
    while (!left.empty()) {
        const Atom atom = left.back();
        left.pop_back();
        for (const auto [number, effect] : uses[atom]) {
            need(operators_[number].effects[effect].condition);
            if (!used[number]) need(operators_[number].condition);
            used[number] = true;
        }
    }
    return relevant;
}

std::pair<Task, std::vector<std::uint32_t>> TaskBuilder::finish(const ConditionPattern& goal, bool is_possible) {
    find_changes();
    Condition wanted;
    if (!is_possible || !fill(goal, nullptr, wanted) || !simplify(wanted)) {
        // The goal is never true: a task whose only atom stays false.
        return {Task(1, {}, {{0}, {}}), {}};
    }
    std::erase_if(operators_, [&](Instance& each) { return !simplify(each); });
    const std::vector<bool> relevant = relevant_atoms(wanted);
    std::vector<std::uint32_t> numbers(atoms_, none);
    std::vector<Atom> first;
    std::uint32_t kept = 0;
    for (std::uint32_t atom = 0; atom < atoms_; ++atom) {
        if (!relevant[atom]) continue;
        numbers[atom] = kept++;
        if (initial_[atom]) first.push_back(numbers[atom]);
    }
    const auto renumber = [&](Condition& condition) {
        for (auto* atoms : {&condition.positive, &condition.negative}) {
            for (Atom& atom : *atoms) atom = numbers[atom];
        }
    };
    renumber(wanted);
    std::pair<Task, std::vector<std::uint32_t>> found{Task(kept, first, wanted), {}};
    for (Instance& each : operators_) {
        std::erase_if(each.effects, [&](const ConditionalEffect& effect) { return !relevant[effect.atom]; });
        if (each.effects.empty()) continue;
        renumber(each.condition);
        for (ConditionalEffect& effect : each.effects) {
            effect.atom = numbers[effect.atom];
            renumber(effect.condition);
        }
        found.first.add(each.condition, each.effects, each.cost);
        found.second.push_back(each.action);
        found.second.push_back(each.row);
    }
    return found;
}

}  // namespace hornbook::planner::tasks
