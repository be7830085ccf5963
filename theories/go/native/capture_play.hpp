// The play around a block that may be captured, for chains of matches: the effect of a move, the moves worth trying,
// and the points on which conclusions depend. It looks no move ahead, and shares no code with the reader.
//
// Suicide is illegal, ko is simple ko, and either side may move.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "theories/go/native/fact_columns.hpp"

namespace go {

inline constexpr std::size_t WEAK = 2;  // the most liberties of a weak block

// A set of points of a board.
class PointSet {
public:
    explicit PointSet(const FactBoard& board) : has_(board.colours.size()) {}
    void add(int point) { has_[static_cast<std::size_t>(point)] = true; }
    void add(const std::vector<int>& points) {
        for (const int point : points) {
            add(point);
        }
    }
    [[nodiscard]] bool has(int point) const { return has_[static_cast<std::size_t>(point)]; }
    [[nodiscard]] bool has_any(const std::vector<int>& points) const {
        return std::any_of(points.begin(), points.end(), [&](int point) { return has(point); });
    }
    // In ascending order.
    [[nodiscard]] std::vector<int> points() const {
        std::vector<int> found;
        for (std::size_t point = 0; point < has_.size(); ++point) {
            if (has_[point]) {
                found.push_back(static_cast<int>(point));
            }
        }
        return found;
    }

private:
    std::vector<bool> has_;
};

struct BoardBlocks {
    std::vector<FactBlock> blocks;
    std::vector<int> of;  // the block of each point, or -1
};

// A board with its blocks, which it keeps. Not for several threads at once.
class CapturePlay {
public:
    explicit CapturePlay(const FactBoard& board) : board_(board), of_(kept(board).of), blocks_(kept(board).blocks) {}

    [[nodiscard]] Colour colour(int point) const { return board_.colours[static_cast<std::size_t>(point)]; }

    [[nodiscard]] std::size_t liberties(int target) const { return block_at(target).liberties.size(); }

    // The board after a move of a player, or none if it is illegal.
    [[nodiscard]] std::optional<FactBoard> after(Colour player, int point) const {
        if (colour(point) != EMPTY || (point == board_.ko && static_cast<int>(player) == board_.banned)) {
            return std::nullopt;
        }
        bool has_empty = false, has_other_liberty = false, has_own = false;
        std::vector<int> taken;
        board_.each_neighbour(point, [&](int other) {
            if (colour(other) == EMPTY) {
                has_empty = true;
                return;
            }
            const FactBlock& block = block_at(other);
            const bool is_last = block.liberties.size() == 1;
            if (block.colour == player) {
                has_own = true;
                has_other_liberty = has_other_liberty || !is_last;
            } else if (is_last && std::find(taken.begin(), taken.end(), block.stones[0]) == taken.end()) {
                taken.insert(taken.end(), block.stones.begin(), block.stones.end());
            }
        });
        if (!has_empty && taken.empty() && !has_other_liberty) {
            return std::nullopt;
        }
        FactBoard found{board_.rows, board_.columns, board_.colours, -1, -1};
        for (const int each : taken) {
            found.colours[static_cast<std::size_t>(each)] = EMPTY;
        }
        found.colours[static_cast<std::size_t>(point)] = player;
        // One stone captured one, and is a single stone with no other liberty.
        if (taken.size() == 1 && !has_empty && !has_own) {
            found.ko = taken[0];
            found.banned = 1 - static_cast<int>(player);
        }
        return found;
    }

    // The attacker's moves: the block's liberties, then points next to these, and the liberties of weak walls.
    [[nodiscard]] std::vector<int> attempts(int target) const {
        const FactBlock& own = block_at(target);
        PointSet liberties(board_), near(board_), contacts(board_);
        liberties.add(own.liberties);
        contacts.add(own.contacts);
        for (const int liberty : own.liberties) {
            board_.each_neighbour(liberty, [&](int other) { near.add(other); });
        }
        for (const FactBlock& block : blocks_) {
            if (block.liberties.size() <= WEAK && contacts.has_any(block.stones)) {
                near.add(block.liberties);
            }
        }
        std::vector<int> found = liberties.points();
        for (const int point : near.points()) {
            if (!liberties.has(point) && colour(point) == EMPTY) {
                found.push_back(point);
            }
        }
        return found;
    }

    // The defender's moves, legal or not, that change a point of the ground. Those that extend the block come first,
    // then captures, since they succeed most often.
    [[nodiscard]] std::vector<int> replies(int target, const PointSet& ground) const {
        PointSet own(board_), captures(board_);
        own.add(block_at(target).liberties);
        for (const FactBlock& block : blocks_) {
            if (block.colour != colour(target) && block.liberties.size() == 1 && ground.has_any(block.stones)) {
                captures.add(block.liberties);
            }
        }
        std::vector<int> found;
        for (int point = 0; point < board_.points(); ++point) {
            if (colour(point) == EMPTY && (ground.has(point) || captures.has(point))) {
                found.push_back(point);
            }
        }
        std::stable_sort(found.begin(), found.end(), [&](int one, int other) {
            return std::pair(!own.has(one), !captures.has(one)) < std::pair(!own.has(other), !captures.has(other));
        });
        return found;
    }

    // Add the block at a point with its surroundings.
    void add_around(int point, PointSet& ground) const {
        const FactBlock& block = block_at(point);
        ground.add(block.stones);
        ground.add(block.liberties);
        ground.add(block.contacts);
    }

    void add_neighbours(int point, PointSet& ground) const {
        ground.add(point);
        board_.each_neighbour(point, [&](int other) { ground.add(other); });
    }

    // Add the points on which a move's effects depend: its own, the neighbours, and captured blocks with their
    // surroundings.
    void add_move(Colour player, int point, PointSet& ground) const {
        add_neighbours(point, ground);
        for (const FactBlock& block : blocks_) {
            if (block.colour != player && block.liberties.size() == 1 && block.liberties[0] == point) {
                add_around(block.stones[0], ground);
            }
        }
    }

    // Some points with the liberties of each attacker's block on them: no move elsewhere captures any of it.
    [[nodiscard]] PointSet proof_zone(int target, const PointSet& points) const {
        PointSet found = points;
        for (const FactBlock& block : blocks_) {
            if (block.colour != colour(target) && points.has_any(block.stones)) {
                found.add(block.stones);
                found.add(block.liberties);
            }
        }
        return found;
    }

private:
    static const BoardBlocks& kept(const FactBoard& board) {
        if (board.blocks == nullptr) {
            BoardBlocks found;
            found.blocks = blocks_of(board, found.of);
            board.blocks = std::make_shared<const BoardBlocks>(std::move(found));
        }
        return *board.blocks;
    }
    [[nodiscard]] const FactBlock& block_at(int point) const {
        return blocks_[static_cast<std::size_t>(of_[static_cast<std::size_t>(point)])];
    }

    const FactBoard& board_;
    const std::vector<int>& of_;
    const std::vector<FactBlock>& blocks_;
};

}  // namespace go
