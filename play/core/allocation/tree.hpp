// Decision trees over integer features: by ID3 (Quinlan 1986), with a threshold at each node, and the same by
// variance for numeric classes. Leaves store the share of boards that reach them and their mean worth
// (Markovitch and Sella 1996, 3.4).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace play::allocation {

// Boards as rows of features, each with its worth: 1 or 0 for a class, or a utility.
struct Table {
    std::size_t width = 0;
    std::vector<std::int16_t> features;
    std::vector<double> worth;

    std::size_t size() const { return worth.size(); }
    std::int16_t at(std::size_t row, std::size_t feature) const { return features[row * width + feature]; }
};

// The criterion of a split: the decrease of entropy in bits for a class, or of variance for a number.
enum class Gain { INFORMATION, VARIANCE };

struct Node {
    int feature = -1;  // none: a leaf
    int threshold = 0;
    std::uint32_t below = 0, above = 0;  // successors: up to the threshold, and above it
    double weight = 0;                   // the share of boards that reach the node
    double worth = 0;                    // their mean worth
    double before = 0;                   // the share of boards at leaves with a greater worth
};

class Tree {
public:
    std::vector<Node> nodes;

    template <class Features>
    const Node& leaf(const Features& feature) const {
        std::size_t at = 0;
        while (nodes[at].feature >= 0) {
            at = feature(nodes[at].feature) <= nodes[at].threshold ? nodes[at].below : nodes[at].above;
        }
        return nodes[at];
    }

    // Replaces the shares and worths of leaves by those of other boards; a leaf that none of them reaches
    // keeps its worth.
    void refill(const Table& table) {
        std::vector<double> number(nodes.size()), sum(nodes.size());
        for (std::size_t row = 0; row < table.size(); ++row) {
            const Node& found = leaf([&](int feature) { return table.at(row, static_cast<std::size_t>(feature)); });
            const auto place = static_cast<std::size_t>(&found - nodes.data());
            number[place] += 1;
            sum[place] += table.worth[row];
        }
        for (std::size_t place = 0; place < nodes.size(); ++place) {
            nodes[place].weight = number[place] / static_cast<double>(table.size());
            nodes[place].worth = number[place] > 0 ? sum[place] / number[place] : nodes[place].worth;
        }
        rank();
    }

