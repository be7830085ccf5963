// Changes to given facts and to rules, and saturation: in each stratum, facts that no longer follow are
// removed, and then new consequences are added.
#include <algorithm>

#include "run/sinks.hpp"

namespace hornbook {

Saturation::Saturation(Facts& facts, Plans& plans, Budget& budget, Profiling& profiling, std::uint32_t most_derivations)
    : facts_(facts),
      relations_(facts.relations()),
      plans_(plans),
      budget_(budget),
      profiling_(profiling),
      most_derivations_(most_derivations),
      reader_(plans.steps(), relations_, budget),
      guard_reader_(plans.steps(), relations_, budget) {}

void Saturation::begin() {
    std::size_t width = head_.size();
    for (const auto& relation : relations_) {
        width = std::max<std::size_t>(width, relation->arity() + 1);
    }
    head_.resize(width);
    found_.resize(relations_.size());
}

void Saturation::arrange() {
    strata_.clear();
    strata_.resize(plans_.dependencies().size());
}

void Saturation::fit_slots() {
    if (slots_.size() < plans_.slots()) {
        slots_.resize(plans_.slots());
    }
}

void Saturation::retract(const Group& group) {
    for (const Rows& rows : group) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            const Row row = relation.find(rows.cells.data() + place * relation.arity());
            if (row == NO_ROW || !relation.is_given(row)) {
                continue;
            }
            const std::uint32_t support = relation.support(row) & ~Relation::GIVEN;
            facts_.set_support(rows.predicate, row, support);
            if (support == 0) {
                to_delete(rows.predicate, row);
            } else if (plans_.dependencies().is_checked(rows.predicate)) {
                suspect(rows.predicate, row);
            }
        }
    }
}

void Saturation::give(const Group& group) {
    for (const Rows& rows : group) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            budget_.spend();
            const Cell* cells = rows.cells.data() + place * relation.arity();
            const Row row = facts_.insert(rows.predicate, cells, relation.hash(cells)).first;
            const std::uint32_t old = relation.support(row);
            if ((old & Relation::GIVEN) != 0) {
                continue;
            }
            facts_.set_support(rows.predicate, row, old | Relation::GIVEN);
            if (old == 0) {
                if (!relation.is_linked(row)) {
                    facts_.set_birth(rows.predicate, row);
                }
                to_add(rows.predicate, row);
            }
        }
    }
}

// Derive everything again from the given facts.
void Saturation::recompute() {
    forget();
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        Relation& relation = *relations_[predicate];
        const Row size = relation.size();
        for (Row row = 0; row < size; ++row) {
            const std::uint32_t support = relation.support(row);
            if (support == 0 && !relation.is_linked(row)) {
                continue;
            }
            budget_.spend();
            const std::uint32_t given = support & Relation::GIVEN;
            if (given != support) {
                facts_.set_support(predicate, row, given);
            }
            if (given == 0) {
                if (relation.is_linked(row)) {
                    facts_.unlink(predicate, row);
                }
                continue;
            }
            facts_.set_birth(predicate, row);
            if (!relation.is_linked(row)) {
                facts_.link(predicate, row);
            }
        }
    }
    fit_slots();
    is_appended_.assign(relations_.size(), false);
    is_anew_ = true;
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        is_appended_[predicate] = plans_.has_injective_heads(predicate) && relations_[predicate]->size() == 0;
        if (plans_.dependencies().is_checked(predicate)) {
            found_[predicate].begin(*relations_[predicate]);
        }
    }
    const View view;
    WholeSink sink(*this);
    walk(plans_.whole(), view, sink);
    flush_heads();
    for (RuleNumber number = 0; number < plans_.rules(); ++number) {
        if (plans_.rule(number).is_guarded && !plans_.is_removed(number)) {
            stratum_of(plans_.rule(number).head).whole.push_back(number);
        }
    }
}

void Saturation::give_linked(const Rows& rows, std::size_t begin, std::size_t end, const Extent* extent) {
    Relation& relation = *relations_[rows.predicate];
    const Cell* cells = rows.cells.data() + begin * relation.arity();
    budget_.spend(end - begin);
    if (extent != nullptr && relation.size() == 0 && !relation.is_ranked()) {
        relation.append_given(cells, end - begin, extent->least.data(), extent->greatest.data());
        facts_.count_given(rows.predicate, end - begin);
        return;
    }
    for (std::size_t place = begin; place < end; ++place, cells += relation.arity()) {
        const auto [row, is_new] = relation.insert(cells);
        if (is_new) {
            facts_.set_support(rows.predicate, row, Relation::GIVEN);
            facts_.set_birth(rows.predicate, row);
            relation.link(row);
        }
    }
}

