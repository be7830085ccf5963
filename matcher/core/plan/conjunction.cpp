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

namespace {

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

// Whether it is always true or false, never unknown.
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

// The construction of a conjunction from a body: the join first, then the remaining conditions, in an order
// in which each has its variables.
class Making {
public:
    Making(const Body& body, const std::vector<bool>& known, const std::vector<bool>& outside, Planner& planner)
        : body_(body), known_(known), outside_(outside), planner_(planner), variables_(known.size()),
          result_(std::make_unique<Conjunction>()), done_(body.conditions.size()), elsewhere_(done_.size()),
          needs_(done_.size()), gives_(done_.size()), is_computed_(variables_) {
        result_->body = &body;
    }

    std::unique_ptr<Conjunction> make() {
        join();
        find_scopes();
        for (const std::uint32_t place : ordered()) {
            result_->residuals.push_back(residual(place));
        }
        for (std::uint32_t number = 0; number < result_->residuals.size(); ++number) {
            ask_early(number);
        }
        return std::move(result_);
    }

private:
    void join() {
        Environment environment;
        environment.is_private = true;
        environment.of.resize(variables_);
        for (Variable variable = 0; variable < variables_; ++variable) {
            if (known_[variable]) {
                environment.of[variable] = Term::variable(variable);
            }
        }
        planner_.plan(body_, environment, done_, {}, false, std::vector<bool>(variables_, true), result_->join);
        result_->known.resize(variables_);
        for (Variable variable = 0; variable < variables_; ++variable) {
            result_->known[variable] = environment.of[variable].kind != Term::Kind::NONE;
        }
    }

    // For each remaining condition: its variables that occur outside of it (by the number of occurrences),
    // those that it needs, and those that it may bind.
    void find_scopes() {
        if (std::all_of(done_.begin(), done_.end(), [](bool is) { return is; })) {
            return;
        }
        std::vector<std::uint32_t> occurs(variables_), last(variables_);
        std::vector<std::vector<bool>> mentioned(done_.size());
        for (std::uint32_t place = 0; place < done_.size(); ++place) {
            const Condition& condition = body_.conditions[place];
            if (done_[place] && condition.detail == NOTHING) {
                const Term* terms = body_.terms_of(condition);
                for (const Term* term = terms; term != terms + condition.count; ++term) {
                    if (term->is_variable() && last[term->index()] != place + 1) {
                        last[term->index()] = place + 1;
                        ++occurs[term->index()];
                    }
                }
                continue;
            }
            mentioned[place].resize(variables_);
            mark_variables(body_, condition, mentioned[place]);
            for (Variable variable = 0; variable < variables_; ++variable) {
                occurs[variable] += mentioned[place][variable] ? 1 : 0;
            }
        }
        for (std::uint32_t place = 0; place < done_.size(); ++place) {
            if (done_[place]) {
                continue;
            }
            elsewhere_[place] = outside_;
            for (Variable variable = 0; variable < variables_; ++variable) {
                if (occurs[variable] > (mentioned[place][variable] ? 1U : 0U)) {
                    elsewhere_[place][variable] = true;
                }
            }
            needs_[place] = outer_variables(body_, body_.conditions[place], elsewhere_[place]);
            gives_[place] = bindable_variables(body_, body_.conditions[place], variables_);
        }
    }

    // Order each condition as soon as its variables have values, comparisons first. Throws RefusedProgram if
    // some never do.
    std::vector<std::uint32_t> ordered() {
        std::vector<std::uint32_t> waiting, order;
        for (std::uint32_t place = 0; place < done_.size(); ++place) {
            if (!done_[place]) {
                waiting.push_back(place);
            }
        }
        std::stable_sort(waiting.begin(), waiting.end(), [&](std::uint32_t one, std::uint32_t other) {
            return body_.conditions[one].kind == Kind::COMPARE && body_.conditions[other].kind != Kind::COMPARE;
        });
        while (!waiting.empty()) {
            const auto next =
                std::find_if(waiting.begin(), waiting.end(), [&](std::uint32_t place) { return take(place); });
            if (next == waiting.end()) {
                throw RefusedProgram();
            }
            order.push_back(*next);
            waiting.erase(next);
        }
        return order;
    }

