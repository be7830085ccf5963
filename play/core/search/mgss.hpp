// MGSS* (Russell and Wefald 1988, section 5.3): a search of a stored tree. It expands the leaf whose
// expansion has the greatest expected worth for the choice of a move, as long as that exceeds its cost.
//
// The worth of a step is the value of the move that is best afterwards minus that of the previously best
// move, both after the step. It is 0 if the choice stays. Only a leaf that alone can change the choice has a
// worth (it is relevant). The best move can fall by a leaf below each node of the opponent. Below an own node
// it can fall only by the best child, and only if the second best child is worth less than the second move.
// It then falls at most to the second best child, so the greatest of these on the path bounds the gain. For
// other moves the same holds with the roles exchanged.
//
// If no leaf alone is worth its cost, several may be (a conspiracy). Below an own node all children that hold
// the best move must fall, below one of the opponent any of them. With `sets`, the set with the greatest
// worth per leaf is sought, with independent probabilities of falling, and its least likely leaf is expanded.
//
// Each node stores the greatest gain below it with the bounds that it was computed for. After an expansion,
// nodes beside the path to the root with unchanged bounds are not visited again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "play/core/search/errors.hpp"
#include "play/core/search/tree.hpp"

namespace play {

template <GameOfTwo G>
class Mgss {
public:
    using Index = typename Tree<G>::Index;

