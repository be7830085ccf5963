#include "conditional/backward.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>

namespace hornbook::planner {

std::vector<Worth> settle(const Graph& graph, const Predecessors& before, Worth unknown, Watch& watch) {
    // Process states by value, best first. Then the value of a row is that of its last state, and the first
    // finished row of a state is its best one. A state that no row reaches goes on forever.
    std::map<Worth, std::vector<Index>, std::greater<>> open;
    std::vector<Worth> values(graph.size(), no_end);
    for (Index state = 0; state < graph.size(); ++state) {
        watch.step();
        const Worth worth = graph.worth(state) == waiting ? unknown : graph.worth(state);
        if (worth >= 0) {
            values[state] = worth;
            open[worth].push_back(state);
        }
    }
    auto unfinished = before.waiting_for(graph);  // for each row the number of its unfinished states
    for (auto& [worth, states] : open) {
        while (!states.empty()) {
            const Index after = states.back();
            states.pop_back();
            for (const std::uint32_t number : before.rows_with(after)) {
                watch.step();
                const Index state = before.row(number).state;
                if (--unfinished[number] == 0 && values[state] == no_end) {
                    values[state] = worth;
                    states.push_back(state);
                }
            }
        }
    }
    return values;
}

namespace {

constexpr double unknown_size = std::numeric_limits<double>::infinity();
constexpr double most_size = 1e300;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// For each state the first move of the strategy with the fewest nodes, or nowhere if there is none.
//
// The states are finished in the order of their strategies' sizes (Knuth 1977, a generalization of Dijkstra's
// algorithm). A row is examined when all its successors are finished; so the moves form no cycle, in spite of
// rounding.
std::vector<std::uint32_t> smallest_moves(const Graph& graph, const std::vector<Worth>& guaranteed, Worth least,
                                          Watch& watch) {
    const Predecessors before(graph, watch);
    std::vector<double> sizes(graph.size(), unknown_size);
    std::vector<std::uint32_t> moves(graph.size(), nowhere);
    std::vector<bool> finished(graph.size());
    using Sized = std::pair<double, Index>;
    std::priority_queue<Sized, std::vector<Sized>, std::greater<>> open;
    for (Index state = 0; state < graph.size(); ++state) {
        watch.step();
        if (graph.worth(state) >= least) {
            sizes[state] = 1;
            open.emplace(1, state);
        }
    }
    auto unfinished = before.waiting_for(graph);  // for each row the number of its unfinished states
    while (!open.empty()) {
        watch.step();
        const Index after = open.top().second;
        open.pop();
        if (finished[after]) {
            continue;
        }
        finished[after] = true;
        for (const std::uint32_t number : before.rows_with(after)) {
            watch.step();
            const auto [state, move] = before.row(number);
            if (--unfinished[number] > 0 || finished[state] || guaranteed[state] < least) {
                continue;
            }
            double sum = 1;
            for (const Index each : graph.row(state, move)) {
                watch.step();
                sum += sizes[each];
            }
            const double size = std::min(sum, most_size);
            if (size < sizes[state]) {
                sizes[state] = size;
                moves[state] = move;
                open.emplace(size, state);
            }
        }
    }
    return moves;
}

}  // namespace

std::vector<Step> smallest_strategy(Graph& graph, const std::vector<Worth>& guaranteed, Worth least,
                                    Watch& watch) {
    std::vector<Step> steps;
    if (guaranteed.empty() || guaranteed[0] < least) {
        return steps;
    }
    const auto moves = smallest_moves(graph, guaranteed, least, watch);
    // The index of each state among the steps.
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
        auto names = graph.names(state, watch);
        const auto row = graph.row(state, moves[state]);
        std::vector<std::uint32_t> to;
        for (const Index after : row) {
            watch.step();
            to.push_back(place_of(after));
        }
        steps[at].move = names.moves[moves[state]];
        steps[at].replies = std::move(names.replies);
        steps[at].to = std::move(to);
    }
    // Compute values and ranks from the ends, each step after all its successors.
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
            step.value = std::numeric_limits<int>::max();
            for (const std::uint32_t after : step.to) {
                step.value = std::min(step.value, steps[after].value);
                step.rank = std::max(step.rank, steps[after].rank + 1);
            }
        }
    }
    return steps;
}

