// The network machine for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_network(nanobind::module_& module);

}  // namespace hornbook::planner
