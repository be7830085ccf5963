#include "conditional/solver.hpp"

#include <algorithm>
#include <set>

namespace hornbook::planner {

namespace {

constexpr int steps_between_looks_at_the_clock = 16;
// Where a decision rests on a repetition, so many states are expanded in breadth before the next try, and one in so many.
constexpr std::size_t least_breadth = 64;
constexpr std::size_t share_of_breadth = 8;

Time::time_point in(double seconds) {
    return Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

bool Solver::explore(double seconds, std::size_t most_expanded) {
    const auto until = in(seconds);
    int steps = 0;
    for (; next_ < graph_.size(); ++next_) {
        if (++steps == steps_between_looks_at_the_clock) {
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
        if (!graph_.expand(next_)) {
            full_ = true;
            return false;
        }
    }
    return true;
}

bool Solver::prove(Worth least, double seconds, std::size_t most_expanded) {
    const auto until = in(seconds);
    if (aim_ != least) {
        settle_both();
        numbers_.begin(graph_, least, guaranteed_, possible_);
        aim_ = least;
    }
    while (true) {
        const auto stop = numbers_.work(graph_, until, most_expanded);
        if (stop != ProofNumbers::Stop::decided) {
            full_ = full_ || stop == ProofNumbers::Stop::full;
            return false;
        }
        settle_both();
        if (guaranteed_[0] >= least || possible_[0] < least) {
            return true;
        }
        // Some number rests on a repetition. More states are expanded in breadth, so that there is an end to this.
        const auto left = std::chrono::duration<double>(until - Time::now()).count();
        const std::size_t more = least_breadth + graph_.expanded() / share_of_breadth;
        explore(std::max(left, 0.0), std::min(most_expanded, graph_.expanded() + more));
        settle_both();
        numbers_.begin(graph_, least, guaranteed_, possible_);
        if (full_ || Time::now() >= until || graph_.expanded() >= most_expanded) {
            return guaranteed_[0] >= least || possible_[0] < least;
        }
    }
}

std::pair<int, int> Solver::bounds() {
    settle_both();
    return {guaranteed_[0], possible_[0]};
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
    settle_both();
    return smallest_strategy(graph_, guaranteed_, least);
}

void Solver::settle_both() {
    if (settled_ == graph_.expanded() && !guaranteed_.empty()) {
        return;
    }
    // The more states are known, the more is guaranteed and the less is possible.
    settle(graph_, no_end, guaranteed_);
    possible_.clear();
    settle(graph_, most_worth, possible_);
    settled_ = graph_.expanded();
}

}  // namespace hornbook::planner
