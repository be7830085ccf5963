// What the core refuses; the bindings turn each into the error of matcher/program/errors.py that it stands for.
#pragma once

#include <optional>
#include <vector>

#include "data/program.hpp"

namespace hornbook {

struct Fact {
    PredicateId predicate = 0;
    std::vector<Cell> cells;
};

// A rule or query that does not bind its variables, or is not stratified: the plain engine's own checks say where.
struct RefusedProgram {};

struct KeyConflict {
    Fact first;
    Fact second;
};

struct OverfullSet {
    Fact count;
    std::size_t members = 0;
};

// `rule` is NOTHING for a query; a variable without a value has none in `known`.
struct Overflow {
    std::int64_t rule = NOTHING;
    std::vector<Cell> values;
    std::vector<bool> known;
    std::optional<std::int64_t> added;  // the place of the rule among those that the update adds
};

// More of something than there are numbers for.
struct TooLarge {
    const char* of_what;
    std::uint64_t most;
};

struct TooManyFacts {
    PredicateId most = 0;  // the predicate that has the most of them, by the number that it was given
};
struct TooManyBytes {};
struct TooManySeconds {};
struct Interrupted {};  // a signal's Python exception is set

}  // namespace hornbook
