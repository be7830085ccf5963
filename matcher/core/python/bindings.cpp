// The module matcher._core: the engine for matcher/compiled/engine.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <memory>

#include "python/describe_to_python.hpp"
#include "python/held.hpp"
#include "python/read_packed.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace hornbook {

namespace {

using Block = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

// One array per column. The arrays share one block, because creating arrays dominates the cost for few rows.
nb::tuple columns_of(const std::vector<Cell>& cells, std::size_t rows, std::uint32_t arity) {
    auto block = std::make_unique_for_overwrite<std::int64_t[]>(rows * arity);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < arity; ++column) {
            block[column * rows + row] = cells[row * arity + column];
        }
    }
    std::int64_t* const first = block.get();
    const nb::capsule owner(block.release(), [](void* pointer) noexcept { delete[] static_cast<std::int64_t*>(pointer); });
    return nb::tuple(nb::cast(Block(first, {arity, rows}, owner)));
}

// The changes of an update for Python: one side is accessed at a time.
struct PythonChange {
    std::shared_ptr<Held> held;
    std::shared_ptr<Change> change;

    const Change& copied() const {
        if (!change->is_copied()) {
            const Hold hold(*held);
            change->copy(held->engine.relations());
        }
        return *change;
    }
    [[nodiscard]] std::size_t size(bool added) const {
        std::size_t size = 0;
        for (const Change::Part& part : change->parts) {
            size += added ? part.added_count : part.removed.size();
        }
        return size;
    }
    [[nodiscard]] nb::list facts(bool added) const {
        nb::list result;
        for (const Change::Part& part : copied().parts) {
            const std::uint32_t arity = part.arity;
            const std::vector<Cell>& cells = added ? part.added_cells : part.removed_cells;
            const std::size_t rows = added ? part.added_count : part.removed.size();
            for (std::size_t row = 0; row < rows; ++row) {
                result.append(hornbook::python_fact(part.number, cells.data() + row * arity, arity));
            }
        }
        return result;
    }
    [[nodiscard]] nb::tuple columns(bool added, PredicateId predicate) const {
        for (const Change::Part& part : copied().parts) {
            if (part.number == predicate) {
                return columns_of(added ? part.added_cells : part.removed_cells,
                                  added ? part.added_count : part.removed.size(), part.arity);
            }
        }
        const Hold hold(*held);
        if (predicate >= held->engine.facts().predicates()) {
            raise_fault("malformed");
        }
        return columns_of({}, 0, held->engine.relations()[held->engine.facts().id_of(predicate)]->arity());
    }
};

void read_facts(nb::handle source, const ProgramReader& reader, const Relations& relations, Group& rows) {
    std::vector<std::int32_t> place(relations.size(), NOTHING);
    for (const nb::handle fact : source) {
        reader.fact(fact, rows, place);
    }
}

// A fact and its row; NO_ROW if it does not hold, or fits no predicate.
std::pair<Fact, Row> row_of(const Engine& engine, nb::handle source) {
    const auto fact = ProgramReader(engine).fact(source);
    if (!fact) {
        return {{}, NO_ROW};
    }
    const Relation& relation = *engine.relations()[fact->predicate];
    const Row row = relation.find(fact->cells.data());
    return {*fact, row != NO_ROW && relation.is_linked(row) ? row : NO_ROW};
}

std::pair<Fact, Row> fact_that_holds(const Engine& engine, nb::handle source) {
    auto found = row_of(engine, source);
    if (found.second == NO_ROW) {
        throw nb::key_error("the fact does not hold");
    }
    return found;
}

