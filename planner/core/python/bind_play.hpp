// Searches over machines, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_play(nanobind::module_& module);

}  // namespace hornbook::planner
