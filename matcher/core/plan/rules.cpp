// Rules into tries: each rule is planned once for full matching, and on demand for each predicate whose facts
// change and for each head that is to be proved.
#include <algorithm>

#include "run/engine.hpp"

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
        // What a guard or a calculation mentions is always of interest.
        std::vector<bool> mentioned(occurs.size());
        mark_variables(body, condition, mentioned);
        for (Variable variable = 0; variable < occurs.size(); ++variable) {
            occurs[variable] += mentioned[variable] ? 2 : 0;
        }
    }
}

// The variables that occur more than once: of the others the cell is of no interest.
std::vector<bool> needed_variables(const Rule& rule) {
    std::vector<std::uint32_t> occurs(rule.variables);
    for (const Term& term : rule.head_terms) {
        if (term.is_variable()) {
            occurs[term.index()] += 2;
        }
    }
    mark_bodies(rule.body, occurs);
    std::vector<bool> needed(rule.variables);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        needed[variable] = occurs[variable] > 1;
    }
    return needed;
}

bool mentions(const Body& body, PredicateId predicate) {
    return std::any_of(body.conditions.begin(), body.conditions.end(), [&](const Condition& condition) {
        if (condition.kind == Kind::MATCH) {
            return condition.predicate == predicate;
        }
        if (condition.detail == NOTHING) {
            return false;
        }
        const Detail& detail = body.detail_of(condition);
        return mentions(detail.inner, predicate) ||
               std::any_of(detail.sets.begin(), detail.sets.end(), [&](const ClosedSet& set) {
                   return set.count == predicate || set.member == predicate;
               });
    });
}

void mark_predicates(const Body& body, std::vector<PredicateId>& predicates) {
    for (const Condition& condition : body.conditions) {
        if (condition.kind == Kind::MATCH) {
            predicates.push_back(condition.predicate);
        } else if (condition.detail != NOTHING) {
            const Detail& detail = body.detail_of(condition);
            for (const ClosedSet& set : detail.sets) {
                predicates.push_back(set.count);
                predicates.push_back(set.member);
            }
            mark_predicates(detail.inner, predicates);
        }
    }
}

}  // namespace

Environment Engine::environment_of(const Rule& rule) const {
    Environment environment;
    environment.of.resize(rule.variables);
    return environment;
}

void Engine::add_rules(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers) {
    // Each may bring a helper.
    if (rules_.size() + 2 * rules.size() > capacity_.rules) {
        throw TooLarge{"rules", capacity_.rules};
    }
    for (Rule& rule : rules) {
        std::optional<Rule> kept = fold(rule);
        const RuleNumber number = new_number();
        if (kept) {
            rule.helper = static_cast<std::int32_t>(new_number());
        }
        rules_[number] = std::make_unique<Rule>(std::move(rule));
        dependencies_.add(*rules_[number]);
        numbers.push_back(number);
        if (kept) {
            const auto helper = static_cast<RuleNumber>(rules_[number]->helper);
            rules_[helper] = std::make_unique<Rule>(std::move(*kept));
            dependencies_.add(*rules_[helper]);
            prepare(helper);
        }
        prepare(number);
    }
}

RuleNumber Engine::new_number() {
    auto number = static_cast<RuleNumber>(rules_.size());
    if (free_numbers_.empty()) {
        rules_.emplace_back();
        is_removed_.push_back(0);
    } else {
        number = free_numbers_.back();
        free_numbers_.pop_back();
    }
    is_removed_[number] = 0;
    return number;
}

std::vector<RuleNumber> Engine::with_helpers(const std::vector<RuleNumber>& numbers) const {
    std::vector<RuleNumber> all = numbers;
    for (const RuleNumber number : numbers) {
        if (rules_[number]->helper != NOTHING) {
            all.push_back(static_cast<RuleNumber>(rules_[number]->helper));
        }
    }
    return all;
}

void Engine::Naming::take(const Rule& rule) {
    const bool is_first = rules++ == 0;
    const auto constant = std::find_if(rule.head_terms.begin(), rule.head_terms.end(),
                                       [](const Term& term) { return term.is_cell(); });
    const bool has_constant = constant != rule.head_terms.end();
    const auto place = has_constant ? static_cast<std::int32_t>(constant - rule.head_terms.begin()) : NOTHING;
    holds = holds && !rule.is_guarded && (is_first || (has_constant && column == place && last < constant->value));
    if (!holds) {
        return;
    }
    column = place;
    last = has_constant ? constant->value : 0;
    std::vector<bool> said(rule.variables);
    mark_variables(rule.head_terms, said);
    std::vector<std::uint32_t> occurs(rule.variables);
    mark_bodies(rule.body, occurs);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        holds = holds && (said[variable] || occurs[variable] == 0);
    }
}