    // `price` is the cost of a node when the whole share of a decision is spent, in units of evaluations;
    // `all` keeps symmetric moves.
    Mgss(const typename G::State& state, const Budget& budget, const ErrorModel& model, double price, Known<G>& known,
         bool all = false, bool sets = false)
        : budget_(budget), model_(model), price_(price), known_(known), sets_(sets), meter_(budget), tree_(state, meter_),
          marks_(1), plots_(1) {
        if (tree_[ROOT].is_over) {
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
        grow();
        tree_.back_up(ROOT);
        found_.depth = 1;
        if (tree_[ROOT].count == 1) {
            found_.why = Why::FORCED;
            return;
        }
        while (step()) {
        }
    }

    Found<G> found() {
        if (found_.why == Why::KNOWN) {
            return found_;
        }
        found_.value = tree_[ROOT].value;
        found_.line = tree_.line();
        if (!found_.line.empty()) {
            found_.move = found_.line.front();
        }
        found_.spent = meter_.spent();
        return found_;
    }

    // For each node of the tree its individual gain: 0 unless it is a relevant leaf and some error makes the
    // gain greater than the price.
    std::vector<double> gains() {
        std::vector<double> found(tree_.size(), 0);
        if (tree_[ROOT].count > 1) {
            renew_all();
            for (Index move = tree_[ROOT].first; move < tree_[ROOT].first + tree_[ROOT].count; ++move) {
                collect(move, found);
            }
        }
        return found;
    }
    // The gain per leaf of the best set of leaves, and its leaf to be expanded.
    std::pair<double, Index> best_set() {
        plots_.resize(tree_.size());
        return tree_[ROOT].count > 1 ? plot_all() : std::pair<double, Index>{0, ROOT};
    }
    const Tree<G>& tree() const { return tree_; }
    // The error of a leaf, for the player to move there.
    Error error(Index leaf) const {
        const auto& node = tree_[leaf];
        return node.is_over ? Error{} : model_.error<G>(node.state, node.is_mine ? node.value : -node.value);
    }

private:
    static constexpr Index ROOT = Tree<G>::ROOT;
    // A set with a smaller probability is ignored, so that not all of its leaves need to be examined.
    static constexpr double HARDLY = 1e-3;
    // No second best: a fall or rise is not limited.
    static constexpr int NONE = std::numeric_limits<int>::max();

    // The result below a node: the greatest gain, and its leaf.
    struct Mark {
        int against = 0;  // the value of the move that would replace the best one, or be replaced
        int held = NONE;  // the limit by the second best on the path
        bool under_best = false;
        bool is_fresh = false;
        bool has_error = false;
        Error error;
        double gain = 0;
        Index leaf = 0;
    };

    // Leaves that together would take a node beyond a bound: their number, probability and distance; and the
    // least likely of them.
    struct Plot {
        int against = 0;
        bool under_best = false;
        bool is_fresh = false;
        std::uint32_t size = 0;
        double chance = 1;
        double beyond = std::numeric_limits<double>::infinity();
        Index leaf = 0;
        double chance_of_leaf = 1;

        double gain() const { return size == 0 || chance <= HARDLY ? 0 : chance * beyond / size; }
    };

    void grow() {
        marks_.resize(tree_.size());
        plots_.resize(sets_ ? tree_.size() : 0);
    }

    // Expands a leaf; returns false at the end of the search.
    bool step() {
        const double price = price_now_ = price_ * meter_.spent_part();
        auto [gain, leaf] = renew_all();
        if (meter_.is_spent()) {
            found_.why = meter_.why();
            return false;
        }
        if (gain <= price && sets_) {
            std::tie(gain, leaf) = plot_all();
        }
        if (gain <= price) {
            found_.why = Why::WORTH;
            return false;
        }
        tree_.expand(leaf);
        grow();
        tree_.back_up(leaf);
        if (known_.is_asked()) {
            tree_.ask(known_, leaf);
        }
        int depth = 1;
        for (Index place = leaf; place != ROOT; place = tree_[place].parent) {
            marks_[place].is_fresh = false;
            if (sets_) {
                plots_[place].is_fresh = false;
            }
            ++depth;
        }
        found_.depth = std::max(found_.depth, depth);
        if (budget_.trace) {
            found_.steps.push_back({meter_.nodes(), tree_.path(leaf), tree_[ROOT].value, gain, price});
        }
        return true;
    }

    // The best move, and the value of the second best.
    std::pair<Index, int> best_two() const {
        const auto& root = tree_[ROOT];
        const Index best = tree_.best(ROOT);
        int second = -NONE;
        for (Index move = root.first; move < root.first + root.count; ++move) {
            if (move != best) {
                second = std::max(second, tree_[move].value);
            }
        }
        return {best, second};
    }

    // The set of leaves with the greatest worth per leaf.
    std::pair<double, Index> plot_all() {
        const auto& root = tree_[ROOT];
        const auto [best, second] = best_two();
        std::pair<double, Index> greatest = {0, ROOT};
        for (Index move = root.first; move < root.first + root.count; ++move) {
            const Plot found = move == best ? plot<true>(move, second) : plot<false>(move, tree_[best].value);
            if (found.gain() > greatest.first) {
                greatest = {found.gain(), found.leaf};
            }
        }
        return greatest;
    }

    template <bool under_best>
    Plot plot(Index place, int against) {
        if (plots_[place].is_fresh && plots_[place].against == against && plots_[place].under_best == under_best) {
            return plots_[place];
        }
        Plot found;
        const auto& node = tree_[place];
        if (under_best ? node.value < against : node.value > against) {
            // It is already there.
        } else if (is_held<under_best>(node, against)) {
            found.chance = 0;
            found.size = 1;
            found.leaf = place;
        } else if (node.count == 0) {
            found.size = 1;
            found.leaf = place;
            const double gain = node.is_over ? 0 : leaf_gain<under_best>(place, against, under_best ? -NONE : NONE);
            const double bound = node.is_mine ? against : -against;
            const double below =
                node.is_over ? 0 : model_.chance_below(bound, node.is_mine ? node.value : -node.value, marks_[place].error);
            found.chance = node.is_over || gain <= 0 ? 0 : under_best == node.is_mine ? below : 1 - below;
            found.chance_of_leaf = found.chance;
            found.beyond = found.chance > 0 ? gain / found.chance : 0;
        } else if (node.is_mine == under_best) {
            found.chance_of_leaf = 2;
            for (Index child = node.first; child < node.first + node.count && found.chance > HARDLY; ++child) {
                const Plot below = plot<under_best>(child, against);
                found.size += below.size;
                found.chance *= below.chance;
                if (below.size > 0) {
                    found.beyond = std::min(found.beyond, below.beyond);
                    if (below.chance_of_leaf < found.chance_of_leaf) {
                        found.chance_of_leaf = below.chance_of_leaf;
                        found.leaf = below.leaf;
                    }
                }
            }
        } else {
            found.chance = 0;
            found.size = 1;
            for (Index child = node.first; child < node.first + node.count; ++child) {
                const Plot below = plot<under_best>(child, against);
                if (below.gain() > found.gain()) {
                    found = below;
                }
            }
        }
        found.against = against;
        found.under_best = under_best;
        found.is_fresh = true;
        plots_[place] = found;
        return found;
    }

    std::pair<double, Index> renew_all() {
        const auto& root = tree_[ROOT];
        const auto [best, second] = best_two();
        std::pair<double, Index> greatest = {0, ROOT};
        for (Index move = root.first; move < root.first + root.count; ++move) {
            const double gain =
                move == best ? renew<true>(move, second, -NONE) : renew<false>(move, tree_[best].value, NONE);
            if (gain > greatest.first) {
                greatest = {gain, marks_[move].leaf};
            }
        }
        return greatest;
    }

    // The greatest gain of a leaf below a relevant node. Under the best move a fall is limited by own nodes,
    // under the others a rise by those of the opponent.
    template <bool under_best>
    double renew(Index place, int against, int held) {
        Mark& mark = marks_[place];
        if (mark.is_fresh && mark.against == against && mark.held == held && mark.under_best == under_best) {
            return mark.gain;
        }
        mark.against = against;
        mark.held = held;
        mark.under_best = under_best;
        mark.is_fresh = true;
        mark.gain = 0;
        mark.leaf = place;
        const auto& node = tree_[place];
        held = under_best ? std::max(held, node.least) : std::min(held, node.greatest);
        if (node.is_settled() || is_held<under_best>(node, against)) {
            // No search changes it.
        } else if (node.count == 0) {
            if (!node.is_over) {
                mark.gain = leaf_gain<under_best>(place, against, held);
            }
        } else if (node.is_mine != under_best) {
            for (Index child = node.first; child < node.first + node.count; ++child) {
                const double gain = renew<under_best>(child, against, held);
                if (gain > mark.gain) {
                    mark.gain = gain;
                    mark.leaf = marks_[child].leaf;
                }
            }
        } else if (const auto [only, limit] = way<under_best>(place, against, held); only != ROOT) {
            mark.gain = renew<under_best>(only, against, limit);
            mark.leaf = marks_[only].leaf;
        }
        return mark.gain;
    }

    // Whether it is known that a value cannot reach a bound in the direction against the current choice.
    template <bool under_best>
    static bool is_held(const Node<G>& node, int against) {
        return under_best ? node.least >= against : node.greatest <= against;
    }

    // At a node that limits: the relevant child, with the limit below it; ROOT if the second best holds the value.
    template <bool under_best>
    std::pair<Index, int> way(Index place, int against, int held) const {
        const auto& node = tree_[place];
        const Index best = tree_.best(place);
        int second = under_best ? -NONE : NONE;
        for (Index child = node.first; child < node.first + node.count; ++child) {
            if (child != best) {
                second = under_best ? std::max(second, tree_[child].value) : std::min(second, tree_[child].value);
            }
        }
        if (under_best ? second >= against : second <= against) {
            return {ROOT, held};
        }
        return {best, under_best ? std::max(held, second) : std::min(held, second)};
    }

    template <bool under_best>
    double leaf_gain(Index place, int against, int held) {
        const auto& node = tree_[place];
        const int value = node.is_mine ? node.value : -node.value;
        const int gap = (node.is_mine ? against : -against) - value;
        // A price never falls, so a gain below it for every error now will remain so.
        if ((under_best == node.is_mine ? model_.most_below(gap) : model_.most_above(gap)) <= price_now_) {
            return 0;
        }
        Mark& mark = marks_[place];
        if (!mark.has_error) {
            mark.error = model_.error<G>(node.state, value);
            mark.has_error = true;
        }
        // E[(bound - X)+] under the best move, E[(X - bound)+] under the others; errors are for the player to move.
        const auto beyond = [&](int bound) {
            if (bound == NONE || bound == -NONE) {
                return 0.0;
            }
            return under_best == node.is_mine
                       ? model_.below(node.is_mine ? bound : -bound, value, mark.error)
                       : model_.above(node.is_mine ? bound : -bound, value, mark.error);
        };
        return beyond(against) - beyond(held);
    }

    void collect(Index place, std::vector<double>& found) const {
        const auto& node = tree_[place];
        const Mark& mark = marks_[place];
        if (node.count == 0) {
            found[place] = mark.gain;
        } else if (node.is_mine != mark.under_best) {
            for (Index child = node.first; child < node.first + node.count; ++child) {
                collect(child, found);
            }
        } else {
            const auto [only, limit] = mark.under_best ? way<true>(place, mark.against, mark.held)
                                                       : way<false>(place, mark.against, mark.held);
            if (only != ROOT) {
                collect(only, found);
            }
        }
    }

    Budget budget_;
    const ErrorModel& model_;
    double price_;
    double price_now_ = 0;  // for the part that is spent
    Known<G>& known_;
    bool sets_;
    Meter meter_;
    Tree<G> tree_;
    std::vector<Mark> marks_;
    std::vector<Plot> plots_;
    Found<G> found_;
};

}  // namespace play
