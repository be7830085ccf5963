// The condition of a rule that each step of its plan comes from. Rules share steps, which do not record it.
// So a plan is replayed, and each step assigned to the condition that it fits.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace hornbook {

// The beginning of a plan: nothing, the fact that matching begins with, or known variables.
struct Beginning {
    std::int32_t place = NOTHING;  // the condition of the fact, or the one that reads it; NOTHING: a head
    bool is_condition = false;     // the fact matches the condition itself, which is decided with it
    std::vector<Term> terms;       // the pattern of the fact
    std::vector<bool> ignored;     // its ignored variables
    std::vector<bool> known;       // the variables that are their own slots (a private plan)
};

// The value of each column of a row that a step tests or fills: a cell, a slot, or NONE.
std::vector<Term> terms_of(const Step& step);

// The index of each step's condition; empty if the plan does not begin like this. Steps of the beginning have
// its index.
std::vector<std::int32_t> origins(const Body& body, const Beginning& beginning, PredicateId seed,
                                  const Steps& steps, const std::vector<StepId>& plan);

// All beginnings by which a changed fact of a predicate concerns a body. `known`: the variables that the
// guards of a guarded rule share with its matches.
std::vector<Beginning> beginnings(const Body& body, PredicateId predicate, std::uint32_t arity, std::size_t variables,
                                  const std::vector<bool>* known);

}  // namespace hornbook
