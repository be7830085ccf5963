// The applicable operators of a state, from a tree over preconditions.
//
// Each operator is a path from the root: its preconditions, those of few operators first. A node has a child for each
// next precondition, so that a precondition that many operators share is tested once. A state follows the children
// whose atoms are true. The tree is that of Helmert, The Fast Downward Planning System, JAIR 26 (2006), 5.3.1, for
// atoms in place of variables with several values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/machine.hpp"
#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class Successors {
  public:
    explicit Successors(const Task& task);

    // Writes the operators that are applicable in a state, in the order of the tree.
    void of(State state, std::vector<OperatorId>& out) const;

  private:
    struct Node {
        std::uint32_t first_child, children, first_operator, operators;
    };
    struct Branch {
        std::vector<OperatorId> members;
        std::size_t depth;
    };

    void fill(std::uint32_t node, const Branch& branch);
    void visit(std::uint32_t node, State state, std::vector<OperatorId>& out) const;

    std::vector<std::vector<Atom>> paths_;  // only during construction
    std::vector<Node> nodes_;
    std::vector<Atom> tested_;  // for each node but the root, the atom that leads to it
    std::vector<OperatorId> operators_;
    std::vector<Word> first_atoms_;          // the atoms of the root's children, as bits
    std::vector<std::uint32_t> first_nodes_;  // the root's child for an atom
};

}  // namespace hornbook::planner::tasks
