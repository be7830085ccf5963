// The dependencies of predicates, and the order of finishing them (matcher/program/stratify.py).
#pragma once

#include <unordered_map>
#include <vector>

#include "data/program.hpp"

namespace hornbook {

class Dependencies {
public:
    void add(const Rule& rule) { count(rule, 1); }
    void remove(const Rule& rule) { count(rule, -1); }

    // Whether an edge or a guarded conclusion was added or removed since the strata were last computed.
    [[nodiscard]] bool have_changed() const { return has_changed_; }

    // Compute the strata again. Returns false if a predicate needs itself finished first.
    bool arrange(std::size_t predicates);

    [[nodiscard]] const std::vector<std::uint32_t>& components() const { return components_; }
    [[nodiscard]] std::uint32_t component(PredicateId predicate) const { return components_[predicate]; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool is_recursive(PredicateId predicate) const { return is_recursive_[predicate]; }
    // Whether support is searched and not counted: the predicate is recursive or a guarded rule concludes it.
    [[nodiscard]] bool is_checked(PredicateId predicate) const { return is_checked_[predicate]; }

private:
    struct Edge {
        std::uint64_t rules = 0;
        std::uint64_t finished = 0;
    };
    void count(const Rule& rule, int by);
    void count(PredicateId head, PredicateId read, bool finished, int by);
    void count(PredicateId head, const Body& body, bool finished, int by);

    std::unordered_map<std::uint64_t, Edge> edges_;
    std::unordered_map<PredicateId, std::uint64_t> guarded_;
    std::vector<std::uint32_t> components_;
    std::vector<bool> is_recursive_;
    std::vector<bool> is_checked_;
    std::size_t size_ = 0;
    bool has_changed_ = true;
};

}  // namespace hornbook
