// Alpha-beta by iterative deepening with a table of states: principal variation search, with moves ordered by
// the table, by evaluations, and near the leaves by killers and history. Its values are those of plain
// alpha-beta of the same depth.
//
// The table stores and compares whole states, so there are no collisions. An entry is valid only for its
// search depth, or for any greater one if it depends only on ends of the game, so a depth always means the
// same.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "play/core/search/alpha_beta.hpp"
#include "play/core/search/known.hpp"
#include "play/core/search/prob_cut.hpp"

namespace play {

template <GameOfTwo G>
class Deepening {
public:
    using State = typename G::State;
    using Move = typename G::Move;

    // A table of 2 ^ `bits` entries. With `cuts`, subtrees are cut if a shallow search predicts that they are
    // irrelevant (Multi-ProbCut): then values are no longer exact.
    explicit Deepening(int bits = 16, ProbCuts cuts = {}, Known<G> known = {})
        : table_(std::size_t{1} << bits), cuts_(std::move(cuts)), known_(std::move(known)) {}

    // The exponent of the largest table that fits into this number of megabytes.
    static int bits_within(std::size_t megabytes) {
        const std::size_t entries = megabytes * 1024 * 1024 / sizeof(Entry);
        return std::max(10, static_cast<int>(std::bit_width(entries)) - 1);
    }

    Found<G> operator()(const State& state, const Budget& budget, const Analysis<G>& analysis = {}) {
        Meter meter(budget.own());
        meter_ = &meter;
        Found<G> found;
        found.why = Why::OVER;
        if (G::is_over(state)) {
            meter.evaluate();
            found.value = G::evaluation(state);
            found.spent = meter.spent();
            return found;
        }
        const bool is_whole = analysis.only.empty() && analysis.lines == 1;
        const Bounds<G> known = is_whole && known_.is_asked() ? known_.of(state, meter) : Bounds<G>{};
        if (known.move.has_value()) {
            meter.evaluate();
            return decided(known, G::evaluation(state), meter);
        }
        killers_.clear();
        history_.fill(0);
        std::vector<Line<G>> before;
        for (int depth = 1; depth <= std::min(budget.depth, DEEPEST<G>); ++depth) {
            horizon_ = false;
            std::vector<Line<G>> lines = best_lines(state, depth, analysis, before);
            if (meter.is_spent()) {
                // The first move is the best of the previous depth, so any better one found is taken.
                if (depth > 1) {
                    found.move = !lines.empty() ? lines.front().moves.front() : root_.has_value() ? *root_ : *found.move;
                }
                found.why = meter.why();
                break;
            }
            const int value = lines.front().value;
            found.value = known.within(value);
            found.depth = depth;
            found.line = lines.front().moves;
            found.move = found.line.front();
            if (budget.trace) {
                found.steps.push_back({meter.nodes(), found.line, value, 0, 0});
            }
            if (analysis.report) {
                analysis.report(depth, meter.nodes(), lines);
            }
            // A value that nothing can exceed, or that no move avoids, is final.
            const bool is_final = !horizon_ || (analysis.lines == 1 && (value >= G::greatest || value <= G::least));
            found.why = is_final ? Why::SOLVED : Why::DEPTH;
            if (is_final) {
                break;
            }
            before = std::move(lines);
        }
        if (found.move.has_value() && (found.line.empty() || !(found.line.front() == *found.move))) {
            found.line.assign(1, *found.move);
        }
        found.spent = meter.spent();
        return found;
    }

private:
    enum class Bound : std::uint8_t { NONE, EXACT, AT_LEAST, AT_MOST };
    struct Entry {
        State state{};
        int value = 0;
        std::int16_t depth = 0;
        Bound bound = Bound::NONE;
        bool whole = false;  // depends only on ends of the game
        std::uint32_t nodes = 0;  // nodes spent below
        Move move{};
    };

