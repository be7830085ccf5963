// The sequential planner for Python: see planner/core/sequential/layered_search.hpp, width_search.hpp and beam_search.hpp.
#include "python/bind_rooms.hpp"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "sequential/beam_search.hpp"
#include "sequential/clock.hpp"
#include "sequential/layered_search.hpp"
#include "sequential/width_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

template <typename Search>
nb::class_<Search> bind_search(nb::module_& module, const char* name) {
    return nb::class_<Search>(module, name)
        .def(
            "__init__",
            [](Search* search, Machine& machine, const std::vector<Word>& begins, int top, Clock clock,
               std::size_t memory) { new (search) Search(machine, begins, top, std::move(clock), memory); },
            "machine"_a, "begins"_a, "top"_a, "clock"_a, "memory"_a, nb::keep_alive<1, 2>())
        .def("run", &Search::run, "states"_a)
        .def("plan", &Search::plan)
        .def_prop_ro("status", &Search::status)
        .def_prop_ro("best", &Search::best)
        .def_prop_ro("boards", &Search::boards)
        .def_prop_ro("states", &Search::states)
        .def_prop_ro("bytes", &Search::bytes);
}

}  // namespace

void bind_sequential(nb::module_& module) {
    nb::class_<Clock>(module, "Clock")
        .def(
            "__init__",
            [](Clock* clock, bool numbers, std::vector<Word> shown, std::vector<Word> idle,
               std::vector<std::vector<Word>> phases, std::size_t again, std::vector<int> kinds) {
                new (clock) Clock{numbers ? Encoding::numbers : Encoding::bits,
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
    auto layered = bind_search<LayeredSearch>(module, "LayeredSearch");
    layered.def_prop_ro("depth", &LayeredSearch::depth);
    bind_search<WidthSearch>(module, "WidthSearch");
    bind_search<BeamSearch>(module, "BeamSearch");
}

}  // namespace hornbook::planner
