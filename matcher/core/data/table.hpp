// Tables from keys to rows: direct-addressed if the cells are dense, otherwise hashed.
//
// A `Box` contains the range of each column of a key; a key's place in a direct table is its place in the
// box, counted column by column. Words are coded from 0 on, so boards, graphs and small domains fit into a
// box.
#pragma once

#include <algorithm>
#include <vector>

#include "data/cell.hpp"

namespace hornbook {

constexpr std::uint64_t OUTSIDE = std::numeric_limits<std::uint64_t>::max();

class Box {
public:
    // A box around the ranges, with room to grow; it has no places if it would have more than `most`.
    static Box around(const std::vector<Cell>& least, const std::vector<Cell>& greatest, std::uint64_t most) {
        Box box;
        UnsignedWide size = 1;
        for (std::size_t column = 0; column < least.size(); ++column) {
            const auto width = static_cast<UnsignedWide>(static_cast<Wide>(greatest[column]) -
                                                              least[column] + 1);
            if (width > most) {
                return {};
            }
            const auto room = width + width / 4;
            box.base_.push_back(least[column]);
            box.width_.push_back(static_cast<std::uint64_t>(room));
            size *= room;
            if (size > most) {
                return {};
            }
        }
        box.size_ = static_cast<std::uint64_t>(size);
        return box;
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }

    // The place of the cells of a row in some columns.
    [[nodiscard]] std::uint64_t place(const Cell* row, const std::uint32_t* columns) const {
        std::uint64_t place = 0;
        const std::size_t count = base_.size();
        const Cell* const base = base_.data();
        const std::uint64_t* const width = width_.data();
        for (std::size_t column = 0; column < count; ++column) {
            const auto offset = static_cast<std::uint64_t>(row[columns[column]]) - static_cast<std::uint64_t>(base[column]);
            if (offset >= width[column]) {
                return OUTSIDE;
            }
            place = place * width[column] + offset;
        }
        return place;
    }
    [[nodiscard]] std::uint64_t place(const Cell* key) const {
        std::uint64_t place = 0;
        for (std::size_t column = 0; column < base_.size(); ++column) {
            const auto offset = static_cast<std::uint64_t>(key[column]) - static_cast<std::uint64_t>(base_[column]);
            if (offset >= width_[column]) {
                return OUTSIDE;
            }
            place = place * width_[column] + offset;
        }
        return place;
    }

private:
    std::vector<Cell> base_;
    std::vector<std::uint64_t> width_;
    std::uint64_t size_ = 0;
};

// The maximal number of places of a direct table for this number of rows.
inline std::uint64_t most_places(std::uint64_t rows) { return std::max<std::uint64_t>(1024, 16 * rows); }

inline std::size_t power_of_two_above(std::size_t number) {
    std::size_t power = 8;
    while (power < number) {
        power *= 2;
    }
    return power;
}

}  // namespace hornbook
