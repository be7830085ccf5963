// Additive pattern databases (Korf and Felner 2002). The tiles are split into groups. For each placement of
// the tiles of a group, a table gives the slides of these tiles that bring them home, regardless of the
// others. The sum over the groups is a lower bound on the slides needed. On a square board the sum for the
// board mirrored at its diagonal is another lower bound. Tables are made on first use and stay in memory
// while the program runs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "theories/tiles/native/state.hpp"

namespace tiles {

// The table of one group.
class Pattern {
public:
    Pattern(int rows, int columns, std::vector<int> tiles)
        : rows_(rows),
          columns_(columns),
          squares_(static_cast<std::size_t>(rows * columns)),
          tiles_(std::move(tiles)) {
        fill();
    }

    // The slides of the group's tiles that are needed if tile t lies on `place(t)`.
    template <class Place>
    int operator()(const Place& place) const {
        std::size_t index = 0;
        for (const int tile : tiles_) {
            index = index * squares_ + static_cast<std::size_t>(place(tile));
        }
        return slides_[index];
    }

    const std::vector<int>& tiles() const { return tiles_; }

private:
    using Squares = std::uint32_t;
    static constexpr std::uint8_t UNKNOWN = 255;

    // Breadth-first search from the end by slides of the group's tiles. The blank moves freely wherever it
    // can without such a slide, so only its region of the free squares matters.
    void fill() {
        std::size_t size = 1, index = 0;
        for (const int tile : tiles_) {
            size *= squares_;
            index = index * squares_ + static_cast<std::size_t>(tile);
        }
        slides_.assign(size, UNKNOWN);
        std::vector<Squares> reached(size, 0);
        std::vector<std::pair<std::uint32_t, std::uint8_t>> layer{
            {static_cast<std::uint32_t>(index), std::uint8_t{0}}},
            next;
        for (std::uint8_t made = 0; !layer.empty(); ++made, layer.swap(next)) {
            next.clear();
            for (const auto& [from, blank] : layer) {
                if ((reached[from] >> blank & 1) == 0) {
                    visit(from, blank, made, reached, next);
                }
            }
        }
    }

    void visit(std::uint32_t from, std::uint8_t blank, std::uint8_t made, std::vector<Squares>& reached,
               std::vector<std::pair<std::uint32_t, std::uint8_t>>& next) {
        slides_[from] = std::min(slides_[from], made);
        std::array<std::size_t, MOST_SQUARES> place{}, worth{};
        std::size_t rest = from, factor = 1;
        Squares taken = 0;
        for (std::size_t number = tiles_.size(); number-- > 0; rest /= squares_, factor *= squares_) {
            place[number] = rest % squares_;
            worth[number] = factor;
            taken |= Squares{1} << place[number];
        }
        const Squares region = spread(Squares{1} << blank, all() & ~taken);
        reached[from] |= region;
        for (std::size_t number = 0; number < tiles_.size(); ++number) {
            for (Squares free = beside(Squares{1} << place[number]) & region; free != 0; free &= free - 1) {
                const auto to = static_cast<std::size_t>(std::countr_zero(free));
                const std::size_t index = from + (to - place[number]) * worth[number];
                if ((reached[index] >> place[number] & 1) == 0) {
                    next.emplace_back(static_cast<std::uint32_t>(index),
                                      static_cast<std::uint8_t>(place[number]));
                }
            }
        }
    }

    Squares all() const { return static_cast<Squares>((std::uint64_t{1} << squares_) - 1); }

    Squares beside(Squares squares) const {
        Squares left = 0;
        for (int row = 0; row < rows_; ++row) {
            left |= Squares{1} << (row * columns_);
        }
        const Squares right = left << (columns_ - 1);
        return ((squares & ~right) << 1 | (squares & ~left) >> 1 | squares << columns_ |
                squares >> columns_) &
               all();
    }

    Squares spread(Squares from, Squares within) const {
        for (Squares before = 0; before != from;) {
            before = from;
            from |= beside(from) & within;
        }
        return from;
    }

    int rows_, columns_;
    std::size_t squares_;
    std::vector<int> tiles_;
    std::vector<std::uint8_t> slides_;
};

// The tables of one board.
class Patterns {
public:
    Patterns(int rows, int columns) : is_square_(rows == columns), columns_(columns) {
        for (auto& group : groups(rows, columns)) {
            patterns_.emplace_back(rows, columns, std::move(group));
        }
    }

    int operator()(const State& state) const {
        const auto there = [&](int tile) { return state.place[static_cast<std::size_t>(tile)]; };
        const auto mirrored = [&](int tile) {
            return mirror(state.place[static_cast<std::size_t>(mirror(tile))]);
        };
        int sum = 0, mirrored_sum = 0;
        for (const auto& pattern : patterns_) {
            sum += pattern(there);
            mirrored_sum += is_square_ ? pattern(mirrored) : 0;
        }
        return std::max(sum, mirrored_sum);
    }

    // The tables of a board, made on first use.
    static const Patterns& of(int rows, int columns) {
        static std::mutex mutex;
        static std::map<std::pair<int, int>, std::unique_ptr<Patterns>> made;
        const std::lock_guard lock(mutex);
        auto& found = made[{rows, columns}];
        if (found == nullptr) {
            found = std::make_unique<Patterns>(rows, columns);
        }
        return *found;
    }

private:
    // Maximal number of entries of a group's table: 16 to the power of 6.
    static constexpr std::size_t MOST_ENTRIES = 1 << 24;

    static std::vector<std::vector<int>> groups(int rows, int columns) {
        if (rows == 4 && columns == 4) {
            return {{1, 2, 4, 5, 6, 8}, {9, 10, 12, 13, 14, 15}, {3, 7, 11}};
        }
        const auto squares = static_cast<std::size_t>(rows * columns);
        std::size_t most = 0;
        for (std::size_t entries = squares; entries <= MOST_ENTRIES && most < squares - 1;
             entries *= squares) {
            ++most;
        }
        std::vector<std::vector<int>> found;
        for (std::size_t tile = 1; tile < squares; ++tile) {
            if (found.empty() || found.back().size() == most) {
                found.emplace_back();
            }
            found.back().push_back(static_cast<int>(tile));
        }
        return found;
    }

    int mirror(int square) const { return square % columns_ * columns_ + square / columns_; }

    bool is_square_;
    int columns_;
    std::vector<Pattern> patterns_;
};

}  // namespace tiles
