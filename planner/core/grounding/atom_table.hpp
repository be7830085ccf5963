// The atoms of one relation: rows of cells, each found by its cells.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hornbook::planner::grounding {

using Cell = std::int64_t;
// The number of an atom, among all relations; less than 2^31.
using Number = std::uint32_t;

constexpr Number no_atom = ~Number{0};

class AtomTable {
  public:
    AtomTable() = default;

    // `cells` has `count` rows of `width` cells, all distinct; the first one gets number `first`.
    AtomTable(std::vector<Cell> cells, std::size_t width, std::size_t count, Number first)
        : cells_(std::move(cells)),
          width_(width),
          count_(count),
          first_(first),
          slots_(std::bit_ceil(2 * count + 1), no_atom) {
        for (std::size_t row = 0; row < count; ++row) {
            slots_[slot(cells_.data() + row * width_)] = static_cast<Number>(row);
        }
    }

    std::size_t width() const { return width_; }
    std::size_t size() const { return count_; }
    Number first() const { return first_; }
    const Cell* row(std::size_t place) const { return cells_.data() + place * width_; }

    // The number of an atom, or no_atom.
    Number find(const Cell* cells) const {
        if (count_ == 0) {
            return no_atom;
        }
        const Number row = slots_[slot(cells)];
        return row == no_atom ? no_atom : first_ + row;
    }

  private:
    // The slot of a row, or the free slot for it.
    std::size_t slot(const Cell* cells) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = hash(cells) & mask;
        while (slots_[place] != no_atom && !is_row(slots_[place], cells)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    bool is_row(std::size_t row, const Cell* cells) const {
        const Cell* own = this->row(row);
        for (std::size_t column = 0; column < width_; ++column) {
            if (own[column] != cells[column]) {
                return false;
            }
        }
        return true;
    }

    std::size_t hash(const Cell* cells) const {
        std::uint64_t found = 0x9E3779B97F4A7C15U;
        for (std::size_t column = 0; column < width_; ++column) {
            found = (found ^ static_cast<std::uint64_t>(cells[column])) * 0xBF58476D1CE4E5B9U;
            found ^= found >> 29U;
        }
        return static_cast<std::size_t>(found);
    }

    std::vector<Cell> cells_;
    std::size_t width_ = 0;
    std::size_t count_ = 0;
    Number first_ = 0;
    std::vector<Number> slots_;
};

}  // namespace hornbook::planner::grounding
