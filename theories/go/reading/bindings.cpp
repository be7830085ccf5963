// The module theories.go._reading: one board, one target, and the results of the search. Only
// theories/go/reader.py calls it, and has checked the arguments.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "alpha_beta.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace reading {
namespace {

// Python's exception is already set, and is passed on unchanged.
struct Interrupted {};

Position position_of(const nb::bytes& colours, int ban) {
    Position position;
    for (std::size_t point = 0; point < colours.size(); ++point) {
        const char colour = colours.c_str()[point];
        if (colour != '.') {
            position.stones(colour == 'X' ? Colour::BLACK : Colour::WHITE).add(static_cast<Point>(point));
        }
    }
    position.ban = static_cast<Point>(ban);
    return position;
}

std::vector<int> listed(const Zone& zone) {
    std::vector<int> points;
    zone.each([&](Point point) { points.push_back(point); });
    return points;
}

std::string text_of(const Grid& grid, const Position& position) {
    std::string text(static_cast<std::size_t>(grid.points()), '.');
    position.black.each([&](Point point) { text[static_cast<std::size_t>(point)] = 'X'; });
    position.white.each([&](Point point) { text[static_cast<std::size_t>(point)] = 'O'; });
    return text;
}

Colour player_of(bool is_black) { return is_black ? Colour::BLACK : Colour::WHITE; }

// The board after a move, the captured points, and the point that ko forbids to the other player; or nothing.
std::optional<std::tuple<std::string, std::vector<int>, int>> after_move(int rows, int columns,
                                                                         const nb::bytes& colours, int ban,
                                                                         bool is_black, int point) {
    const Grid grid(rows, columns);
    const auto after =
        point == ban ? std::nullopt
                     : play(grid, position_of(colours, ban), player_of(is_black), static_cast<Point>(point));
    if (!after) {
        return std::nullopt;
    }
    return std::tuple{text_of(grid, after->position), listed(after->captured), int{after->position.ban}};
}

std::vector<int> legal_moves(int rows, int columns, const nb::bytes& colours, int ban, bool is_black) {
    const Grid grid(rows, columns);
    const Position position = position_of(colours, ban);
    std::vector<int> found;
    position.empty(grid).each([&](Point point) {
        if (point != position.ban && play(grid, position, player_of(is_black), point)) {
            found.push_back(point);
        }
    });
    return found;
}

// The number of attacker's moves that a fast alpha-beta needs, up to `moves` (0: none), the first of
// them, and its nodes.
std::tuple<int, int, std::uint64_t> alpha_beta(int rows, int columns, const nb::bytes& colours, int ban,
                                               int target, int moves) {
    const Grid grid(rows, columns);
    const Position position = position_of(colours, ban);
    const nb::gil_scoped_release others;
    AlphaBeta search(grid, static_cast<Point>(target));
    const int needed = search.moves_needed(position, moves);
    return {needed, int{search.best()}, search.nodes()};
}

// A position with a target, and all results so far.
class Reading {
public:
    Reading(int rows, int columns, const nb::bytes& colours, int ban, int target, bool attacker_ignores,
            bool defender_ignores, std::uint64_t nodes, bool everywhere)
        : grid_(std::make_unique<Grid>(rows, columns)),
          search_(*grid_, position_of(colours, ban), static_cast<Point>(target),
                  {attacker_ignores, defender_ignores}, {nodes, everywhere, [] {
                      const nb::gil_scoped_acquire python;
                      if (PyErr_CheckSignals() != 0) {
                          throw Interrupted{};
                      }
                  }}) {}

    template <class Ask>
    auto ask(Ask&& question) {
        try {
            const nb::gil_scoped_release others;
            return question(search_);
        } catch (const Interrupted&) {
            throw nb::python_error();
        }
    }
    const Search& search() const { return search_; }

private:
    std::unique_ptr<Grid> grid_;
    Search search_;
};

std::vector<Zone> zones_of(const std::vector<std::vector<int>>& lists) {
    std::vector<Zone> zones;
    for (const std::vector<int>& points : lists) {
        Zone& zone = zones.emplace_back();
        for (const int point : points) {
            zone.add(static_cast<Point>(point));
        }
    }
    return zones;
}

}  // namespace
}  // namespace reading

NB_MODULE(_reading, module) {
    using namespace reading;
    module.doc() = "Exhaustive capture search; theories.go.reader is its face.";
    module.attr("__version__") = HORNBOOK_VERSION;
    nb::exception<TooManyNodes>(module, "TooManyNodes");
    module.def("play", &after_move, "rows"_a, "columns"_a, "colours"_a, "ban"_a, "is_black"_a, "point"_a);
    module.def("legal_moves", &legal_moves, "rows"_a, "columns"_a, "colours"_a, "ban"_a, "is_black"_a);
    module.def("alpha_beta", &alpha_beta, "rows"_a, "columns"_a, "colours"_a, "ban"_a, "target"_a, "moves"_a);
    nb::class_<Reading>(module, "Reading")
        .def(nb::init<int, int, const nb::bytes&, int, int, bool, bool, std::uint64_t, bool>(), "rows"_a,
             "columns"_a, "colours"_a, "ban"_a, "target"_a, "attacker_ignores"_a, "defender_ignores"_a,
             "nodes"_a, "everywhere"_a)
        .def(
            "attacker_captures",
            [](Reading& reading, int moves) {
                return reading.ask([&](Search& search) { return search.attacker_captures(moves); });
            },
            "moves"_a)
        .def(
            "defender_is_captured",
            [](Reading& reading, int moves) {
                return reading.ask([&](Search& search) { return search.defender_is_captured(moves); });
            },
            "moves"_a)
        .def(
            "winning_moves",
            [](Reading& reading, int moves) {
                return listed(reading.ask([&](Search& search) { return search.winning_moves(moves); }));
            },
            "moves"_a)
        .def(
            "saving_moves",
            [](Reading& reading, int moves) {
                return listed(reading.ask([&](Search& search) { return search.saving_moves(moves); }));
            },
            "moves"_a)
        .def(
            "best_move",
            [](Reading& reading, int moves, const std::vector<std::vector<int>>& preferred) {
                const std::vector<Zone> zones = zones_of(preferred);
                return int{reading.ask([&](Search& search) { return search.best_move(moves, zones); })};
            },
            "moves"_a, "preferred"_a)
        .def("nodes", [](const Reading& reading) { return reading.search().nodes(); })
        .def("bans", [](const Reading& reading) { return reading.search().bans(); });
}
