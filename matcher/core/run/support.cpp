// Single changes to facts, each noted in the journal, and the queues that they fill: what is to be linked, unlinked,
// or proved anew.
#include <algorithm>

#include "run/engine.hpp"

namespace hornbook {

void Engine::set_support(PredicateId predicate, Row row, std::uint32_t support) {
    Relation& relation = *relations_[predicate];
    const std::uint32_t old = relation.support(row);
    if (row < fresh_from_[predicate]) {
        journal_.note(Journal::Event::SUPPORT, predicate, row, old);
    }
    relation.support(row) = support;
    relation.count_facts(old != 0, support != 0);
    if ((old == 0) != (support == 0) && !relation.is_hidden) {
        const std::uint64_t bytes = FACT_BYTES + CELL_BYTES * relation.arity();
        if (old == 0) {
            estimated_bytes_ += bytes;
            if (++facts_ > most_facts_) {
                throw TooManyFacts();
            }
            if (estimated_bytes_ > most_bytes_) {
                throw TooManyBytes();
            }
        } else {
            estimated_bytes_ -= bytes;
            --facts_;
        }
    }
}

void Engine::set_birth(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.is_ranked()) {
        if (row < fresh_from_[predicate]) {
            journal_.note(Journal::Event::BIRTH, predicate, row, relation.birth[row]);
        }
        relation.birth[row] = ++births_;
    }
}

void Engine::link(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (journal_.is_on() && (relation.flags(row) & Relation::WAS_UNLINKED) != 0) {
        const auto indexes = static_cast<std::uint32_t>(relation.indexes());
        for (std::uint32_t index = 0; index < indexes; ++index) {
            journal_.keep(relation.index(index).neighbours(row));
        }
        journal_.note(Journal::Event::RELINKED, predicate, row, indexes);
    } else {
        journal_.note(Journal::Event::LINKED, predicate, row);
    }
    relation.link(row);
    note_change(predicate, row, true);
}

void Engine::unlink(PredicateId predicate, Row row) {
    journal_.note(Journal::Event::UNLINKED, predicate, row);
    relations_[predicate]->unlink(row);
    note_change(predicate, row, false);
}

Engine::Stratum& Engine::stratum_of(PredicateId predicate) {
    Stratum& stratum = strata_[dependencies_.component(predicate)];
    stratum.is_active = true;
    return stratum;
}

void Engine::to_add(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & (Relation::TO_ADD | Relation::LINKED)) == 0) {
        flags |= Relation::TO_ADD;
        stratum_of(predicate).to_add.emplace_back(predicate, row);
    }
}

void Engine::to_delete(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & Relation::TO_DELETE) == 0 && (flags & Relation::LINKED) != 0) {
        flags |= Relation::TO_DELETE;
        stratum_of(predicate).to_delete.emplace_back(predicate, row);
    }
}

void Engine::suspect(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.support(row) == 1 && (relation.flags(row) & Relation::SUSPECT) == 0) {
        relation.flags(row) |= Relation::SUSPECT;
        stratum_of(predicate).suspects.emplace_back(predicate, row);
    }
}

// The conditions of a guarded rule may no longer hold: whatever it may have concluded is to be proved anew.
void Engine::suspect_heads(const Terminal& terminal, const Cell* slots) {
    Relation& relation = *relations_[terminal.predicate];
    const std::vector<Term>& head = projections_[terminal.head];
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
    const auto doubt = [&](Row row) {
        clock.spend();
        for (std::size_t place = 0; place < columns.size(); ++place) {
            if (relation.cells(row)[columns[place]] != key[place]) {
                return;
            }
        }
        suspect(terminal.predicate, row);
    };
    const Index& index = relation.index(relation.index_on(columns));
    for (Row row = index.first(key.data()); row != NO_ROW; row = index.next(row)) {
        doubt(row);
    }
    for (const auto& [predicate, row] : stratum_of(terminal.predicate).to_add) {  // no index has these yet
        if (predicate == terminal.predicate) {
            doubt(row);
        }
    }
}

void Engine::candidate(RuleNumber number, const std::vector<Term>& binding, const Cell* slots) {
    Stratum& stratum = stratum_of(rules_[number]->head);
    if (std::find(stratum.whole.begin(), stratum.whole.end(), number) != stratum.whole.end()) {
        return;  // it will be read from the beginning
    }
    stratum.candidates.push_back(number);
    for (const Term& term : binding) {
        stratum.candidates.push_back(term.kind == Term::Kind::NONE ? 0 : value(term, slots));
    }
}

