// Integrity constraints: whether the facts that an update linked satisfy the keys and counts of their predicates.
#pragma once

#include <vector>

#include "data/budget.hpp"
#include "data/facts.hpp"

namespace hornbook {

class Constraints {
public:
    Constraints(Facts& facts, Budget& budget) : facts_(facts), budget_(budget) {}

    // Call it after all predicates are declared that others refer to.
    void declare();
    // Throws KeyConflict or OverfullSet if a fact that the update linked violates one.
    void check();
    // The same for all facts of some predicates.
    void check(const std::vector<PredicateId>& predicates);

private:
    struct OfPredicate {
        std::uint32_t key_index = 0;      // on the key of a predicate with a key
        std::uint32_t members_index = 0;  // on the key of the set that a predicate counts
        std::vector<PredicateId> counted_by;
    };
    void check(PredicateId predicate, Row row);
    void check_count(PredicateId counting, Row count);
    void check_counts(PredicateId counting);
    [[nodiscard]] bool is_constrained(PredicateId predicate) const;
    [[nodiscard]] Fact fact_of(PredicateId predicate, Row row) const;
    [[nodiscard]] std::size_t width_of(PredicateId predicate) const;

    Facts& facts_;
    Budget& budget_;
    std::vector<OfPredicate> of_;  // by predicate; newer relations have none
};

}  // namespace hornbook
