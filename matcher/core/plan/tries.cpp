// Insertion of plans into tries: for full matching, for changes to a predicate's facts, and for proofs of them.
#include <algorithm>

#include "plan/plans.hpp"

namespace hornbook {

namespace {

void mark_bodies(const Body& body, std::vector<std::uint32_t>& occurs) {
    const auto count = [&](const Term& term) {
        if (term.is_variable()) {
            ++occurs[term.index()];
        }
    };
    for (const Condition& condition : body.conditions) {
        for (std::uint32_t place = 0; place < condition.count; ++place) {
            count(body.terms_of(condition)[place]);
        }
        if (condition.detail == NOTHING) {
            continue;
        }
        // Variables in a guard or a calculation are always needed.
        std::vector<bool> mentioned(occurs.size());
        mark_variables(body, condition, mentioned);
        for (Variable variable = 0; variable < occurs.size(); ++variable) {
            occurs[variable] += mentioned[variable] ? 2 : 0;
        }
    }
}

}  // namespace

// The number of occurrences of each variable in the body.
std::vector<std::uint32_t> occurrences(const Rule& rule) {
    std::vector<std::uint32_t> occurs(rule.variables);
    mark_bodies(rule.body, occurs);
    return occurs;
}

// The variables that occur more than once; the cells of others are ignored.
std::vector<bool> needed_variables(const Rule& rule) {
    std::vector<std::uint32_t> occurs = occurrences(rule);
    for (const Term& term : rule.head_terms) {
        if (term.is_variable()) {
            occurs[term.index()] += 2;
        }
    }
    std::vector<bool> needed(rule.variables);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        needed[variable] = occurs[variable] > 1;
    }
    return needed;
}

Environment Plans::environment_of(const Rule& rule) {
    Environment environment;
    environment.of.resize(rule.variables);
    return environment;
}

// Plan the remaining conditions, and insert the plan into a trie.
void Plans::end_plan(RuleNumber number, Environment& environment, std::vector<bool>& done, Seed seed,
                      std::vector<StepId>& plan, Terminal terminal, Trie& trie) {
    const Rule& rule = *rules_[number];
    budget_.spend(rule.body.conditions.size() + rule.body.details.size() * rule.variables);
    const std::vector<bool> needed = needed_variables(rule);
    const std::vector<Early>* early = rule.is_guarded ? &guarded_.at(number).early : nullptr;
    planner_.plan(rule.body, environment, done, seed, !rule.is_guarded, needed, plan, early);
    std::vector<Term> head;
    for (const Term& term : rule.head_terms) {
        head.push_back(environment(term));
    }
    if (!rule.is_guarded) {
        const bool is_bound = std::all_of(done.begin(), done.end(), [](bool is) { return is; }) &&
                              std::none_of(head.begin(), head.end(),
                                           [](const Term& term) { return term.kind == Term::Kind::NONE; });
        if (!is_bound) {
            throw RefusedProgram();
        }
    } else {
        terminal.binding = projections_.intern(environment.of);
    }
    terminal.rule = number;
    terminal.predicate = rule.head;
    for (std::uint32_t column = 0; column < head.size() && terminal.constant_column == NOTHING; ++column) {
        if (head[column].is_cell()) {
            terminal.constant_column = static_cast<std::int32_t>(column);
            terminal.constant = head[column].value;
            head[column].value = 0;
        }
    }
    terminal.head = projections_.intern(head);
    trie.insert(plan, terminal);
    slots_ = std::max(slots_, environment.slots);
}

void Plans::insert_whole(RuleNumber number, Trie& trie) {
    const Rule& rule = *rules_[number];
    if (rule.is_guarded) {
        return;  // it is evaluated completely in its own stratum
    }
    Environment environment = environment_of(rule);
    std::vector<bool> done(rule.body.conditions.size());
    std::vector<StepId> plan;
    end_plan(number, environment, done, {}, plan, {}, trie);
}

void Plans::insert_delta(RuleNumber number, PredicateId predicate, Trie& trie) {
    const Rule& rule = *rules_[number];
    const std::vector<bool> none(rule.variables);
    for (std::uint32_t place = 0; place < rule.body.conditions.size(); ++place) {
        const Condition& condition = rule.body.conditions[place];
        if (condition.kind != Kind::MATCH || condition.predicate != predicate) {
            continue;
        }
        Environment environment = environment_of(rule);
        std::vector<bool> done(rule.body.conditions.size());
        done[place] = true;
        std::vector<StepId> plan;
        const Term* terms = rule.body.terms_of(condition);
        planner_.begin({terms, terms + condition.count}, environment, none, plan);
        Terminal terminal;
        terminal.kind = rule.is_guarded ? Terminal::Kind::CANDIDATE : Terminal::Kind::HEAD;
        end_plan(number, environment, done, {static_cast<std::int32_t>(place), predicate}, plan, terminal, trie);
    }
    if (rule.is_guarded) {
        insert_triggers(number, predicate, rule.body, false, trie);
    }
}

