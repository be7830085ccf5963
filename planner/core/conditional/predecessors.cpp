#include "conditional/predecessors.hpp"

namespace hornbook::planner {

Predecessors::Predecessors(const Graph& graph, Watch& watch) : first_(graph.size() + 1) {
    for (Index state = 0; state < graph.size(); ++state) {
        for (std::uint32_t move = 0; move < graph.moves(state); ++move) {
            rows_.push_back({state, move});
            for (const Index after : graph.row(state, move)) {
                watch.step();
                ++first_[after];
            }
        }
    }
    // Each entry is first the end of a state's rows, and decreases to their beginning while they are filled in.
    std::uint64_t sum = 0;
    for (std::uint64_t& place : first_) {
        sum += place;
        place = sum;
    }
    places_.resize(sum);
    for (std::uint32_t number = 0; number < rows_.size(); ++number) {
        for (const Index after : graph.row(rows_[number].state, rows_[number].move)) {
            watch.step();
            places_[--first_[after]] = number;
        }
    }
}

std::vector<std::uint32_t> Predecessors::waiting_for(const Graph& graph) const {
    std::vector<std::uint32_t> counts;
    counts.reserve(rows_.size());
    for (const Row& row : rows_) {
        counts.push_back(static_cast<std::uint32_t>(graph.row(row.state, row.move).size()));
    }
    return counts;
}

}  // namespace hornbook::planner
