// Go for searches that use conclusions of rules: a state with these conclusions, and two independent uses.
// Leaves are evaluated with lost blocks removed and safe ones out of danger. Moves named by conclusions are
// tried first.
#pragma once

#include "theories/go/native/proved.hpp"

namespace go {

// The guidance of the searches of one player: conclusions, and their two uses.
struct Guide {
    Conclusions known;
    bool leaves = false;  // evaluate leaves by the fates of blocks
    bool order = false;   // try first the moves that conclusions name
};

struct GuidedState {
    State state;
    const Guide* guide = nullptr;
    // The version of the known conclusions: a state that is searched with fewer of them is a different state.
    std::uint32_t version = 0;

    bool operator==(const GuidedState&) const = default;
};

struct GuidedGo {
    using State = GuidedState;
    using Move = Go::Move;

    static constexpr std::size_t most_moves = Go::most_moves;
    static constexpr int players = Go::players;
    static constexpr int evaluation_unit = Go::evaluation_unit;
    static constexpr int least = Go::least;
    static constexpr int greatest = Go::greatest;

    static void moves(const State& of, play::Moves<GuidedGo>& found) {
        const go::State& state = of.state;
        Go::moves(state, found);
        if (found.size() < 2 || !of.guide->order) {
            return;
        }
        Rows first;
        for (const Proved& proved : of.guide->known.all()) {
            if (proved.first != PASS && validity(proved, state) == Validity::FIRST) {
                first |= single(state, proved.first);
            }
        }
        if (!first.is_empty()) {
            play::Moves<GuidedGo> sorted;
            for (const bool named : {true, false}) {
                for (const Move move : found) {
                    const bool is_first = move != PASS && !(single(state, move) & first).is_empty();
                    if (is_first == named) {
                        sorted.add(move);
                    }
                }
            }
            found = sorted;
        }
    }

    static State after(const State& of, Move move) {
        return {Go::after(of.state, move), of.guide, of.version};
    }
    static int to_move(const State& of) { return Go::to_move(of.state); }
    static bool is_over(const State& of) { return Go::is_over(of.state); }
    static int outcome(const State& of) { return Go::outcome(of.state); }

    static int evaluation(const State& of) {
        if (!of.guide->leaves || is_over(of)) {
            return Go::evaluation(of.state);
        }
        const int found = estimate(of.state, fates(of.state, of.guide->known));
        return of.state.mover == 0 ? found : -found;
    }

    static std::uint64_t hash(const State& of) { return Go::hash(of.state) ^ of.version; }
    static State read(const std::string& text) { return {Go::read(text), nullptr, 0}; }
    static std::string write(const State& of) { return Go::write(of.state); }
    static std::string write_move(const State& of, Move move) { return Go::write_move(of.state, move); }
};

static_assert(play::GameOfTwo<GuidedGo>);

}  // namespace go
