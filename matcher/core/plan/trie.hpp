// Tries of plans: rules that begin with the same steps share them.
//
// A trie begins with nothing (full matching), or with the columns of one predicate's fact in the first slots
// (matching that begins with a changed fact, or with a head to be proved). Each rule ends at a node in a
// terminal, which projects the slots (the cells bound so far) to its head and, for a guarded rule, to the cells
// of its variables.
//
// A trie is built as a tree of nodes and executed as code. The code has the nodes in walking order, each with
// the end of its subtree, so that a walk accesses memory sequentially. Tests of one slot against many
// constants become one table lookup. New rules enter separate codes, which are small and fast to build, until
// there are enough to rebuild the whole: the newest rules a small code, and those before them a larger one.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "plan/plan.hpp"

namespace hornbook {

using NodeId = std::uint32_t;

class Reach;

// The end of a rule in a trie, with its effect when a walk reaches it.
struct Terminal {
    enum class Kind : std::uint8_t {
        HEAD,       // the conditions hold, and so does the head
        CANDIDATE,  // the rule's matches hold, its guards are still to be evaluated
        TRIGGER,    // the rule's matches hold, and a fact that its guards read has changed
    };
    RuleNumber rule = 0;
    PredicateId predicate = 0;
    std::uint32_t head = 0;     // a projection; one column's constant is stored separately, so that more rules share
                                // it
    std::uint32_t binding = 0;  // a projection: the cells of all known variables
    Cell constant = 0;
    std::int32_t constant_column = NOTHING;
    Kind kind = Kind::HEAD;
    bool is_finished = false;  // a trigger through absence or an aggregate
};

// A node of the tree. Its children are linked as siblings, its terminals likewise.
struct Node {
    StepId step = 0;
    NodeId child = 0;
    NodeId sibling = 0;
    std::uint32_t terminal = 0;  // the number of the last one + 1
};

// The nodes with their terminals. Node 0 is the root; the number 0 of a child, sibling or terminal means none.
class Tree {
public:
    Tree() : nodes_(1) {}

    // Add a terminal at the end of a plan, and the nodes that are missing on the way.
    void insert(const std::vector<StepId>& plan, const Terminal& terminal);

    [[nodiscard]] const Node& operator[](NodeId node) const { return nodes_[node]; }
    // Terminals are numbered from 1.
    [[nodiscard]] const Terminal& terminal(std::uint32_t number) const { return terminals_[number - 1]; }
    // The previous terminal of the same node, or 0.
    [[nodiscard]] std::uint32_t before(std::uint32_t number) const { return before_[number - 1]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t terminals() const { return terminals_.size(); }
    [[nodiscard]] std::size_t bytes() const;

private:
    // The number of children of a node that are searched linearly; further ones are found by hashing.
    static constexpr std::uint32_t CROWD = 8;
    // A code has an op for each node, for each table of nodes, and for each 2^16 terminals, all with 32-bit indices.
    static constexpr std::size_t MOST_NODES = 1U << 30U;
    // The child of a node for a step, which is added if it is missing.
    NodeId child(NodeId parent, StepId step);

    std::vector<Node> nodes_;
    std::vector<Terminal> terminals_;
    std::vector<std::uint32_t> before_;  // by terminal: the previous one of its node, or 0
    std::unordered_map<std::uint64_t, NodeId> crowded_;  // by parent and step: the children beyond CROWD
};

// One node in walking order.
struct Op {
    enum class Kind : std::uint8_t {
        ENTER,   // nothing to do
        EQUAL,   // tests a slot for a constant
        TEST,    // compares the slot with another slot
        SWITCH,  // enters one of the children, selected by the slot's value
        FOUND,   // such a child: reaching it otherwise means that the previous one, and thus the switch, has ended
        MATCH,   // rows
        OTHER,   // arithmetic and the rest
        LEFT_OUT,  // no op: the result of a walk where no rule can hold
    };
    std::uint32_t end = 0;       // the end of the subtree
    std::uint32_t terminal = 0;  // the first of its terminals
    std::uint16_t terminals = 0;
    Kind kind = Kind::ENTER;
    Comparison comparison = Comparison::EQUAL;
    std::uint32_t slot = 0;
    std::int64_t operand = 0;    // EQUAL: the constant; TEST: the other slot; SWITCH: the table; FOUND: the end of
                                 // the switch
    const Step* step = nullptr;  // MATCH, OTHER
    NodeId node = 0;             // in the tree
    const Relation* needs = nullptr;  // a relation that all rules from here on read, and that had no facts

