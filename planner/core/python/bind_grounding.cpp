// The assembly of ground programs for Python. Tables of cells are exchanged as bytes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "grounding/assembly.hpp"
#include "python/bind_rooms.hpp"
#include "python/tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

using namespace grounding;

void bind_grounding(nb::module_& module) {
    nb::class_<Assembly>(module, "Assembly")
        .def(nb::init<>())
        .def("relation",
             [](Assembly& assembly, PredicateNumber predicate, std::size_t width, std::size_t count,
                const nb::bytes& cells) { assembly.relation(predicate, width, table_of(count, cells)); },
             "predicate"_a, "width"_a, "count"_a, "cells"_a)
        .def("give",
             [](Assembly& assembly, PredicateNumber predicate, std::size_t count, const nb::bytes& cells) {
                 assembly.give(predicate, table_of(count, cells));
             },
             "predicate"_a, "count"_a, "cells"_a)
        .def("carry", &Assembly::carry, "source"_a, "target"_a)
        .def("rules",
             [](Assembly& assembly, const std::vector<Cell>& head, const std::vector<std::vector<Cell>>& positive,
                const std::vector<std::vector<Cell>>& negative, std::size_t width, std::size_t count,
                const nb::bytes& cells) {
                 assembly.rules(pattern_of(head), patterns_of(positive), patterns_of(negative), width,
                                table_of(count, cells));
             },
             "head"_a, "positive"_a, "negative"_a, "width"_a, "count"_a, "cells"_a)
        .def_prop_ro("rule_count", &Assembly::rule_count)
        .def_prop_ro("rule_bytes", &Assembly::rule_bytes)
        .def("solve", &Assembly::solve)
        .def("truths",
             [](const Assembly& assembly, PredicateNumber predicate) { return told(assembly.truths(predicate)); },
             "predicate"_a)
        .def("find",
             [](const Assembly& assembly, PredicateNumber predicate, std::size_t count, const nb::bytes& cells) {
                 return told(assembly.find(predicate, table_of(count, cells)));
             },
             "predicate"_a, "count"_a, "cells"_a)
        .def("finish",
             [](const Assembly& assembly, const nb::bytes& inputs, const nb::bytes& asked) {
                 const Assembled found = assembly.finish(read<Number>(inputs), read<Number>(asked));
                 return nb::make_tuple(found.atoms, told(found.asked), told(found.heads),
                                       told(found.positive_starts), told(found.positive),
                                       told(found.negative_starts), told(found.negative), told(found.cycles));
             },
             "inputs"_a, "asked"_a);
}

}  // namespace hornbook::planner
