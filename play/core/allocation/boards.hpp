// Boards of games with the worth of a deeper search and with their features. Features are hand-made, or come
// from small searches and patterns. Patterns are those most informative about the class
// (Markovitch and Sella 1996, 4.2, equations 6 and 7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "play/core/allocation/match.hpp"
#include "play/core/allocation/tree.hpp"

namespace play::allocation {

// The features of a game for a player; see theories/checkers/native/allocation.hpp.
template <class A>
concept Allocating = Judged<typename A::Game> && requires(const typename A::Game::State& state, Meter& meter, std::int16_t* into, Moves<typename A::Game>& best) {
    A::by_hand(state, into);
    { A::shallow } -> std::convertible_to<int>;
    A::by_search(state, meter, into, best);  // `best` gets the best moves by a search of this depth
    A::cells(state);
};

// The additional features of boards.
template <Allocating A>
struct Found {
    std::vector<std::uint32_t> patterns;

    std::size_t width() const { return A::hand + A::searched + patterns.size(); }
};

// The features of one state in the order hand-made, searched, patterns. A group is computed when one of its
// features is queried.
template <Allocating A>
class Features {
public:
    Features(const typename A::Game::State& state, const Found<A>& found, Meter& meter) : state_(state), found_(found), meter_(meter) {}

    std::int16_t operator()(std::size_t feature) {
        if (feature < A::hand) {
            if (!has_hand_) {
                A::by_hand(state_, hand_.data());
                has_hand_ = true;
            }
            return hand_[feature];
        }
        if (feature < A::hand + A::searched) {
            if (!has_searched_) {
                A::by_search(state_, meter_, searched_.data(), best_);
                has_searched_ = true;
            }
            return searched_[feature - A::hand];
        }
        if (!has_cells_) {
            cells_ = A::cells(state_);
            has_cells_ = true;
        }
        return static_cast<std::int16_t>(A::occurrences(cells_, found_.patterns[feature - A::hand - A::searched]));
    }

    // The best moves by a search of depth A::shallow, if it was made.
    const Moves<typename A::Game>& best() const { return best_; }

private:
    const typename A::Game::State& state_;
    const Found<A>& found_;
    Meter& meter_;
    std::array<std::int16_t, A::hand> hand_{};
    std::array<std::int16_t, A::searched> searched_{};
    Moves<typename A::Game> best_;
    typename A::Cells cells_{};
    bool has_hand_ = false, has_searched_ = false, has_cells_ = false;
};

// The selected features of all boards, in their columns; others are 0, because searches take long. With
// `utility`, the rows have their utilities, otherwise their classes.
template <Allocating A>
Table table_of(const std::vector<Board<typename A::Game>>& boards, const Found<A>& found, const std::vector<std::size_t>& wanted, bool utility) {
    Table table;
    table.width = found.width();
    table.features.resize(boards.size() * table.width);
    std::size_t row = 0;
    for (const auto& board : boards) {
        Meter meter{Budget{}};
        Features<A> features(board.state, found, meter);
        for (const std::size_t feature : wanted) {
            table.features[row + feature] = features(feature);
        }
        row += table.width;
        table.worth.push_back(utility ? board.worth.utility / A::Game::men : board.worth.positive ? 1.0 : 0.0);
    }
    return table;
}

// For every pattern, the entropy of a board's class in bits, given the number of the pattern's occurrences
// (equation 6).
template <Allocating A>
std::vector<double> information(const std::vector<Board<typename A::Game>>& boards) {
    constexpr std::size_t most = 19;  // a pattern has 18 possible positions on the board
    std::vector<std::array<std::array<std::uint32_t, 2>, most>> often(A::patterns);
    std::array<std::uint32_t, 2> all = {0, 0};
    std::vector<std::uint8_t> here(A::patterns);
    std::vector<std::uint32_t> seen;
    for (const auto& board : boards) {
        const std::size_t kind = board.worth.positive ? 1 : 0;
        ++all[kind];
        A::occurring(A::cells(board.state), [&](std::uint32_t pattern) {
            if (here[pattern]++ == 0) {
                seen.push_back(pattern);
            }
        });
        for (const auto pattern : seen) {
            ++often[pattern][here[pattern]][kind];
            here[pattern] = 0;
        }
        seen.clear();
    }
    const auto bits = [](double positive, double negative) {
        const double sum = positive + negative;
        const auto part = [&](double number) { return number == 0 ? 0.0 : -number / sum * std::log2(number / sum); };
        return sum == 0 ? 0.0 : part(positive) + part(negative);
    };
    std::vector<double> found(A::patterns);
    for (std::size_t pattern = 0; pattern < A::patterns; ++pattern) {
        auto& counts = often[pattern];
        for (std::size_t kind = 0; kind < 2; ++kind) {
            counts[0][kind] = all[kind];
            for (std::size_t times = 1; times < most; ++times) {
                counts[0][kind] -= counts[times][kind];
            }
        }
        for (const auto& [negative, positive] : counts) {
            found[pattern] += (negative + positive) / static_cast<double>(boards.size()) * bits(positive, negative);
        }
    }
    return found;
}

// The similarity of two series of numbers: the absolute value of their correlation; 1 if one of them is constant.
inline double likeness(const std::vector<double>& one, const std::vector<double>& other) {
    const auto size = static_cast<double>(one.size());
    const double mean = std::accumulate(one.begin(), one.end(), 0.0) / size, mean_of_other = std::accumulate(other.begin(), other.end(), 0.0) / size;
    double both = 0, own = 0, others = 0;
    for (std::size_t at = 0; at < one.size(); ++at) {
        both += (one[at] - mean) * (other[at] - mean_of_other);
        own += (one[at] - mean) * (one[at] - mean);
        others += (other[at] - mean_of_other) * (other[at] - mean_of_other);
    }
    return own == 0 || others == 0 ? 1 : std::abs(both) / std::sqrt(own * others);
}

// The most informative patterns, best first. A pattern is skipped if its occurrences are nearly those of an
// earlier one (a correlation of more than 0.8 on the first 2,000 boards), because it would be redundant.
template <Allocating A>
std::vector<std::uint32_t> best_patterns(const std::vector<Board<typename A::Game>>& boards, std::size_t number) {
    constexpr std::size_t compared = 2000;
    constexpr double alike = 0.8;
    const auto bits = information<A>(boards);
    std::vector<std::uint32_t> order(A::patterns);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto one, auto other) { return bits[one] < bits[other]; });
    std::vector<typename A::Cells> cells;
    for (std::size_t board = 0; board < std::min(compared, boards.size()); ++board) {
        cells.push_back(A::cells(boards[board].state));
    }
    std::vector<std::uint32_t> best;
    std::vector<std::vector<double>> taken;
    for (const auto pattern : order) {
        if (best.size() == number) {
            break;
        }
        std::vector<double> often;
        for (const auto& board : cells) {
            often.push_back(A::occurrences(board, pattern));
        }
        if (std::all_of(taken.begin(), taken.end(), [&](const auto& one) { return likeness(one, often) <= alike; })) {
            best.push_back(pattern);
            taken.push_back(std::move(often));
        }
    }
    return best;
}

}  // namespace play::allocation
