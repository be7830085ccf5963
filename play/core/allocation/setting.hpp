// The setting of Markovitch and Sella (1996, 2.4 and 4.1): two players that search to a fixed depth, and a
// game with its judge. One player may search deeper a few times per game. Alpha-beta has no quiescence
// search, and equally good moves are equally likely.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "play/core/search/alpha_beta.hpp"

namespace play::allocation {

using Random = std::mt19937_64;

struct Setting {
    int moves = 40;    // of each side; then the judge decides
    int searches = 8;  // the maximal number of deep searches
    int shallow = 4;
    int deep = 6;
};

// A game with the players' evaluation, and a judgement of the winner when play is stopped.
template <class G>
concept Judged = GameOfTwo<G> && requires(const typename G::State& state) {
    { G::judged(state) } -> std::same_as<int>;  // 1, 0 or -1 for player 0
};

// The moves of a state, each with the value of a search to some depth for the player to move.
template <GameOfTwo G>
struct Looked {
    Moves<G> moves;
    std::array<int, G::most_moves> values;

    int best() const { return *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(moves.size())); }
    bool is_best(std::size_t place) const { return values[place] == best(); }
};

template <GameOfTwo G>
int value_after(const typename G::State& state, const typename G::Move& move, int depth, int alpha, int beta, Meter& meter) {
    AlphaBeta<G> search(Order::LISTED, meter);
    std::vector<typename G::Move> line;
    const auto after = G::after(state, move);
    return G::to_move(after) == G::to_move(state) ? search.value(after, depth - 1, alpha, beta, line)
                                                  : -search.value(after, depth - 1, -beta, -alpha, line);
}

// The value of every move, without cut-offs between moves.
template <GameOfTwo G>
Looked<G> looked(const typename G::State& state, int depth, Meter& meter) {
    Looked<G> found;
    G::moves(state, found.moves);
    for (std::size_t place = 0; place < found.moves.size(); ++place) {
        found.values[place] = value_after<G>(state, found.moves[place], depth, WORST<G>, -WORST<G>, meter);
    }
    return found;
}

// The value of the best moves, and these moves; others are searched until they are known to be worse.
template <GameOfTwo G>
int best_of(const typename G::State& state, int depth, Meter& meter, Moves<G>& best) {
    Moves<G> moves;
    G::moves(state, moves);
    int most = WORST<G>;
    best.clear();
    for (const auto& move : moves) {
        const int value = value_after<G>(state, move, depth, std::max(most - 1, WORST<G>), -WORST<G>, meter);
        if (value > most) {
            most = value;
            best.clear();
        }
        if (value == most) {
            best.add(move);
        }
    }
    return most;
}

// A best move, chosen uniformly: moves are searched in a random order, and the first of the best is taken.
// Moves that are known to be good, if any, come first.
template <GameOfTwo G>
typename G::Move chosen(const typename G::State& state, int depth, Meter& meter, Random& random, const Moves<G>& good = {}) {
    Moves<G> moves;
    G::moves(state, moves);
    if (moves.size() == 1) {
        return moves[0];
    }
    std::shuffle(moves.begin(), moves.end(), random);
    std::stable_partition(moves.begin(), moves.end(),
                          [&](const auto& move) { return std::find(good.begin(), good.end(), move) != good.end(); });
    auto best = moves[0];
    int most = WORST<G>;
    for (const auto& move : moves) {
        const int value = value_after<G>(state, move, depth, most, -WORST<G>, meter);
        if (value > most) {
            most = value;
            best = move;
        }
    }
    return best;
}

// The worth of a deeper search in a state, by the values of the deep search: whether some move that the
// shallow search would take is not best (equation 3), and its mean distance from the best move (equation 4).
struct Worth {
    bool positive = false;
    double utility = 0;
};

template <GameOfTwo G>
Worth worth(const Looked<G>& shallow, const Looked<G>& deep) {
    Worth found;
    const int top = shallow.best(), best = deep.best();
    double sum = 0;
    int tied = 0;
    for (std::size_t place = 0; place < shallow.moves.size(); ++place) {
        if (shallow.values[place] == top) {
            ++tied;
            sum += best - deep.values[place];
            found.positive = found.positive || deep.values[place] != best;
        }
    }
    found.utility = sum / tied;
    return found;
}

}  // namespace play::allocation
