// The parts of the module planner._core: what each room has for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

void bind_clauses(nanobind::module_& module);

void bind_conditional(nanobind::module_& module);

// The assembly of ground programs.
void bind_grounding(nanobind::module_& module);

// The network machine.
void bind_network(nanobind::module_& module);

// Searches over machines.
void bind_play(nanobind::module_& module);

// Goal-directed evaluation: the solver for queries about one state, and the machine for planners. To be called after
// Machine is bound.
void bind_resolution(nanobind::module_& module);

void bind_sequential(nanobind::module_& module);

// Ground tasks of PDDL, heuristics, and searches for plans.
void bind_tasks(nanobind::module_& module);

}  // namespace hornbook::planner
