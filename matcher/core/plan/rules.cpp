// Adding and removing rules: each is planned once for full matching and for separate evaluation, and enters
// every trie that has been requested.
#include <algorithm>

#include "plan/plans.hpp"

namespace hornbook {

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

Plans::Plans(Facts& facts, Statistics&& statistics, RuleNumber most_rules, Budget& budget, Profiling& profiling)
    : facts_(facts),
      relations_(facts.relations()),
      budget_(budget),
      profiling_(profiling),
      most_rules_(most_rules),
      given_statistics_(std::move(statistics)),
      steps_(relations_),
      planner_(steps_, statistics_, budget_) {}

PredicateId Plans::add_relation(const Predicate& predicate) {
    const PredicateId id = facts_.add_relation(predicate);
    concluding_.emplace_back();
    reading_.emplace_back();
    common_needs_.emplace_back();
    heads_.emplace_back();
    is_read_by_guarded_.push_back(false);
    met_.push_back(0);
    return id;
}

void Plans::expect(PredicateId id, PredicateId number) {
    if (const auto found = given_statistics_.measures.find(number); found != given_statistics_.measures.end()) {
        statistics_.measures[id] = found->second;
    }
}

void Plans::add(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers) {
    // Each may bring a helper.
    if (rules_.size() + 2 * rules.size() > most_rules_) {
        throw TooLarge{"rules", most_rules_};
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

RuleNumber Plans::new_number() {
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

std::vector<RuleNumber> Plans::with_helpers(const std::vector<RuleNumber>& numbers) const {
    std::vector<RuleNumber> all = numbers;
    for (const RuleNumber number : numbers) {
        if (rules_[number]->helper != NOTHING) {
            all.push_back(static_cast<RuleNumber>(rules_[number]->helper));
        }
    }
    return all;
}

void Plans::Heads::take(const Rule& rule) {
    const bool is_first = rules++ == 0;
    const auto constant = std::find_if(rule.head_terms.begin(), rule.head_terms.end(),
                                       [](const Term& term) { return term.is_cell(); });
    const bool has_constant = constant != rule.head_terms.end();
    const auto place = has_constant ? static_cast<std::int32_t>(constant - rule.head_terms.begin()) : NOTHING;
    are_injective = are_injective && !rule.is_guarded && (is_first || (has_constant && column == place && last < constant->value));
    if (!are_injective) {
        return;
    }
    column = place;
    last = has_constant ? constant->value : 0;
    std::vector<bool> said(rule.variables);
    mark_variables(rule.head_terms, said);
    const std::vector<std::uint32_t> occurs = occurrences(rule);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        are_injective = are_injective && (said[variable] || occurs[variable] == 0);
    }
}

void Plans::remove(RuleNumber number) {
    is_removed_[number] = 1;
    dependencies_.remove(*rules_[number]);
}

void Plans::restore(RuleNumber number) {
    is_removed_[number] = 0;
    dependencies_.add(*rules_[number]);
}

// Drop a rule permanently; its terminals stay in the tries until these are rebuilt.
void Plans::drop(RuleNumber number) {
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

void Plans::discard(RuleNumber number) {
    dependencies_.remove(*rules_[number]);
    drop(number);
}

// Record that a rule reads a predicate.
void Plans::note_reader(RuleNumber number, PredicateId predicate) {
    const Rule& rule = *rules_[number];
    std::vector<PredicateId>& common = common_needs_[predicate];
    const std::vector<Condition>& conditions = rule.body.conditions;
    const auto matches = [&](PredicateId each) {
        return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
            return condition.kind == Kind::MATCH && condition.predicate == each;
        });
    };
    if (reading_[predicate].empty()) {
        for (const Condition& condition : conditions) {
            if (condition.kind == Kind::MATCH && condition.predicate != predicate) {
                common.push_back(condition.predicate);
            }
        }
    } else {
        std::erase_if(common, [&](PredicateId each) { return !matches(each); });
    }
    reading_[predicate].push_back(number);
    is_read_by_guarded_[predicate] = is_read_by_guarded_[predicate] || rule.is_guarded;
}

// Plan a rule, enter it wherever its predicates are read or proved, and refuse it if it is unsafe.
void Plans::prepare(RuleNumber number) {
    const Rule& rule = *rules_[number];
    concluding_[rule.head].push_back(number);
    heads_[rule.head].take(rule);
    relations_[rule.head]->is_concluded = true;
    std::vector<PredicateId> predicates;
    mark_predicates(rule.body, predicates);
    std::sort(predicates.begin(), predicates.end());
    predicates.erase(std::unique(predicates.begin(), predicates.end()), predicates.end());
    for (const PredicateId predicate : predicates) {
        note_reader(number, predicate);
    }
    if (rule.is_guarded) {
        plan_guarded(number);
    }
    insert_whole(number, whole_);
    for (const PredicateId predicate : predicates) {
        if (const auto found = delta_.find(predicate); found != delta_.end()) {
            insert_or_defer(number, predicate, found->second);
        }
    }
    if (const auto found = backward_.find(rule.head); found != backward_.end()) {
        insert_backward(number, found->second);
    }
}

// The needed variables that the matches and plain equations of a rule bind: each trie binds them.
std::vector<bool> Plans::bindings(const Rule& rule) {
    const Body& body = rule.body;
    std::vector<bool> bound(rule.variables);
    for (const Condition& condition : body.conditions) {
        if (condition.kind == Kind::MATCH) {
            mark_variables(body, condition, bound);
        }
    }
    const auto is_bound = [&](const Term& term) { return !term.is_variable() || bound[term.index()]; };
    for (bool found = true; found;) {
        found = false;
        for (const Condition& condition : body.conditions) {
            if (condition.is_plain_comparison() && condition.comparison == Comparison::EQUAL) {
                const Term* terms = body.terms_of(condition);
                if (is_bound(terms[0]) != is_bound(terms[1])) {
                    bound[terms[is_bound(terms[0]) ? 1 : 0].index()] = true;
                    found = true;
                }
            }
        }
    }
    const std::vector<bool> needed = needed_variables(rule);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        bound[variable] = bound[variable] && needed[variable];
    }
    return bound;
}

// Prepare a rule for separate evaluation, given the bindings of a trie. Its matches also bind these in a full
// evaluation, so one plan determines whether the rule is safe.
void Plans::plan_guarded(RuleNumber number) {
    const Rule& rule = *rules_[number];
    std::vector<bool> in_head(rule.variables);
    mark_variables(rule.head_terms, in_head);
    Guarded& guarded = guarded_[number];
    guarded.known = bindings(rule);
    guarded.early = early_guards(rule.body, in_head);
    if (!rule.is_accepted) {
        candidate(number);
    }
}

// Plan the body of a rule whose `known` variables have values. Throws RefusedProgram if the rule is unsafe.
std::unique_ptr<Conjunction> Plans::planned_rule(const Rule& rule, const std::vector<bool>& known) {
    std::vector<bool> in_head(rule.variables);
    mark_variables(rule.head_terms, in_head);
    std::unique_ptr<Conjunction> found = planned(rule.body, known, in_head, planner_);
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        if (in_head[variable] && !found->known[variable]) {
            throw RefusedProgram();
        }
    }
    return found;
}

