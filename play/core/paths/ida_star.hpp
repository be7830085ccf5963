// Iterative-deepening A* (Korf 1985): depth-first searches of all paths that the heuristic does not prove
// longer than a limit. Each limit is the least one exceeded by the previous search. The first path found is a
// shortest one.
#pragma once

#include "play/core/paths/paths.hpp"

namespace play {

template <GameOfOne G, Bound<G> B>
class IdaStar {
public:
    IdaStar(const B& bound, Count count) : bound_(bound), count_(count) {}

    Path<G> operator()(const typename G::State& state) {
        Path<G> path;
        int limit = bound_(state);
        while (!path.is_found && limit < NEVER && !count_.is_spent()) {
            least_passed_ = NEVER;
            path.moves.clear();
            path.is_found = search(state, limit, nullptr, path.moves);
            limit = least_passed_;
        }
        path.nodes = count_.nodes();
        return path;
    }

private:
    // Whether at most this number of moves leads to the goal; `least_passed_` counts from the first state.
    bool search(const typename G::State& state, int left, const typename G::Move* undo,
                std::vector<typename G::Move>& moves, int made = 0) {
        if (G::is_over(state)) {
            return true;
        }
        Moves<G> legal;
        G::moves(state, legal);
        for (const auto move : legal) {
            if ((undo != nullptr && move == *undo) || count_.is_spent()) {
                continue;
            }
            const typename G::State next = G::after(state, move);
            count_.add();
            const int needed = 1 + bound_(next);
            if (needed > left) {
                least_passed_ = least_passed_ < made + needed ? least_passed_ : made + needed;
                continue;
            }
            const typename G::Move back = G::undo(state, move);
            moves.push_back(move);
            if (search(next, left - 1, &back, moves, made + 1)) {
                return true;
            }
            moves.pop_back();
        }
        return false;
    }

    const B& bound_;
    Count count_;
    int least_passed_ = NEVER;
};

}  // namespace play
