// Python bindings of searches that use conclusions of rules, in the Python module of Go.
// hornbook.play.native documents them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "play/core/search/python.hpp"
#include "theories/go/native/guided.hpp"

namespace go {

namespace nb = nanobind;
using namespace nb::literals;

// Maximal number of points in which a position may differ from the ground of a retained conclusion;
// searches change fewer.
constexpr int FAR = 4;

struct Guided {
    std::unique_ptr<Guide> guide;
    play::Searcher<GuidedGo> searcher;
};

inline void bind_guided(nb::module_& module) {
    nb::class_<Guided>(module, "Guided", nb::is_final())
        .def(
            "know",
            [](Guided& self, const State& state, const std::vector<std::string>& conclusions) {
                self.guide->known.keep(state, FAR);
                for (const std::string& each : conclusions) {
                    self.guide->known.add(state, each);
                }
            },
            "state"_a, "conclusions"_a)
        .def_prop_ro("known", [](const Guided& self) { return self.guide->known.all().size(); })
        .def(
            "evaluation",
            [](const Guided& self, const State& state) {
                return GuidedGo::evaluation({state, self.guide.get(), self.guide->known.version()});
            },
            "state"_a)
        .def(
            "__call__",
            [](const Guided& self, const State& at, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, std::optional<int> depth, double share,
               const play::Stop<Go>* stop, bool trace, const std::vector<std::string>& only,
               std::size_t lines, const std::optional<nb::callable>& report) {
                const play::Budget budget = play::budget_of(nodes, seconds, depth, share,
                                                            stop == nullptr ? nullptr : &stop->is_set, trace);
                const GuidedState state{at, self.guide.get(), self.guide->known.version()};
                const auto analysis = play::analysis_of<GuidedGo>(self.searcher, state, only, lines, report);
                return play::decide<GuidedGo>(self.searcher, state, budget, analysis);
            },
            "state"_a, nb::kw_only(), "nodes"_a = nb::none(), "seconds"_a = nb::none(),
            "depth"_a = nb::none(), "share"_a = 1.0, "stop"_a.none() = nb::none(), "trace"_a = false,
            "only"_a = std::vector<std::string>(), "lines"_a = 1, "report"_a = nb::none())
        .def_prop_ro("gives_lines", [](const Guided& self) { return self.searcher.gives_lines; });
    module.def(
        "guided",
        [](const std::string& name, bool leaves, bool order, std::optional<std::size_t> megabytes) {
            auto guide = std::make_unique<Guide>();
            guide->leaves = leaves;
            guide->order = order;
            return Guided{std::move(guide),
                          play::search_of<GuidedGo>(name, nb::dict(),
                                                    std::make_shared<play::Known<GuidedGo>>(), megabytes)};
        },
        "name"_a, nb::kw_only(), "leaves"_a, "order"_a, "megabytes"_a = nb::none());
}

}  // namespace go
