// What is known of states for certain and from elsewhere, such as what proved rules say of how a game ends. A search asks, and
// what it is told bounds a state's value, whatever the search itself has seen of it.
//
// To ask takes as long as a great many nodes. So a state is asked about once a search has spent that many below it, and once
// only: where little is searched, little could be saved. The state that is decided about is always asked about.
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

// Bounds of a state's value, for who is to move; where nothing is known, wider than any value.
template <GameOfTwo G>
struct Bounds {
    int least = WORST<G>;
    int greatest = -WORST<G>;
    std::optional<typename G::Move> move;  // which is worth `least` or more

    int within(int value) const { return std::clamp(value, least, greatest); }
};

template <GameOfTwo G>
class Known {
public:
    using State = typename G::State;
    using Ask = std::function<Bounds<G>(const State&)>;

    // Nothing is known.
    Known() = default;
    // `after` so many nodes. With `only`, of a state's moves none is searched but one that is known to reach the least value:
    // enough to win by, and not to win by as much as may be.
    Known(Ask ask, std::uint64_t after, bool only) : ask_(std::move(ask)), after_(after), only_(only) {}

    bool is_asked() const { return static_cast<bool>(ask_); }
    bool is_asked_after(std::uint64_t nodes) const { return is_asked() && nodes >= after_; }
    bool is_only() const { return only_; }

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
    bool only_ = false;
    std::unordered_map<State, Bounds<G>, Hash> told_;
};

// The decision where a move is known: what a search estimates of others is no reason to give up what is certain.
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
