#include "plan/plan.hpp"

#include <algorithm>

#include "plan/frontier.hpp"
#include "plan/pushdown.hpp"

namespace hornbook {

namespace {

void encode(std::vector<Cell>& code, const Term& term) {
    code.push_back(static_cast<Cell>(term.kind));
    code.push_back(term.value);
}

void encode(std::vector<Cell>& code, const Expression& expression) {
    code.push_back(static_cast<Cell>(expression.size()));
    for (const Instruction& each : expression) {
        code.push_back(each.is_push ? NOTHING : static_cast<Cell>(each.operation));
        code.push_back(each.operands);
        encode(code, each.term);
    }
}

void encode(std::vector<Cell>& code, const std::vector<Field>& fields) {
    code.push_back(static_cast<Cell>(fields.size()));
    for (const Field& field : fields) {
        code.push_back(field.column);
        code.push_back(field.slot);
    }
}

Comparison turned(Comparison comparison) {
    switch (comparison) {
        case Comparison::LESS: return Comparison::GREATER;
        case Comparison::AT_MOST: return Comparison::AT_LEAST;
        case Comparison::GREATER: return Comparison::LESS;
        case Comparison::AT_LEAST: return Comparison::AT_MOST;
        default: return comparison;
    }
}

// The access of a condition to its facts: the columns with known cells, and whether these are all columns.
struct Access {
    bool is_exact = false;
    std::vector<std::uint32_t> columns;
};

Access access(const Relation& relation, const Term* terms, const Environment& environment) {
    const std::uint32_t arity = relation.arity();
    const auto key_width = static_cast<std::uint32_t>(std::max(relation.predicate.key, 0));
    const auto is_known = [&](const Term& term) { return environment.knows(term); };
    const auto is_cell = [&](const Term& term) { return environment(term).is_cell(); };
    // If the key alone determines the fact, rules with different values share the lookup.
    const bool by_key =
        relation.predicate.key != NOTHING && key_width > 0 && std::all_of(terms, terms + key_width, is_known);
    Access found;
    found.is_exact = std::all_of(terms, terms + arity, is_known) &&
                     (environment.is_private || !by_key || std::none_of(terms + key_width, terms + arity, is_cell));
    for (std::uint32_t column = 0; column < arity; ++column) {
        if (found.is_exact || (is_known(terms[column]) && (!by_key || column < key_width))) {
            found.columns.push_back(column);
        }
    }
    return found;
}

}  // namespace

// Codes

std::pair<std::uint32_t, bool> Codes::intern(const std::vector<Cell>& code) {
    if (2 * (ends_.size() + 1) > slots_.size()) {
        grow();
    }
    const std::uint64_t hash = hash_cells(code.data(), code.size());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        const std::uint32_t number = slots_[slot];
        if (number == NO_ROW) {
            slots_[slot] = static_cast<std::uint32_t>(ends_.size());
            cells_.insert(cells_.end(), code.begin(), code.end());
            ends_.push_back(cells_.size());
            hashes_.push_back(hash);
            return {slots_[slot], true};
        }
        if (hashes_[number] == hash && ends_[number] - begin(number) == code.size() &&
            std::equal(code.begin(), code.end(), cells_.begin() + static_cast<std::ptrdiff_t>(begin(number)))) {
            return {number, false};
        }
    }
}

void Codes::grow() {
    slots_.assign(2 * slots_.size(), NO_ROW);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t number = 0; number < ends_.size(); ++number) {
        std::size_t slot = hashes_[number] & mask;
        while (slots_[slot] != NO_ROW) {
            slot = (slot + 1) & mask;
        }
        slots_[slot] = number;
    }
}

std::uint32_t Projections::intern(const std::vector<Term>& terms) {
    code_.clear();
    for (const Term& term : terms) {
        encode(code_, term);
    }
    const auto [number, is_new] = codes_.intern(code_);
    if (is_new) {
        lists_.push_back(terms);
    }
    return number;
}