// For every place, at any depth, where the guards of a rule read a predicate: the rule's matches that fit the fact.
void Plans::insert_triggers(RuleNumber number, PredicateId predicate, const Body& body, bool finished,
                             Trie& trie, const Detail* of) {
    const Rule& rule = *rules_[number];
    const std::vector<bool>& known = guarded_.at(number).known;
    // Variables that no match of the rule binds (local or computed ones) are ignored here.
    std::vector<bool> ignored(rule.variables);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        ignored[variable] = !known[variable];
    }
    // Only the variables of a closed set's inner conditions that come from the fact matter: they determine
    // the sets it concerns.
    const auto member = [&](const Detail& all, const std::vector<Term>& terms, Environment& environment, std::vector<StepId>& plan) {
        std::vector<bool> others = ignored;
        Body set;
        Condition match;
        match.predicate = all.sets[0].member;
        set.terms = all.sets[0].key;
        for (const Variable variable : all.variables) {
            others[variable] = false;
            set.terms.push_back(Term::variable(variable));
        }
        match.count = static_cast<std::uint32_t>(set.terms.size());
        set.conditions.push_back(match);
        planner_.begin(terms, environment, others, plan);
        std::vector<bool> done(1);
        planner_.plan(set, environment, done, {}, false, known, plan);
        for (const Variable variable : all.variables) {
            environment.of[variable] = Term();  // another condition may use the same variables for its members
        }
    };
    const auto insert = [&](const std::vector<Term>& terms, bool is_finished, const Detail* all = nullptr) {
        Environment environment = environment_of(rule);
        std::vector<bool> done(rule.body.conditions.size());
        std::vector<StepId> plan;
        const bool is_told = all != nullptr && std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
            return term.is_variable() && std::find(all->variables.begin(), all->variables.end(), term.index()) != all->variables.end();
        });
        if (!is_told) {
            planner_.begin(terms, environment, ignored, plan);
        } else {
            member(*all, terms, environment, plan);
        }
        Terminal terminal;
        terminal.kind = Terminal::Kind::TRIGGER;
        terminal.is_finished = is_finished;
        end_plan(number, environment, done, {}, plan, terminal, trie);
    };
    for (const Condition& condition : body.conditions) {
        if (condition.kind == Kind::MATCH && &body != &rule.body && condition.predicate == predicate) {
            const Term* terms = body.terms_of(condition);
            insert({terms, terms + condition.count}, finished, of);
        }
        if (condition.detail == NOTHING) {
            continue;
        }
        const Detail& detail = body.detail_of(condition);
        for (const ClosedSet& set : detail.sets) {
            for (const PredicateId read : {set.count, set.member}) {
                if (read == predicate) {
                    std::vector<Term> terms = set.key;
                    terms.resize(relations_[read]->arity());
                    insert(terms, finished);
                }
            }
        }
        const bool waits = condition.kind == Kind::AGGREGATE || condition.kind == Kind::ABSENT;
        const bool is_all = condition.kind == Kind::ALL && &body == &rule.body;
        insert_triggers(number, predicate, detail.inner, finished || waits, trie, is_all ? &detail : nullptr);
    }
}

void Plans::insert_backward(RuleNumber number, Trie& trie) {
    const Rule& rule = *rules_[number];
    Environment environment = environment_of(rule);
    std::vector<bool> done(rule.body.conditions.size());
    std::vector<StepId> plan;
    planner_.begin(rule.head_terms, environment, std::vector<bool>(rule.variables), plan);
    Terminal terminal;
    terminal.kind = rule.is_guarded ? Terminal::Kind::CANDIDATE : Terminal::Kind::HEAD;
    end_plan(number, environment, done, {}, plan, terminal, trie);
}

const Trie& Plans::whole() {
    whole_.settle(steps_, profiling_.is_on);
    return whole_;
}

void Plans::settle() {
    whole_.settle(steps_, true);
    for (auto& [predicate, delta] : delta_) {
        delta.trie.settle(steps_, true);
    }
    for (auto& [predicate, trie] : backward_) {
        trie.settle(steps_, true);
    }
}

const Trie* Plans::known_delta(PredicateId predicate) const {
    const auto found = delta_.find(predicate);
    return found == delta_.end() ? nullptr : &found->second.trie;
}

const Trie* Plans::known_backward(PredicateId predicate) const {
    const auto found = backward_.find(predicate);
    return found == backward_.end() ? nullptr : &found->second;
}

bool Plans::is_idle(PredicateId predicate) const {
    return std::any_of(common_needs_[predicate].begin(), common_needs_[predicate].end(),
                       [&](PredicateId each) { return relations_[each]->linked_count() == 0; });
}

