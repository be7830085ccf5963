// Tests whether rules apply to a state: their conditions are evaluated on relations that the native step of a
// game provides. Bindings are not returned.
//
// The conditions of a rule are tested in a fixed order: first those decided by the current bindings, then
// those with few expected facts. On failure, backtracking goes to the last condition that bound a variable on
// which the failure depends (conflict-directed backjumping: Prosser 1993), so that independent conditions do
// not multiply.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace play::allocation {

constexpr std::size_t most_columns = 4;
using Tuple = std::array<std::uint8_t, most_columns>;

// The values of a column: words, or the numbers from 0 to `size` - 1 if there are no words.
struct Sort {
    std::size_t size;
    std::vector<std::string> words;

    bool is_number() const { return words.empty(); }
};

// A relation of a theory, with the sort of each column. The facts of a fixed relation are the same in every state.
struct Relation {
    std::string name;
    std::vector<std::size_t> sorts;
    bool fixed = false;
};

// The relations of a game. `fill` and `fill_fixed` call `fact(relation, tuple)` once for each fact.
template <class A>
concept Related = requires(const typename A::State& state, void (*fact)(std::size_t, Tuple)) {
    { A::sorts() } -> std::same_as<const std::vector<Sort>&>;
    { A::relations() } -> std::same_as<const std::vector<Relation>&>;
    A::fill(state, fact);
    A::fill_fixed(fact);
};

// A term in text form: a number, a variable such as `?s`, or a word.
using Written = std::variant<std::int64_t, std::string>;
// A relation with its terms; or `=`, `!=`, `<` or `<=` with a left side, a right side, and a number added to
// the right one.
using Condition = std::pair<std::string, std::vector<Written>>;

template <Related A>
class Rules {
public:
    using State = typename A::State;

    Rules() = default;

    // `typical` provides the expected numbers of facts. Throws std::invalid_argument for unknown relations or terms.
    Rules(const std::vector<std::vector<Condition>>& rules, const State& typical) {
        A::fill_fixed([&](std::size_t relation, Tuple tuple) { facts_[relation].push_back(tuple); });
        fill(typical);
        for (const auto& conditions : rules) {
            plans_.push_back(planned(conditions));
        }
        is_asked_.assign(facts_.size(), false);
        for (auto& index : indexes_) {
            is_asked_[index.relation] = true;
            if (A::relations()[index.relation].fixed) {
                index.take(facts_[index.relation]);
            }
        }
    }

    std::size_t size() const { return plans_.size(); }

    // Sets the state of later queries. For one thread at a time.
    void set(const State& state) {
        fill(state);
        for (auto& index : indexes_) {
            if (!A::relations()[index.relation].fixed) {
                index.take(facts_[index.relation]);
            }
        }
    }

    bool speaks(std::size_t rule) {
        plan_ = &plans_[rule];
        Steps failed;
        return holds(0, failed);
    }

    // The facts of a state, as (relation, tuple).
    static std::vector<std::pair<std::size_t, Tuple>> facts(const State& state) {
        std::vector<std::pair<std::size_t, Tuple>> found;
        const auto fact = [&](std::size_t relation, Tuple tuple) { found.emplace_back(relation, tuple); };
        A::fill_fixed(fact);
        A::fill(state, fact);
        return found;
    }

private:
    static constexpr std::size_t most_steps = 256;
    static constexpr std::size_t most_variables = 256;
    static constexpr std::int64_t most_number = 1'000'000'000;  // so that sums are numbers, too
    static constexpr std::uint16_t none = 0xFFFF;
    using Steps = std::bitset<most_steps>;

    // The facts of a relation by the values of some of its columns.
    struct Index {
        std::size_t relation;
        std::vector<std::size_t> columns, strides;
        std::vector<std::uint16_t> first, next;
        std::vector<std::size_t> used;  // keys to be cleared

