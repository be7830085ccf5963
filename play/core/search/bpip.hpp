// BPIP (Baum and Smith 1997): each leaf has a distribution of its later value. Each other node has that of
// the greatest or least of its children, assumed independent. The move with the greatest mean is made.
//
// If all leaves were known, the best move could be chosen by them: its mean value would be E[max], and now it
// is the greatest mean. The difference is the possible worth of all remaining search, and the search stops if
// it is not above the price. The relevance of a leaf is the expected change of this difference, up or down,
// when the leaf becomes known (the step size of Q). A part of the leaves, the most relevant ones, is expanded
// at once, so that recomputing all distributions stays proportional to the tree.
//
// Here a leaf's distribution is its value plus the error of its group, as a few points of equal weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "play/core/search/errors.hpp"
#include "play/core/search/tree.hpp"

namespace play {

// Values for the deciding player, ascending, with their probabilities.
struct Spread {
    std::vector<double> at;
    std::vector<double> chance;

    double mean() const {
        double found = 0;
        for (std::size_t each = 0; each < at.size(); ++each) {
            found += at[each] * chance[each];
        }
        return found;
    }
    // A further point, no less than the previous ones.
    void add(double value, double weight) {
        if (!at.empty() && at.back() == value) {
            chance.back() += weight;
        } else {
            at.push_back(value);
            chance.push_back(weight);
        }
    }
};

template <GameOfTwo G>
class Bpip {
public:
    using Index = typename Tree<G>::Index;

    // `price` is the minimal worth of all remaining search when the whole share of a decision is spent, in
    // units of evaluations; `all` keeps symmetric moves.
    Bpip(const typename G::State& state, const Budget& budget, const ErrorModel& model, double price, Known<G>& known,
         bool all = false)
        : budget_(budget), model_(model), price_(price), known_(known), standard_(model.points(POINTS)), meter_(budget),
          tree_(state, meter_) {
        if (!budget.is_bounded()) {
            throw std::invalid_argument("BPIP needs a limit of nodes or seconds");
        }
        if (tree_[ROOT].is_over) {
            found_.value = tree_[ROOT].value;
            found_.why = Why::OVER;
            return;
        }
        if (known_.is_asked()) {
            if (const auto& bounds = known_.of(state, meter_); bounds.move.has_value()) {
                found_ = decided(bounds, tree_[ROOT].value, meter_);
                return;
            }
        }
        tree_.expand(ROOT, all);
        renew();
        found_.depth = 1;
        if (tree_[ROOT].count == 1) {
            found_.why = Why::FORCED;
        } else {
            while (gulp()) {
            }
        }
        found_.value = value();
        found_.line = line();
        found_.move = found_.line.front();
    }

    Found<G> found() {
        found_.spent = meter_.spent();
        return found_;
    }
    const Tree<G>& tree() const { return tree_; }
    const Spread& spread(Index place) const { return spreads_[place]; }
    // The possible worth of all remaining search.
    double left() const { return left_; }
    // The relevance of each node: 0 unless it is a leaf that may be expanded.
    const std::vector<double>& relevance() const { return relevance_; }

private:
    static constexpr Index ROOT = Tree<G>::ROOT;
    static constexpr std::size_t POINTS = 5;
    static constexpr std::size_t PART = 10;  // one in this number of relevant leaves is expanded at once
    static constexpr double NOTHING = 1e-9;  // smaller values are rounding errors

    // Expands the most relevant leaves; returns false at the end of the search.
    bool gulp() {
        const double price = price_ * meter_.spent_part();
        const double worth = left_;
        std::vector<Index> leaves;
        for (Index place = 0; place < tree_.size(); ++place) {
            if (relevance_[place] > NOTHING) {
                leaves.push_back(place);
            }
        }
        if (meter_.is_spent()) {
            found_.why = meter_.why();
            return false;
        }
        if (leaves.empty() || worth <= std::max(price, NOTHING)) {
            found_.why = Why::WORTH;
            return false;
        }
        std::stable_sort(leaves.begin(), leaves.end(), [&](Index one, Index other) { return relevance_[one] > relevance_[other]; });
        leaves.resize((leaves.size() + PART - 1) / PART);
        for (const Index leaf : leaves) {
            if (meter_.is_spent()) {
                break;
            }
            if (is_below_settled(leaf)) {
                continue;
            }
            tree_.expand(leaf);
            if (known_.is_asked()) {
                tree_.ask(known_, leaf);
            }
            found_.depth = std::max(found_.depth, depth(leaf) + 1);
        }
        renew();
        if (budget_.trace) {
            found_.steps.push_back({meter_.nodes(), tree_.path(leaves.front()), value(), worth, price});
        }
        return true;
    }

