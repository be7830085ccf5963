// Games between a player that may look deeper a few times and one that never does, and boards of games between two of the latter.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "play/core/allocation/setting.hpp"

namespace play::allocation {

// What a strategy is asked before a move: there are several to choose from, and a deep search is left.
template <GameOfTwo G>
struct Asked {
    const typename G::State& state;
    int move;           // its own so many-th of the game, from 1
    int moves_left;     // this one too
    int searches_left;
    bool deep_before;   // whether the answer was yes when it was asked last
    int shallow;        // how deep the shallow search looks
    Meter& meter;       // where deciding counts what it looks at
    Moves<G>& best;     // empty; a strategy that makes the shallow search leaves its best moves here, and it is not made again
};

template <GameOfTwo G>
using Strategy = std::function<bool(const Asked<G>&)>;

// A strategy for each game anew, since a strategy may draw lots when a game begins.
template <GameOfTwo G>
using Strategies = std::function<Strategy<G>(Random&)>;

struct Tally {
    std::uint64_t won = 0, lost = 0, drawn = 0;
    std::uint64_t moves = 0, asked = 0, deep = 0;  // of the strategy's side: moves, questions, deep searches
    std::uint64_t shallow_nodes = 0, deep_nodes = 0, deciding_nodes = 0;
    double seconds = 0;  // of the processor, both sides together
    double deciding_seconds = 0;

    std::uint64_t games() const { return won + lost + drawn; }
};

// One game; the strategy plays as player `side`. `always` looks deeply at every move, whatever is left.
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

// Called between games: what it throws ends them.
using Pause = std::function<void()>;

// So many games, each with its own random numbers; the sides take turns.
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

// A board with what a deeper search is worth there.
template <GameOfTwo G>
struct Board {
    typename G::State state;
    Worth worth;
};

// So many boards with several moves from games between two players that look to the shallow depth, one board in `apart` of each.
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
