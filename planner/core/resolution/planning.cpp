#include "resolution/planning.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace hornbook::planner::resolution {

namespace {

constexpr double most = 1e200;  // estimates multiply along a chain of relations: orders must be distinguishable there
                                // too
constexpr std::uint32_t deepest = 100;  // nesting depth of patterns in estimates
constexpr std::size_t few_plans = 4;
constexpr std::size_t most_open = 24;  // partial orders that are extended

}  // namespace

// Some conditions in an order, with the estimate for it.
struct Planning::Choice {
    std::vector<std::size_t> order;
    std::vector<bool> is_placed;
    std::vector<bool> is_bound;  // by variable
    double rows = 1;
    double work = 1;
    bool is_forced = false;  // the last condition is cheap and adds no rows: placing it later gains nothing
};

// The order of the conditions of one rule for one pattern, built from the first to the last.
class Planning::Ordering {
public:
    Ordering(Planning& planning, const Rule& rule, const Modes& modes)
        : planning_(planning), rule_(rule), binder_(rule.variables), is_bound_(rule.variables, false),
          uses_(rule.variables, 0) {
        for (std::size_t place = 0; place < modes.size(); ++place) {
            const Column column = rule.head[place];
            if (modes[place] == Mode::bound) {
                plan_.key.push_back(column);
                const bool first = is_variable(column) && !is_bound_[variable_of(column)];
                plan_.is_first.push_back(first);
                if (first) {
                    is_bound_[variable_of(column)] = true;
                }
            } else if (modes[place] == Mode::wanted) {
                plan_.answer.push_back(column);
                count(column, 1);
            }
        }
        for (const Condition& condition : rule.body) {
            for (const Column column : condition.columns) {
                count(column, 1);
            }
        }
        plan_.variables = rule.variables;
    }

    Plan order(Guess& guess) {
        const Choice best = choice();
        guess.work = best.work;
        guess.answers = best.rows;
        for (const std::size_t condition : best.order) {
            place(rule_.body[condition]);
        }
        plan_.after_answer = latest(plan_.answer);
        return std::move(plan_);
    }

private:
    // The order with the least estimated work, by beam search over partial orders.
    Choice choice() {
        std::vector<Choice> open{{{}, std::vector<bool>(rule_.body.size(), false), is_bound_, 1, 1, false}};
        const std::vector<bool> bound = is_bound_;
        const std::vector<int> uses = uses_;
        for (std::size_t placed = 0; placed < rule_.body.size(); ++placed) {
            std::vector<Choice> longer;
            for (const Choice& each : open) {
                go_on(each, uses, longer);
            }
            if (longer.empty()) {
                throw std::invalid_argument("a variable of a rule is bound by none of its conditions");
            }
            std::stable_sort(longer.begin(), longer.end(), [](const Choice& one, const Choice& other) {
                return one.work + one.rows < other.work + other.rows;
            });
            open.clear();
            for (Choice& each : longer) {
                if (open.size() < most_open &&
                    std::none_of(open.begin(), open.end(),
                                 [&](const Choice& other) { return other.is_placed == each.is_placed; })) {
                    open.push_back(std::move(each));
                }
            }
        }
        is_bound_ = bound;
        uses_ = uses;
        return open.front();
    }

    // Append the choices extended by one condition: each possible next one, or only a cheap test.
    void go_on(const Choice& before, const std::vector<int>& uses, std::vector<Choice>& longer) {
        is_bound_ = before.is_bound;
        uses_ = uses;
        for (const std::size_t condition : before.order) {
            for (const Column column : rule_.body[condition].columns) {
                count(column, -1);
            }
        }
        const std::size_t first = longer.size();
        for (std::size_t number = 0; number < rule_.body.size(); ++number) {
            if (before.is_placed[number] || !is_ready(rule_.body[number])) {
                continue;
            }
            Choice choice = weighed(before, number);
            if (choice.is_forced) {
                longer.resize(first);
                longer.push_back(std::move(choice));
                return;
            }
            longer.push_back(std::move(choice));
        }
    }

    // Whether the needed variables of the condition are bound. Variables local to an absence are arbitrary.
    bool is_ready(const Condition& condition) const {
        switch (condition.kind) {
        case Condition::Kind::match: return true;
        case Condition::Kind::equal: return known(condition.columns[0]) || known(condition.columns[1]);
        case Condition::Kind::differ: return known(condition.columns[0]) && known(condition.columns[1]);
        case Condition::Kind::absent: break;
        }
        return std::all_of(condition.columns.begin(), condition.columns.end(), [&](Column column) {
            return known(column) || uses_[variable_of(column)] == 1;
        });
    }