void Saturation::begin_state(const Trie& trie, const std::vector<RuleNumber>& guarded,
                             const std::vector<PredicateId>& heads) {
    fit_slots();
    is_appended_.assign(relations_.size(), false);
    for (const PredicateId head : heads) {
        is_appended_[head] = plans_.has_injective_heads(head) && relations_[head]->size() == 0;
    }
    const View view;
    WholeSink sink(*this);
    walk(trie, view, sink);
    flush_heads();
    for (const RuleNumber number : guarded) {
        stratum_of(plans_.rule(number).head).whole.push_back(number);
    }
}

// Remove the instances of a rule that was removed.
void Saturation::lose_whole(RuleNumber number) {
    const Rule& rule = plans_.rule(number);
    const Conjunction& body = plans_.conjunction(number);
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

// Add the conclusions of new rules from the facts that joins see, including those that are about to be removed.
void Saturation::begin_rules(const std::vector<RuleNumber>& numbers, bool has_facts) {
    Trie batch;
    for (const RuleNumber number : numbers) {
        if (plans_.rule(number).is_guarded) {
            stratum_of(plans_.rule(number).head).whole.push_back(number);
        } else if (has_facts || std::none_of(plans_.rule(number).body.conditions.begin(), plans_.rule(number).body.conditions.end(),
                                                [](const Condition& each) { return each.kind == Kind::MATCH; })) {
            plans_.insert_whole(number, batch);
        }
    }
    batch.settle(plans_.steps());
    fit_slots();
    const View view;
    AddSink sink(*this);
    Walk walk(batch, slots_.data(), view, budget_, guard_reader_, sink);
    walk.from_root();
    flush_heads();
}

void Saturation::saturate() {
    for (std::uint32_t stratum = 0; stratum < strata_.size(); ++stratum) {
        if (strata_[stratum].is_active) {
            delete_phase(stratum);
            add_phase(stratum);
            review(stratum);
            strata_[stratum].is_active = false;
        }
    }
    forget_found();
}

// Whether a queue continues; found heads may be about to join it.
bool Saturation::has_more(const Queue& queue, std::size_t next) {
    if (next == queue.size()) {
        flush_heads();
    }
    return next < queue.size();
}

void Saturation::delete_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    heads_are_lost_ = true;
    for (;;) {
        while (has_more(stratum.to_delete, 0)) {
            const auto [predicate, row] = stratum.to_delete.back();
            budget_.spend();
            stratum.to_delete.pop_back();
            Relation& relation = *relations_[predicate];
            relation.flags(row) &= static_cast<std::uint8_t>(~Relation::TO_DELETE);
            if (relation.support(row) != 0 || !relation.is_linked(row)) {
                continue;
            }
            DeleteSink sink(*this);
            walk_from(predicate, row, stratum.to_delete.size(), sink);
            facts_.unlink(predicate, row);
            if (plans_.dependencies().is_recursive(predicate)) {
                stratum.deleted.emplace_back(predicate, row);
            }
        }
        if (stratum.suspects.empty()) {
            break;
        }
        const auto [predicate, row] = stratum.suspects.back();
        stratum.suspects.pop_back();
        Relation& relation = *relations_[predicate];
        relation.flags(row) &= static_cast<std::uint8_t>(~Relation::SUSPECT);
        if (relation.support(row) != 1 || is_proved(predicate, row, true)) {
            continue;
        }
        facts_.set_support(predicate, row, 0);
        found_[predicate].clear();
        to_delete(predicate, row);
        if (!relation.is_linked(row) && plans_.dependencies().is_recursive(predicate)) {
            stratum.deleted.emplace_back(predicate, row);
        }
    }
    heads_are_lost_ = false;
    // A fact that was deleted because its proof was circular or is removed may have another derivation.
    for (const auto& [predicate, row] : stratum.deleted) {
        if (relations_[predicate]->support(row) == 0 && is_proved(predicate, row, false)) {
            facts_.set_support(predicate, row, 1);
            facts_.set_birth(predicate, row);
            to_add(predicate, row);
        }
    }
    stratum.deleted.clear();
}

void Saturation::add_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    std::vector<RuleNumber> whole;
    whole.swap(stratum.whole);
    for (const RuleNumber rule : whole) {
        if (!plans_.is_removed(rule)) {
            read_whole(rule);
        }
    }
    constexpr std::size_t FORGOTTEN = 4096;  // the number of processed entries that may remain at the front of the
                                             // queue
    std::size_t next = 0;
    std::vector<Cell> candidates;
    while (has_more(stratum.to_add, next) || !stratum.candidates.empty()) {
        while (has_more(stratum.to_add, next)) {
            if (next > FORGOTTEN && 2 * next > stratum.to_add.size()) {
                stratum.to_add.erase(stratum.to_add.begin(), stratum.to_add.begin() + static_cast<std::ptrdiff_t>(next));
                next = 0;
            }
            next = add_run(stratum, next);
        }
        candidates.clear();
        candidates.swap(stratum.candidates);
        for (std::size_t place = 0; place < candidates.size();) {
            const Cell* one = candidates.data() + place;
            read_candidate(one);
            place += 1 + plans_.rule(static_cast<RuleNumber>(*one)).variables;
        }
    }
    stratum.to_add.clear();
}

