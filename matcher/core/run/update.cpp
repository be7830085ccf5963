// Updates: given facts and rules change, strata are finished one after the other, and on a fault all is undone.
#include <algorithm>

#include "run/sinks.hpp"

namespace hornbook {

void Clock::begin(std::optional<double> seconds) {
    is_running_ = true;
    deadline_.reset();
    // What is longer than anybody waits may lie beyond the clock's range.
    constexpr double FOR_EVER = 1e9;
    if (seconds && *seconds < FOR_EVER) {
        deadline_ = Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(*seconds));
    }
}

void Clock::check() {
    if (!is_running_) {
        return;
    }
    if (deadline_ && Time::now() > *deadline_) {
        throw TooManySeconds();
    }
    if (is_interrupted && is_interrupted()) {
        throw Interrupted();
    }
}

std::shared_ptr<Change> Engine::update(Update&& update, std::vector<RuleNumber>& numbers) {
    keep_last_change();
    clock.begin(bounds_.seconds);
    const Profile::Run run(is_counted_ ? profile_.get() : nullptr);
    const std::size_t begin = journal_.size();
    const std::uint64_t births = births_;
    constexpr std::uint64_t NO_BOUND = std::numeric_limits<std::uint64_t>::max();
    const auto beyond = [](const std::optional<std::uint64_t>& bound, std::uint64_t used) {
        return bound && *bound < NO_BOUND - used ? *bound + used : NO_BOUND;
    };
    most_facts_ = beyond(bounds_.facts, facts_);
    most_bytes_ = beyond(bounds_.bytes, estimated_bytes_);
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        fresh_from_[predicate] = relations_[predicate]->size();
    }
    needs_recompute_ = false;
    begin_changes();
    std::vector<RuleNumber> removed;
    try {
        for (const RuleNumber number : with_helpers(update.remove_rules)) {
            remove_rule(number);
            removed.push_back(number);
        }
        add_rules(std::move(update.add_rules), numbers);
        whole_.settle(steps_, is_counted_);
        arrange();
        std::size_t changes = 0;
        for (const auto* rows : {&update.add, &update.retract}) {
            for (const Rows& each : *rows) {
                changes += each.count;
            }
        }
        std::size_t linked = 0;
        for (const auto& relation : relations_) {
            linked += relation->linked_count();
        }
        // Where most facts change, nearly everything is found anew in any case.
        needs_recompute_ = needs_recompute_ || 2 * changes > linked;
        journal_.switch_on(facts_ != 0 || !marks_.empty());
        if (!needs_recompute_) {
            for (const RuleNumber number : removed) {
                lose_whole(number);
            }
            begin_rules(with_helpers(numbers), linked != 0);
        }
        change_given(update);
        if (needs_recompute_) {
            recompute();
        }
        saturate();
        check_promises(begin);
        if ((bounds_.facts && facts_ > *bounds_.facts)) {
            throw TooManyFacts();
        }
        if (bounds_.bytes && estimated_bytes_ > *bounds_.bytes) {
            throw TooManyBytes();
        }
    } catch (...) {
        forget_queues();
        if (journal_.is_on()) {
            roll_back(begin);
        } else {
            for (const auto& relation : relations_) {
                relation->clear();
            }
            facts_ = 0;
            estimated_bytes_ = 0;
            journal_.switch_on(true);
        }
        births_ = births;
        for (const RuleNumber number : removed) {
            restore_rule(number);
        }
        for (const RuleNumber number : with_helpers(numbers)) {
            discard_rule(number);
        }
        dependencies_.arrange(relations_.size());
        strata_.clear();
        strata_.resize(dependencies_.size());
        throw;
    }
    clock.end();  // what follows keeps the engine whole
    std::shared_ptr<Change> change = changes();
    commit();
    for (const RuleNumber number : removed) {
        drop_rule(number);
    }
    rebuild_tries();
    journal_.switch_on(true);
    last_change_ = change;
    return change;
}

