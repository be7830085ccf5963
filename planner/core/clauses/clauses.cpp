#include "clauses/clauses.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace hornbook::planner::clauses {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
constexpr std::uint32_t no_variable = std::numeric_limits<std::uint32_t>::max();
constexpr int most_variables = 50'000'000;
constexpr double most_activity = 1e100;
constexpr std::size_t first_restart = 100;

std::uint32_t variable_of(std::uint32_t literal) { return literal >> 1U; }
std::uint32_t denied(std::uint32_t literal) { return literal ^ 1U; }

}  // namespace

Clauses::Literal Clauses::literal(int number) {
    if (number == 0 || number > most_variables || number < -most_variables) {
        throw std::invalid_argument("no literal");
    }
    const auto variable = static_cast<Variable>(number < 0 ? -number : number);
    if (variable >= values_.size()) {
        const auto first = static_cast<Variable>(values_.size());
        const std::size_t size = std::size_t{variable} + 1;
        watching_.resize(2 * size);
        values_.resize(size, Value::open);
        phases_.resize(size, false);
        levels_.resize(size, 0);
        reasons_.resize(size, none);
        seen_.resize(size, false);
        activity_.resize(size, 0.0);
        places_.resize(size, nowhere);
        for (Variable each = std::max(first, Variable{1}); each <= variable; ++each) put(each);
    }
    return 2 * variable + (number < 0 ? 1U : 0U);
}

std::vector<Clauses::Literal> Clauses::literals(const std::vector<int>& numbers) {
    std::vector<Literal> found;
    found.reserve(numbers.size());
    for (const int number : numbers) found.push_back(literal(number));
    return found;
}

Clauses::Value Clauses::value(Literal each) const {
    const Value of_variable = values_[variable_of(each)];
    if (of_variable == Value::open || (each & 1U) == 0) return of_variable;
    return of_variable == Value::yes ? Value::no : Value::yes;
}

void Clauses::add(const std::vector<int>& numbers) {
    auto clause = literals(numbers);
    std::sort(clause.begin(), clause.end());
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    for (std::size_t place = 1; place < clause.size(); ++place) {
        if (clause[place] == denied(clause[place - 1])) return;
    }
    if (std::any_of(clause.begin(), clause.end(), [&](Literal each) { return value(each) == Value::yes; })) return;
    std::erase_if(clause, [&](Literal each) { return value(each) == Value::no; });
    if (clause.empty()) {
        contradiction_ = true;
    } else if (clause.size() == 1) {
        assign(clause.front(), none);
        contradiction_ = contradiction_ || propagate() != none;
    } else {
        store(clause);
    }
}

Clauses::Clause Clauses::store(const std::vector<Literal>& literals) {
    if (words_.size() + literals.size() >= std::numeric_limits<Clause>::max()) {
        throw std::length_error("too many clauses");
    }
    const auto clause = static_cast<Clause>(words_.size());
    words_.push_back(static_cast<std::uint32_t>(literals.size()));
    words_.insert(words_.end(), literals.begin(), literals.end());
    watching_[literals[0]].push_back({clause, literals[1]});
    watching_[literals[1]].push_back({clause, literals[0]});
    return clause;
}

std::optional<bool> Clauses::can_hold(const std::vector<int>& numbers, std::size_t most_steps) {
    const auto assumptions = literals(numbers);
    const std::size_t last_step = steps_ + most_steps;
    std::size_t conflicts = 0;
    std::size_t until_restart = first_restart;
    std::optional<bool> found;
    while (!contradiction_) {
        if (const Clause conflict = propagate(); conflict != none) {
            if (starts_.empty()) {
                contradiction_ = true;
                break;
            }
            if (steps_ > last_step) break;
            ++conflicts;
            learn(conflict);
            if (--until_restart == 0) {
                until_restart = first_restart + conflicts / 2;
                undo(0);
            }
            continue;
        }
        // Assumptions are decided first, one per level.
        const auto wanted = std::find_if(assumptions.begin(), assumptions.end(),
                                         [&](Literal each) { return value(each) != Value::yes; });
        if (wanted != assumptions.end()) {
            if (value(*wanted) == Value::no) {
                found = false;
                break;
            }
            starts_.push_back(trail_.size());
            assign(*wanted, none);
            continue;
        }
        const Variable open = most_active();
        if (open == no_variable) {
            found = true;
            break;
        }
        starts_.push_back(trail_.size());
        assign(2 * open + (phases_[open] ? 0U : 1U), none);
    }
    if (contradiction_) found = false;
    undo(0);
    return found;
}

void Clauses::assign(Literal each, Clause reason) {
    const Variable variable = variable_of(each);
    values_[variable] = (each & 1U) == 0 ? Value::yes : Value::no;
    phases_[variable] = (each & 1U) == 0;
    levels_[variable] = static_cast<std::uint32_t>(starts_.size());
    reasons_[variable] = reason;
    trail_.push_back(each);
}

