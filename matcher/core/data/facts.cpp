#include "data/facts.hpp"

namespace hornbook {

PredicateId Facts::add_relation(const Predicate& predicate) {
    if (relations_.size() >= Journal::MOST_PREDICATES) {
        throw TooLarge{"predicates", Journal::MOST_PREDICATES};
    }
    relations_.push_back(std::make_unique<Relation>(predicate, most_rows_));
    numbers_.push_back(0);
    fresh_from_.push_back(0);
    return static_cast<PredicateId>(relations_.size() - 1);
}

void Facts::name(PredicateId id) {
    numbers_[id] = static_cast<PredicateId>(ids_.size());
    ids_.push_back(id);
}

void Facts::begin() {
    constexpr std::uint64_t NO_BOUND = std::numeric_limits<std::uint64_t>::max();
    const auto beyond = [](const std::optional<std::uint64_t>& bound, std::uint64_t used) {
        return bound && *bound < NO_BOUND - used ? *bound + used : NO_BOUND;
    };
    keep_last_change();
    began_ = {journal_.size(), births_};
    most_facts_ = beyond(bounds_.facts, count_);
    most_bytes_ = beyond(bounds_.bytes, estimated_bytes_);
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        fresh_from_[predicate] = relations_[predicate]->size();
    }
    begin_epoch();
    part_of_.assign(relations_.size(), NOTHING);
    changing_ = std::make_shared<Change>();
}

void Facts::begin_epoch() {
    has_cancelled_ = false;
    if (++epoch_ != 0) {
        return;
    }
    for (const auto& relation : relations_) {
        for (Row row = 0; row < relation->size(); ++row) {
            relation->header(row).epoch = 0;
        }
    }
    ++epoch_;
}

std::shared_ptr<Change> Facts::end() {
    std::shared_ptr<Change> change = changes();
    if (marks_.empty()) {  // nothing needs to be undone any more
        journal_.clear();
        for (const auto& relation : relations_) {
            relation->sweep();
        }
    }
    journal_.switch_on(true);
    last_change_ = change;
    return change;
}

void Facts::undo() {
    if (journal_.is_on()) {
        roll_back(began_.journal);
    } else {
        for (const auto& relation : relations_) {
            relation->clear();
        }
        count_ = 0;
        estimated_bytes_ = 0;
        journal_.switch_on(true);
    }
    births_ = began_.births;
}

void Facts::begin_state() {
    begin();
    journal_.switch_on(false);
    fresh_from_.assign(relations_.size(), 0);
}

void Facts::count_given(PredicateId predicate, std::size_t facts) {
    Relation& relation = *relations_[predicate];
    relation.count_facts(facts);
    count_ += facts;
    estimated_bytes_ += facts * (FACT_BYTES + CELL_BYTES * relation.arity());
    check_running_bounds();
}

void Facts::end_state(const std::vector<PredicateId>& predicates, const Counts& shared) {
    for (const PredicateId predicate : predicates) {
        if (relations_[predicate]->size() != 0) {
            relations_[predicate]->reset();
        }
    }
    journal_.clear();
    count_ = shared.facts;
    estimated_bytes_ = shared.bytes;
    births_ = shared.births;
}

PredicateId Facts::largest() const {
    PredicateId found = 0;
    Row most = 0;
    for (PredicateId id = 0; id < relations_.size(); ++id) {
        // Rows that are not linked yet count as well.
        if (!relations_[id]->is_hidden && relations_[id]->size() > most) {
            most = relations_[id]->size();
            found = number_of(id);
        }
    }
    return found;
}

void Facts::check_bounds() const {
    if (bounds_.facts && count_ > *bounds_.facts) {
        throw TooManyFacts{largest()};
    }
    if (bounds_.bytes && estimated_bytes_ > *bounds_.bytes) {
        throw TooManyBytes();
    }
}

void Facts::pop() {
    keep_last_change();
    roll_back(marks_.back().journal);
    births_ = marks_.back().births;
    marks_.pop_back();
}

void Facts::refuse_more() const {
    if (count_ > most_facts_) {
        throw TooManyFacts{largest()};
    }
    throw TooManyBytes();
}

void Facts::link_noted(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if ((relation.flags(row) & Relation::WAS_UNLINKED) != 0) {
        const auto indexes = static_cast<std::uint32_t>(relation.indexes());
        for (std::uint32_t index = 0; index < indexes; ++index) {
            journal_.keep(relation.neighbours(index, row));
        }
        journal_.note(Journal::Event::RELINKED, predicate, row, indexes);
    } else {
        journal_.note(Journal::Event::LINKED, predicate, row);
    }
    relation.link(row);
    note_change(predicate, row, true);
}

