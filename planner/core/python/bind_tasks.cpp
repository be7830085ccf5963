// Ground tasks and searches for their plans: see planner/core/tasks/. Tables of cells are exchanged as bytes.
#include "python/bind_rooms.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "best_first/greedy_search.hpp"
#include "best_first/successors.hpp"
#include "best_first/weighted_search.hpp"
#include "heuristics/heuristic.hpp"
#include "python/tables.hpp"
#include "tasks/task.hpp"
#include "tasks/task_builder.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook::planner {

namespace {

using Atoms = std::vector<tasks::Atom>;
// An effect: atoms that must be true and false, the atom, and whether it is added.
using EffectParts = std::tuple<Atoms, Atoms, tasks::Atom, bool>;
using Patterns = std::vector<std::vector<grounding::Cell>>;

tasks::ConditionPattern condition_of(const Patterns& positive, const Patterns& negative) {
    return {patterns_of(positive), patterns_of(negative)};
}

// A heuristic with the task that it is about.
struct Estimate {
    Estimate(const tasks::Task& of, const std::string& name, bool unit)
        : task(of),
          heuristic(tasks::heuristic_called(name, of, unit ? tasks::CostKind::unit : tasks::CostKind::real)) {}

    const tasks::Task& task;
    std::unique_ptr<tasks::Heuristic> heuristic;
};

template <typename Search>
void bind_task_search(nb::class_<Search>& search) {
    search.def("run", &Search::run, "steps"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("plan", [](const Search& found) { return found.plan(); })
        .def_prop_ro("status", &Search::status)
        .def_prop_ro("best", &Search::best)
        .def_prop_ro("bound", &Search::bound)
        .def_prop_ro("proves", &Search::proves)
        .def_prop_ro("states", &Search::states)
        .def_prop_ro("evaluated", &Search::evaluated)
        .def_prop_ro("bytes", &Search::bytes);
}

void bind_task_builder(nb::module_& module) {
    using tasks::TaskBuilder;
    nb::class_<TaskBuilder>(module, "TaskBuilder")
        .def(nb::init<>())
        .def("relation",
             [](TaskBuilder& builder, grounding::PredicateNumber predicate, std::size_t width, std::size_t count,
                const nb::bytes& cells, std::size_t first_count, const nb::bytes& first_cells) {
                 builder.relation(predicate, width, table_of(count, cells), table_of(first_count, first_cells));
             },
             "predicate"_a, "width"_a, "count"_a, "cells"_a, "first_count"_a, "first_cells"_a)
        .def("function",
             [](TaskBuilder& builder, grounding::PredicateNumber function, std::size_t width, std::size_t count,
                const nb::bytes& cells, const nb::bytes& values) {
                 builder.function(function, width, table_of(count, cells), read<tasks::Cost>(values));
             },
             "function"_a, "width"_a, "count"_a, "cells"_a, "values"_a)
        .def("action",
             [](TaskBuilder& builder, std::size_t width, std::size_t count, const nb::bytes& cells,
                const Patterns& positive, const Patterns& negative, tasks::Cost cost) {
                 builder.action(width, table_of(count, cells), condition_of(positive, negative), cost);
             },
             "width"_a, "count"_a, "cells"_a, "positive"_a, "negative"_a, "cost"_a)
        .def("action",
             [](TaskBuilder& builder, std::size_t width, std::size_t count, const nb::bytes& cells,
                const Patterns& positive, const Patterns& negative, const std::vector<grounding::Cell>& cost) {
                 builder.action(width, table_of(count, cells), condition_of(positive, negative), pattern_of(cost));
             },
             "width"_a, "count"_a, "cells"_a, "positive"_a, "negative"_a, "cost"_a)
        .def("effect",
             [](TaskBuilder& builder, const std::vector<grounding::Cell>& literal, bool adds, const Patterns& positive,
                const Patterns& negative) {
                 builder.effect(pattern_of(literal), adds, condition_of(positive, negative));
             },
             "literal"_a, "adds"_a, "positive"_a, "negative"_a)
        .def("effects",
             [](TaskBuilder& builder, const std::vector<grounding::Cell>& literal, bool adds, const Patterns& positive,
                const Patterns& negative, std::size_t width, std::size_t count, const nb::bytes& cells) {
                 builder.effects(pattern_of(literal), adds, condition_of(positive, negative), width,
                                 table_of(count, cells));
             },
             "literal"_a, "adds"_a, "positive"_a, "negative"_a, "width"_a, "count"_a, "cells"_a)
        .def("finish",
             [](TaskBuilder& builder, const Patterns& positive, const Patterns& negative, bool is_possible) {
                 auto found = builder.finish(condition_of(positive, negative), is_possible);
                 return nb::make_tuple(std::move(found.first), told(found.second));
             },
             "positive"_a, "negative"_a, "is_possible"_a);
}

}  // namespace

void bind_tasks(nb::module_& module) {
    using tasks::Task;
    nb::class_<Task>(module, "Task")
        .def("__init__",
             [](Task* task, std::size_t atoms, const Atoms& initial, const Atoms& positive, const Atoms& negative) {
                 new (task) Task(atoms, initial, {positive, negative});
             },
             "atoms"_a, "initial"_a, "positive"_a, "negative"_a)
        .def("add",
             [](Task& task, const Atoms& positive, const Atoms& negative, const std::vector<EffectParts>& effects,
                tasks::Cost cost) {
                 std::vector<tasks::ConditionalEffect> parts;
                 for (const auto& [needs, lacks, atom, adds] : effects) parts.push_back({{needs, lacks}, atom, adds});
                 task.add({positive, negative}, parts, cost);
             },
             "positive"_a, "negative"_a, "effects"_a, "cost"_a)
        .def_prop_ro("atoms", &Task::atoms)
        .def_prop_ro("operators", &Task::operators)
        .def("first_state", &Task::first_state)
        .def("applicable",
             [](const Task& task, const std::vector<Word>& state) {
                 std::vector<tasks::OperatorId> found;
                 tasks::Successors(task).of(state, found);
                 return found;
             },
             "state"_a)
        .def("after",
             [](const Task& task, tasks::OperatorId number, const std::vector<Word>& state) {
                 std::vector<Word> after;
                 task.apply(number, state, after);
                 return after;
             },
             "operator"_a, "state"_a);
    nb::class_<Estimate>(module, "Estimate")
        .def(nb::init<const Task&, const std::string&, bool>(), "task"_a, "name"_a, "unit"_a, nb::keep_alive<1, 2>())
        .def("value",
             [](Estimate& estimate, const std::vector<Word>& state) { return estimate.heuristic->value(state); },
             "state"_a)
        .def("companion", [](const Estimate& estimate) { return estimate.heuristic->companion(); })
        .def("preferred", [](const Estimate& estimate) {
            const auto found = estimate.heuristic->preferred();
            return std::vector<tasks::OperatorId>(found.begin(), found.end());
        });
    nb::enum_<tasks::Progress>(module, "Progress")
        .value("searching", tasks::Progress::searching)
        .value("solved", tasks::Progress::solved)
        .value("exhausted", tasks::Progress::exhausted)
        .value("full", tasks::Progress::full);
    nb::class_<tasks::GreedySearch> greedy(module, "GreedySearch");
    greedy.def(
        "__init__",
        [](tasks::GreedySearch* search, const Task& task, const std::string& heuristic, std::size_t memory) {
            new (search) tasks::GreedySearch(task, heuristic, memory);
        },
        "task"_a, "heuristic"_a, "memory"_a, nb::keep_alive<1, 2>());
    bind_task_search(greedy);
    nb::class_<tasks::WeightedSearch> weighted(module, "WeightedSearch");
    weighted.def(
        "__init__",
        [](tasks::WeightedSearch* search, const Task& task, const std::string& heuristic, std::uint32_t weight,
           tasks::Cost below, std::size_t memory) {
            new (search) tasks::WeightedSearch(task, heuristic, weight, below, memory);
        },
        "task"_a, "heuristic"_a, "weight"_a, "below"_a, "memory"_a, nb::keep_alive<1, 2>());
    bind_task_search(weighted);
    module.attr("INFINITE_COST") = tasks::infinite;
    bind_task_builder(module);
}

}  // namespace hornbook::planner