    Choice weighed(const Choice& before, std::size_t number) {
        const Condition& condition = rule_.body[number];
        Choice choice = before;
        choice.order.push_back(number);
        choice.is_placed[number] = true;
        choice.is_forced = false;
        for (const Column column : condition.columns) {
            if (is_variable(column) && uses_[variable_of(column)] > 1) {
                choice.is_bound[variable_of(column)] = true;
            }
        }
        Guess guess{0.1, 1};
        if (condition.kind == Condition::Kind::equal || condition.kind == Condition::Kind::differ) {
            choice.is_forced = true;
        } else {
            const Modes modes = modes_of(condition);
            const bool is_test = modes.find(Mode::wanted) == Modes::npos;
            Stored* stored = planning_.stored_[condition.relation].get();
            if (stored != nullptr) {
                guess = {1, fanout(*stored, modes)};
                choice.is_forced = is_test;
            } else {
                guess = planning_.guess(planning_.pattern(condition.relation, modes));
                guess.work += 4;
            }
            if (is_test) {
                guess.answers = 1;
            } else {
                guess.work += guess.answers;
            }
        }
        choice.work = std::min(most, before.work + before.rows * guess.work);
        choice.rows = std::min(most, before.rows * guess.answers);
        return choice;
    }

    // The expected number of facts for a key that has some, if its cells are independent.
    static double fanout(Stored& stored, const Modes& modes) {
        double rows = std::max(stored.rows(), 1U);
        for (const std::uint32_t column : bound_in(modes)) {
            rows /= static_cast<double>(std::max<std::size_t>(1, stored.index({column}).keys()));
        }
        return std::max(rows, 1.0);
    }

    Modes modes_of(const Condition& condition) const {
        Modes modes;
        for (const Column column : condition.columns) {
            if (known(column)) {
                modes.push_back(Mode::bound);
            } else {
                modes.push_back(uses_[variable_of(column)] > 1 ? Mode::wanted : Mode::free);
            }
        }
        return modes;
    }

    static std::vector<std::uint32_t> bound_in(const Modes& modes) {
        std::vector<std::uint32_t> places;
        for (std::uint32_t place = 0; place < modes.size(); ++place) {
            if (modes[place] == Mode::bound) {
                places.push_back(place);
            }
        }
        return places;
    }

    void place(const Condition& condition) {
        Step step;
        step.back = generator_;
        step.blame = latest(condition.columns);
        switch (condition.kind) {
        case Condition::Kind::equal: compare(step, condition); break;
        case Condition::Kind::differ:
            step.kind = Step::Kind::differ;
            step.key = condition.columns;
            break;
        default: search(step, condition);
        }
        for (const Column column : condition.columns) {
            count(column, -1);
        }
        const bool goes_on = step.kind == Step::Kind::scan || step.kind == Step::Kind::ask;
        plan_.steps.push_back(std::move(step));
        if (goes_on) {
            generator_ = static_cast<std::uint32_t>(plan_.steps.size() - 1);
        }
    }

    void compare(Step& step, const Condition& condition) {
        step.key = condition.columns;
        if (known(step.key[0]) && known(step.key[1])) {
            step.kind = Step::Kind::equal;
            return;
        }
        step.kind = Step::Kind::set;
        if (known(step.key[0])) {
            std::swap(step.key[0], step.key[1]);
        }
        bind(step.key[0], step.blame);
    }

    void search(Step& step, const Condition& condition) {
        const Modes modes = modes_of(condition);
        const bool is_test = modes.find(Mode::wanted) == Modes::npos;
        const bool is_absent = condition.kind == Condition::Kind::absent;
        step.stored = planning_.stored_[condition.relation].get();
        if (step.stored != nullptr) {
            step.kind = is_absent ? Step::Kind::lacking : is_test ? Step::Kind::found : Step::Kind::scan;
            const std::vector<std::uint32_t> bound = bound_in(modes);
            step.index = bound.empty() ? nullptr : &step.stored->index(bound);
        } else {
            step.kind = is_absent ? Step::Kind::fails : is_test ? Step::Kind::holds : Step::Kind::ask;
            step.pattern = &planning_.pattern(condition.relation, modes);
        }
        std::uint32_t answer = 0;
        const auto here = static_cast<std::uint32_t>(plan_.steps.size());
        for (std::uint32_t place = 0; place < modes.size(); ++place) {
            const Column column = condition.columns[place];
            if (modes[place] == Mode::bound) {
                step.key.push_back(column);
            } else if (modes[place] == Mode::wanted) {
                const std::uint32_t from = step.stored != nullptr ? place : answer++;
                const Take take{from, static_cast<std::uint32_t>(variable_of(column))};
                if (known(column)) {
                    step.agrees.push_back(take);
                } else {
                    step.takes.push_back(take);
                    bind(column, here);
                }
            }
        }
    }

    void bind(Column column, std::uint32_t step) {
        is_bound_[variable_of(column)] = true;
        binder_[variable_of(column)] = step;
    }

    // The latest step that binds one of the columns and can bind it otherwise, or none.
    std::uint32_t latest(const std::vector<Column>& columns) const {
        std::uint32_t found = none;
        for (const Column column : columns) {
            if (is_variable(column) && is_bound_[variable_of(column)]) {
                const std::uint32_t step = binder_[variable_of(column)].value_or(none);
                found = step == none ? found : found == none ? step : std::max(found, step);
            }
        }
        return found;
    }

    bool known(Column column) const { return !is_variable(column) || is_bound_[variable_of(column)]; }

    void count(Column column, int more) {
        if (is_variable(column)) {
            uses_[variable_of(column)] += more;
        }
    }

