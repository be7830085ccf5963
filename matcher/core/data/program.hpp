// Coded programs in the core: the counterpart of matcher/program/coded.py, which defines their meaning.
//
// A body stores the terms of all its conditions in one array, so that a hundred thousand rules remain small.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "data/cell.hpp"

namespace hornbook {

constexpr std::int32_t NOTHING = -1;

// The limits of one rule or query, at any depth, as in matcher/program/wellformed.py. Matching recurses once
// more for each condition, and the plans for changes need space quadratic in their number.
constexpr std::size_t MOST_CONDITIONS = 4096;
constexpr std::size_t MOST_NESTED = 128;      // nesting depth of conditions
constexpr std::size_t MOST_CALCULATED = 200;  // nesting depth of calculations
constexpr std::size_t MOST_OPERANDS = 100;    // of a call
constexpr std::size_t MOST_VARIABLES = 1U << 16U;
constexpr std::size_t MOST_COLUMNS = 1U << 16U;  // of a predicate

struct Predicate {
    std::uint32_t arity = 0;
    std::int32_t key = NOTHING;
    std::int32_t counts = NOTHING;
};

// A function of cells, provided by the creator of the engine. Its results for given cells never change.
class Called {
public:
    Called() = default;
    Called(const Called&) = delete;
    Called& operator=(const Called&) = delete;
    virtual ~Called() = default;
    // Returns false if there is no value for these cells. An exception ends the update or query.
    virtual bool call(const Cell* operands, std::size_t count, Cell& result) = 0;
};

// A variable or a cell; in a plan, the number of a slot or a cell. NONE: unknown or ignored.
struct Term {
    enum class Kind : std::uint8_t { NONE, CELL, VARIABLE };
    Kind kind = Kind::NONE;
    Cell value = 0;

    static Term cell(Cell value) { return {Kind::CELL, value}; }
    static Term variable(Variable index) { return {Kind::VARIABLE, static_cast<Cell>(index)}; }
    [[nodiscard]] bool is_variable() const { return kind == Kind::VARIABLE; }
    [[nodiscard]] bool is_cell() const { return kind == Kind::CELL; }
    [[nodiscard]] Variable index() const { return static_cast<Variable>(value); }
    bool operator==(const Term&) const = default;
};

// One step of a calculation on a stack: push a term, or replace the topmost cells by a result. Their number
// is two, or for a CALL that of its operands. The term of a CALL contains the function, which the engine
// owns.
struct Instruction {
    bool is_push = true;
    Operator operation = Operator::ADD;
    std::uint16_t operands = 2;
    Term term;

    static Instruction call(Called& function, std::uint16_t operands) {
        return {false, Operator::CALL, operands, {Term::Kind::NONE, static_cast<Cell>(reinterpret_cast<std::intptr_t>(&function))}};
    }
    [[nodiscard]] Called& called() const { return *reinterpret_cast<Called*>(static_cast<std::intptr_t>(term.value)); }
    bool operator==(const Instruction&) const = default;
};
using Expression = std::vector<Instruction>;

enum class Kind : std::uint8_t { MATCH, COMPARE, ALL, COUNT, AGGREGATE, ABSENT };
enum class Function : std::uint8_t { COUNT, MIN, MAX, SUM };

struct ClosedSet {
    PredicateId count = 0;
    PredicateId member = 0;
    std::vector<Term> key;
};

struct Detail;

// A condition of a body. MATCH: `terms`. COMPARE of two terms: `terms`; every other condition has a `detail`.
struct Condition {
    Kind kind = Kind::MATCH;
    Comparison comparison = Comparison::EQUAL;
    PredicateId predicate = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::int32_t detail = NOTHING;

    [[nodiscard]] bool is_plain_comparison() const { return kind == Kind::COMPARE && detail == NOTHING; }
    [[nodiscard]] bool is_guard() const { return kind != Kind::MATCH && kind != Kind::COMPARE; }
};

struct Body {
    std::vector<Condition> conditions;
    std::vector<Term> terms;
    std::vector<Detail> details;
    bool as_written = false;  // its conditions are matched in this order, except for those determined by known cells
                              // or a key

    [[nodiscard]] const Term* terms_of(const Condition& condition) const { return terms.data() + condition.first; }
    [[nodiscard]] inline const Detail& detail_of(const Condition& condition) const;
    // Append a condition that has a detail.
    inline void append(Condition condition, Detail&& detail);
};

// COMPARE: left, right. ALL: one set, its members, inner. COUNT: left is the result; sets, width, excluded.
// AGGREGATE: left is the result; function, variables, inner. ABSENT: inner.
struct Detail {
    Expression left;
    Expression right;
    std::vector<ClosedSet> sets;
    std::vector<Variable> variables;
    std::uint32_t width = 0;
    std::vector<Term> excluded;
    Function function = Function::COUNT;
    Body inner;
};

inline const Detail& Body::detail_of(const Condition& condition) const {
    return details[static_cast<std::size_t>(condition.detail)];
}

inline void Body::append(Condition condition, Detail&& detail) {
    condition.first = static_cast<std::uint32_t>(terms.size());
    condition.detail = static_cast<std::int32_t>(details.size());
    details.push_back(std::move(detail));
    conditions.push_back(condition);
}

struct Rule {
    PredicateId head = 0;
    std::vector<Term> head_terms;
    Body body;
    std::uint32_t variables = 0;
    bool is_guarded = false;  // a condition of its body is a guard
    std::unique_ptr<Body> written;  // the original body, if `body` reads a part of it from a helper
    std::int32_t helper = NOTHING;  // the rule that stores that part
    bool is_accepted = false; // an engine has accepted it before, so that it may be planned on demand
    bool is_gone = false;     // it was removed permanently, only its number is still in use

    // Call this once the body is complete.
    void seal() {
        is_guarded = std::any_of(body.conditions.begin(), body.conditions.end(),
                                 [](const Condition& each) { return each.is_guard(); });
        body.conditions.shrink_to_fit();
        body.terms.shrink_to_fit();
    }
};

}  // namespace hornbook
