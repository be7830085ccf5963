// Decision-theoretic A* (Russell and Wefald 1988, 5.2): before each move a tree is searched best first, as
// long as that is worth more than its cost. The value of a move is the least of moves + estimate among the
// leaves below it. Let α be the best move and β the second best. Only leaves below α that are no worse than β
// can change the choice, and only if all of them (the set M) rise above β. So their number and the gap
// between α and β determine the worth of continuing.
//
// An estimate that may be too high can also fall (5.2.3): then any leaf of another move may come below α,
// alone. The expected gain of several leaves together is at most the sum of their individual gains, so a set
// is worth its cost only if one of its leaves is.
//
// The value of a computation is a parameter (`Worth`). It follows the definition of the paper (`SingleStep`),
// from the independent errors of one expansion, or gathered statistics of earlier searches (`Gathered`).
//
// The tree below the chosen move is kept. A state that is left stores the second best value, as in RTA*, and
// is not expanded when it is reached again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <unordered_map>
#include <utility>

#include "play/core/paths/paths.hpp"

namespace play {

// The number of leaves for each value, least first. Values are in 1 / UNIT of a move.
using Leaves = std::map<int, std::vector<std::uint32_t>>;
constexpr int UNIT = 8;

// The situation of a choice: the number of leaves that must rise (M), and the gap between α and β, in moves.
struct Situation {
    std::size_t leaves = 0;
    double gap = 0;
};

// The expected improvement of the chosen move, in moves, and its cost, in generated states.
struct Computation {
    double gain = 0;
    double nodes = 0;
};

// 5.2.2 B and C: all leaves of M are expanded once. δ is the least value of the leaves of α outside of M.
// Supersets of M are weighed as well, up to values that one expansion can reach.
struct SingleStep {
    std::vector<std::pair<double, double>> rises;  // amounts of moves with the probability of at least that rise, in
                                                   // order
    double nodes_of_one = 2;

    Computation operator()(const Leaves& alpha, int beta, double cost) const {
        Computation best;
        double best_net = 0;
        std::size_t leaves = 0;
        for (auto last = alpha.begin(); last != alpha.end(); ++last) {
            leaves += last->second.size();
            const auto next = std::next(last);
            if (next != alpha.end() && next->first <= beta) {
                continue;
            }
            if (!rises.empty() && last->first > beta + UNIT * rises.back().first) {
                break;
            }
            const double delta = next == alpha.end() ? NEVER : static_cast<double>(next->first) / UNIT;
            const Computation found{gain(alpha, last->first, static_cast<double>(beta) / UNIT, delta),
                                    nodes_of_one * static_cast<double>(leaves)};
            if (found.gain - cost * found.nodes > best_net) {
                best_net = found.gain - cost * found.nodes;
                best = found;
            }
        }
        return best;
    }

private:
    // E[(min(least new value, δ) - β)⁺], over the possible least new values.
    double gain(const Leaves& alpha, int greatest, double beta, double delta) const {
        std::vector<double> values;
        for (const auto& [value, leaves] : alpha) {
            for (const auto& [rise, probability] : rises) {
                const double after = static_cast<double>(value) / UNIT + rise;
                if (value <= greatest && after > beta) {
                    values.push_back(std::min(after, delta));
                }
            }
        }
        std::sort(values.begin(), values.end());
        double sum = 0, before = beta;
        for (const double value : values) {
            if (value > before) {
                sum += (value - before) * all_reach(alpha, greatest, value);
                before = value;
            }
        }
        return sum;
    }

    double all_reach(const Leaves& alpha, int greatest, double value) const {
        double probability = 1;
        for (const auto& [from, leaves] : alpha) {
            if (from > greatest) {
                break;
            }
            const double needed = value - static_cast<double>(from) / UNIT;
            const auto enough = std::find_if(rises.begin(), rises.end(), [&](const auto& rise) { return rise.first >= needed; });
            const double one = needed <= 0 ? 1 : enough == rises.end() ? 0 : enough->second;
            probability *= std::pow(one, static_cast<double>(leaves.size()));
        }
        return probability;
    }
};

// 5.2.3 A, equation 28: E[(f(α) - f')⁺] of a leaf of another move, where f' is its value after its expansion.
struct SingleFall {
    std::vector<std::pair<double, double>> falls;  // amounts of moves with the probability of at least that fall, in
                                                   // order

