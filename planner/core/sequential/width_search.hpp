// Best-first search for a good plan, where layers are too many: no proof that it is the best, unless it has the greatest
// value that any could have.
//
// States come first that are new of their kind: some fluent, or else some pair of fluents, is true for the first time in
// a state of this worth (best-first width search: Lipovetzky and Geffner, Best-First Width Search, AAAI-17; for games as
// black boxes, Francès and others, IJCAI-17). Among these, worth comes first. A board is looked at once, at the first
// number of moves after which it is met, so plans that need another number may be missed.
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
    // Plans begin in the state `begins`; `top` is the greatest value that one could have; `memory` is in bytes.
    WidthSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory);
    WidthSearch(const WidthSearch&) = delete;
    WidthSearch& operator=(const WidthSearch&) = delete;

    // Looks at about this many more states, or fewer where the search ends. `exhausted` says here that no board is left.
    Status run(std::size_t states);

    Status status() const { return status_; }
    int best() const { return best_; }
    std::vector<Move> plan();
    std::size_t boards() const { return store_.size(); }
    // States looked at, and states that a move leads to, as often as one does.
    std::size_t states() const { return met_; }
    std::size_t bytes() const;

  private:
    struct Origin {
        StateId parent;
        std::uint32_t depth;
    };
    // What has been true in the states of one worth.
    struct Seen {
        std::vector<bool> fluents, pairs;
    };
    static constexpr StateId nobody = std::numeric_limits<StateId>::max();
    static constexpr std::size_t worths = 102, novelties = 3;
    // Pairs are watched of the fluents with numbers below this.
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
