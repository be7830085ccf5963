// Certain knowledge about states from other sources, such as conclusions of proved rules about the result of
// a game. A search queries it, and the answer bounds a state's value, regardless of the search's own results.
//
// A query takes as long as very many nodes. So a state is queried only after a search has spent that many
// nodes below it, and only once: a small search could save little. The state to decide is always queried.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "play/core/search/search.hpp"

namespace play {

// Bounds of a state's value, for the player to move; without knowledge, wider than any value.
template <GameOfTwo G>
struct Bounds {
    int least = WORST<G>;
    int greatest = -WORST<G>;
    std::optional<typename G::Move> move;  // it is worth at least `least`

    int within(int value) const { return std::clamp(value, least, greatest); }
};

template <GameOfTwo G>
class Known {
public:
    using State = typename G::State;
    using Ask = std::function<Bounds<G>(const State&)>;

    // No knowledge.
    Known() = default;
    // `after` is a number of nodes.
    Known(Ask ask, std::uint64_t after) : ask_(std::move(ask)), after_(after) {}

    bool is_asked() const { return static_cast<bool>(ask_); }
    bool is_asked_after(std::uint64_t nodes) const { return is_asked() && nodes >= after_; }

    const Bounds<G>& of(const State& state, Meter& meter) {
        if (const auto there = told_.find(state); there != told_.end()) {
            return there->second;
        }
        if (told_.size() >= MOST) {
            told_.clear();
        }
        meter.ask();
        return told_.emplace(state, ask_(state)).first->second;
    }

private:
    struct Hash {
        std::size_t operator()(const State& state) const { return static_cast<std::size_t>(G::hash(state)); }
    };
    static constexpr std::size_t MOST = 100'000;  // states that are remembered

    Ask ask_;
    std::uint64_t after_ = 0;
    std::unordered_map<State, Bounds<G>, Hash> told_;
};

// The decision if a move is known: estimates of other moves are no reason to give up a certain one.
template <GameOfTwo G>
Found<G> decided(const Bounds<G>& bounds, int value, const Meter& meter) {
    Found<G> found;
    found.move = bounds.move;
    found.value = bounds.within(value);
    found.line.assign(1, *bounds.move);
    found.why = Why::KNOWN;
    found.spent = meter.spent();
    return found;
}

}  // namespace play
