// Alpha-beta to a fixed depth (Knuth and Moore 1975), as fail-soft negamax: plain, with moves as the game
// lists them, or ordered, with moves by the evaluations of their successors, which are counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "play/core/search/search.hpp"

namespace play {

enum class Order { LISTED, EVALUATED };

// The states after all moves, with their estimated values for the moving player.
template <GameOfTwo G>
struct Child {
    typename G::State state;
    typename G::Move move;
    int promise = 0;
};

template <GameOfTwo G>
class Children {
public:
    Children(const typename G::State& state, Meter& meter) {
        Moves<G> moves;
        G::moves(state, moves);
        meter.expand();
        for (const auto move : moves) {
            std::construct_at(begin() + size_++, Child<G>{G::after(state, move), move, 0});
        }
    }

    // Best first; equal ones in their original order.
    void sort() {
        std::stable_sort(begin(), end(), [](const auto& one, const auto& other) { return one.promise > other.promise; });
    }
    void evaluate(const typename G::State& state, Meter& meter) {
        meter.evaluate(size_);
        for (auto& child : *this) {
            const int value = G::evaluation(child.state);
            child.promise = G::to_move(child.state) == G::to_move(state) ? value : -value;
        }
    }
    std::size_t size() const { return size_; }
    Child<G>* begin() { return reinterpret_cast<Child<G>*>(room_.data()); }
    Child<G>* end() { return begin() + size_; }

private:
    // Raw bytes, so that unused entries are not initialised.
    alignas(Child<G>) std::array<std::byte, sizeof(Child<G>) * G::most_moves> room_;
    std::size_t size_ = 0;
};

// The maximal depth of a recursive search: the children of a whole line are on the stack.
template <GameOfTwo G>
constexpr int DEEPEST = static_cast<int>(std::size_t{4'000'000} / (sizeof(Children<G>) + 512));

// One search; `value` may be called for several windows, and one meter counts everything.
template <GameOfTwo G>
class AlphaBeta {
public:
    using State = typename G::State;

    AlphaBeta(Order order, Meter& meter) : order_(order), meter_(meter) {}

    // The value of a state at a depth: exact within the window, otherwise a bound on its side of it. `line`
    // gets the principal variation. Meaningless after the meter is spent.
    int value(const State& state, int depth, int alpha, int beta, std::vector<typename G::Move>& line) {
        line.clear();
        if (depth == 0) {
            meter_.evaluate();
            horizon_ = horizon_ || !G::is_over(state);
            return G::evaluation(state);
        }
        Children<G> children(state, meter_);
        if (children.size() == 0) {
            meter_.evaluate();
            return G::evaluation(state);
        }
        if (order_ == Order::EVALUATED && depth > 1) {
            children.evaluate(state, meter_);
            children.sort();
        }
        int best = WORST<G>;
        std::vector<typename G::Move> follows;
        for (const auto& child : children) {
            const bool goes_on = G::to_move(child.state) == G::to_move(state);
            const int from = std::max(alpha, best);
            const int found = goes_on ? value(child.state, depth - 1, from, beta, follows)
                                      : -value(child.state, depth - 1, -beta, -from, follows);
            if (meter_.is_spent()) {
                return best;
            }
            if (found > best) {
                best = found;
                line.assign(1, child.move);
                line.insert(line.end(), follows.begin(), follows.end());
                if (best >= beta) {
                    break;
                }
            }
        }
        return best;
    }

    // Whether any state that is not over was evaluated at the end of a line: if none, values are for the whole game.
    bool saw_horizon() const { return horizon_; }

private:
    Order order_;
    Meter& meter_;
    bool horizon_ = false;
};

// The best move by a search to the budget's depth. If the budget is spent before that depth, nothing is
// decided. Throws std::invalid_argument for a depth above the limit.
template <GameOfTwo G>
Found<G> alpha_beta(const typename G::State& state, const Budget& budget, Order order) {
    if (budget.depth > DEEPEST<G>) {
        throw std::invalid_argument("alpha-beta goes " + std::to_string(DEEPEST<G>) + " moves deep at most in this game");
    }
    Meter meter(budget);
    AlphaBeta<G> search(order, meter);
    Found<G> found;
    found.depth = budget.depth;
    found.value = search.value(state, budget.depth, WORST<G>, -WORST<G>, found.line);
    found.spent = meter.spent();
    if (meter.is_spent()) {
        found.why = meter.why();
        found.line.clear();
        return found;
    }
    found.why = G::is_over(state) ? Why::OVER : search.saw_horizon() ? Why::DEPTH : Why::SOLVED;
    if (!found.line.empty()) {
        found.move = found.line.front();
    }
    return found;
}

}  // namespace play
