#include "conditional/solver.hpp"

#include <algorithm>
#include <set>

namespace hornbook::planner {

namespace {

constexpr int rounds_between_looks_at_the_clock = 16;
// If a decision depends on a repetition, this number of states, and this share, is expanded in breadth before
// the next attempt.
constexpr std::size_t least_breadth = 64;
constexpr std::size_t share_of_breadth = 8;

Time::time_point in(double seconds) {
    // The clock cannot represent infinite times.
    constexpr double most_seconds = 1e9;
    const std::chrono::duration<double> time(std::min(seconds, most_seconds));
    return Time::now() + std::chrono::duration_cast<Time::duration>(time);
}

}  // namespace

void Solver::stop_after(double seconds) {
    watch_.stop_at(in(seconds));
}

bool Solver::explore(double seconds, std::size_t most_expanded) {
    try {
        return expand_in_order(in(seconds), most_expanded);
    } catch (const Late&) {
        return false;
    }
}

bool Solver::expand_in_order(Time::time_point until, std::size_t most_expanded) {
    int steps = 0;
    for (; next_ < graph_.size(); ++next_) {
        if (++steps == rounds_between_looks_at_the_clock) {
            steps = 0;
            if (Time::now() >= until) {
                return false;
            }
        }
        if (graph_.worth(next_) != waiting) {
            continue;
        }
        if (graph_.expanded() >= most_expanded) {
            return false;
        }
        if (!graph_.expand(next_, watch_)) {
            full_ = true;
            return false;
        }
    }
    return true;
}

bool Solver::prove(Worth least, double seconds, std::size_t most_expanded) {
    try {
        return decide(least, in(seconds), most_expanded);
    } catch (const Late&) {
        return decided(least);
    }
}

bool Solver::decide(Worth least, Time::time_point until, std::size_t most_expanded) {
    const auto begin = [&] {
        aim_ = -1;
        settle_both();
        numbers_.begin(graph_, least, guaranteed_, possible_);
        aim_ = least;
    };
    if (aim_ != least) {
        begin();
    }
    while (true) {
        const auto stop = numbers_.work(graph_, until, most_expanded, watch_);
        if (stop != ProofNumbers::Stop::decided) {
            full_ = full_ || stop == ProofNumbers::Stop::full;
            return false;
        }
        settle_both();
        if (decided(least)) {
            return true;
        }
        // Some number depends on a repetition. Expand more states in breadth, so that the search terminates.
        const std::size_t more = least_breadth + graph_.expanded() / share_of_breadth;
        expand_in_order(until, std::min(most_expanded, graph_.expanded() + more));
        begin();
        if (full_ || Time::now() >= until || graph_.expanded() >= most_expanded) {
            return decided(least);
        }
    }
}

std::pair<int, int> Solver::bounds() {
    try {
        settle_both();
    } catch (const Late&) {
        // The bounds are weaker than they could be.
    }
    return {guaranteed(), possible()};
}

std::vector<int> Solver::worths() const {
    std::set<int> found;
    for (Index state = 0; state < graph_.size(); ++state) {
        if (graph_.worth(state) >= 0) {
            found.insert(graph_.worth(state));
        }
    }
    return {found.begin(), found.end()};
}

std::vector<Step> Solver::strategy(Worth least) {
    try {
        settle_both();
        return smallest_strategy(graph_, guaranteed_, least, watch_);
    } catch (const Late&) {
        return {};
    }
}

std::vector<Refuted> Solver::refutation(Worth most) {
    try {
        settle_both();
        return smallest_refutation(graph_, possible_, most, watch_);
    } catch (const Late&) {
        return {};
    }
}

// Update both or neither: if it is interrupted, the earlier bounds remain, which are still valid.
void Solver::settle_both() {
    if (settled_ == graph_.expanded() && guaranteed_.size() == graph_.size()) {
        return;
    }
    const Predecessors before(graph_, watch_);
    auto guaranteed = settle(graph_, before, no_end, watch_);
    possible_ = settle(graph_, before, most_, watch_);
    guaranteed_ = std::move(guaranteed);
    settled_ = graph_.expanded();
}

}  // namespace hornbook::planner