// Given facts that come and go: what is both retracted and added is given afterwards.
void Engine::change_given(const Update& update) {
    for (const Rows& rows : update.retract) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            const Row row = relation.find(rows.cells.data() + place * relation.arity());
            if (row == NO_ROW || !relation.is_given(row)) {
                continue;
            }
            const std::uint32_t support = relation.support(row) & ~Relation::GIVEN;
            set_support(rows.predicate, row, support);
            if (support == 0) {
                to_delete(rows.predicate, row);
            } else if (dependencies_.is_checked(rows.predicate)) {
                suspect(rows.predicate, row);
            }
        }
    }
    for (const Rows& rows : update.add) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            clock.spend();
            const auto [row, is_new] = relation.insert(rows.cells.data() + place * relation.arity());
            if (is_new) {
                journal_.note(Journal::Event::INSERTED, rows.predicate, row);
            }
            const std::uint32_t old = relation.support(row);
            if ((old & Relation::GIVEN) != 0) {
                continue;
            }
            set_support(rows.predicate, row, old | Relation::GIVEN);
            if (old == 0) {
                if (!relation.is_linked(row)) {
                    set_birth(rows.predicate, row);
                }
                to_add(rows.predicate, row);
            }
        }
    }
}

// Everything that is derived is found anew from the given facts.
void Engine::recompute() {
    forget_queues();
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        Relation& relation = *relations_[predicate];
        const Row size = relation.size();
        for (Row row = 0; row < size; ++row) {
            const std::uint32_t support = relation.support(row);
            if (support == 0 && !relation.is_linked(row)) {
                continue;
            }
            clock.spend();
            const std::uint32_t given = support & Relation::GIVEN;
            if (given != support) {
                set_support(predicate, row, given);
            }
            if (given == 0) {
                if (relation.is_linked(row)) {
                    unlink(predicate, row);
                }
                continue;
            }
            set_birth(predicate, row);
            if (!relation.is_linked(row)) {
                link(predicate, row);
            }
        }
    }
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    is_appended_.assign(relations_.size(), false);
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        is_appended_[predicate] = namings_[predicate].holds && relations_[predicate]->size() == 0;
    }
    const View view;
    WholeSink sink(*this);
    walk(whole_, view, sink);
    flush_heads();
    for (RuleNumber number = 0; number < rules_.size(); ++number) {
        if (rules_[number]->is_guarded && is_removed_[number] == 0) {
            stratum_of(rules_[number]->head).whole.push_back(number);
        }
    }
}

// Rules that come and go

void Engine::remove_rule(RuleNumber number) {
    is_removed_[number] = 1;
    dependencies_.remove(*rules_[number]);
}

void Engine::restore_rule(RuleNumber number) {
    is_removed_[number] = 0;
    dependencies_.add(*rules_[number]);
}

// A rule that is gone for good; its terminals stay in the tries until these are made anew.
void Engine::drop_rule(RuleNumber number) {
    guarded_.erase(number);
    conjunctions_.erase(number);
    proofs_.erase(number);
    if (relations_[rules_[number]->head]->is_hidden) {
        spare_.push_back(rules_[number]->head);
    }
    rules_[number] = std::make_unique<Rule>();
    is_removed_[number] = 1;
    rules_[number]->is_gone = true;
    ++dead_rules_;
}

void Engine::discard_rule(RuleNumber number) {
    dependencies_.remove(*rules_[number]);
    drop_rule(number);
}

// What a rule that was removed derived has one instance less.
void Engine::lose_whole(RuleNumber number) {
    const Rule& rule = *rules_[number];
    const Conjunction& body = conjunction(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    reader_.solve(body, [&](bool is_unknown) {
        if (!is_unknown) {
            for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
                head_[column] = value(rule.head_terms[column], reader_.values.data());
            }
            lose(rule.head, head_.data(), 0);
        }
        return false;
    });
}

// What new rules derive from the facts that joins see, those among them that are about to go too.
void Engine::begin_rules(const std::vector<RuleNumber>& numbers, bool has_facts) {
    Trie batch;
    for (const RuleNumber number : numbers) {
        if (rules_[number]->is_guarded) {
            stratum_of(rules_[number]->head).whole.push_back(number);
        } else if (has_facts || std::none_of(rules_[number]->body.conditions.begin(), rules_[number]->body.conditions.end(),
                                                [](const Condition& each) { return each.kind == Kind::MATCH; })) {
            insert_whole(number, batch);
        }
    }
    batch.settle(steps_);
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    const View view;
    AddSink sink(*this);
    Walk walk(batch, slots_.data(), view, clock, guard_reader_, sink);
    walk.from_root();
    flush_heads();
}

}  // namespace hornbook
