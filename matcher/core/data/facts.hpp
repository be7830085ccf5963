// The state of an engine: the facts of all predicates, their number, and a journal, so that a failed update
// and all changes since a mark can be undone.
//
// Invariants:
// - A relation has an index in every list here; predicates of users also have a number, hidden ones have
//   none.
// - The journal records all changes since the first mark, or since the update began. It is off only during an
//   update
//   that began without facts and marks: such an update is undone by removing everything.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "data/change.hpp"
#include "data/journal.hpp"
#include "data/relation.hpp"

namespace hornbook {

// The estimate of matcher/program/bounds.py; derivations are found on request, and cost nothing before.
constexpr std::uint64_t FACT_BYTES = 200;
constexpr std::uint64_t CELL_BYTES = 8;
// The cost of a fact's derivations if all are returned: each of them, and a fact for each premise.
constexpr std::uint64_t DERIVATION_BYTES = 200;

struct Bounds {
    std::optional<std::uint64_t> facts;
    std::optional<std::uint64_t> bytes;
    std::optional<double> seconds;
};

class Facts {
public:
    Facts(const Bounds& bounds, Row most_rows) : bounds_(bounds), most_rows_(most_rows) {}

    PredicateId add_relation(const Predicate& predicate);
    // Give this relation the next number of the users.
    void name(PredicateId id);
    [[nodiscard]] std::size_t predicates() const { return ids_.size(); }
    [[nodiscard]] PredicateId id_of(std::size_t number) const { return ids_[number]; }
    [[nodiscard]] PredicateId number_of(PredicateId id) const { return numbers_[id]; }

    [[nodiscard]] Relations& relations() { return relations_; }
    [[nodiscard]] const Relations& relations() const { return relations_; }
    [[nodiscard]] Relation& operator[](PredicateId predicate) { return *relations_[predicate]; }
    [[nodiscard]] const Relation& operator[](PredicateId predicate) const { return *relations_[predicate]; }

    // An update: from `begin` to `end`, or to `undo` on failure. `open_journal` precedes its first change.
    void begin();
    void open_journal() { journal_.switch_on(count_ != 0 || !marks_.empty()); }
    std::shared_ptr<Change> end();
    void undo();
    // Throws if there are more facts or bytes than the bounds allow.
    void check_bounds() const;

    // Calls `take(predicate, row)` for the rows that the update linked and that are still linked, of the
    // predicates for which `is_asked` is true.
    template <class Asked, class Take>
    void for_each_new(Asked&& is_asked, Take&& take) const;

    // Complete states, one after another, without a journal (run/states.hpp): the numbers of facts, bytes and
    // births of the facts that all states share; the beginning of a state; its end, which removes the facts of
    // the predicates that differ; and the end of all.
    struct Counts {
        std::uint64_t facts = 0;
        std::uint64_t bytes = 0;
        std::uint64_t births = 0;
    };
    [[nodiscard]] Counts counts() const { return {count_, estimated_bytes_, births_}; }
    void begin_state();
    // Count facts that were given to a relation directly.
    void count_given(PredicateId predicate, std::size_t facts);
    void end_state(const std::vector<PredicateId>& predicates, const Counts& shared);
    void journal_states() { journal_.switch_on(true); }

    // Single changes to a fact. Support counts its derivations (relation.hpp).
    std::pair<Row, bool> insert(PredicateId predicate, const Cell* cells, std::uint64_t hash);
    // Append a fact that was written into the room of its relation, with one derivation.
    Row append_derived(PredicateId predicate);
    void set_support(PredicateId predicate, Row row, std::uint32_t support);
    void set_birth(PredicateId predicate, Row row);
    void link(PredicateId predicate, Row row) {
        if (journal_.is_on()) {
            link_noted(predicate, row);
        } else {
            relations_[predicate]->link(row);
        }
    }
    void unlink(PredicateId predicate, Row row);

    void push() { marks_.push_back({journal_.size(), births_}); }
    void pop();
    [[nodiscard]] std::size_t marks() const { return marks_.size(); }