    double gain(int alpha, int value) const {
        double sum = 0, before = static_cast<double>(value - alpha) / UNIT;  // the necessary fall
        for (const auto& [fall, probability] : falls) {
            if (fall > before) {
                sum += (fall - before) * probability;
                before = fall;
            }
        }
        return sum;
    }
};

// The results of continued searches, by the size of M (in powers of two) and the gap (in moves). They are the
// count, the advantage of another move at the end, and the number of states until then.
struct Gathered {
    static constexpr std::size_t SIZES = 16, GAPS = 12;
    struct Cell {
        double times = 0, gain = 0, nodes = 0;
    };
    std::array<std::array<Cell, GAPS>, SIZES> cells{};

    Cell& of(const Situation& situation) { return cells[size_of(situation)][gap_of(situation)]; }
    const Cell& of(const Situation& situation) const { return cells[size_of(situation)][gap_of(situation)]; }

    static std::size_t size_of(const Situation& situation) {
        return std::min<std::size_t>(SIZES - 1, static_cast<std::size_t>(std::bit_width(situation.leaves)));
    }
    static std::size_t gap_of(const Situation& situation) {
        return std::min<std::size_t>(GAPS - 1, static_cast<std::size_t>(std::max(0.0, situation.gap)));
    }

    Computation operator()(const Situation& situation) const {
        const Cell& cell = of(situation);
        return cell.times < 20 ? Computation{} : Computation{cell.gain / cell.times, cell.nodes / cell.times};
    }
};

// The decision criterion of a search, and its limits. An improvement of 1 in the chosen move saves `factor`
// moves in the end.
struct Thinking {
    double weight = 1;   // of the heuristic, in the estimates
    double cost = 0.01;  // of a generated state, in moves
    double factor = 1;
    std::size_t most_a_move = 10000;  // states
    std::size_t most_moves = 100000;
    std::uint32_t seed = 1;
};

template <GameOfOne G, Bound<G> B>
class DtaStar {
public:
    DtaStar(const B& bound, Thinking thinking, Count count) : bound_(bound), thinking_(thinking), count_(count), random_(thinking.seed) {}

    // By the definition.
    Path<G> by_single_steps(const typename G::State& start, const SingleStep& worth) {
        return play(start, [&](std::uint64_t) {
            const int beta = value_of_second();
            return is_open(best_) && is_worth(worth(tops_[best_].leaves, beta, thinking_.cost)) ? best_ : NOTHING;
        }, [](std::uint64_t) {});
    }

    // By the definition for an estimate that may be too high: expands the computation with the greatest worth
    // minus cost.
    Path<G> by_rises_and_falls(const typename G::State& start, const SingleStep& worth, const SingleFall& falls) {
        return play(start, [&](std::uint64_t) {
            const Computation rise =
                is_open(best_) ? worth(tops_[best_].leaves, value_of_second(), thinking_.cost) : Computation{};
            std::size_t chosen = NOTHING;
            double most = 0;
            if (is_worth(rise)) {
                chosen = best_;
                most = net(rise);
            }
            for (std::size_t top = 0; top < tops_.size(); ++top) {
                if (top != best_ && is_open(top)) {
                    const Computation fall{falls.gain(least(tops_[best_]), least(tops_[top])), worth.nodes_of_one};
                    if (is_worth(fall) && net(fall) > most) {
                        chosen = top;
                        most = net(fall);
                    }
                }
            }
            return chosen;
        }, [](std::uint64_t) {});
    }

    // By the gathered statistics.
    Path<G> by_gathered(const typename G::State& start, const Gathered& worth) {
        return play(start, [&](std::uint64_t) { return is_open(best_) && is_worth(worth(situation())) ? best_ : NOTHING; },
                    [](std::uint64_t) {});
    }

