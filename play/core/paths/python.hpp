// Searches in the Python module of a game of one player: each returns its path as a dictionary.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "play/core/paths/dta_star.hpp"
#include "play/core/paths/ida_star.hpp"
#include "play/core/paths/rta_star.hpp"
#include "play/core/paths/weighted_a_star.hpp"

namespace play {

namespace nb = nanobind;
using namespace nb::literals;

constexpr std::uint64_t ANY_NUMBER = std::numeric_limits<std::uint64_t>::max();

template <GameOfOne G>
nb::dict told(const typename G::State& state, const Path<G>& path) {
    std::vector<std::string> moves;
    typename G::State at = state;
    for (const auto move : path.moves) {
        moves.push_back(G::write_move(at, move));
        at = G::after(at, move);
    }
    nb::dict found;
    found["moves"] = moves;
    found["nodes"] = path.nodes;
    found["is_found"] = path.is_found;
    return found;
}

// The result of `search(bound, count)` with the bound of that name, while other Python threads run.
template <GameOfOne G, class S>
nb::dict searched(const typename G::State& state, const std::string& bound_name, std::uint64_t most_nodes, const S& search) {
    Path<G> path;
    {
        nb::gil_scoped_release released;
        G::with_bound(bound_name, state, [&](const auto& bound) { path = search(bound, Count(most_nodes)); });
    }
    return told<G>(state, path);
}

inline void require(bool is_right, const char* message) {
    if (!is_right) {
        throw std::invalid_argument(message);
    }
}

inline Thinking thinking(double weight, double cost, double factor, std::size_t most_a_move, std::size_t most_moves) {
    require(weight >= 1 && cost >= 0 && factor > 0 && most_a_move > 0, "weight is 1 or more, and limits and factor are positive");
    return {weight, cost, factor, most_a_move, most_moves};
}

template <GameOfOne G>
void bind_paths(nb::module_& module, nb::class_<typename G::State>& state_class) {
    using State = typename G::State;
    nb::list names;
    for (const char* name : G::bound_names) {
        names.append(name);
    }
    module.attr("BOUNDS") = nb::tuple(names);
    state_class.def(
        "bound",
        [](const State& self, const std::string& name) {
            int found = 0;
            nb::gil_scoped_release released;
            G::with_bound(name, self, [&](const auto& bound) { found = bound(self); });
            return found;
        },
        "name"_a);
    state_class.def(
        "ida_star",
        [](const State& self, const std::string& bound, std::uint64_t most_nodes) {
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) { return IdaStar<G, std::decay_t<decltype(by)>>(by, count)(self); });
        },
        "bound"_a, "most_nodes"_a = ANY_NUMBER);
    state_class.def(
        "weighted_a_star",
        [](const State& self, const std::string& bound, double weight, std::uint64_t most_nodes) {
            require(weight >= 1, "a weight is 1 or more");
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) { return weighted_a_star<G>(self, by, weight, count); });
        },
        "bound"_a, "weight"_a, "most_nodes"_a = ANY_NUMBER);
    state_class.def(
        "rta_star",
        [](const State& self, const std::string& bound, int depth, double weight, std::uint32_t seed, std::size_t most_moves,
           std::uint64_t most_nodes) {
            require(depth >= 1 && weight >= 1, "a depth is 1 or more, and a weight");
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) {
                return RtaStar<G, std::decay_t<decltype(by)>>(by, depth, weight, seed, count)(self, most_moves);
            });
        },
        "bound"_a, "depth"_a, "weight"_a = 1.0, "seed"_a = 1, "most_moves"_a = 100000, "most_nodes"_a = ANY_NUMBER);
    state_class.def(
        "dta_star_by_single_steps",
        [](const State& self, const std::string& bound, const std::vector<std::pair<double, double>>& rises, double cost,
           double weight, double factor, std::size_t most_a_move, std::size_t most_moves, std::uint64_t most_nodes) {
            const Thinking how = thinking(weight, cost, factor, most_a_move, most_moves);
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) {
                return DtaStar<G, std::decay_t<decltype(by)>>(by, how, count).by_single_steps(self, SingleStep{rises});
            });
        },
        "bound"_a, "rises"_a, "cost"_a, "weight"_a = 1.0, "factor"_a = 1.0, "most_a_move"_a = 10000, "most_moves"_a = 100000,
        "most_nodes"_a = ANY_NUMBER);
    state_class.def(
        "dta_star_by_rises_and_falls",
        [](const State& self, const std::string& bound, const std::vector<std::pair<double, double>>& rises,
           const std::vector<std::pair<double, double>>& falls, double cost, double weight, double factor,
           std::size_t most_a_move, std::size_t most_moves, std::uint64_t most_nodes) {
            const Thinking how = thinking(weight, cost, factor, most_a_move, most_moves);
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) {
                return DtaStar<G, std::decay_t<decltype(by)>>(by, how, count).by_rises_and_falls(self, SingleStep{rises}, SingleFall{falls});
            });
        },
        "bound"_a, "rises"_a, "falls"_a, "cost"_a, "weight"_a = 1.0, "factor"_a = 1.0, "most_a_move"_a = 10000,
        "most_moves"_a = 100000, "most_nodes"_a = ANY_NUMBER);
    nb::class_<Gathered>(module, "Gathered", nb::is_final())
        .def(nb::init<>())
        .def("rows", [](const Gathered& self) {
            std::vector<std::vector<double>> rows;
            for (std::size_t size = 0; size < Gathered::SIZES; ++size) {
                for (std::size_t gap = 0; gap < Gathered::GAPS; ++gap) {
                    const auto& cell = self.cells[size][gap];
                    rows.push_back({static_cast<double>(size), static_cast<double>(gap), cell.times, cell.gain, cell.nodes});
                }
            }
            return rows;
        });
    state_class.def(
        "gather",
        [](const State& self, const std::string& bound, Gathered& into, double weight, std::size_t most_a_move,
           std::size_t most_moves, std::uint64_t most_nodes) {
            const Thinking how = thinking(weight, 0, 1, most_a_move, most_moves);
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) {
                return DtaStar<G, std::decay_t<decltype(by)>>(by, how, count).gather(self, into);
            });
        },
        "bound"_a, "into"_a, "weight"_a = 1.0, "most_a_move"_a = 10000, "most_moves"_a = 100000, "most_nodes"_a = ANY_NUMBER);
    state_class.def(
        "dta_star",
        [](const State& self, const std::string& bound, const Gathered& worth, double cost, double weight, double factor,
           std::size_t most_a_move, std::size_t most_moves, std::uint64_t most_nodes) {
            const Thinking how = thinking(weight, cost, factor, most_a_move, most_moves);
            return searched<G>(self, bound, most_nodes, [&](const auto& by, Count count) {
                return DtaStar<G, std::decay_t<decltype(by)>>(by, how, count).by_gathered(self, worth);
            });
        },
        "bound"_a, "gathered"_a, "cost"_a, "weight"_a = 1.0, "factor"_a = 1.0, "most_a_move"_a = 10000, "most_moves"_a = 100000,
        "most_nodes"_a = ANY_NUMBER);
}

}  // namespace play
