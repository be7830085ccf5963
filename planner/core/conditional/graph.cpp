#include "conditional/graph.hpp"

#include <algorithm>
#include <limits>

namespace hornbook::planner {

namespace {

// The target, and its reverse edge for backward induction.
constexpr std::size_t bytes_of_edge = 2 * sizeof(Index);

}  // namespace

Graph::Graph(Machine& machine, std::size_t role, State start, std::size_t most_bytes)
    : machine_(machine), role_(role), most_bytes_(most_bytes), legal_(machine.roles()) {
    add(start);
}

std::size_t Graph::bytes() const {
    return states_.bytes() + nodes_.size() * sizeof(Node) + edges_.size() * bytes_of_edge;
}

bool Graph::expand(Index state, Watch& watch) {
    machine_.look(states_.at(state));
    if (machine_.terminal()) {
        const int goal = machine_.goal(role_);
        nodes_[state].worth = goal < 0 ? no_end : goal;
        ++expanded_;
        return true;
    }
    if (!read_legal()) {
        nodes_[state].worth = no_end;
        ++expanded_;
        return true;
    }
    const std::size_t replies = replies_of_others();
    const std::size_t rows = legal_[role_].size();
    const std::size_t room = (most_bytes_ - std::min(most_bytes_, bytes())) / bytes_of_edge;
    if (replies > room / rows || nodes_.size() + rows * replies >= std::numeric_limits<Index>::max()) {
        return false;
    }
    found_.clear();
    std::vector<Move> joint(legal_.size());
    std::vector<std::size_t> places(legal_.size());
    for (const Move move : legal_[role_]) {
        std::ranges::fill(places, 0);
        for (std::size_t other = 0; other < joint.size(); ++other) {
            joint[other] = legal_[other][0];
        }
        joint[role_] = move;
        do {
            watch.step();
            buffer_.clear();
            machine_.next(joint, buffer_);
            found_.push_back(add(buffer_));
        } while (next_reply(places, joint));
    }
    const std::uint64_t first = edges_.size();
    edges_.insert(edges_.end(), found_.begin(), found_.end());
    auto& node = nodes_[state];
    node.edges = first;
    node.moves = static_cast<std::uint32_t>(rows);
    node.replies = static_cast<std::uint32_t>(replies);
    node.worth = goes_on;
    ++expanded_;
    return true;
}

Graph::Names Graph::names(Index state, Watch& watch) {
    machine_.look(states_.at(state));
    Names found;
    if (nodes_[state].worth != goes_on || !read_legal()) {
        return found;
    }
    found.moves = legal_[role_];
    std::vector<Move> joint(legal_.size());
    std::vector<std::size_t> places(legal_.size());
    for (std::size_t other = 0; other < joint.size(); ++other) {
        joint[other] = legal_[other][0];
    }
    do {
        watch.step();
        auto& reply = found.replies.emplace_back();
        for (std::size_t other = 0; other < joint.size(); ++other) {
            if (other != role_) {
                reply.push_back(joint[other]);
            }
        }
    } while (next_reply(places, joint));
    return found;
}

// Read the legal moves of all roles; return false if a role has none.
bool Graph::read_legal() {
    for (std::size_t role = 0; role < legal_.size(); ++role) {
        const auto moves = machine_.legal(role);
        legal_[role].assign(moves.begin(), moves.end());
    }
    return std::ranges::none_of(legal_, [](const auto& moves) { return moves.empty(); });
}

std::size_t Graph::replies_of_others() const {
    std::size_t product = 1;
    for (std::size_t other = 0; other < legal_.size(); ++other) {
        if (other != role_) {
            // Saturate above every bound instead of wrapping around.
            product = product > std::numeric_limits<Index>::max() ? product : product * legal_[other].size();
        }
    }
    return product;
}

// The next joint reply of the others, with the last role's moves changing fastest; false after the last one.
bool Graph::next_reply(std::vector<std::size_t>& places, std::vector<Move>& joint) const {
    for (std::size_t other = joint.size(); other-- > 0;) {
        if (other == role_) {
            continue;
        }
        if (++places[other] < legal_[other].size()) {
            joint[other] = legal_[other][places[other]];
            return true;
        }
        places[other] = 0;
        joint[other] = legal_[other][0];
    }
    return false;
}

Index Graph::add(State state) {
    const auto [known, is_new] = states_.insert(state);
    if (is_new) {
        nodes_.push_back({0, 0, 0, waiting});
    }
    return known;
}

}  // namespace hornbook::planner