        std::size_t key(const Tuple& tuple) const {
            std::size_t found = 0;
            for (std::size_t at = 0; at < columns.size(); ++at) {
                found += strides[at] * tuple[columns[at]];
            }
            return found;
        }
        void take(const std::vector<Tuple>& facts) {
            for (const auto place : used) {
                first[place] = none;
            }
            used.clear();
            next.resize(facts.size());
            for (std::size_t fact = facts.size(); fact-- > 0;) {
                const auto place = key(facts[fact]);
                next[fact] = first[place];
                first[place] = static_cast<std::uint16_t>(fact);
                used.push_back(place);
            }
        }
    };

    // A value: that of a variable, or a constant; `added` is used in both cases.
    struct Value {
        std::size_t variable = most_variables;
        std::int64_t added = 0;
    };
    enum class Kind { LOOK, SET, EQUAL, UNEQUAL, LESS, NOT_MORE };
    struct Step {
        Kind kind = Kind::LOOK;
        std::size_t index = 0;                                      // LOOK: the index,
        std::vector<Value> key;                                     // its key,
        std::vector<std::pair<std::size_t, std::size_t>> binds;     // the columns that bind variables,
        std::vector<std::pair<std::size_t, std::size_t>> same;      // and the columns that must equal others
        Value left, right;                                          // other kinds
        Steps rests_on;                                             // the steps that bound the variables it reads
    };
    using Plan = std::vector<Step>;

    std::int64_t value(const Value& of) const {
        return of.added + (of.variable < most_variables ? values_[of.variable] : 0);
    }

    // Whether all steps from this one on can be satisfied. If not, `failed` has the earlier steps on which
    // that depends.
    bool holds(std::size_t at, Steps& failed) {
        if (at == plan_->size()) {
            return true;
        }
        const Step& step = (*plan_)[at];
        if (step.kind != Kind::LOOK) {
            const auto left = value(step.left), right = value(step.right);
            const bool is_met = step.kind == Kind::SET       ? (values_[step.left.variable] = right, true)
                                : step.kind == Kind::EQUAL   ? left == right
                                : step.kind == Kind::UNEQUAL ? left != right
                                : step.kind == Kind::LESS    ? left < right
                                                             : left <= right;
            if (is_met && holds(at + 1, failed)) {
                return true;
            }
            if (!is_met) {
                failed = step.rests_on;
            } else if (failed[at]) {
                failed.reset(at);
                failed |= step.rests_on;
            }
            return false;
        }
        const Index& index = indexes_[step.index];
        const auto& facts = facts_[index.relation];
        Steps blamed = step.rests_on;
        for (auto fact = found(step, index); fact != none; fact = index.next[fact]) {
            const Tuple& tuple = facts[fact];
            if (!std::all_of(step.same.begin(), step.same.end(), [&](const auto& pair) { return tuple[pair.first] == tuple[pair.second]; })) {
                continue;
            }
            for (const auto& [column, variable] : step.binds) {
                values_[variable] = tuple[column];
            }
            Steps below;
            if (holds(at + 1, below)) {
                return true;
            }
            if (!below[at]) {
                failed = below;
                return false;
            }
            blamed |= below;
        }
        failed = blamed;
        failed.reset(at);
        return false;
    }

    std::uint16_t found(const Step& step, const Index& index) const {
        const auto& sorts = A::relations()[index.relation].sorts;
        std::size_t key = 0;
        for (std::size_t place = 0; place < step.key.size(); ++place) {
            const auto asked = value(step.key[place]);
            if (asked < 0 || static_cast<std::size_t>(asked) >= A::sorts()[sorts[index.columns[place]]].size) {
                return none;
            }
            key += index.strides[place] * static_cast<std::size_t>(asked);
        }
        return index.first[key];
    }

    void fill(const State& state) {
        for (std::size_t relation = 0; relation < facts_.size(); ++relation) {
            if (!A::relations()[relation].fixed) {
                facts_[relation].clear();
            }
        }
        A::fill(state, [&](std::size_t relation, Tuple tuple) {
            if (is_asked_[relation]) {
                facts_[relation].push_back(tuple);
            }
        });
    }

