// The value that a role can guarantee from a state: expands states, in breadth or where a proof needs them,
// and provides proved bounds.
//
// Work is divided into slices of time, so that the caller can show progress and stop between two of them;
// proved results remain. A slice ends between two states. Within one, and in backward induction, work stops
// at the time of stop_after.
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
    // `most` is an upper bound on the value of any end for the role. `look_for_signals`: see Watch. All
    // functions may throw its exceptions, and may be called again afterwards.
    Solver(Machine& machine, std::size_t role, State start, Worth most, std::size_t most_bytes,
           std::function<void()> look_for_signals)
        : graph_(machine, role, start, most_bytes), watch_(std::move(look_for_signals)), most_(most) {}
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    const Graph& graph() const { return graph_; }

    // Whether the graph is full.
    bool full() const { return full_; }

    // All later calls stop after this time.
    void stop_after(double seconds);

    // Expands states in the order of their discovery, up to a time or number of states. Returns true when all
    // are expanded.
    bool explore(double seconds, std::size_t most_expanded);

    // Searches for a proof or a disproof that the role can force `least`, up to a time or number of expanded
    // states. Returns true when there is one: see bounds.
    bool prove(Worth least, double seconds, std::size_t most_expanded);

    // Lower and upper bounds on the value that the role can force from the first state, from no_end to
    // `most`. After the time limit, the earlier bounds.
    std::pair<int, int> bounds();

    // The distinct values of the visited ends, ascending.
    std::vector<int> worths() const;

    // See smallest_strategy. None after the time limit.
    std::vector<Step> strategy(Worth least);

    // See smallest_refutation. None after the time limit.
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
    std::size_t settled_ = 0;  // the number of expanded states at that time
    Index next_ = 0;           // all states before it are expanded
    int aim_ = -1;             // the target of `numbers_`
    bool full_ = false;
};

}  // namespace hornbook::planner
