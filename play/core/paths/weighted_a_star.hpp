// Weighted A* (Pohl 1970): the state with the least moves made + weight × bound is expanded next; ties prefer
// more moves made. With weight 1 the path is a shortest one; otherwise it is at most weight times as long.
#pragma once

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "play/core/paths/paths.hpp"

namespace play {

template <GameOfOne G, Bound<G> B>
Path<G> weighted_a_star(const typename G::State& start, const B& bound, double weight, Count count) {
    struct Node {
        typename G::State state;
        std::size_t parent;
        typename G::Move move;
        int made;
    };
    struct Open {
        double cost;
        int made;
        std::size_t node;
        bool operator<(const Open& other) const { return cost != other.cost ? cost > other.cost : made < other.made; }
    };
    std::vector<Node> nodes{{start, 0, {}, 0}};
    std::unordered_map<typename G::State, std::size_t, StateHash<G>> known{{start, 0}};
    std::priority_queue<Open> open;
    open.push({weight * bound(start), 0, 0});
    Path<G> path;
    while (!open.empty() && !count.is_spent()) {
        const Open best = open.top();
        open.pop();
        if (best.made > nodes[best.node].made) {
            continue;  // a shorter path to it was found in the meantime
        }
        const typename G::State state = nodes[best.node].state;
        if (G::is_over(state)) {
            for (std::size_t at = best.node; at != 0; at = nodes[at].parent) {
                path.moves.push_back(nodes[at].move);
            }
            std::reverse(path.moves.begin(), path.moves.end());
            path.is_found = true;
            break;
        }
        Moves<G> legal;
        G::moves(state, legal);
        for (const auto move : legal) {
            const typename G::State next = G::after(state, move);
            count.add();
            const int made = best.made + 1;
            const auto [place, is_new] = known.try_emplace(next, nodes.size());
            const std::size_t node = place->second;
            if (is_new) {
                nodes.push_back({next, best.node, move, made});
            } else if (made < nodes[node].made) {
                nodes[node].parent = best.node;
                nodes[node].move = move;
                nodes[node].made = made;
            } else {
                continue;
            }
            open.push({made + weight * bound(next), made, node});
        }
    }
    path.nodes = count.nodes();
    return path;
}

}  // namespace play
