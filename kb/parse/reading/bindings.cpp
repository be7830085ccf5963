// The module kb.parse._reading: the fast reader of states. kb/base/state_reading.py is its only user.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "fact_reader.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::kb {
namespace {

using Described = std::tuple<std::string, std::string, bool, bool>;

Relation relation_of(const Described& described) {
    const auto& [name, kinds, has_tense, is_action] = described;
    Relation relation{name, {}, has_tense, is_action};
    for (const char kind : kinds) {
        relation.columns.push_back(static_cast<ColumnKind>(kind));
    }
    return relation;
}

// The characters of a text in ASCII, which the text owns; otherwise nothing.
std::string_view ascii(nb::handle text) {
    if (!PyUnicode_Check(text.ptr()) || !PyUnicode_IS_COMPACT_ASCII(text.ptr())) {
        return {};
    }
    return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text.ptr())),
            static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()))};
}

nb::bytes bytes_of(const std::vector<Cell>& column) {
    return nb::bytes(column.data(), column.size() * sizeof(Cell));
}

nb::tuple read(const FactReader& reader, const nb::tuple& texts) {
    std::vector<std::string_view> views;
    views.reserve(texts.size());
    for (const nb::handle text : texts) {
        views.push_back(ascii(text));
    }
    ReadFacts found;
    {
        const nb::gil_scoped_release release;
        found = reader.read(views);
    }
    nb::list tables;
    for (FactTable& table : found.tables) {
        nb::list columns;
        columns.append(bytes_of(table.texts));
        for (const auto& column : table.cells) {
            columns.append(bytes_of(column));
        }
        table = {};
        tables.append(columns);
    }
    nb::list words;
    for (const auto& value : found.words) {
        if (value.is_integer) {
            words.append(nb::int_(value.integer));
        } else {
            words.append(nb::str(value.word.data(), value.word.size()));
        }
    }
    return nb::make_tuple(tables, words, bytes_of(found.unread));
}

NB_MODULE(_reading, module) {
    module.attr("__version__") = HORNBOOK_VERSION;
    nb::class_<FactReader>(module, "FactReader")
        .def(
            "__init__",
            [](FactReader* self, const std::vector<Described>& described, std::vector<std::string> reserved) {
                std::vector<Relation> relations(described.size());
                std::transform(described.begin(), described.end(), relations.begin(), relation_of);
                new (self) FactReader(std::move(relations), std::move(reserved));
            },
            "relations"_a, "reserved"_a)
        .def("read", &read, "texts"_a);
}

}  // namespace
}  // namespace hornbook::kb
