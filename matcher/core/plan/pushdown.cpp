#include "plan/pushdown.hpp"

#include <algorithm>

#include "plan/conjunction.hpp"

namespace hornbook {

namespace {

bool is_growing(const Body& body) {
    return std::all_of(body.conditions.begin(), body.conditions.end(), [&](const Condition& condition) {
        return condition.kind == Kind::MATCH || condition.is_plain_comparison() ||
               (condition.kind == Kind::ALL && is_growing(body.detail_of(condition).inner));
    });
}

// A count of no sets reads no fact, so there is no fact to wait for.
bool can_be_early(const Body& body, const Condition& condition) {
    return (condition.kind == Kind::COUNT && !body.detail_of(condition).sets.empty()) ||
           (condition.kind == Kind::ALL && is_growing(body.detail_of(condition).inner));
}

// A body over other variables, and its code.
class Renaming {
public:
    Renaming(const Environment& environment, GuardForm& form) : environment_(environment), form_(form) {
        local_.resize(environment.of.size(), NOTHING);
    }

    // The parameters precede the local variables, so they are collected first.
    void find_parameters(const Body& body) {
        for (const Condition& condition : body.conditions) {
            for (std::uint32_t place = 0; place < condition.count; ++place) {
                find(body.terms_of(condition)[place]);
            }
            if (condition.detail != NOTHING) {
                const Detail& detail = body.detail_of(condition);
                for (const ClosedSet& set : detail.sets) {
                    std::for_each(set.key.begin(), set.key.end(), [&](const Term& term) { find(term); });
                }
                find_parameters(detail.inner);
            }
        }
    }

    Body renamed(const Body& body) {
        Body result;
        note(static_cast<Cell>(body.conditions.size()));
        for (const Condition& condition : body.conditions) {
            Condition copy = condition;
            note(static_cast<Cell>(condition.kind));
            note(static_cast<Cell>(condition.comparison));
            note(condition.predicate);
            note(condition.count);
            copy.first = static_cast<std::uint32_t>(result.terms.size());
            for (std::uint32_t place = 0; place < condition.count; ++place) {
                result.terms.push_back(renamed(body.terms_of(condition)[place]));
            }
            if (condition.detail != NOTHING) {
                copy.detail = static_cast<std::int32_t>(result.details.size());
                Detail detail = renamed(body.detail_of(condition));
                result.details.push_back(std::move(detail));
            }
            result.conditions.push_back(copy);
        }
        return result;
    }

    // Local variables from here on are new ones.
    Variable another() { return form_.guard.variables++; }
    Term renamed(const Term& term) {
        Term result = term;
        if (term.is_variable()) {
            result = environment_(term);
            if (result.is_variable()) {
                const auto found = std::find(form_.parameters.begin(), form_.parameters.end(), result);
                result = Term::variable(static_cast<Variable>(found - form_.parameters.begin()));
            } else if (!result.is_cell()) {
                std::int32_t& local = local_[term.index()];
                local = local == NOTHING ? static_cast<std::int32_t>(another()) : local;
                result = Term::variable(static_cast<Variable>(local));
            }
        }
        note(static_cast<Cell>(result.kind));
        note(result.value);
        return result;
    }
    void note(Cell cell) { form_.guard.code.push_back(cell); }

private:
    void find(const Term& term) {
        if (!term.is_variable()) {
            return;
        }
        const Term known = environment_(term);
        if (known.is_variable() &&
            std::find(form_.parameters.begin(), form_.parameters.end(), known) == form_.parameters.end()) {
            form_.parameters.push_back(known);
        }
    }

    Detail renamed(const Detail& detail) {
        Detail result;
        note(static_cast<Cell>(detail.sets.size()));
        for (const ClosedSet& set : detail.sets) {
            ClosedSet copy{set.count, set.member, {}};
            note(set.count);
            note(set.member);
            for (const Term& term : set.key) {
                copy.key.push_back(renamed(term));
            }
            result.sets.push_back(std::move(copy));
        }
        for (const Variable variable : detail.variables) {
            result.variables.push_back(renamed(Term::variable(variable)).index());
        }
        result.inner = renamed(detail.inner);
        return result;
    }

