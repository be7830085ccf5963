// Sets of points of a Go board, row by row: bit 0 of row 0 is a1. A set is a value with room for 19 rows.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace go {

constexpr int MOST_SIDE = 19;
constexpr std::size_t ROOM = 20;  // one more than the rows, to make a round number

class Rows {
public:
    bool operator==(const Rows&) const = default;

    constexpr std::uint32_t operator[](int row) const { return rows_[static_cast<std::size_t>(row)]; }
    constexpr std::uint32_t& operator[](int row) { return rows_[static_cast<std::size_t>(row)]; }
    bool has(int row, int column) const { return ((*this)[row] >> column) % 2 == 1; }
    void add(int row, int column) { (*this)[row] |= std::uint32_t{1} << column; }

    bool is_empty() const {
        std::uint32_t any = 0;
        for (const std::uint32_t row : rows_) {
            any |= row;
        }
        return any == 0;
    }
    int size() const {
        int points = 0;
        for (const std::uint32_t row : rows_) {
            points += std::popcount(row);
        }
        return points;
    }
    // An arbitrary point of a non-empty set.
    Rows one() const {
        Rows found;
        for (std::size_t row = 0; row < ROOM; ++row) {
            if (rows_[row] != 0) {
                found.rows_[row] = rows_[row] & (~rows_[row] + 1);
                break;
            }
        }
        return found;
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t row = 0; row < ROOM; ++row) {
            for (std::uint32_t left = rows_[row]; left != 0; left &= left - 1) {
                visit(static_cast<int>(row), std::countr_zero(left));
            }
        }
    }

    Rows& operator|=(const Rows& other) { return each_row(other, [](auto a, auto b) { return a | b; }); }
    Rows& operator&=(const Rows& other) { return each_row(other, [](auto a, auto b) { return a & b; }); }
    Rows& operator-=(const Rows& other) { return each_row(other, [](auto a, auto b) { return a & ~b; }); }
    friend Rows operator|(Rows one, const Rows& other) { return one |= other; }
    friend Rows operator&(Rows one, const Rows& other) { return one &= other; }
    friend Rows operator-(Rows one, const Rows& other) { return one -= other; }

    // The neighbours of these points, some of which may lie outside a smaller board.
    Rows beside() const {
        Rows found;
        for (std::size_t row = 0; row < ROOM; ++row) {
            found.rows_[row] = (rows_[row] << 1) | (rows_[row] >> 1);
        }
        for (std::size_t row = 1; row < ROOM; ++row) {
            found.rows_[row] |= rows_[row - 1];
            found.rows_[row - 1] |= rows_[row];
        }
        return found;
    }

    // The points of `of` that are connected to these within `of`; these are a subset of `of`.
    Rows joined(const Rows& of) const {
        Rows found = *this;
        while (true) {
            const Rows more = (found | found.beside()) & of;
            if (more == found) {
                return found;
            }
            found = more;
        }
    }

private:
    template <class Join>
    Rows& each_row(const Rows& other, Join&& join) {
        for (std::size_t row = 0; row < ROOM; ++row) {
            rows_[row] = join(rows_[row], other.rows_[row]);
        }
        return *this;
    }

    std::array<std::uint32_t, ROOM> rows_{};
};

}  // namespace go