    [[nodiscard]] const Bounds& bounds() const { return bounds_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t estimated_bytes() const { return estimated_bytes_; }
    [[nodiscard]] std::size_t linked_count() const;
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Mark {
        std::size_t journal;
        std::uint64_t births;
    };
    // An update is recorded in the rows' headers under its epoch, so nothing has to be cleared.
    static constexpr std::uint8_t ADDED = 1, REMOVED = 2, CANCELLED = 4;
    void check_running_bounds() const;
    [[noreturn]] void refuse_more() const;
    // The predicate with the most facts, by its users' number.
    [[nodiscard]] PredicateId largest() const;
    void link_noted(PredicateId predicate, Row row);
    void note_change(PredicateId predicate, Row row, bool is_linked);
    void begin_epoch();
    std::shared_ptr<Change> changes();
    void keep_last_change();
    void roll_back(std::size_t size);
    void undo(const Journal::Entry& entry);
    void count_fact(Relation& relation, bool was_fact, bool is_fact);

    const Bounds bounds_;
    const Row most_rows_;
    Relations relations_;
    std::vector<PredicateId> ids_;      // of the users' predicates
    std::vector<PredicateId> numbers_;  // by predicate: its users' number
    std::vector<Row> fresh_from_;       // by predicate: rows from here on were appended by this update
    Journal journal_;
    std::vector<Mark> marks_;
    Mark began_{0, 0};  // the beginning of the update
    std::uint64_t births_ = 0;
    std::uint64_t count_ = 0;
    std::uint64_t estimated_bytes_ = 0;
    std::uint64_t most_facts_ = 0;  // during the update
    std::uint64_t most_bytes_ = 0;
    std::shared_ptr<Change> changing_;
    std::vector<std::int32_t> part_of_;  // by predicate: its part of the change
    std::uint16_t epoch_ = 0;
    bool has_cancelled_ = false;
    std::weak_ptr<Change> last_change_;
};

template <class Asked, class Take>
void Facts::for_each_new(Asked&& is_asked, Take&& take) const {
    for (PredicateId predicate = 0; !journal_.is_on() && predicate < relations_.size(); ++predicate) {
        for (Row row = 0; is_asked(predicate) && row < relations_[predicate]->size(); ++row) {
            if (relations_[predicate]->is_linked(row)) {
                take(predicate, row);
            }
        }
    }
    for (std::size_t place = began_.journal; place < journal_.size(); ++place) {
        const Journal::Entry entry = journal_.at(place);
        if ((entry.event == Journal::Event::LINKED || entry.event == Journal::Event::RELINKED) &&
            is_asked(entry.predicate) && relations_[entry.predicate]->is_linked(entry.row)) {
            take(entry.predicate, entry.row);
        }
    }
}

inline std::pair<Row, bool> Facts::insert(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    const auto found = relations_[predicate]->insert(cells, hash);
    if (found.second) {
        journal_.note(Journal::Event::INSERTED, predicate, found.first);
    }
    return found;
}

inline Row Facts::append_derived(PredicateId predicate) {
    Relation& relation = *relations_[predicate];
    const Row row = relation.append_room(1);
    journal_.note(Journal::Event::INSERTED, predicate, row);
    count_fact(relation, false, true);
    check_running_bounds();
    return row;
}

inline void Facts::set_support(PredicateId predicate, Row row, std::uint32_t support) {
    Relation& relation = *relations_[predicate];
    const std::uint32_t old = relation.support(row);
    if (row < fresh_from_[predicate]) {
        journal_.note(Journal::Event::SUPPORT, predicate, row, old);
    }
    relation.support(row) = support;
    count_fact(relation, old != 0, support != 0);
    if (old == 0 && support != 0 && !relation.is_hidden) {
        check_running_bounds();
    }
}

// During an update, later removals may still make room.
inline void Facts::check_running_bounds() const {
    if (count_ > most_facts_ || estimated_bytes_ > most_bytes_) {
        refuse_more();
    }
}

inline void Facts::count_fact(Relation& relation, bool was_fact, bool is_fact) {
    relation.count_facts(was_fact, is_fact);
    if (was_fact == is_fact || relation.is_hidden) {
        return;
    }
    const std::uint64_t bytes = FACT_BYTES + CELL_BYTES * relation.arity();
    if (is_fact) {
        ++count_;
        estimated_bytes_ += bytes;
    } else {
        --count_;
        estimated_bytes_ -= bytes;
    }
}

inline void Facts::set_birth(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.is_ranked()) {
        if (row < fresh_from_[predicate]) {
            journal_.note(Journal::Event::BIRTH, predicate, row, relation.birth[row]);
        }
        relation.birth[row] = ++births_;
    }
}

}  // namespace hornbook
