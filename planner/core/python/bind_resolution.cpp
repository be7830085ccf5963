#include "python/bind_rooms.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "play/playouts.hpp"
#include "python/signals.hpp"
#include "resolution/resolution_machine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

using namespace resolution;

using Cells = std::vector<Cell>;
using RelationTuple = std::tuple<std::uint32_t, int, bool>;
using ConditionTuple = std::tuple<int, std::uint32_t, Cells>;
using RuleTuple = std::tuple<std::uint32_t, Cells, std::vector<ConditionTuple>, std::uint32_t>;
using FactTuple = std::tuple<std::uint32_t, Cells>;

Program program_of(const std::vector<RelationTuple>& relations, const std::vector<RuleTuple>& rules,
                   const std::vector<FactTuple>& facts, std::vector<std::uint32_t> shared) {
    Program program;
    for (const auto& [width, rests, concluded] : relations) {
        program.relations.push_back({width, static_cast<Rests>(rests), concluded});
    }
    for (const auto& [relation, head, body, variables] : rules) {
        Rule rule{relation, head, {}, variables};
        for (const auto& [kind, of, columns] : body) {
            rule.body.push_back({static_cast<Condition::Kind>(kind), of, columns});
        }
        program.rules.push_back(std::move(rule));
    }
    for (const auto& [relation, cells] : facts) {
        program.facts.push_back({relation, cells});
    }
    program.shared = std::move(shared);
    return program;
}

std::vector<Pair> pairs_of(const std::vector<std::tuple<std::uint32_t, std::uint32_t>>& pairs) {
    std::vector<Pair> found;
    for (const auto& [concluded, told] : pairs) {
        found.push_back({concluded, told});
    }
    return found;
}

// Replace the input facts of some relations.
void tell(Solver& solver, int rests, const std::vector<FactTuple>& facts) {
    for (std::uint32_t relation = 0; relation < solver.program().relations.size(); ++relation) {
        const Relation& of = solver.program().relations[relation];
        if (static_cast<int>(of.rests) == rests && !of.concluded) {
            solver.told(relation).clear();
        }
    }
    for (const auto& [relation, cells] : facts) {
        solver.told(relation).add(cells.data());
    }
    solver.changed(static_cast<Rests>(rests));
}

// The facts of a relation that have the given cells.
std::vector<Cells> ask(Solver& solver, std::uint32_t relation, const std::vector<std::optional<Cell>>& columns) {
    std::vector<Cells> found;
    if (solver.is_stored(relation)) {
        const Stored& stored = solver.told(relation);
        for (std::uint32_t row = 0; row < stored.rows(); ++row) {
            const Cell* cells = stored.row(row);
            bool fits = true;
            for (std::size_t place = 0; place < columns.size(); ++place) {
                fits = fits && columns[place].value_or(cells[place]) == cells[place];
            }
            if (fits) {
                found.emplace_back(cells, cells + columns.size());
            }
        }
        return found;
    }
    Modes modes;
    Cells key;
    Cells whole;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < columns.size(); ++place) {
        modes.push_back(columns[place] ? Mode::bound : Mode::wanted);
        whole.push_back(columns[place].value_or(0));
        if (columns[place]) {
            key.push_back(*columns[place]);
        } else {
            places.push_back(place);
        }
    }
    const Goal& goal = solver.solve(relation, modes, key.data());
    for (std::size_t answer = 0; answer < goal.count; ++answer) {
        for (std::size_t place = 0; place < places.size(); ++place) {
            whole[places[place]] = goal.answers[answer * places.size() + place];
        }
        found.push_back(whole);
    }
    return found;
}

FactTuple fact_of(const Interned& interned, std::size_t number) {
    if (number >= interned.size()) {
        throw std::out_of_range("no such number");
    }
    const auto cells = interned.cells(number);
    return {interned.relation(number), {cells.begin(), cells.end()}};
}

}  // namespace

void bind_resolution(nb::module_& module) {
    nb::exception<Exhausted>(module, "Exhausted", PyExc_RuntimeError);
    nb::class_<Solver>(module, "Resolution")
        .def("__init__",
             [](Solver* self, const std::vector<RelationTuple>& relations, const std::vector<RuleTuple>& rules,
                const std::vector<FactTuple>& facts, std::vector<std::uint32_t> shared) {
                 new (self) Solver(program_of(relations, rules, facts, std::move(shared)));
                 self->on_pause = look_for_signals;
             },
             "relations"_a, "rules"_a, "facts"_a, "shared"_a)
        .def("tell", &tell, "rests"_a, "facts"_a)
        .def("ask", &ask, "relation"_a, "columns"_a);
    nb::class_<ResolutionMachine, Machine>(module, "ResolutionMachine")
        .def("__init__",
             [](ResolutionMachine* self, const std::vector<RelationTuple>& relations,
                const std::vector<RuleTuple>& rules, const std::vector<FactTuple>& facts,
                std::vector<std::uint32_t> shared, std::vector<Cell> roles,
                const std::vector<std::tuple<std::uint32_t, std::uint32_t>>& initial,
                const std::vector<std::tuple<std::uint32_t, std::uint32_t>>& after,
                const std::vector<std::tuple<std::uint32_t, std::uint32_t>>& legal,
                std::vector<std::uint32_t> terminal, std::vector<std::uint32_t> goal, std::vector<int> worths) {
                 new (self) ResolutionMachine(
                     program_of(relations, rules, facts, std::move(shared)),
                     {std::move(roles), pairs_of(initial), pairs_of(after), pairs_of(legal), std::move(terminal),
                      std::move(goal), std::move(worths)});
                 self->on_pause(look_for_signals);
             },
             "relations"_a, "rules"_a, "facts"_a, "shared"_a, "roles"_a, "initial"_a, "after"_a, "legal"_a,
             "terminal"_a, "goal"_a, "worths"_a)
        .def("playouts", &playouts<ResolutionMachine>, "seed"_a, "states"_a, "seconds"_a, "most_plies"_a)
        .def("fluent_number",
             [](ResolutionMachine& self, std::uint32_t relation, const Cells& cells) {
                 return self.fluents().number(relation, cells.data(), cells.size());
             },
             "relation"_a, "cells"_a)
        .def("fluent",
             [](ResolutionMachine& self, std::size_t number) { return fact_of(self.fluents(), number); },
             "number"_a)
        .def("move_number",
             [](ResolutionMachine& self, std::size_t role, std::uint32_t relation, const Cells& cells) {
                 return self.moves(role).number(relation, cells.data(), cells.size());
             },
             "role"_a, "relation"_a, "cells"_a)
        .def("move",
             [](ResolutionMachine& self, std::size_t role, std::size_t number) {
                 return fact_of(self.moves(role), number);
             },
             "role"_a, "number"_a);
}

}  // namespace hornbook::planner
