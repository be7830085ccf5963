// The part of a body whose join is stored, because only growing relations could be read next.
#include <algorithm>

#include "plan/plans.hpp"

namespace hornbook {

namespace {

bool share(const Body& body, std::size_t one, std::size_t other) {
    const Condition& condition = body.conditions[other];
    const Term* terms = body.terms_of(body.conditions[one]);
    const Term* others = body.terms_of(condition);
    return std::any_of(terms, terms + body.conditions[one].count, [&](const Term& term) {
        return term.is_variable() && std::find(others, others + condition.count, term) != others + condition.count;
    });
}

// Whether a condition has the head's predicate and shares variables only with other such conditions.
bool reads_growing_alone(const Rule& rule, std::size_t place, Budget& budget) {
    const Body& body = rule.body;
    if (body.conditions[place].predicate != rule.head) {
        return false;
    }
    bool touches_own = false;
    for (std::size_t other = 0; other < body.conditions.size(); ++other) {
        budget.spend();
        if (other == place || !share(body, place, other)) {
            continue;
        }
        if (body.conditions[other].predicate != rule.head) {
            return false;
        }
        touches_own = true;
    }
    return touches_own;
}

// Whether all conditions but one are connected; otherwise joining them would be a product.
bool hangs_together_without(const Body& body, std::size_t left_out, Budget& budget) {
    const std::size_t size = body.conditions.size();
    std::vector<bool> is_reached(size);
    is_reached[left_out] = true;
    std::vector<std::size_t> reached{left_out == 0 ? std::size_t{1} : std::size_t{0}};
    is_reached[reached[0]] = true;
    for (std::size_t at = 0; at < reached.size(); ++at) {
        for (std::size_t place = 0; place < size; ++place) {
            budget.spend();
            if (!is_reached[place] && share(body, reached[at], place)) {
                is_reached[place] = true;
                reached.push_back(place);
            }
        }
    }
    return reached.size() == size - 1;
}

void append_match(PredicateId predicate, const Term* terms, std::size_t count, Body& body) {
    Condition match;
    match.predicate = predicate;
    match.first = static_cast<std::uint32_t>(body.terms.size());
    match.count = static_cast<std::uint32_t>(count);
    body.terms.insert(body.terms.end(), terms, terms + count);
    body.conditions.push_back(match);
}

// A rule for all conditions but one, whose head has the variables that the others need.
Rule rule_without(const Rule& rule, std::size_t left_out) {
    const Body& body = rule.body;
    Rule kept;
    kept.variables = rule.variables;
    std::vector<bool> asked(rule.variables), bound(rule.variables);
    mark_variables(rule.head_terms, asked);
    mark_variables(body, body.conditions[left_out], asked);
    for (std::size_t place = 0; place < body.conditions.size(); ++place) {
        const Condition& each = body.conditions[place];
        if (place != left_out) {
            mark_variables(body, each, bound);
            append_match(each.predicate, body.terms_of(each), each.count, kept.body);
        }
    }
    for (Variable variable = 0; variable < rule.variables; ++variable) {
        if (asked[variable] && bound[variable]) {
            kept.head_terms.push_back(Term::variable(variable));
        }
    }
    return kept;
}

}  // namespace

// If a condition on the head's predicate shares variables only with others of that predicate, only a growing
// relation could be read next when its facts are added. The join of the rest of the body is then stored in a
// separate relation: the only stored partial match, where all others are recomputed.
std::optional<Rule> Plans::fold(Rule& rule) {
    const std::size_t size = rule.body.conditions.size();
    if (size < 3 || std::any_of(rule.body.conditions.begin(), rule.body.conditions.end(),
                                [](const Condition& each) { return each.kind != Kind::MATCH; })) {
        return std::nullopt;
    }
    for (std::size_t place = 0; place < size; ++place) {
        if (!reads_growing_alone(rule, place, budget_) || !hangs_together_without(rule.body, place, budget_)) {
            continue;
        }
        Rule kept = rule_without(rule, place);
        kept.head = hidden_relation(static_cast<std::uint32_t>(kept.head_terms.size()));
        const Condition& condition = rule.body.conditions[place];
        Body folded;
        append_match(kept.head, kept.head_terms.data(), kept.head_terms.size(), folded);
        append_match(condition.predicate, rule.body.terms_of(condition), condition.count, folded);
        rule.written = std::make_unique<Body>(std::move(rule.body));
        rule.body = std::move(folded);
        return kept;
    }
    return std::nullopt;
}

// Return one that no rule needs any more, or a new one.
PredicateId Plans::hidden_relation(std::uint32_t arity) {
    const auto spare = std::find_if(spare_.begin(), spare_.end(), [&](PredicateId predicate) {
        return relations_[predicate]->arity() == arity && relations_[predicate]->linked_count() == 0;
    });
    if (spare != spare_.end()) {
        const PredicateId found = *spare;
        spare_.erase(spare);
        return found;
    }
    const PredicateId added = add_relation({arity, NOTHING, NOTHING});
    relations_[added]->is_hidden = true;
    return added;
}

}  // namespace hornbook
