// The assembly of ground programs, as a part of the module planner._core.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_grounding(nanobind::module_& module);

}  // namespace hornbook::planner
