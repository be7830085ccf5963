// Tables of numbers as bytes of Python, and patterns as lists of numbers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "grounding/assembly.hpp"

namespace hornbook::planner {

template <class Value>
std::vector<Value> read(const nanobind::bytes& bytes) {
    if (bytes.size() % sizeof(Value) != 0) {
        throw std::invalid_argument("bytes of whole numbers");
    }
    std::vector<Value> found(bytes.size() / sizeof(Value));
    if (!found.empty()) {
        std::memcpy(found.data(), bytes.data(), bytes.size());
    }
    return found;
}

template <class Value>
nanobind::bytes told(const std::vector<Value>& values) {
    return nanobind::bytes(values.data(), values.size() * sizeof(Value));
}

inline grounding::Table table_of(std::size_t count, const nanobind::bytes& cells) {
    return {read<grounding::Cell>(cells), count};
}

// A relation and its terms: a cell, or ~c for column c of the instances.
inline grounding::Pattern pattern_of(const std::vector<grounding::Cell>& numbers) {
    grounding::Pattern found;
    found.predicate = static_cast<grounding::PredicateNumber>(numbers.at(0));
    for (std::size_t place = 1; place < numbers.size(); ++place) {
        const grounding::Cell term = numbers[place];
        found.terms.push_back(term < 0 ? grounding::Pattern::Term{~term, true} : grounding::Pattern::Term{term, false});
    }
    return found;
}

inline std::vector<grounding::Pattern> patterns_of(const std::vector<std::vector<grounding::Cell>>& numbers) {
    std::vector<grounding::Pattern> found;
    for (const auto& each : numbers) {
        found.push_back(pattern_of(each));
    }
    return found;
}

}  // namespace hornbook::planner
