// Numbers for tuples of words, assigned on first occurrence.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "resolution/slots.hpp"

namespace hornbook::planner::resolution {

// A tuple belongs to a relation: the same words in another relation have another number.
class Interned {
public:
    std::uint32_t number(std::uint32_t relation, const Cell* cells, std::size_t width) {
        const auto made = static_cast<std::uint32_t>(places_.size());
        const std::uint32_t found = slots_.at(hash_of(cells, width, relation), made, [&](std::uint32_t other) {
            return places_[other].relation == relation &&
                   std::equal(cells, cells + width, cells_.data() + places_[other].first);
        });
        if (found == made) {
            places_.push_back({relation, cells_.size(), width});
            cells_.insert(cells_.end(), cells, cells + width);
        }
        return found;
    }

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] std::uint32_t relation(std::size_t number) const { return places_[number].relation; }
    // Valid until the next number is assigned.
    [[nodiscard]] std::span<const Cell> cells(std::size_t number) const {
        return {cells_.data() + places_[number].first, places_[number].width};
    }

private:
    struct Place {
        std::uint32_t relation;
        std::size_t first;
        std::size_t width;
    };

    std::vector<Place> places_;
    std::vector<Cell> cells_;
    Slots slots_;
};

}  // namespace hornbook::planner::resolution
