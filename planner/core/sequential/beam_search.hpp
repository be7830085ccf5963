// Beam search for a good plan, by layers with few boards each. Like width_search.hpp, it proves nothing about
// the boards that it omits.
//
// Of each layer the boards with the greatest value are kept, and among these those with the most legal moves,
// because boards with few moves often become dead ends. When no board is left, it starts again with layers
// twice as wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/machine.hpp"
#include "sequential/clock.hpp"
#include "sequential/state_store.hpp"
#include "sequential/status.hpp"

namespace hornbook::planner {

class BeamSearch {
  public:
    // Plans begin in the state `begins`; `top` is an upper bound on the value of a plan; `memory` is in bytes.
    BeamSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory);
    BeamSearch(const BeamSearch&) = delete;
    BeamSearch& operator=(const BeamSearch&) = delete;

    // Visits about this number of further states, unless the search ends earlier: at `top`, or if the widest
    // layer had all boards.
    Status run(std::size_t states);

    Status status() const { return status_; }
    int best() const { return best_; }
    std::vector<Move> plan() const { return plan_; }
    std::size_t boards() const { return store_.size(); }
    // The number of visited states, and of generated successors, with repetitions.
    std::size_t states() const { return met_; }
    std::size_t bytes() const;

  private:
    struct Step {
        std::uint32_t parent;
        Move move;
    };
    struct Candidate {
        StateId board;
        std::uint32_t step;
        int worth;
        std::uint32_t moves, order;
    };

    void begin();
    void next_layer();
    void expand(const Candidate& candidate);
    void meet(StateId board, std::uint32_t step);

    Machine& machine_;
    const int top_;
    const Clock clock_;
    const Splitter splitter_;
    const std::size_t memory_;
    std::vector<Word> begins_;
    StateStore store_;
    std::vector<Step> steps_;
    std::vector<Candidate> layer_, following_;
    std::size_t at_ = 0, depth_ = 0, width_ = 1, met_ = 0;
    // Whether a board was omitted since the last restart.
    bool narrow_ = false;
    std::uint64_t random_ = 1;
    int best_ = no_worth;
    std::vector<Move> plan_;
    Status status_ = Status::searching;
    std::vector<Word> words_, board_;
    std::vector<Move> moves_;
};

}  // namespace hornbook::planner
