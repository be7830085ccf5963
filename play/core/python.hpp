// The generic Python module of a game's native step, with the interface of hornbook.play.native.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "play/core/game.hpp"
#include "play/core/paths/python.hpp"
#include "play/core/perft.hpp"
#include "play/core/search/python.hpp"

namespace play {

namespace nb = nanobind;
using namespace nb::literals;

// The move of a state with this text; throws std::invalid_argument, which is a ValueError in Python.
template <Game G>
typename G::Move move_of(const typename G::State& state, const std::string& text) {
    Moves<G> moves;
    G::moves(state, moves);
    for (const auto move : moves) {
        if (G::write_move(state, move) == text) {
            return move;
        }
    }
    throw std::invalid_argument("`" + text + "` is no legal move");
}

template <Game G>
std::vector<std::string> moves_of(const typename G::State& state) {
    Moves<G> moves;
    G::moves(state, moves);
    std::vector<std::string> texts;
    for (const auto move : moves) {
        texts.push_back(G::write_move(state, move));
    }
    return texts;
}

template <Game G>
void bind(nb::module_& module) {
    using State = typename G::State;
    module.attr("__version__") = HORNBOOK_VERSION;
    module.attr("PLAYERS") = static_cast<int>(G::players);
    module.attr("EVALUATION_UNIT") = static_cast<int>(G::evaluation_unit);
    module.attr("RANGE") = nb::make_tuple(static_cast<int>(G::least), static_cast<int>(G::greatest));
    auto state = nb::class_<State>(module, "State", nb::is_final());
    state.def(nb::new_([](const std::string& text) { return G::read(text); }), "text"_a)
        .def("__str__", &G::write)
        .def("__eq__", [](const State& self, const State& other) { return self == other; })
        .def("__eq__", [](const State&, nb::handle) { return false; })
        .def("__hash__", [](const State& self) { return G::hash(self) >> 1; })
        .def_prop_ro("to_move", &G::to_move)
        .def_prop_ro("is_over", &G::is_over)
        .def_prop_ro("outcome",
                     [](const State& self) {
                         if (!G::is_over(self)) {
                             throw std::invalid_argument("the game is not over");
                         }
                         return G::outcome(self);
                     })
        .def_prop_ro("evaluation", &G::evaluation)
        .def("moves", &moves_of<G>)
        .def("after", [](const State& self, const std::string& move) { return G::after(self, move_of<G>(self, move)); },
             "move"_a)
        .def(
            "perft",
            [](const State& self, int depth) {
                if (depth < 0) {
                    throw std::invalid_argument("a line of play has no moves or more");
                }
                return perft<G>(self, depth);
            },
            "depth"_a, nb::call_guard<nb::gil_scoped_release>());
    if constexpr (Featured<G>) {
        state.def_prop_ro("features", [](const State& self) {
            const auto found = G::features(self);
            return std::vector<int>(found.begin(), found.end());
        });
        nb::list names;
        for (const char* name : G::feature_names) {
            names.append(name);
        }
        module.attr("FEATURES") = nb::tuple(names);
    }
    if constexpr (GameOfTwo<G>) {
        bind_searches<G>(module, state);
    }
    if constexpr (GameOfOne<G>) {
        bind_paths<G>(module, state);
    }
}

}  // namespace play
