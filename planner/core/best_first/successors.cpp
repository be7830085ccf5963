#include "best_first/successors.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace hornbook::planner::tasks {

Successors::Successors(const Task& task)
    : paths_(task.operators()), first_atoms_(task.words(), 0), first_nodes_(task.atoms(), none) {
    std::vector<std::size_t> needed(task.atoms(), 0);
    for (OperatorId number = 0; number < task.operators(); ++number) {
        for (const Atom atom : task.precondition(number)) ++needed[atom];
    }
    for (OperatorId number = 0; number < task.operators(); ++number) {
        const auto condition = task.precondition(number);
        auto& path = paths_[number];
        path.assign(condition.begin(), condition.end());
        std::sort(path.begin(), path.end(), [&](Atom one, Atom other) {
            return std::pair(needed[one], one) < std::pair(needed[other], other);
        });
    }
    Branch all{std::vector<OperatorId>(task.operators()), 0};
    std::iota(all.members.begin(), all.members.end(), OperatorId{0});
    std::sort(all.members.begin(), all.members.end(), [&](OperatorId one, OperatorId other) {
        return paths_[one] != paths_[other] ? paths_[one] < paths_[other] : one < other;
    });
    nodes_.push_back({});
    tested_.push_back(none);
    fill(0, all);
    const Node root = nodes_[0];
    for (std::uint32_t child = root.first_child; child < root.first_child + root.children; ++child) {
        const Atom atom = tested_[child];
        first_atoms_[atom / 64] |= Word{1} << (atom % 64);
        first_nodes_[atom] = child;
    }
    paths_ = {};
}

// Makes the children of a node. The members agree on their first `depth` atoms and are sorted.
void Successors::fill(std::uint32_t node, const Branch& branch) {
    Node made{0, 0, static_cast<std::uint32_t>(operators_.size()), 0};
    std::vector<Branch> parts;
    std::vector<Atom> atoms;
    for (const OperatorId member : branch.members) {
        const auto& path = paths_[member];
        if (path.size() == branch.depth) {
            operators_.push_back(member);
            ++made.operators;
            continue;
        }
        if (atoms.empty() || atoms.back() != path[branch.depth]) {
            atoms.push_back(path[branch.depth]);
            parts.push_back({{}, branch.depth + 1});
        }
        parts.back().members.push_back(member);
    }
    made.first_child = static_cast<std::uint32_t>(nodes_.size());
    made.children = static_cast<std::uint32_t>(parts.size());
    nodes_[node] = made;
    nodes_.resize(nodes_.size() + parts.size());
    tested_.insert(tested_.end(), atoms.begin(), atoms.end());
    for (std::uint32_t part = 0; part < parts.size(); ++part) fill(made.first_child + part, parts[part]);
}

void Successors::of(State state, std::vector<OperatorId>& out) const {
    out.clear();
    const Node root = nodes_[0];
    out.insert(out.end(), operators_.begin() + root.first_operator,
               operators_.begin() + root.first_operator + root.operators);
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (Word left = state[word] & first_atoms_[word]; left != 0; left &= left - 1) {
            visit(first_nodes_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))], state, out);
        }
    }
}

void Successors::visit(std::uint32_t node, State state, std::vector<OperatorId>& out) const {
    const Node here = nodes_[node];
    out.insert(out.end(), operators_.begin() + here.first_operator,
               operators_.begin() + here.first_operator + here.operators);
    for (std::uint32_t child = here.first_child; child < here.first_child + here.children; ++child) {
        if (Task::is_true(tested_[child], state)) visit(child, state, out);
    }
}

}  // namespace hornbook::planner::tasks
