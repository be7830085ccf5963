// Breadth-first search for the best plan of a game with one role, over boards with the number of moves as
// clock.
//
// Layer d contains the boards after any d moves without an earlier terminal state. A board is expanded once,
// whatever the clock, and each layer follows from the previous one. So the search is exact even if a board
// has its greatest value only after one number of moves. Without a clock there is one phase, and the layers
// are those of breadth-first search.
//
// Layers ascend, so the first plan of a value is a shortest one of this value.
#pragma once

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

class LayeredSearch {
  public:
    // Plans begin in the state `begins`; `top` is an upper bound on the value of a plan; `memory` is in bytes.
    LayeredSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory);
    LayeredSearch(const LayeredSearch&) = delete;
    LayeredSearch& operator=(const LayeredSearch&) = delete;

    // Visits about this number of further states, unless the search ends earlier. At `top` the best plan is a
    // shortest one of its value. If the search is exhausted, this also holds, and no plan has more.
    Status run(std::size_t states);

    Status status() const { return status_; }

    // The greatest value of a plan found, or no_worth.
    int best() const { return best_; }

    // The moves of the first plan of this value.
    std::vector<Move> plan();

    std::size_t boards() const { return store_.size(); }

    // The number of visited states, and of generated successors, with repetitions.
    std::size_t states() const { return met_; }

    // The number of moves to the states that are currently visited.
    std::size_t depth() const { return depth_; }

    std::size_t bytes() const;

  private:
    struct Entry {
        StateId board;
        std::uint32_t parent;
    };
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint64_t unexpanded = std::numeric_limits<std::uint64_t>::max();

    void look(State board, std::size_t phase);
    // The value of a board if it is terminal, and otherwise `goes_on`.
    int verdict(StateId board, std::size_t phase);
    void expand(StateId board);
    void reach(StateId board);
    void enter_layer();
    void step();
    // The board after a move from the current state, in `board_`.
    void next_board(Move move, std::size_t next_phase);

    static constexpr int goes_on = -2;
    static constexpr int unknown = -3;

    Machine& machine_;
    const int top_;
    const Clock clock_;
    const Splitter splitter_;
    const std::size_t memory_;
    // Whether a board may be reached after several numbers of moves.
    const bool clocked_;
    StateStore store_;

    // Consecutive layers. The current one ends at `layer_end_`; the next one grows after it.
    std::deque<Entry> entries_;
    std::size_t at_ = 0, layer_end_ = 0, depth_ = 0, met_ = 0;

    // For each phase the boards reached in it, as bits. If no phase repeats, only those of the next layer are kept.
    std::vector<std::vector<std::uint64_t>> reached_;
    std::size_t phase_ = 0, next_phase_ = 0;

    // With a clock: the index of each board's successors, and for each kind of phases the verdicts on the boards.
    std::vector<std::uint64_t> first_successor_;
    std::vector<StateId> successors_;
    std::vector<std::vector<int>> verdicts_;

    int best_ = no_worth;
    std::size_t best_entry_ = 0;
    Status status_ = Status::searching;
    std::vector<Word> words_, board_;
    std::vector<Move> moves_;
};

}  // namespace hornbook::planner