StepId Steps::intern(Step&& step) {
    code_.clear();
    code_.push_back(static_cast<Cell>(step.kind));
    code_.push_back(static_cast<Cell>(step.comparison));
    code_.push_back(step.is_not_seed ? 1 : 0);
    code_.push_back(step.predicate);
    code_.push_back(step.index);
    code_.push_back(step.slot);
    code_.push_back(static_cast<Cell>(step.key.size()));
    for (const Term& term : step.key) {
        encode(code_, term);
    }
    encode(code_, step.outputs);
    encode(code_, step.repeated);
    encode(code_, step.left);
    encode(code_, step.right);
    encode(code_, step.left_expression);
    encode(code_, step.right_expression);
    const auto [number, is_new] = codes_.intern(code_);
    if (is_new) {
        steps_.push_back(std::make_unique<Step>(std::move(step)));
    }
    return number;
}

// Expressions

Expression translated(const Expression& expression, const Environment& environment) {
    Expression result = expression;
    for (Instruction& each : result) {
        if (each.is_push) {
            each.term = environment(each.term);
        }
    }
    return result;
}

bool knows(const Environment& environment, const Expression& expression) {
    return std::all_of(expression.begin(), expression.end(), [&](const Instruction& each) {
        return !each.is_push || environment.knows(each.term);
    });
}

bool is_variable(const Expression& expression) {
    return expression.size() == 1 && expression[0].term.is_variable();
}

// Planner

// Whether the columns of a predicate's key are known.
static bool has_key(const Predicate& predicate, const std::vector<bool>& known) {
    return predicate.key != NOTHING && std::all_of(known.begin(), known.begin() + predicate.key, [](bool is) { return is; });
}

double Planner::expected_rows(PredicateId predicate, const std::vector<bool>& known) {
    constexpr double MIDDLING = 30;  // the assumed number of distinct cells in a column without statistics
    Relation& relation = *steps_.relations()[predicate];
    const auto found = statistics_.measures.find(predicate);
    double rows = 1;
    const bool is_measured = found != statistics_.measures.end();
    // Relations concluded by rules may have only started to grow.
    constexpr std::size_t GROWN = 1024;
    const bool is_counted = relation.linked_count() != 0 && (facts_are_finished_ || !relation.is_concluded ||
                                                             relation.linked_count() >= GROWN);
    if (is_measured) {
        rows = found->second.rows;
    } else if (is_counted) {
        rows = static_cast<double>(relation.linked_count());
    } else {
        for (std::size_t column = 0; column < known.size(); ++column) {
            rows *= MIDDLING;
        }
    }
    for (std::uint32_t column = 0; column < known.size(); ++column) {
        if (known[column]) {
            const double distinct = is_measured  ? found->second.distinct[column]
                                    : is_counted ? static_cast<double>(relation.distinct(column))
                                                 : MIDDLING;
            rows /= std::max(1.0, distinct);
        }
    }
    return has_key(relation.predicate, known) ? std::min(rows, 1.0) : rows;
}

void Planner::begin(const std::vector<Term>& terms, Environment& environment, const std::vector<bool>& ignored,
                    std::vector<StepId>& plan) {
    environment.slots = static_cast<std::uint32_t>(terms.size());
    for (std::uint32_t column = 0; column < terms.size(); ++column) {
        const Term& term = terms[column];
        if (term.kind == Term::Kind::NONE || (term.is_variable() && ignored[term.index()])) {
            continue;
        }
        if (environment.knows(term)) {
            Step step;
            step.kind = Step::Kind::TEST;
            step.left = Term::variable(column);
            step.right = environment(term);
            plan.push_back(steps_.intern(std::move(step)));
        } else {
            environment.learn(term.index(), Term::variable(column));
        }
    }
}

