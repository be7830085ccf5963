// Which condition of a rule each step of its plan comes from. Steps are shared by rules and say nothing of it, so
// a plan is followed again, and each step laid to the condition that it fits.
#pragma once

#include <vector>

#include "plan/plan.hpp"

namespace hornbook {

// How a plan begins: with nothing, with the fact that matching begins with, or with variables that are known.
struct Beginning {
    std::int32_t place = NOTHING;  // the condition that the fact is of, or that reads it; NOTHING: a head
    bool is_condition = false;     // the fact is of the condition itself, which is decided with it
    std::vector<Term> terms;       // what the fact has to fit
    std::vector<bool> ignored;     // the variables of no interest in them
    std::vector<bool> known;       // the variables that are their own slots (a private plan)
};

// What a step asks of each column of a row, or fills from it: a cell, a slot, or NONE.
std::vector<Term> terms_of(const Step& step);

// The place of each step's condition; empty where the plan does not begin like this. Steps of the beginning have
// its place.
std::vector<std::int32_t> origins(const Body& body, const Beginning& beginning, PredicateId seed,
                                  const Steps& steps, const std::vector<StepId>& plan);

// All beginnings by which a changed fact of a predicate concerns a body. `known`: the variables that the guards of
// a guarded rule share with its matches.
std::vector<Beginning> beginnings(const Body& body, PredicateId predicate, std::uint32_t arity, std::size_t variables,
                                  const std::vector<bool>* known);

}  // namespace hornbook