    // The best first moves, each with its line, at a depth; meaningless after the budget is spent, except for
    // those before the last.
    std::vector<Line<G>> best_lines(const State& state, int depth, const Analysis<G>& analysis, const std::vector<Line<G>>& before) {
        std::vector<Line<G>> found;
        left_out_.clear();
        Moves<G> moves;
        G::moves(state, moves);
        for (const auto move : moves) {
            if (!analysis.considers(move)) {
                left_out_.push_back(move);
            }
        }
        const std::size_t wanted = std::min(analysis.lines, moves.size() - left_out_.size());
        while (found.size() < wanted) {
            last_ = found.size() < before.size() ? std::optional(before[found.size()].moves.front()) : std::nullopt;
            root_.reset();
            const int value = search(state, depth, 0, WORST<G>, -WORST<G>);
            if (meter_->is_spent()) {
                break;
            }
            found.push_back({value, line(state, depth)});
            left_out_.push_back(*root_);
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& one, const auto& other) { return one.value > other.value; });
        return found;
    }

    bool is_left_out(Move move) const { return std::find(left_out_.begin(), left_out_.end(), move) != left_out_.end(); }

    Entry& entry(const State& state) { return table_[G::hash(state) & (table_.size() - 1)]; }

    int search(const State& state, int depth, std::size_t ply, int alpha, int beta) {
        if (depth == 0) {
            meter_->evaluate();
            horizon_ = horizon_ || !G::is_over(state);
            return G::evaluation(state);
        }
        Entry& kept = entry(state);
        const bool is_known = kept.bound != Bound::NONE && kept.state == state;
        Bounds<G> bounds;
        if (ply > 0 && is_known && known_.is_asked_after(kept.nodes)) {
            bounds = known_.of(state, *meter_);
            if (bounds.least >= beta || bounds.greatest <= alpha || bounds.least == bounds.greatest) {
                return bounds.least >= beta ? bounds.least : bounds.greatest;
            }
        }
        if (is_known && ply > 0 && (kept.depth == depth || (kept.whole && kept.depth <= depth)) &&
            (kept.bound == Bound::EXACT || (kept.bound == Bound::AT_LEAST && kept.value >= beta) ||
             (kept.bound == Bound::AT_MOST && kept.value <= alpha))) {
            horizon_ = horizon_ || !kept.whole;
            return kept.value;
        }
        const Move known = ply > 0 ? kept.move : last_.value_or(kept.move);
        const bool knows = is_known || (ply == 0 && last_.has_value());
        if (ply > 0) {
            if (const auto bound = cut(state, depth, ply, alpha, beta)) {
                horizon_ = true;
                return *bound;
            }
        }
        Children<G> children(state, *meter_);
        if (children.size() == 0) {
            meter_->evaluate();
            return G::evaluation(state);
        }
        order(children, state, depth, ply, knows ? &known : nullptr);

        const bool saw_horizon = horizon_;
        const std::uint64_t before = meter_->nodes();
        const int top = std::min(beta, bounds.greatest);
        horizon_ = false;
        int best = WORST<G>;
        Move chosen = children.begin()->move;
        bool is_first = true;
        for (const auto& child : children) {
            if (ply == 0 && is_left_out(child.move)) {
                continue;
            }
            const bool goes_on = G::to_move(child.state) == G::to_move(state);
            const auto below = [&](int from, int to) {
                return goes_on ? search(child.state, depth - 1, ply + 1, from, to)
                               : -search(child.state, depth - 1, ply + 1, -to, -from);
            };
            const int from = std::max({alpha, best, bounds.least});
            int found;
            if (is_first || top - from <= 1 || depth == 1) {
                found = below(from, top);
            } else {
                found = below(from, from + 1);
                if (found > from && found < top && !meter_->is_spent()) {
                    found = below(from, top);
                }
            }
            if (meter_->is_spent()) {
                return best;
            }
            is_first = false;
            if (found > best) {
                best = found;
                chosen = child.move;
                if (ply == 0) {
                    root_ = chosen;
                }
                if (best >= top) {
                    remember(state, chosen, depth, ply);
                    break;
                }
            }
        }
        // A state below may have overwritten the entry.
        best = bounds.within(best);
        if (ply > 0 || left_out_.empty()) {  // a subset of the moves does not determine the state's value
            kept = {state, best, static_cast<std::int16_t>(depth),
                    best >= beta    ? Bound::AT_LEAST
                    : best <= alpha ? Bound::AT_MOST
                                    : Bound::EXACT,
                    !horizon_, static_cast<std::uint32_t>(std::min<std::uint64_t>(meter_->nodes() - before, 1U << 31)), chosen};
        }
        horizon_ = horizon_ || saw_horizon;
        return best;
    }