    // Continues to `most_a_move` before each move, and gathers the result for each of the situations on the
    // way. These are at the first state of a decision, and whenever the number of generated states has
    // doubled.
    Path<G> gather(const typename G::State& start, Gathered& gathered) {
        struct Passed {
            Situation situation;
            std::size_t alpha;
            std::uint64_t spent;
        };
        std::vector<Passed> passed;
        std::uint64_t next = 0;
        return play(
            start,
            [&](std::uint64_t spent) {
                if (!is_open(best_)) {
                    return NOTHING;
                }
                if (spent >= next) {
                    passed.push_back({situation(), best_, spent});
                    next = spent == 0 ? 4 : 2 * spent;
                }
                return best_;
            },
            [&](std::uint64_t spent) {
                for (const Passed& each : passed) {
                    auto& cell = gathered.of(each.situation);
                    cell.times += 1;
                    cell.nodes += static_cast<double>(spent - each.spent);
                    const int before = std::min(least(tops_[each.alpha]), least(tops_[best_]) + MOST_GAIN * UNIT);
                    cell.gain += static_cast<double>(before - least(tops_[best_])) / UNIT;
                }
                passed.clear();
                next = 0;
            });
    }

private:
    struct Node {
        typename G::State state;
        std::uint32_t parent = 0;  // its index in `nodes_`; the root is its own parent
        std::uint8_t top = 0;      // the root's move above it
        typename G::Move undo{};   // the move back to the parent
        int made = 0;
        int value = 0;
        bool is_leaf = true;
        bool is_left = false;    // the player was there, and it is not expanded
        bool is_double = false;  // another node has this state after at most as many moves, and is expanded instead
    };
    struct Top {
        typename G::Move move{};
        Leaves leaves;
    };

    static constexpr std::size_t NOTHING = static_cast<std::size_t>(-1);  // no computation is worth its cost
    static constexpr int MOST_GAIN = 100;  // if no leaf is left below a move

    // `goes_on` returns the move below which the least leaf is expanded.
    template <class GoesOn, class Done>
    Path<G> play(const typename G::State& start, const GoesOn& goes_on, const Done& done) {
        Path<G> path;
        root(start);
        while (!G::is_over(nodes_[0].state) && path.moves.size() < thinking_.most_moves && !count_.is_spent()) {
            const std::uint64_t began = count_.nodes();
            for (;;) {
                choose();
                const std::uint64_t spent = count_.nodes() - began;
                if (tops_.size() < 2 || spent >= thinking_.most_a_move || count_.is_spent()) {
                    break;
                }
                const std::size_t top = goes_on(spent);
                if (top == NOTHING) {
                    break;
                }
                expand(top);
            }
            done(count_.nodes() - began);
            path.moves.push_back(tops_[best_].move);
            make_best();
        }
        path.is_found = G::is_over(nodes_[0].state);
        path.nodes = count_.nodes();
        return path;
    }

    double net(const Computation& found) const { return thinking_.factor * found.gain - thinking_.cost * found.nodes; }
    bool is_worth(const Computation& found) const { return net(found) > 0 && found.gain > 0; }

    // Whether the least leaf below a move may be expanded.
    bool is_open(std::size_t top) const {
        if (tops_[top].leaves.empty()) {
            return false;
        }
        const Node& leaf = nodes_[tops_[top].leaves.begin()->second.back()];
        return !G::is_over(leaf.state) && !leaf.is_left;
    }

    static int least(const Top& top) { return top.leaves.empty() ? NEVER : top.leaves.begin()->first; }

    // Choose the best move: among equal values the one whose best leaf is deeper, because it was searched
    // more; among further ties, uniformly at random.
    void choose() {
        const auto key = [&](const Top& top) {
            return std::pair{least(top), top.leaves.empty() ? 0 : -nodes_[top.leaves.begin()->second.back()].made};
        };
        best_ = 0;
        std::uint32_t equals = 1;
        for (std::size_t place = 1; place < tops_.size(); ++place) {
            const auto one = key(tops_[place]), best = key(tops_[best_]);
            equals = one == best ? equals + 1 : one < best ? 1 : equals;
            if (one < best || (one == best && random_() % equals == 0)) {
                best_ = place;
            }
        }
    }

    int value_of_second() const {
        int second = NEVER;
        for (std::size_t place = 0; place < tops_.size(); ++place) {
            second = place == best_ ? second : std::min(second, least(tops_[place]));
        }
        return second;
    }

    Situation situation() const {
        const int beta = value_of_second();
        Situation found{0, static_cast<double>(beta - least(tops_[best_])) / UNIT};
        for (const auto& [value, leaves] : tops_[best_].leaves) {
            if (value > beta) {
                break;
            }
            found.leaves += leaves.size();
        }
        return found;
    }

    void root(const typename G::State& state) {
        nodes_.assign(1, Node{});
        nodes_[0].state = state;
        nodes_[0].is_leaf = false;
        known_.clear();
        known_[state] = 0;
        expand_root();
    }

    void expand_root() {
        tops_.clear();
        Moves<G> legal;
        G::moves(nodes_[0].state, legal);
        for (const auto move : legal) {
            const auto top = static_cast<std::uint8_t>(tops_.size());
            tops_.push_back({move, {}});
            generate(0, move, top);
        }
    }