void Planner::match(const Body& body, const Condition& condition, Environment& environment, bool is_not_seed,
                    const std::vector<bool>& is_needed, std::vector<StepId>& plan) {
    const Term* terms = body.terms_of(condition);
    Relation& relation = *steps_.relations()[condition.predicate];
    const std::uint32_t arity = relation.arity();
    auto [is_exact, columns] = access(relation, terms, environment);
    Step step;
    step.predicate = condition.predicate;
    step.relation = &relation;
    step.is_not_seed = is_not_seed;
    for (const std::uint32_t column : columns) {
        step.key.push_back(environment(terms[column]));
    }
    std::vector<Step> tests;
    std::vector<Variable> bound;
    for (std::uint32_t column = 0; column < arity && !is_exact; ++column) {
        const Term& term = terms[column];
        if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
            continue;
        }
        if (term.is_variable() && std::find(bound.begin(), bound.end(), term.index()) != bound.end()) {
            step.repeated.push_back({column, environment(term).index()});
        } else if (environment.knows(term)) {
            if (environment.is_private) {  // there are no free slots
                step.key.push_back(environment(term));
                columns.push_back(column);
                continue;
            }
            const std::uint32_t slot = environment.slots++;
            step.outputs.push_back({column, slot});
            Step test;
            test.kind = Step::Kind::TEST;
            test.left = Term::variable(slot);
            test.right = environment(term);
            tests.push_back(std::move(test));
        } else if (is_needed[term.index()]) {
            step.outputs.push_back({column, environment.bind(term.index())});
            bound.push_back(term.index());
        }
    }
    step.kind = is_exact ? Step::Kind::EXACT : columns.empty() ? Step::Kind::SCAN : Step::Kind::LOOKUP;
    if (step.kind == Step::Kind::LOOKUP) {
        step.index = relation.index_on(columns);
    }
    plan.push_back(steps_.intern(std::move(step)));
    for (Step& test : tests) {
        plan.push_back(steps_.intern(std::move(test)));
    }
}

// A comparison of two terms, which may bind one of them.
bool Planner::compare_terms(const Body& body, const Condition& condition, Environment& environment,
                            std::vector<StepId>& plan) {
    Step step;
    step.comparison = condition.comparison;
    const Term left = body.terms_of(condition)[0];
    const Term right = body.terms_of(condition)[1];
    if (environment.knows(left) && environment.knows(right)) {
        step.kind = Step::Kind::TEST;
        step.left = environment(left);
        step.right = environment(right);
        // Normalise `a < b` and `b > a` to one form, so that they are shared.
        if (!step.left.is_variable() || (step.right.is_variable() && step.right.value < step.left.value)) {
            std::swap(step.left, step.right);
            step.comparison = turned(step.comparison);
        }
        plan.push_back(steps_.intern(std::move(step)));
        return true;
    }
    if (condition.comparison != Comparison::EQUAL ||
        (!environment.knows(left) && !environment.knows(right))) {
        return false;
    }
    const Term& unknown = environment.knows(left) ? right : left;
    const Term known = environment(environment.knows(left) ? left : right);
    if (environment.is_private) {
        step.kind = Step::Kind::ASSIGN;
        step.left = known;
        step.slot = environment.bind(unknown.index());
        plan.push_back(steps_.intern(std::move(step)));
    } else {
        environment.learn(unknown.index(), known);
    }
    return true;
}

bool Planner::compare(const Body& body, const Condition& condition, Environment& environment, bool calculates,
                      std::vector<StepId>& plan) {
    Step step;
    step.comparison = condition.comparison;
    if (condition.is_plain_comparison()) {
        return compare_terms(body, condition, environment, plan);
    }
    if (!calculates) {
        return false;
    }
    const Detail& detail = body.detail_of(condition);
    const bool knows_left = knows(environment, detail.left);
    const bool knows_right = knows(environment, detail.right);
    if (knows_left && knows_right) {
        step.kind = Step::Kind::CHECK;
        step.left_expression = translated(detail.left, environment);
        step.right_expression = translated(detail.right, environment);
        plan.push_back(steps_.intern(std::move(step)));
        return true;
    }
    if (condition.comparison != Comparison::EQUAL || (!knows_left && !knows_right)) {
        return false;
    }
    const Expression& unknown = knows_left ? detail.right : detail.left;
    if (!is_variable(unknown)) {
        return false;
    }
    step.kind = Step::Kind::CALCULATE;
    step.right_expression = translated(knows_left ? detail.left : detail.right, environment);
    step.slot = environment.bind(unknown[0].term.index());
    plan.push_back(steps_.intern(std::move(step)));
    return true;
}

