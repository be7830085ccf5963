#include "conditional/graph.hpp"

#include <algorithm>
#include <limits>

namespace hornbook::planner {

namespace {

constexpr std::size_t first_slots = 1 << 12;

std::uint64_t hash(std::span<const Word> words) {
    // The mixing step of splitmix64 (Steele, Lea and Flood 2014), over all words.
    std::uint64_t mixed = 0x9e3779b97f4a7c15ULL * (words.size() + 1);
    for (const Word word : words) {
        mixed += word + 0x9e3779b97f4a7c15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        mixed ^= mixed >> 31;
    }
    return mixed;
}

}  // namespace

Graph::Graph(Machine& machine, std::size_t role, std::span<const Word> start, std::size_t most_bytes)
    : machine_(machine), role_(role), most_bytes_(most_bytes), table_(first_slots), legal_(machine.roles()) {
    add(start);
}

std::size_t Graph::bytes() const {
    return nodes_.size() * sizeof(Node) + words_.size() * sizeof(Word) + edges_.size() * sizeof(Index) +
           table_.size() * sizeof(Index);
}

State Graph::state(Index state) const {
    const auto& node = nodes_[state];
    return {words_.data() + node.words, node.length};
}

bool Graph::expand(Index state) {
    // The words may move when others are added.
    buffer_.assign(words_.begin() + static_cast<std::ptrdiff_t>(nodes_[state].words),
                   words_.begin() + static_cast<std::ptrdiff_t>(nodes_[state].words + nodes_[state].length));
    machine_.look(buffer_);
    if (machine_.terminal()) {
        const int goal = machine_.goal(role_);
        nodes_[state].worth = goal < 0 ? no_end : static_cast<Worth>(std::min<int>(goal, most_worth));
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
    const std::size_t room = (most_bytes_ - std::min(most_bytes_, bytes())) / sizeof(Index);
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

Graph::Names Graph::names(Index state) {
    const auto words = this->state(state);
    machine_.look(words);
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
        auto& reply = found.replies.emplace_back();
        for (std::size_t other = 0; other < joint.size(); ++other) {
            if (other != role_) {
                reply.push_back(joint[other]);
            }
        }
    } while (next_reply(places, joint));
    return found;
}

// Reads the legal moves of all; false where a role has none.
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
            // Beyond every bound rather than around the end of the numbers.
            product = product > std::numeric_limits<Index>::max() ? product : product * legal_[other].size();
        }
    }
    return product;
}

// The next joint reply of the others, the last role's moves changing fastest; false after the last one.
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

Index Graph::add(std::span<const Word> words) {
    if ((nodes_.size() + 1) * 3 > table_.size() * 2) {
        make_room();
    }
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = hash(words) & mask;
    while (table_[slot] != 0) {
        const Index known = table_[slot] - 1;
        if (std::ranges::equal(state(known), words)) {
            return known;
        }
        slot = (slot + 1) & mask;
    }
    const auto first = words_.size();
    words_.insert(words_.end(), words.begin(), words.end());
    nodes_.push_back({first, 0, static_cast<std::uint32_t>(words.size()), 0, 0, waiting});
    table_[slot] = size();
    return size() - 1;
}

void Graph::make_room() {
    std::vector<Index> larger(table_.size() * 2);
    const std::size_t mask = larger.size() - 1;
    for (Index known = 0; known < size(); ++known) {
        std::size_t slot = hash(state(known)) & mask;
        while (larger[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        larger[slot] = known + 1;
    }
    table_.swap(larger);
}

}  // namespace hornbook::planner
