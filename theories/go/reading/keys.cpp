#include "keys.hpp"

#include <array>

namespace reading {

namespace {

// The numbers are the same in every run.
std::uint64_t mixed(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31U);
}

struct Numbers {
    std::array<Key, 3 * MAX_POINTS + 1> keys{};
    Numbers() {
        std::uint64_t seed = 1;
        for (Key& key : keys) {
            key.first = mixed(seed++);
            key.second = mixed(seed++);
        }
    }
};
const Numbers NUMBERS;

}  // namespace

Key key_of(const Position& position, bool attacker_moves) {
    Key key{0, 0};
    const auto mix = [&](std::size_t place) {
        key.first ^= NUMBERS.keys[place].first;
        key.second ^= NUMBERS.keys[place].second;
    };
    position.black.each([&](Point point) { mix(static_cast<std::size_t>(point)); });
    position.white.each([&](Point point) { mix(MAX_POINTS + static_cast<std::size_t>(point)); });
    if (position.ban != NONE) {
        mix(2 * MAX_POINTS + static_cast<std::size_t>(position.ban));
    }
    if (attacker_moves) {
        mix(3 * MAX_POINTS);
    }
    return key;
}

}  // namespace reading
