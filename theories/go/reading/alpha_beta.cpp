#include "alpha_beta.hpp"

namespace reading {

AlphaBeta::Seen& AlphaBeta::seen(const Position& position, bool attacker_moves) {
    return table_[key_of(position, attacker_moves)];
}

int AlphaBeta::moves_needed(const Position& position, int moves) {
    const int liberties = block_of(grid_, position, target_).liberties.size();
    for (int within = liberties; within <= moves; ++within) {
        if (attack(position, within, best_)) {
            return within;
        }
    }
    return 0;
}

bool AlphaBeta::attack(const Position& position, int moves, Point& best) {
    ++nodes_;
    const Block chain = block_of(grid_, position, target_);
    const int liberties = chain.liberties.size();
    if (liberties > moves) {
        return false;
    }
    if (liberties == 1 && chain.liberties.first() != position.ban) {
        best = chain.liberties.first();
        return true;
    }
    Seen& entry = seen(position, true);
    if (entry.captured_within <= moves || entry.not_within >= moves) {
        best = entry.best;
        return entry.captured_within <= moves;
    }
    const Colour attacker = opponent(position.at(target_));
    Zone left = attacking_moves(position, chain, moves);
    while (!left.is_empty()) {
        const Zone near = left & chain.liberties;
        const Point point = entry.best != NONE && left.has(entry.best) ? entry.best
                            : near.is_empty()                          ? left.first()
                                                                       : near.first();
        left.remove(point);
        const auto after = point == position.ban ? std::nullopt : play(grid_, position, attacker, point);
        if (after && defend(after->position, moves - 1)) {
            entry.captured_within = moves;
            best = entry.best = point;
            return true;
        }
    }
    entry.not_within = moves;
    return false;
}

bool AlphaBeta::defend(const Position& position, int moves) {
    ++nodes_;
    const Block chain = block_of(grid_, position, target_);
    const int liberties = chain.liberties.size();
    if (liberties > moves) {
        return false;
    }
    Seen& entry = seen(position, false);
    if (entry.captured_within <= moves || entry.not_within >= moves) {
        return entry.captured_within <= moves;
    }
    const Colour defender = position.at(target_);
    Zone left = defending_moves(position, chain);
    Point unused = NONE;
    while (!left.is_empty()) {
        const Zone near = left & chain.liberties;
        const Point point = entry.best != NONE && left.has(entry.best) ? entry.best
                            : near.is_empty()                          ? left.first()
                                                                       : near.first();
        left.remove(point);
        const auto after = point == position.ban ? std::nullopt : play(grid_, position, defender, point);
        if (after && !attack(after->position, moves, unused)) {
            entry.not_within = moves;
            entry.best = point;
            return false;
        }
    }
    Position passed = position;
    passed.ban = NONE;
    const bool captured = attack(passed, moves, unused);
    (captured ? entry.captured_within : entry.not_within) = moves;
    return captured;
}

// The chain's liberties, and their neighbours if there are moves to spare.
Zone AlphaBeta::attacking_moves(const Position& position, const Block& chain, int moves) const {
    if (chain.liberties.size() == moves) {
        return chain.liberties;
    }
    return (chain.liberties | around(grid_, chain.liberties)) & position.empty(grid_);
}

// The chain's liberties and their neighbours, and the liberties of weak attacker's blocks around it.
Zone AlphaBeta::defending_moves(const Position& position, const Block& chain) const {
    Zone found = chain.liberties;
    if (chain.liberties.size() > 1) {
        found |= around(grid_, chain.liberties);
    }
    const Zone attackers = position.stones(opponent(position.at(target_)));
    for (Zone left = around(grid_, chain.stones) & attackers; !left.is_empty();) {
        const Block block = block_of(grid_, position, left.first());
        if (block.liberties.size() <= chain.liberties.size()) {
            found |= block.liberties;
        }
        left = left - block.stones;
    }
    return found & position.empty(grid_);
}

}  // namespace reading
