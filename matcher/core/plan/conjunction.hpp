// Conjunctions as plans: first all matches together, then the other conditions, each as soon as its variables have
// values. Slots are variables here.
#pragma once

#include <memory>

#include "plan/plan.hpp"

namespace hornbook {

struct Conjunction;

// How the facts of a closed set are found.
struct PlannedSet {
    PredicateId count = 0;
    PredicateId member = 0;
    std::vector<Term> key;
    std::uint32_t count_index = 0;
    std::uint32_t member_index = 0;
};

// A condition that is read after the matches.
struct Residual {
    std::uint32_t place = 0;
    Kind kind = Kind::COMPARE;
    Comparison comparison = Comparison::EQUAL;
    Function function = Function::COUNT;
    Expression left;  // COUNT, AGGREGATE: the result
    Expression right;
    std::vector<PlannedSet> sets;
    std::vector<Variable> variables;  // ALL: the members; AGGREGATE: what is aggregated
    std::vector<Term> excluded;
    std::vector<Variable> needs;  // the computed variables that it reads; it gives one of them a value if ...
    std::vector<Variable> gives;  // ... it is here and the only one without
    std::unique_ptr<Conjunction> inner;
    bool is_early = false;
};

struct Conjunction {
    const Body* body = nullptr;
    std::vector<StepId> join;
    std::vector<Residual> residuals;
    // By place in the join: the residuals that are read before that step, and not after the matches. There are no
    // unknown ones among them.
    std::vector<std::vector<std::uint32_t>> early;
    std::vector<Variable> computed;  // the variables that residuals give a value
    std::vector<bool> known;         // the variables that have values in an instance that is true
};

// The variables of a condition that are not local to it, and those that it gives a value when all its others
// have one (matcher/program/scope.py). `elsewhere`: the variables that occur outside of it.
std::vector<bool> outer_variables(const Body& body, const Condition& condition, const std::vector<bool>& elsewhere);
std::vector<Variable> bindable_variables(const Body& body, const Condition& condition, std::size_t variables);
void mark_variables(const Body& body, const Condition& condition, std::vector<bool>& marked);
void mark_variables(const Body& body, std::vector<bool>& marked);
void mark_variables(const std::vector<Term>& terms, std::vector<bool>& marked);

// Plan a body. `known`: the variables that have values on entry; `outside`: those that occur outside of the
// body; both as wide as the rule has variables.
// Throws RefusedProgram where a variable is not bound.
std::unique_ptr<Conjunction> planned(const Body& body, const std::vector<bool>& known,
                                     const std::vector<bool>& outside, Planner& planner);

}  // namespace hornbook