    const Environment& environment_;
    GuardForm& form_;
    std::vector<std::int32_t> local_;
};

// The monotonic part of a count: for each set some count, and at least that number of members.
Body counted(const Body& body, const Condition& condition, const Environment& environment) {
    const Detail& count = body.detail_of(condition);
    Body result;
    for (const ClosedSet& set : count.sets) {
        Condition all;
        all.kind = Kind::ALL;
        all.detail = static_cast<std::int32_t>(result.details.size());
        Detail detail;
        detail.sets = {set};
        result.details.push_back(std::move(detail));
        result.conditions.push_back(all);
    }
    const bool is_told = count.sets.size() == 1 && count.excluded.empty() && count.left.size() == 1;
    if (is_told && environment.knows(count.left[0].term)) {
        Condition match;
        match.predicate = count.sets[0].count;
        result.terms = count.sets[0].key;
        result.terms.push_back(count.left[0].term);
        match.count = static_cast<std::uint32_t>(result.terms.size());
        result.conditions.push_back(match);
    }
    return result;
}

}  // namespace

const Guard& Steps::guard(Guard&& guard, Planner& planner, std::uint32_t& number) {
    const auto [found, is_new] = guard_codes_.intern(guard.code);
    if (is_new) {
        auto kept = std::make_shared<Guard>(std::move(guard));
        std::vector<bool> known(kept->variables);
        std::fill(known.begin(), known.begin() + kept->parameters, true);
        kept->reading = planned(kept->body, known, known, planner);
        guards_.push_back(std::move(kept));
    }
    number = found;
    return *guards_[found];
}

std::optional<StepId> Planner::guard(const Body& body, const Condition& condition, const Environment& environment) {
    std::optional<GuardForm> form = guard_form(body, condition, environment);
    if (!form) {
        return std::nullopt;
    }
    Step step;
    step.kind = Step::Kind::GUARD;
    step.predicate = body.detail_of(condition).sets[0].member;
    step.relation = steps_.relations()[step.predicate].get();
    step.guard = &steps_.guard(std::move(form->guard), *this, step.index);
    step.key = std::move(form->parameters);
    return steps_.intern(std::move(step));
}

std::optional<GuardForm> guard_form(const Body& body, const Condition& condition, const Environment& environment) {
    if (!can_be_early(body, condition)) {
        return std::nullopt;
    }
    Body asked;
    if (condition.kind == Kind::COUNT) {
        asked = counted(body, condition, environment);
    } else {
        asked.conditions = {condition};
        asked.conditions[0].detail = 0;
        asked.details = {body.detail_of(condition)};
    }
    GuardForm form;
    Renaming renaming(environment, form);
    renaming.find_parameters(asked);
    form.guard.parameters = form.guard.variables = static_cast<std::uint32_t>(form.parameters.size());
    renaming.note(form.guard.parameters);
    form.guard.body = renaming.renamed(asked);
    if (condition.kind == Kind::COUNT) {
        const std::uint32_t width = body.detail_of(condition).width;
        renaming.note(width);
        for (Detail& detail : form.guard.body.details) {
            for (std::uint32_t place = 0; place < width; ++place) {
                detail.variables.push_back(renaming.another());
            }
        }
    }
    return form;
}

std::vector<Early> early_guards(const Body& body, const std::vector<bool>& in_head) {
    std::vector<Early> result;
    std::vector<std::uint32_t> occurs(in_head.size());
    std::vector<bool> matched(in_head.size());
    for (const Condition& condition : body.conditions) {
        std::vector<bool> mentioned(in_head.size());
        mark_variables(body, condition, mentioned);
        for (Variable variable = 0; variable < in_head.size(); ++variable) {
            occurs[variable] += mentioned[variable] ? 1 : 0;
            matched[variable] = matched[variable] || (mentioned[variable] && condition.kind == Kind::MATCH);
        }
    }
    for (std::uint32_t place = 0; place < body.conditions.size(); ++place) {
        const Condition& condition = body.conditions[place];
        if (!can_be_early(body, condition)) {
            continue;
        }
        std::vector<bool> asked(in_head.size());
        if (condition.kind == Kind::COUNT) {
            // If an overflow leaves a variable without a value, the count is unknown and not false, but it
            // may bind its result.
            mark_variables(body, condition, asked);
            for (Variable variable = 0; variable < in_head.size(); ++variable) {
                asked[variable] = asked[variable] && !matched[variable];
            }
            for (const Variable given : bindable_variables(body, condition, in_head.size())) {
                asked[given] = matched[given];
            }
            for (const ClosedSet& set : body.detail_of(condition).sets) {
                mark_variables(set.key, asked);
            }
        } else {
            std::vector<bool> mentioned(in_head.size());
            mark_variables(body, condition, mentioned);
            std::vector<bool> elsewhere = in_head;
            for (Variable variable = 0; variable < in_head.size(); ++variable) {
                elsewhere[variable] = elsewhere[variable] || occurs[variable] > (mentioned[variable] ? 1U : 0U);
            }
            asked = outer_variables(body, condition, elsewhere);
        }
        Early early{place, {}};
        for (Variable variable = 0; variable < in_head.size(); ++variable) {
            if (asked[variable]) {
                early.needs.push_back(variable);
            }
        }
        result.push_back(std::move(early));
    }
    return result;
}

}  // namespace hornbook
