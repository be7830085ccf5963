// A hash table of numbers with external keys; it is cleared in constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "resolution/program.hpp"

namespace hornbook::planner::resolution {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

inline std::uint64_t hash_of(const Cell* cells, std::size_t count, std::uint64_t seed = 0) {
    std::uint64_t hash = seed + 0x9e3779b97f4a7c15U;
    for (std::size_t place = 0; place < count; ++place) {
        hash = (hash ^ static_cast<std::uint32_t>(cells[place])) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32U;
    }
    return hash;
}

class Slots {
public:
    [[nodiscard]] std::size_t size() const { return size_; }

    void clear() {
        size_ = 0;
        if (++stamp_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            stamp_ = 1;
        }
    }

    // The number with this hash for which `same` is true, or none.
    template <class Same>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, Same&& same) const {
        if (size_ == 0) {
            return none;
        }
        for (std::size_t place = hash & (slots_.size() - 1);; place = (place + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[place];
            if (slot.stamp != stamp_) {
                return none;
            }
            if (slot.hash == static_cast<std::uint32_t>(hash >> 32U) && same(slot.value)) {
                return slot.value;
            }
        }
    }

    // The place of the number for which `same` is true; it is `value` if there was none. Valid until the next call.
    template <class Same>
    std::uint32_t& at(std::uint64_t hash, std::uint32_t value, Same&& same) {
        if ((size_ + 1) * 2 > slots_.size()) {
            grow();
        }
        for (std::size_t place = hash & (slots_.size() - 1);; place = (place + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[place];
            if (slot.stamp != stamp_) {
                slot = {stamp_, static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash), value};
                ++size_;
                return slot.value;
            }
            if (slot.hash == static_cast<std::uint32_t>(hash >> 32U) && same(slot.value)) {
                return slot.value;
            }
        }
    }

private:
    struct Slot {
        std::uint32_t stamp = 0;
        std::uint32_t hash = 0;   // its upper half
        std::uint32_t place = 0;  // its lower half
        std::uint32_t value = 0;
    };

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 8 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.stamp == stamp_) {
                std::size_t place = slot.place & (slots_.size() - 1);
                while (slots_[place].stamp == stamp_) {
                    place = (place + 1) & (slots_.size() - 1);
                }
                slots_[place] = slot;
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    std::uint32_t stamp_ = 1;
};

}  // namespace hornbook::planner::resolution
