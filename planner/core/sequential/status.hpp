// The status of a search for a plan.
#pragma once

namespace hornbook::planner {

enum class Status {
    searching,
    top,        // a plan with the upper bound of all values was found
    exhausted,  // no state is left to visit
    full        // the memory limit is reached
};

}  // namespace hornbook::planner
