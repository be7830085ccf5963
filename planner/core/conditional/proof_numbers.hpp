// Depth-first proof-number search (Nagai 2002): which states to expand to learn whether the role can force at least so much.
//
// It only chooses. What is proved is read off the graph by backward induction (backward.hpp), so that a number that a
// repetition on the way here has made wrong claims nothing. Numbers of states that follow in many ways are not summed up: a
// state has the largest of them and one for each other one (weak proof numbers, Ueda, Hashimoto, Hashimoto and Iida 2008).
#pragma once

#include <cstdint>
#include <vector>

#include "conditional/graph.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

class ProofNumbers {
  public:
    // Begins anew for at least `least`; what `guaranteed` and `possible` (see settle) say is known.
    void begin(const Graph& graph, Worth least, const std::vector<Worth>& guaranteed,
               const std::vector<Worth>& possible);

    enum class Stop { decided, late, full };

    // Expands states until the numbers decide about state 0, it is `until`, or the graph has no room. Throws what the
    // watch throws, and may go on afterwards.
    Stop work(Graph& graph, Time::time_point until, std::size_t most_expanded, Watch& watch);

  private:
    using Number = std::uint32_t;
    struct Pair {
        Number proof;
        Number disproof;
    };
    struct Frame {
        Index state;
        Number proof;     // give up when the numbers reach these
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
