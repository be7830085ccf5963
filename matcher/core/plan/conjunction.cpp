#include "plan/conjunction.hpp"

#include <algorithm>
#include <set>

namespace hornbook {

// Scope

namespace {

void mark(const Term& term, std::vector<bool>& marked) {
    if (term.is_variable()) {
        marked[term.index()] = true;
    }
}

void mark(const Expression& expression, std::vector<bool>& marked) {
    for (const Instruction& each : expression) {
        if (each.is_push) {
            mark(each.term, marked);
        }
    }
}

// The terms of a condition without those of the conditions inside it.
void mark_own(const Body& body, const Condition& condition, std::vector<bool>& marked) {
    if (condition.detail == NOTHING) {
        for (std::uint32_t place = 0; place < condition.count; ++place) {
            mark(body.terms_of(condition)[place], marked);
        }
        return;
    }
    const Detail& detail = body.detail_of(condition);
    mark(detail.left, marked);
    mark(detail.right, marked);
    for (const ClosedSet& set : detail.sets) {
        mark_variables(set.key, marked);
    }
    for (const Variable variable : detail.variables) {
        marked[variable] = true;
    }
    mark_variables(detail.excluded, marked);
}

}  // namespace

void mark_variables(const std::vector<Term>& terms, std::vector<bool>& marked) {
    for (const Term& term : terms) {
        mark(term, marked);
    }
}

void mark_variables(const Body& body, const Condition& condition, std::vector<bool>& marked) {
    mark_own(body, condition, marked);
    if (condition.detail != NOTHING) {
        mark_variables(body.detail_of(condition).inner, marked);
    }
}

void mark_variables(const Body& body, std::vector<bool>& marked) {
    for (const Condition& condition : body.conditions) {
        mark_variables(body, condition, marked);
    }
}

std::vector<bool> outer_variables(const Body& body, const Condition& condition, const std::vector<bool>& elsewhere) {
    std::vector<bool> outer(elsewhere.size());
    if (condition.kind == Kind::MATCH || condition.kind == Kind::COMPARE || condition.kind == Kind::COUNT) {
        mark_variables(body, condition, outer);
        return outer;
    }
    const Detail& detail = body.detail_of(condition);
    std::vector<bool> inside(elsewhere.size());
    mark_variables(detail.inner, inside);
    std::vector<bool> own(elsewhere.size());
    if (condition.kind == Kind::ALL) {
        mark_variables(detail.sets[0].key, own);
    } else if (condition.kind == Kind::AGGREGATE) {
        mark(detail.left, own);
    }
    std::vector<bool> listed = inside;
    for (const Variable variable : detail.variables) {
        listed[variable] = true;
    }
    for (Variable variable = 0; variable < outer.size(); ++variable) {
        const bool is_outside =
            elsewhere[variable] || (condition.kind == Kind::AGGREGATE && own[variable]);
        outer[variable] = own[variable] || (listed[variable] && is_outside);
    }
    return outer;
}

namespace {

std::vector<Variable> bindable_variables(const Body& body, const Condition& condition, std::size_t variables) {
    std::vector<Variable> result;
    if (condition.is_plain_comparison()) {
        const Term& left = body.terms_of(condition)[0];
        const Term& right = body.terms_of(condition)[1];
        if (condition.comparison == Comparison::EQUAL && !(left == right)) {
            for (const Term& term : {left, right}) {
                if (term.is_variable()) {
                    result.push_back(term.index());
                }
            }
        }
        return result;
    }
    if (condition.detail == NOTHING) {
        return result;
    }
    const Detail& detail = body.detail_of(condition);
    std::vector<bool> barred(variables);
    if (condition.kind == Kind::COMPARE && condition.comparison == Comparison::EQUAL) {
        for (const auto& [side, other] : {std::pair(&detail.left, &detail.right), std::pair(&detail.right, &detail.left)}) {
            barred.assign(variables, false);
            mark(*other, barred);
            if (is_variable(*side) && !barred[(*side)[0].term.index()]) {
                result.push_back((*side)[0].term.index());
            }
        }
    } else if ((condition.kind == Kind::COUNT || condition.kind == Kind::AGGREGATE) && is_variable(detail.left)) {
        for (const ClosedSet& set : detail.sets) {
            mark_variables(set.key, barred);
        }
        mark_variables(detail.excluded, barred);
        mark_variables(detail.inner, barred);
        for (const Variable variable : detail.variables) {
            barred[variable] = true;
        }
        if (!barred[detail.left[0].term.index()]) {
            result.push_back(detail.left[0].term.index());
        }
    }
    return result;
}

Expression expression_of(const Term& term) {
    Instruction push;
    push.term = term;
    return {push};
}

PlannedSet planned_set(const ClosedSet& set, Relations& relations) {
    PlannedSet result;
    result.count = set.count;
    result.member = set.member;
    result.key = set.key;
    std::vector<std::uint32_t> columns(set.key.size());
    for (std::uint32_t column = 0; column < columns.size(); ++column) {
        columns[column] = column;
    }
    result.count_index = relations[set.count]->index_on(columns);
    result.member_index = relations[set.member]->index_on(columns);
    return result;
}

// Whether it is true or false, and never unknown.
bool is_decided(const Residual& residual) {
    switch (residual.kind) {
        case Kind::COMPARE: return residual.left.size() == 1 && residual.right.size() == 1;
        case Kind::COUNT: return residual.left.size() == 1;
        case Kind::ALL:
        case Kind::ABSENT:
            return std::all_of(residual.inner->residuals.begin(), residual.inner->residuals.end(), is_decided);
        default: return false;
    }
}

bool has_all(const std::vector<bool>& asked, const std::vector<bool>& bound) {
    for (std::size_t variable = 0; variable < asked.size(); ++variable) {
        if (asked[variable] && !bound[variable]) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::unique_ptr<Conjunction> planned(const Body& body, const std::vector<bool>& known,
                                     const std::vector<bool>& outside, Planner& planner) {
    const std::size_t variables = known.size();
    auto result = std::make_unique<Conjunction>();
    result->body = &body;
    Environment environment;
    environment.is_private = true;
    environment.of.resize(variables);
    for (Variable variable = 0; variable < variables; ++variable) {
        if (known[variable]) {
            environment.of[variable] = Term::variable(variable);
        }
    }
    std::vector<bool> done(body.conditions.size());
    planner.plan(body, environment, done, {}, false, std::vector<bool>(variables, true), result->join);

    // The variables that occur outside of each condition: how often each occurs, less its own.
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> occurs(variables);
    std::vector<std::vector<bool>> mentioned(body.conditions.size());
    bool has_rest = false;
    for (std::uint32_t place = 0; place < body.conditions.size(); ++place) {
        has_rest = has_rest || !done[place];
    }
    result->known.resize(variables);
    for (Variable variable = 0; variable < variables; ++variable) {
        result->known[variable] = environment.of[variable].kind != Term::Kind::NONE;
    }
    if (!has_rest) {
        return result;
    }
    for (std::uint32_t place = 0; place < body.conditions.size(); ++place) {
        mentioned[place].resize(variables);
        mark_variables(body, body.conditions[place], mentioned[place]);
        for (Variable variable = 0; variable < variables; ++variable) {
            occurs[variable] += mentioned[place][variable] ? 1 : 0;
        }
        if (!done[place]) {
            waiting.push_back(place);
        }
    }
    std::vector<std::vector<bool>> elsewhere(body.conditions.size());
    std::vector<std::vector<bool>> needs(body.conditions.size());
    std::vector<std::vector<Variable>> gives(body.conditions.size());
    for (const std::uint32_t place : waiting) {
        elsewhere[place] = outside;
        for (Variable variable = 0; variable < variables; ++variable) {
            if (occurs[variable] > (mentioned[place][variable] ? 1U : 0U)) {
                elsewhere[place][variable] = true;
            }
        }
        needs[place] = outer_variables(body, body.conditions[place], elsewhere[place]);
        gives[place] = bindable_variables(body, body.conditions[place], variables);
    }
    std::vector<bool>& has = result->known;
    std::stable_sort(waiting.begin(), waiting.end(), [&](std::uint32_t one, std::uint32_t other) {
        return body.conditions[one].kind == Kind::COMPARE && body.conditions[other].kind != Kind::COMPARE;
    });
    std::vector<bool> is_computed(variables);
    std::vector<std::uint32_t> ordered;
    while (!waiting.empty()) {
        bool found = false;
        for (auto at = waiting.begin(); at != waiting.end(); ++at) {
            planner.budget().spend(variables);
            std::vector<Variable> lacking;
            for (Variable variable = 0; variable < variables; ++variable) {
                if (needs[*at][variable] && !has[variable]) {
                    lacking.push_back(variable);
                }
            }
            const auto& given = gives[*at];
            if (lacking.empty() ||
                (lacking.size() == 1 && std::find(given.begin(), given.end(), lacking[0]) != given.end())) {
                for (const Variable variable : lacking) {
                    has[variable] = true;
                    is_computed[variable] = true;
                    result->computed.push_back(variable);
                }
                ordered.push_back(*at);
                waiting.erase(at);
                found = true;
                break;
            }
        }
        if (!found) {
            throw RefusedProgram();
        }
    }
    for (const std::uint32_t place : ordered) {
        const Condition& condition = body.conditions[place];
        Residual residual;
        residual.place = place;
        residual.kind = condition.kind;
        residual.comparison = condition.comparison;
        residual.gives = gives[place];
        for (Variable variable = 0; variable < variables; ++variable) {
            if (needs[place][variable] && is_computed[variable]) {
                residual.needs.push_back(variable);
            }
        }
        if (condition.is_plain_comparison()) {
            residual.left = expression_of(body.terms_of(condition)[0]);
            residual.right = expression_of(body.terms_of(condition)[1]);
        } else {
            const Detail& detail = body.detail_of(condition);
            residual.left = detail.left;
            residual.right = detail.right;
            residual.function = detail.function;
            residual.variables = detail.variables;
            residual.excluded = detail.excluded;
            for (const ClosedSet& set : detail.sets) {
                residual.sets.push_back(planned_set(set, planner.relations()));
            }
            if (condition.kind == Kind::ALL || condition.kind == Kind::AGGREGATE || condition.kind == Kind::ABSENT) {
                std::vector<bool> inner_known = has;
                std::vector<bool> inner_outside = elsewhere[place];
                mark_own(body, condition, inner_outside);
                if (condition.kind == Kind::ALL) {
                    std::vector<bool> taken = elsewhere[place];
                    mark_variables(detail.sets[0].key, taken);
                    for (const Variable member : detail.variables) {
                        if (taken[member]) {
                            throw RefusedProgram();
                        }
                        taken[member] = true;
                        inner_known[member] = true;
                    }
                }
                residual.inner = planned(detail.inner, inner_known, inner_outside, planner);
                if (condition.kind == Kind::AGGREGATE) {
                    for (const Variable variable : detail.variables) {
                        if (!residual.inner->known[variable]) {
                            throw RefusedProgram();
                        }
                    }
                }
            }
        }
        result->residuals.push_back(std::move(residual));
    }
    for (std::uint32_t number = 0; number < result->residuals.size(); ++number) {
        Residual& residual = result->residuals[number];
        if (!residual.needs.empty() || !is_decided(residual)) {
            continue;
        }
        std::vector<bool> bound = known;
        // Before the first step that may have several rows once its variables have values.
        for (std::size_t at = 0; at < result->join.size(); ++at) {
            const Step& step = planner.steps()[result->join[at]];
            const bool may_grow = step.kind == Step::Kind::SCAN || step.kind == Step::Kind::LOOKUP;
            if (may_grow && has_all(needs[residual.place], bound)) {
                result->early.resize(result->join.size());
                result->early[at].push_back(number);
                residual.is_early = true;
                break;
            }
            for (const Field& output : step.outputs) {
                bound[output.slot] = true;
            }
            if (step.kind == Step::Kind::ASSIGN) {
                bound[step.slot] = true;
            }
        }
    }
    return result;
}

}  // namespace hornbook
