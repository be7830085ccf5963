// Policies that are learned from the results of games with deep searches at random moves. The gains of deep
// searches in score are weighed against their nodes, at a price. The worth of a single move by its own search
// is not needed, so combined gains of deep searches count, and so do moves after which nothing can be gained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "play/core/allocation/boards.hpp"

namespace play::allocation {

// The features of a policy: the hand-made ones, the number of the move, and whether the previous move was
// searched deeply.
template <Allocating A>
constexpr std::size_t asked_features = A::hand + 2;

template <Allocating A>
std::array<std::int16_t, asked_features<A>> features_of(const Asked<typename A::Game>& asked) {
    std::array<std::int16_t, asked_features<A>> found{};
    A::by_hand(asked.state, found.data());
    found[A::hand] = static_cast<std::int16_t>(asked.move);
    found[A::hand + 1] = asked.deep_before ? 1 : 0;
    return found;
}

// A tree whose leaves have the worth of a deep search minus its price, in units of a game's score.
struct Policy {
    Tree tree;
};

template <Allocating A>
bool decides(const Policy& policy, const Asked<typename A::Game>& asked) {
    const auto features = features_of<A>(asked);
    return policy.tree.leaf([&](int feature) { return features[static_cast<std::size_t>(feature)]; }).worth > 0;
}

template <Allocating A>
Strategies<typename A::Game> by_policy(const Policy& policy) {
    using G = typename A::Game;
    return [&policy](Random&) -> Strategy<G> { return [&policy](const Asked<G>& asked) { return decides<A>(policy, asked); }; };
}

// Random decisions in games: each row of the table is one decision, with the score of its game.
struct Explored {
    Table table;
    std::vector<std::uint8_t> deep;   // the decision,
    std::vector<double> chance;       // the probability of a deep search, and
    std::vector<std::uint32_t> nodes;  // the nodes of the move
};

// The probability that a random decision agrees with the previous one, or with the policy if there is one.
constexpr double AGREED = 0.75;

// The decisions of `games` games.
template <Allocating A>
Explored explored(const typename A::Game::State& start, const Setting& setting, const Policy* policy, std::uint64_t games,
                  std::uint64_t seed, const Pause& pause) {
    using G = typename A::Game;
    Explored found;
    found.table.width = asked_features<A>;
    for (std::uint64_t game = 0; game < games; ++game) {
        pause();
        std::seed_seq seeds{seed, game};
        Random random(seeds);
        std::uniform_real_distribution<double> lot;
        Tally tally;
        std::vector<std::uint64_t> before;  // nodes before each decision
        const auto nodes = [&] { return tally.shallow_nodes + tally.deep_nodes; };
        const Strategy<G> strategy = [&](const Asked<G>& asked) {
            const bool likely = policy != nullptr ? decides<A>(*policy, asked) : asked.deep_before;
            const double chance = likely ? AGREED : 1 - AGREED;
            const bool deep = lot(random) < chance;
            const auto features = features_of<A>(asked);
            found.table.features.insert(found.table.features.end(), features.begin(), features.end());
            found.deep.push_back(deep ? 1 : 0);
            found.chance.push_back(chance);
            before.push_back(nodes());
            return deep;
        };
        play_game<G>(start, setting, strategy, false, static_cast<int>(game % 2), random, tally);
        before.push_back(nodes());
        for (std::size_t at = 0; at + 1 < before.size(); ++at) {
            found.nodes.push_back(static_cast<std::uint32_t>(before[at + 1] - before[at]));
            found.table.worth.push_back(tally.won != 0 ? 1 : tally.drawn != 0 ? 0.5 : 0);
        }
    }
    return found;
}

// The policy for a price per node in units of the score. No leaf has fewer than `least` decisions.
//
// A decision's gain is estimated by the score minus its expected value there, divided by the probability of
// the decision and with its sign. The mean over similar decisions is the gain of a deep search there (Horvitz
// and Thompson 1952). A tree by variance groups similar decisions.
inline Policy priced(const Explored& explored, double price, std::size_t least) {
    const Table& table = explored.table;
    std::vector<std::size_t> features(table.width);
    std::iota(features.begin(), features.end(), std::size_t{0});
    Table got = table;
    for (std::size_t row = 0; row < got.size(); ++row) {
        got.worth[row] -= price * explored.nodes[row];
    }
    const Tree expected = Grower(got, features, least, Gain::VARIANCE).grown();
    for (std::size_t row = 0; row < got.size(); ++row) {
        const double surprise = got.worth[row] - expected.leaf([&](int feature) { return table.at(row, static_cast<std::size_t>(feature)); }).worth;
        got.worth[row] = explored.deep[row] != 0 ? surprise / explored.chance[row] : -surprise / (1 - explored.chance[row]);
    }
    return {Grower(got, std::move(features), least, Gain::VARIANCE).grown()};
}

}  // namespace play::allocation