// Link the next facts in the queue, one after the other, and find the consequences of each. If many facts of
// one predicate wait, the common parts of their walks are prepared once. Returns the new position in the
// queue.
std::size_t Saturation::add_run(Stratum& stratum, std::size_t next) {
    constexpr std::size_t FEW = 8;
    constexpr std::size_t MOST = 1024;  // the number of facts until the plans are reconsidered
    const auto begins = [&](const std::pair<PredicateId, Row>& fact) {
        Relation& relation = *relations_[fact.first];
        budget_.spend();
        relation.flags(fact.second) &= static_cast<std::uint8_t>(~Relation::TO_ADD);
        if (relation.support(fact.second) == 0 || relation.is_linked(fact.second)) {
            return false;
        }
        facts_.link(fact.first, fact.second);
        return true;
    };
    AddSink sink(*this);
    const auto [predicate, first] = stratum.to_add[next++];
    if (begins({predicate, first})) {
        walk_from(predicate, first, stratum.to_add.size() - next, sink);
    }
    const std::size_t end = std::min(next + MOST, stratum.to_add.size());
    if (end < next + FEW || plans_.is_idle(predicate)) {
        return next;
    }
    const Relation& relation = *relations_[predicate];
    const Trie& trie = plans_.delta(predicate);
    fit_slots();
    View view;
    with_walk(trie, view, sink, [&, wanted = predicate](auto& walk) {
        for (; next != end && stratum.to_add[next].first == wanted; ++next) {
            const std::pair<PredicateId, Row> fact = stratum.to_add[next];
            if (begins(fact)) {
                view.seed = fact.second;
                copy_cells(relation.cells(fact.second), relation.arity(), slots_.data());
                walk.from_root();
            }
        }
    });
    return next;
}

// Evaluate a rule with an overflow again: no instance may overflow in a finished stratum.
void Saturation::review(std::uint32_t number) {
    std::vector<RuleNumber> overflowed;
    overflowed.swap(strata_[number].overflowed);
    std::sort(overflowed.begin(), overflowed.end());
    overflowed.erase(std::unique(overflowed.begin(), overflowed.end()), overflowed.end());
    for (const RuleNumber rule : overflowed) {
        if (plans_.is_removed(rule)) {
            continue;
        }
        const Conjunction& body = plans_.conjunction(rule);
        reader_.begin(plans_.rule(rule).variables);
        reader_.view = View();
        reader_.solve(body, [&](bool is_unknown) {
            if (is_unknown) {
                throw reader_.overflow(body, rule);
            }
            return false;
        });
    }
}

// Whether some rule derives a fact; `founded`: from facts born before it.
bool Saturation::is_proved(PredicateId predicate, Row row, bool founded) {
    Relation& relation = *relations_[predicate];
    const Trie& trie = plans_.backward(predicate);
    fit_slots();
    const View view = founded ? founded_view(predicate, row) : View();
    const std::vector<Cell> fact(relation.cells(row), relation.cells(row) + relation.arity());
    std::copy(fact.begin(), fact.end(), slots_.data());
    ProofSink sink(*this, view, fact.data());
    return walk(trie, view, sink);
}

View Saturation::founded_view(PredicateId predicate, Row row) const {
    View view;
    if (plans_.dependencies().is_recursive(predicate)) {
        view.born_before = relations_[predicate]->birth[row];
        view.components = &plans_.dependencies().components();
        view.component = plans_.dependencies().component(predicate);
    }
    return view;
}

bool Saturation::has_facts_for_each(const Body& body) const {
    return std::none_of(body.conditions.begin(), body.conditions.end(), [&](const Condition& each) {
        return each.kind == Kind::MATCH && relations_[each.predicate]->linked_count() == 0;
    });
}

// Evaluate a guarded rule completely.
void Saturation::read_whole(RuleNumber number) {
    const Rule& rule = plans_.rule(number);
    if (!has_facts_for_each(rule.body)) {
        return;
    }
    const Conjunction& body = plans_.conjunction(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    read(number, body, Profile::Reading::WHOLE, [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

// Evaluate a guarded rule for a candidate whose matches hold.
void Saturation::read_candidate(const Cell* candidate) {
    const auto number = static_cast<RuleNumber>(candidate[0]);
    const Rule& rule = plans_.rule(number);
    if (plans_.is_removed(number)) {
        return;
    }
    const Conjunction& body = plans_.candidate(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    std::copy(candidate + 1, candidate + 1 + rule.variables, reader_.values.begin());
    read(number, body, Profile::Reading::CANDIDATE,
         [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

bool Saturation::take_instance(RuleNumber number, bool is_unknown) {
    const Rule& rule = plans_.rule(number);
    if (is_unknown) {
        stratum_of(rule.head).overflowed.push_back(number);
        return false;
    }
    for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
        head_[column] = value(rule.head_terms[column], reader_.values.data());
    }
    derive(rule.head, head_.data(), 0);
    return false;
}

}  // namespace hornbook
