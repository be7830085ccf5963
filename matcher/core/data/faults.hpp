// The faults of the core; the bindings convert each into an error of matcher/program/errors.py.
#pragma once

#include <optional>
#include <vector>

#include "data/program.hpp"

namespace hornbook {

struct Fact {
    PredicateId predicate = 0;
    std::vector<Cell> cells;
};

// A rule or query that does not bind its variables, or is not stratified: the plain engine's checks find the place.
struct RefusedProgram {};

struct KeyConflict {
    Fact first;
    Fact second;
};

struct OverfullSet {
    Fact count;
    std::size_t members = 0;
};

// `rule` is NOTHING for a query; a variable without a value is marked in `known`.
struct Overflow {
    std::int64_t rule = NOTHING;
    std::vector<Cell> values;
    std::vector<bool> known;
    std::optional<std::int64_t> added;  // the index of the rule among those that the update adds
};

// More items than there are numbers.
struct TooLarge {
    const char* of_what;
    std::uint64_t most;
};

struct TooManyFacts {
    PredicateId most = 0;  // the predicate with the most of them, by its users' number
};
struct TooManyBytes {};
struct TooManySeconds {};
struct Interrupted {};  // a signal handler has set a Python exception

}  // namespace hornbook
