// Searches over machines, for Python: see planner/core/play/tree_search.hpp and bounded_search.hpp.
#include "python/bind_rooms.hpp"

#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "play/bounded_search.hpp"
#include "play/limits.hpp"
#include "play/tree_search.hpp"
#include "python/signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;

template <typename Result>
nb::class_<Result> bind_result(nb::module_& module, const char* name) {
    return nb::class_<Result>(module, name)
        .def_ro("move", &Result::move)
        .def_ro("worth", &Result::worth)
        .def_ro("lower", &Result::lower)
        .def_ro("upper", &Result::upper)
        .def_ro("depth", &Result::depth)
        .def_ro("nodes", &Result::nodes)
        .def_ro("line", &Result::line);
}

}  // namespace

void bind_play(nb::module_& module) {
    nb::class_<StopSignal>(module, "StopSignal")
        .def(nb::init<>())
        .def("set", &StopSignal::set)
        .def_prop_ro("is_set", &StopSignal::is_set);
    nb::class_<RootMove>(module, "RootMove")
        .def_ro("move", &RootMove::move)
        .def_ro("visits", &RootMove::visits)
        .def_ro("worth", &RootMove::worth)
        .def_ro("lower", &RootMove::lower)
        .def_ro("upper", &RootMove::upper);
    bind_result<TreeResult>(module, "TreeResult")
        .def_ro("playouts", &TreeResult::playouts)
        .def_ro("moves", &TreeResult::moves);
    bind_result<BoundedResult>(module, "BoundedResult").def_ro("exact", &BoundedResult::exact);
    nb::class_<TreeSearch>(module, "TreeSearch")
        .def("__init__",
             [](TreeSearch* self, Machine& machine, bool rave, std::uint64_t seed, std::size_t megabytes) {
                 new (self) TreeSearch(machine, rave, seed, megabytes * megabyte);
             },
             "machine"_a, nb::kw_only(), "rave"_a, "seed"_a, "megabytes"_a, nb::keep_alive<1, 2>())
        .def("run",
             [](TreeSearch& self, const std::vector<Word>& state, std::size_t role, double seconds,
                std::uint64_t playouts, std::size_t threads, const StopSignal* stop) {
                 const nb::gil_scoped_release others_may_run;
                 return self.run(state, role, seconds, playouts, threads, stop, look_for_signals);
             },
             "state"_a, "role"_a, nb::kw_only(), "seconds"_a, "playouts"_a, "threads"_a, "stop"_a.none() = nb::none());
    nb::class_<BoundedSearch>(module, "BoundedSearch")
        .def("__init__",
             [](BoundedSearch* self, Machine& machine, bool alpha_beta, std::size_t megabytes) {
                 new (self) BoundedSearch(machine, alpha_beta, megabytes * megabyte);
             },
             "machine"_a, nb::kw_only(), "alpha_beta"_a, "megabytes"_a, nb::keep_alive<1, 2>())
        .def("run",
             [](BoundedSearch& self, const std::vector<Word>& state, std::size_t role, double seconds,
                std::uint64_t nodes, std::size_t depth, const StopSignal* stop) {
                 const nb::gil_scoped_release others_may_run;
                 return self.run(state, role, seconds, nodes, depth, stop, look_for_signals);
             },
             "state"_a, "role"_a, nb::kw_only(), "seconds"_a, "nodes"_a, "depth"_a, "stop"_a.none() = nb::none());
}

}  // namespace hornbook::planner