const Trie& Plans::delta(PredicateId predicate, bool is_complete) {
    constexpr std::size_t GROWTH = 8;
    auto found = delta_.find(predicate);
    const std::size_t rows = relations_[predicate]->linked_count();
    // A recursive predicate that has grown considerably is planned again, with current statistics.
    if (found != delta_.end() && dependencies_.is_recursive(predicate) && rows > GROWTH * found->second.planned_for) {
        drop_delta(predicate);
        found = delta_.end();
    }
    if (found == delta_.end()) {
        constexpr std::size_t FEW = 1024;
        Delta planned;  // may be interrupted
        planned.planned_for = std::max(rows, FEW);
        slots_ = std::max(slots_, relations_[predicate]->arity());
        for (const RuleNumber number : reading_[predicate]) {
            if (!rules_[number]->is_gone) {
                insert_or_defer(number, predicate, planned);
            }
        }
        found = delta_.insert_or_assign(predicate, std::move(planned)).first;
        whole_.forget_reach(predicate);
    }
    try {
        insert_deferred(predicate, found->second, is_complete);
    } catch (...) {
        drop_delta(predicate);  // a rule may be inserted in part
        throw;
    }
    found->second.trie.settle(steps_, profiling_.is_on);
    return found->second.trie;
}

// A relation other than a predicate that a rule matches and that has no facts now, or NOTHING.
std::int32_t Plans::empty_need(RuleNumber number, PredicateId predicate) const {
    for (const Condition& condition : rules_[number]->body.conditions) {
        if (condition.kind == Kind::MATCH && condition.predicate != predicate &&
            relations_[condition.predicate]->linked_count() == 0) {
            return static_cast<std::int32_t>(condition.predicate);
        }
    }
    return NOTHING;
}

void Plans::insert_or_defer(RuleNumber number, PredicateId predicate, Delta& delta) {
    const std::int32_t need = empty_need(number, predicate);
    if (need == NOTHING) {
        insert_delta(number, predicate, delta.trie);
        return;
    }
    const auto same = std::find_if(delta.unplanned.begin(), delta.unplanned.end(), [&](const Unplanned& each) {
        return each.need == static_cast<PredicateId>(need);
    });
    if (same != delta.unplanned.end()) {
        same->rules.push_back(number);
    } else {
        delta.unplanned.push_back({static_cast<PredicateId>(need), {number}});
    }
}

// Insert the rules whose need has facts by now, or all of them.
void Plans::insert_deferred(PredicateId predicate, Delta& delta, bool is_complete) {
    for (std::size_t place = 0; place < delta.unplanned.size();) {
        if (!is_complete && relations_[delta.unplanned[place].need]->linked_count() == 0) {
            ++place;
            continue;
        }
        const std::vector<RuleNumber> rules = std::move(delta.unplanned[place].rules);
        delta.unplanned.erase(delta.unplanned.begin() + static_cast<std::ptrdiff_t>(place));
        for (const RuleNumber number : rules) {
            if (rules_[number]->is_gone) {
                continue;
            }
            if (is_complete) {
                insert_delta(number, predicate, delta.trie);
            } else {
                insert_or_defer(number, predicate, delta);
            }
        }
    }
}

// Drop the plans for changes of a predicate, which are made again when they are requested.
void Plans::drop_delta(PredicateId predicate) {
    const auto found = delta_.find(predicate);
    if (profiling_.profile != nullptr) {
        Trie& old = found->second.trie;
        profiling_.profile->retire(predicate, old, std::make_shared<const Trie>(std::move(old)));
    }
    delta_.erase(found);
}

// Building a trie of changes takes as long as visiting one or two thousand ops and rows for each rule.
// Building it after a third of that loses little, and a change of few facts never pays for it. Guarded rules
// have no plan from the beginning, and a recursive predicate is likely to change a lot.
std::uint64_t Plans::may_meet(PredicateId predicate) const {
    constexpr std::size_t MANY = 256;
    constexpr std::uint64_t EACH = 640;
    const std::size_t rules = reading_[predicate].size();
    if (rules < MANY || is_read_by_guarded_[predicate] || profiling_.is_on || delta_.count(predicate) != 0 ||
        dependencies_.is_recursive(predicate)) {
        return 0;
    }
    const std::uint64_t most = EACH * rules;
    return met_[predicate] < most ? most - met_[predicate] : 0;
}

const Trie& Plans::backward(PredicateId predicate) {
    auto found = backward_.find(predicate);
    if (found == backward_.end()) {
        Trie planned;  // may be interrupted
        slots_ = std::max(slots_, relations_[predicate]->arity());
        for (const RuleNumber number : concluding_[predicate]) {
            if (!rules_[number]->is_gone) {
                insert_backward(number, planned);
            }
        }
        found = backward_.emplace(predicate, std::move(planned)).first;
    }
    found->second.settle(steps_, profiling_.is_on);
    return found->second;
}

std::size_t Plans::bytes() const {
    std::size_t bytes = whole_.bytes();
    for (const auto& [predicate, delta] : delta_) {
        bytes += delta.trie.bytes();
    }
    for (const auto& [predicate, trie] : backward_) {
        bytes += trie.bytes();
    }
    return bytes;
}

std::size_t Plans::nodes() const {
    std::size_t nodes = whole_.tree().size();
    for (const auto& [predicate, delta] : delta_) {
        nodes += delta.trie.tree().size();
    }
    return nodes;
}

}  // namespace hornbook