const Conjunction& Plans::candidate(RuleNumber number) {
    Guarded& guarded = guarded_.at(number);
    if (guarded.candidate == nullptr) {
        const Rule& rule = *rules_[number];
        guarded.candidate = planned_rule(rule, guarded.known);
    }
    return *guarded.candidate;
}

const Conjunction& Plans::conjunction(RuleNumber number) {
    std::unique_ptr<Conjunction>& found = conjunctions_[number];
    if (found == nullptr) {
        const Rule& rule = *rules_[number];
        found = planned_rule(rule, std::vector<bool>(rule.variables));
    }
    return *found;
}

const Conjunction& Plans::proof(RuleNumber number) {
    std::unique_ptr<Conjunction>& found = proofs_[number];
    if (found == nullptr) {
        const Rule& rule = *rules_[number];
        std::vector<bool> in_head(rule.variables);
        mark_variables(rule.head_terms, in_head);
        found = planned(rule.written ? *rule.written : rule.body, in_head, in_head, planner_);
    }
    return *found;
}

Plans::Arranged Plans::arrange() {
    if (!dependencies_.have_changed() && dependencies_.components().size() == relations_.size()) {
        return Arranged::AS_BEFORE;
    }
    std::vector<bool> checked(relations_.size()), recursive(relations_.size());
    for (PredicateId predicate = 0; predicate < dependencies_.components().size(); ++predicate) {
        checked[predicate] = dependencies_.is_checked(predicate);
        recursive[predicate] = dependencies_.is_recursive(predicate);
    }
    if (!dependencies_.arrange(relations_.size())) {
        throw RefusedProgram();
    }
    Arranged arranged = Arranged::ANEW;
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        const bool is_other = checked[predicate] != dependencies_.is_checked(predicate) ||
                              recursive[predicate] != dependencies_.is_recursive(predicate);
        if (is_other && relations_[predicate]->size() != 0) {
            arranged = Arranged::ANEW_WITH_OTHER_SUPPORT;
        }
        if (dependencies_.is_recursive(predicate) && !relations_[predicate]->is_ranked()) {
            relations_[predicate]->rank_rows();
        }
    }
    return arranged;
}

// Rebuild all plans when most rules in the tries are removed.
void Plans::rebuild() {
    if (dead_rules_ < 64 || 2 * dead_rules_ < rules_.size() - free_numbers_.size()) {
        return;
    }
    dead_rules_ = 0;
    if (profiling_.profile != nullptr) {
        profiling_.profile->forget();
    }
    whole_ = Trie();
    delta_.clear();
    backward_.clear();
    guarded_.clear();
    conjunctions_.clear();
    proofs_.clear();
    steps_.clear();
    projections_.clear();
    common_needs_.assign(relations_.size(), {});
    heads_.assign(relations_.size(), {});
    is_read_by_guarded_.assign(relations_.size(), false);
    met_.assign(relations_.size(), 0);
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
