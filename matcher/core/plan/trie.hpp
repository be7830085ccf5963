// Tries of plans: rules that begin with the same steps share them.
//
// A trie begins with nothing (full matching), or with the columns of one predicate's fact in the first slots
// (matching that begins with a changed fact, or with a head to be proved). Each rule ends at a node in a
// terminal, which says what of the slots makes its head, and for a guarded rule the cells of its variables.
//
// A trie is grown as a tree of nodes and walked as code: the nodes in the order in which they are walked, each
// with the place where its subtree ends, so that a walk goes through memory forwards, and tests of one slot
// against many constants are one look into a table. New rules come into a code of their own, small and soon
// made, until they are enough to make the whole anew.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace hornbook {

using NodeId = std::uint32_t;

// The bit of a predicate; several may have the same one.
inline std::uint64_t bit_of(PredicateId predicate) { return std::uint64_t{1} << (predicate % 64); }

struct Terminal {
    enum class Kind : std::uint8_t {
        HEAD,       // the conditions hold: so does the head
        CANDIDATE,  // the rule's matches hold, its guards are to be read
        TRIGGER,    // the rule's matches hold, and a fact that its guards read has changed
    };
    RuleNumber rule = 0;
    PredicateId predicate = 0;
    std::uint32_t head = 0;     // a projection; the constant of one column stands here, so that more rules share it
    std::uint32_t binding = 0;  // a projection: the cells of all variables that are known
    Cell constant = 0;
    std::int32_t constant_column = NOTHING;
    Kind kind = Kind::HEAD;
    bool is_finished = false;  // a trigger through absence or an aggregate
};

// A node of the tree. Its children follow one another as siblings, its terminals likewise.
struct Node {
    StepId step = 0;
    NodeId child = 0;
    NodeId sibling = 0;
    std::uint32_t terminal = 0;  // the number of the last one + 1
};

class Tree {
public:
    Tree() : nodes_(1) {}

    void insert(const std::vector<StepId>& plan, const Terminal& terminal);

    [[nodiscard]] const Node& operator[](NodeId node) const { return nodes_[node]; }
    [[nodiscard]] const Terminal& terminal(std::uint32_t number) const { return terminals_[number - 1]; }
    // The terminal of the same node before this one, or 0.
    [[nodiscard]] std::uint32_t before(std::uint32_t number) const { return before_[number - 1]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t terminals() const { return terminals_.size(); }
    [[nodiscard]] std::size_t bytes() const;

private:
    static constexpr std::uint32_t CROWD = 8;
    // A code has an op for each node, for each table of nodes, and for each 2^16 terminals, all with 32-bit places.
    static constexpr std::size_t MOST_NODES = 1U << 30U;
    NodeId child(NodeId parent, StepId step);

    std::vector<Node> nodes_;
    std::vector<Terminal> terminals_;
    std::vector<std::uint32_t> before_;
    std::unordered_map<std::uint64_t, NodeId> crowded_;  // the children of a node beyond its first ones
};

// One node in walking order.
struct Op {
    enum class Kind : std::uint8_t {
        ENTER,   // nothing to do
        EQUAL,   // the slot holds the constant
        TEST,    // the slot compares with another slot
        SWITCH,  // one of the children is entered, by what the slot holds
        FOUND,   // such a child: who comes to it otherwise has left the one before it, and the switch with it
        MATCH,   // rows
        OTHER,   // arithmetic and the rest
        LEFT_OUT,  // of no op: what a walk does where no rule can hold
    };
    std::uint32_t end = 0;       // where the subtree ends
    std::uint32_t terminal = 0;  // the first of its terminals
    std::uint16_t terminals = 0;
    Kind kind = Kind::ENTER;
    Comparison comparison = Comparison::EQUAL;
    std::uint32_t slot = 0;
    std::int64_t operand = 0;    // EQUAL: the constant; TEST: the other slot; SWITCH: the table; FOUND: where
                                 // the switch ends
    const Step* step = nullptr;  // MATCH, OTHER
    NodeId node = 0;             // in the tree
    const Relation* needs = nullptr;  // a relation that all rules from here on read, and that had no facts
    std::uint64_t reads = 0;          // the predicates that rules from here on read, a bit for each

    // Whether no rule from here on can hold (left and right unlinking: Doorenbos 1995, chapter 4).
    [[nodiscard]] bool is_unlinked() const { return needs != nullptr && needs->linked_count() == 0; }
};

class Code {
public:
    Code() = default;
    Code(const Tree& tree, const Steps& steps);

    struct Table {
        Cell base = 0;
        std::vector<std::uint32_t> dense;  // by cell - base: an op, or 0
        std::vector<std::pair<Cell, std::uint32_t>> sparse;

        void arrange();
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
    [[nodiscard]] std::size_t bytes() const {
        return ops_.capacity() * sizeof(Op) + terminals_.capacity() * sizeof(Terminal);
    }

private:
    // What is to be emitted: a node whose step is decided by then, one found in a table, one with its step, or the
    // children of a node that ask one slot for constants; then comes where it ends.
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
    void find_needs();
    void find_reads();

    const Tree* tree_ = nullptr;
    const Steps* steps_ = nullptr;
    std::vector<Op> ops_;
    std::vector<Terminal> terminals_;
    std::vector<Table> tables_;
};

class Trie {
public:
    void insert(const std::vector<StepId>& plan, const Terminal& terminal) {
        tree_.insert(plan, terminal);
        recent_tree_.insert(plan, terminal);
        is_settled_ = false;
    }
    // Make the code anew where rules came; `is_whole`: in one piece, so that each node is met in one place.
    void settle(const Steps& steps, bool is_whole = false);

    [[nodiscard]] const Tree& tree() const { return tree_; }
    [[nodiscard]] const Code& code() const { return code_; }
    [[nodiscard]] const Code& recent() const { return recent_; }
    [[nodiscard]] std::size_t bytes() const { return tree_.bytes() + code_.bytes() + recent_.bytes(); }

private:
    Tree tree_, recent_tree_;
    Code code_, recent_;
    bool is_settled_ = true;
};

}  // namespace hornbook
