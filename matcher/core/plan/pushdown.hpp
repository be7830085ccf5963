// Guards as steps of a plan: what of a guard can be asked as soon as its variables are known.
//
// Always true: where an instance of a rule holds, so does each guard step of its plan, and new facts never make one
// false. So a walk may turn back where one does not hold: the fact that makes it hold will lead here once more, and
// before one that made it hold goes, it still does. The guard itself is read at the end all the same.
#pragma once

#include <optional>

#include "plan/plan.hpp"

namespace hornbook {

struct Conjunction;

// A guard on its own. Variables from 0 on are its parameters, whose cells a plan knows; those after are local.
struct Guard {
    Body body;
    std::vector<Cell> code;
    std::uint32_t parameters = 0;
    std::uint32_t variables = 0;
    std::shared_ptr<const Conjunction> reading;
};

// A guard as a plan has it: its parameters are what the plan knows by then.
struct GuardForm {
    Guard guard;
    std::vector<Term> parameters;
};

// What a guard asks that only new facts can make true, over what an environment knows: of `all … in …` the whole,
// where its conditions are matches, plain comparisons and more of the same; of a count that as many are there as
// some count says. Nothing where that is not to be had, or where no set is read. A form's first condition reads one.
std::optional<GuardForm> guard_form(const Body& body, const Condition& condition, const Environment& environment);

// A guard of a body, and the variables that must be known before it can be asked.
struct Early {
    std::uint32_t place = 0;
    std::vector<Variable> needs;
};

// The guards of a rule that can be steps.
std::vector<Early> early_guards(const Body& body, const std::vector<bool>& in_head);

}  // namespace hornbook
