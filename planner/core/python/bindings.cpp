// The module planner._core: machines that play games, and planners over them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "machine/foreign_machine.hpp"
#include "machine/machine.hpp"
#include "python/bind_rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

void bind_machines(nb::module_& module) {
    nb::class_<Machine>(module, "Machine")
        .def_prop_ro("role_count", &Machine::roles)
        .def("initial",
             [](Machine& machine) {
                 std::vector<Word> words;
                 machine.initial(words);
                 return words;
             })
        .def("look", [](Machine& machine, const std::vector<Word>& state) { machine.look(state); }, "state"_a)
        .def("terminal", &Machine::terminal)
        .def("legal",
             [](Machine& machine, std::size_t role) {
                 const auto moves = machine.legal(role);
                 return std::vector<Move>(moves.begin(), moves.end());
             },
             "role"_a)
        .def("goal", &Machine::goal, "role"_a)
        .def("next",
             [](Machine& machine, const std::vector<Move>& joint) {
                 std::vector<Word> words;
                 machine.next(joint, words);
                 return words;
             },
             "joint"_a);
    nb::class_<ForeignMachine, Machine>(module, "ForeignMachine").def(nb::init<nb::object>(), "game"_a);
}

}  // namespace

}  // namespace hornbook::planner

NB_MODULE(_core, module) {
    hornbook::planner::bind_machines(module);
    hornbook::planner::bind_clauses(module);
    hornbook::planner::bind_conditional(module);
    hornbook::planner::bind_grounding(module);
    hornbook::planner::bind_network(module);
    hornbook::planner::bind_play(module);
    hornbook::planner::bind_sequential(module);
    hornbook::planner::bind_tasks(module);
    hornbook::planner::bind_resolution(module);
}
