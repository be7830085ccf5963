// Allocation in the Python module of a game, with the interface of hornbook.play.allocation.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "planner/core/python/signals.hpp"
#include "play/core/allocation/policy.hpp"
#include "play/core/allocation/strategies.hpp"

namespace play::allocation {

namespace nb = nanobind;
using namespace nb::literals;

inline Gain gain_of(const std::string& name) {
    if (name != "class" && name != "utility") {
        throw std::invalid_argument("a tree is grown by `class` or by `utility`");
    }
    return name == "class" ? Gain::INFORMATION : Gain::VARIANCE;
}

inline By by_of(const std::string& name) {
    if (name == "majority") {
        return By::MAJORITY;
    }
    if (name == "context") {
        return By::CONTEXT;
    }
    if (name == "program") {
        return By::PROGRAM;
    }
    throw std::invalid_argument("leaves decide by `majority`, `context` or `program`");
}

// The nodes as rows (feature, threshold, below, above, weight, worth).
using Row = std::tuple<int, int, std::uint32_t, std::uint32_t, double, double>;

inline nb::list rows_of(const Tree& tree) {
    nb::list rows;
    for (const Node& node : tree.nodes) {
        rows.append(nb::make_tuple(node.feature, node.threshold, node.below, node.above, node.weight, node.worth));
    }
    return rows;
}

// Throws std::invalid_argument if the rows form no tree: each node must precede those below it, and features
// are below `width`.
inline Tree tree_of(const nb::list& rows, std::size_t width) {
    Tree tree;
    for (const nb::handle row : rows) {
        Node node;
        node.feature = nb::cast<int>(row[0]);
        node.threshold = nb::cast<int>(row[1]);
        node.below = nb::cast<std::uint32_t>(row[2]);
        node.above = nb::cast<std::uint32_t>(row[3]);
        node.weight = nb::cast<double>(row[4]);
        node.worth = nb::cast<double>(row[5]);
        tree.nodes.push_back(node);
    }
    for (std::size_t place = 0; place < tree.nodes.size(); ++place) {
        const Node& node = tree.nodes[place];
        const bool goes_on = node.feature >= 0;
        if (goes_on && (static_cast<std::size_t>(node.feature) >= width || std::min(node.below, node.above) <= place ||
                        std::max(node.below, node.above) >= tree.nodes.size())) {
            throw std::invalid_argument("these nodes are no tree");
        }
    }
    if (tree.nodes.empty()) {
        throw std::invalid_argument("these nodes are no tree");
    }
    tree.rank();
    return tree;
}

template <Allocating A>
struct Taught {
    std::vector<Board<typename A::Game>> boards;
};

template <Allocating A>
void bind(nb::module_& module) {
    using G = typename A::Game;
    nb::list names;
    for (const char* name : A::hand_names) {
        names.append(name);
    }
    for (const char* name : A::searched_names) {
        names.append(name);
    }
    module.attr("FEATURES") = nb::tuple(names);
    module.attr("BY_HAND") = A::hand;
    module.attr("PATTERNS") = A::patterns;
    module.def("pattern_name", [](std::uint32_t pattern) {
        if (pattern >= A::patterns) {
            throw std::invalid_argument("there is no such pattern");
        }
        return A::named(pattern);
    });

    nb::class_<Setting>(module, "Setting")
        .def(nb::init<int, int, int, int>(), "moves"_a = 40, "searches"_a = 8, "shallow"_a = 4, "deep"_a = 6)
        .def_ro("moves", &Setting::moves)
        .def_ro("searches", &Setting::searches)
        .def_ro("shallow", &Setting::shallow)
        .def_ro("deep", &Setting::deep);

    nb::class_<Tally>(module, "Tally")
        .def_ro("won", &Tally::won)
        .def_ro("lost", &Tally::lost)
        .def_ro("drawn", &Tally::drawn)
        .def_ro("moves", &Tally::moves)
        .def_ro("asked", &Tally::asked)
        .def_ro("deep", &Tally::deep)
        .def_ro("shallow_nodes", &Tally::shallow_nodes)
        .def_ro("deep_nodes", &Tally::deep_nodes)
        .def_ro("deciding_nodes", &Tally::deciding_nodes)
        .def_ro("seconds", &Tally::seconds)
        .def_ro("deciding_seconds", &Tally::deciding_seconds);

    nb::class_<Taught<A>>(module, "Boards")
        .def("__len__", [](const Taught<A>& self) { return self.boards.size(); })
        .def("worth",
             [](const Taught<A>& self) {
                 std::vector<std::pair<bool, double>> found;
                 for (const auto& board : self.boards) {
                     found.emplace_back(board.worth.positive, board.worth.utility / G::men);
                 }
                 return found;
             })
        .def("states",
             [](const Taught<A>& self) {
                 std::vector<std::string> found;
                 for (const auto& board : self.boards) {
                     found.push_back(G::write(board.state));
                 }
                 return found;
             })
        .def(
            "features",
            [](const Taught<A>& self, std::size_t place, const std::vector<std::uint32_t>& patterns) {
                Meter meter{Budget{}};
                const Found<A> given{patterns};
                Features<A> features(self.boards.at(place).state, given, meter);
                std::vector<int> found;
                for (std::size_t each = 0; each < given.width(); ++each) {
                    found.push_back(features(each));
                }
                return found;
            },
            "place"_a, "patterns"_a = std::vector<std::uint32_t>{})
        .def(
            "relief",
            [](const Taught<A>& self, std::size_t samples, std::uint64_t seed) {
                std::vector<std::size_t> all(A::hand + A::searched);
                std::iota(all.begin(), all.end(), std::size_t{0});
                return relief(table_of<A>(self.boards, Found<A>{}, all, false), samples, seed);
            },
            "samples"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("information", [](const Taught<A>& self) { return information<A>(self.boards); },
             nb::call_guard<nb::gil_scoped_release>())
        .def(
            "first",
            [](const Taught<A>& self, std::size_t number) {
                const auto end = self.boards.begin() + static_cast<std::ptrdiff_t>(std::min(number, self.boards.size()));
                return Taught<A>{{self.boards.begin(), end}};
            },
            "number"_a)
        .def("best_patterns", [](const Taught<A>& self, std::size_t number) { return best_patterns<A>(self.boards, number); },
             "number"_a, nb::call_guard<nb::gil_scoped_release>());

    module.def(
        "boards",
        [](const std::string& start, const Setting& setting, std::size_t number, int apart, std::uint64_t seed) {
            if (apart < 1) {
                throw std::invalid_argument("boards are 1 or more apart");
            }
            return Taught<A>{boards<G>(G::read(start), setting, number, apart, seed, hornbook::planner::look_for_signals)};
        },
        "start"_a, "setting"_a, "number"_a, "apart"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());

    nb::class_<Classifier<A>>(module, "Classifier")
        .def(nb::new_([](const nb::list& rows, const std::vector<std::uint32_t>& patterns, const std::string& by) {
                 for (const auto pattern : patterns) {
                     if (pattern >= A::patterns) {
                         throw std::invalid_argument("there is no such pattern");
                     }
                 }
                 if (by_of(by) == By::PROGRAM) {
                     throw std::invalid_argument("how to decide by a program is said by `decide_by`");
                 }
                 const Found<A> found{patterns};
                 return Classifier<A>{tree_of(rows, found.width()), found, by_of(by), {}};
             }),
             "rows"_a, "patterns"_a, "by"_a)
        .def_prop_ro("rows", [](const Classifier<A>& self) { return rows_of(self.tree); })
        .def_prop_ro("patterns", [](const Classifier<A>& self) { return self.found.patterns; })
        .def(
            "refill",
            [](Classifier<A>& self, const Taught<A>& taught, const std::string& by) {
                self.tree.refill(table_of<A>(taught.boards, self.found, self.tree.asked(), gain_of(by) == Gain::VARIANCE));
            },
            "boards"_a, "by"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "decide_by",
            [](Classifier<A>& self, const std::string& by, const Setting& setting, double asked, double ends) {
                self.by = by_of(by);
                self.least = thresholds(self.tree, setting.moves, setting.searches, asked, ends);
            },
            "by"_a, "setting"_a, "asked"_a = 1.0, "ends"_a = 0.0);

    module.def(
        "grown",
        [](const Taught<A>& taught, std::vector<std::size_t> features, const std::vector<std::uint32_t>& patterns, std::size_t least,
           const std::string& by) {
            const Gain gain = gain_of(by);
            const Found<A> found{patterns};
            for (const auto feature : features) {
                if (feature >= found.width()) {
                    throw std::invalid_argument("there is no such feature");
                }
            }
            const Table table = table_of<A>(taught.boards, found, features, gain == Gain::VARIANCE);
            return Classifier<A>{Grower(table, std::move(features), least, gain).grown(), found, By::CONTEXT, {}};
        },
        "boards"_a, "features"_a, "patterns"_a, "least"_a, "by"_a,
        nb::call_guard<nb::gil_scoped_release>());

    nb::class_<Policy>(module, "Policy")
        .def(nb::new_([](const nb::list& rows) { return Policy{tree_of(rows, asked_features<A>)}; }), "rows"_a)
        .def_prop_ro("rows", [](const Policy& self) { return rows_of(self.tree); })
        .def(
            "decides",
            [](const Policy& self, const std::string& board, int move, bool deep_before) {
                const auto state = G::read(board);
                Meter meter{Budget{}};
                Moves<G> best;
                return decides<A>(self, Asked<G>{state, move, 0, 0, deep_before, 0, meter, best});
            },
            "board"_a, "move"_a, "deep_before"_a);
    nb::class_<Explored>(module, "Explored")
        .def("__len__", [](const Explored& self) { return self.deep.size(); })
        .def(
            "decision",
            [](const Explored& self, std::size_t place) {
                if (place >= self.deep.size()) {
                    throw std::out_of_range("there is no such decision");
                }
                std::vector<int> features;
                for (std::size_t each = 0; each < self.table.width; ++each) {
                    features.push_back(self.table.at(place, each));
                }
                return nb::make_tuple(features, self.deep[place] != 0, self.chance[place], self.nodes[place], self.table.worth[place]);
            },
            "place"_a)
        .def("policy", &priced, "price"_a, "least"_a, nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "explore",
        [](const std::string& start, const Setting& setting, const Policy* policy, std::uint64_t games, std::uint64_t seed) {
            return explored<A>(G::read(start), setting, policy, games, seed, hornbook::planner::look_for_signals);
        },
        "start"_a, "setting"_a, "policy"_a.none(), "games"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());

    const auto played = [](const std::string& start, const Setting& setting, const Strategies<G>& strategies, bool always,
                           std::uint64_t games, std::uint64_t seed) {
        return play_games<G>(G::read(start), setting, strategies, always, games, seed, hornbook::planner::look_for_signals);
    };
    module.def(
        "play",
        [played](const std::string& start, const Setting& setting, const std::string& strategy, double number, std::uint64_t games,
                 std::uint64_t seed) {
            if (strategy == "never" || strategy == "always") {
                return played(start, setting, never<G>(), strategy == "always", games, seed);
            }
            if (strategy == "random") {
                return played(start, setting, at_random<G>(setting), false, games, seed);
            }
            if (strategy == "row") {
                return played(start, setting, in_a_row<G>(static_cast<int>(number)), false, games, seed);
            }
            if (strategy == "oracle") {
                return played(start, setting, oracle<G>(setting, number), false, games, seed);
            }
            throw std::invalid_argument("a strategy is never, random, row, oracle or always, or a classifier");
        },
        "start"_a, "setting"_a, "strategy"_a, "number"_a, "games"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "play",
        [played](const std::string& start, const Setting& setting, const Classifier<A>& classifier, std::uint64_t games,
                 std::uint64_t seed) { return played(start, setting, by_classifier<A>(classifier), false, games, seed); },
        "start"_a, "setting"_a, "classifier"_a, "games"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "play",
        [played](const std::string& start, const Setting& setting, const Policy& policy, std::uint64_t games, std::uint64_t seed) {
            return played(start, setting, by_policy<A>(policy), false, games, seed);
        },
        "start"_a, "setting"_a, "policy"_a, "games"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace play::allocation
