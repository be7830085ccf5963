// Guards as steps of a plan: the part of a guard that can be tested as soon as its variables are known.
//
// Invariants: If an instance of a rule holds, so does each guard step of its plan, and new facts never make
// one false. So a walk may backtrack if one does not hold. The fact that makes it hold will lead here again,
// and it still holds when such a fact is about to be removed. The guard itself is always evaluated at the
// end.
#pragma once

#include <optional>

#include "plan/plan.hpp"

namespace hornbook {

struct Conjunction;

// A standalone guard. Variables from 0 on are its parameters, whose cells a plan knows; later ones are local.
struct Guard {
    Body body;
    std::vector<Cell> code;
    std::uint32_t parameters = 0;
    std::uint32_t variables = 0;
    std::shared_ptr<const Conjunction> reading;
};

// A guard in a plan: its parameters are terms known to the plan.
struct GuardForm {
    Guard guard;
    std::vector<Term> parameters;
};

// The monotonic part of a guard, over the variables known to an environment. For `all … in …` it is the whole
// condition, if its inner conditions are matches, plain comparisons and nested conditions of this kind. For a
// count it is the condition that the sets have as many members as some count. The result is empty if there is
// no such part, or if no set is read. A form's first condition reads a set.
std::optional<GuardForm> guard_form(const Body& body, const Condition& condition, const Environment& environment);

// A guard of a body, and the variables that must be known before it can be tested.
struct Early {
    std::uint32_t place = 0;
    std::vector<Variable> needs;
};

// The guards of a rule that can be steps.
std::vector<Early> early_guards(const Body& body, const std::vector<bool>& in_head);

}  // namespace hornbook