    // The bound that a shallower search makes sufficiently likely, if this depth has a pair.
    std::optional<int> cut(const State& state, int depth, std::size_t ply, int alpha, int beta) {
        const ProbCut* pair = cuts_.at(depth, progress<G>(state));
        if (pair == nullptr) {
            return {};
        }
        const auto [high, low] = pair->bounds(alpha, beta, cuts_.margin);
        if (high < G::greatest && search(state, pair->shallow, ply, high - 1, high) >= high) {
            return beta;
        }
        if (low > G::least && search(state, pair->shallow, ply, low, low + 1) <= low) {
            return alpha;
        }
        return {};
    }

    // First comes the move from the table, or the best one of the previous depth. The others are sorted by
    // evaluations. Near the leaves these cost more than they save: there come the moves that caused cut-offs
    // at the same ply (killers), then by frequency of cut-offs (history).
    void order(Children<G>& children, const State& state, int depth, std::size_t ply, const Move* known) {
        if (children.size() == 1) {
            return;
        }
        constexpr int MOST = std::numeric_limits<int>::max();
        if (depth > 2) {
            children.evaluate(state, *meter_);
        } else {
            for (auto& child : children) {
                child.promise = history_[row(state, child.move)];
                if (ply < killers_.size()) {
                    const auto& killers = killers_[ply];
                    child.promise = killers[0] == child.move ? MOST - 1 : killers[1] == child.move ? MOST - 2 : child.promise;
                }
            }
        }
        for (auto& child : children) {
            if (known != nullptr && child.move == *known) {
                child.promise = MOST;
            }
        }
        children.sort();
    }

    void remember(const State& state, Move move, int depth, std::size_t ply) {
        if (killers_.size() <= ply) {
            killers_.resize(ply + 1);
        }
        auto& killers = killers_[ply];
        if (killers[0] != move) {
            killers[1] = killers[0];
            killers[0] = move;
        }
        int& times = history_[row(state, move)];
        times = std::min(times + depth * depth, 1 << 28);
    }

    // A row for a move of a player; moves with the same row share their history.
    static std::size_t row(const State& state, const Move& move) {
        std::array<unsigned char, sizeof(Move)> bytes{};
        if constexpr (std::has_unique_object_representations_v<Move>) {
            std::memcpy(bytes.data(), &move, sizeof(Move));
        }
        std::uint32_t mixed = static_cast<std::uint32_t>(G::to_move(state));
        for (const unsigned char byte : bytes) {
            mixed = (mixed ^ byte) * 16777619u;
        }
        return (mixed ^ (mixed >> 12)) % ROWS;
    }

    // The stored part of the principal variation in the table.
    std::vector<Move> line(State state, int depth) {
        std::vector<Move> found;
        std::optional<Move> next = root_;
        while (next.has_value() && static_cast<int>(found.size()) < depth) {
            found.push_back(*next);
            state = G::after(state, *next);
            const Entry& kept = entry(state);
            next = kept.bound == Bound::EXACT && kept.state == state && !G::is_over(state) ? std::optional(kept.move)
                                                                                            : std::nullopt;
        }
        return found;
    }

    static constexpr std::size_t ROWS = 4096;
    std::vector<std::array<std::optional<Move>, 2>> killers_;  // by ply
    std::array<int, ROWS> history_{};
    std::optional<Move> last_;  // the best of the previous depth
    std::vector<Move> left_out_;  // first moves that are excluded
    std::vector<Entry> table_;
    ProbCuts cuts_;
    Known<G> known_;
    Meter* meter_ = nullptr;
    bool horizon_ = false;
    std::optional<Move> root_;
};

}  // namespace play
