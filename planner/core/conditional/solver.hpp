// What a role can guarantee from a state: finds states, in breadth or where a proof needs them, and says what is proved.
//
// Work comes in slices of time, so that who asks can show how it goes and stop between two of them; what is proved by then
// stays. A slice ends between two states; within one, and in backward induction, work stops at the time of stop_after.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "conditional/backward.hpp"
#include "conditional/graph.hpp"
#include "conditional/proof_numbers.hpp"
#include "conditional/watch.hpp"

namespace hornbook::planner {

class Solver {
  public:
    // No end is worth more than `most` to the role. `look_for_signals`: see Watch. All functions may throw what it throws, and
    // may be called again afterwards.
    Solver(Machine& machine, std::size_t role, State start, Worth most, std::size_t most_bytes,
           std::function<void()> look_for_signals)
        : graph_(machine, role, start, most_bytes), watch_(std::move(look_for_signals)), most_(most) {}
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    const Graph& graph() const { return graph_; }

    // Whether the graph has no more room.
    bool full() const { return full_; }

    // All that is called from now on stops after so many seconds.
    void stop_after(double seconds);

    // Expands states in the order in which they were found, for so long or until so many are expanded. True when all are.
    bool explore(double seconds, std::size_t most_expanded);

    // Looks for a proof or a disproof that the role can force `least`, for so long or until so many states are expanded. True
    // when there is one: see bounds.
    bool prove(Worth least, double seconds, std::size_t most_expanded);

    // What the role can force from the first state: at least, and at most. From no_end to `most`. Where the time is up, what
    // was concluded before.
    std::pair<int, int> bounds();

    // Worths of the ends that were found, ascending, each once.
    std::vector<int> worths() const;

    // See smallest_strategy. None where the time is up.
    std::vector<Step> strategy(Worth least);

    // See smallest_refutation. None where the time is up.
    std::vector<Refuted> refutation(Worth most);

  private:
    Worth guaranteed() const { return guaranteed_.empty() ? no_end : guaranteed_[0]; }
    Worth possible() const { return possible_.empty() ? most_ : possible_[0]; }
    bool decided(Worth least) const { return guaranteed() >= least || possible() < least; }
    bool expand_in_order(Time::time_point until, std::size_t most_expanded);
    bool decide(Worth least, Time::time_point until, std::size_t most_expanded);
    void settle_both();

    Graph graph_;
    Watch watch_;
    const Worth most_;
    ProofNumbers numbers_;
    std::vector<Worth> guaranteed_;
    std::vector<Worth> possible_;
    std::size_t settled_ = 0;  // with so many states expanded
    Index next_ = 0;           // all before it are expanded
    int aim_ = -1;             // what `numbers_` is about
    bool full_ = false;
};

}  // namespace hornbook::planner