void Facts::unlink(PredicateId predicate, Row row) {
    journal_.note(Journal::Event::UNLINKED, predicate, row);
    relations_[predicate]->unlink(row);
    note_change(predicate, row, false);
}

// Record the effect of the update on a row that is linked or unlinked now; often the effects cancel out.
void Facts::note_change(PredicateId predicate, Row row, bool is_linked) {
    Relation& relation = *relations_[predicate];
    if (!journal_.is_on() || relation.is_hidden) {
        return;
    }
    Relation::Header& header = relation.header(row);
    if (header.epoch == epoch_) {
        header.change ^= CANCELLED;
        has_cancelled_ = true;
        return;
    }
    header.epoch = epoch_;
    header.change = is_linked ? ADDED : REMOVED;
    std::int32_t& place = part_of_[predicate];
    if (place == NOTHING) {
        place = static_cast<std::int32_t>(changing_->parts.size());
        changing_->parts.push_back({predicate, number_of(predicate), false, 0, {}, {}, {}, {}, relation.arity()});
    }
    Change::Part& part = changing_->parts[static_cast<std::size_t>(place)];
    (is_linked ? part.added : part.removed).push_back(row);
}

std::shared_ptr<Change> Facts::changes() {
    if (!journal_.is_on()) {
        for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
            if (const std::size_t count = relations_[predicate]->linked_count();
                count != 0 && !relations_[predicate]->is_hidden) {
                changing_->parts.push_back({predicate, number_of(predicate), true, count, {}, {}, {}, {}, relations_[predicate]->arity()});
            }
        }
    }
    for (Change::Part& part : changing_->parts) {
        for (std::vector<Row>* rows : {&part.added, &part.removed}) {
            if (has_cancelled_) {
                std::erase_if(*rows, [&](Row row) {
                    return (relations_[part.predicate]->header(row).change & CANCELLED) != 0;
                });
            }
        }
        part.added_count = part.has_all ? part.added_count : part.added.size();
    }
    return std::move(changing_);
}

void Facts::roll_back(std::size_t size) {
    while (journal_.size() > size) {
        undo(journal_.take_last());
    }
}

void Facts::undo(const Journal::Entry& entry) {
    Relation& relation = *relations_[entry.predicate];
    switch (entry.event) {
        case Journal::Event::INSERTED:
            count_fact(relation, relation.support(entry.row) != 0, false);
            relation.support(entry.row) = 0;
            relation.take_back(entry.row);
            break;
        case Journal::Event::LINKED: relation.unlink(entry.row); break;
        case Journal::Event::RELINKED: {
            relation.unlink(entry.row);
            const auto kept = static_cast<std::uint32_t>(entry.old);
            for (std::uint32_t index = kept; index < relation.indexes(); ++index) {
                relation.remember(index, entry.row, Index::NO_NEIGHBOURS);
            }
            for (std::uint32_t index = kept; index-- > 0;) {
                relation.remember(index, entry.row, journal_.take_kept());
            }
            break;
        }
        case Journal::Event::UNLINKED: relation.undo_unlink(entry.row); break;
        case Journal::Event::SUPPORT:
            count_fact(relation, relation.support(entry.row) != 0, entry.old != 0);
            relation.support(entry.row) = static_cast<std::uint32_t>(entry.old);
            break;
        case Journal::Event::BIRTH: relation.birth[entry.row] = entry.old; break;
    }
}

// Copy cells before they change if the last update's changes are still referenced.
void Facts::keep_last_change() {
    if (const std::shared_ptr<Change> change = last_change_.lock()) {
        change->copy(relations_);
    }
    last_change_.reset();
}

void Change::copy(const Relations& relations) {
    if (is_copied()) {
        return;
    }
    for (Part& part : parts) {
        const Relation& relation = *relations[part.predicate];
        for (Row row = 0; part.has_all && row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                part.added_cells.insert(part.added_cells.end(), relation.cells(row), relation.cells(row) + relation.arity());
            }
        }
        for (const auto& [rows, cells] : {std::pair(&part.added, &part.added_cells), std::pair(&part.removed, &part.removed_cells)}) {
            cells->reserve(rows->size() * relation.arity());
            for (const Row row : *rows) {
                cells->insert(cells->end(), relation.cells(row), relation.cells(row) + relation.arity());
            }
        }
    }
    is_copied_.store(true, std::memory_order_release);
}

std::size_t Facts::linked_count() const {
    std::size_t linked = 0;
    for (const auto& relation : relations_) {
        linked += relation->linked_count();
    }
    return linked;
}

std::size_t Facts::bytes() const {
    std::size_t bytes = journal_.bytes();
    for (const auto& relation : relations_) {
        bytes += relation->bytes();
    }
    return bytes;
}

}  // namespace hornbook
