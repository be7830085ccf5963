// Breadth-first search for the best plan of a game with one role, over boards, with the number of moves as clock.
// A board is a state without its clock; the clock has a phase after each number of moves (clock.hpp).
//
// Layer d contains the boards after any d moves without an earlier terminal state. A board may be in several
// layers, because its value and its end can depend on the clock. It is expanded once: its successors do not
// depend on the clock. Without a clock there is one phase, and the layers are those of breadth-first search.
//
// Layers are visited in ascending order, so the first plan found of a value is a shortest one of this value.
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
    // Plans begin in the state `start`; `top` is an upper bound on the value of a plan; `memory` is in bytes.
    LayeredSearch(Machine& machine, State start, int top, Clock clock, std::size_t memory);
    LayeredSearch(const LayeredSearch&) = delete;
    LayeredSearch& operator=(const LayeredSearch&) = delete;

    // Visits about this number of further states, unless the search ends earlier. If the result is Status::top or
    // Status::exhausted, the best plan has the greatest value of any plan, and is a shortest one of this value.
    Status run(std::size_t states);

    Status status() const { return status_; }

    // The greatest value of a plan found, or no_worth.
    int best() const { return best_; }

    // The moves of the first plan of this value.
    std::vector<Move> plan();

    // The number of different boards.
    std::size_t boards() const { return store_.size(); }

    // The number of visited states plus that of generated successors, with repetitions.
    std::size_t states() const { return visited_; }

    // The number of the current layer: of the moves to its boards.
    std::size_t depth() const { return depth_; }

    // The memory of the search.
    std::size_t bytes() const;

  private:
    // A board in a layer, and the index of the entry of its predecessor, or `nowhere`.
    struct Entry {
        StateId board;
        std::uint32_t parent;
    };
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint64_t unexpanded = std::numeric_limits<std::uint64_t>::max();

    // Selects the state with a board and the clock of a phase in the machine.
    void look(State board, std::size_t phase);
    // The value of a board if it is terminal, and otherwise `goes_on`.
    int verdict(StateId board, std::size_t phase);
    // Adds the successors of a board to the next layer.
    void expand(StateId board);
    // Adds a board to the next layer, unless it is there.
    void reach(StateId board);
    void enter_layer();
    // Visits the next entry.
    void step();
    // Sets `board_` to the board after a move from the state selected in the machine.
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
    std::size_t at_ = 0;  // the index of the current entry
    std::size_t layer_end_ = 0, depth_ = 0, visited_ = 0;

    // For each phase the boards reached in it, as bits. Those of a phase that does not recur are deleted after it.
    std::vector<std::vector<std::uint64_t>> reached_;
    std::size_t phase_ = 0, next_phase_ = 0;

    // With a clock: the index of each board's successors, whose number precedes them in `successors_`; and for
    // each kind of phases the verdicts on the boards.
    std::vector<std::uint64_t> first_successor_;
    std::vector<StateId> successors_;
    std::vector<std::vector<int>> verdicts_;

    int best_ = no_worth;
    std::size_t best_entry_ = 0;
    Status status_ = Status::searching;
    // Buffers: a state, a board, and the legal moves of a state.
    std::vector<Word> words_, board_;
    std::vector<Move> moves_;
};

}  // namespace hornbook::planner
