// The search. A player proves a claim (the attacker: captured within k; the defender: not captured within k)
// against every move of the opponent.
//
// Zones. Every proved result has a zone, a set of points, such that the result holds in *every* position
// that has the same colours on the zone and the same player to move, and forbids the prover no point of the
// zone that is not forbidden here. A move of the opponent that changes nothing within the zone of "the
// opponent passes" cannot refute that proof, and need not be tried. The attacker may not pass, but the pass
// is still a valid test: its proof covers each move of the attacker outside of its zone. The file zones.cpp
// defines how a zone grows backwards through a move.
#include "search.hpp"

#include <algorithm>
#include <cassert>

namespace reading {

Search::Search(const Grid& grid, const Position& start, Point target, Ignores ignores, Bounds bounds)
    : grid_(grid),
      start_(start),
      target_(target),
      attacker_(opponent(start.at(target))),
      defender_(start.at(target)),
      ignores_(ignores),
      bounds_(std::move(bounds)) {}

void Search::count() {
    ++nodes_;
    if (bounds_.nodes != 0 && nodes_ > bounds_.nodes) {
        throw TooManyNodes("the search came to as many nodes as it was allowed");
    }
    constexpr std::uint64_t OFTEN = 1U << 14U;
    if (nodes_ % OFTEN == 0 && bounds_.poll) {
        bounds_.poll();
    }
}

Search::Known& Search::known(const Position& position, bool attacker_moves) {
    return table_[key_of(position, attacker_moves)];
}

// Whether the chain has more liberties than the attacker has moves. Then the defender just passes: a move of
// the attacker takes at most one liberty, and none is lost otherwise.
bool Search::outlasts(const Block& chain, int moves, Zone& zone) const {
    if (chain.liberties.size() <= moves) {
        return false;
    }
    zone = chain.stones;
    Zone left = chain.liberties;
    for (int count = 0; count <= moves; ++count) {
        zone.add(left.first());
        left.remove(left.first());
    }
    return true;
}

bool Search::attack(const Position& position, int moves, Zone& zone) {
    count();
    zone = Zone{};
    if (moves <= 0) {
        zone.add(target_);
        return false;
    }
    const Block chain = block_of(grid_, position, target_);
    if (outlasts(chain, moves, zone)) {
        return false;
    }
    const int liberties = chain.liberties.size();
    if (liberties == 1 && chain.liberties.first() != position.ban) {
        // The capture itself; a move that captures is no suicide. The zone is the chain and its surroundings.
        zone = chain.stones | around(grid_, chain.stones);
        return true;
    }
    Known& entry = known(position, true);
    if (entry.captured_within <= moves) {
        zone = entry.captured_zone;
        return true;
    }
    // Fewer moves first: a short capture is found before long lines are searched.
    for (int within = std::max(liberties, entry.not_within + 1); within <= moves; ++within) {
        if (attack_within(position, within, chain, zone, entry.hint)) {
            entry.captured_within = within;
            entry.captured_zone = zone;
            return true;
        }
        entry.not_within = within;
        entry.not_zone = zone;
    }
    zone = entry.not_zone;
    return false;
}

bool Search::attack_within(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint) {
    // The most promising captures are tried before anything is proved about moves elsewhere.
    zone = Zone{};
    Zone first = chain.liberties;
    if (hint != NONE) {
        first.add(hint);
    }
    Zone tried;
    while (!(first - tried).is_empty()) {
        const Point point = hint != NONE && !tried.has(hint) ? hint : (first - tried).first();
        tried.add(point);
        if (refutes(position, true, moves, point, zone)) {
            hint = point;
            return true;
        }
    }
    Zone otherwise;
    Position passed = position;
    passed.ban = NONE;
    const bool captured_anyway = bounds_.everywhere || defend(passed, moves - 1, otherwise);
    // In this case moves elsewhere are not covered. If none captures, the proof depends on the whole board.
    zone = captured_anyway ? grid_.all() : zone | otherwise;
    return finds_refutation(position, true, moves, chain, tried, zone, hint);
}

bool Search::defend(const Position& position, int moves, Zone& zone) {
    count();
    zone = Zone{};
    if (moves <= 0) {
        zone.add(target_);
        return false;
    }
    const Block chain = block_of(grid_, position, target_);
    if (outlasts(chain, moves, zone)) {
        return false;
    }
    Known& entry = known(position, false);
    if (entry.captured_within <= moves) {
        zone = entry.captured_zone;
        return true;
    }
    if (entry.not_within < moves) {
        if (is_lost(position, moves, chain, zone, entry.hint)) {
            entry.captured_within = moves;
            entry.captured_zone = zone;
            return true;
        }
        entry.not_within = moves;
        entry.not_zone = zone;
    }
    zone = entry.not_zone;
    return false;
}

bool Search::is_lost(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint) {
    if (runs_away(position, moves, chain, zone, hint)) {
        return false;
    }
    zone = Zone{};
    if (hint != NONE && refutes(position, false, moves, hint, zone)) {
        return false;
    }
    Position passed = position;
    passed.ban = NONE;
    if (!attack(passed, moves, zone)) {
        return false;
    }
    if (bounds_.everywhere) {
        zone = grid_.all();
    }
    Zone tried;
    return !finds_refutation(position, false, moves, chain, tried, zone, hint);
}

// Whether one move at a liberty gives the chain more liberties than the attacker has moves.
bool Search::runs_away(const Position& position, int moves, const Block& chain, Zone& zone, Point& hint) {
    bool away = false;
    (chain.liberties).each([&](Point point) {
        if (away || point == position.ban) {
            return;
        }
        if (const auto after = legal(position, false, point)) {
            if (outlasts(block_of(grid_, after->position, target_), moves, zone)) {
                count();
                lift(position, defender_, point, true, zone);
                hint = point;
                away = true;
            }
        }
    });
    return away;
}

// Whether one move of the player refutes the opponent's proof. If so, `zone` becomes that of the answer; if
// not, the reason is added to it.
bool Search::refutes(const Position& position, bool attacker_moves, int moves, Point point, Zone& zone) {
    const Colour player = mover(attacker_moves);
    if (point == position.ban) {
        ++bans_;
        zone.add(point);
        return false;
    }
    const auto after = legal(position, attacker_moves, point);
    if (!after) {
        zone.add(point);
        explain_suicide(position, player, point, zone);
        return false;
    }
    Zone then;
    const bool captured = child(after->position, attacker_moves, moves, then);
    const bool succeeds = captured == attacker_moves;
    lift(position, player, point, succeeds, then);
    zone = succeeds ? then : zone | then;
    return succeeds;
}

// Whether the player to move has a move that refutes the opponent's proof against the pass, with `zone`.
// Afterwards `zone` is that of the answer, yes or no.
bool Search::finds_refutation(const Position& position, bool attacker_moves, int moves, const Block& chain,
                              Zone& tried, Zone& zone, Point& hint) {
    const Zone empty = position.empty(grid_);
    const Zone soon = urgent(position, chain);
    Zone closed;
    for (;;) {
        close(position, opponent(mover(attacker_moves)), zone, closed);
        // Moves outside of the zone change nothing in it: they capture nothing there, and are
        // equivalent to the pass.
        const Zone left = (empty & zone) - tried;
        if (left.is_empty()) {
            return false;
        }
        const Zone best = left & chain.liberties;
        const Zone good = left & soon;
        const Point point = !best.is_empty() ? best.first() : !good.is_empty() ? good.first() : left.first();
        tried.add(point);
        if (refutes(position, attacker_moves, moves, point, zone)) {
            hint = point;
            return true;
        }
    }
}

// The result after a move: whether the chain is captured within the rest of `moves` moves of the attacker.
bool Search::child(const Position& after, bool attacker_moved, int moves, Zone& zone) {
    if (!attacker_moved) {
        return attack(after, moves, zone);
    }
    assert(!after.is_empty(target_));
    return defend(after, moves - 1, zone);
}

// A legal move, without a ban if the opponent ignores bans afterwards. Whether ko forbids the
// point is not checked.
std::optional<Played> Search::legal(const Position& position, bool attacker_moves, Point point) {
    std::optional<Played> after = play(grid_, position, mover(attacker_moves), point);
    if (after && (attacker_moves ? ignores_.defender : ignores_.attacker)) {
        after->position.ban = NONE;
    }
    return after;
}

// Determines for each legal first move of a player whether the chain is captured within `moves` moves.
template <class Take>
void Search::judge_first_moves(bool attacker_moves, int moves, Take&& take) {
    const Colour player = mover(attacker_moves);
    Position passed = start_;
    passed.ban = NONE;
    Zone zone;
    const bool otherwise = attacker_moves ? defend(passed, moves - 1, zone) : attack(passed, moves, zone);
    // A move that captures nothing of the zone and is not in it is equivalent to the pass, for either proof.
    Zone closed;
    close(start_, opponent(player), zone, closed);
    if (bounds_.everywhere) {
        zone = grid_.all();
    }
    start_.empty(grid_).each([&](Point point) {
        if (point == start_.ban) {
            ++bans_;
            return;
        }
        const auto after = legal(start_, attacker_moves, point);
        if (!after) {
            return;
        }
        Zone ignored;
        take(point,
             after->position.is_empty(target_) ||
                 (zone.has(point) ? child(after->position, attacker_moves, moves, ignored) : otherwise));
    });
}

bool Search::attacker_captures(int moves) {
    Zone zone;
    return attack(start_, moves, zone);
}

bool Search::defender_is_captured(int moves) {
    Zone zone;
    return defend(start_, moves, zone);
}

Zone Search::winning_moves(int moves) {
    Zone found;
    if (moves > 0 && attacker_captures(moves)) {
        judge_first_moves(true, moves, [&](Point point, bool captured) {
            if (captured) {
                found.add(point);
            }
        });
    }
    return found;
}

Zone Search::saving_moves(int moves) {
    Zone found;
    judge_first_moves(false, moves, [&](Point point, bool captured) {
        if (!captured) {
            found.add(point);
        }
    });
    return found;
}

Point Search::best_move(int moves, const std::vector<Zone>& preferred) {
    for (int within = 1; within <= moves; ++within) {
        if (!attacker_captures(within)) {
            continue;
        }
        Zone left = start_.empty(grid_);
        if (start_.ban != NONE) {
            left.remove(start_.ban);
        }
        for (const Zone& points : preferred) {
            Point found = NONE;
            (left & points).each([&](Point point) {
                const auto after = found == NONE ? legal(start_, true, point) : std::nullopt;
                Zone ignored;
                if (after &&
                    (after->position.is_empty(target_) || child(after->position, true, within, ignored))) {
                    found = point;
                }
            });
            if (found != NONE) {
                return found;
            }
            left = left - points;
        }
    }
    return NONE;
}

}  // namespace reading
