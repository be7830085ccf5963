// Depth-first proof-number search (Nagai 2002): selects the states to expand to decide whether the role can
// force a value.
//
// It only selects. Proofs are read off the graph by backward induction (backward.hpp), so a number that is
// wrong because of a repetition on the current path proves nothing. The numbers of successors are not summed:
// a state has the largest of them plus one for each other one (weak proof numbers, Ueda, Hashimoto, Hashimoto
// and Iida 2008).
#pragma once

#include <cstdint>
#include <vector>

#include "conditional/graph.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

class ProofNumbers {
  public:
    // Starts again for a value of at least `least`, with the known bounds `guaranteed` and `possible` (see settle).
    void begin(const Graph& graph, Worth least, const std::vector<Worth>& guaranteed,
               const std::vector<Worth>& possible);

    enum class Stop {
        decided,  // the numbers decide about state 0
        late,     // the time `until` or the number `most_expanded` is reached
        full      // the graph has no memory for further states
    };

    // Expands states until a reason to stop. Throws the exceptions of the watch, and may be continued
    // afterwards.
    Stop work(Graph& graph, Time::time_point until, std::size_t most_expanded, Watch& watch);

  private:
    using Number = std::uint32_t;
    // The estimated effort to prove that the role can force `least` from a state, and to disprove it. A number
    // is 0 if that is done, and `infinite` if the opposite is.
    struct Pair {
        Number proof;
        Number disproof;
    };
    // A state on the current path, and its thresholds: the search leaves it when one of its numbers reaches its
    // threshold.
    struct Frame {
        Index state;
        Number proof;
        Number disproof;
    };
    // The numbers of a state, and the next frame on the path.
    struct Chosen {
        Pair numbers;
        Frame child;
    };

    // The numbers of a successor. One on the current path is a repetition, which counts as a failure.
    Pair numbers_of(Index state) const { return on_path_[state] ? Pair{infinite, 0} : numbers_[state]; }
    Chosen choose(const Graph& graph, const Frame& frame, Watch& watch) const;
    // The numbers of a terminal state.
    Pair at_end(Worth worth) const { return worth >= least_ ? Pair{0, infinite} : Pair{infinite, 0}; }

    static constexpr Number infinite = 1'000'000'000;

    Worth least_ = 0;
    std::vector<Pair> numbers_;  // by state
    std::vector<bool> on_path_;  // by state
    std::vector<Frame> path_;    // from state 0
};

}  // namespace hornbook::planner
