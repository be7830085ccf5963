// A stored game tree: states with values backed up by minimax. Values are for one player, who maximises them.
//
// The value of a node with children is the best of theirs for the player to move; ties are resolved by their
// order. The children of a node are adjacent, after all earlier nodes.
//
// External knowledge about a node's value bounds it, and is queried if many nodes were expanded below.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "play/core/search/conditions.hpp"
#include "play/core/search/known.hpp"
#include "play/core/search/search.hpp"

namespace play {

constexpr int NO_BOUND = std::numeric_limits<int>::max();

template <GameOfTwo G>
struct Node {
    typename G::State state;
    typename G::Move move;  // the move to this node
    std::uint32_t parent = 0;
    std::uint32_t first = 0;  // child
    std::uint16_t count = 0;
    bool is_mine = false;  // whether the maximising player is to move
    bool is_over = false;
    bool was_asked = false;  // whether external knowledge was queried
    int value = 0;
    int least = -NO_BOUND;  // the known bound of the value
    int greatest = NO_BOUND;
    std::uint32_t below = 0;  // number of nodes, if they are counted

    bool is_settled() const { return is_over || least == greatest; }
};

template <GameOfTwo G>
class Tree {
public:
    using Index = std::uint32_t;
    static constexpr Index ROOT = 0;

    Tree(const typename G::State& state, Meter& meter) : player_(G::to_move(state)), meter_(meter) {
        nodes_.reserve(FIRST);
        add(state, {}, ROOT);
    }

    const Node<G>& operator[](Index place) const { return nodes_[place]; }
    Index size() const { return static_cast<Index>(nodes_.size()); }

    // Adds the children of a leaf that is not over: all, or one for each class of symmetric states.
    void expand(Index leaf, bool all = true) {
        Moves<G> moves;
        const auto state = nodes_[leaf].state;
        G::moves(state, moves);
        meter_.expand();
        const Index first = size();
        std::vector<typename G::State> seen;
        for (const auto move : moves) {
            const auto after = G::after(state, move);
            if (!all) {
                const auto same = representative(after);
                if (std::find(seen.begin(), seen.end(), same) != seen.end()) {
                    continue;
                }
                seen.push_back(same);
            }
            add(after, move, leaf);
        }
        nodes_[leaf].first = first;
        nodes_[leaf].count = static_cast<std::uint16_t>(size() - first);
    }

    // Queries the knowledge about the nodes from an expanded one up to the root, if enough nodes were expanded below.
    void ask(Known<G>& known, Index leaf) {
        const std::uint32_t more = nodes_[leaf].count;
        for (Index place = leaf; place != ROOT; place = nodes_[place].parent) {
            auto& node = nodes_[place];
            node.below += more;
            if (!node.was_asked && known.is_asked_after(node.below)) {
                bound(place, known.of(node.state, meter_));
            }
        }
    }

    // Bounds the value of a node.
    void bound(Index place, const Bounds<G>& known) {
        auto& node = nodes_[place];
        node.was_asked = true;
        const bool from = known.least > WORST<G>, to = known.greatest < -WORST<G>;
        node.least = node.is_mine ? (from ? known.least : -NO_BOUND) : (to ? -known.greatest : -NO_BOUND);
        node.greatest = node.is_mine ? (to ? known.greatest : NO_BOUND) : (from ? -known.least : NO_BOUND);
        back_up(place);
    }

    // Updates the values from a node up to the root, or until they do not change; returns the last node.
    Index back_up(Index place) {
        while (true) {
            const int value = std::clamp(nodes_[best(place)].value, nodes_[place].least, nodes_[place].greatest);
            if (value == nodes_[place].value) {
                return place;
            }
            nodes_[place].value = value;
            if (place == ROOT) {
                return place;
            }
            place = nodes_[place].parent;
        }
    }

    // The first of the best children.
    Index best(Index place) const {
        const auto& node = nodes_[place];
        Index found = node.first;
        for (Index child = found + 1; child < node.first + node.count; ++child) {
            if (node.is_mine ? nodes_[child].value > nodes_[found].value : nodes_[child].value < nodes_[found].value) {
                found = child;
            }
        }
        return found;
    }

    // The path from the root along the best children to a leaf.
    std::vector<typename G::Move> line() const {
        std::vector<typename G::Move> found;
        for (Index place = ROOT; nodes_[place].count > 0;) {
            place = best(place);
            found.push_back(nodes_[place].move);
        }
        return found;
    }

    // The moves from the root to a node.
    std::vector<typename G::Move> path(Index place) const {
        std::vector<typename G::Move> found;
        for (; place != ROOT; place = nodes_[place].parent) {
            found.push_back(nodes_[place].move);
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

private:
    static typename G::State representative(const typename G::State& state) {
        if constexpr (Symmetric<G>) {
            return G::canonical(state);
        } else {
            return state;
        }
    }

    void add(const typename G::State& state, typename G::Move move, Index parent) {
        const int value = G::evaluation(state);
        meter_.evaluate();
        auto& made = nodes_.emplace_back();
        made.state = state;
        made.move = move;
        made.parent = parent;
        made.is_mine = G::to_move(state) == player_;
        made.is_over = G::is_over(state);
        made.value = made.is_mine ? value : -value;
    }

    static constexpr std::size_t FIRST = 256;

    int player_;
    Meter& meter_;
    std::vector<Node<G>> nodes_;
};

}  // namespace play
