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

    enum class Stop { decided, late, full };

    // Expands states until the numbers decide about state 0, the time `until` is reached, or the graph is
    // full. Throws the exceptions of the watch, and may be continued afterwards.
    Stop work(Graph& graph, Time::time_point until, std::size_t most_expanded, Watch& watch);

  private:
    using Number = std::uint32_t;
    struct Pair {
        Number proof;
        Number disproof;
    };
    struct Frame {
        Index state;
        Number proof;     // thresholds at which the search returns
        Number disproof;
    };
    struct Chosen {
        Pair numbers;
        Frame child;
    };

    Pair of(Index state) const { return on_way_[state] ? Pair{never, 0} : numbers_[state]; }
    Chosen choose(const Graph& graph, const Frame& frame, Watch& watch) const;
    Pair at_end(Worth worth) const { return worth >= least_ ? Pair{0, never} : Pair{never, 0}; }

    static constexpr Number never = 1'000'000'000;

    Worth least_ = 0;
    std::vector<Pair> numbers_;
    std::vector<bool> on_way_;
    std::vector<Frame> way_;
};

}  // namespace hornbook::planner
