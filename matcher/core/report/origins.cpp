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
        done_.resize(body_.conditions.size());
        environment_.of.resize(std::max(beginning_.ignored.size(), beginning_.known.size()));
        is_private_ = !beginning_.known.empty();
        for (Variable variable = 0; variable < beginning_.known.size(); ++variable) {
            if (beginning_.known[variable]) {
                environment_.of[variable] = Term::variable(variable);
            }
        }
        std::size_t at = 0;
        for (std::uint32_t column = 0; column < beginning_.terms.size(); ++column) {
            const Term& term = beginning_.terms[column];
            if (term.kind == Term::Kind::NONE || (term.is_variable() && beginning_.ignored[term.index()])) {
                continue;
            }
            if (!environment_.knows(term)) {
                environment_.of[term.index()] = Term::variable(column);
                continue;
            }
            if (at == plan_.size() || !is_test(steps_[plan_[at]], Term::variable(column), environment_(term))) {
                return false;
            }
            places_[at++] = beginning_.place;
        }
        if (beginning_.is_condition) {
            done_[static_cast<std::size_t>(beginning_.place)] = true;
        }
        return lay(at);
    }

    std::vector<std::int32_t> places() { return std::move(places_); }

private:
    struct Pending {
        Term slot, wanted;
        std::int32_t place;
    };
    // A step with rows, the positions from `next` on that are still to be tried, and the state before it.
    struct Choice {
        std::size_t at;
        std::size_t next;
        std::size_t bound, finished;
        std::vector<Pending> pending;
    };

    struct Fit {
        std::vector<std::pair<Variable, Term>> bound;
        std::vector<Pending> pending;
    };

    static bool is_test(const Step& step, const Term& left, const Term& right) {
        return step.kind == Step::Kind::TEST && step.comparison == Comparison::EQUAL && step.left == left &&
               step.right == right;
    }

    void bind(Variable variable, const Term& slot) {
        environment_.of[variable] = slot;
        bound_.push_back(variable);
    }
    void finish(std::size_t place) {
        done_[place] = true;
        finished_.push_back(place);
    }
    void undo(const Choice& choice) {
        for (; bound_.size() > choice.bound; bound_.pop_back()) {
            environment_.of[bound_.back()] = Term();
        }
        for (; finished_.size() > choice.finished; finished_.pop_back()) {
            done_[finished_.back()] = false;
        }
        pending_ = choice.pending;
    }

    // Plain equations that bind a variable take no step in a shared plan.
    void learn() {
        for (bool found = !is_private_; found;) {
            found = false;
            for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
                const Condition& condition = body_.conditions[place];
                if (done_[place] || !condition.is_plain_comparison() || condition.comparison != Comparison::EQUAL) {
                    continue;
                }
                const Term* terms = body_.terms_of(condition);
                const bool knows_left = environment_.knows(terms[0]);
                if (knows_left != environment_.knows(terms[1])) {
                    bind(terms[knows_left ? 1 : 0].index(), environment_(terms[knows_left ? 0 : 1]));
                    finish(place);
                    found = true;
                }
            }
        }
    }

    // Assign the plan from a step on to the remaining conditions. It is not recursive, because plans may be
    // long: the steps with other possible positions are on a stack.
    bool lay(std::size_t at) {
        std::vector<Choice> choices;
        std::optional<std::size_t> reached = pass(at);
        for (std::size_t tried = 1;;) {
            if (reached == plan_.size() && is_complete()) {
                return true;
            }
            if (reached && *reached < plan_.size()) {
                choices.push_back({*reached, 0, bound_.size(), finished_.size(), pending_});
            }
            while (!choices.empty() && !lay_next(choices.back())) {
                choices.pop_back();
            }
            if (choices.empty() || ++tried > MOST_TRIED) {
                return false;
            }
            reached = pass(choices.back().at + 1);
        }
    }

    // Assign a step with rows to the next position that it fits, if there is one.
    bool lay_next(Choice& choice) {
        undo(choice);
        while (choice.next < body_.conditions.size()) {
            const std::size_t place = choice.next++;
            Fit fit;
            if (!done_[place] && fits(steps_[plan_[choice.at]], place, fit)) {
                finish(place);
                for (const auto& [variable, slot] : fit.bound) {
                    bind(variable, slot);
                }
                pending_.insert(pending_.end(), fit.pending.begin(), fit.pending.end());
                places_[choice.at] = static_cast<std::int32_t>(place);
                return true;
            }
        }
        return false;
    }

    // Pass over the steps without rows: to the next one that has rows, or the end. The result is empty if one
    // decides no condition.
    std::optional<std::size_t> pass(std::size_t at) {
        for (learn(); at < plan_.size(); ++at) {
            const Step& step = steps_[plan_[at]];
            if (step.kind == Step::Kind::SCAN || step.kind == Step::Kind::LOOKUP || step.kind == Step::Kind::EXACT) {
                break;
            }
            const std::optional<std::int32_t> place = compared(step);
            if (!place) {
                return std::nullopt;
            }
            places_[at] = *place;
            learn();
        }
        return at;
    }

    [[nodiscard]] bool is_complete() const {
        for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
            if (body_.conditions[place].kind == Kind::MATCH && !done_[place]) {
                return false;
            }
        }
        return true;
    }

    // The condition that a step without rows decides.
    std::optional<std::int32_t> compared(const Step& step) {
        for (auto each = pending_.begin(); each != pending_.end(); ++each) {
            if (is_test(step, each->slot, each->wanted)) {
                const std::int32_t place = each->place;
                pending_.erase(each);
                return place;
            }
        }
        for (std::size_t place = 0; place < body_.conditions.size(); ++place) {
            const Condition& condition = body_.conditions[place];
            if (step.kind == Step::Kind::GUARD) {
                const std::optional<GuardForm> form = guard_form(body_, condition, environment_);
                if (form && form->guard.code == step.guard->code && form->parameters == step.key) {
                    return static_cast<std::int32_t>(place);
                }
            } else if (!done_[place] && condition.kind == Kind::COMPARE && decides(step, condition)) {
                finish(place);
                return static_cast<std::int32_t>(place);
            }
        }
        return std::nullopt;
    }

    bool decides(const Step& step, const Condition& condition) {
        const Environment& environment = environment_;
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
                    bind(unknown.index(), Term::variable(step.slot));
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
        bind(unknown[0].term.index(), Term::variable(step.slot));
        return true;
    }

    // Whether a step reads the facts of a condition, with its bindings and the remaining tests.
    bool fits(const Step& step, std::size_t place, Fit& fit) const {
        const Environment& environment = environment_;
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
    Environment environment_;
    std::vector<bool> done_;
    std::vector<Pending> pending_;  // cells of the last row that are tested right after it
    std::vector<Variable> bound_;   // in the order of binding, for undoing
    std::vector<std::size_t> finished_;
    bool is_private_ = false;
    // Equal conditions may have very many assignments without a fitting one.
    static constexpr std::size_t MOST_TRIED = 10'000;
};

// The facts that the guards of a body read, at any depth, as patterns for a changed fact.
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

// The members that a guard reads.
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
        terms[is_lookup ? step.relation->columns_of(step.index)[place] : place] = step.key[place];
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