auto make_engine(std::optional<std::uint64_t> facts, std::optional<std::uint64_t> bytes,
                 std::optional<double> seconds, const nb::dict& statistics, const nb::tuple& capacity) {
    Statistics measured;
    for (const auto& [predicate, measure] : statistics) {
        Statistics::Measure& one = measured.measures[nb::cast<PredicateId>(predicate)];
        one.rows = nb::cast<double>(measure[0]);
        for (const nb::handle distinct : nb::object(measure[1])) {
            one.distinct.push_back(nb::cast<double>(distinct));
        }
    }
    Capacity most;
    if (capacity.size() == 3) {
        most.rows = std::min(most.rows, nb::cast<Row>(capacity[0]));
        most.derivations = std::min(most.derivations, nb::cast<std::uint32_t>(capacity[1]));
        most.rules = std::min(most.rules, nb::cast<RuleNumber>(capacity[2]));
    }
    return std::make_shared<Held>(Bounds{facts, bytes, seconds}, std::move(measured), most);
}

auto add_predicates(Held& held, const nb::list& predicates) {
    const Hold hold(held);
    const auto optional = [](nb::handle number) {
        return number.is_none() ? NOTHING : nb::cast<std::int32_t>(number);
    };
    std::vector<Predicate> read;
    for (const nb::handle each : predicates) {
        read.push_back({nb::cast<std::uint32_t>(each[0]), optional(each[1]), optional(each[2])});
    }
    translated([&] { held.engine.add_predicates(read); });
}

// Update an engine, append the numbers of the new rules, and return the changes.
std::shared_ptr<Change> changed(Engine& engine, Update&& update, nb::list& added) {
    std::vector<RuleNumber> numbers;
    std::shared_ptr<Change> change;
    {
        const nb::gil_scoped_release others;
        try {
            change = engine.update(std::move(update), numbers);
        } catch (Overflow& overflow) {
            const auto found = std::find(numbers.begin(), numbers.end(), overflow.rule);
            if (found != numbers.end()) {
                overflow.added = found - numbers.begin();
            }
            throw;
        }
    }
    for (const RuleNumber number : numbers) {
        added.append(number);
    }
    return change;
}

auto update(const HeldPointer& held, nb::handle add, nb::handle retract, nb::handle add_rules,
            nb::handle remove_rules, nb::handle add_columns, nb::handle retract_columns) {
    const Hold hold(*held);
    Engine& engine = held->engine;
    return translated([&] {
        const ProgramReader reader(engine);
        Group come;
        Group gone;
        read_facts(add, reader, engine.relations(), come);
        read_facts(retract, reader, engine.relations(), gone);
        read_columns(add_columns, reader, engine.relations(), come);
        read_columns(retract_columns, reader, engine.relations(), gone);
        Update update{{&come}, {&gone}, {}, {}};
        for (const nb::handle rule : add_rules) {
            update.add_rules.push_back(reader.rule(rule));
        }
        for (const nb::handle number : remove_rules) {
            update.remove_rules.push_back(nb::cast<RuleNumber>(number));
        }
        nb::list added;
        const std::shared_ptr<Change> change = changed(engine, std::move(update), added);
        return nb::make_tuple(PythonChange{held, change}, added);
    });
}

// Add `count` packed rules, and return their numbers.
auto add_packed(Held& held, const nb::bytes& data, std::size_t count) {
    const Hold hold(held);
    return translated([&] {
        Update update;
        PackedReader reader(held.engine, static_cast<const unsigned char*>(data.data()), data.size());
        while (reader.has_more()) {
            update.add_rules.push_back(reader.rule());
        }
        if (update.add_rules.size() != count) {
            throw Malformed();
        }
        nb::list added;
        changed(held.engine, std::move(update), added);
        return added;
    });
}

// A group, and the engine whose predicates its rows refer to.
struct PythonGroup {
    Group group;
    std::shared_ptr<Held> held;

    // The facts as 64-bit cells in groups: a predicate, the number of its facts, and their cells.
    [[nodiscard]] nb::bytes cells() const {
        std::vector<Cell> told;
        for (const Rows& rows : group) {
            told.push_back(static_cast<Cell>(held->engine.facts().number_of(rows.predicate)));
            told.push_back(static_cast<Cell>(rows.count));
            told.insert(told.end(), rows.cells.begin(), rows.cells.end());
        }
        return nb::bytes(told.data(), told.size() * sizeof(Cell));
    }
};

