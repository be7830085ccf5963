// Bindings of capture_play.hpp as methods of FactBoard, for theories/go/play/chaining.py.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>

#include "theories/go/native/capture_play.hpp"

namespace go {

namespace nb = nanobind;
using namespace nb::literals;

inline int point_of(const FactBoard& board, nb::handle value) {
    const int point = nb::cast<int>(value);
    if (point < 0 || point >= board.points()) {
        throw std::invalid_argument("a point is not on the board");
    }
    return point;
}

inline int stone_of(const FactBoard& board, int point) {
    if (point < 0 || point >= board.points() || board.colours[static_cast<std::size_t>(point)] == EMPTY) {
        throw std::invalid_argument("no stone is at a point");
    }
    return point;
}

inline Colour player_of(int player) {
    if (player != BLACK && player != WHITE) {
        throw std::invalid_argument("there are two players");
    }
    return static_cast<Colour>(player);
}

inline PointSet point_set(const FactBoard& board, nb::handle points) {
    PointSet found(board);
    for (const nb::handle each : points) {
        found.add(point_of(board, each));
    }
    return found;
}

inline nb::list python_points(const std::vector<int>& points) {
    nb::list found;
    for (const int point : points) {
        found.append(point);
    }
    return found;
}

inline nb::object python_zone(const PointSet& zone) {
    return nb::steal(PyFrozenSet_New(python_points(zone.points()).ptr()));
}

inline nb::object ground(const FactBoard& board, nb::handle blocks, nb::handle centres, nb::handle points) {
    const CapturePlay play(board);
    PointSet found = point_set(board, points);
    for (const nb::handle each : blocks) {
        play.add_around(stone_of(board, nb::cast<int>(each)), found);
    }
    for (const nb::handle each : centres) {
        play.add_neighbours(point_of(board, each), found);
    }
    return python_zone(found);
}

inline std::size_t hash_of(const FactBoard& board) {
    std::size_t hash = static_cast<std::size_t>(board.ko + 1) * 3 + static_cast<std::size_t>(board.banned + 1);
    for (const Colour each : board.colours) {
        hash = hash * 1099511628211ULL + each + 1;
    }
    return hash ^ (hash >> 32);
}

inline void bind_capture_play(nb::class_<FactBoard>& board) {
    board.def("__eq__", [](const FactBoard& one, const FactBoard& other) { return one == other; }, nb::is_operator())
        .def("__hash__", &hash_of)
        .def("colour", [](const FactBoard& of, int point) { return static_cast<int>(of.colours.at(static_cast<std::size_t>(point))); }, "point"_a)
        .def("after", [](const FactBoard& of, int player, nb::handle point) -> nb::object {
            std::optional<FactBoard> found = CapturePlay(of).after(player_of(player), point_of(of, point));
            return found ? nb::cast(std::move(*found)) : nb::none();
        }, "player"_a, "point"_a)
        .def("liberties", [](const FactBoard& of, int target) { return CapturePlay(of).liberties(stone_of(of, target)); }, "target"_a)
        .def("attempts", [](const FactBoard& of, int target) { return python_points(CapturePlay(of).attempts(stone_of(of, target))); },
             "target"_a)
        .def("replies", [](const FactBoard& of, int target, nb::handle zone) {
            return python_points(CapturePlay(of).replies(stone_of(of, target), point_set(of, zone)));
        }, "target"_a, "zone"_a)
        .def("ground", &ground, "blocks"_a, "centres"_a, "points"_a)
        .def("ground_of_move", [](const FactBoard& of, int player, nb::handle point) {
            PointSet found(of);
            CapturePlay(of).add_move(player_of(player), point_of(of, point), found);
            return python_zone(found);
        }, "player"_a, "point"_a)
        .def("proof_zone", [](const FactBoard& of, int target, nb::handle points) {
            return python_zone(CapturePlay(of).proof_zone(stone_of(of, target), point_set(of, points)));
        }, "target"_a, "points"_a);
}

}  // namespace go