    // Whether a condition has all values that it needs, or binds the missing one.
    bool take(std::uint32_t place) {
        planner_.budget().spend(variables_);
        std::vector<Variable> lacking;
        for (Variable variable = 0; variable < variables_; ++variable) {
            if (needs_[place][variable] && !result_->known[variable]) {
                lacking.push_back(variable);
            }
        }
        const auto& given = gives_[place];
        if (!lacking.empty() &&
            (lacking.size() > 1 || std::find(given.begin(), given.end(), lacking[0]) == given.end())) {
            return false;
        }
        for (const Variable variable : lacking) {
            result_->known[variable] = true;
            is_computed_[variable] = true;
            result_->computed.push_back(variable);
        }
        return true;
    }

    Residual residual(std::uint32_t place) {
        const Condition& condition = body_.conditions[place];
        Residual residual;
        residual.place = place;
        residual.kind = condition.kind;
        residual.comparison = condition.comparison;
        residual.gives = gives_[place];
        for (Variable variable = 0; variable < variables_; ++variable) {
            if (needs_[place][variable] && is_computed_[variable]) {
                residual.needs.push_back(variable);
            }
        }
        if (condition.is_plain_comparison()) {
            residual.left = expression_of(body_.terms_of(condition)[0]);
            residual.right = expression_of(body_.terms_of(condition)[1]);
            return residual;
        }
        const Detail& detail = body_.detail_of(condition);
        residual.left = detail.left;
        residual.right = detail.right;
        residual.function = detail.function;
        residual.variables = detail.variables;
        residual.excluded = detail.excluded;
        for (const ClosedSet& set : detail.sets) {
            residual.sets.push_back(planned_set(set, planner_.relations()));
        }
        if (condition.kind == Kind::ALL || condition.kind == Kind::AGGREGATE || condition.kind == Kind::ABSENT) {
            residual.inner = inner(place);
        }
        return residual;
    }

    // The conditions inside of one. Throws RefusedProgram if its local variables are not bound there, or
    // occur elsewhere.
    std::unique_ptr<Conjunction> inner(std::uint32_t place) {
        const Condition& condition = body_.conditions[place];
        const Detail& detail = body_.detail_of(condition);
        std::vector<bool> inner_known = result_->known;
        std::vector<bool> inner_outside = elsewhere_[place];
        mark_own(body_, condition, inner_outside);
        if (condition.kind == Kind::ALL) {
            std::vector<bool> taken = elsewhere_[place];
            mark_variables(detail.sets[0].key, taken);
            for (const Variable member : detail.variables) {
                if (taken[member]) {
                    throw RefusedProgram();
                }
                taken[member] = true;
                inner_known[member] = true;
            }
        }
        auto result = planned(detail.inner, inner_known, inner_outside, planner_);
        if (condition.kind == Kind::AGGREGATE &&
            !std::all_of(detail.variables.begin(), detail.variables.end(),
                         [&](Variable variable) { return result->known[variable]; })) {
            throw RefusedProgram();
        }
        return result;
    }

    // Test a condition before the first step that may have several rows once its variables have values, if it
    // cannot be unknown.
    void ask_early(std::uint32_t number) {
        Residual& residual = result_->residuals[number];
        if (!residual.needs.empty() || !is_decided(residual)) {
            return;
        }
        std::vector<bool> bound = known_;
        for (std::size_t at = 0; at < result_->join.size(); ++at) {
            const Step& step = planner_.steps()[result_->join[at]];
            const bool may_grow = step.kind == Step::Kind::SCAN || step.kind == Step::Kind::LOOKUP;
            if (may_grow && has_all(needs_[residual.place], bound)) {
                result_->early.resize(result_->join.size());
                result_->early[at].push_back(number);
                residual.is_early = true;
                return;
            }
            for (const Field& output : step.outputs) {
                bound[output.slot] = true;
            }
            if (step.kind == Step::Kind::ASSIGN) {
                bound[step.slot] = true;
            }
        }
    }

    const Body& body_;
    const std::vector<bool>& known_;
    const std::vector<bool>& outside_;
    Planner& planner_;
    const std::size_t variables_;
    std::unique_ptr<Conjunction> result_;
    std::vector<bool> done_;
    // By index, for the remaining conditions:
    std::vector<std::vector<bool>> elsewhere_, needs_;
    std::vector<std::vector<Variable>> gives_;
    std::vector<bool> is_computed_;
};

}  // namespace

std::unique_ptr<Conjunction> planned(const Body& body, const std::vector<bool>& known,
                                     const std::vector<bool>& outside, Planner& planner) {
    return Making(body, known, outside, planner).make();
}

}  // namespace hornbook
