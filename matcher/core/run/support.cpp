// The results of walks: heads to derive or to lose, and the queues of facts to link, unlink or prove again.
//
// The *support* of a fact is counted or checked (run/saturation.hpp), with a separate bit for a given fact
// (Relation::GIVEN). A fact without support no longer follows. A *linked* fact is visible to joins.
#include <algorithm>

#include "run/saturation.hpp"

namespace hornbook {

Saturation::Stratum& Saturation::stratum_of(PredicateId predicate) {
    Stratum& stratum = strata_[plans_.dependencies().component(predicate)];
    stratum.is_active = true;
    return stratum;
}

// Queue a fact with support that is not linked yet.
void Saturation::to_add(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & (Relation::TO_ADD | Relation::LINKED)) == 0) {
        flags |= Relation::TO_ADD;
        stratum_of(predicate).to_add.emplace_back(predicate, row);
    }
}

// Queue a linked fact that has lost its support.
void Saturation::to_delete(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & Relation::TO_DELETE) == 0 && (flags & Relation::LINKED) != 0) {
        flags |= Relation::TO_DELETE;
        stratum_of(predicate).to_delete.emplace_back(predicate, row);
    }
}

// Queue a derived fact with checked support, which must be proved again. Given facts need no proof.
void Saturation::suspect(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.support(row) == 1 && (relation.flags(row) & Relation::SUSPECT) == 0) {
        relation.flags(row) |= Relation::SUSPECT;
        stratum_of(predicate).suspects.emplace_back(predicate, row);
    }
}

// The conditions of a guarded rule may no longer hold: its possible conclusions must be proved again.
void Saturation::suspect_heads(const Terminal& terminal, const Cell* slots) {
    Relation& relation = *relations_[terminal.predicate];
    const std::vector<Term>& head = plans_.projections()[terminal.head];
    std::vector<std::uint32_t> columns;
    std::vector<Cell> key;
    for (std::uint32_t column = 0; column < head.size(); ++column) {
        if (static_cast<std::int32_t>(column) == terminal.constant_column) {
            columns.push_back(column);
            key.push_back(terminal.constant);
        } else if (head[column].kind != Term::Kind::NONE) {
            columns.push_back(column);
            key.push_back(value(head[column], slots));
        }
    }
    if (columns.size() == head.size()) {
        const Row row = relation.find(key.data());
        if (row != NO_ROW) {
            suspect(terminal.predicate, row);
        }
        return;
    }
    const auto suspect_if_equal = [&](Row row) {
        budget_.spend();
        for (std::size_t place = 0; place < columns.size(); ++place) {
            if (relation.cells(row)[columns[place]] != key[place]) {
                return;
            }
        }
        suspect(terminal.predicate, row);
    };
    relation.each_with(relation.index_on(columns), key.data(), [&](Row row) {
        budget_.spend();
        suspect(terminal.predicate, row);
        return false;
    });
    for (const auto& [predicate, row] : stratum_of(terminal.predicate).to_add) {  // no index contains these yet
        if (predicate == terminal.predicate) {
            suspect_if_equal(row);
        }
    }
}

// Queue an instance of a guarded rule whose guards are still to be evaluated. `binding`: the terms with the values of
// its variables.
void Saturation::candidate(RuleNumber number, const std::vector<Term>& binding, const Cell* slots) {
    Stratum& stratum = stratum_of(plans_.rule(number).head);
    if (std::find(stratum.whole.begin(), stratum.whole.end(), number) != stratum.whole.end()) {
        return;  // it will be evaluated completely
    }
    stratum.candidates.push_back(number);
    for (const Term& term : binding) {
        stratum.candidates.push_back(term.kind == Term::Kind::NONE ? 0 : value(term, slots));
    }
}

// Record the rules that end below a place of a code, since arithmetic there has left 64 bits.
void Saturation::overflowed(const Code& code, std::uint32_t place) {
    for (std::uint32_t below = place; below != code[place].end; ++below) {
        const Op& op = code[below];
        for (std::uint32_t number = op.terminal; number != op.terminal + op.terminals; ++number) {
            const RuleNumber rule = code.terminal(number).rule;
            if (!plans_.is_removed(rule)) {
                std::vector<RuleNumber>& overflowed = stratum_of(plans_.rule(rule).head).overflowed;
                if (std::find(overflowed.begin(), overflowed.end(), rule) == overflowed.end()) {
                    overflowed.push_back(rule);
                }
            }
        }
    }
}

// Project the slots to a head.
void Saturation::take_head(const Terminal& terminal, const Cell* slots, Cell* head) const {
    Cell* cell = head;
    for (const Term& term : plans_.projections()[terminal.head]) {
        *cell++ = value(term, slots);
    }
    if (terminal.constant_column != NOTHING) {
        head[static_cast<std::size_t>(terminal.constant_column)] = terminal.constant;
    }
}