    // The features that it uses.
    std::vector<std::size_t> asked() const {
        std::vector<std::size_t> found;
        for (const Node& node : nodes) {
            if (node.feature >= 0) {
                found.push_back(static_cast<std::size_t>(node.feature));
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // Computes the share before each leaf, so that a threshold on the share of boards is one comparison.
    void rank() {
        const auto order = leaves();
        double share = 0;
        for (const auto place : order) {
            nodes[place].before = share;
            share += nodes[place].weight;
        }
    }

    // The leaves, sorted by decreasing worth.
    std::vector<std::size_t> leaves() const {
        std::vector<std::size_t> order;
        for (std::size_t place = 0; place < nodes.size(); ++place) {
            if (nodes[place].feature < 0) {
                order.push_back(place);
            }
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t one, std::size_t other) { return nodes[one].worth > nodes[other].worth; });
        return order;
    }
};

// The tree of a table by some features; no leaf has fewer than `least` of its rows. Throws
// std::invalid_argument.
class Grower {
public:
    Grower(const Table& table, std::vector<std::size_t> features, std::size_t least, Gain gain)
        : table_(table), features_(std::move(features)), least_(std::max<std::size_t>(1, least)), gain_(gain) {}

    Tree grown() {
        if (table_.size() == 0) {
            throw std::invalid_argument("no boards to learn from");
        }
        rows_.resize(table_.size());
        std::iota(rows_.begin(), rows_.end(), std::size_t{0});
        grow(0, rows_.size());
        tree_.rank();
        return tree_;
    }

private:
    struct Sums {
        double number = 0, sum = 0, squares = 0;

        void add(const Sums& other) {
            number += other.number;
            sum += other.sum;
            squares += other.squares;
        }
    };
    struct Split {
        double gain = 0;
        std::size_t feature = 0;
        int threshold = 0;
    };

    std::uint32_t grow(std::size_t begin, std::size_t end) {
        const auto place = static_cast<std::uint32_t>(tree_.nodes.size());
        Sums all;
        for (std::size_t at = begin; at < end; ++at) {
            all.add(of(rows_[at]));
        }
        Node node;
        node.weight = all.number / static_cast<double>(table_.size());
        node.worth = all.sum / all.number;
        tree_.nodes.push_back(node);
        const Split best = best_split(begin, end, all);
        if (best.gain <= 0) {
            return place;
        }
        const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin), last = rows_.begin() + static_cast<std::ptrdiff_t>(end);
        const auto middle = std::partition(
            first, last, [&](std::size_t row) { return table_.at(row, best.feature) <= best.threshold; });
        const auto cut = static_cast<std::size_t>(middle - rows_.begin());
        const std::uint32_t below = grow(begin, cut), above = grow(cut, end);
        tree_.nodes[place].feature = static_cast<int>(best.feature);
        tree_.nodes[place].threshold = best.threshold;
        tree_.nodes[place].below = below;
        tree_.nodes[place].above = above;
        return place;
    }

    Split best_split(std::size_t begin, std::size_t end, const Sums& all) {
        Split best;
        if (end - begin < 2 * least_) {
            return best;
        }
        const double before = uncertainty(all);
        std::vector<Sums> bins;
        for (const auto feature : features_) {
            int lowest = table_.at(rows_[begin], feature), highest = lowest;
            for (std::size_t at = begin; at < end; ++at) {
                const int value = table_.at(rows_[at], feature);
                lowest = std::min(lowest, value);
                highest = std::max(highest, value);
            }
            bins.assign(static_cast<std::size_t>(highest - lowest) + 1, {});
            for (std::size_t at = begin; at < end; ++at) {
                bins[static_cast<std::size_t>(table_.at(rows_[at], feature) - lowest)].add(of(rows_[at]));
            }
            Sums below;
            for (int value = lowest; value < highest; ++value) {
                const Sums& bin = bins[static_cast<std::size_t>(value - lowest)];
                if (bin.number == 0) {
                    continue;
                }
                below.add(bin);
                const Sums above = {all.number - below.number, all.sum - below.sum, all.squares - below.squares};
                if (below.number < static_cast<double>(least_) || above.number < static_cast<double>(least_)) {
                    continue;
                }
                const double gain = before - uncertainty(below) - uncertainty(above);
                if (gain > best.gain + 1e-9) {
                    best = {gain, feature, value};
                }
            }
        }
        return best;
    }

    Sums of(std::size_t row) const {
        const double worth = table_.worth[row];
        return {1, worth, worth * worth};
    }

    // The total over these rows: entropy in bits, or the sum of squares about the mean.
    double uncertainty(const Sums& of) const {
        if (of.number == 0) {
            return 0;
        }
        if (gain_ == Gain::VARIANCE) {
            return of.squares - of.sum * of.sum / of.number;
        }
        const double share = of.sum / of.number;
        return share <= 0 || share >= 1 ? 0 : -of.number * (share * std::log2(share) + (1 - share) * std::log2(1 - share));
    }

    const Table& table_;
    std::vector<std::size_t> features_;
    std::size_t least_;
    Gain gain_;
    std::vector<std::size_t> rows_;
    Tree tree_;
};

// The relevance of each feature to the class (RELIEF, Kira and Rendell 1992): for `samples` boards, the
// difference of two distances relative to its range. They are to the nearest board of the other class and to
// the nearest of the same class.
inline std::vector<double> relief(const Table& table, std::size_t samples, std::uint64_t seed) {
    std::vector<double> range(table.width), weights(table.width);
    for (std::size_t feature = 0; feature < table.width; ++feature) {
        int lowest = table.at(0, feature), highest = lowest;
        for (std::size_t row = 0; row < table.size(); ++row) {
            lowest = std::min<int>(lowest, table.at(row, feature));
            highest = std::max<int>(highest, table.at(row, feature));
        }
        range[feature] = std::max(1, highest - lowest);
    }
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::size_t> any(0, table.size() - 1);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t row = any(random);
        std::array<std::size_t, 2> nearest = {row, row};
        std::array<double, 2> distance = {1e300, 1e300};
        for (std::size_t other = 0; other < table.size(); ++other) {
            if (other == row) {
                continue;
            }
            const std::size_t kind = table.worth[other] == table.worth[row] ? 0 : 1;
            double sum = 0;
            for (std::size_t feature = 0; feature < table.width && sum < distance[kind]; ++feature) {
                const double apart = (table.at(row, feature) - table.at(other, feature)) / range[feature];
                sum += apart * apart;
            }
            if (sum < distance[kind]) {
                distance[kind] = sum;
                nearest[kind] = other;
            }
        }
        for (std::size_t feature = 0; feature < table.width; ++feature) {
            const auto apart = [&](std::size_t other) {
                const double found = (table.at(row, feature) - table.at(other, feature)) / range[feature];
                return found * found;
            };
            weights[feature] += (apart(nearest[1]) - apart(nearest[0])) / static_cast<double>(samples);
        }
    }
    return weights;
}

// The optimal use of searches if each board has the worth of its leaf (dynamic programming). The result has
// for each number of moves and of searches left the minimal worth of a board. `asked` is the share of moves
// that have a choice, `ends` of games that end at a move.
inline std::vector<std::vector<double>> thresholds(const Tree& tree, int moves, int searches, double asked, double ends) {
    const auto rows = static_cast<std::size_t>(moves) + 1, columns = static_cast<std::size_t>(searches) + 1;
    std::vector<std::vector<double>> value(rows, std::vector<double>(columns)), least = value;
    const auto leaves = tree.leaves();
    for (std::size_t move = 1; move < rows; ++move) {
        for (std::size_t left = 1; left < columns; ++left) {
            const double wait = (1 - ends) * value[move - 1][left], spend = (1 - ends) * value[move - 1][left - 1];
            least[move][left] = wait - spend;
            double sum = 0;
            for (const auto place : leaves) {
                sum += tree.nodes[place].weight * std::max(tree.nodes[place].worth + spend, wait);
            }
            value[move][left] = asked * sum + (1 - asked) * wait;
        }
    }
    return least;
}

}  // namespace play::allocation
