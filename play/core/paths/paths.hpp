// The input and output of searches in games of one player. Each move costs one; a path leads to a state that
// is over, and shorter paths are better.
//
// A bound is a heuristic for the number of moves to the goal. It never overestimates, is 0 exactly at the
// goal, and changes by at most one per move (so it is consistent). A game provides one as `distance`, and
// others by name as function objects. All searches count generated states in the same way: each is one call
// of `after`.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "play/core/game.hpp"

namespace play {

template <class G>
concept GameOfOne = Game<G> && G::players == 1 && requires(const typename G::State& state, typename G::Move move) {
    { G::distance(state) } -> std::same_as<int>;
    { G::undo(state, move) } -> std::same_as<typename G::Move>;  // the inverse of a move of this state
    { G::bound_names[0] } -> std::convertible_to<const char*>;   // of `G::with_bound(name, state, use)`, which calls
                                                                 // `use(bound)`
};

template <class B, class G>
concept Bound = requires(const B& bound, const typename G::State& state) {
    { bound(state) } -> std::convertible_to<int>;
};

// A path from a state, or the part found when the node limit was reached.
template <GameOfOne G>
struct Path {
    std::vector<typename G::Move> moves;
    std::uint64_t nodes = 0;
    bool is_found = false;
};

// Counts generated states, and tests the limit of a search.
class Count {
public:
    explicit Count(std::uint64_t most) : most_(most) {}

    void add() { ++nodes_; }
    std::uint64_t nodes() const { return nodes_; }
    bool is_spent() const { return nodes_ >= most_; }

private:
    std::uint64_t nodes_ = 0;
    std::uint64_t most_;
};

template <GameOfOne G>
struct StateHash {
    std::size_t operator()(const typename G::State& state) const { return static_cast<std::size_t>(G::hash(state)); }
};

constexpr int NEVER = std::numeric_limits<int>::max() / 4;

}  // namespace play
