// Sampled trees: the value of a state is the mean result of random games from it. UCT (Kocsis and Szepesvári
// 2006) descends the tree by upper confidence bounds, plays a random game from the leaf, and counts the
// winner along the path.
//
// With RAVE (Gelly and Silver 2007), in every state a move is also judged by games in which its player made it
// later.
//
// A playout counts as one evaluation. The search ends if its tree reaches the depth limit. The tree is
// determined by the state, the budget of nodes and the seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "play/core/search/search.hpp"

namespace play {

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // Less than `count`, which is more than 0 and less than 2^32.
    std::size_t below(std::size_t count) {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return static_cast<std::size_t>((((mixed ^ (mixed >> 31)) >> 32) * count) >> 32);
    }

private:
    std::uint64_t state_;
};

// The moves of one sample by player, for games whose moves are numbers with the same meaning in all states;
// for others it stores nothing.
template <GameOfTwo G>
class Moved {
public:
    static constexpr bool is_kept = std::is_integral_v<typename G::Move>;

    void clear() { moves_.clear(); }
    std::size_t size() const { return moves_.size(); }
    void add(int player, typename G::Move move) {
        if constexpr (is_kept) {
            moves_.push_back({player, move});
        }
    }
    const std::pair<int, typename G::Move>& operator[](std::size_t place) const { return moves_[place]; }

private:
    std::vector<std::pair<int, typename G::Move>> moves_;
};

struct Sampling {
    double exploration = 0.4;    // times the square root of ln(parent's samples) / samples
    double rave = 0;             // samples of a state at which its moves' own results count as much as RAVE's; 0
                                 // disables RAVE
    std::uint32_t before = 4;    // samples of a state before its moves are listed
    bool local = true;           // whether playouts consider the effects of the last move, in games that support it
    bool shapes = true;          // and the shapes around its points, in such games
    std::uint64_t seed = 1;
};

// A playout: its result for player 0, as an evaluation. A game may specialise it; by default each legal move
// is equally likely, and a game that exceeds the limit has its evaluation as the result.
template <GameOfTwo G>
struct Playout {
    static constexpr int most_plies = 400;

    static int value(typename G::State state, const Sampling&, Random& random, Moved<G>& moved) {
        Moves<G> moves;
        for (int ply = 0; ply < most_plies; ++ply) {
            moves.clear();
            G::moves(state, moves);
            if (moves.size() == 0) {
                break;
            }
            const auto move = moves[random.below(moves.size())];
            moved.add(G::to_move(state), move);
            state = G::after(state, move);
        }
        const int found = G::evaluation(state);
        return G::to_move(state) == 0 ? found : -found;
    }
};

template <GameOfTwo G>
struct SampledNode {
    typename G::Move move;  // the move to this node
    std::uint32_t parent = 0;
    std::uint32_t first = 0;  // child
    std::uint16_t count = 0;
    std::uint32_t samples = 0;
    std::uint32_t others = 0;      // samples in which the move was made later, or here
    std::uint64_t won = 0;         // by player 0, in half games
    std::uint64_t others_won = 0;
    std::int64_t total = 0;  // the sum of results for player 0

    double mean(int player) const { return of(player, won, samples); }
    double others_mean(int player) const { return of(player, others_won, others); }

private:
    static double of(int player, std::uint64_t won, std::uint32_t samples) {
        const double part = static_cast<double>(won) / (2.0 * samples);
        return player == 0 ? part : 1 - part;
    }
};

// One search.
template <GameOfTwo G>
class Sampled {
public:
    using State = typename G::State;
    using Index = std::uint32_t;
    static constexpr Index ROOT = 0;

    // Throws std::invalid_argument if there is no limit.
    Sampled(const State& state, const Budget& budget, const Sampling& how)
        : root_(state), how_(how), meter_(budget.own(), 4), random_(how.seed ^ G::hash(state)) {
        if (!budget.is_bounded()) {
            throw std::invalid_argument("a sampled tree needs a limit of nodes or seconds");
        }
        nodes_.emplace_back();
        if (G::is_over(state)) {
            meter_.evaluate();
            found_.value = G::evaluation(state);
            found_.why = Why::OVER;
        } else {
            // Something is always decided: an immediately stopped search has one sample.
            do {
                sample();
            } while (!meter_.is_spent() && found_.depth < meter_.budget().depth);
            found_.why = meter_.is_spent() ? meter_.why() : Why::DEPTH;
            decide();
        }
        found_.spent = meter_.spent();
    }

    const Found<G>& found() const { return found_; }
    const std::vector<SampledNode<G>>& tree() const { return nodes_; }

private:
    static constexpr std::size_t MOST = 4'000'000;  // nodes; then the tree stops growing

