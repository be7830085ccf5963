// Growth of zones. Each function makes a zone large enough that one fact used by the proof stays
// true regardless of stones outside the zone: a move is legal, captures exactly the same stones,
// makes the same ko.
#include "search.hpp"

namespace reading {

// The block, and one liberty other than the filled point, so that the move does not capture the block.
void Search::add_block(const Block& block, Point filled, Zone& zone) const {
    zone |= block.stones;
    Zone others = block.liberties;
    if (filled != NONE) {
        others.remove(filled);
    }
    if ((others & zone).is_empty()) {
        zone.add(others.first());
    }
}

// Gives each block of a colour with stones in the zone a liberty in the zone, so that no move outside of the
// zone captures any of it. The stones of such blocks are `closed`.
void Search::close(const Position& position, Colour colour, Zone& zone, Zone& closed) const {
    for (Zone left = (zone & position.stones(colour)) - closed; !left.is_empty();) {
        const Block block = block_of(grid_, position, left.first());
        add_block(block, NONE, zone);
        closed |= block.stones;
        left = left - block.stones;
    }
}

// From the zone of a result after a move to the zone of the result before it. The colours of all neighbours
// of the move are needed, because they determine the blocks that it touches. For each adjacent block of the
// opponent the zone must decide whether it is captured: it contains all its surroundings or another liberty.
// Then the position after the move has the same colours on the zone, and the same ko: one stone captured by a
// single stone with one liberty.
void Search::lift(const Position& before, Colour player, Point point, bool must_be_legal, Zone& zone) const {
    zone.add(point);
    zone |= grid_.beside(point);
    bool is_legal = !must_be_legal;
    Zone seen;
    grid_.neighbours(point, [&](Point beside) {
        if (before.is_empty(beside)) {
            is_legal = true;
        } else if (before.stones(opponent(player)).has(beside) && !seen.has(beside)) {
            const Block block = block_of(grid_, before, beside);
            seen |= block.stones;
            if (block.liberties.size() == 1) {
                zone |= block.stones | around(grid_, block.stones);
                is_legal = true;
            } else {
                add_block(block, point, zone);
            }
        }
    });
    // Neither an empty neighbour nor a capture: a block of its own colour keeps the move from being suicide.
    if (!is_legal) {
        (grid_.beside(point) & before.stones(player)).each([&](Point beside) {
            const Block block = is_legal ? Block{} : block_of(grid_, before, beside);
            if (!is_legal && block.liberties.size() > 1) {
                add_block(block, point, zone);
                is_legal = true;
            }
        });
    }
}

// Explains why a move is suicide: no empty neighbour, own blocks without another liberty, others with one.
void Search::explain_suicide(const Position& position, Colour player, Point point, Zone& zone) const {
    zone |= grid_.beside(point);
    (grid_.beside(point) & position.stones(player)).each([&](Point beside) {
        const Block block = block_of(grid_, position, beside);
        zone |= block.stones | around(grid_, block.stones);
    });
    (grid_.beside(point) & position.stones(opponent(player))).each([&](Point beside) {
        add_block(block_of(grid_, position, beside), point, zone);
    });
}

// Moves that are tried first, after the chain's own liberties: the liberties of weak blocks around the chain,
// and the neighbours of the chain's liberties. This is only an order.
Zone Search::urgent(const Position& position, const Block& chain) const {
    Zone found = around(grid_, chain.liberties);
    Zone left = around(grid_, chain.stones) & position.stones(attacker_);
    while (!left.is_empty()) {
        const Block block = block_of(grid_, position, left.first());
        if (block.liberties.size() <= 2) {
            found |= block.liberties;
        }
        left = left - block.stones;
    }
    return found;
}

}  // namespace reading