auto group(const HeldPointer& held, nb::handle facts) {
    const Hold hold(*held);
    return translated([&] {
        PythonGroup made{{}, held};
        read_facts(facts, ProgramReader(held->engine), held->engine.relations(), made.group);
        return made;
    });
}

// A group from rows by name; None if their facts need to be checked one by one.
nb::object named_group(const HeldPointer& held, const nb::dict& rows, const nb::dict& numbers, const nb::list& columns) {
    const Hold hold(*held);
    return translated([&]() -> nb::object {
        PythonGroup made{{}, held};
        const bool is_read = ProgramReader(held->engine).named_rows(rows, numbers, columns, made.group);
        return is_read ? nb::cast(std::move(made)) : nb::none();
    });
}

// The facts of several states, each a sequence of groups, as columns by predicate: the state of each fact, then
// its cells.
nb::dict state_columns(const HeldPointer& held, const nb::list& states) {
    const Hold hold(*held);
    return translated([&] {
        struct Table {
            std::vector<Cell> states, cells;
        };
        std::vector<Table> tables(held->engine.relations().size());
        Cell number = 0;
        for (const nb::handle state : states) {
            for (const nb::handle each : state) {
                const PythonGroup* made = nullptr;
                if (!nb::try_cast(each, made, false) || made == nullptr || made->held != held) {
                    throw Malformed();
                }
                for (const Rows& rows : made->group) {
                    Table& table = tables[rows.predicate];
                    table.states.insert(table.states.end(), rows.count, number);
                    table.cells.insert(table.cells.end(), rows.cells.begin(), rows.cells.end());
                }
            }
            ++number;
        }
        nb::dict result;
        for (PredicateId predicate = 0; predicate < tables.size(); ++predicate) {
            const Table& table = tables[predicate];
            if (!table.states.empty()) {
                const std::size_t arity = held->engine.relations()[predicate]->arity();
                nb::list columns;
                columns.append(python_column(table.states.data(), table.states.size(), 1));
                for (std::size_t column = 0; column < arity; ++column) {
                    columns.append(python_column(table.cells.data() + column, table.states.size(), arity));
                }
                result[nb::cast(held->engine.facts().number_of(predicate))] = nb::tuple(columns);
            }
        }
        return result;
    });
}

// The tuples keep the groups alive while the engine works.
auto exchange(const HeldPointer& held, const nb::tuple& retract, const nb::tuple& add) {
    const Hold hold(*held);
    translated([&] {
        const auto read = [&](const nb::tuple& source, std::vector<const Group*>& groups) {
            groups.reserve(source.size());
            for (const nb::handle each : source) {
                const PythonGroup* made = nullptr;
                if (!nb::try_cast(each, made, false) || made == nullptr || made->held != held) {
                    throw Malformed();
                }
                groups.push_back(&made->group);
            }
        };
        Update update;
        read(retract, update.retract);
        read(add, update.add);
        std::vector<RuleNumber> numbers;
        const nb::gil_scoped_release others;
        held->engine.update(std::move(update), numbers);
    });
}

auto push(Held& held) {
    const Hold hold(held);
    held.engine.push();
}

auto pop(Held& held) {
    const Hold hold(held);
    if (held.engine.facts().marks() == 0) {
        return false;
    }
    const nb::gil_scoped_release others;
    held.engine.pop();
    return true;
}

auto marks(Held& held) {
    const Hold hold(held);
    return held.engine.facts().marks();
}

auto rows_of(Held& held, PredicateId predicate, bool given) {
    const Hold hold(held);
    const Relation& relation = *held.engine.relations()[held.engine.facts().id_of(predicate)];
    nb::list result;
    for (Row row = 0; row < relation.size(); ++row) {
        if (relation.is_linked(row) && (!given || relation.is_given(row))) {
            result.append(python_cells(relation.cells(row), relation.arity()));
        }
    }
    return result;
}

auto columns_of_all(Held& held, PredicateId predicate) {
    const Hold hold(held);
    const Relation& relation = *held.engine.relations()[held.engine.facts().id_of(predicate)];
    std::vector<Cell> cells;
    cells.reserve(relation.linked_count() * relation.arity());
    for (Row row = 0; row < relation.size(); ++row) {
        if (relation.is_linked(row)) {
            cells.insert(cells.end(), relation.cells(row), relation.cells(row) + relation.arity());
        }
    }
    return columns_of(cells, relation.linked_count(), relation.arity());
}

