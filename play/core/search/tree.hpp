// A game tree that is kept whole: states with values backed up by minimax. Values are for one player, who makes them great.
//
// Of each node that has children the value is the best of theirs for who is to move; equal ones count in their order. The
// children of a node stand side by side, after all nodes that were there before.
//
// What is known from elsewhere of a node's value bounds it, and it is asked for where much was expanded below.
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
    typename G::Move move;  // that led here
    std::uint32_t parent = 0;
    std::uint32_t first = 0;  // child
    std::uint16_t count = 0;
    bool is_mine = false;  // whether who makes values great is to move
    bool is_over = false;
    bool was_asked = false;  // for what is known of it
    int value = 0;
    int least = -NO_BOUND;  // of the value, as far as it is known
    int greatest = NO_BOUND;
    std::uint32_t below = 0;  // nodes, where they are counted

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

    // Adds the children of a leaf that is not over: all, or one of those that are the same by a symmetry of the game.
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

    // Asks what is known of the nodes from one that was expanded up to the root, below which enough was expanded.
    void ask(Known<G>& known, Index leaf) {
        const std::uint32_t more = nodes_[leaf].count;
        for (Index place = leaf; place != ROOT; place = nodes_[place].parent) {
            auto& node = nodes_[place];
            node.below += more;
            if (!node.was_asked && known.is_asked_after(node.below)) {
                bound(place, known.of(node.state, meter_), known.is_only());
            }
        }
    }

    // Bounds the value of a node; with `only`, a move that is known to reach the least one has no others beside it.
    void bound(Index place, const Bounds<G>& known, bool only) {
        auto& node = nodes_[place];
        node.was_asked = true;
        const bool from = known.least > WORST<G>, to = known.greatest < -WORST<G>;
        node.least = node.is_mine ? (from ? known.least : -NO_BOUND) : (to ? -known.greatest : -NO_BOUND);
        node.greatest = node.is_mine ? (to ? known.greatest : NO_BOUND) : (from ? -known.least : NO_BOUND);
        if (only && known.move.has_value()) {
            for (Index child = node.first; child < node.first + node.count; ++child) {
                if (nodes_[child].move == *known.move) {
                    node.first = child;
                    node.count = 1;
                }
            }
        }
        back_up(place);
    }

    // Renews the values from a node up to the root, or as far as they change; where it ended.
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

    // From the root along the best children to a leaf.
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
