#include "trie.hpp"

#include <algorithm>

namespace hornbook {

// Tree

void Tree::insert(const std::vector<StepId>& plan, const Terminal& terminal) {
    NodeId node = 0;
    for (const StepId step : plan) {
        node = child(node, step);
    }
    before_.push_back(nodes_[node].terminal);
    terminals_.push_back(terminal);
    nodes_[node].terminal = static_cast<std::uint32_t>(terminals_.size());
}

NodeId Tree::child(NodeId parent, StepId step) {
    const std::uint64_t key = (std::uint64_t{parent} << 32U) | step;
    std::uint32_t count = 0;
    NodeId last = 0;
    for (NodeId node = nodes_[parent].child; node != 0 && count < CROWD; node = nodes_[node].sibling) {
        if (nodes_[node].step == step) {
            return node;
        }
        last = node;
        ++count;
    }
    if (count == CROWD) {
        if (const auto found = crowded_.find(key); found != crowded_.end()) {
            return found->second;
        }
    }
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({step, 0, 0, 0});
    if (count == CROWD) {
        crowded_.emplace(key, node);
    }
    // After the first ones, which are looked through one by one.
    if (last == 0) {
        nodes_[parent].child = node;
    } else {
        nodes_[node].sibling = nodes_[last].sibling;
        nodes_[last].sibling = node;
    }
    return node;
}

std::size_t Tree::bytes() const {
    return nodes_.capacity() * sizeof(Node) + terminals_.capacity() * sizeof(Terminal) +
           before_.capacity() * sizeof(std::uint32_t) + crowded_.size() * 4 * sizeof(std::uint64_t);
}

// Code

namespace {

// Whether a step asks for one constant in a slot.
bool is_equality(const Step& step) {
    return step.kind == Step::Kind::TEST && step.comparison == Comparison::EQUAL && step.left.is_variable() &&
           step.right.is_cell();
}

}  // namespace

Code::Code(const Tree& tree, const Steps& steps) : tree_(&tree), steps_(&steps) {
    ops_.reserve(tree.size());
    terminals_.reserve(tree.terminals());
    emit(0, true);
    tree_ = nullptr;
    steps_ = nullptr;
}

// `is_found`: the node's own step is decided before it is entered.
const Relation* Code::emit(NodeId node, bool is_found) {
    constexpr std::size_t MOST = std::numeric_limits<std::uint16_t>::max();
    const std::size_t place = ops_.size();
    Op op;
    op.node = node;
    if (!is_found) {
        const Step& step = (*steps_)[(*tree_)[node].step];
        op.step = &step;
        op.comparison = step.comparison;
        if (step.kind == Step::Kind::SCAN || step.kind == Step::Kind::LOOKUP || step.kind == Step::Kind::EXACT) {
            op.kind = Op::Kind::MATCH;
            op.needs = step.relation->linked_count() == 0 ? step.relation : nullptr;
        } else if (is_equality(step)) {
            op.kind = Op::Kind::EQUAL;
            op.slot = step.left.index();
            op.operand = step.right.value;
        } else if (step.kind == Step::Kind::TEST && step.left.is_variable() && step.right.is_variable()) {
            op.kind = Op::Kind::TEST;
            op.slot = step.left.index();
            op.operand = step.right.value;
        } else {
            op.kind = Op::Kind::OTHER;
        }
    }
    op.terminal = static_cast<std::uint32_t>(terminals_.size());
    std::uint32_t number = (*tree_)[node].terminal;
    for (; number != 0 && terminals_.size() - op.terminal < MOST; number = tree_->before(number)) {
        terminals_.push_back(tree_->terminal(number));
    }
    op.terminals = static_cast<std::uint16_t>(terminals_.size() - op.terminal);
    ops_.push_back(op);
    while (number != 0) {  // more rules than an op counts: they follow as ops that ask for nothing
        Op more;
        more.node = node;
        more.terminal = static_cast<std::uint32_t>(terminals_.size());
        for (; number != 0 && terminals_.size() - more.terminal < MOST; number = tree_->before(number)) {
            terminals_.push_back(tree_->terminal(number));
        }
        more.terminals = static_cast<std::uint16_t>(terminals_.size() - more.terminal);
        more.end = static_cast<std::uint32_t>(ops_.size() + 1);
        ops_.push_back(more);
    }
    const Relation* needs = emit_children(node);
    Op& emitted = ops_[place];
    emitted.end = static_cast<std::uint32_t>(ops_.size());
    if (emitted.needs == nullptr && emitted.terminals == 0) {
        emitted.needs = needs;
    }
    return emitted.needs;
}

const Relation* Code::emit_children(NodeId node) {
    constexpr std::size_t FEW = 3;
    // Children that ask one slot for constants are found in a table.
    std::unordered_map<std::uint32_t, std::vector<NodeId>> by_slot;
    for (NodeId child = (*tree_)[node].child; child != 0; child = (*tree_)[child].sibling) {
        if (const Step& step = (*steps_)[(*tree_)[child].step]; is_equality(step)) {
            by_slot[step.left.index()].push_back(child);
        }
    }
    const Relation* common = nullptr;
    bool is_first = true;
    const auto meet = [&](const Relation* needs) {
        common = is_first || common == needs ? needs : nullptr;
        is_first = false;
    };
    for (NodeId child = (*tree_)[node].child; child != 0; child = (*tree_)[child].sibling) {
        const Step& step = (*steps_)[(*tree_)[child].step];
        if (!is_equality(step)) {
            meet(emit(child, false));
            continue;
        }
        std::vector<NodeId>& children = by_slot[step.left.index()];
        if (children.size() < FEW) {
            meet(emit(child, false));
            continue;
        }
        if (children.front() != child) {
            continue;
        }
        const std::size_t place = ops_.size();
        Op op;
        op.kind = Op::Kind::SWITCH;
        op.node = node;
        op.slot = step.left.index();
        op.operand = static_cast<std::int64_t>(tables_.size());
        tables_.emplace_back();
        ops_.push_back(op);
        std::vector<std::pair<Cell, std::uint32_t>> entries;
        for (const NodeId each : children) {
            entries.emplace_back((*steps_)[(*tree_)[each].step].right.value, static_cast<std::uint32_t>(ops_.size()));
            meet(emit(each, true));
        }
        ops_[place].end = static_cast<std::uint32_t>(ops_.size());
        std::sort(entries.begin(), entries.end());
        Table& table = tables_[static_cast<std::size_t>(op.operand)];
        const auto range = static_cast<std::uint64_t>(entries.back().first) - static_cast<std::uint64_t>(entries.front().first);
        if (range < 4 * entries.size() + 8) {
            table.base = entries.front().first;
            table.dense.resize(range + 1);
            for (const auto& [cell, at] : entries) {
                table.dense[static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(table.base)] = at;
            }
        } else {
            table.sparse = std::move(entries);
        }
    }
    return common;
}

void Trie::settle(const Steps& steps, bool is_whole) {
    constexpr std::size_t FEW = 256;
    if (is_settled_ && (!is_whole || recent_.empty())) {
        return;
    }
    is_settled_ = true;
    if (is_whole || recent_tree_.terminals() > FEW + code_.terminals() / 8) {
        code_ = Code(tree_, steps);
        recent_tree_ = Tree();
        recent_ = Code();
    } else {
        recent_ = Code(recent_tree_, steps);
    }
}

}  // namespace hornbook