namespace {

// For each row the successor after the reply by which the others force an end with the fewest nodes; nowhere if they
// cannot force one.
//
// The states are finished in the order of their refutations' sizes, as in smallest_moves. The first finished
// state of a row is its smallest one, and a state is finished when all its rows have one. `first_rows` has the
// number of each state's first row.
std::vector<Index> smallest_replies(const Graph& graph, const std::vector<Worth>& possible, Worth most,
                                    const std::vector<std::uint32_t>& first_rows, Watch& watch) {
    const Predecessors before(graph, watch);
    std::vector<double> sizes(graph.size(), 1);
    std::vector<std::uint32_t> rows_left(graph.size());  // for each state the number of rows without a reply
    std::vector<Index> chosen(first_rows.back(), nowhere);
    using Sized = std::pair<double, Index>;
    std::priority_queue<Sized, std::vector<Sized>, std::greater<>> open;
    for (Index state = 0; state < graph.size(); ++state) {
        watch.step();
        rows_left[state] = first_rows[state + 1] - first_rows[state];
        if (rows_left[state] == 0 && possible[state] <= most) {
            open.emplace(1, state);
        }
    }
    while (!open.empty()) {
        const Index after = open.top().second;
        open.pop();
        for (const std::uint32_t number : before.rows_with(after)) {
            watch.step();
            const Index state = before.row(number).state;
            if (chosen[number] != nowhere || possible[state] > most) {
                continue;
            }
            chosen[number] = after;
            sizes[state] = std::min(sizes[state] + sizes[after], most_size);
            if (--rows_left[state] == 0) {
                open.emplace(sizes[state], state);
            }
        }
    }
    return chosen;
}

}  // namespace

std::vector<Refuted> smallest_refutation(Graph& graph, const std::vector<Worth>& possible, Worth most, Watch& watch) {
    std::vector<Refuted> nodes;
    if (possible.empty() || possible[0] > most) {
        return nodes;
    }
    std::vector<std::uint32_t> first_rows(graph.size() + 1);
    for (Index state = 0; state < graph.size(); ++state) {
        first_rows[state + 1] = first_rows[state] + static_cast<std::uint32_t>(graph.moves(state));
    }
    const auto chosen = smallest_replies(graph, possible, most, first_rows, watch);
    std::vector<std::uint32_t> places(graph.size(), nowhere);
    const auto place_of = [&](Index state) {
        if (places[state] == nowhere) {
            places[state] = static_cast<std::uint32_t>(nodes.size());
            nodes.push_back({state, {}, {}, {}});
        }
        return places[state];
    };
    place_of(0);
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const Index state = nodes[at].state;
        if (graph.worth(state) != goes_on) {
            continue;
        }
        auto names = graph.names(state, watch);
        std::vector<std::vector<Move>> replies;
        std::vector<std::uint32_t> to;
        for (std::uint32_t move = 0; move < graph.moves(state); ++move) {
            const auto row = graph.row(state, move);
            const Index successor = chosen[first_rows[state] + move];
            const auto reply = std::ranges::find_if(row, [&](Index after) {
                return successor == nowhere ? possible[after] <= most : after == successor;
            });
            to.push_back(place_of(*reply));
            replies.push_back(names.replies[static_cast<std::size_t>(reply - row.begin())]);
        }
        nodes[at].moves = std::move(names.moves);
        nodes[at].replies = std::move(replies);
        nodes[at].to = std::move(to);
    }
    return nodes;
}

}  // namespace hornbook::planner