// Take the head of an instance. It is stored later, together with others, unless it is certainly known or new.
void Saturation::find_head(const Terminal& terminal, const Cell* slots) {
    constexpr std::size_t MOST = 128;
    const PredicateId predicate = terminal.predicate;
    Relation& relation = *relations_[predicate];
    Cell* head = relation.room();
    take_head(terminal, slots, head);
    if (FoundFacts& found = found_[predicate]; found.is_on() && !heads_are_lost_) {
        const FoundFacts::Added added = found.add(head);
        if (added == FoundFacts::Added::AGAIN) {
            return;
        }
        if (added == FoundFacts::Added::NEW && found.has_all()) {
            append_fact(predicate);
            return;
        }
    }
    const auto first = static_cast<std::uint32_t>(heads_cells_.size());
    heads_cells_.insert(heads_cells_.end(), head, head + relation.arity());
    const std::uint64_t hash = relation.hash(head);
    relation.prefetch_slot(head, hash);
    heads_.push_back({predicate, first, hash});
    if (heads_.size() == MOST) {
        flush_heads();
    }
}

// Append a head that no other instance and no existing fact has.
void Saturation::append_head(const Terminal& terminal, const Cell* slots) {
    take_head(terminal, slots, relations_[terminal.predicate]->room());
    append_fact(terminal.predicate);
}

void Saturation::append_fact(PredicateId predicate) { begin_fact(predicate, facts_.append_derived(predicate)); }

// Store the collected heads, measured on request.
void Saturation::flush_heads() {
    if (profiling_.is_on && !heads_.empty()) {
        const Profile::Timed timed(*profiling_.profile, profiling_.profile->storing);
        store_heads();
    } else {
        store_heads();
    }
}

void Saturation::store_heads() {
    for (const FoundHead& each : heads_) {
        relations_[each.predicate]->prefetch_row(heads_cells_.data() + each.first, each.hash);
    }
    for (const FoundHead& each : heads_) {
        const Cell* cells = heads_cells_.data() + each.first;
        if (heads_are_lost_) {
            lose(each.predicate, cells, each.hash);
        } else {
            derive(each.predicate, cells, each.hash);
        }
    }
    heads_.clear();
    heads_cells_.clear();
}

// Add one instance that derives a fact.
void Saturation::derive(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const auto [row, is_new] = facts_.insert(predicate, cells, hash);
    const bool is_checked = plans_.dependencies().is_checked(predicate);
    if (!is_new && is_checked && (relation.support(row) & ~Relation::GIVEN) != 0) {
        return;
    }
    const std::uint32_t old = relation.support(row);
    if (old == 0 && relation.is_linked(row) && plans_.dependencies().is_recursive(predicate)) {
        // It is about to be deleted, and may be a premise of this instance itself. Whether it has another
        // derivation is decided after its removal.
        return;
    }
    if ((old & ~Relation::GIVEN) == most_derivations_) {
        throw TooLarge{"derivations of one fact", most_derivations_};
    }
    facts_.set_support(predicate, row, old + 1);
    if (FoundFacts& found = found_[predicate]; found.is_on()) {
        if (found.add(cells) == FoundFacts::Added::BEYOND && found.is_outgrown(relation)) {
            found.fit(relation);
        }
    }
    if (old == 0) {
        begin_fact(predicate, row);
    }
}

// A fact has its first support: it is queued for joins, or linked at once if no rule reads it.
void Saturation::begin_fact(PredicateId predicate, Row row) {
    facts_.set_birth(predicate, row);
    if (plans_.is_read(predicate)) {
        to_add(predicate, row);
    } else if (!relations_[predicate]->is_linked(row)) {  // no entry waits for it
        facts_.link(predicate, row);
    }
}

// Remove one instance that derives a fact.
void Saturation::lose(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const Row row = relation.find(cells, hash);
    if (row == NO_ROW || (relation.support(row) & ~Relation::GIVEN) == 0) {
        return;
    }
    if (plans_.dependencies().is_checked(predicate)) {
        suspect(predicate, row);
        return;
    }
    const std::uint32_t support = relation.support(row) - 1;
    facts_.set_support(predicate, row, support);
    if (support == 0 && plans_.is_read(predicate)) {
        to_delete(predicate, row);
    } else if (support == 0 && relation.is_linked(row)) {
        facts_.unlink(predicate, row);
    }
}

// Clear the collected heads and all queues, with the flags of their facts.
void Saturation::forget() {
    heads_.clear();
    heads_cells_.clear();
    heads_are_lost_ = false;
    constexpr std::uint8_t QUEUED = Relation::TO_ADD | Relation::TO_DELETE | Relation::SUSPECT;
    for (Stratum& stratum : strata_) {
        for (const auto* queue : {&stratum.to_add, &stratum.to_delete, &stratum.suspects}) {
            for (const auto& [predicate, row] : *queue) {
                relations_[predicate]->flags(row) &= static_cast<std::uint8_t>(~QUEUED);
            }
        }
        stratum = Stratum();
    }
    forget_found();
}

// Clear the facts found during a complete derivation.
void Saturation::forget_found() {
    for (std::size_t predicate = 0; is_anew_ && predicate < found_.size(); ++predicate) {
        found_[predicate].clear();
    }
    is_anew_ = false;
}

}  // namespace hornbook
