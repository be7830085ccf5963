#include "plan/trie.hpp"

#include <algorithm>

#include "plan/reach.hpp"

namespace hornbook {

// Tree

void Tree::insert(const std::vector<StepId>& plan, const Terminal& terminal) {
    NodeId node = 0;
    for (const StepId step : plan) {
        node = child(node, step);
    }
    if (terminals_.size() >= MOST_NODES) {
        throw TooLarge{"plans of all rules", MOST_NODES};
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
    if (nodes_.size() >= MOST_NODES) {
        throw TooLarge{"steps of all rules", MOST_NODES};
    }
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({step, 0, 0, 0});
    if (count == CROWD) {
        crowded_.emplace(key, node);
    }
    // Append after the first children, which are searched linearly.
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

// Whether a step tests a slot for one constant.
bool is_equality(const Step& step) {
    return step.kind == Step::Kind::TEST && step.comparison == Comparison::EQUAL && step.left.is_variable() &&
           step.right.is_cell();
}

}  // namespace

Code::Code(const Tree& tree, const Steps& steps) : tree_(&tree), steps_(&steps) {
    ops_.reserve(tree.size());
    terminals_.reserve(tree.terminals());
    emit();
    find_needs();
    tree_ = nullptr;
    steps_ = nullptr;
}

// Not recursive, because plans may be long: pending tasks are on a stack.
void Code::emit() {
    std::vector<Task> tasks{{Task::Kind::ENTER, 0, 0, 0}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const auto place = static_cast<std::uint32_t>(ops_.size());
        switch (task.kind) {
            case Task::Kind::END: ops_[task.place].end = place; continue;
            case Task::Kind::END_SWITCH:
                end_switch(task.place);
                continue;
            case Task::Kind::SWITCH: begin_switch(task, tasks); continue;
            case Task::Kind::ENTER: ops_.push_back({}); break;
            case Task::Kind::FOUND:
                tables_[task.place].sparse.emplace_back((*steps_)[(*tree_)[task.node].step].right.value, place);
                ops_.push_back({});
                ops_.back().kind = Op::Kind::FOUND;
                break;
            case Task::Kind::STEP: ops_.push_back(op_of((*steps_)[(*tree_)[task.node].step])); break;
        }
        ops_[place].node = task.node;
        emit_terminals(task.node);
        tasks.push_back({Task::Kind::END, 0, place, 0});
        begin_children(task.node, tasks);
    }
}

Op Code::op_of(const Step& step) {
    Op op;
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
    return op;
}

// The terminals of a node, in the last op; if there are too many for its counter, empty ops follow.
void Code::emit_terminals(NodeId node) {
    constexpr std::size_t MOST = std::numeric_limits<std::uint16_t>::max();
    std::uint32_t number = (*tree_)[node].terminal;
    for (bool is_first = true; is_first || number != 0; is_first = false) {
        if (!is_first) {
            Op more;
            more.node = node;
            more.end = static_cast<std::uint32_t>(ops_.size() + 1);
            ops_.push_back(more);
        }
        Op& op = ops_.back();
        op.terminal = static_cast<std::uint32_t>(terminals_.size());
        for (; number != 0 && terminals_.size() - op.terminal < MOST; number = tree_->before(number)) {
            terminals_.push_back(tree_->terminal(number));
        }
        op.terminals = static_cast<std::uint16_t>(terminals_.size() - op.terminal);
    }
}

// The children of a node come next. Tests of one slot for constants are combined in a table.
void Code::begin_children(NodeId node, std::vector<Task>& tasks) {
    constexpr std::size_t FEW = 3;
    const std::size_t first = tasks.size();
    std::size_t equalities = 0;
    for (NodeId child = (*tree_)[node].child; child != 0; child = (*tree_)[child].sibling) {
        tasks.push_back({Task::Kind::STEP, child, 0, 0});
        equalities += is_equality((*steps_)[(*tree_)[child].step]) ? 1 : 0;
    }
    if (equalities < FEW) {  // true for most nodes, which have one child
        std::reverse(tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.end());
        return;
    }
    tasks.resize(first);
    std::unordered_map<std::uint32_t, std::uint32_t> by_slot;
    for (NodeId child = (*tree_)[node].child; child != 0; child = (*tree_)[child].sibling) {
        if (const Step& step = (*steps_)[(*tree_)[child].step]; is_equality(step)) {
            ++by_slot[step.left.index()];
        }
    }
    for (NodeId child = (*tree_)[node].child; child != 0; child = (*tree_)[child].sibling) {
        const Step& step = (*steps_)[(*tree_)[child].step];
        if (!is_equality(step)) {
            tasks.push_back({Task::Kind::STEP, child, 0, 0});
            continue;
        }
        std::uint32_t& alike = by_slot[step.left.index()];
        if (alike >= FEW) {
            tasks.push_back({Task::Kind::SWITCH, node, 0, step.left.index()});
            alike = 0;  // the others come with it
        } else if (alike != 0) {
            tasks.push_back({Task::Kind::STEP, child, 0, 0});
        }
    }
    std::reverse(tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.end());
}

void Code::begin_switch(const Task& task, std::vector<Task>& tasks) {
    const auto place = static_cast<std::uint32_t>(ops_.size());
    const auto table = static_cast<std::uint32_t>(tables_.size());
    Op op;
    op.kind = Op::Kind::SWITCH;
    op.node = task.node;
    op.slot = task.slot;
    op.operand = table;
    ops_.push_back(op);
    tables_.emplace_back();
    tasks.push_back({Task::Kind::END_SWITCH, 0, place, 0});
    const std::size_t first = tasks.size();
    for (NodeId child = (*tree_)[task.node].child; child != 0; child = (*tree_)[child].sibling) {
        if (const Step& step = (*steps_)[(*tree_)[child].step]; is_equality(step) && step.left.index() == task.slot) {
            tasks.push_back({Task::Kind::FOUND, child, table, 0});
        }
    }
    std::reverse(tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.end());
}

void Code::end_switch(std::uint32_t place) {
    Op& op = ops_[place];
    op.end = static_cast<std::uint32_t>(ops_.size());
    for (std::uint32_t child = place + 1; child != op.end; child = ops_[child].end) {
        ops_[child].operand = op.end;
    }
    tables_[static_cast<std::size_t>(op.operand)].arrange();
}

// An op needs what all ops below it need. The ops below it follow it.
void Code::find_needs() {
    for (std::size_t place = ops_.size(); place-- > 0;) {
        Op& op = ops_[place];
        if (op.needs != nullptr || op.terminals != 0 || op.end == place + 1) {
            continue;
        }
        const Relation* common = ops_[place + 1].needs;
        for (std::uint32_t child = ops_[place + 1].end; child != op.end && common != nullptr; child = ops_[child].end) {
            common = ops_[child].needs == common ? common : nullptr;
        }
        op.needs = common;
    }
}

const Reach& Code::reach(PredicateId predicate) const {
    std::shared_ptr<const Reach>& reach = reaches_[predicate];
    if (reach == nullptr) {
        reach = std::make_shared<const Reach>(*this, predicate);
    }
    return *reach;
}

void Code::Table::arrange() {
    std::sort(sparse.begin(), sparse.end());
    const auto range = static_cast<std::uint64_t>(sparse.back().first) - static_cast<std::uint64_t>(sparse.front().first);
    if (range < 4 * sparse.size() + 8) {
        base = sparse.front().first;
        dense.resize(range + 1);
        for (const auto& [cell, at] : sparse) {
            dense[static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(base)] = at;
        }
        sparse = {};
    }
}

void Trie::settle(const Steps& steps, bool is_whole) {
    constexpr std::size_t FEW = 256;
    constexpr std::size_t FEWER = 16;
    constexpr std::size_t SHARE = 8;
    if (is_settled_ && (!is_whole || (recent_.empty() && newest_.empty()))) {
        return;
    }
    is_settled_ = true;
    if (is_whole || recent_tree_.terminals() > FEW + code_.terminals() / SHARE) {
        code_ = Code(tree_, steps);
        recent_tree_ = newest_tree_ = Tree();
        recent_ = newest_ = Code();
    } else if (newest_tree_.terminals() > FEWER + recent_.terminals() / SHARE) {
        recent_ = Code(recent_tree_, steps);
        newest_tree_ = Tree();
        newest_ = Code();
    } else {
        newest_ = Code(newest_tree_, steps);
    }
}

}  // namespace hornbook