auto count_of(Held& held, PredicateId predicate) {
    const Hold hold(held);
    return held.engine.relations()[held.engine.facts().id_of(predicate)]->linked_count();
}

auto holds(Held& held, nb::handle source) {
    const Hold hold(held);
    return row_of(held.engine, source).second != NO_ROW;
}

// The answers to a query, and the number of cells of each.
std::pair<Rows, std::uint32_t> answers_to(Held& held, nb::handle conditions, nb::handle wanted) {
    const ProgramReader reader(held.engine);
    std::uint32_t variables = 0;
    const Body body = reader.body(conditions, variables);
    std::vector<Variable> numbers;
    for (const nb::handle each : wanted) {
        numbers.push_back(reader.variable(each));
        variables = std::max(variables, numbers.back() + 1);
    }
    const nb::gil_scoped_release others;
    return {held.engine.query(body, variables, numbers), static_cast<std::uint32_t>(numbers.size())};
}

auto query(Held& held, nb::handle conditions, nb::handle wanted) {
    const Hold hold(held);
    return translated([&] {
        const auto [rows, width] = answers_to(held, conditions, wanted);
        nb::list result;
        for (std::size_t row = 0; row < rows.count; ++row) {
            result.append(python_cells(rows.cells.data() + row * width, width));
        }
        return result;
    });
}

auto query_columns(Held& held, nb::handle conditions, nb::handle wanted) {
    const Hold hold(held);
    return translated([&] {
        const auto [rows, width] = answers_to(held, conditions, wanted);
        return columns_of(rows.cells, rows.count, width);
    });
}

// The answers as consecutive 64-bit cells, and their number.
auto query_cells(Held& held, nb::handle conditions, nb::handle wanted) {
    const Hold hold(held);
    return translated([&] {
        const Rows rows = answers_to(held, conditions, wanted).first;
        return nb::make_tuple(rows.count, nb::bytes(rows.cells.data(), rows.cells.size() * sizeof(Cell)));
    });
}

nb::object derivation(Held& held, nb::handle source, std::optional<RuleNumber> by) {
    const Hold hold(held);
    return translated([&]() -> nb::object {
        const auto [fact, row] = fact_that_holds(held.engine, source);
        const auto found = held.engine.derivation(fact.predicate, row, by);
        return found ? python_derivation(*found) : nb::none();
    });
}

auto derived_by(Held& held, nb::handle source) {
    const Hold hold(held);
    return translated([&] {
        const auto [fact, row] = fact_that_holds(held.engine, source);
        nb::list result;
        for (const RuleNumber number : held.engine.derived_by(fact.predicate, row)) {
            result.append(number);
        }
        return result;
    });
}

auto derivations(Held& held, nb::handle source, std::optional<RuleNumber> by) {
    const Hold hold(held);
    return translated([&] {
        const auto [fact, row] = fact_that_holds(held.engine, source);
        nb::list result;
        for (const Derivation& each : held.engine.derivations(fact.predicate, row, by)) {
            result.append(python_derivation(each));
        }
        return result;
    });
}

// The rule and the binding of each derivation.
auto bindings(Held& held, nb::handle source) {
    const Hold hold(held);
    return translated([&] {
        const auto [fact, row] = fact_that_holds(held.engine, source);
        nb::list result;
        for (const Derivation& each : held.engine.derivations(fact.predicate, row, std::nullopt, false)) {
            result.append(python_binding(each));
        }
        return result;
    });
}

auto founded_derivations(Held& held, nb::handle source, RuleNumber by, const nb::list& values, std::size_t most) {
    const Hold hold(held);
    std::vector<std::pair<Variable, Cell>> where;
    for (const nb::handle each : values) {
        where.emplace_back(nb::cast<Variable>(each[0]), nb::cast<Cell>(each[1]));
    }
    return translated([&] {
        const auto [fact, row] = fact_that_holds(held.engine, source);
        nb::list result;
        for (const Derivation& each : held.engine.founded_derivations(by, fact.predicate, row, where, most)) {
            result.append(python_derivation(each));
        }
        return result;
    });
}