// Add the comparisons whose variables are known, repeatedly; the remaining ones stay in `comparisons`.
void Planner::compare_all(const Body& body, std::vector<std::uint32_t>& comparisons, Environment& environment,
                          std::vector<bool>& done, bool calculates, std::vector<StepId>& plan) {
    for (bool found = true; found;) {
        found = false;
        for (const std::uint32_t place : comparisons) {
            if (compare(body, body.conditions[place], environment, calculates, plan)) {
                done[place] = true;
                found = true;
            }
        }
        std::erase_if(comparisons, [&](std::uint32_t place) { return done[place]; });
    }
}

// Add the guards whose variables are known, each once.
void Planner::ask_guards(const Body& body, std::vector<const Early*>& waiting, const Environment& environment,
                         std::vector<StepId>& plan) {
    std::erase_if(waiting, [&](const Early* each) {
        const bool is_ready = std::all_of(each->needs.begin(), each->needs.end(), [&](Variable variable) {
            return environment.knows(Term::variable(variable));
        });
        if (is_ready) {
            const std::optional<StepId> step = guard(body, body.conditions[each->place], environment);
            if (step && std::find(plan.begin(), plan.end(), *step) == plan.end()) {
                plan.push_back(*step);
            }
        }
        return is_ready;
    });
}

void Planner::plan(const Body& body, Environment& environment, std::vector<bool>& done, Seed seed,
                   bool calculates, const std::vector<bool>& is_needed, std::vector<StepId>& plan,
                   const std::vector<Early>* early) {
    std::vector<std::uint32_t> comparisons;
    for (std::uint32_t place = 0; place < body.conditions.size(); ++place) {
        if (!done[place] && body.conditions[place].kind == Kind::COMPARE) {
            comparisons.push_back(place);
        }
    }
    const auto compare_all = [&] { this->compare_all(body, comparisons, environment, done, calculates, plan); };
    constexpr double LIKELY = 1;
    compare_all();
    environment.learned.clear();
    Frontier frontier(body, done, environment, budget_);
    std::vector<bool> known;
    const auto promise = [&](const Condition& condition) {
        known.assign(condition.count, false);
        bool is_whole = true;
        for (std::uint32_t column = 0; column < condition.count; ++column) {
            known[column] = environment.knows(body.terms_of(condition)[column]);
            is_whole = is_whole && known[column];
        }
        if (is_whole) {
            return 0.0;
        }
        if (!body.as_written) {
            return expected_rows(condition.predicate, known);
        }
        const Relation& relation = *steps_.relations()[condition.predicate];
        const bool is_determined = !relation.is_concluded && has_key(relation.predicate, known);
        return is_determined ? 0.5 : 1.0 + static_cast<double>(&condition - body.conditions.data());
    };
    std::vector<const Early*> waiting;
    for (std::size_t number = 0; early != nullptr && number < early->size(); ++number) {
        waiting.push_back(&(*early)[number]);
    }
    while (const std::optional<std::uint32_t> next = frontier.next(promise)) {
        const Condition& condition = body.conditions[*next];
        // Test guards before a condition that is likely to have rows; an unlikely one filters as well and costs less.
        if (!waiting.empty() && frontier.least() >= LIKELY) {
            ask_guards(body, waiting, environment, plan);
        }
        const bool is_not_seed =
            static_cast<std::int32_t>(*next) < seed.place && condition.predicate == seed.predicate;
        match(body, condition, environment, is_not_seed, is_needed, plan);
        done[*next] = true;
        if (!environment.learned.empty()) {
            compare_all();
        }
        for (const Variable variable : environment.learned) {
            frontier.learn(variable);
        }
        environment.learned.clear();
    }
}

}  // namespace hornbook
