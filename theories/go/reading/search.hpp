// Exhaustive capture search: whether an attacker captures a block within a number of own moves, against every
// defence. Every legal point counts for both sides; the defender may pass, the attacker may not. Events after
// the capture do not count. Answers are exact: every omission has a proof, given where it is made.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "keys.hpp"
#include "position.hpp"

namespace reading {

// Sides that may play where ko forbids it. Problems whose answers do not change are independent of ko.
struct Ignores {
    bool attacker = false;
    bool defender = false;
};

// The search reached its limit of nodes.
struct TooManyNodes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Search {
public:
    struct Bounds {
        std::uint64_t nodes = 0;  // 0: unlimited
        bool everywhere = false;  // no point is skipped as irrelevant: slow, for comparison
        std::function<void()> poll;  // called regularly; may throw
    };
    Search(const Grid& grid, const Position& start, Point target, Ignores ignores, Bounds bounds);

    // Captured within `moves` moves of the attacker, who plays first or second.
    bool attacker_captures(int moves);
    bool defender_is_captured(int moves);

    // The moves of the attacker that capture within `moves`, including the first.
    Zone winning_moves(int moves);
    // The moves of the defender after which the attacker does not capture within `moves`.
    Zone saving_moves(int moves);
    // One move that captures within `moves`, or NONE; points of an earlier zone are preferred.
    Point best_move(int moves, const std::vector<Zone>& preferred);

    std::uint64_t nodes() const { return nodes_; }
    // The number of moves left out because of ko. If it is 0, ignoring bans would change nothing.
    std::uint64_t bans() const { return bans_; }

private:
    // Known results for one position with one side to move. A capture within fewer moves is
    // also one within more.
    struct Known {
        int captured_within = MANY;
        int not_within = -1;
        Zone captured_zone;
        Zone not_zone;
        Point hint = NONE;
    };
    static constexpr int MANY = 1'000'000;

    Known& known(const Position& position, bool attacker_moves);
    void count();

    bool attack(const Position& position, int moves, Zone& zone);
    bool attack_within(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint);
    bool defend(const Position& position, int moves, Zone& zone);

    bool is_lost(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint);
    bool outlasts(const Block& chain, int moves, Zone& zone) const;
    bool runs_away(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint);

    bool refutes(const Position& position, bool attacker_moves, int moves, Point point, Zone& zone);
    bool finds_refutation(const Position& position, bool attacker_moves, int moves, const Block& chain,
                          Zone& tried, Zone& zone, Point& hint);
    bool child(const Position& after, bool attacker_moved, int moves, Zone& zone);
    std::optional<Played> legal(const Position& position, bool attacker_moves, Point point);
    template <class Take>
    void judge_first_moves(bool attacker_moves, int moves, Take&& take);

    void close(const Position& position, Colour colour, Zone& zone, Zone& closed) const;
    void lift(const Position& before, Colour player, Point point, bool must_be_legal, Zone& zone) const;
    void explain_suicide(const Position& position, Colour player, Point point, Zone& zone) const;
    void add_block(const Block& block, Point filled, Zone& zone) const;
    Zone urgent(const Position& position, const Block& chain) const;

    Colour mover(bool attacker_moves) const { return attacker_moves ? attacker_ : defender_; }

    const Grid& grid_;
    Position start_;
    Point target_;
    Colour attacker_;
    Colour defender_;
    Ignores ignores_;
    Bounds bounds_;
    std::uint64_t nodes_ = 0;
    std::uint64_t bans_ = 0;
    std::unordered_map<Key, Known, HashOfKey> table_;
};

}  // namespace reading