Clauses::Clause Clauses::propagate() {
    while (done_ < trail_.size()) {
        const Literal now_false = denied(trail_[done_++]);
        auto& watches = watching_[now_false];
        std::size_t kept = 0;
        steps_ += watches.size();
        for (std::size_t place = 0; place < watches.size(); ++place) {
            const Watch watch = watches[place];
            if (value(watch.other) == Value::yes) {
                watches[kept++] = watch;
                continue;
            }
            const auto clause = of(watch.clause);
            if (clause[0] == now_false) std::swap(clause[0], clause[1]);
            if (value(clause[0]) == Value::yes) {
                watches[kept++] = {watch.clause, clause[0]};
                continue;
            }
            const auto other = std::find_if(clause.begin() + 2, clause.end(),
                                            [&](Literal each) { return value(each) != Value::no; });
            if (other != clause.end()) {
                std::swap(clause[1], *other);
                watching_[clause[1]].push_back({watch.clause, clause[0]});
                continue;
            }
            watches[kept++] = {watch.clause, clause[0]};
            if (value(clause[0]) == Value::no) {
                for (++place; place < watches.size(); ++place) watches[kept++] = watches[place];
                watches.resize(kept);
                return watch.clause;
            }
            assign(clause[0], watch.clause);
        }
        watches.resize(kept);
    }
    return none;
}

// Learn the clause of the first unique implication point, and backtrack to the level where it is a unit.
void Clauses::learn(Clause conflict) {
    std::vector<Literal> learned{0};
    std::vector<Variable> marked;
    std::size_t open = 0;
    std::size_t place = trail_.size();
    Literal asserted = 0;
    for (Clause clause = conflict;; clause = reasons_[variable_of(asserted)]) {
        for (const Literal each : of(clause)) {
            const Variable variable = variable_of(each);
            if ((clause != conflict && each == asserted) || seen_[variable] || levels_[variable] == 0) continue;
            seen_[variable] = true;
            marked.push_back(variable);
            more_active(variable);
            if (levels_[variable] == starts_.size()) {
                ++open;
            } else {
                learned.push_back(each);
            }
        }
        while (!seen_[variable_of(trail_[--place])]) {
        }
        asserted = trail_[place];
        if (--open == 0) break;
    }
    for (const Variable variable : marked) seen_[variable] = false;
    learned[0] = denied(asserted);
    bump_ *= 1.05;
    std::size_t back = 0;
    if (learned.size() > 1) {
        const auto latest = std::max_element(learned.begin() + 1, learned.end(), [&](Literal a, Literal b) {
            return levels_[variable_of(a)] < levels_[variable_of(b)];
        });
        std::swap(learned[1], *latest);
        back = levels_[variable_of(learned[1])];
    }
    undo(back);
    assign(learned[0], learned.size() > 1 ? store(learned) : none);
}

void Clauses::undo(std::size_t level) {
    if (starts_.size() <= level) return;
    const std::size_t start = starts_[level];
    for (std::size_t place = start; place < trail_.size(); ++place) {
        const Variable variable = variable_of(trail_[place]);
        values_[variable] = Value::open;
        put(variable);
    }
    trail_.resize(start);
    starts_.resize(level);
    done_ = std::min(done_, start);
}

// The heap

void Clauses::more_active(Variable variable) {
    activity_[variable] += bump_;
    if (activity_[variable] > most_activity) {
        for (double& each : activity_) each /= most_activity;
        bump_ /= most_activity;
    }
    if (places_[variable] != nowhere) up(places_[variable]);
}

Clauses::Variable Clauses::most_active() {
    while (!heap_.empty()) {
        const Variable first = heap_.front();
        places_[first] = nowhere;
        const Variable last = heap_.back();
        heap_.pop_back();
        if (last != first) {
            move(last, 0);
            down(0);
        }
        if (values_[first] == Value::open) return first;
    }
    return no_variable;
}

void Clauses::move(Variable variable, std::size_t place) {
    heap_[place] = variable;
    places_[variable] = place;
}

void Clauses::put(Variable variable) {
    if (places_[variable] != nowhere) return;
    heap_.push_back(variable);
    places_[variable] = heap_.size() - 1;
    up(heap_.size() - 1);
}

void Clauses::up(std::size_t place) {
    const Variable variable = heap_[place];
    while (place > 0 && activity_[heap_[(place - 1) / 2]] < activity_[variable]) {
        move(heap_[(place - 1) / 2], place);
        place = (place - 1) / 2;
    }
    move(variable, place);
}

void Clauses::down(std::size_t place) {
    const Variable variable = heap_[place];
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
        if (child + 1 < heap_.size() && activity_[heap_[child + 1]] > activity_[heap_[child]]) ++child;
        if (activity_[heap_[child]] <= activity_[variable]) break;
        move(heap_[child], place);
        place = child;
    }
    move(variable, place);
}

}  // namespace hornbook::planner::clauses
