#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_sequential(nanobind::module_& module);

}  // namespace hornbook::planner
