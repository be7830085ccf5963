// Goal-directed evaluation for Python: the solver for queries about one state, and the machine for planners.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

// To be called after Machine is bound.
void bind_resolution(nanobind::module_& module);

}  // namespace hornbook::planner
