// Bindings of fact_columns.hpp, for theories/go/play/columns.py.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "theories/go/native/capture_play_python.hpp"
#include "theories/go/native/fact_columns.hpp"

namespace go {

namespace nb = nanobind;
using namespace nb::literals;

inline nb::list python_columns(const FactColumns& columns) {
    nb::list found;
    for (const std::vector<std::int64_t>& each : columns.columns()) {
        found.append(nb::bytes(each.data(), columns.rows() * sizeof(std::int64_t)));
    }
    return found;
}

inline nb::dict python_tables(const std::map<std::string, FactColumns>& tables) {
    nb::dict found;
    for (const auto& [relation, columns] : tables) {
        if (columns.rows() != 0) {
            found[nb::cast(relation)] = python_columns(columns);
        }
    }
    return found;
}

// A board for each text, or None if the reader in Python must read it.
inline nb::list read_boards(const nb::list& texts) {
    nb::list found;
    for (const nb::handle text : texts) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
        if (data == nullptr) {
            PyErr_Clear();  // a surrogate, which no diagram has
            found.append(nb::none());
            continue;
        }
        std::optional<FactBoard> board = read_board({data, static_cast<std::size_t>(size)});
        found.append(board ? nb::cast(std::move(*board)) : nb::none());
    }
    return found;
}

inline FactBoard made_board(int rows, int columns, const nb::tuple& colours, int ko, int banned) {
    FactBoard board{rows, columns, {}, ko, banned};
    for (const nb::handle colour : colours) {
        const auto name = nb::cast<std::string_view>(colour);
        board.colours.push_back(name == "black" ? BLACK : name == "white" ? WHITE : EMPTY);
    }
    if (rows < 1 || columns < 1 || board.colours.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {
        throw std::invalid_argument("a board has a colour for each point");
    }
    return board;
}

// The facts of queries about boards of one shape, and the points that are queried about. A query is the place of its
// board, a defender, and a point, or -1 for all blocks of the defender.
inline nb::tuple write_facts(const FactWriter& writer, const std::vector<FactBoard*>& boards, const std::vector<int>& places,
                             const std::vector<int>& defenders, const std::vector<int>& points, bool with_ko) {
    if (defenders.size() != places.size() || points.size() != places.size()) {
        throw std::invalid_argument("columns need equally many places, defenders and points");
    }
    for (const FactBoard* board : boards) {
        if (!writer.fits(*board)) {
            throw std::invalid_argument("a board has another shape");
        }
    }
    FactTables tables;
    {
        const nb::gil_scoped_release others;
        for (std::size_t state = 0; state < places.size(); ++state) {
            const FactBoard& board = *boards.at(static_cast<std::size_t>(places[state]));
            const auto defender = static_cast<Colour>(defenders[state]);
            writer.write(board, static_cast<std::int64_t>(state), defender, with_ko, tables);
            if (points[state] < 0) {
                writer.ask(board, static_cast<std::int64_t>(state), defender, tables);
            } else {
                writer.query_about(static_cast<std::int64_t>(state), points[state], tables);
            }
        }
    }
    return nb::make_tuple(python_tables(tables.given), python_columns(tables.queried));
}

inline void bind_fact_columns(nb::module_& module) {
    nb::class_<FactBoard> bound(module, "FactBoard", nb::is_final());
    bound.def(nb::new_(&made_board), "rows"_a, "columns"_a, "colours"_a, "ko"_a, "banned"_a)
        .def_ro("rows", &FactBoard::rows)
        .def_ro("columns", &FactBoard::columns)
        .def_prop_ro("has_ko", [](const FactBoard& board) { return board.ko >= 0; })
        .def_prop_ro("ko", [](const FactBoard& board) { return nb::make_tuple(board.ko, board.banned); })
        .def_prop_ro("colours", [](const FactBoard& board) {
            std::vector<int> found;
            for (const Colour each : board.colours) {
                found.push_back(each);
            }
            return found;
        });
    bind_capture_play(bound);
    module.def("read_boards", &read_boards, "texts"_a);
    nb::class_<FactWriter>(module, "FactWriter", nb::is_final())
        .def(nb::new_([](int rows, int columns, std::vector<std::int64_t> names, const std::array<std::int64_t, 5>& words) {
            if (rows < 1 || columns < 1 || names.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {
                throw std::invalid_argument("each point has a name");
            }
            return FactWriter(rows, columns, {std::move(names), {words[0], words[1], words[2]}, words[3], words[4]});
        }), "rows"_a, "columns"_a, "names"_a, "words"_a)
        .def("common", [](const FactWriter& writer, bool with_ko) { return python_tables(writer.common(with_ko)); }, "with_ko"_a)
        .def("write", &write_facts, "boards"_a, "places"_a, "defenders"_a, "points"_a, "with_ko"_a);
}

}  // namespace go
