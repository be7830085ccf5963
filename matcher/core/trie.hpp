// A trie of plans: rules that begin with the same steps share them.
//
// A trie begins with nothing (full matching), or with the columns of one predicate's fact in the first slots
// (matching that begins with a changed fact, or with a head to be proved). Each rule ends at a node in a
// terminal, which says what of the slots makes its head, and for a guarded rule the cells of its variables.
#pragma once

#include <vector>

#include "plan.hpp"

namespace hornbook {

using NodeId = std::uint32_t;

struct Terminal {
    enum class Kind : std::uint8_t {
        HEAD,       // the conditions hold: so does the head
        CANDIDATE,  // the rule's matches hold, its guards are to be read
        TRIGGER,    // the rule's matches hold, and a fact that its guards read has changed
    };
    RuleNumber rule = 0;
    std::uint32_t head = 0;     // a projection
    std::uint32_t binding = 0;  // a projection: the cells of all variables that are known
    NodeId next = 0;
    Kind kind = Kind::HEAD;
    bool is_finished = false;  // a trigger through absence or an aggregate
};

struct Node {
    StepId step = 0;
    NodeId child = 0;
    NodeId sibling = 0;
    std::uint32_t terminal = 0;  // its number + 1
};

class Trie {
public:
    Trie() : nodes_(1) {}

    void insert(const std::vector<StepId>& plan, Terminal terminal) {
        NodeId node = 0;
        for (const StepId step : plan) {
            node = child(node, step);
        }
        terminal.next = nodes_[node].terminal;
        terminals_.push_back(terminal);
        nodes_[node].terminal = static_cast<std::uint32_t>(terminals_.size());
    }

    [[nodiscard]] const Node& operator[](NodeId node) const { return nodes_[node]; }
    [[nodiscard]] const Terminal& terminal(std::uint32_t number) const { return terminals_[number - 1]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t terminals() const { return terminals_.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return nodes_.capacity() * sizeof(Node) + terminals_.capacity() * sizeof(Terminal) +
               crowded_.size() * 2 * sizeof(std::uint64_t);
    }

private:
    static constexpr std::uint32_t CROWD = 8;

    NodeId child(NodeId parent, StepId step) {
        const std::uint64_t key = (std::uint64_t{parent} << 32U) | step;
        std::uint32_t count = 0;
        for (NodeId node = nodes_[parent].child; node != 0 && count < CROWD; node = nodes_[node].sibling) {
            if (nodes_[node].step == step) {
                return node;
            }
            ++count;
        }
        if (count == CROWD) {
            if (const auto found = crowded_.find(key); found != crowded_.end()) {
                return found->second;
            }
        }
        const auto node = static_cast<NodeId>(nodes_.size());
        nodes_.push_back({step, 0, 0, 0});
        // A new child comes after the first ones, which are the most often met.
        if (count < CROWD) {
            NodeId* last = &nodes_[parent].child;
            while (*last != 0) {
                last = &nodes_[*last].sibling;
            }
            *last = node;
        } else {
            NodeId at = nodes_[parent].child;
            for (std::uint32_t place = 1; place < CROWD; ++place) {
                at = nodes_[at].sibling;
            }
            nodes_[node].sibling = nodes_[at].sibling;
            nodes_[at].sibling = node;
            crowded_.emplace(key, node);
        }
        return node;
    }

    std::vector<Node> nodes_;
    std::vector<Terminal> terminals_;
    std::unordered_map<std::uint64_t, NodeId> crowded_;  // the children of a node beyond its first ones
};

}  // namespace hornbook
