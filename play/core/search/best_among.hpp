// A decision between some of the moves of a state, by any search of their successors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "play/core/search/search.hpp"

namespace play {

// The best of some legal moves. Each has an equal part of the nodes and seconds, and one move less of the depth.
template <GameOfTwo G>
Found<G> best_among(const Search<G>& search, const typename G::State& state, const Budget& budget,
                    const std::vector<typename G::Move>& moves) {
    Budget part = budget.own();
    if (part.nodes != std::numeric_limits<std::uint64_t>::max()) {
        part.nodes = std::max<std::uint64_t>(1, part.nodes / moves.size());
    }
    part.seconds /= static_cast<double>(moves.size());
    part.depth = budget.depth - 1;
    part.trace = false;
    Found<G> best;
    best.value = WORST<G>;
    Spent spent;
    for (const auto move : moves) {
        const typename G::State after = G::after(state, move);
        Found<G> found;
        if (G::is_over(after) || part.depth == 0) {
            ++found.spent.evaluations;
            found.value = G::evaluation(after);
        } else {
            found = search(after, part);
        }
        spent.expansions += found.spent.expansions;
        spent.evaluations += found.spent.evaluations;
        spent.asked += found.spent.asked;
        spent.seconds += found.spent.seconds;
        const bool is_decided = found.move.has_value() || G::is_over(after) || part.depth == 0;
        found.value = G::to_move(after) == G::to_move(state) ? found.value : -found.value;
        if (is_decided && found.value > best.value) {
            found.line.insert(found.line.begin(), move);
            found.move = move;
            ++found.depth;
            best = std::move(found);
        }
    }
    best.spent = spent;
    if (!best.move.has_value()) {
        best.value = 0;
        best.why = part.stop != nullptr && part.stop->load() ? Why::STOPPED : Why::NODES;
    }
    return best;
}

}  // namespace play
