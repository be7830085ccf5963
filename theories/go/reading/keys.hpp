// Table keys of positions: two independent 64-bit numbers, so that two positions never share one in practice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "position.hpp"

namespace reading {

struct Key {
    std::uint64_t first;
    std::uint64_t second;
    bool operator==(const Key&) const = default;
};

struct HashOfKey {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.first); }
};

// The key of a position, the point that ko forbids, and the player to move.
Key key_of(const Position& position, bool attacker_moves);

}  // namespace reading
