// The sequential planner for Python: see planner/core/sequential/layered_search.hpp.
#include "python/bind_sequential.hpp"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sequential/clock.hpp"
#include "sequential/layered_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

void bind_sequential(nb::module_& module) {
    nb::class_<Clock>(module, "Clock")
        .def(
            "__init__",
            [](Clock* clock, bool numbers, std::vector<Word> shown, std::vector<Word> idle,
               std::vector<std::vector<Word>> phases, std::size_t again, std::vector<int> kinds) {
                new (clock) Clock{numbers ? Words::numbers : Words::bits,
                                  std::move(shown),
                                  std::move(idle),
                                  std::move(phases),
                                  again,
                                  std::move(kinds)};
            },
            "numbers"_a, "shown"_a, "idle"_a, "phases"_a, "again"_a, "kinds"_a);
    nb::enum_<Status>(module, "Status")
        .value("searching", Status::searching)
        .value("top", Status::top)
        .value("exhausted", Status::exhausted)
        .value("full", Status::full);
    nb::class_<LayeredSearch>(module, "LayeredSearch")
        .def(
            "__init__",
            [](LayeredSearch* search, Machine& machine, const std::vector<Word>& begins, int top, Clock clock,
               std::size_t memory) { new (search) LayeredSearch(machine, begins, top, std::move(clock), memory); },
            "machine"_a, "begins"_a, "top"_a, "clock"_a, "memory"_a, nb::keep_alive<1, 2>())
        .def("run", &LayeredSearch::run, "states"_a)
        .def("plan", &LayeredSearch::plan)
        .def_prop_ro("status", &LayeredSearch::status)
        .def_prop_ro("best", &LayeredSearch::best)
        .def_prop_ro("boards", &LayeredSearch::boards)
        .def_prop_ro("states", &LayeredSearch::states)
        .def_prop_ro("depth", &LayeredSearch::depth)
        .def_prop_ro("bytes", &LayeredSearch::bytes);
}

}  // namespace hornbook::planner