    void generate(std::uint32_t parent, typename G::Move move, std::uint8_t top) {
        Node node;
        node.state = G::after(nodes_[parent].state, move);
        count_.add();
        node.parent = parent;
        node.top = top;
        node.undo = G::undo(nodes_[parent].state, move);
        node.made = nodes_[parent].made + 1;
        const auto left = left_.find(node.state);
        node.is_left = left != left_.end();
        const double estimate = node.is_left ? left->second : thinking_.weight * bound_(node.state);
        node.value = static_cast<int>(std::lround(UNIT * std::min<double>(node.made + estimate, NEVER / UNIT)));
        const auto place = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
        add_leaf(place);
    }

    // Makes a node a leaf, or a duplicate.
    void add_leaf(std::uint32_t place) {
        Node& node = nodes_[place];
        const auto [there, is_new] = known_.try_emplace(node.state, place);
        node.is_double = !is_new && nodes_[there->second].made <= node.made;
        if (!node.is_double) {
            there->second = place;
            tops_[node.top].leaves[node.value].push_back(place);
        }
        node.is_leaf = !node.is_double;
    }

    void expand(std::size_t top) {
        Leaves& leaves = tops_[top].leaves;
        const auto first = leaves.begin();
        const std::uint32_t place = first->second.back();
        first->second.pop_back();
        if (first->second.empty()) {
            leaves.erase(first);
        }
        nodes_[place].is_leaf = false;
        Moves<G> legal;
        G::moves(nodes_[place].state, legal);
        const auto undo = nodes_[place].undo;
        for (const auto move : legal) {
            if (!(move == undo)) {
                generate(place, move, static_cast<std::uint8_t>(top));
            }
        }
    }

    // Makes the best move, and keeps the tree below it.
    void make_best() {
        left_[nodes_[0].state] = static_cast<double>(value_of_second()) / UNIT;
        const std::vector<Node> old = std::move(nodes_);
        const auto chosen = static_cast<std::uint8_t>(best_);
        const auto root_place = std::find_if(old.begin() + 1, old.end(), [&](const Node& node) {
            return node.top == chosen && node.parent == 0;
        });
        if (root_place == old.end() || root_place->is_leaf) {
            root(G::after(old[0].state, tops_[chosen].move));
            return;
        }
        constexpr auto GONE = static_cast<std::uint32_t>(-1);
        std::vector<std::uint32_t> place(old.size(), GONE);
        const auto first = static_cast<std::size_t>(root_place - old.begin());
        nodes_.assign(1, old[first]);
        nodes_[0].made = 0;
        nodes_[0].parent = 0;
        place[first] = 0;
        known_.clear();
        known_[nodes_[0].state] = 0;
        tops_.clear();
        for (std::size_t number = first + 1; number < old.size(); ++number) {
            const std::uint32_t parent = place[old[number].parent];
            if (old[number].top != chosen || parent == GONE) {
                continue;
            }
            Node node = old[number];
            node.parent = parent;
            node.made -= 1;
            node.value -= UNIT;
            if (parent == 0) {
                node.top = static_cast<std::uint8_t>(tops_.size());
                tops_.push_back({move_to(nodes_[0].state, node.state), {}});
            } else {
                node.top = nodes_[parent].top;
            }
            place[number] = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back(node);
            if (node.is_leaf || node.is_double) {
                add_leaf(place[number]);  // a former duplicate may be the only one now
            } else {
                known_[node.state] = place[number];
            }
        }
        // Moves that are missing in the tree, such as the one back.
        Moves<G> legal;
        G::moves(nodes_[0].state, legal);
        for (const auto move : legal) {
            if (std::none_of(tops_.begin(), tops_.end(), [&](const Top& top) { return top.move == move; })) {
                const auto top = static_cast<std::uint8_t>(tops_.size());
                tops_.push_back({move, {}});
                generate(0, move, top);
            }
        }
    }

    static typename G::Move move_to(const typename G::State& state, const typename G::State& next) {
        Moves<G> legal;
        G::moves(state, legal);
        return *std::find_if(legal.begin(), legal.end(), [&](auto move) { return G::after(state, move) == next; });
    }

    const B& bound_;
    Thinking thinking_;
    Count count_;
    std::vector<Node> nodes_;
    std::vector<Top> tops_;
    std::size_t best_ = 0;
    std::minstd_rand random_;
    std::unordered_map<typename G::State, std::uint32_t, StateHash<G>> known_;
    std::unordered_map<typename G::State, double, StateHash<G>> left_;
};

}  // namespace play