    // A query for another leaf of the same batch may have settled a node above.
    bool is_below_settled(Index place) const {
        while (place != ROOT && !tree_[place].is_settled()) {
            place = tree_[place].parent;
        }
        return place != ROOT;
    }

    int depth(Index place) const {
        int found = 0;
        for (; place != ROOT; place = tree_[place].parent) {
            ++found;
        }
        return found;
    }

    // Recomputes all distributions, from the leaves up, and the relevance of leaves, from the root down.
    void renew() {
        const auto before = static_cast<Index>(spreads_.size());
        spreads_.resize(tree_.size());
        for (Index place = tree_.size(); place-- > 0;) {
            if (tree_[place].count > 0) {
                spreads_[place] = of_children(place);
            } else if (place >= before) {
                spreads_[place] = of_leaf(place);
            }
        }
        relevance_.assign(tree_.size(), 0);
        const auto& root = tree_[ROOT];
        const auto& greatest = spreads_[ROOT];
        means_.clear();
        for (Index move = root.first; move < root.first + root.count; ++move) {
            means_.push_back(spreads_[move].mean());
        }
        left_ = greatest.mean() - *std::max_element(means_.begin(), means_.end());
        if (root.count < 2) {
            return;
        }
        const auto below = pass_down(ROOT, {greatest.at, greatest.at});
        for (Index child = 0; child < root.count; ++child) {
            double others = -std::numeric_limits<double>::infinity();
            for (Index other = 0; other < root.count; ++other) {
                others = other == child ? others : std::max(others, means_[other]);
            }
            weigh(root.first + child, {below[child].best, spreads_[root.first + child].at}, others, 1);
        }
    }

    Spread of_leaf(Index leaf) const {
        const auto& node = tree_[leaf];
        const Error error = node.is_over ? Error{} : model_.error<G>(node.state, node.is_mine ? node.value : -node.value);
        const double sign = node.is_mine ? 1 : -1;
        if (node.is_over || error.deviation <= 0) {
            return {{node.value + sign * error.mean}, {1}};
        }
        std::vector<double> values;
        for (const double z : standard_) {
            values.push_back(node.value + sign * (error.mean + error.deviation * z));
        }
        std::sort(values.begin(), values.end());
        Spread found;
        for (const double value : values) {
            found.add(value, 1.0 / static_cast<double>(values.size()));
        }
        return found;
    }

    // All values of a node's children, ascending for the player to move there, and for each child its
    // cumulative probability at each value.
    struct Below {
        std::vector<double> at;
        std::vector<std::vector<double>> chances;
    };

    Below below(Index place) const {
        const auto& node = tree_[place];
        Below found;
        for (Index child = node.first; child < node.first + node.count; ++child) {
            found.at.insert(found.at.end(), spreads_[child].at.begin(), spreads_[child].at.end());
        }
        std::sort(found.at.begin(), found.at.end());
        found.at.erase(std::unique(found.at.begin(), found.at.end()), found.at.end());
        if (!node.is_mine) {
            std::reverse(found.at.begin(), found.at.end());
        }
        for (Index child = node.first; child < node.first + node.count; ++child) {
            const auto& spread = spreads_[child];
            const std::size_t size = spread.at.size();
            std::vector<double> chances;
            double sum = 0;
            std::size_t next = 0;
            for (const double value : found.at) {
                const std::size_t each = node.is_mine ? next : size - 1 - next;
                if (next < size && spread.at[each] == value) {
                    sum = ++next == size ? 1 : sum + spread.chance[each];
                }
                chances.push_back(sum);
            }
            found.chances.push_back(std::move(chances));
        }
        return found;
    }

    double bounded(Index place, double value) const {
        const auto& node = tree_[place];
        return std::clamp(value, static_cast<double>(node.least), static_cast<double>(node.greatest));
    }

    Spread of_children(Index place) const {
        const Below all = below(place);
        std::vector<std::pair<double, double>> points;
        double before = 0;
        for (std::size_t each = 0; each < all.at.size(); ++each) {
            double product = 1;
            for (const auto& chances : all.chances) {
                product *= chances[each];
            }
            if (product > before) {
                points.emplace_back(bounded(place, all.at[each]), product - before);
            }
            before = product;
        }
        if (!tree_[place].is_mine) {
            std::reverse(points.begin(), points.end());
        }
        Spread found;
        for (const auto& [value, chance] : points) {
            found.add(value, chance);
        }
        return found;
    }