auto network(Held& held, const nb::list& predicates) {
    const Hold hold(held);
    std::vector<PredicateId> numbers;
    for (const nb::handle each : predicates) {
        numbers.push_back(nb::cast<PredicateId>(each));
    }
    return translated([&] { return python_network(network_of(held.engine.arranged_plans(), held.engine.clock, numbers)); });
}

auto measure(Held& held, PredicateId predicate) {
    const Hold hold(held);
    const Statistics::Measure measure = measure_of(held.engine.facts()[held.engine.facts().id_of(predicate)]);
    nb::list distinct;
    for (const double cells : measure.distinct) {
        distinct.append(cells);
    }
    return nb::make_tuple(measure.rows, nb::tuple(distinct));
}

auto count_time(Held& held, bool is_counted) {
    const Hold hold(held);
    held.engine.count(is_counted);
}

auto report(Held& held) {
    const Hold hold(held);
    const Profile* profile = held.engine.profile();
    return python_report(profile == nullptr ? ProfileReport()
                                            : report_of(*profile, held.engine.plans(), held.engine.facts()));
}

auto bytes_of(Held& held) {
    const Hold hold(held);
    return held.engine.bytes();
}

// It does not wait for other threads.
auto facts_so_far(const Held& held) {
    return held.facts_so_far.load(std::memory_order_relaxed);
}

auto nodes_of(Held& held) {
    const Hold hold(held);
    return held.engine.nodes();
}

}  // namespace

}  // namespace hornbook

NB_MODULE(_core, module) {
    using namespace hornbook;
    nb::set_leak_warnings(false);  // a program that exits need not destroy its engines
    module.doc() = "The compiled core of the matcher; matcher.engine is its face.";
    module.attr("__version__") = HORNBOOK_VERSION;
    fault_class = PyErr_NewException("hornbook.matcher._core.Fault", nullptr, nullptr);
    module.attr("Fault") = nb::borrow(fault_class);

    nb::class_<PythonChange>(module, "Change")
        .def("size", &PythonChange::size, "added"_a)
        .def("facts", &PythonChange::facts, "added"_a)
        .def("columns", &PythonChange::columns, "added"_a, "predicate"_a);

    nb::class_<PythonGroup>(module, "Group").def("cells", &PythonGroup::cells);

    bind_states(module);
    nb::class_<Held>(module, "Engine")
        .def_static("make", &make_engine,
             "facts"_a.none(), "bytes"_a.none(), "seconds"_a.none(), "statistics"_a, "capacity"_a = nb::tuple())
        .def("add_predicates", &add_predicates)
        .def("update", &update,
             "add"_a, "retract"_a, "add_rules"_a, "remove_rules"_a, "add_columns"_a.none(), "retract_columns"_a.none())
        .def("add_packed", &add_packed)
        .def("group", &group)
        .def("named_group", &named_group)
        .def("state_columns", &state_columns)
        .def("exchange", &exchange)
        .def("push", &push)
        .def("pop", &pop)
        .def("marks", &marks)
        .def("rows", &rows_of)
        .def("columns", &columns_of_all)
        .def("count", &count_of)
        .def("holds", &holds)
        .def("query", &query)
        .def("query_columns", &query_columns)
        .def("query_cells", &query_cells)
        .def("derivation", &derivation, "fact"_a, "by"_a.none())
        .def("derived_by", &derived_by)
        .def("derivations", &derivations, "fact"_a, "by"_a.none())
        .def("bindings", &bindings)
        .def("founded_derivations", &founded_derivations)
        .def("network", &network)
        .def("measure", &measure)
        .def("count_time", &count_time)
        .def("report", &report)
        .def("bytes", &bytes_of)
        .def("facts_so_far", &facts_so_far)
        .def("nodes", &nodes_of);
}
