#include "python/bind_rooms.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "network/many_states.hpp"
#include "network/network_machine.hpp"
#include "play/lane_playouts.hpp"
#include "python/signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

using Array = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::int32_t> numbers(nb::handle array) {
    const auto view = nb::cast<Array>(array);
    return {view.data(), view.data() + view.size()};
}

std::vector<std::vector<std::int32_t>> rows(nb::handle arrays) {
    std::vector<std::vector<std::int32_t>> found;
    for (const auto array : arrays) {
        found.push_back(numbers(array));
    }
    return found;
}

// From a GroundProgram.
network::GroundRules ground_rules(nb::handle program) {
    network::GroundRules rules;
    rules.atoms = nb::cast<network::Atom>(program.attr("atoms"));
    rules.initial = nb::cast<std::vector<network::Atom>>(program.attr("initial"));
    rules.next = numbers(program.attr("next_atoms"));
    rules.does = rows(program.attr("does_atoms"));
    rules.legal = rows(program.attr("legal_atoms"));
    rules.terminal = nb::cast<network::Atom>(program.attr("terminal"));
    rules.goals = nb::cast<decltype(rules.goals)>(program.attr("goals"));
    rules.heads = numbers(program.attr("heads"));
    rules.positive_starts = numbers(program.attr("positive_starts"));
    rules.positive = numbers(program.attr("positive"));
    rules.negative_starts = numbers(program.attr("negative_starts"));
    rules.negative = numbers(program.attr("negative"));
    rules.cycles = nb::cast<decltype(rules.cycles)>(program.attr("cycles"));
    return rules;
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::class_<Playouts>(module, "Playouts")
        .def_ro("states", &Playouts::states)
        .def_ro("games", &Playouts::games)
        .def_ro("stuck", &Playouts::stuck)
        .def_ro("cut", &Playouts::cut)
        .def_ro("worths", &Playouts::worths);
    nb::class_<NetworkMachine, Machine>(module, "NetworkMachine")
        .def("__init__",
             [](NetworkMachine* self, nb::object program) {
                 const auto rules = ground_rules(program);
                 nb::gil_scoped_release others_may_run;
                 new (self) NetworkMachine(rules, look_for_signals);
             },
             "program"_a)
        .def_prop_ro("nodes", &NetworkMachine::nodes)
        .def_prop_ro("connections", &NetworkMachine::connections)
        .def("playouts",
             [](const NetworkMachine& machine, std::uint64_t seed, std::uint64_t states, double seconds,
                std::uint64_t most_plies) {
                 nb::gil_scoped_release others_may_run;
                 network::Lanes own(machine.networks().for_many);  // others may use the machine concurrently
                 return playouts(own, machine.networks().for_one->initial, seed, states, seconds, most_plies);
             },
             "seed"_a, "states"_a, "seconds"_a, "most_plies"_a)
        .def("look_all",
             [](const NetworkMachine& machine, const network::States& states) {
                 std::vector<network::Look> looks;
                 {
                     const nb::gil_scoped_release others_may_run;
                     looks = network::look_all(machine.networks().for_many, states);
                 }
                 nb::list found;
                 for (auto& look : looks) {
                     found.append(nb::make_tuple(look.terminal, std::move(look.legal), std::move(look.goals)));
                 }
                 return found;
             },
             "states"_a)
        .def("next_all",
             [](const NetworkMachine& machine, const network::States& states,
                const std::vector<std::vector<Move>>& joints) {
                 const nb::gil_scoped_release others_may_run;
                 return network::next_all(machine.networks().for_many, states, joints);
             },
             "states"_a, "joints"_a);
}

}  // namespace hornbook::planner
