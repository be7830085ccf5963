#include "report/origins.hpp"

#include <algorithm>
#include <optional>

#include "plan/pushdown.hpp"

namespace hornbook {

namespace {

Comparison turned(Comparison comparison) {
    switch (comparison) {
        case Comparison::LESS: return Comparison::GREATER;
        case Comparison::AT_MOST: return Comparison::AT_LEAST;
        case Comparison::GREATER: return Comparison::LESS;
        case Comparison::AT_LEAST: return Comparison::AT_MOST;
        default: return comparison;
    }
}

class Follower {
public:
    Follower(const Body& body, const Beginning& beginning, PredicateId seed, const Steps& steps,
             const std::vector<StepId>& plan)
        : body_(body), beginning_(beginning), seed_(seed), steps_(steps), plan_(plan), places_(plan.size(), NOTHING) {}

    bool follow() {
        State state;
        state.done.resize(body_.conditions.size());
        state.environment.of.resize(std::max(beginning_.ignored.size(), beginning_.known.size()));
        is_private_ = !beginning_.known.empty();
        for (Variable variable = 0; variable < beginning_.known.size(); ++variable) {
            if (beginning_.known[variable]) {
                state.environment.of[variable] = Term::variable(variable);
            }
        }
        std::size_t at = 0;
        for (std::uint32_t column = 0; column < beginning_.terms.size(); ++column) {
            const Term& term = beginning_.terms[column];
            if (term.kind == Term::Kind::NONE || (term.is_variable() && beginning_.ignored[term.index()])) {
                continue;
            }
            if (!state.environment.knows(term)) {
                state.environment.of[term.index()] = Term::variable(column);
                continue;
            }
            if (at == plan_.size() || !is_test(steps_[plan_[at]], Term::variable(column), state.environment(term))) {
                return false;
            }
            places_[at++] = beginning_.place;
        }
        if (beginning_.is_condition) {
            state.done[static_cast<std::size_t>(beginning_.place)] = true;
        }
        return go_on(std::move(state), at);
    }

    std::vector<std::int32_t> places() { return std::move(places_); }

private:
    struct Pending {
        Term slot, wanted;
        std::int32_t place;
    };
    struct State {
        Environment environment;
        std::vector<bool> done;
        std::vector<Pending> pending;  // cells of the last row that are tested right after it
    };

    struct Fit {
        std::vector<std::pair<Variable, Term>> bound;
        std::vector<Pending> pending;
    };

    static bool is_test(const Step& step, const Term& left, const Term& right) {
        return step.kind == Step::Kind::TEST && step.comparison == Comparison::EQUAL && step.left == left &&
               step.right == right;
    }

    // Plain equations that make a variable known take no step in a shared plan.
    void learn(State& state) const {
        for (bool found = !is_private_; found;) {
            found = false;
            for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
                const Condition& condition = body_.conditions[place];
                if (state.done[place] || !condition.is_plain_comparison() ||
                    condition.comparison != Comparison::EQUAL) {
                    continue;
                }
                const Term* terms = body_.terms_of(condition);
                const bool knows_left = state.environment.knows(terms[0]);
                if (knows_left != state.environment.knows(terms[1])) {
                    const Term& unknown = terms[knows_left ? 1 : 0];
                    state.environment.of[unknown.index()] = state.environment(terms[knows_left ? 0 : 1]);
                    state.done[place] = true;
                    found = true;
                }
            }
        }
    }

