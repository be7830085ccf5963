// Saturation: stratum after stratum, what no longer follows is taken away, and then what follows now is added.
#include <algorithm>

#include "run/sinks.hpp"

namespace hornbook {

void Engine::saturate() {
    for (std::uint32_t stratum = 0; stratum < strata_.size(); ++stratum) {
        if (strata_[stratum].is_active) {
            delete_phase(stratum);
            add_phase(stratum);
            review(stratum);
            strata_[stratum].is_active = false;
        }
    }
}

// Whether a queue goes on; heads that were found may be about to join it.
bool Engine::has_more(const Queue& queue, std::size_t next) {
    if (next == queue.size()) {
        flush_heads();
    }
    return next < queue.size();
}

void Engine::delete_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    heads_are_lost_ = true;
    for (;;) {
        while (has_more(stratum.to_delete, 0)) {
            const auto [predicate, row] = stratum.to_delete.back();
            clock.spend();
            stratum.to_delete.pop_back();
            Relation& relation = *relations_[predicate];
            relation.flags(row) &= static_cast<std::uint8_t>(~Relation::TO_DELETE);
            if (relation.support(row) != 0 || !relation.is_linked(row)) {
                continue;
            }
            const Trie& trie = delta(predicate);
            std::copy(relation.cells(row), relation.cells(row) + relation.arity(), slots_.data());
            View view;
            view.seed = row;
            DeleteSink sink(*this);
            walk(trie, view, sink);
            unlink(predicate, row);
            if (dependencies_.is_recursive(predicate)) {
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
        set_support(predicate, row, 0);
        to_delete(predicate, row);
        if (!relation.is_linked(row) && dependencies_.is_recursive(predicate)) {
            stratum.deleted.emplace_back(predicate, row);
        }
    }
    heads_are_lost_ = false;
    // What was deleted because its proof circled or is gone may follow in another way.
    for (const auto& [predicate, row] : stratum.deleted) {
        if (relations_[predicate]->support(row) == 0 && is_proved(predicate, row, false)) {
            set_support(predicate, row, 1);
            set_birth(predicate, row);
            to_add(predicate, row);
        }
    }
    stratum.deleted.clear();
}

void Engine::add_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    std::vector<RuleNumber> whole;
    whole.swap(stratum.whole);
    for (const RuleNumber rule : whole) {
        if (is_removed_[rule] == 0) {
            read_whole(rule);
        }
    }
    constexpr std::size_t FORGOTTEN = 4096;  // places that may stay in front of the queue
    std::size_t next = 0;
    std::vector<Cell> candidates;
    while (has_more(stratum.to_add, next) || !stratum.candidates.empty()) {
        while (has_more(stratum.to_add, next)) {
            if (next > FORGOTTEN && 2 * next > stratum.to_add.size()) {
                stratum.to_add.erase(stratum.to_add.begin(), stratum.to_add.begin() + static_cast<std::ptrdiff_t>(next));
                next = 0;
            }
            const auto [predicate, row] = stratum.to_add[next++];
            clock.spend();
            Relation& relation = *relations_[predicate];
            relation.flags(row) &= static_cast<std::uint8_t>(~Relation::TO_ADD);
            if (relation.support(row) == 0 || relation.is_linked(row)) {
                continue;
            }
            link(predicate, row);
            const Trie& trie = delta(predicate);
            std::copy(relation.cells(row), relation.cells(row) + relation.arity(), slots_.data());
            View view;
            view.seed = row;
            AddSink sink(*this);
            walk(trie, view, sink);
        }
        candidates.clear();
        candidates.swap(stratum.candidates);
        for (std::size_t place = 0; place < candidates.size();) {
            const Cell* one = candidates.data() + place;
            read_candidate(one);
            place += 1 + rules_[static_cast<RuleNumber>(*one)]->variables;
        }
    }
    stratum.to_add.clear();
}

// A rule that overflowed somewhere is read once more: no instance may overflow in a finished stratum.
void Engine::review(std::uint32_t number) {
    std::vector<RuleNumber> overflowed;
    overflowed.swap(strata_[number].overflowed);
    std::sort(overflowed.begin(), overflowed.end());
    overflowed.erase(std::unique(overflowed.begin(), overflowed.end()), overflowed.end());
    for (const RuleNumber rule : overflowed) {
        if (is_removed_[rule] != 0) {
            continue;
        }
        const Conjunction& body = conjunction(rule);
        reader_.begin(rules_[rule]->variables);
        reader_.view = View();
        reader_.solve(body, [&](bool is_unknown) {
            if (is_unknown) {
                throw reader_.overflow(body, rule);
            }
            return false;
        });
    }
}

// Whether some rule derives a fact; `founded`: from what was born before it.
bool Engine::is_proved(PredicateId predicate, Row row, bool founded) {
    Relation& relation = *relations_[predicate];
    const Trie& trie = backward(predicate);
    const View view = founded ? founded_view(predicate, row) : View();
    const std::vector<Cell> fact(relation.cells(row), relation.cells(row) + relation.arity());
    std::copy(fact.begin(), fact.end(), slots_.data());
    ProofSink sink(*this, view, fact.data());
    return walk(trie, view, sink);
}

View Engine::founded_view(PredicateId predicate, Row row) const {
    View view;
    if (dependencies_.is_recursive(predicate)) {
        view.born_before = relations_[predicate]->birth[row];
        view.components = &dependencies_.components();
        view.component = dependencies_.component(predicate);
    }
    return view;
}

// Read a guarded rule from the beginning.
void Engine::read_whole(RuleNumber number) {
    const Rule& rule = *rules_[number];
    const Conjunction& body = conjunction(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    read(number, body, Profile::Reading::WHOLE, [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

// Read a guarded rule where its matches were found to hold.
void Engine::read_candidate(const Cell* candidate) {
    const auto number = static_cast<RuleNumber>(candidate[0]);
    const Rule& rule = *rules_[number];
    if (is_removed_[number] != 0) {
        return;
    }
    const Conjunction& body = *guarded_.at(number).candidate;
    reader_.begin(rule.variables);
    reader_.view = View();
    std::copy(candidate + 1, candidate + 1 + rule.variables, reader_.values.begin());
    read(number, body, Profile::Reading::CANDIDATE,
         [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

bool Engine::take_instance(RuleNumber number, bool is_unknown) {
    const Rule& rule = *rules_[number];
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