// Plan a rule, enter it wherever its predicates are read or proved, and refuse it where it is unsafe.
void Engine::prepare(RuleNumber number) {
    const Rule& rule = *rules_[number];
    concluding_[rule.head].push_back(number);
    namings_[rule.head].take(rule);
    relations_[rule.head]->is_concluded = true;
    std::vector<PredicateId> predicates;
    mark_predicates(rule.body, predicates);
    std::sort(predicates.begin(), predicates.end());
    predicates.erase(std::unique(predicates.begin(), predicates.end()), predicates.end());
    for (const PredicateId predicate : predicates) {
        reading_[predicate].push_back(number);
    }
    if (rule.is_guarded) {
        const std::vector<bool> none(rule.variables);
        std::vector<bool> in_head(rule.variables);
        mark_variables(rule.head_terms, in_head);
        const auto whole = planned(rule.body, none, in_head, planner_);
        for (Variable variable = 0; variable < rule.variables; ++variable) {
            if (in_head[variable] && !whole->known[variable]) {
                throw RefusedProgram();
            }
        }
        // What every trie binds: the variables of interest that matches and plain equations bind.
        Environment environment = environment_of(rule);
        std::vector<bool> done(rule.body.conditions.size());
        std::vector<StepId> plan;
        std::vector<bool> known = needed_variables(rule);
        planner_.plan(rule.body, environment, done, {}, false, known, plan);
        for (Variable variable = 0; variable < rule.variables; ++variable) {
            known[variable] = known[variable] && environment.of[variable].kind != Term::Kind::NONE;
        }
        Guarded& guarded = guarded_[number];
        guarded.candidate = planned(rule.body, known, in_head, planner_);
        guarded.known = std::move(known);
        guarded.early = early_guards(rule.body, in_head);
    }
    insert_whole(number, whole_);
    for (const PredicateId predicate : predicates) {
        if (const auto found = delta_.find(predicate); found != delta_.end()) {
            insert_delta(number, predicate, found->second.trie);
        }
    }
    if (const auto found = backward_.find(rule.head); found != backward_.end()) {
        insert_backward(number, found->second);
    }
}

// Plan the conditions that are left, and put the plan into a trie.
void Engine::end_plan(RuleNumber number, Environment& environment, std::vector<bool>& done, Seed seed,
                      std::vector<StepId>& plan, Terminal terminal, Trie& trie) {
    const Rule& rule = *rules_[number];
    clock.spend(rule.body.conditions.size() + rule.body.details.size() * rule.variables);
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
    most_slots_ = std::max(most_slots_, environment.slots);
}

void Engine::insert_whole(RuleNumber number, Trie& trie) {
    const Rule& rule = *rules_[number];
    if (rule.is_guarded) {
        return;  // it is read from the beginning in its own stratum
    }
    Environment environment = environment_of(rule);
    std::vector<bool> done(rule.body.conditions.size());
    std::vector<StepId> plan;
    end_plan(number, environment, done, {}, plan, {}, trie);
}

