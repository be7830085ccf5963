// Points of a board and sets of them. A set has room for 19×19 points, so it is a value: copied, joined and
// compared in a few instructions for any board size.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace reading {

using Point = std::int16_t;
constexpr Point NONE = -1;
constexpr int MAX_SIDE = 19;
constexpr std::size_t MAX_POINTS = MAX_SIDE * MAX_SIDE;

class Zone {
public:
    void add(Point point) { words_[index(point)] |= bit(point); }
    void remove(Point point) { words_[index(point)] &= ~bit(point); }
    bool has(Point point) const { return (words_[index(point)] & bit(point)) != 0; }

    bool is_empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) {
            any |= word;
        }
        return any == 0;
    }
    int size() const {
        int points = 0;
        for (const std::uint64_t word : words_) {
            points += std::popcount(word);
        }
        return points;
    }
    // The lowest point, or NONE.
    Point first() const {
        for (std::size_t place = 0; place < WORDS; ++place) {
            if (words_[place] != 0) {
                return static_cast<Point>(place * 64 +
                                          static_cast<std::size_t>(std::countr_zero(words_[place])));
            }
        }
        return NONE;
    }
    Zone& operator|=(const Zone& other) {
        for (std::size_t place = 0; place < WORDS; ++place) {
            words_[place] |= other.words_[place];
        }
        return *this;
    }
    friend Zone operator|(Zone one, const Zone& other) { return one |= other; }
    friend Zone operator&(Zone one, const Zone& other) {
        for (std::size_t place = 0; place < WORDS; ++place) {
            one.words_[place] &= other.words_[place];
        }
        return one;
    }
    // The difference of two sets.
    friend Zone operator-(Zone one, const Zone& other) {
        for (std::size_t place = 0; place < WORDS; ++place) {
            one.words_[place] &= ~other.words_[place];
        }
        return one;
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t place = 0; place < WORDS; ++place) {
            for (std::uint64_t word = words_[place]; word != 0; word &= word - 1) {
                visit(static_cast<Point>(place * 64 + static_cast<std::size_t>(std::countr_zero(word))));
            }
        }
    }

private:
    static constexpr std::size_t WORDS = (MAX_POINTS + 63) / 64;
    static std::size_t index(Point point) { return static_cast<std::size_t>(point) / 64; }
    static std::uint64_t bit(Point point) { return std::uint64_t{1} << (static_cast<unsigned>(point) % 64); }

    std::array<std::uint64_t, WORDS> words_{};
};

}  // namespace reading