    bool go_on(State state, std::size_t at) {
        learn(state);
        if (++tried_ > MOST_TRIED) {
            return false;
        }
        for (; at < plan_.size(); ++at) {
            const Step& step = steps_[plan_[at]];
            switch (step.kind) {
                case Step::Kind::TEST:
                case Step::Kind::CHECK:
                case Step::Kind::ASSIGN:
                case Step::Kind::CALCULATE:
                case Step::Kind::GUARD: {
                    const std::optional<std::int32_t> place = compared(step, state);
                    if (!place) {
                        return false;
                    }
                    places_[at] = *place;
                    break;
                }
                default:
                    for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
                        Fit fit;
                        if (!state.done[place] && fits(step, place, state.environment, fit)) {
                            State next = state;
                            next.done[place] = true;
                            for (const auto& [variable, slot] : fit.bound) {
                                next.environment.of[variable] = slot;
                            }
                            next.pending.insert(next.pending.end(), fit.pending.begin(), fit.pending.end());
                            places_[at] = static_cast<std::int32_t>(place);
                            if (go_on(std::move(next), at + 1)) {
                                return true;
                            }
                        }
                    }
                    return false;
            }
            learn(state);
        }
        for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
            if (body_.conditions[place].kind == Kind::MATCH && !state.done[place]) {
                return false;
            }
        }
        return true;
    }

    // The condition that a step without rows decides.
    std::optional<std::int32_t> compared(const Step& step, State& state) const {
        for (auto each = state.pending.begin(); each != state.pending.end(); ++each) {
            if (is_test(step, each->slot, each->wanted)) {
                const std::int32_t place = each->place;
                state.pending.erase(each);
                return place;
            }
        }
        for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
            const Condition& condition = body_.conditions[place];
            if (step.kind == Step::Kind::GUARD) {
                const std::optional<GuardForm> form = guard_form(body_, condition, state.environment);
                if (form && form->guard.code == step.guard->code && form->parameters == step.key) {
                    return static_cast<std::int32_t>(place);
                }
            } else if (!state.done[place] && condition.kind == Kind::COMPARE && decides(step, condition, state)) {
                state.done[place] = true;
                return static_cast<std::int32_t>(place);
            }
        }
        return std::nullopt;
    }

    bool decides(const Step& step, const Condition& condition, State& state) const {
        Environment& environment = state.environment;
        if (condition.is_plain_comparison()) {
            const Term left = environment(body_.terms_of(condition)[0]);
            const Term right = environment(body_.terms_of(condition)[1]);
            if (step.kind == Step::Kind::TEST) {
                return (step.left == left && step.right == right && step.comparison == condition.comparison) ||
                       (step.left == right && step.right == left && step.comparison == turned(condition.comparison));
            }
            for (const auto& [known, unknown] : {std::pair(left, body_.terms_of(condition)[1]),
                                                 std::pair(right, body_.terms_of(condition)[0])}) {
                if (step.kind == Step::Kind::ASSIGN && step.left == known && unknown.is_variable() &&
                    unknown.index() == step.slot && !environment.knows(unknown)) {
                    environment.of[unknown.index()] = Term::variable(step.slot);
                    return true;
                }
            }
            return false;
        }
        const Detail& detail = body_.detail_of(condition);
        const bool knows_left = knows(environment, detail.left);
        const bool knows_right = knows(environment, detail.right);
        if (step.kind == Step::Kind::CHECK) {
            return knows_left && knows_right && step.comparison == condition.comparison &&
                   step.left_expression == translated(detail.left, environment) &&
                   step.right_expression == translated(detail.right, environment);
        }
        if (step.kind != Step::Kind::CALCULATE || knows_left == knows_right) {
            return false;
        }
        const Expression& unknown = knows_left ? detail.right : detail.left;
        if (!is_variable(unknown) ||
            step.right_expression != translated(knows_left ? detail.left : detail.right, environment)) {
            return false;
        }
        environment.of[unknown[0].term.index()] = Term::variable(step.slot);
        return true;
    }

    // Whether a step reads the facts of a condition, and what it binds and leaves to be tested then.
    bool fits(const Step& step, std::size_t place, const Environment& environment, Fit& fit) const {
        const Condition& condition = body_.conditions[place];
        const bool is_not_seed = beginning_.is_condition && static_cast<std::int32_t>(place) < beginning_.place &&
                                 condition.predicate == seed_;
        if (condition.kind != Kind::MATCH || condition.predicate != step.predicate || step.is_not_seed != is_not_seed) {
            return false;
        }
        const auto bound_to = [&](const Term& term) {
            const auto found = std::find_if(fit.bound.begin(), fit.bound.end(), [&](const auto& each) {
                return term.is_variable() && each.first == term.index();
            });
            return found == fit.bound.end() ? environment(term) : found->second;
        };
        const std::vector<Term> wanted = terms_of(step);
        for (std::uint32_t column = 0; column < condition.count; ++column) {
            const Term& term = body_.terms_of(condition)[column];
            const bool is_output = std::any_of(step.outputs.begin(), step.outputs.end(),
                                               [&](const Field& field) { return field.column == column; });
            if (!is_output) {
                const Term known = bound_to(term);
                if (wanted[column].kind == Term::Kind::NONE ? known.kind != Term::Kind::NONE : !(known == wanted[column])) {
                    return false;
                }
            } else if (environment.knows(term)) {
                fit.pending.push_back({wanted[column], environment(term), static_cast<std::int32_t>(place)});
            } else if (bound_to(term).kind != Term::Kind::NONE) {
                return false;
            } else {
                fit.bound.emplace_back(term.index(), wanted[column]);
            }
        }
        return true;
    }

    const Body& body_;
    const Beginning& beginning_;
    const PredicateId seed_;
    const Steps& steps_;
    const std::vector<StepId>& plan_;
    std::vector<std::int32_t> places_;
    bool is_private_ = false;
    // Conditions that are alike may be laid in very many ways, of which none fits.
    static constexpr std::size_t MOST_TRIED = 10'000;
    std::size_t tried_ = 0;
};

