#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_clauses(nanobind::module_& module);

}  // namespace hornbook::planner
