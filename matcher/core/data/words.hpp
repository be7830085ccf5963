// The words for operators, comparisons and functions in matcher/program/coded.py, each in the order of its numbers.
#pragma once

#include <iterator>
#include <string_view>

#include "data/program.hpp"

namespace hornbook {

constexpr const char* OPERATORS[] = {
    "+",   "-",       "*",      "//",      "min",        "max",
    "mod", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right",
};
constexpr const char* COMPARISONS[] = {"=", "!=", "<", "<=", ">", ">="};
constexpr const char* FUNCTIONS[] = {"count", "min", "max", "sum"};

static_assert(std::size(OPERATORS) == static_cast<std::size_t>(Operator::SHIFT_RIGHT) + 1);
static_assert(std::size(COMPARISONS) == static_cast<std::size_t>(Comparison::AT_LEAST) + 1);
static_assert(std::size(FUNCTIONS) == static_cast<std::size_t>(Function::SUM) + 1);

constexpr const char* word_of(Operator operation) { return OPERATORS[static_cast<std::size_t>(operation)]; }
constexpr const char* word_of(Comparison comparison) { return COMPARISONS[static_cast<std::size_t>(comparison)]; }

}  // namespace hornbook
