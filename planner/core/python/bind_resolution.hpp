// Goal-directed evaluation for Python: the solver for questions about one state, and the machine for planners.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

// After Machine is bound.
void bind_resolution(nanobind::module_& module);

}  // namespace hornbook::planner
