// The facts of a relation found until now, as a bit for each place of a box around their cells. If facts are
// found repeatedly, these bits stay in the processor's cache when rows and tables no longer do.
//
// Invariants: The bit of a fact inside of the box is set if and only if the fact was added.
#pragma once

#include "data/buffer.hpp"
#include "data/relation.hpp"

namespace hornbook {

class FoundFacts {
public:
    enum class Added : std::uint8_t { NEW, AGAIN, BEYOND };

    [[nodiscard]] bool is_on() const { return is_on_; }
    // Whether a fact that is new here is new to its relation.
    [[nodiscard]] bool has_all() const { return has_all_; }
    void begin(const Relation& relation) {
        is_on_ = true;
        has_all_ = relation.size() == 0;
    }
    void clear() { *this = FoundFacts(); }

    // BEYOND the box: it is not added.
    Added add(const Cell* cells) {
        const std::uint64_t place = box_.place(cells);
        if (place >= box_.size()) {
            return Added::BEYOND;
        }
        std::uint64_t& word = bits_[place / WIDTH];
        const std::uint64_t bit = std::uint64_t{1} << (place % WIDTH);
        const bool was_added = (word & bit) != 0;
        word |= bit;
        return was_added ? Added::AGAIN : Added::NEW;
    }

    // Whether a box around more facts is needed.
    [[nodiscard]] bool is_outgrown(const Relation& relation) const { return relation.size() >= next_size_; }
    // A box around all facts of a relation, if it may have that many places; facts derived by rules are added.
    void fit(const Relation& relation) {
        constexpr std::uint64_t FEW = 4096;
        constexpr std::uint64_t A_FACT = 512;  // not more memory than a direct table
        next_size_ = 2 * std::max<std::uint64_t>(relation.size(), 8);
        box_ = relation.size() == 0 ? Box() : Box::around(relation.least(), relation.greatest(), FEW + A_FACT * relation.size());
        bits_.assign((box_.size() + WIDTH - 1) / WIDTH, 0);
        for (Row row = 0; row < relation.size() && box_.size() != 0; ++row) {
            if ((relation.support(row) & ~Relation::GIVEN) != 0) {
                add(relation.cells(row));
            }
        }
    }

private:
    static constexpr std::uint64_t WIDTH = 64;
    Buffer<std::uint64_t> bits_;
    Box box_;
    std::uint64_t next_size_ = 0;
    bool is_on_ = false;
    bool has_all_ = false;
};

}  // namespace hornbook
