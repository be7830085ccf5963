// Cells, rows and the arithmetic on them: the basic types of the core.
//
// A cell is a 64-bit signed integer. Arithmetic has a cell or nothing as its result: it never wraps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace hornbook {

using Cell = std::int64_t;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;
using PredicateId = std::uint32_t;
using RuleNumber = std::uint32_t;
using Variable = std::uint32_t;

// The index of a fact in its relation.
using Row = std::uint32_t;
constexpr Row NO_ROW = std::numeric_limits<Row>::max();

inline std::uint64_t mix(std::uint64_t value) {
    // Multiply by an odd constant and fold the high half: cheap, and every bit affects the low half.
    const auto product = static_cast<UnsignedWide>(value ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

inline std::uint64_t combine(std::uint64_t hash, Cell cell) {
    return mix(hash ^ static_cast<std::uint64_t>(cell));
}

inline std::uint64_t hash_cells(const Cell* cells, std::size_t count) {
    std::uint64_t hash = 0x243F6A8885A308D3U;
    for (std::size_t place = 0; place < count; ++place) {
        hash = combine(hash, cells[place]);
    }
    return hash;
}

// Most facts have few cells, for which a function call costs more than the copy.
inline void copy_cells(const Cell* from, std::size_t count, Cell* to) {
    switch (count) {
        case 3: to[2] = from[2]; [[fallthrough]];
        case 2: to[1] = from[1]; [[fallthrough]];
        case 1: to[0] = from[0]; [[fallthrough]];
        case 0: return;
        default: std::memcpy(to, from, count * sizeof(Cell));
    }
}

enum class Operator : std::uint8_t {
    ADD,
    SUBTRACT,
    MULTIPLY,
    FLOOR_DIVIDE,
    MIN,
    MAX,
    MODULO,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    CALL,  // of a function (data/program.hpp), which is no calculation on two cells
};

enum class Comparison : std::uint8_t { EQUAL, NOT_EQUAL, LESS, AT_MOST, GREATER, AT_LEAST };

inline bool compares(Cell left, Comparison comparison, Cell right) {
    switch (comparison) {
        case Comparison::EQUAL: return left == right;
        case Comparison::NOT_EQUAL: return left != right;
        case Comparison::LESS: return left < right;
        case Comparison::AT_MOST: return left <= right;
        case Comparison::GREATER: return left > right;
        case Comparison::AT_LEAST: return left >= right;
    }
    return false;
}

// Compute one operation into `result`. Return false if it leaves 64 bits, divides by zero, or shifts by less
// than 0 or more than 63 places.
inline bool apply(Operator operation, Cell left, Cell right, Cell& result) {
    switch (operation) {
        case Operator::ADD: return !__builtin_add_overflow(left, right, &result);
        case Operator::SUBTRACT: return !__builtin_sub_overflow(left, right, &result);
        case Operator::MULTIPLY: return !__builtin_mul_overflow(left, right, &result);
        case Operator::FLOOR_DIVIDE:
            if (right == 0 || (right == -1 && left == std::numeric_limits<Cell>::min())) {
                return false;
            }
            result = left / right;
            if (left % right != 0 && (left < 0) != (right < 0)) {
                --result;
            }
            return true;
        case Operator::MIN: result = left < right ? left : right; return true;
        case Operator::MAX: result = left < right ? right : left; return true;
        case Operator::MODULO:  // has the sign of the divisor
            if (right == 0) {
                return false;
            }
            result = right == -1 ? 0 : left % right;
            if (result != 0 && (result < 0) != (right < 0)) {
                result += right;
            }
            return true;
        case Operator::BIT_AND: result = left & right; return true;
        case Operator::BIT_OR: result = left | right; return true;
        case Operator::BIT_XOR: result = left ^ right; return true;
        case Operator::SHIFT_LEFT:
            if (right < 0 || right > 63) {
                return false;
            }
            if (right == 63) {  // 2 to the power of 63 is no cell
                result = left == 0 ? 0 : std::numeric_limits<Cell>::min();
                return left == 0 || left == -1;
            }
            return !__builtin_mul_overflow(left, Cell{1} << right, &result);
        case Operator::SHIFT_RIGHT:
            if (right < 0 || right > 63) {
                return false;
            }
            result = left >> right;
            return true;
        case Operator::CALL: break;
    }
    return false;
}

}  // namespace hornbook
