// Plans: bodies as steps over an array of slots, and the matching order of conditions.
//
// Steps are interned: plans that do the same to the same slots have the same step, so rules share the nodes
// of a trie. In a *shared* plan slots are numbered in the order of their first use, so that rules which
// differ only in variable names are equal. In a *private* plan the slot of a variable is its number.
//
// The next condition is the one with the fewest expected facts under the current bindings. The estimate is
// the number of rows of the predicate, divided by the number of distinct cells of each known column, and at
// most one if a declared key is known (Selinger et al. 1979, section 4). Conditions with equal estimates are
// taken in a fixed order of their shape.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "data/budget.hpp"
#include "data/change.hpp"
#include "data/faults.hpp"

namespace hornbook {

using StepId = std::uint32_t;

struct Guard;
struct Early;
class Planner;

struct Field {
    std::uint32_t column = 0;
    std::uint32_t slot = 0;
};

struct Step {
    enum class Kind : std::uint8_t {
        SCAN,       // every linked row
        LOOKUP,     // the linked rows with this key
        EXACT,      // the row with these cells, if it is linked
        TEST,       // left `comparison` right
        CALCULATE,  // slot := right
        CHECK,      // left `comparison` right, with arithmetic
        ASSIGN,     // slot := left
        GUARD,      // a guard with these parameters (pushdown.hpp)
    };
    Kind kind = Kind::SCAN;
    Comparison comparison = Comparison::EQUAL;
    bool is_not_seed = false;  // excludes the fact with which matching began
    PredicateId predicate = 0;
    std::uint32_t index = 0;      // GUARD: its number
    const Relation* relation = nullptr;
    const Guard* guard = nullptr;
    std::vector<Term> key;        // LOOKUP: in the order of the index's columns; EXACT: all columns; GUARD:
                                  // parameters
    std::vector<Field> outputs;   // the slots that the row's cells fill
    std::vector<Field> repeated;  // columns whose cell must equal that of a slot filled before
    Term left, right;
    Expression left_expression, right_expression;
    std::uint32_t slot = 0;
};

// Interned sequences of cells: equal sequences have the same number.
class Codes {
public:
    // The number of a sequence, and whether it is new.
    std::pair<std::uint32_t, bool> intern(const std::vector<Cell>& code);
    [[nodiscard]] std::size_t size() const { return ends_.size(); }

private:
    void grow();
    [[nodiscard]] std::size_t begin(std::uint32_t number) const { return number == 0 ? 0 : ends_[number - 1]; }

    std::vector<Cell> cells_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, NO_ROW);
};

// Lists of terms that rules share: projections of the slots to a head or a binding.
class Projections {
public:
    std::uint32_t intern(const std::vector<Term>& terms);
    [[nodiscard]] const std::vector<Term>& operator[](std::uint32_t number) const { return lists_[number]; }
    void clear() { *this = Projections(); }

private:
    Codes codes_;
    std::vector<std::vector<Term>> lists_;
    std::vector<Cell> code_;
};

class Steps {
public:
    explicit Steps(Relations& relations) : relations_(relations) {}
    StepId intern(Step&& step);
    // The equivalent interned guard, and its number.
    const Guard& guard(Guard&& guard, Planner& planner, std::uint32_t& number);
    [[nodiscard]] const Step& operator[](StepId step) const { return *steps_[step]; }
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    [[nodiscard]] Relations& relations() { return relations_; }
    void clear() {
        codes_ = Codes();
        steps_.clear();
        guard_codes_ = Codes();
        guards_.clear();
    }

private:
    Relations& relations_;
    Codes codes_;
    std::vector<std::unique_ptr<Step>> steps_;
    Codes guard_codes_;
    std::vector<std::shared_ptr<const Guard>> guards_;
    std::vector<Cell> code_;
};

// The expected numbers of rows and distinct cells, measured on earlier states. Other predicates are measured
// on the current facts, or get default values if there are none.
struct Statistics {
    struct Measure {
        double rows = 0;
        std::vector<double> distinct;
    };
    std::unordered_map<PredicateId, Measure> measures;
};

// The knowledge of a plan about a rule's variables: the slot or cell of each (NONE: nothing yet).
struct Environment {
    std::vector<Term> of;
    std::uint32_t slots = 0;
    bool is_private = false;
    std::vector<Variable> learned;  // the variables that became known recently

    [[nodiscard]] bool knows(const Term& term) const {
        return !term.is_variable() || of[term.index()].kind != Term::Kind::NONE;
    }
    [[nodiscard]] Term operator()(const Term& term) const { return term.is_variable() ? of[term.index()] : term; }
    std::uint32_t bind(Variable variable) {
        const std::uint32_t slot = is_private ? variable : slots++;
        learn(variable, Term::variable(slot));
        return slot;
    }
    void learn(Variable variable, const Term& term) {
        of[variable] = term;
        learned.push_back(variable);
    }
};

// The beginning of matching: a condition whose fact is already given. Conditions before it in the body must
// not use the same fact, so each instance is found once, at the last of its facts.
struct Seed {
    std::int32_t place = NOTHING;
    PredicateId predicate = 0;
};

class Planner {
public:
    Planner(Steps& steps, const Statistics& statistics, Budget& budget, bool facts_are_finished = false)
        : steps_(steps), statistics_(statistics), budget_(budget), facts_are_finished_(facts_are_finished) {}

    // Append the steps of all MATCH conditions of a body that are not `done`, and of all comparisons whose
    // variables become known; with arithmetic only if `calculates`. Marks in `done` the conditions that the
    // steps decide. `is_needed`: whether a variable's cell is used (a private plan keeps all). Guards of
    // `early` are tested where that may save a condition, without being decided.
    void plan(const Body& body, Environment& environment, std::vector<bool>& done, Seed seed, bool calculates,
              const std::vector<bool>& is_needed, std::vector<StepId>& plan, const std::vector<Early>* early = nullptr);

    // Append the tests that a row whose columns fill slots 0, 1, … matches these terms, and bind their
    // variables. Variables in `ignored` are skipped.
    void begin(const std::vector<Term>& terms, Environment& environment, const std::vector<bool>& ignored,
               std::vector<StepId>& plan);

    [[nodiscard]] Relations& relations() { return steps_.relations(); }
    [[nodiscard]] const Steps& steps() const { return steps_; }
    [[nodiscard]] Budget& budget() { return budget_; }
    [[nodiscard]] double expected_rows(PredicateId predicate, const std::vector<bool>& known);

private:
    void match(const Body& body, const Condition& condition, Environment& environment, bool is_not_seed,
               const std::vector<bool>& is_needed, std::vector<StepId>& plan);
    bool compare_terms(const Body& body, const Condition& condition, Environment& environment, std::vector<StepId>& plan);
    bool compare(const Body& body, const Condition& condition, Environment& environment, bool calculates,
                 std::vector<StepId>& plan);
    void compare_all(const Body& body, std::vector<std::uint32_t>& comparisons, Environment& environment,
                     std::vector<bool>& done, bool calculates, std::vector<StepId>& plan);
    void ask_guards(const Body& body, std::vector<const Early*>& waiting, const Environment& environment,
                    std::vector<StepId>& plan);
    std::optional<StepId> guard(const Body& body, const Condition& condition, const Environment& environment);

    Steps& steps_;
    const Statistics& statistics_;
    Budget& budget_;
    const bool facts_are_finished_;
};

// The expression over slots.
Expression translated(const Expression& expression, const Environment& environment);
bool knows(const Environment& environment, const Expression& expression);
// Whether an expression is a single variable.
bool is_variable(const Expression& expression);

}  // namespace hornbook
