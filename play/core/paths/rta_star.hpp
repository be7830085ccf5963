// Real-time A* (Korf 1990): before each move the neighbouring states are evaluated by looking a number of
// moves ahead. Their value is the least of moves + bound there, unless they were left before. The best one is
// entered, and the state that is left stores the second best value: the cost of coming back and continuing
// from it. Alpha pruning skips nodes that the bound proves to be no better than the second best so far.
#pragma once

#include <cstdint>
#include <random>
#include <unordered_map>

#include "play/core/paths/paths.hpp"

namespace play {

template <GameOfOne G, Bound<G> B>
class RtaStar {
public:
    // Looks `depth` moves ahead, at least 1; the first of them is the move to be made. The bound is
    // multiplied by `weight`, at least 1.
    RtaStar(const B& bound, int depth, double weight, std::uint32_t seed, Count count)
        : bound_(bound), depth_(depth), weight_(weight), count_(count), random_(seed) {}

    Path<G> operator()(const typename G::State& start, std::size_t most_moves) {
        Path<G> path;
        typename G::State state = start;
        while (!G::is_over(state) && path.moves.size() < most_moves && !count_.is_spent()) {
            double best = NEVER, second = NEVER;
            std::uint32_t equals = 0;
            typename G::Move chosen{};
            Moves<G> legal;
            G::moves(state, legal);
            for (const auto move : legal) {
                const typename G::State next = G::after(state, move);
                count_.add();
                const auto known = left_.find(next);
                const auto back = G::undo(state, move);
                const double value = 1 + (known != left_.end() ? known->second : ahead(next, depth_ - 1, &back, second - 1));
                // Ties are broken uniformly at random.
                equals = value == best ? equals + 1 : value < best ? 1 : equals;
                if (value < best || (value == best && random_() % equals == 0)) {
                    second = best;
                    best = value;
                    chosen = move;
                } else if (value < second) {
                    second = value;
                }
            }
            left_[state] = second;
            path.moves.push_back(chosen);
            state = G::after(state, chosen);
        }
        path.is_found = G::is_over(state);
        path.nodes = count_.nodes();
        return path;
    }

private:
    // The least of moves + bound at this depth, or some value of at least `alpha` if it is not less.
    double ahead(const typename G::State& state, int depth, const typename G::Move* undo, double alpha) {
        const double here = weight_ * bound_(state);
        if (depth == 0 || here == 0) {
            return here;
        }
        // With each move the bound decreases by at most one.
        const double at_least = here - (weight_ - 1) * depth;
        if (at_least >= alpha) {
            return at_least;
        }
        Moves<G> legal;
        G::moves(state, legal);
        double least = NEVER;
        for (const auto move : legal) {
            if (move == *undo) {
                continue;
            }
            const typename G::State next = G::after(state, move);
            count_.add();
            const auto back = G::undo(state, move);
            const double value = 1 + ahead(next, depth - 1, &back, alpha - 1);
            least = value < least ? value : least;
            alpha = value < alpha ? value : alpha;
        }
        return least;
    }

    const B& bound_;
    int depth_;
    double weight_;
    Count count_;
    std::minstd_rand random_;
    std::unordered_map<typename G::State, double, StateHash<G>> left_;
};

}  // namespace play
