// The one part of a body that is kept joined: where only growing relations could be read next.
#include <algorithm>

#include "plan/plans.hpp"

namespace hornbook {

// Where a condition on the head's own predicate touches only others of that predicate, nothing but a growing
// relation could be read next when its facts come. The rest of the body is then kept joined in a relation of its
// own: one stored partial match, where all others are found again.
std::optional<Rule> Plans::fold(Rule& rule) {
    const Body& body = rule.body;
    const std::size_t size = body.conditions.size();
    if (size < 3 || std::any_of(body.conditions.begin(), body.conditions.end(),
                                [](const Condition& each) { return each.kind != Kind::MATCH; })) {
        return std::nullopt;
    }
    const auto share = [&](const Condition& one, const Condition& other) {
        budget_.spend();
        const Term* terms = body.terms_of(one);
        const Term* others = body.terms_of(other);
        return std::any_of(terms, terms + one.count, [&](const Term& term) {
            return term.is_variable() && std::find(others, others + other.count, term) != others + other.count;
        });
    };
    for (std::size_t last = 0; last < size; ++last) {
        const Condition& condition = body.conditions[last];
        bool touches_given = false;
        bool touches_own = false;
        std::vector<std::size_t> rest;
        for (std::size_t place = 0; place < size; ++place) {
            if (place != last) {
                const bool is_own = body.conditions[place].predicate == rule.head;
                touches_given = touches_given || (!is_own && share(condition, body.conditions[place]));
                touches_own = touches_own || (is_own && share(condition, body.conditions[place]));
                rest.push_back(place);
            }
        }
        if (condition.predicate != rule.head || touches_given || !touches_own) {
            continue;
        }
        // The rest hangs together, or it would be a product.
        std::vector<std::size_t> reached{rest[0]};
        std::vector<bool> is_reached(size);
        is_reached[rest[0]] = true;
        for (std::size_t at = 0; at < reached.size(); ++at) {
            for (const std::size_t place : rest) {
                if (!is_reached[place] && share(body.conditions[reached[at]], body.conditions[place])) {
                    is_reached[place] = true;
                    reached.push_back(place);
                }
            }
        }
        if (reached.size() != rest.size()) {
            continue;
        }
        Rule kept;
        kept.variables = rule.variables;
        std::vector<bool> asked(rule.variables), bound(rule.variables);
        mark_variables(rule.head_terms, asked);
        mark_variables(body, condition, asked);
        for (const std::size_t place : rest) {
            const Condition& each = body.conditions[place];
            mark_variables(body, each, bound);
            Condition copy = each;
            copy.first = static_cast<std::uint32_t>(kept.body.terms.size());
            kept.body.terms.insert(kept.body.terms.end(), body.terms_of(each), body.terms_of(each) + each.count);
            kept.body.conditions.push_back(copy);
        }
        for (Variable variable = 0; variable < rule.variables; ++variable) {
            if (asked[variable] && bound[variable]) {
                kept.head_terms.push_back(Term::variable(variable));
            }
        }
        const auto arity = static_cast<std::uint32_t>(kept.head_terms.size());
        const auto spare = std::find_if(spare_.begin(), spare_.end(), [&](PredicateId predicate) {
            return relations_[predicate]->arity() == arity && relations_[predicate]->linked_count() == 0;
        });
        if (spare != spare_.end()) {
            kept.head = *spare;
            spare_.erase(spare);
        } else {
            kept.head = add_relation({arity, NOTHING, NOTHING});
            relations_[kept.head]->is_hidden = true;
        }
        Body folded;
        for (const auto& [predicate, terms] :
             {std::pair(kept.head, kept.head_terms),
              std::pair(condition.predicate,
                        std::vector<Term>(body.terms_of(condition), body.terms_of(condition) + condition.count))}) {
            Condition match;
            match.predicate = predicate;
            match.first = static_cast<std::uint32_t>(folded.terms.size());
            match.count = static_cast<std::uint32_t>(terms.size());
            folded.terms.insert(folded.terms.end(), terms.begin(), terms.end());
            folded.conditions.push_back(match);
        }
        rule.written = std::make_unique<Body>(std::move(rule.body));
        rule.body = std::move(folded);
        return kept;
    }
    return std::nullopt;
}

}  // namespace hornbook
