// Conjunctions as plans: first all matches together, then the other conditions, each as soon as its variables
// have values. Slots are variables here.
#pragma once

#include <memory>

#include "plan/plan.hpp"

namespace hornbook {

struct Conjunction;

// The access to the facts of a closed set.
struct PlannedSet {
    PredicateId count = 0;
    PredicateId member = 0;
    std::vector<Term> key;
    std::uint32_t count_index = 0;
    std::uint32_t member_index = 0;
};

// A condition that is evaluated after the matches.
struct Residual {
    std::uint32_t place = 0;
    Kind kind = Kind::COMPARE;
    Comparison comparison = Comparison::EQUAL;
    Function function = Function::COUNT;
    Expression left;  // COUNT, AGGREGATE: the result
    Expression right;
    std::vector<PlannedSet> sets;
    std::vector<Variable> variables;  // ALL: the members; AGGREGATE: the aggregated variables
    std::vector<Term> excluded;
    std::vector<Variable> needs;  // the computed variables that it reads; it binds one of them if ...
    std::vector<Variable> gives;  // ... it is here and the only one without a value
    std::unique_ptr<Conjunction> inner;
    bool is_early = false;
};

struct Conjunction {
    const Body* body = nullptr;
    std::vector<StepId> join;
    std::vector<Residual> residuals;
    // By index in the join: the residuals that are evaluated before that step, not after the matches. None of
    // them can be unknown.
    std::vector<std::vector<std::uint32_t>> early;
    std::vector<Variable> computed;  // the variables that residuals bind
    std::vector<bool> known;         // the variables with values in a true instance
};

// The variables of a condition that are not local to it, and those that it binds if all its others have a
// value (matcher/program/scope.py). `elsewhere`: the variables that occur outside of it.
std::vector<bool> outer_variables(const Body& body, const Condition& condition, const std::vector<bool>& elsewhere);
std::vector<Variable> bindable_variables(const Body& body, const Condition& condition, std::size_t variables);
void mark_variables(const Body& body, const Condition& condition, std::vector<bool>& marked);
void mark_variables(const Body& body, std::vector<bool>& marked);
void mark_variables(const std::vector<Term>& terms, std::vector<bool>& marked);

// Plan a body. `known`: the variables that have values on entry; `outside`: those that occur outside of the
// body; both as wide as the number of the rule's variables. Throws RefusedProgram if a variable is not bound.
std::unique_ptr<Conjunction> planned(const Body& body, const std::vector<bool>& known,
                                     const std::vector<bool>& outside, Planner& planner);

}  // namespace hornbook