    void sample() {
        State state = root_;
        Index place = ROOT;
        path_.assign(1, ROOT);
        moved_.clear();
        while (true) {
            if (nodes_[place].count == 0) {
                const bool is_due = place == ROOT || nodes_[place].samples >= how_.before;
                if (!is_due || nodes_.size() > MOST || G::is_over(state)) {
                    break;
                }
                expand(place, state);
            }
            const int player = G::to_move(state);
            place = selected(place, player);
            moved_.add(player, nodes_[place].move);
            state = G::after(state, nodes_[place].move);
            path_.push_back(place);
        }
        found_.depth = std::max(found_.depth, static_cast<int>(path_.size()) - 1);
        meter_.evaluate();
        count(Playout<G>::value(state, how_, random_, moved_));
    }

    // The children of a state that is not over, in a random order, because those without a sample come first.
    void expand(Index place, const State& state) {
        Moves<G> moves;
        G::moves(state, moves);
        meter_.expand();
        nodes_[place].first = static_cast<Index>(nodes_.size());
        nodes_[place].count = static_cast<std::uint16_t>(moves.size());
        for (std::size_t left = moves.size(); left > 0; --left) {
            std::swap(moves.begin()[random_.below(left)], moves.begin()[left - 1]);
            SampledNode<G> child;
            child.move = moves[left - 1];
            child.parent = place;
            nodes_.push_back(child);
        }
    }

    // By UCB1 (Auer, Cesa-Bianchi and Fischer 2002), of the mean or its combination with RAVE.
    Index selected(Index place, int player) const {
        const auto& node = nodes_[place];
        const double logarithm = std::log(static_cast<double>(std::max(node.samples, 1U)));
        const double weight = how_.rave > 0 ? std::sqrt(how_.rave / (3.0 * node.samples + how_.rave)) : 0;
        Index found = node.first;
        double best = -1;
        for (Index child = node.first; child < node.first + node.count; ++child) {
            const double bound = upper(nodes_[child], player, logarithm, weight);
            if (bound > best) {
                best = bound;
                found = child;
            }
        }
        return found;
    }

    double upper(const SampledNode<G>& child, int player, double logarithm, double weight) const {
        if (child.samples == 0) {
            return weight > 0 && child.others > 0 ? child.others_mean(player) + how_.exploration * std::sqrt(logarithm) : UNTRIED;
        }
        double mean = child.mean(player);
        if (weight > 0 && child.others > 0) {
            mean += weight * (child.others_mean(player) - mean);
        }
        return mean + how_.exploration * std::sqrt(logarithm / child.samples);
    }

    void count(int value) {
        const std::uint64_t won = value > 0 ? 2 : value == 0 ? 1 : 0;
        for (const Index place : path_) {
            ++nodes_[place].samples;
            nodes_[place].won += won;
            nodes_[place].total += value;
        }
        if (how_.rave > 0) {
            count_others(won);
        }
    }

    // From the end of the sample to its beginning: a child counts if from there on its player was the first
    // to make its move.
    void count_others(std::uint64_t won) {
        if constexpr (Moved<G>::is_kept) {
            ++stamp_;
            std::size_t next = moved_.size();
            for (std::size_t depth = path_.size(); depth-- > 0;) {
                for (; next > depth; --next) {
                    const auto [player, move] = moved_[next - 1];
                    const std::size_t at = static_cast<std::size_t>(move);
                    if (stamps_.size() <= at) {
                        stamps_.resize(at + 1);
                    }
                    stamps_[at] = {stamp_, player};
                }
                const auto& node = nodes_[path_[depth]];
                if (node.count == 0 || depth >= moved_.size()) {
                    continue;
                }
                const std::pair<std::uint64_t, int> first{stamp_, moved_[depth].first};
                for (Index child = node.first; child < node.first + node.count; ++child) {
                    const std::size_t at = static_cast<std::size_t>(nodes_[child].move);
                    if (at < stamps_.size() && stamps_[at] == first) {
                        ++nodes_[child].others;
                        nodes_[child].others_won += won;
                    }
                }
            }
        }
    }

    // The child with the most samples, the first of equal ones.
    Index chosen(Index place) const {
        const auto& node = nodes_[place];
        Index found = node.first;
        for (Index child = node.first; child < node.first + node.count; ++child) {
            if (nodes_[child].samples > nodes_[found].samples) {
                found = child;
            }
        }
        return found;
    }

    void decide() {
        const int player = G::to_move(root_);
        for (Index place = ROOT; nodes_[place].count > 0;) {
            place = chosen(place);
            if (nodes_[place].samples == 0) {
                break;
            }
            if (found_.line.empty()) {
                found_.move = nodes_[place].move;
                const double mean = static_cast<double>(nodes_[place].total) / nodes_[place].samples;
                found_.value = static_cast<int>(std::lround(player == 0 ? mean : -mean));
            }
            found_.line.push_back(nodes_[place].move);
        }
    }

    static constexpr double UNTRIED = 1e9;  // more than any bound

    State root_;
    Sampling how_;
    Meter meter_;
    Random random_;
    Found<G> found_;
    std::vector<SampledNode<G>> nodes_;
    std::vector<Index> path_;
    Moved<G> moved_;
    std::vector<std::pair<std::uint64_t, int>> stamps_;  // by move, the last sample with it, and the first player to
                                                         // make it
    std::uint64_t stamp_ = 0;
};

}  // namespace play