    // During the planning of a rule: its variables, and the step that binds each.
    struct Names {
        std::map<std::string, std::size_t> variables;
        std::map<std::size_t, std::size_t> bound;

        std::size_t variable(const std::string& name) {
            const auto found = variables.emplace(name, variables.size()).first->second;
            if (found >= most_variables) {
                throw std::invalid_argument("a rule has too many variables");
            }
            return found;
        }
        bool knows(const Value& of) const { return of.variable == most_variables || bound.contains(of.variable); }
        void rest(Step& step, const Value& on) const {
            if (on.variable < most_variables) {
                step.rests_on.set(bound.at(on.variable));
            }
        }
    };
    // A condition with its terms read; a comparison has no relation.
    struct Read {
        std::size_t relation;
        Kind kind;
        std::vector<Value> terms;
    };

    Plan planned(const std::vector<Condition>& conditions) {
        Names names;
        std::vector<Read> left;
        for (const auto& condition : conditions) {
            left.push_back(read(condition, names));
        }
        if (left.size() > most_steps) {
            throw std::invalid_argument("a rule has more than 256 conditions");
        }
        Plan plan;
        while (!left.empty()) {
            auto best = left.begin();
            for (auto each = left.begin(); each != left.end(); ++each) {
                best = expected(*each, names) < expected(*best, names) ? each : best;
            }
            plan.push_back(step(*best, names, plan.size()));
            left.erase(best);
        }
        return plan;
    }

    static Read read(const Condition& condition, Names& names) {
        const auto& [name, terms] = condition;
        static const std::map<std::string, Kind> comparisons = {
            {"=", Kind::EQUAL}, {"!=", Kind::UNEQUAL}, {"<", Kind::LESS}, {"<=", Kind::NOT_MORE}};
        const auto& relations = A::relations();
        if (const auto compared = comparisons.find(name); compared != comparisons.end() && terms.size() == 3) {
            // Words are compared by their numbers in their sorts: variables only, or numbers.
            Read found{relations.size(), compared->second, {number(terms[0], names), number(terms[1], names)}};
            if (!std::holds_alternative<std::int64_t>(terms[2])) {
                throw std::invalid_argument("what is added in a comparison is no number");
            }
            found.terms[1].added += number(terms[2], names).added;
            return found;
        }
        const auto place = std::find_if(relations.begin(), relations.end(), [&](const auto& each) { return each.name == name; });
        if (place == relations.end() || place->sorts.size() != terms.size()) {
            throw std::invalid_argument("the native step has no relation `" + name + "` of " + std::to_string(terms.size()) + " columns");
        }
        Read found{static_cast<std::size_t>(place - relations.begin()), Kind::LOOK, {}};
        for (std::size_t column = 0; column < terms.size(); ++column) {
            found.terms.push_back(term(terms[column], A::sorts()[place->sorts[column]], names));
        }
        return found;
    }

    static Value number(const Written& written, Names& names) {
        if (const auto* text = std::get_if<std::string>(&written)) {
            if (!text->starts_with('?')) {
                throw std::invalid_argument("`" + *text + "` is compared, which is neither a variable nor a number");
            }
            return {names.variable(*text), 0};
        }
        const auto constant = std::get<std::int64_t>(written);
        if (constant < -most_number || constant > most_number) {
            throw std::invalid_argument("a number is too large");
        }
        return {most_variables, constant};
    }

    static Value term(const Written& written, const Sort& sort, Names& names) {
        const auto* text = std::get_if<std::string>(&written);
        if (text == nullptr || text->starts_with('?')) {
            return number(written, names);
        }
        const auto place = std::find(sort.words.begin(), sort.words.end(), *text);
        if (place == sort.words.end()) {
            throw std::invalid_argument("`" + *text + "` is no value of its column");
        }
        return {most_variables, place - sort.words.begin()};
    }