void Engine::insert_delta(RuleNumber number, PredicateId predicate, Trie& trie) {
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

// Wherever the guards of a rule read a predicate, at any depth: its matches, where the fact fits.
void Engine::insert_triggers(RuleNumber number, PredicateId predicate, const Body& body, bool finished,
                             Trie& trie) {
    const Rule& rule = *rules_[number];
    const std::vector<bool>& known = guarded_.at(number).known;
    // Variables that no match of the rule binds (local or computed ones) are of no interest here.
    std::vector<bool> ignored(rule.variables);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        ignored[variable] = !known[variable];
    }
    const auto insert = [&](const std::vector<Term>& terms, bool is_finished) {
        Environment environment = environment_of(rule);
        std::vector<bool> done(rule.body.conditions.size());
        std::vector<StepId> plan;
        planner_.begin(terms, environment, ignored, plan);
        Terminal terminal;
        terminal.kind = Terminal::Kind::TRIGGER;
        terminal.is_finished = is_finished;
        end_plan(number, environment, done, {}, plan, terminal, trie);
    };
    for (const Condition& condition : body.conditions) {
        if (condition.kind == Kind::MATCH && &body != &rule.body && condition.predicate == predicate) {
            const Term* terms = body.terms_of(condition);
            insert({terms, terms + condition.count}, finished);
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
        insert_triggers(number, predicate, detail.inner, finished || waits, trie);
    }
}

void Engine::insert_backward(RuleNumber number, Trie& trie) {
    const Rule& rule = *rules_[number];
    Environment environment = environment_of(rule);
    std::vector<bool> done(rule.body.conditions.size());
    std::vector<StepId> plan;
    planner_.begin(rule.head_terms, environment, std::vector<bool>(rule.variables), plan);
    Terminal terminal;
    terminal.kind = rule.is_guarded ? Terminal::Kind::CANDIDATE : Terminal::Kind::HEAD;
    end_plan(number, environment, done, {}, plan, terminal, trie);
}

const Trie& Engine::delta(PredicateId predicate) {
    constexpr std::size_t GROWTH = 8;
    auto found = delta_.find(predicate);
    const std::size_t rows = relations_[predicate]->linked_count();
    // A recursive predicate that has grown so much is planned for anew, by what is known now.
    const bool has_outgrown = found != delta_.end() && dependencies_.is_recursive(predicate) &&
                              rows > GROWTH * found->second.planned_for;
    if (found == delta_.end() || has_outgrown) {
        constexpr std::size_t FEW = 1024;
        Delta planned;  // which may be stopped
        planned.planned_for = std::max(rows, FEW);
        most_slots_ = std::max(most_slots_, relations_[predicate]->arity());
        for (const RuleNumber number : reading_[predicate]) {
            if (!rules_[number]->is_gone) {
                insert_delta(number, predicate, planned.trie);
            }
        }
        if (has_outgrown && profile_ != nullptr) {
            Trie& old = found->second.trie;
            profile_->retire(predicate, old, std::make_shared<const Trie>(std::move(old)));
        }
        found = delta_.insert_or_assign(predicate, std::move(planned)).first;
    }
    found->second.trie.settle(steps_, is_counted_);
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    return found->second.trie;
}

const Trie& Engine::backward(PredicateId predicate) {
    auto found = backward_.find(predicate);
    if (found == backward_.end()) {
        Trie planned;  // which may be stopped
        most_slots_ = std::max(most_slots_, relations_[predicate]->arity());
        for (const RuleNumber number : concluding_[predicate]) {
            if (!rules_[number]->is_gone) {
                insert_backward(number, planned);
            }
        }
        found = backward_.emplace(predicate, std::move(planned)).first;
    }
    found->second.settle(steps_, is_counted_);
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    return found->second;
}

const Conjunction& Engine::conjunction(RuleNumber number) {
    std::unique_ptr<Conjunction>& found = conjunctions_[number];
    if (found == nullptr) {
        const Rule& rule = *rules_[number];
        std::vector<bool> in_head(rule.variables);
        mark_variables(rule.head_terms, in_head);
        found = planned(rule.body, std::vector<bool>(rule.variables), in_head, planner_);
    }
    return *found;
}

// The strata anew, where what is concluded from what has changed.
void Engine::arrange() {
    if (!dependencies_.have_changed() && dependencies_.components().size() == relations_.size()) {
        return;
    }
    std::vector<bool> checked(relations_.size()), recursive(relations_.size());
    for (PredicateId predicate = 0; predicate < dependencies_.components().size(); ++predicate) {
        checked[predicate] = dependencies_.is_checked(predicate);
        recursive[predicate] = dependencies_.is_recursive(predicate);
    }
    if (!dependencies_.arrange(relations_.size())) {
        throw RefusedProgram();
    }
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        if (checked[predicate] != dependencies_.is_checked(predicate) ||
            recursive[predicate] != dependencies_.is_recursive(predicate)) {
            // Support means something else from now on.
            needs_recompute_ = needs_recompute_ || relations_[predicate]->size() != 0;
        }
        if (dependencies_.is_recursive(predicate) && !relations_[predicate]->is_ranked()) {
            relations_[predicate]->rank_rows();
        }
    }
    strata_.clear();
    strata_.resize(dependencies_.size());
}

const Conjunction& Engine::proof(RuleNumber number) {
    std::unique_ptr<Conjunction>& found = proofs_[number];
    if (found == nullptr) {
        const Rule& rule = *rules_[number];
        std::vector<bool> in_head(rule.variables);
        mark_variables(rule.head_terms, in_head);
        found = planned(rule.written ? *rule.written : rule.body, in_head, in_head, planner_);
    }
    return *found;
}

// When most rules that the tries know are gone, all plans are made anew.
void Engine::rebuild_tries() {
    if (dead_rules_ < 64 || 2 * dead_rules_ < rules_.size() - free_numbers_.size()) {
        return;
    }
    dead_rules_ = 0;
    if (profile_ != nullptr) {
        profile_->forget();
    }
    whole_ = Trie();
    delta_.clear();
    backward_.clear();
    guarded_.clear();
    conjunctions_.clear();
    proofs_.clear();
    steps_.clear();
    projections_.clear();
    namings_.assign(relations_.size(), {});
    for (auto* lists : {&concluding_, &reading_}) {
        for (auto& numbers : *lists) {
            numbers.clear();
        }
    }
    free_numbers_.clear();
    for (RuleNumber number = 0; number < rules_.size(); ++number) {
        if (rules_[number]->is_gone) {
            free_numbers_.push_back(number);
        } else {
            prepare(number);
        }
    }
}

}  // namespace hornbook
