// The states that a tree search has visited, with statistics of moves and proved bounds. States with equal
// words are one node, so the tree is a graph, and a later search continues from any of its states.
//
// A node is *over* if it is terminal, or if a role has no legal move. Then it has the goal value of each role;
// a missing value, or several, count as 0, and so does every role's value without a move. Otherwise the node
// gets edges when it is *opened*: for each role with several legal moves, a *choice* with an edge for each
// move. If no role has several moves, the last role has a choice with one edge.
//
// The bounds of a node say what a role can guarantee: at least the lower one against all others, who may know
// its move, and at most the upper one if they only do not know it. They follow from ends by minimax, so they are
// valid for any number of roles. Score bounded Monte Carlo tree search: Cazenave and Saffidine (2010).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "sequential/state_store.hpp"

namespace hornbook::planner {

using NodeId = StateId;

constexpr NodeId no_node = ~NodeId{0};
constexpr int most_worth = 100;

// `worth` is the sum of the role's goal values in the games that began with the move; with the prefix `later`, in the
// games in which the role made the move in this state or afterwards.
struct TreeEdge {
    double worth = 0;
    double later_worth = 0;
    std::uint32_t visits = 0;
    std::uint32_t later_visits = 0;
    Move move = 0;
    NodeId to = no_node;  // if the node has only this choice
};

struct Choice {
    std::uint32_t role = 0;
    std::uint32_t first = 0;  // its edges among those of the node
    std::uint32_t count = 0;
};

struct TreeNode {
    std::unique_ptr<Choice[]> choices;  // null until the node is opened
    std::unique_ptr<TreeEdge[]> edges;
    std::uint32_t choice_count = 0;
    std::uint32_t edge_count = 0;
    std::uint32_t visits = 0;
    bool is_over = false;

    bool is_open() const { return choices != nullptr; }
    std::span<const Choice> all_choices() const { return {choices.get(), choice_count}; }
    std::span<TreeEdge> edges_of(const Choice& choice) { return {edges.get() + choice.first, choice.count}; }
    std::span<const TreeEdge> edges_of(const Choice& choice) const { return {edges.get() + choice.first, choice.count}; }
};

class GameTree {
  public:
    explicit GameTree(std::size_t roles) : roles_(roles) {}

    std::size_t size() const { return nodes_.size(); }
    std::size_t bytes() const;

    TreeNode& operator[](NodeId node) { return nodes_[node]; }
    const TreeNode& operator[](NodeId node) const { return nodes_[node]; }
    State state(NodeId node) const { return states_.at(node); }

    std::uint8_t lower(NodeId node, std::size_t role) const { return bounds_[2 * (node * roles_ + role)]; }
    std::uint8_t upper(NodeId node, std::size_t role) const { return bounds_[2 * (node * roles_ + role) + 1]; }

    // The node of a state, which is added if it is new. `machine` is then queried about the state.
    NodeId add(Machine& machine, State state);

    // Gives a node its choices and edges. The node is not over.
    void open(Machine& machine, NodeId node);

    // The successor for an edge of each choice, which is added if it is new. `picked` has the indices of the edges
    // within their choices.
    NodeId successor(Machine& machine, NodeId node, std::span<const std::uint32_t> picked);
    // The same, or no_node if it has never been visited.
    NodeId known_successor(NodeId node, std::span<const std::uint32_t> picked) const;

    // The joint move of the edges.
    void joint_of(Machine& machine, NodeId node, std::span<const std::uint32_t> picked, std::vector<Move>& joint) const;

    // Concludes the bounds of an open node from those of its successors. Returns whether they have changed.
    bool conclude(NodeId node);

    // The bounds of the value that the role of a choice guarantees with an edge.
    std::pair<int, int> bounds_of_edge(NodeId node, std::size_t place, std::uint32_t edge) const;

    // The same tree with only the nodes that are reachable from `root`, and the new number of `root`, which is 0.
    std::unique_ptr<GameTree> below(NodeId root) const;

  private:
    struct HashOfJoint {
        std::size_t operator()(const std::vector<std::uint32_t>& key) const;
    };
    using Joints = std::unordered_map<std::vector<std::uint32_t>, NodeId, HashOfJoint>;

    NodeId add_empty(State state);
    std::size_t joint_moves(NodeId node) const;  // or a number above the most for which bounds are concluded
    bool conclude_single(NodeId node);
    bool conclude_joint(NodeId node);
    bool narrow(NodeId node, std::size_t role, int lower, int upper);

    std::size_t roles_;
    StateStore states_;
    std::deque<TreeNode> nodes_;
    std::vector<std::uint8_t> bounds_;  // of each node and role, the lower and the upper one
    Joints joints_;                     // for nodes with several choices: the node and the edges, and the successor
    std::size_t edge_bytes_ = 0;
    std::vector<Word> buffer_;
    std::vector<Move> joint_;
};

}  // namespace hornbook::planner
