#include "conditional/backward.hpp"

#include <algorithm>
#include <limits>

namespace hornbook::planner {

void settle(const Graph& graph, Worth unknown, std::vector<Worth>& values) {
    const Index size = graph.size();
    values.resize(size, no_end);
    for (Index state = 0; state < size; ++state) {
        const Worth worth = graph.worth(state);
        if (worth != goes_on) {
            values[state] = worth == waiting ? unknown : worth;
        }
    }
    // What is found late is near the end most often, so the states are gone through from the last one.
    for (bool changed = true; changed;) {
        changed = false;
        for (Index state = size; state-- > 0;) {
            if (graph.worth(state) != goes_on) {
                continue;
            }
            Worth best = values[state];
            for (std::size_t move = 0; move < graph.moves(state); ++move) {
                Worth least = most_worth;
                for (const Index after : graph.row(state, move)) {
                    least = std::min(least, values[after]);
                    if (least <= best) {
                        break;
                    }
                }
                best = std::max(best, least);
            }
            if (best != values[state]) {
                values[state] = best;
                changed = true;
            }
        }
    }
}

namespace {

constexpr double unknown_size = std::numeric_limits<double>::infinity();
constexpr double most_size = 1e300;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// For each state the first move of the strategy with the fewest nodes, and nowhere where there is none.
//
// Sizes fall from infinity until no state has a smaller one. A move is kept only when it makes the size of its state smaller,
// and a size is never less than that of a state that follows; so the moves kept lead in no circle, rounded or not.
std::vector<std::uint32_t> smallest_moves(const Graph& graph, const std::vector<Worth>& guaranteed, Worth least) {
    const Index size = graph.size();
    std::vector<double> sizes(size, unknown_size);
    std::vector<std::uint32_t> moves(size, nowhere);
    for (Index state = 0; state < size; ++state) {
        if (graph.worth(state) >= least) {
            sizes[state] = 1;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Index state = size; state-- > 0;) {
            if (graph.worth(state) != goes_on || guaranteed[state] < least) {
                continue;
            }
            for (std::uint32_t move = 0; move < graph.moves(state); ++move) {
                double sum = 1;
                for (const Index after : graph.row(state, move)) {
                    sum += sizes[after];
                }
                // Infinite where something that follows has no size yet.
                if (sum < unknown_size && std::min(sum, most_size) < sizes[state]) {
                    sizes[state] = std::min(sum, most_size);
                    moves[state] = move;
                    changed = true;
                }
            }
        }
    }
    return moves;
}

}  // namespace

std::vector<Step> smallest_strategy(Graph& graph, const std::vector<Worth>& guaranteed, Worth least) {
    std::vector<Step> steps;
    if (guaranteed.empty() || guaranteed[0] < least) {
        return steps;
    }
    const auto moves = smallest_moves(graph, guaranteed, least);
    // Each state's place among the steps.
    std::vector<std::uint32_t> places(graph.size(), nowhere);
    const auto place_of = [&](Index state) {
        if (places[state] == nowhere) {
            places[state] = static_cast<std::uint32_t>(steps.size());
            steps.push_back({state, 0, 0, -1, {}, {}});
        }
        return places[state];
    };
    place_of(0);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const Index state = steps[at].state;
        if (graph.worth(state) != goes_on) {
            steps[at].value = graph.worth(state);
            continue;
        }
        auto names = graph.names(state);
        const auto row = graph.row(state, moves[state]);
        std::vector<std::uint32_t> to;
        for (const Index after : row) {
            to.push_back(place_of(after));
        }
        steps[at].move = names.moves[moves[state]];
        steps[at].replies = std::move(names.replies);
        steps[at].to = std::move(to);
    }
    // Values and ranks from the ends, each step after all that follow it.
    std::vector<std::uint32_t> open{0};
    std::vector<bool> finished(steps.size());
    std::vector<std::size_t> next(steps.size());
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        auto& step = steps[at];
        if (next[at] < step.to.size()) {
            const std::uint32_t after = step.to[next[at]++];
            if (!finished[after]) {
                open.push_back(after);
            }
            continue;
        }
        open.pop_back();
        if (finished[at]) {
            continue;
        }
        finished[at] = true;
        if (!step.to.empty()) {
            step.value = most_worth;
            for (const std::uint32_t after : step.to) {
                step.value = std::min(step.value, steps[after].value);
                step.rank = std::max(step.rank, steps[after].rank + 1);
            }
        }
    }
    return steps;
}

}  // namespace hornbook::planner
