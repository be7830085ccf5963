// Best-first search for a good plan if there are too many layers. It does not prove that a plan is the best,
// unless the plan has the greatest value that the rules allow.
//
// Novel states come first: some fluent, or else some pair of fluents, is true for the first time in a state
// of this value (best-first width search: Lipovetzky and Geffner, Best-First Width Search, AAAI-17; for games
// as black boxes, Francès and others, IJCAI-17). Among these, the value decides. A board is visited once, at
// the first number of moves after which it is reached, so plans that need another number may be missed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "machine/machine.hpp"
#include "sequential/clock.hpp"
#include "sequential/state_store.hpp"
#include "sequential/status.hpp"

namespace hornbook::planner {

class WidthSearch {
  public:
    // Plans begin in the state `begins`; `top` is an upper bound on the value of a plan; `memory` is in bytes.
    WidthSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory);
    WidthSearch(const WidthSearch&) = delete;
    WidthSearch& operator=(const WidthSearch&) = delete;

    // Visits about this number of further states, unless the search ends earlier. Here `exhausted` means that
    // no board is left.
    Status run(std::size_t states);

    Status status() const { return status_; }
    int best() const { return best_; }
    std::vector<Move> plan();
    std::size_t boards() const { return store_.size(); }
    // The number of visited states, and of generated successors, with repetitions.
    std::size_t states() const { return met_; }
    std::size_t bytes() const;

  private:
    struct Origin {
        StateId parent;
        std::uint32_t depth;
    };
    // The fluents and pairs that were true in states of one value.
    struct Seen {
        std::vector<bool> fluents, pairs;
    };
    static constexpr StateId nobody = std::numeric_limits<StateId>::max();
    static constexpr std::size_t worths = 102, novelties = 3;
    // Pairs are tracked for fluents with numbers below this.
    static constexpr std::size_t most_paired = 4096;

    void expand(StateId board);
    void meet(StateId board);
    void next_board(Move move, std::size_t depth);
    std::size_t novelty(StateId board, Seen& seen);
    void fluents_of(State board, std::vector<std::size_t>& out) const;
    StateId take();

    Machine& machine_;
    const int top_;
    const Clock clock_;
    const Splitter splitter_;
    const std::size_t memory_;
    StateStore store_;
    std::vector<Origin> origins_;
    // Boards to expand, by novelty and worth, the best last.
    std::array<std::deque<StateId>, novelties * worths> open_;
    std::array<Seen, worths> seen_;
    std::size_t expanded_ = 0, met_ = 0;
    int best_ = no_worth;
    StateId best_board_ = nobody;
    Status status_ = Status::searching;
    std::vector<Word> words_, board_;
    std::vector<Move> moves_;
    std::vector<StateId> fresh_;
    std::vector<std::size_t> now_, before_;
};

}  // namespace hornbook::planner
