// Conversion from the Python objects of matcher/program/coded.py to programs, and back to facts and premises.
//
// Reading checks that everything fits the predicates. A misfit is a `Malformed`: the checks of
// matcher/program/wellformed.py then find the error message.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <unordered_map>

#include "plan/conjunction.hpp"
#include "run/engine.hpp"

namespace hornbook {

struct Malformed {};

// The classes of matcher/program/coded.py.
struct Classes {
    nanobind::object var, apply, call, match, compare, all_of, count_of, aggregate_of, absent_of;
    nanobind::object fact, set_premise, derivation;
};

const Classes& classes();

// A function given by Python, called once for the same cells as long as the results are cached.
class PythonCalled : public Called {
public:
    explicit PythonCalled(nanobind::object function);
    bool call(const Cell* operands, std::size_t count, Cell& result) override;
    [[nodiscard]] const nanobind::object& function() const { return function_; }

private:
    // The number of cached results above which the cache is cleared.
    static constexpr std::size_t MOST_KEPT = 1U << 20U;
    struct Hash {
        std::size_t operator()(const std::vector<Cell>& cells) const { return hash_cells(cells.data(), cells.size()); }
    };
    nanobind::object function_;
    nanobind::object of_;
    std::unordered_map<std::vector<Cell>, std::optional<Cell>, Hash> known_;
    std::vector<Cell> asked_;
};

class ProgramReader {
public:
    explicit ProgramReader(const Engine& engine) : engine_(engine), relations_(engine.relations()) {}

    [[nodiscard]] Rule rule(nanobind::handle source) const;
    // The conditions of a query, and the number of variables that they mention, numbered from 0.
    [[nodiscard]] Body body(nanobind::handle conditions, std::uint32_t& variables) const;
    [[nodiscard]] Variable variable(nanobind::handle source) const;
    // A fact of the predicate that it names, with its cells appended to the predicate's rows.
    void fact(nanobind::handle source, Group& rows, std::vector<std::int32_t>& place) const;
    // Rows of values by name, with the predicates in `numbers`. `columns` has for each predicate the cells of
    // the words of each column, or none for integers. Returns false if an entry is missing or has another
    // form.
    bool named_rows(const nanobind::dict& source, const nanobind::dict& numbers, const nanobind::list& columns,
                    Group& group) const;
    // A fact, or nothing if it does not fit the predicates.
    [[nodiscard]] std::optional<Fact> fact(nanobind::handle source) const;
    [[nodiscard]] PredicateId predicate(nanobind::handle source) const;

private:
    static bool named_row(PyObject* values, PyObject* words, std::vector<Cell>& cells);

    // The remaining limits of a rule or query.
    struct Room {
        std::size_t conditions = MOST_CONDITIONS;
        std::size_t depth = MOST_NESTED;
    };
    void read_body(nanobind::handle conditions, Body& body, std::uint32_t* variables, Room& room) const;
    void read_inner(nanobind::handle conditions, Body& body, std::uint32_t* variables, Room& room) const;
    void read_condition(nanobind::handle source, Body& body, std::uint32_t* variables, Room& room) const;
    void read_match(nanobind::handle source, Body& body, std::uint32_t* variables) const;
    void read_comparison(nanobind::handle source, Body& body, std::uint32_t* variables) const;
    void read_count(nanobind::handle source, Detail& detail, std::uint32_t* variables) const;
    void read_variables(nanobind::handle source, std::vector<Variable>& result, std::uint32_t* variables) const;
    [[nodiscard]] Term term(nanobind::handle source, std::uint32_t* variables) const;
    void terms(nanobind::handle source, std::vector<Term>& result, std::uint32_t* variables) const;
    void expression(nanobind::handle source, Expression& result, std::uint32_t* variables, std::size_t depth = 0) const;
    [[nodiscard]] ClosedSet closed_set(nanobind::handle source, std::size_t width, std::uint32_t* variables) const;

    const Engine& engine_;
    const Relations& relations_;
};

nanobind::tuple python_cells(const Cell* cells, std::size_t count);
// `predicate`: the users' number.
nanobind::object python_fact(PredicateId predicate, const Cell* cells, std::size_t count);
nanobind::object python_premises(const std::vector<Premise>& premises);
nanobind::tuple python_values(const std::vector<Cell>& values, const std::vector<bool>& known, std::size_t count);

}  // namespace hornbook