    // Whether no rule from here on can hold (left and right unlinking: Doorenbos 1995, chapter 4).
    [[nodiscard]] bool is_unlinked() const { return needs != nullptr && needs->linked_count() == 0; }
};

// The ops of a tree in walking order, with copies of its terminals and the tables of its switches.
class Code {
public:
    Code() = default;
    Code(const Tree& tree, const Steps& steps);

    // The table of a switch: the op for each cell, dense for cells that are close together, otherwise sorted.
    struct Table {
        Cell base = 0;
        std::vector<std::uint32_t> dense;  // by cell - base: an op, or 0
        std::vector<std::pair<Cell, std::uint32_t>> sparse;

        // Choose the form, once all cells are in `sparse`.
        void arrange();
        // The op for a cell, or 0.
        [[nodiscard]] std::uint32_t find(Cell cell) const {
            if (!dense.empty()) {
                const auto place = static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(base);
                return place < dense.size() ? dense[place] : 0;
            }
            const auto found = std::lower_bound(sparse.begin(), sparse.end(), std::pair(cell, 0U));
            return found != sparse.end() && found->first == cell ? found->second : 0;
        }
    };

    [[nodiscard]] const Op& operator[](std::size_t place) const { return ops_[place]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }
    [[nodiscard]] bool empty() const { return ops_.empty(); }
    [[nodiscard]] const Terminal& terminal(std::uint32_t place) const { return terminals_[place]; }
    [[nodiscard]] const Table& table(std::int64_t number) const { return tables_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] std::size_t terminals() const { return terminals_.size(); }
    // The ops that can lead to a given fact (plan/reach.hpp), computed at the first request and kept.
    [[nodiscard]] const Reach& reach(PredicateId predicate) const;
    void forget_reach(PredicateId predicate) { reaches_.erase(predicate); }
    [[nodiscard]] std::size_t bytes() const {
        return ops_.capacity() * sizeof(Op) + terminals_.capacity() * sizeof(Terminal);
    }

private:
    // A pending task: a node whose step is already decided, one found in a table, or one with its step. It
    // can also be the children of a node that test one slot for constants. The end of the subtree follows.
    struct Task {
        enum class Kind : std::uint8_t { ENTER, FOUND, STEP, SWITCH, END, END_SWITCH };
        Kind kind;
        NodeId node;
        std::uint32_t place;  // FOUND: the table; END: the op
        std::uint32_t slot;   // SWITCH
    };
    void emit();
    static Op op_of(const Step& step);
    void emit_terminals(NodeId node);
    void begin_children(NodeId node, std::vector<Task>& tasks);
    void begin_switch(const Task& task, std::vector<Task>& tasks);
    void end_switch(std::uint32_t place);
    // Set `needs` of all ops.
    void find_needs();

    // Both are null after the construction.
    const Tree* tree_ = nullptr;
    const Steps* steps_ = nullptr;
    std::vector<Op> ops_;
    std::vector<Terminal> terminals_;
    std::vector<Table> tables_;
    mutable std::unordered_map<PredicateId, std::shared_ptr<const Reach>> reaches_;
};

// A trie in both forms. The codes divide the rules by age: those of the last complete rebuilding, those that were
// added before the last rebuilding of the second code, and the newest.
class Trie {
public:
    void insert(const std::vector<StepId>& plan, const Terminal& terminal) {
        tree_.insert(plan, terminal);
        recent_tree_.insert(plan, terminal);
        newest_tree_.insert(plan, terminal);
        is_settled_ = false;
    }
    // Rebuild the code if rules were added; `is_whole`: in one piece, so that each node is visited in one place.
    void settle(const Steps& steps, bool is_whole = false);

    void forget_reach(PredicateId predicate) {
        for (Code* code : {&code_, &recent_, &newest_}) {
            code->forget_reach(predicate);
        }
    }

    [[nodiscard]] const Tree& tree() const { return tree_; }
    [[nodiscard]] std::array<const Code*, 3> codes() const { return {&code_, &recent_, &newest_}; }
    [[nodiscard]] std::size_t bytes() const {
        return tree_.bytes() + code_.bytes() + recent_.bytes() + newest_.bytes();
    }

private:
    // The trees have all rules, those that are not in `code_`, and those that are in neither of the first two codes.
    Tree tree_, recent_tree_, newest_tree_;
    Code code_, recent_, newest_;
    bool is_settled_ = true;
};

}  // namespace hornbook