    // For each value of a node the resulting expectations: of the greatest of all moves, and of the root move
    // above it.
    struct Influence {
        std::vector<double> best;
        std::vector<double> move;
    };

    // For each child its influence, from that of the node: averaged over the values of the others.
    std::vector<Influence> pass_down(Index place, const Influence& influence) const {
        const auto& node = tree_[place];
        const Below all = below(place);
        const std::size_t size = all.at.size(), count = all.chances.size();
        // Impossible values of the node only have probability 0.
        std::vector<double> best(size, 0), move(size, 0);
        const auto& own = spreads_[place].at;
        for (std::size_t each = 0; each < size; ++each) {
            const double value = bounded(place, all.at[each]);
            const auto there = std::lower_bound(own.begin(), own.end(), value);
            if (there != own.end() && *there == value) {
                best[each] = influence.best[static_cast<std::size_t>(there - own.begin())];
                move[each] = influence.move[static_cast<std::size_t>(there - own.begin())];
            }
        }
        std::vector<std::vector<double>> after(count, std::vector<double>(size, 1));
        for (std::size_t child = count; child-- > 1;) {
            std::transform(after[child].begin(), after[child].end(), all.chances[child].begin(), after[child - 1].begin(),
                           std::multiplies<>());
        }
        std::vector<double> others(size, 1);  // of the previous children
        std::vector<Influence> found(count);
        for (std::size_t child = 0; child < count; ++child) {
            const auto& values = spreads_[node.first + child].at;
            auto& passed = found[child];
            passed.best.resize(values.size());
            passed.move.resize(values.size());
            double best_above = 0, move_above = 0;
            std::size_t next = values.size();
            for (std::size_t each = size; each-- > 0;) {
                const double chance = others[each] * after[child][each];
                if (next > 0 && values[node.is_mine ? next - 1 : values.size() - next] == all.at[each]) {
                    const std::size_t at = node.is_mine ? next - 1 : values.size() - next;
                    passed.best[at] = best[each] * chance + best_above;
                    passed.move[at] = move[each] * chance + move_above;
                    --next;
                }
                if (each > 0) {
                    const double here = chance - others[each - 1] * after[child][each - 1];
                    best_above += best[each] * here;
                    move_above += move[each] * here;
                }
            }
            std::transform(others.begin(), others.end(), all.chances[child].begin(), others.begin(), std::multiplies<>());
        }
        return found;
    }

    // The relevance of the leaves below a node, which is below a root move; the best other move has the mean
    // `others`.
    void weigh(Index place, const Influence& influence, double others, int depth) {
        const auto& node = tree_[place];
        const auto& spread = spreads_[place];
        if (spread.at.size() < 2 || node.is_settled()) {
            return;
        }
        if (node.count > 0) {
            const auto below = pass_down(place, influence);
            for (Index child = 0; child < node.count; ++child) {
                weigh(node.first + child, below[child], others, depth + 1);
            }
        } else if (depth < budget_.depth) {
            for (std::size_t each = 0; each < spread.at.size(); ++each) {
                const double then = influence.best[each] - std::max(influence.move[each], others);
                relevance_[place] += spread.chance[each] * std::abs(then - left_);
            }
        }
    }

    // The value of the best move, rounded.
    int value() const { return static_cast<int>(std::lround(*std::max_element(means_.begin(), means_.end()))); }

    // The path from the root along the children with the best means to a leaf.
    std::vector<typename G::Move> line() const {
        std::vector<typename G::Move> found;
        for (Index place = ROOT; tree_[place].count > 0;) {
            const auto& node = tree_[place];
            place = node.first;
            double best = spreads_[place].mean();
            for (Index child = node.first + 1; child < node.first + node.count; ++child) {
                const double mean = spreads_[child].mean();
                if (node.is_mine ? mean > best : mean < best) {
                    best = mean;
                    place = child;
                }
            }
            found.push_back(tree_[place].move);
        }
        return found;
    }

    Budget budget_;
    const ErrorModel& model_;
    double price_;
    Known<G>& known_;
    std::vector<double> standard_;
    Meter meter_;
    Tree<G> tree_;
    std::vector<Spread> spreads_;
    std::vector<double> means_;  // of the root's moves
    std::vector<double> relevance_;
    double left_ = 0;
    Found<G> found_;
};

}  // namespace play
