// What an update did, for who asks; and how all of it is undone.
#include "run/engine.hpp"

namespace hornbook {

// What the update does to a row that is linked or unlinked now; often nothing is left of it at the end.
void Engine::note_change(PredicateId predicate, Row row, bool is_linked) {
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

void Engine::begin_changes() {
    if (++epoch_ == 0) {
        for (const auto& relation : relations_) {
            for (Row row = 0; row < relation->size(); ++row) {
                relation->header(row).epoch = 0;
            }
        }
        ++epoch_;
    }
    has_cancelled_ = false;
    part_of_.assign(relations_.size(), NOTHING);
    changing_ = std::make_shared<Change>();
}

std::shared_ptr<Change> Engine::changes() {
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

// Without a mark nothing need be undone any more.
void Engine::commit() {
    if (marks_.empty()) {
        journal_.clear();
        for (const auto& relation : relations_) {
            relation->sweep();
        }
    }
}

void Engine::roll_back(std::size_t size) {
    while (journal_.size() > size) {
        const Journal::Entry entry = journal_.take_last();
        Relation& relation = *relations_[entry.predicate];
        const auto count = [&](bool was_fact, bool is_fact) {
            const std::uint64_t bytes = FACT_BYTES + CELL_BYTES * relation.arity();
            relation.count_facts(was_fact, is_fact);
            if (relation.is_hidden) {
                return;
            }
            if (was_fact && !is_fact) {
                --facts_;
                estimated_bytes_ -= bytes;
            } else if (!was_fact && is_fact) {
                ++facts_;
                estimated_bytes_ += bytes;
            }
        };
        switch (entry.event) {
            case Journal::Event::INSERTED:
                count(relation.support(entry.row) != 0, false);
                relation.support(entry.row) = 0;
                relation.take_back(entry.row);
                break;
            case Journal::Event::LINKED: relation.unlink(entry.row); break;
            case Journal::Event::RELINKED: {
                relation.unlink(entry.row);
                const auto kept = static_cast<std::uint32_t>(entry.old);
                for (std::uint32_t index = kept; index < relation.indexes(); ++index) {
                    relation.index(index).remember(entry.row, Index::NO_NEIGHBOURS);
                }
                for (std::uint32_t index = kept; index-- > 0;) {
                    relation.index(index).remember(entry.row, journal_.take_kept());
                }
                break;
            }
            case Journal::Event::UNLINKED: relation.undo_unlink(entry.row); break;
            case Journal::Event::SUPPORT:
                count(relation.support(entry.row) != 0, entry.old != 0);
                relation.support(entry.row) = static_cast<std::uint32_t>(entry.old);
                break;
            case Journal::Event::BIRTH: relation.birth[entry.row] = entry.old; break;
        }
    }
}

// Cells are copied before they change, where somebody still holds what the last update did.
void Engine::keep_last_change() {
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

void Engine::forget_queues() {
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
}

void Engine::push() { marks_.push_back({journal_.size(), births_}); }

void Engine::pop() {
    keep_last_change();
    roll_back(marks_.back().journal);
    births_ = marks_.back().births;
    marks_.pop_back();
}

}  // namespace hornbook
