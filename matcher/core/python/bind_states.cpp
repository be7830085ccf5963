// The class States of matcher._core: complete evaluation of many states, for matcher/compiled/states.py.
//
// Columns are buffers of 64-bit integers; results are columns as bytes, without an object for each fact.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "python/describe_to_python.hpp"
#include "python/held.hpp"
#include "run/states.hpp"

namespace nb = nanobind;

namespace hornbook {

namespace {

struct HeldStates {
    HeldPointer held;
    States states;
    explicit HeldStates(HeldPointer engine) : held(std::move(engine)), states(held->engine) {}
};

// Copy columns to rows, and find out whether each row is greater than the one before it in the same state.
template <std::size_t ARITY>
void take_columns(const std::vector<Column>& arrays, std::size_t low, std::size_t arity, StateRows& part) {
    const std::size_t width = ARITY == 0 ? arity : ARITY;
    std::vector<const std::int64_t*> columns;
    std::vector<std::int64_t> strides;
    for (std::size_t column = 1; column <= width; ++column) {
        strides.push_back(arrays[column].stride);
        columns.push_back(arrays[column].cells + static_cast<std::int64_t>(low) * strides.back());
    }
    std::vector<Cell> least(width, std::numeric_limits<Cell>::max());
    std::vector<Cell> greatest(width, std::numeric_limits<Cell>::min());
    Cell* cells = part.rows.cells.data();
    part.is_ascending = true;
    for (std::size_t state = 0; state + 1 < part.begins.size(); ++state) {
        for (std::size_t row = part.begins[state]; row < part.begins[state + 1]; ++row, cells += width) {
            int order = row == part.begins[state] ? 1 : 0;
            for (std::size_t column = 0; column < width; ++column) {
                const Cell cell = columns[column][static_cast<std::int64_t>(row) * strides[column]];
                cells[column] = cell;
                least[column] = std::min(least[column], cell);
                greatest[column] = std::max(greatest[column], cell);
                if (order == 0) {
                    const Cell before = cells[column - width];
                    order = cell > before ? 1 : cell < before ? -1 : 0;
                }
            }
            part.is_ascending = part.is_ascending && order > 0;
        }
    }
    part.extent = {std::move(least), std::move(greatest)};
}

// The rows of the states from `first` to before `end`, numbered from 0: for each predicate a column with the
// states, in ascending order, and the columns of cells. There are `states` states in all.
std::vector<StateRows> read_state_rows(const nb::dict& source, std::size_t first, std::size_t end, std::size_t states,
                                       const ProgramReader& reader, const Relations& relations) {
    std::vector<StateRows> result;
    for (const auto& [number, columns] : source) {
        StateRows part;
        part.rows.predicate = reader.predicate(number);
        const std::uint32_t arity = relations[part.rows.predicate]->arity();
        std::vector<Column> arrays;
        for (const nb::handle column : columns) {
            arrays.emplace_back(column);
        }
        if (arrays.size() != arity + 1) {
            throw Malformed();
        }
        const std::size_t all = arrays[0].size;
        for (const Column& column : arrays) {
            if (column.size != all) {
                throw Malformed();
            }
        }
        const auto state_of = [&](std::size_t row) { return arrays[0][row]; };
        const auto place_of = [&](std::size_t state) {
            std::size_t low = 0;
            for (std::size_t high = all; low < high;) {
                const std::size_t middle = low + (high - low) / 2;
                if (state_of(middle) < static_cast<std::int64_t>(state)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        };
        const std::size_t low = first == 0 ? 0 : place_of(first);
        const std::size_t high = end == states ? all : place_of(end);
        std::size_t row = low;
        part.begins.reserve(end - first + 1);
        for (std::size_t state = first; state <= end; ++state) {
            part.begins.push_back(row - low);
            while (row < high && state_of(row) == static_cast<std::int64_t>(state)) {
                ++row;
            }
        }
        if (part.begins.back() + low != high || low > high) {  // a number of no state, or in no order
            throw Malformed();
        }
        part.rows.count = high - low;
        part.rows.cells.resize(part.rows.count * arity);
        switch (arity) {
            case 1: take_columns<1>(arrays, low, arity, part); break;
            case 2: take_columns<2>(arrays, low, arity, part); break;
            case 3: take_columns<3>(arrays, low, arity, part); break;
            default: take_columns<0>(arrays, low, arity, part);
        }
        result.push_back(std::move(part));
    }
    return result;
}

// A column with the states, and a column for each cell of the rows.
nb::tuple python_table(const StateTable& table, std::size_t arity, std::size_t first) {
    nb::list columns;
    columns.append(python_column(table.states.data(), table.states.size(), 1, static_cast<std::int64_t>(first)));
    for (std::size_t column = 0; column < arity; ++column) {
        columns.append(python_column(table.rows.cells.data() + column, table.rows.count, arity));
    }
    return nb::tuple(columns);
}

auto add_state_rules(HeldStates& states, nb::handle rules) {
    const Hold hold(*states.held);
    return translated([&] {
        const ProgramReader reader(states.held->engine);
        std::vector<Rule> read;
        for (const nb::handle rule : rules) {
            read.push_back(reader.rule(rule));
        }
        std::vector<RuleNumber> numbers;
        states.states.add_rules(std::move(read), numbers);
        nb::list result;
        for (const RuleNumber number : numbers) {
            result.append(number);
        }
        return result;
    });
}

void add_shared_facts(HeldStates& states, nb::handle facts) {
    const Hold hold(*states.held);
    translated([&] {
        const ProgramReader reader(states.held->engine);
        const Relations& relations = states.held->engine.relations();
        std::vector<std::int32_t> place(relations.size(), NOTHING);
        Group group;
        for (const nb::handle fact : facts) {
            reader.fact(fact, group, place);
        }
        states.states.add_facts(std::move(group));
    });
}

auto evaluate_states(HeldStates& states, std::size_t first, std::size_t end, std::size_t count, const nb::dict& common, const nb::dict& given, const nb::dict& removed, const nb::dict& last, nb::handle parents,
              const nb::list& requested, const nb::list& explained, const nb::list& leading, bool has_premises, nb::handle query, std::optional<std::size_t> most_answers) {
    const Hold hold(*states.held);
    Engine& engine = states.held->engine;
    return translated([&] {
        const ProgramReader reader(engine);
        StateBlock block;
        if (first > end || end > count) {
            throw Malformed();
        }
        block.states = end - first;
        read_columns(common, reader, engine.relations(), block.common);
        block.given = read_state_rows(given, first, end, count, reader, engine.relations());
        block.removed = read_state_rows(removed, first, end, count, reader, engine.relations());
        block.last = read_state_rows(last, first, end, count, reader, engine.relations());
        if (!parents.is_none()) {
            const Column column(parents);
            if (column.size != count) {
                throw Malformed();
            }
            std::vector<std::int64_t> path;
            for (std::size_t state = 0; state < block.states; ++state) {
                const std::int64_t named = column[state + first];
                const std::int64_t parent = named == NOTHING ? NOTHING : named - static_cast<std::int64_t>(first);
                while (!path.empty() && path.back() != parent) {
                    path.pop_back();
                }
                if (parent < NOTHING || (path.empty() && parent != NOTHING)) {
                    throw Malformed();
                }
                path.push_back(static_cast<std::int64_t>(state));
                block.parents.push_back(parent);
            }
        }
        StateRequest request;
        for (const nb::handle each : requested) {
            request.requested.push_back(reader.predicate(each));
        }
        for (const nb::handle each : explained) {
            request.explained.push_back(reader.predicate(each));
        }
        for (const nb::handle each : leading) {
            request.leading.push_back(reader.predicate(each));
        }
        request.has_premises = has_premises;
        if (!query.is_none()) {
            request.has_query = true;
            request.most_answers = most_answers.value_or(request.most_answers);
            request.query = reader.body(query[0], request.query_variables);
            for (const nb::handle each : nb::object(query[1])) {
                request.queried.push_back(reader.variable(each));
                request.query_variables = std::max(request.query_variables, request.queried.back() + 1);
            }
        }
        StateResults results;
        {
            const nb::gil_scoped_release others;
            results = states.states.evaluate(block, request);
        }
        nb::list tables;
        for (std::size_t place = 0; place < request.requested.size(); ++place) {
            tables.append(python_table(results.tables[place], engine.relations()[request.requested[place]]->arity(), first));
        }
        nb::list explanations;
        for (const StateResults::Explained& each : results.explained) {
            nb::list derivations;
            for (const Derivation& derivation : each.derivations) {
                derivations.append(python_derivation(derivation));
            }
            explanations.append(nb::make_tuple(each.state + first, python_fact(each.fact), derivations));
        }
        nb::list leaders;
        for (const StateResults::Leading& each : results.leading) {
            nb::list premises;
            for (const Fact& premise : each.premises) {
                premises.append(python_fact(premise));
            }
            leaders.append(nb::make_tuple(each.state + first, python_fact(each.fact), premises));
        }
        nb::list faults;
        for (const auto& [state, fault] : results.faults) {
            faults.append(nb::make_tuple(state + first, fault_of([&] { std::rethrow_exception(fault); })));
        }
        return nb::make_tuple(tables, python_table(results.answers, request.queried.size(), first), explanations, leaders, faults);
    });
}

}  // namespace

void bind_states(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<HeldStates>(module, "States")
        .def_static("make", [](const HeldPointer& held) { return std::make_shared<HeldStates>(held); }, "engine"_a)
        .def("has_functions", [](const HeldStates& states) { return !states.held->engine.functions().empty(); })
        .def("add_rules", &add_state_rules, "rules"_a)
        .def("add_facts", &add_shared_facts, "facts"_a)
        .def("evaluate", &evaluate_states, "first"_a, "end"_a, "count"_a, "common"_a, "given"_a, "removed"_a, "last"_a, "parents"_a.none(), "requested"_a, "explained"_a, "leading"_a,
             "has_premises"_a, "query"_a.none(), "most_answers"_a.none());
}

}  // namespace hornbook
