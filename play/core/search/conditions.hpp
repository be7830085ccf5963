// The values for grouping states in statistics of a game: numbers provided by the game.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "play/core/game.hpp"

namespace play {

// A game with a measure of progress, in percent of a long game: from 0 to 99.
template <class G>
concept Progressing = Game<G> && requires(const typename G::State& state) {
    { G::progress(state) } -> std::same_as<int>;
};

// A game with symmetries: equal results for symmetric states with the same player to move.
template <class G>
concept Symmetric = Game<G> && requires(const typename G::State& state) {
    { G::canonical(state) } -> std::same_as<typename G::State>;
};

template <Game G>
int progress(const typename G::State& state) {
    if constexpr (Progressing<G>) {
        return G::progress(state);
    } else {
        return 0;
    }
}

template <Game G>
constexpr std::size_t feature_count() {
    if constexpr (Featured<G>) {
        return std::size(G::feature_names);
    } else {
        return 0;
    }
}

// The progress, the number of moves, the given evaluation, and the features if a game has them.
template <Game G>
std::array<int, 3 + feature_count<G>()> conditions(const typename G::State& state, int evaluation) {
    std::array<int, 3 + feature_count<G>()> found{};
    found[0] = progress<G>(state);
    if constexpr (Counting<G>) {
        found[1] = static_cast<int>(G::count_moves(state));
    } else {
        Moves<G> moves;
        G::moves(state, moves);
        found[1] = static_cast<int>(moves.size());
    }
    found[2] = evaluation;
    if constexpr (Featured<G>) {
        const auto features = G::features(state);
        std::copy(features.begin(), features.end(), found.begin() + 3);
    }
    return found;
}

template <Game G>
std::vector<std::string> condition_names() {
    std::vector<std::string> found = {"progress", "number of moves", "evaluation"};
    if constexpr (Featured<G>) {
        found.insert(found.end(), G::feature_names.begin(), G::feature_names.end());
    }
    return found;
}

}  // namespace play
