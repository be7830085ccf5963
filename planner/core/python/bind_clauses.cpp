// Propositional clauses for Python.
#include "python/bind_rooms.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "clauses/clauses.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

void bind_clauses(nb::module_& module) {
    nb::class_<clauses::Clauses>(module, "Clauses")
        .def(nb::init<>())
        .def("add", &clauses::Clauses::add, "literals"_a)
        .def("can_hold", &clauses::Clauses::can_hold, "assumptions"_a, "most_steps"_a);
}

}  // namespace hornbook::planner
