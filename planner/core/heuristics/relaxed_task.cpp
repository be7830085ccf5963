#include "heuristics/relaxed_task.hpp"

#include <algorithm>
#include <map>

namespace hornbook::planner::tasks {

RelaxedTask::RelaxedTask(const Task& task, CostKind kind)
    : atoms(task.atoms() + 2),
      always(static_cast<Atom>(task.atoms())),
      goal(static_cast<Atom>(task.atoms() + 1)),
      source_count(task.operators() + 1) {
    const auto append = [&](std::vector<Atom> needs, std::vector<Atom> gives, std::uint32_t source) {
        make_set(needs);
        make_set(gives);
        std::erase_if(gives, [&](Atom atom) { return std::binary_search(needs.begin(), needs.end(), atom); });
        if (gives.empty()) return;
        if (needs.empty()) needs.push_back(always);
        preconditions.append(needs);
        adds.append(gives);
        sources.push_back(source);
    };
    for (OperatorId number = 0; number < task.operators(); ++number) {
        costs.push_back(kind == CostKind::unit ? 1 : task.cost(number));
        const auto needs = task.precondition(number);
        std::map<std::vector<Atom>, std::vector<Atom>> groups;
        for (std::uint32_t effect = task.first_effect(number); effect < task.end_of_effects(number); ++effect) {
            const Atom atom = task.effect_atom(effect);
            const Atom gives = task.effect_adds(effect) ? atom : task.complement(atom);
            if (gives == none) continue;
            const auto condition = task.effect_condition(effect);
            groups[{condition.begin(), condition.end()}].push_back(gives);
        }
        for (const auto& [condition, gives] : groups) {
            std::vector<Atom> both(needs.begin(), needs.end());
            both.insert(both.end(), condition.begin(), condition.end());
            append(both, gives, number);
        }
    }
    costs.push_back(0);
    append({task.goal().begin(), task.goal().end()}, {goal}, static_cast<std::uint32_t>(task.operators()));
    needing = preconditions.inverted(atoms);
    adding = adds.inverted(atoms);
}

}  // namespace hornbook::planner::tasks
