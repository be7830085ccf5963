// Games between a player with a few deep searches and one without, and boards of games between two players without.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "play/core/allocation/setting.hpp"

namespace play::allocation {

// The information for a strategy before a move: there is a choice, and a deep search is left.
template <GameOfTwo G>
struct Asked {
    const typename G::State& state;
    int move;           // the number of its own move, from 1
    int moves_left;     // including this one
    int searches_left;
    bool deep_before;   // the previous answer
    int shallow;        // the depth of the shallow search
    Meter& meter;       // counts the nodes of the decision
    Moves<G>& best;     // initially empty; a strategy that makes the shallow search stores its best moves here, so
                        // that it is not repeated
};

template <GameOfTwo G>
using Strategy = std::function<bool(const Asked<G>&)>;

// A strategy is made for each game, because it may make random choices at the beginning of a game.
template <GameOfTwo G>
using Strategies = std::function<Strategy<G>(Random&)>;

struct Tally {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    std::uint64_t moves = 0, asked = 0, deep = 0;  // of the strategy's side: moves, queries, deep searches
    std::uint64_t shallow_nodes = 0, deep_nodes = 0, deciding_nodes = 0;
    double seconds = 0;  // processor seconds of both sides
    double deciding_seconds = 0;

    std::uint64_t games() const { return won + lost + drawn; }
};

// Play one game; the strategy plays as player `side`. With `always`, every move is searched deeply,
// regardless of the budget.
template <Judged G>
void play_game(const typename G::State& start, const Setting& setting, const Strategy<G>& strategy, bool always, int side,
               Random& random, Tally& tally) {
    auto state = start;
    int searches = setting.searches;
    int moves = 0;
    bool deep_before = false;
    std::array<int, 2> made = {0, 0};
    while (!G::is_over(state) && (made[0] < setting.moves || made[1] < setting.moves)) {
        const int mover = G::to_move(state);
        const int number = ++made[static_cast<std::size_t>(mover)];
        bool deep = false;
        Meter meter{Budget{}};
        Moves<G> best;
        if (mover == side) {
            ++moves;
            Moves<G> legal;
            G::moves(state, legal);
            if (legal.size() > 1 && (always || searches > 0)) {
                if (always) {
                    deep = true;
                } else {
                    const double began = processor_seconds();
                    Meter deciding{Budget{}};
                    ++tally.asked;
                    deep = strategy({state, number, setting.moves - number + 1, searches, deep_before, setting.shallow, deciding, best});
                    tally.deciding_nodes += deciding.nodes();
                    tally.deciding_seconds += processor_seconds() - began;
                    searches -= deep ? 1 : 0;
                }
                tally.deep += deep ? 1 : 0;
                deep_before = deep;
            }
        }
        if (!deep && best.size() > 0) {
            state = G::after(state, best[std::uniform_int_distribution<std::size_t>(0, best.size() - 1)(random)]);
        } else {
            state = G::after(state, chosen<G>(state, deep ? setting.deep : setting.shallow, meter, random, best));
        }
        if (mover == side) {
            (deep ? tally.deep_nodes : tally.shallow_nodes) += meter.nodes();
        }
    }
    tally.moves += static_cast<std::uint64_t>(moves);
    const int result = G::is_over(state) ? G::outcome(state) : G::judged(state);
    const int ours = side == 0 ? result : -result;
    ++(ours > 0 ? tally.won : ours < 0 ? tally.lost : tally.drawn);
}

// Called between games; its exceptions end them.
using Pause = std::function<void()>;

// Play `games` games, each with separate random numbers; the sides alternate.
template <Judged G>
Tally play_games(const typename G::State& start, const Setting& setting, const Strategies<G>& strategies, bool always,
                 std::uint64_t games, std::uint64_t seed, const Pause& pause) {
    Tally tally;
    const double began = processor_seconds();
    for (std::uint64_t game = 0; game < games; ++game) {
        pause();
        std::seed_seq seeds{seed, game};
        Random random(seeds);
        const Strategy<G> strategy = strategies(random);
        play_game<G>(start, setting, strategy, always, static_cast<int>(game % 2), random, tally);
    }
    tally.seconds = processor_seconds() - began;
    return tally;
}

// A board with the worth of a deeper search there.
template <GameOfTwo G>
struct Board {
    typename G::State state;
    Worth worth;
};

// `number` boards with several moves from games between two players that search to the shallow depth, one
// board in `apart` of each.
template <Judged G>
std::vector<Board<G>> boards(const typename G::State& start, const Setting& setting, std::size_t number, int apart,
                             std::uint64_t seed, const Pause& pause) {
    std::vector<Board<G>> found;
    std::uniform_int_distribution<int> one_in(1, apart);
    for (std::uint64_t game = 0; found.size() < number; ++game) {
        pause();
        std::seed_seq seeds{seed, game};
        Random random(seeds);
        auto state = start;
        for (int move = 0; move < 2 * setting.moves && !G::is_over(state) && found.size() < number; ++move) {
            Meter meter{Budget{}};
            Moves<G> legal;
            G::moves(state, legal);
            if (legal.size() > 1 && one_in(random) == 1) {
                const auto shallow = looked<G>(state, setting.shallow, meter);
                found.push_back({state, worth<G>(shallow, looked<G>(state, setting.deep, meter))});
            }
            state = G::after(state, chosen<G>(state, setting.shallow, meter, random));
        }
    }
    return found;
}

}  // namespace play::allocation
