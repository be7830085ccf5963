// Distinct states, numbered from 0 in the order of insertion: their words in chunks of memory, and a hash table of
// their numbers. If all states have the same length, as in most machines, a state needs 11 to 22 bytes besides
// its words. Otherwise the place of each state is stored too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "machine/machine.hpp"

namespace hornbook::planner {

using StateId = std::uint32_t;

// A hash of the words of a state, in all bits.
inline std::uint64_t hash_of(State state) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ state.size();
    for (const Word word : state) {
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
        hash ^= hash >> 29U;
    }
    hash *= 0x94D049BB133111EBULL;
    return hash ^ (hash >> 32U);
}

class StateStore {
  public:
    StateStore() : table_(first_slots, empty) {}

    std::size_t size() const { return size_; }

    // The memory of the store.
    std::size_t bytes() const {
        return chunks_.size() * chunk_words * sizeof(Word) + table_.size() * sizeof(Slot) +
               places_.capacity() * sizeof(Place);
    }

    // The words of a state, valid until the store is destroyed.
    State at(StateId id) const {
        if (!places_.empty()) {
            const Place place = places_[id];
            return {chunks_[place.chunk].get() + place.first, place.length};
        }
        const std::size_t chunk = id / per_chunk_;
        return {chunks_[chunk].get() + (id - chunk * per_chunk_) * length_, length_};
    }

    // Returns the number of a state, and whether it is new. Throws length_error if there are more than about four
    // thousand million states, or if a state is longer than a chunk.
    std::pair<StateId, bool> insert(State state) {
        const std::uint64_t hash = hash_of(state);
        const std::uint64_t tag = hash & tag_mask;
        for (std::size_t slot = hash & (table_.size() - 1);; slot = (slot + 1) & (table_.size() - 1)) {
            const Slot found = table_[slot];
            if (found == empty) {
                const StateId id = append(state);
                table_[slot] = tag | id;
                if (4 * size_ > 3 * table_.size()) grow();
                return {id, true};
            }
            if ((found & tag_mask) == tag) {
                const auto id = static_cast<StateId>(found);
                const State known = at(id);
                if (std::equal(known.begin(), known.end(), state.begin(), state.end())) return {id, false};
            }
        }
    }

    // The number of a state, if it is stored.
    std::optional<StateId> find(State state) const {
        const std::uint64_t hash = hash_of(state);
        for (std::size_t slot = hash & (table_.size() - 1); table_[slot] != empty; slot = (slot + 1) & (table_.size() - 1)) {
            const auto id = static_cast<StateId>(table_[slot]);
            if ((table_[slot] & tag_mask) == (hash & tag_mask) && std::ranges::equal(at(id), state)) return id;
        }
        return std::nullopt;
    }

  private:
    // The upper half of a state's hash, and its number.
    using Slot = std::uint64_t;
    // The place of a state: its chunk, the index of its first word there, and the number of its words.
    struct Place {
        std::uint32_t chunk, first, length;
    };
    static constexpr Slot empty = std::numeric_limits<Slot>::max();
    static constexpr std::uint64_t tag_mask = 0xFFFFFFFF00000000ULL;
    static constexpr std::size_t first_slots = 1024;
    static constexpr std::size_t chunk_words = std::size_t{1} << 16U;

    StateId append(State state) {
        if (size_ == std::numeric_limits<StateId>::max()) throw std::length_error("more states than numbers for them");
        if (state.size() > chunk_words) throw std::length_error("a state is longer than a chunk of the store");
        if (size_ == 0) {
            length_ = state.size();
            per_chunk_ = chunk_words / std::max<std::size_t>(1, length_);
        }
        if (places_.empty() && state.size() != length_) store_places();
        if (chunks_.empty() || used_ + state.size() > chunk_words || (places_.empty() && size_ % per_chunk_ == 0)) {
            chunks_.push_back(std::make_unique_for_overwrite<Word[]>(chunk_words));
            used_ = 0;
        }
        std::copy(state.begin(), state.end(), chunks_.back().get() + used_);
        if (!places_.empty()) {
            places_.push_back({static_cast<std::uint32_t>(chunks_.size() - 1), static_cast<std::uint32_t>(used_),
                               static_cast<std::uint32_t>(state.size())});
        }
        used_ += state.size();
        return static_cast<StateId>(size_++);
    }

    // Stores the place of each state so far: the next state is the first one of another length.
    void store_places() {
        std::vector<Place> places;
        for (std::size_t id = 0; id < size_; ++id) {
            places.push_back({static_cast<std::uint32_t>(id / per_chunk_),
                              static_cast<std::uint32_t>(id % per_chunk_ * length_), static_cast<std::uint32_t>(length_)});
        }
        places_ = std::move(places);
    }

    void grow() {
        std::vector<Slot> table(2 * table_.size(), empty);
        for (StateId id = 0; id < size_; ++id) {
            const std::uint64_t hash = hash_of(at(id));
            std::size_t slot = hash & (table.size() - 1);
            while (table[slot] != empty) slot = (slot + 1) & (table.size() - 1);
            table[slot] = (hash & tag_mask) | id;
        }
        table_ = std::move(table);
    }

    std::vector<std::unique_ptr<Word[]>> chunks_;
    std::vector<Slot> table_;
    std::vector<Place> places_;  // empty while all states have the same length
    std::size_t size_ = 0;
    std::size_t used_ = 0;       // words of the last chunk
    std::size_t length_ = 0;     // of the first state
    std::size_t per_chunk_ = 1;  // states of this length
};

}  // namespace hornbook::planner
