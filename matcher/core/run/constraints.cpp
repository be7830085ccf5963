// Whether the facts that an update linked keep what their predicates promise: keys and counts.
#include "run/engine.hpp"

namespace hornbook {

void Engine::check_promises(std::size_t from) {
    const auto fact_of = [&](PredicateId predicate, Row row) {
        const Relation& relation = *relations_[predicate];
        return Fact{number_of(predicate), {relation.cells(row), relation.cells(row) + relation.arity()}};
    };
    const auto width_of = [&](PredicateId predicate) { return static_cast<std::size_t>(relations_[predicate]->predicate.key); };
    // Calls `take(row)` for the linked rows that begin with a key, until one call returns true.
    const auto with_key = [&](PredicateId predicate, std::uint32_t index, std::size_t width, const Cell* key, auto&& take) {
        const Relation& relation = *relations_[predicate];
        for (Row row = relation.index(index).first(key); row != NO_ROW; row = relation.index(index).next(row)) {
            if (std::equal(key, key + width, relation.cells(row)) && take(row)) {
                return;
            }
        }
    };
    const auto check_count = [&](PredicateId counting, Row count) {
        const Relation& relation = *relations_[counting];
        const std::size_t width = width_of(counting);
        std::size_t members = 0;
        with_key(static_cast<PredicateId>(relation.predicate.counts), promises_[counting].members_index, width,
                 relation.cells(count), [&](Row) {
                     ++members;
                     return false;
                 });
        if (static_cast<Cell>(members) > relation.cells(count)[width]) {
            throw OverfullSet{fact_of(counting, count), members};
        }
    };
    const auto check = [&](PredicateId predicate, Row row) {
        const Relation& relation = *relations_[predicate];
        clock.spend();
        const Cell* cells = relation.cells(row);
        if (relation.predicate.key != NOTHING) {
            with_key(predicate, promises_[predicate].key_index, width_of(predicate), cells, [&](Row other) {
                if (other != row) {
                    throw KeyConflict{fact_of(predicate, row), fact_of(predicate, other)};
                }
                return false;
            });
            if (relation.predicate.counts != NOTHING) {
                check_count(predicate, row);
            }
        }
        for (const PredicateId counting : promises_[predicate].counted_by) {
            // The member that was linked last stands first: one look a set is enough.
            Row first = NO_ROW;
            with_key(predicate, promises_[counting].members_index, width_of(counting), cells, [&](Row other) {
                first = other;
                return true;
            });
            if (first == row) {
                with_key(counting, promises_[counting].key_index, width_of(counting), cells, [&](Row count) {
                    check_count(counting, count);
                    return false;
                });
            }
        }
    };
    const auto is_promised = [&](PredicateId predicate) {
        return relations_[predicate]->predicate.key != NOTHING || !promises_[predicate].counted_by.empty();
    };
    for (PredicateId predicate = 0; !journal_.is_on() && predicate < relations_.size(); ++predicate) {
        for (Row row = 0; is_promised(predicate) && row < relations_[predicate]->size(); ++row) {
            if (relations_[predicate]->is_linked(row)) {
                check(predicate, row);
            }
        }
    }
    for (std::size_t place = from; place < journal_.size(); ++place) {
        const Journal::Entry entry = journal_.at(place);
        if ((entry.event == Journal::Event::LINKED || entry.event == Journal::Event::RELINKED) &&
            is_promised(entry.predicate) && relations_[entry.predicate]->is_linked(entry.row)) {
            check(entry.predicate, entry.row);
        }
    }
}

}  // namespace hornbook
