#include "run/constraints.hpp"

#include <algorithm>
#include <numeric>

namespace hornbook {

namespace {

int compare_keys(const Cell* one, const Cell* other, std::size_t width) {
    for (std::size_t place = 0; place < width; ++place) {
        if (one[place] != other[place]) {
            return one[place] < other[place] ? -1 : 1;
        }
    }
    return 0;
}

// Whether all rows are linked and in ascending order of their first cells, which an index need not find then.
bool is_ascending(const Relation& relation, std::size_t width, bool is_strictly) {
    if (relation.is_ascending() && !is_strictly) {
        return true;
    }
    if (relation.linked_count() != relation.size()) {
        return false;
    }
    const int most = is_strictly ? -1 : 0;
    for (Row row = 1; row < relation.size(); ++row) {
        if (compare_keys(relation.cells(row - 1), relation.cells(row), width) > most) {
            return false;
        }
    }
    return true;
}

}  // namespace

void Constraints::declare() {
    const auto key_columns = [&](PredicateId predicate) {
        std::vector<std::uint32_t> columns(width_of(predicate));
        std::iota(columns.begin(), columns.end(), 0U);
        return columns;
    };
    of_.resize(facts_.relations().size());
    for (PredicateId number = 0; number < of_.size(); ++number) {
        const Predicate& predicate = facts_[number].predicate;
        if (predicate.key != NOTHING) {
            of_[number].key_index = facts_[number].index_on(key_columns(number));
        }
        if (predicate.counts == NOTHING) {
            continue;
        }
        const auto member = static_cast<PredicateId>(predicate.counts);
        of_[number].members_index = facts_[member].index_on(key_columns(number));
        std::vector<PredicateId>& counted_by = of_[member].counted_by;
        if (std::find(counted_by.begin(), counted_by.end(), number) == counted_by.end()) {
            counted_by.push_back(number);
        }
    }
}

Fact Constraints::fact_of(PredicateId predicate, Row row) const {
    const Relation& relation = facts_[predicate];
    return {facts_.number_of(predicate), {relation.cells(row), relation.cells(row) + relation.arity()}};
}

std::size_t Constraints::width_of(PredicateId predicate) const {
    return static_cast<std::size_t>(facts_[predicate].predicate.key);
}

bool Constraints::is_constrained(PredicateId predicate) const {
    return predicate < of_.size() && (facts_[predicate].predicate.key != NOTHING || !of_[predicate].counted_by.empty());
}

void Constraints::check_count(PredicateId counting, Row count) {
    const Relation& relation = facts_[counting];
    const std::size_t width = width_of(counting);
    std::size_t members = 0;
    facts_[static_cast<PredicateId>(relation.predicate.counts)].each_with(of_[counting].members_index, relation.cells(count), [&](Row) {
        ++members;
        return false;
    });
    if (static_cast<Cell>(members) > relation.cells(count)[width]) {
        throw OverfullSet{fact_of(counting, count), members};
    }
}

void Constraints::check(PredicateId predicate, Row row) {
    const Relation& relation = facts_[predicate];
    budget_.spend();
    const Cell* cells = relation.cells(row);
    if (relation.predicate.key != NOTHING) {
        relation.each_with(of_[predicate].key_index, cells, [&](Row other) {
            if (other != row) {
                throw KeyConflict{fact_of(predicate, row), fact_of(predicate, other)};
            }
            return false;
        });
        if (relation.predicate.counts != NOTHING) {
            check_count(predicate, row);
        }
    }
    for (const PredicateId counting : of_[predicate].counted_by) {
        // The member that was linked last comes first, so each set is tested once.
        Row first = NO_ROW;
        relation.each_with(of_[counting].members_index, cells, [&](Row other) {
            first = other;
            return true;
        });
        if (first == row) {
            facts_[counting].each_with(of_[counting].key_index, cells, [&](Row count) {
                check_count(counting, count);
                return false;
            });
        }
    }
}

void Constraints::check() {
    facts_.for_each_new([&](PredicateId predicate) { return is_constrained(predicate); },
                        [&](PredicateId predicate, Row row) { check(predicate, row); });
}

void Constraints::check(const std::vector<PredicateId>& predicates) {
    std::vector<PredicateId> counted;  // the predicates whose counts are checked
    const auto check_counts_once = [&](PredicateId counting) {
        if (facts_[counting].linked_count() != 0 && std::find(counted.begin(), counted.end(), counting) == counted.end()) {
            counted.push_back(counting);
            check_counts(counting);
        }
    };
    for (const PredicateId predicate : predicates) {
        const Relation& relation = facts_[predicate];
        if (!is_constrained(predicate) || relation.linked_count() == 0) {
            continue;
        }
        budget_.spend(relation.size());
        if (relation.predicate.key != NOTHING && !is_ascending(relation, width_of(predicate), true)) {
            const Index& index = relation.index(of_[predicate].key_index);
            for (Row row = 0; row < relation.size(); ++row) {
                // In an exact index, two rows with one key are neighbours.
                if (relation.is_linked(row) && (!index.is_exact() || index.next(row) != NO_ROW)) {
                    check(predicate, row);
                }
            }
        }
        if (relation.predicate.counts != NOTHING) {
            check_counts_once(predicate);
        }
        for (const PredicateId counting : of_[predicate].counted_by) {
            check_counts_once(counting);
        }
    }
}

void Constraints::check_counts(PredicateId counting) {
    const Relation& relation = facts_[counting];
    const Relation& members = facts_[static_cast<PredicateId>(relation.predicate.counts)];
    const std::size_t width = width_of(counting);
    if (!is_ascending(relation, width, true) || !is_ascending(members, width, false)) {
        for (Row row = 0; row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                check_count(counting, row);
            }
        }
        return;
    }
    Row member = 0;
    for (Row row = 0; row < relation.size(); ++row) {
        const Cell* key = relation.cells(row);
        int order = -1;
        while (member < members.size() && (order = compare_keys(members.cells(member), key, width)) < 0) {
            ++member;
        }
        const Row first = member;
        while (order == 0 && ++member < members.size()) {
            order = compare_keys(members.cells(member), key, width);
        }
        if (static_cast<Cell>(member - first) > key[width]) {
            throw OverfullSet{fact_of(counting, row), member - first};
        }
    }
}

}  // namespace hornbook