void Engine::overflowed(const Code& code, std::uint32_t place) {
    for (std::uint32_t below = place; below != code[place].end; ++below) {
        const Op& op = code[below];
        for (std::uint32_t number = op.terminal; number != op.terminal + op.terminals; ++number) {
            const RuleNumber rule = code.terminal(number).rule;
            if (!is_removed_[rule]) {
                std::vector<RuleNumber>& overflowed = stratum_of(rules_[rule]->head).overflowed;
                if (std::find(overflowed.begin(), overflowed.end(), rule) == overflowed.end()) {
                    overflowed.push_back(rule);
                }
            }
        }
    }
}

void Engine::find_head(const Terminal& terminal, const Cell* slots) {
    constexpr std::size_t MOST = 128;
    const auto first = static_cast<std::uint32_t>(heads_cells_.size());
    const PredicateId predicate = terminal.predicate;
    for (const Term& term : projections_[terminal.head]) {
        heads_cells_.push_back(value(term, slots));
    }
    if (terminal.constant_column != NOTHING) {
        heads_cells_[first + static_cast<std::uint32_t>(terminal.constant_column)] = terminal.constant;
    }
    const Cell* cells = heads_cells_.data() + first;
    const Relation& relation = *relations_[predicate];
    const std::uint64_t hash = relation.hash(cells);
    relation.prefetch_slot(cells, hash);
    heads_.push_back({predicate, first, hash});
    if (heads_.size() == MOST) {
        flush_heads();
    }
}

// A head that no other instance has, and no fact so far.
void Engine::append_head(const Terminal& terminal, const Cell* slots) {
    Cell* cell = head_.data();
    for (const Term& term : projections_[terminal.head]) {
        *cell++ = value(term, slots);
    }
    if (terminal.constant_column != NOTHING) {
        head_[static_cast<std::size_t>(terminal.constant_column)] = terminal.constant;
    }
    const Row row = relations_[terminal.predicate]->append(head_.data());
    journal_.note(Journal::Event::INSERTED, terminal.predicate, row);
    set_support(terminal.predicate, row, 1);
    begin_fact(terminal.predicate, row);
}

void Engine::flush_heads() {
    if (is_counted_ && !heads_.empty()) {
        const Profile::Timed timed(*profile_, profile_->storing);
        store_heads();
    } else {
        store_heads();
    }
}

void Engine::store_heads() {
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

// One more instance derives a fact.
void Engine::derive(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const auto [row, is_new] = relation.insert(cells, hash);
    const bool is_checked = dependencies_.is_checked(predicate);
    if (is_new) {
        journal_.note(Journal::Event::INSERTED, predicate, row);
    } else if (is_checked && (relation.support(row) & ~Relation::GIVEN) != 0) {
        return;
    }
    const std::uint32_t old = relation.support(row);
    if (old == 0 && relation.is_linked(row) && dependencies_.is_recursive(predicate)) {
        // It is about to be deleted, and may be a premise of this instance itself. Whether it follows all the
        // same is asked once it is gone.
        return;
    }
    if ((old & ~Relation::GIVEN) == capacity_.derivations) {
        throw TooLarge{"derivations of one fact", capacity_.derivations};
    }
    set_support(predicate, row, old + 1);
    if (old == 0) {
        begin_fact(predicate, row);
    }
}

void Engine::begin_fact(PredicateId predicate, Row row) {
    set_birth(predicate, row);
    if (!reading_[predicate].empty()) {
        to_add(predicate, row);
    } else if (!relations_[predicate]->is_linked(row)) {  // nobody waits for it
        link(predicate, row);
    }
}

// One instance less derives a fact.
void Engine::lose(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const Row row = relation.find(cells, hash);
    if (row == NO_ROW || (relation.support(row) & ~Relation::GIVEN) == 0) {
        return;
    }
    if (dependencies_.is_checked(predicate)) {
        suspect(predicate, row);
        return;
    }
    const std::uint32_t support = relation.support(row) - 1;
    set_support(predicate, row, support);
    if (support == 0 && !reading_[predicate].empty()) {
        to_delete(predicate, row);
    } else if (support == 0 && relation.is_linked(row)) {
        unlink(predicate, row);
    }
}

}  // namespace hornbook