    Planning& planning_;
    const Rule& rule_;
    std::vector<std::optional<std::uint32_t>> binder_;
    std::vector<bool> is_bound_;
    std::vector<int> uses_;  // in conditions without a position yet, and in the answer
    std::uint32_t generator_ = none;
    Plan plan_;
};

Planning::Planning(const Program& program, const std::vector<std::unique_ptr<Stored>>& stored,
                   const std::vector<std::uint64_t>& versions)
    : program_(program), stored_(stored), versions_(versions), rules_of_(program.relations.size()) {
    for (std::uint32_t rule = 0; rule < program.rules.size(); ++rule) {
        rules_of_[program.rules[rule].relation].push_back(rule);
    }
}

Pattern& Planning::pattern(std::uint32_t relation, const Modes& modes) {
    std::unique_ptr<Pattern>& found = patterns_[{relation, modes}];
    if (!found) {
        const auto rests = static_cast<std::size_t>(program_.relations[relation].rests);
        found = std::make_unique<Pattern>(relation, modes, versions_[rests]);
    }
    return *found;
}

void Planning::learn() {
    excess_.clear();
    for (const auto& [of, pattern] : patterns_) {
        if (pattern->asked != 0) {
            const auto asked = static_cast<double>(pattern->asked);
            const Guess seen{static_cast<double>(pattern->work) / asked,
                             std::max(1.0, static_cast<double>(pattern->answered) / asked)};
            Guess& excess = excess_[of.first];
            excess.work = std::max(excess.work, seen.work / pattern->reckoned.work);
            excess.answers = std::max(excess.answers, seen.answers / pattern->reckoned.answers);
            seen_[of] = seen;
        }
    }
    patterns_.clear();
}

void Planning::forget() {
    for (const auto& [of, pattern] : patterns_) {
        pattern->table.forget();
    }
}

void Planning::plan(Pattern& pattern) {
    pattern.planned = Pattern::Planned::now;
    ++depth_;
    Guess all{1, 0};
    double likeliest = 0;
    std::vector<Plan> plans;
    for (const std::uint32_t number : rules_of_[pattern.relation]) {
        Guess one;
        plans.push_back(Ordering(*this, program_.rules[number], pattern.modes).order(one));
        double chance = 1;  // the probability that a key has the rule's words
        for (const Column column : plans.back().key) {
            chance *= is_variable(column) ? 1 : 0.3;
        }
        all.work = std::min(most, all.work + one.work * chance);
        all.answers = std::min(most, all.answers + one.answers * chance);
        likeliest = std::max(likeliest, chance);
    }
    all.answers = likeliest == 0 ? 1 : std::min(most, all.answers / likeliest);
    --depth_;
    // Plans that read answers of the same pattern come last: then repeating them usually finds nothing new.
    std::stable_partition(plans.begin(), plans.end(), [&](const Plan& plan) {
        return std::none_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
            return step.pattern != nullptr && step.pattern->relation == pattern.relation;
        });
    });
    pattern.plans = std::move(plans);
    pattern.reckoned = pattern.guess = all;
    const auto seen = seen_.find({pattern.relation, pattern.modes});
    const auto excess = excess_.find(pattern.relation);
    if (seen != seen_.end()) {
        pattern.guess = seen->second;
    } else if (excess != excess_.end()) {
        // An untried plan is not preferred merely because it was underestimated.
        pattern.guess = {std::min(most, all.work * excess->second.work),
                         std::min(most, all.answers * excess->second.answers)};
    }
    pattern.planned = Pattern::Planned::yes;
    choose(pattern);
}

const Guess& Planning::guess(Pattern& pattern) {
    static constexpr Guess unknown{64, 4};
    const auto seen = seen_.find({pattern.relation, pattern.modes});
    if (seen != seen_.end()) {
        return seen->second;
    }
    if (pattern.planned == Pattern::Planned::no && depth_ < deepest) {
        plan(pattern);
    }
    return pattern.planned == Pattern::Planned::yes ? pattern.guess : unknown;
}

// The column of the key in which most rules have words.
void Planning::choose(Pattern& pattern) const {
    if (pattern.plans.size() <= few_plans) {
        return;
    }
    std::size_t most_words = few_plans;
    for (std::uint32_t place = 0; place < pattern.key_width; ++place) {
        const auto words = static_cast<std::size_t>(
            std::count_if(pattern.plans.begin(), pattern.plans.end(),
                          [&](const Plan& plan) { return !is_variable(plan.key[place]); }));
        if (words > most_words) {
            most_words = words;
            pattern.chosen_by = place;
        }
    }
    if (pattern.chosen_by == none) {
        return;
    }
    for (std::uint32_t number = 0; number < pattern.plans.size(); ++number) {
        const Column column = pattern.plans[number].key[pattern.chosen_by];
        if (!is_variable(column)) {
            pattern.by_word.try_emplace(column, pattern.for_others).first->second.push_back(number);
            continue;
        }
        pattern.for_others.push_back(number);
        for (auto& [word, plans] : pattern.by_word) {
            plans.push_back(number);
        }
    }
}

}  // namespace hornbook::planner::resolution
