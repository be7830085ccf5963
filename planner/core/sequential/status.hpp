// How a search for a plan stands.
#pragma once

namespace hornbook::planner {

enum class Status {
    searching,
    top,        // a plan was found that has the greatest value that any could have
    exhausted,  // nothing is left to look at
    full        // the memory is used up
};

}  // namespace hornbook::planner