// What the guards of a body read, at any depth, as facts that a changed one has to fit.
void read_inside(const Body& body, bool is_inner, PredicateId predicate, std::uint32_t arity,
                 std::vector<std::vector<Term>>& found) {
    for (const Condition& condition : body.conditions) {
        if (is_inner && condition.kind == Kind::MATCH && condition.predicate == predicate) {
            const Term* terms = body.terms_of(condition);
            found.emplace_back(terms, terms + condition.count);
        }
        if (condition.detail == NOTHING) {
            continue;
        }
        const Detail& detail = body.detail_of(condition);
        for (const ClosedSet& set : detail.sets) {
            for (const PredicateId read : {set.count, set.member}) {
                if (read == predicate) {
                    found.push_back(set.key);
                    found.back().resize(arity);
                }
            }
        }
        read_inside(detail.inner, true, predicate, arity, found);
    }
}

// The members that a guard asks for.
std::vector<Term> terms_of_guard(const Step& step, std::vector<Term> terms) {
    const Body& body = step.guard->body;
    const std::vector<Term>& key = body.detail_of(body.conditions[0]).sets[0].key;
    for (std::size_t column = 0; column < key.size(); ++column) {
        terms[column] = key[column].is_variable() ? step.key[key[column].index()] : key[column];
    }
    return terms;
}

}  // namespace

std::vector<Term> terms_of(const Step& step) {
    std::vector<Term> terms(step.relation->arity());
    if (step.kind == Step::Kind::GUARD) {
        return terms_of_guard(step, std::move(terms));
    }
    for (std::size_t place = 0; place < step.key.size(); ++place) {
        const bool is_lookup = step.kind == Step::Kind::LOOKUP;
        terms[is_lookup ? step.relation->index(step.index).columns()[place] : place] = step.key[place];
    }
    for (const auto* fields : {&step.outputs, &step.repeated}) {
        for (const Field& field : *fields) {
            terms[field.column] = Term::variable(field.slot);
        }
    }
    return terms;
}

std::vector<std::int32_t> origins(const Body& body, const Beginning& beginning, PredicateId seed, const Steps& steps,
                                  const std::vector<StepId>& plan) {
    Follower follower(body, beginning, seed, steps, plan);
    return follower.follow() ? follower.places() : std::vector<std::int32_t>();
}

std::vector<Beginning> beginnings(const Body& body, PredicateId predicate, std::uint32_t arity, std::size_t variables,
                                  const std::vector<bool>* known) {
    std::vector<Beginning> result;
    std::vector<bool> ignored(variables);
    for (std::size_t place = 0; place < body.conditions.size(); ++place) {
        const Condition& condition = body.conditions[place];
        if (condition.kind == Kind::MATCH && condition.predicate == predicate) {
            const Term* terms = body.terms_of(condition);
            result.push_back({static_cast<std::int32_t>(place), true, {terms, terms + condition.count}, ignored, {}});
        }
    }
    if (known == nullptr) {
        return result;
    }
    ignored = *known;
    ignored.flip();
    for (std::size_t place = 0; place < body.conditions.size(); ++place) {
        if (body.conditions[place].detail == NOTHING) {
            continue;
        }
        Body alone;
        alone.conditions = {body.conditions[place]};
        alone.terms = body.terms;
        alone.details = body.details;
        std::vector<std::vector<Term>> found;
        read_inside(alone, false, predicate, arity, found);
        for (std::vector<Term>& terms : found) {
            result.push_back({static_cast<std::int32_t>(place), false, std::move(terms), ignored, {}});
        }
    }
    return result;
}

}  // namespace hornbook
