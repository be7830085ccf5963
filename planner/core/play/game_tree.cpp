#include "play/game_tree.hpp"

#include <algorithm>
#include <utility>

namespace hornbook::planner {

namespace {

// The most joint moves of a state for which bounds are concluded.
constexpr std::size_t most_joint_moves = 1024;

// Moves `picked` to the next joint choice. Returns false after the last one.
bool next_pick(std::span<const Choice> choices, std::vector<std::uint32_t>& picked) {
    for (std::size_t place = 0; place < choices.size(); ++place) {
        if (++picked[place] < choices[place].count) {
            return true;
        }
        picked[place] = 0;
    }
    return false;
}

}  // namespace

std::size_t GameTree::HashOfJoint::operator()(const std::vector<std::uint32_t>& key) const {
    std::uint64_t hash = key.size();
    for (const auto part : key) {
        hash = (hash ^ part) * 0xBF58476D1CE4E5B9ULL;
        hash ^= hash >> 29U;
    }
    return hash;
}

std::size_t GameTree::bytes() const {
    constexpr std::size_t bytes_of_joint = 96;
    return states_.bytes() + nodes_.size() * sizeof(TreeNode) + bounds_.capacity() + edge_bytes_ +
           joints_.size() * bytes_of_joint;
}

NodeId GameTree::add_empty(State state) {
    const auto [node, is_new] = states_.insert(state);
    if (is_new) {
        nodes_.emplace_back();
        for (std::size_t role = 0; role < roles_; ++role) {
            bounds_.push_back(0);
            bounds_.push_back(most_worth);
        }
    }
    return node;
}

NodeId GameTree::add(Machine& machine, State state) {
    const auto before = size();
    const auto node = add_empty(state);
    if (size() == before) {
        return node;
    }
    machine.look(state);
    bool stuck = false;
    const bool terminal = machine.terminal();
    for (std::size_t role = 0; role < roles_ && !terminal; ++role) {
        stuck = stuck || machine.legal(role).empty();
    }
    if (terminal || stuck) {
        nodes_[node].is_over = true;
        for (std::size_t role = 0; role < roles_; ++role) {
            const int worth = stuck ? 0 : std::clamp(machine.goal(role), 0, most_worth);
            narrow(node, role, worth, worth);
        }
    }
    return node;
}

void GameTree::open(Machine& machine, NodeId node) {
    machine.look(states_.at(node));
    std::vector<Choice> choices;
    std::vector<TreeEdge> edges;
    for (std::size_t role = 0; role < roles_; ++role) {
        const auto moves = machine.legal(role);
        const bool is_last_chance = role + 1 == roles_ && choices.empty();
        if (moves.size() < 2 && !is_last_chance) {
            continue;
        }
        choices.push_back({static_cast<std::uint32_t>(role), static_cast<std::uint32_t>(edges.size()),
                           static_cast<std::uint32_t>(moves.size())});
        for (const auto move : moves) {
            edges.emplace_back().move = move;
        }
    }
    TreeNode& opened = nodes_[node];
    opened.choice_count = static_cast<std::uint32_t>(choices.size());
    opened.edge_count = static_cast<std::uint32_t>(edges.size());
    opened.edges = std::make_unique<TreeEdge[]>(edges.size());
    std::copy(edges.begin(), edges.end(), opened.edges.get());
    opened.choices = std::make_unique<Choice[]>(choices.size());
    std::copy(choices.begin(), choices.end(), opened.choices.get());
    edge_bytes_ += edges.size() * sizeof(TreeEdge) + choices.size() * sizeof(Choice) + 2 * sizeof(std::max_align_t);
}

NodeId GameTree::known_successor(NodeId node, std::span<const std::uint32_t> picked) const {
    const TreeNode& from = nodes_[node];
    if (from.choice_count == 1) {
        return from.edges[picked[0]].to;
    }
    std::vector<std::uint32_t> key(picked.begin(), picked.end());
    key.push_back(node);
    const auto found = joints_.find(key);
    return found == joints_.end() ? no_node : found->second;
}

NodeId GameTree::successor(Machine& machine, NodeId node, std::span<const std::uint32_t> picked) {
    if (const auto known = known_successor(node, picked); known != no_node) {
        return known;
    }
    joint_of(machine, node, picked, joint_);
    buffer_.clear();
    machine.next(joint_, buffer_);
    const auto to = add(machine, buffer_);
    if (nodes_[node].choice_count == 1) {
        nodes_[node].edges[picked[0]].to = to;
    } else {
        std::vector<std::uint32_t> key(picked.begin(), picked.end());
        key.push_back(node);
        joints_.emplace(std::move(key), to);
    }
    return to;
}

void GameTree::joint_of(Machine& machine, NodeId node, std::span<const std::uint32_t> picked,
                        std::vector<Move>& joint) const {
    const TreeNode& from = nodes_[node];
    machine.look(states_.at(node));
    joint.resize(roles_);
    for (std::size_t role = 0; role < roles_; ++role) {
        joint[role] = machine.legal(role)[0];
    }
    for (std::size_t place = 0; place < from.choice_count; ++place) {
        joint[from.choices[place].role] = from.edges[from.choices[place].first + picked[place]].move;
    }
}

bool GameTree::narrow(NodeId node, std::size_t role, int lower_bound, int upper_bound) {
    auto& least = bounds_[2 * (node * roles_ + role)];
    auto& most = bounds_[2 * (node * roles_ + role) + 1];
    bool changed = false;
    if (lower_bound > least) {
        least = static_cast<std::uint8_t>(lower_bound);
        changed = true;
    }
    if (upper_bound < most) {
        most = static_cast<std::uint8_t>(upper_bound);
        changed = true;
    }
    return changed;
}

bool GameTree::conclude(NodeId node) {
    return nodes_[node].choice_count == 1 ? conclude_single(node) : conclude_joint(node);
}

bool GameTree::conclude_single(NodeId node) {
    const TreeNode& here = nodes_[node];
    bool changed = false;
    for (std::size_t role = 0; role < roles_; ++role) {
        const bool chooses = here.choices[0].role == role;
        int least = chooses ? 0 : most_worth;
        int most = least;
        for (std::uint32_t edge = 0; edge < here.edge_count; ++edge) {
            const auto to = here.edges[edge].to;
            const int least_there = to == no_node ? 0 : lower(to, role);
            const int most_there = to == no_node ? most_worth : upper(to, role);
            least = chooses ? std::max(least, least_there) : std::min(least, least_there);
            most = chooses ? std::max(most, most_there) : std::min(most, most_there);
        }
        changed = narrow(node, role, least, most) || changed;
    }
    return changed;
}

std::pair<int, int> GameTree::bounds_of_edge(NodeId node, std::size_t place, std::uint32_t edge) const {
    const auto choices = nodes_[node].all_choices();
    const auto role = choices[place].role;
    int least = most_worth;
    int most = 0;
    std::vector<std::uint32_t> picked(choices.size(), 0);
    if (joint_moves(node) > most_joint_moves) {
        return {0, most_worth};
    }
    do {
        if (picked[place] == edge) {
            const auto to = known_successor(node, picked);
            least = std::min<int>(least, to == no_node ? 0 : lower(to, role));
            most = std::max<int>(most, to == no_node ? most_worth : upper(to, role));
        }
    } while (next_pick(choices, picked));
    return {least, most};
}

std::size_t GameTree::joint_moves(NodeId node) const {
    std::size_t found = 1;
    for (const auto& choice : nodes_[node].all_choices()) {
        found *= choice.count;
        if (found > most_joint_moves) {
            break;
        }
    }
    return found;
}

// Roles that choose at the same time may profit from mixed strategies, so only the greatest value of any joint
// move is an upper bound.
bool GameTree::conclude_joint(NodeId node) {
    if (joint_moves(node) > most_joint_moves) {
        return false;
    }
    const TreeNode& here = nodes_[node];
    bool changed = false;
    for (std::size_t role = 0; role < roles_; ++role) {
        std::size_t place = 0;
        while (place < here.choice_count && here.choices[place].role != role) {
            ++place;
        }
        int least = 0;
        int most = 0;
        if (place < here.choice_count) {
            for (std::uint32_t edge = 0; edge < here.choices[place].count; ++edge) {
                const auto [least_of_edge, most_of_edge] = bounds_of_edge(node, place, edge);
                least = std::max(least, least_of_edge);
                most = std::max(most, most_of_edge);
            }
        } else {
            // All joint moves are replies to its only move.
            least = most_worth;
            std::vector<std::uint32_t> picked(here.choice_count, 0);
            do {
                const auto to = known_successor(node, picked);
                least = std::min<int>(least, to == no_node ? 0 : lower(to, role));
                most = std::max<int>(most, to == no_node ? most_worth : upper(to, role));
            } while (next_pick(here.all_choices(), picked));
        }
        changed = narrow(node, role, least, most) || changed;
    }
    return changed;
}

std::unique_ptr<GameTree> GameTree::below(NodeId root) const {
    // The successors of nodes with several choices, by node.
    std::unordered_map<NodeId, std::vector<const Joints::value_type*>> joints;
    for (const auto& joint : joints_) {
        joints[joint.first.back()].push_back(&joint);
    }
    auto found = std::make_unique<GameTree>(roles_);
    std::vector<NodeId> numbers(size(), no_node);
    std::vector<NodeId> waiting;
    const auto number_of = [&](NodeId node) {
        if (node != no_node && numbers[node] == no_node) {
            numbers[node] = found->add_empty(states_.at(node));
            waiting.push_back(node);
        }
        return node == no_node ? no_node : numbers[node];
    };
    number_of(root);
    for (std::size_t next = 0; next < waiting.size(); ++next) {
        const auto old = waiting[next];
        const TreeNode& from = nodes_[old];
        TreeNode& to = found->nodes_[numbers[old]];
        std::copy_n(bounds_.begin() + static_cast<std::ptrdiff_t>(2 * old * roles_), 2 * roles_,
                    found->bounds_.begin() + static_cast<std::ptrdiff_t>(2 * numbers[old] * roles_));
        to.visits = from.visits;
        to.is_over = from.is_over;
        if (!from.is_open()) {
            continue;
        }
        to.choice_count = from.choice_count;
        to.edge_count = from.edge_count;
        to.choices = std::make_unique<Choice[]>(from.choice_count);
        to.edges = std::make_unique<TreeEdge[]>(from.edge_count);
        std::copy_n(from.choices.get(), from.choice_count, to.choices.get());
        std::copy_n(from.edges.get(), from.edge_count, to.edges.get());
        found->edge_bytes_ +=
            from.edge_count * sizeof(TreeEdge) + from.choice_count * sizeof(Choice) + 2 * sizeof(std::max_align_t);
        for (std::uint32_t edge = 0; edge < to.edge_count; ++edge) {
            to.edges[edge].to = number_of(from.edges[edge].to);
        }
        if (const auto here = joints.find(old); here != joints.end()) {
            for (const auto* joint : here->second) {
                auto key = joint->first;
                key.back() = numbers[old];
                found->joints_.emplace(std::move(key), number_of(joint->second));
            }
        }
    }
    return found;
}

}  // namespace hornbook::planner
