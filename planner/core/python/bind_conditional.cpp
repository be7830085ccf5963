// The planner for games of several roles, for Python.
#include "python/bind_rooms.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "conditional/solver.hpp"
#include "python/signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

void bind_conditional(nb::module_& module) {
    nb::class_<Step>(module, "Step")
        .def_ro("state", &Step::state)
        .def_ro("value", &Step::value)
        .def_ro("rank", &Step::rank)
        .def_ro("move", &Step::move)
        .def_ro("replies", &Step::replies)
        .def_ro("to", &Step::to);
    nb::class_<Refuted>(module, "Refuted")
        .def_ro("state", &Refuted::state)
        .def_ro("moves", &Refuted::moves)
        .def_ro("replies", &Refuted::replies)
        .def_ro("to", &Refuted::to);
    nb::class_<Solver>(module, "Solver")
        .def("__init__",
             [](Solver* place, Machine& machine, std::size_t role, const std::vector<Word>& start, Worth most,
                std::size_t most_bytes) {
                 new (place) Solver(machine, role, start, most, most_bytes, look_for_signals);
             },
             "machine"_a, "role"_a, "start"_a, "most"_a, "most_bytes"_a, nb::keep_alive<1, 2>())
        .def_prop_ro("states", [](const Solver& solver) { return solver.graph().size(); })
        .def_prop_ro("expanded", [](const Solver& solver) { return solver.graph().expanded(); })
        .def_prop_ro("bytes", [](const Solver& solver) { return solver.graph().bytes(); })
        .def_prop_ro("full", &Solver::full)
        .def("stop_after", &Solver::stop_after, "seconds"_a)
        .def("explore", &Solver::explore, "seconds"_a, "most_expanded"_a)
        .def("prove", &Solver::prove, "least"_a, "seconds"_a, "most_expanded"_a)
        .def("bounds", &Solver::bounds)
        .def("worths", &Solver::worths)
        .def("strategy", &Solver::strategy, "least"_a)
        .def("refutation", &Solver::refutation, "most"_a)
        .def("words",
             [](const Solver& solver, Index state) {
                 if (state >= solver.graph().size()) {
                     throw nb::index_error("no such state");
                 }
                 const auto words = solver.graph().state(state);
                 return std::vector<Word>(words.begin(), words.end());
             },
             "state"_a);
}

}  // namespace hornbook::planner
