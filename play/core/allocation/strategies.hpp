// Strategies of allocation: the choice of moves for a deep search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "play/core/allocation/boards.hpp"

namespace play::allocation {

// The decision rule of leaves. MAJORITY uses a threshold of a half on the share of positive boards (plain
// ID3). CONTEXT uses the share of searches left among the moves left (equation 5, with the greatest b: boards
// at leaves with a greater worth form less than that share). PROGRAM uses the minimal worth that dynamic
// programming requires.
enum class By { MAJORITY, CONTEXT, PROGRAM };

template <Allocating A>
struct Classifier {
    Tree tree;
    Found<A> found;
    By by = By::CONTEXT;
    std::vector<std::vector<double>> least;  // by moves and searches left
};

template <Allocating A>
Strategies<typename A::Game> by_classifier(const Classifier<A>& classifier) {
    using G = typename A::Game;
    return [&classifier](Random&) -> Strategy<G> {
        return [&classifier](const Asked<G>& asked) {
            Features<A> features(asked.state, classifier.found, asked.meter);
            const Node& leaf = classifier.tree.leaf([&](int feature) { return features(static_cast<std::size_t>(feature)); });
            if (asked.shallow == A::shallow) {
                asked.best = features.best();
            }
            const auto moves = static_cast<std::size_t>(asked.moves_left), searches = static_cast<std::size_t>(asked.searches_left);
            switch (classifier.by) {
                case By::MAJORITY: return leaf.worth >= 0.5;
                case By::CONTEXT: return leaf.before * asked.moves_left < asked.searches_left;
                case By::PROGRAM: return leaf.worth > classifier.least[moves][std::min(searches, moves)];
            }
            throw std::logic_error("no way to decide");
        };
    };
}

template <Judged G>
Strategies<G> never() {
    return [](Random&) -> Strategy<G> { return [](const Asked<G>&) { return false; }; };
}

// The moves are drawn at the beginning of a game.
template <Judged G>
Strategies<G> at_random(const Setting& setting) {
    return [setting](Random& random) -> Strategy<G> {
        std::vector<int> moves(static_cast<std::size_t>(setting.moves));
        std::iota(moves.begin(), moves.end(), 1);
        std::shuffle(moves.begin(), moves.end(), random);
        moves.resize(static_cast<std::size_t>(setting.searches));
        return [moves](const Asked<G>& asked) { return std::find(moves.begin(), moves.end(), asked.move) != moves.end(); };
    };
}

// Consecutive moves, from a given one on.
template <Judged G>
Strategies<G> in_a_row(int from) {
    return [from](Random&) -> Strategy<G> { return [from](const Asked<G>& asked) { return asked.move >= from; }; };
}

// Deep searches at states where they are worth more than a threshold, in pieces, found by making them: at 0
// the class is positive. Its nodes are counted.
template <Judged G>
Strategies<G> oracle(const Setting& setting, double more_than) {
    return [setting, more_than](Random&) -> Strategy<G> {
        return [setting, more_than](const Asked<G>& asked) {
            const auto shallow = looked<G>(asked.state, setting.shallow, asked.meter);
            const auto deep = looked<G>(asked.state, setting.deep, asked.meter);
            return worth<G>(shallow, deep).utility / G::men > more_than;
        };
    };
}

}  // namespace play::allocation
