// Recursive search, each call only as far as its worth exceeds its cost (Russell and Wefald 1988, section
// 5.3.8). It stores the moves of the states on one line, and no tree.
//
// A call decides in one state. It lists the moves and takes their evaluations as the values of level 0. Then,
// as long as that pays and its limit allows it, it calls itself for the state after one move, one level
// higher than the last time. The changes of values between levels were gathered before, so the expected worth
// of a level for the choice is computed as in MGSS*, and divided by its cost. Levels are depths, each another
// ply, or limits of nodes, each several times the last (iterative expansion).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "play/core/search/errors.hpp"
#include "play/core/search/search.hpp"

namespace play {

struct Level {
    std::uint64_t limit = 1;  // of the call: plies, or nodes
    double cost = 1;          // the mean number of expansions
    ErrorModel errors;        // of the value at this level minus that at the one below, for the player to move
};

struct Levels {
    Levels(std::vector<Level> all, bool depths) : levels(std::move(all)), are_depths(depths) {
        for (std::size_t number = 0; number < levels.size(); ++number) {
            if (!(levels[number].cost > 0) || (number > 0 && levels[number].limit <= levels[number - 1].limit)) {
                throw std::invalid_argument("a level costs something, and its limit is above that of the level below");
            }
        }
    }

    std::vector<Level> levels;
    bool are_depths;
};

template <GameOfTwo G>
class Recursive {
public:
    using State = typename G::State;

    // `price` is the cost of an expansion when the whole share of a decision is spent, in units of
    // evaluations. The limit of the first call is that of the budget, in plies or nodes.
    Recursive(const State& state, const Budget& budget, const Levels& levels, double price)
        : levels_(levels), price_(price), meter_(budget) {
        found_.why = Why::OVER;
        if (G::is_over(state)) {
            meter_.evaluate();
            found_.value = G::evaluation(state);
            return;
        }
        std::vector<Choice> choices = choices_of(state);
        const std::uint64_t limit = levels_.are_depths ? static_cast<std::uint64_t>(budget.depth) : budget.nodes;
        found_.why = Why::FORCED;
        found_.depth = 1;
        if (choices.size() > 1) {
            search(choices, limit, 0, 1, budget.trace);
        }
        const Choice& best = choices[best_of(choices)];
        found_.move = best.move;
        found_.line.assign(1, best.move);
        found_.value = best.value;
    }

    Found<G> found() {
        found_.spent = meter_.spent();
        return found_;
    }

private:
    struct Choice {
        State state;
        typename G::Move move;
        int sign = 1;  // -1 if the other player is to move after it
        bool is_over = false;
        int evaluation = 0;  // for the player to move after it
        int value = 0;       // for the choosing player
        std::size_t level = 0;
        std::optional<Error> error;  // of the next level, if it was computed
    };

    static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();

    // The value of a state by a call with this limit, at this depth; meaningless after the meter is spent.
    int value(const State& state, std::uint64_t limit, int depth) {
        const std::uint64_t before = meter_.nodes();
        found_.depth = std::max(found_.depth, depth);
        std::vector<Choice> choices = choices_of(state);
        const Choice& only = choices[0];
        if (choices.size() > 1) {
            search(choices, limit, before, depth, false);
        } else if (const std::uint64_t rest = left(limit, before); rest > 0 && !only.is_over && !meter_.is_spent()) {
            return only.sign * value(only.state, rest, depth + 1);  // no choice: the remaining limit is for the
                                                                    // successor
        }
        return choices[best_of(choices)].value;
    }

    // Calls itself for one choice after another until no further level is worth its price, or none is within
    // the limit.
    void search(std::vector<Choice>& choices, std::uint64_t limit, std::uint64_t before, int depth, bool traced) {
        const bool is_first = depth == 1;
        while (!meter_.is_spent()) {
            if (is_first) {
                price_now_ = price_ * meter_.spent_part();
            }
            const auto [place, worth] = pick(choices, left(limit, before), is_first);
            if (place == NONE) {
                return;
            }
            Choice& choice = choices[place];
            const int found = choice.sign * value(choice.state, levels_.levels[choice.level].limit, depth + 1);
            if (meter_.is_spent()) {
                break;
            }
            choice.value = found;
            choice.error.reset();
            ++choice.level;
            if (traced) {
                found_.steps.push_back({meter_.nodes(), {choice.move}, choices[best_of(choices)].value, worth, price_now_});
            }
        }
        found_.why = meter_.why();
    }

    // The choice whose next level has the greatest worth per expansion, and that worth; none if it is not
    // above the price.
    std::pair<std::size_t, double> pick(std::vector<Choice>& choices, std::uint64_t rest, bool is_first) {
        const std::size_t best = best_of(choices);
        int second = std::numeric_limits<int>::min();
        for (std::size_t place = 0; place < choices.size(); ++place) {
            second = place == best ? second : std::max(second, choices[place].value);
        }
        std::pair<std::size_t, double> found{NONE, price_now_};
        if (is_first) {
            found_.why = levels_.are_depths ? Why::DEPTH : Why::NODES;
        }
        for (std::size_t place = 0; place < choices.size(); ++place) {
            Choice& choice = choices[place];
            if (choice.is_over || choice.level == levels_.levels.size() || levels_.levels[choice.level].limit > rest) {
                continue;
            }
            if (is_first) {
                found_.why = Why::WORTH;
            }
            const Level& next = levels_.levels[choice.level];
            if (!choice.error.has_value()) {
                choice.error = next.errors.template error<G>(choice.state, choice.evaluation);
            }
            const double worth = gain(next.errors, choice, place == best, place == best ? second : choices[best].value) / next.cost;
            if (worth > found.second) {
                found = {place, worth};
            }
        }
        return found;
    }

    // For the best choice, that it falls below the second; for another, that it rises above the best. Errors
    // are for the player to move.
    static double gain(const ErrorModel& errors, const Choice& choice, bool falls, int bound) {
        return falls == (choice.sign > 0) ? errors.below(choice.sign * bound, choice.sign * choice.value, *choice.error)
                                          : errors.above(choice.sign * bound, choice.sign * choice.value, *choice.error);
    }

    // The rest of a call's limit for its recursive calls.
    std::uint64_t left(std::uint64_t limit, std::uint64_t before) const {
        const std::uint64_t used = levels_.are_depths ? 1 : meter_.nodes() - before;
        return limit > used ? limit - used : 0;
    }

    // The first of the best.
    static std::size_t best_of(const std::vector<Choice>& choices) {
        const auto best = std::max_element(choices.begin(), choices.end(),
                                           [](const auto& one, const auto& other) { return one.value < other.value; });
        return static_cast<std::size_t>(best - choices.begin());
    }

    std::vector<Choice> choices_of(const State& state) {
        Moves<G> moves;
        G::moves(state, moves);
        meter_.expand();
        std::vector<Choice> choices;
        choices.reserve(moves.size());
        for (const auto move : moves) {
            meter_.evaluate();
            Choice& choice = choices.emplace_back();
            choice.state = G::after(state, move);
            choice.move = move;
            choice.sign = G::to_move(choice.state) == G::to_move(state) ? 1 : -1;
            choice.is_over = G::is_over(choice.state);
            choice.evaluation = G::evaluation(choice.state);
            choice.value = choice.sign * choice.evaluation;
        }
        return choices;
    }

    const Levels& levels_;
    double price_;
    double price_now_ = 0;  // for the part that is spent
    Meter meter_;
    Found<G> found_;
};

}  // namespace play
