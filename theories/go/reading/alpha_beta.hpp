// A fast alpha-beta for captures, as in Go programs: few moves, all near the chain, with iterative deepening.
// It is a baseline for rules, and is *not* exact: a move that it does not try may capture, or save. The
// values are yes and no, so every cut is a cut of alpha-beta.
#pragma once

#include <unordered_map>

#include "keys.hpp"
#include "position.hpp"

namespace reading {

class AlphaBeta {
public:
    AlphaBeta(const Grid& grid, Point target) : grid_(grid), target_(target) {}

    // The least number of moves of the attacker, who begins, that captures, up to `moves`; 0 if none does.
    int moves_needed(const Position& position, int moves);
    Point best() const { return best_; }
    std::uint64_t nodes() const { return nodes_; }

private:
    bool attack(const Position& position, int moves, Point& best);
    bool defend(const Position& position, int moves);
    Zone attacking_moves(const Position& position, const Block& chain, int moves) const;
    Zone defending_moves(const Position& position, const Block& chain) const;

    struct Seen {
        int captured_within = 1'000'000;
        int not_within = -1;
        Point best = NONE;
    };
    Seen& seen(const Position& position, bool attacker_moves);

    const Grid& grid_;
    Point target_;
    Point best_ = NONE;
    std::uint64_t nodes_ = 0;
    std::unordered_map<Key, Seen, HashOfKey> table_;
};

}  // namespace reading