    // The expected number of matching facts, as the mean over all values of the bound variables. There are
    // none for a pure test, and more than any relation has if it cannot be tested yet.
    double expected(const Read& read, const Names& names) const {
        const auto known = [&](const Value& of) { return names.knows(of); };
        if (read.kind != Kind::LOOK) {
            const bool can_set = read.kind == Kind::EQUAL && (known(read.terms[0]) || known(read.terms[1]));
            return std::all_of(read.terms.begin(), read.terms.end(), known) || can_set ? -1 : 1e9;
        }
        if (std::all_of(read.terms.begin(), read.terms.end(), known)) {
            return -1;
        }
        auto number = static_cast<double>(facts_[read.relation].size());
        for (std::size_t column = 0; column < read.terms.size(); ++column) {
            number /= known(read.terms[column]) ? static_cast<double>(A::sorts()[A::relations()[read.relation].sorts[column]].size) : 1.0;
        }
        return number;
    }

    Step step(const Read& read, Names& names, std::size_t at) {
        Step made;
        made.kind = read.kind;
        if (read.kind != Kind::LOOK) {
            made.left = read.terms[0];
            made.right = read.terms[1];
            if (read.kind == Kind::EQUAL && !names.knows(made.right)) {  // left = right + n is equivalent to right =
                                                                         // left - n
                const auto added = std::exchange(made.right.added, 0);
                std::swap(made.left, made.right);
                made.right.added -= added;
            }
            const bool sets = read.kind == Kind::EQUAL && !names.knows(made.left);
            if (!names.knows(made.right) || (!sets && !names.knows(made.left))) {
                throw std::invalid_argument("a comparison has a variable that nothing binds");
            }
            names.rest(made, made.right);
            if (sets) {
                made.kind = Kind::SET;
                names.bound.emplace(made.left.variable, at);
            } else {
                names.rest(made, made.left);
            }
            return made;
        }
        std::vector<std::size_t> columns;
        std::map<std::size_t, std::size_t> here;
        for (std::size_t column = 0; column < read.terms.size(); ++column) {
            const Value& of = read.terms[column];
            if (names.knows(of)) {
                columns.push_back(column);
                made.key.push_back(of);
                names.rest(made, of);
            } else if (const auto [place, is_new] = here.emplace(of.variable, column); is_new) {
                made.binds.emplace_back(column, of.variable);
            } else {
                made.same.emplace_back(place->second, column);
            }
        }
        for (const auto& [variable, column] : here) {
            names.bound.emplace(variable, at);
        }
        made.index = index_of(read.relation, std::move(columns));
        return made;
    }

    std::size_t index_of(std::size_t relation, std::vector<std::size_t> columns) {
        const auto place = std::find_if(indexes_.begin(), indexes_.end(), [&](const Index& each) {
            return each.relation == relation && each.columns == columns;
        });
        if (place != indexes_.end()) {
            return static_cast<std::size_t>(place - indexes_.begin());
        }
        Index made{relation, std::move(columns), {}, {}, {}, {}};
        std::size_t size = 1;
        for (const auto column : made.columns) {
            made.strides.push_back(size);
            size *= A::sorts()[A::relations()[relation].sorts[column]].size;
        }
        made.first.assign(size, none);
        indexes_.push_back(std::move(made));
        return indexes_.size() - 1;
    }

    std::vector<std::vector<Tuple>> facts_ = std::vector<std::vector<Tuple>>(A::relations().size());
    std::vector<bool> is_asked_ = std::vector<bool>(A::relations().size(), true);  // whether some index contains its
                                                                                   // facts
    std::vector<Index> indexes_;
    std::vector<Plan> plans_;
    const Plan* plan_ = nullptr;
    std::array<std::int64_t, most_variables> values_{};
};

}  // namespace play::allocation
