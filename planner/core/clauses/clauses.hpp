// Satisfiability of propositional clauses, by search with clause learning (Marques-Silva and Sakallah 1996),
// with two watched literals and the activity of variables (Moskewicz and others 2001), and phase saving
// (Pipatsrisawat and Darwiche 2007).
//
// Learned clauses are kept for later queries: they follow from the clauses, whatever was assumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hornbook::planner::clauses {

class Clauses {
public:
    // Adds a clause; a literal is a positive or negative number, as in DIMACS. Throws std::invalid_argument.
    void add(const std::vector<int>& literals);

    // Whether the clauses are satisfiable with these literals. The result is empty if more than `most_steps`
    // clauses would be examined; a clause counts each time one of its two watched literals becomes false.
    std::optional<bool> can_hold(const std::vector<int>& assumptions, std::size_t most_steps);

private:
    using Variable = std::uint32_t;
    // Twice the variable, plus 1 if it is negated.
    using Literal = std::uint32_t;
    // The index of a clause in words_: its length, and then its literals. None is at 0.
    using Clause = std::uint32_t;
    static constexpr Clause none = 0;

    // A clause watches a literal while it is not known to be false; `other` is some other literal of it.
    struct Watch {
        Clause clause;
        Literal other;
    };
    enum class Value : std::uint8_t { open, yes, no };

    Literal literal(int number);
    std::vector<Literal> literals(const std::vector<int>& numbers);
    Value value(Literal each) const;
    std::span<Literal> of(Clause clause) { return {words_.data() + clause + 1, words_[clause]}; }
    Clause store(const std::vector<Literal>& literals);

    void assign(Literal each, Clause reason);
    // Propagate; returns a false clause if there is one.
    Clause propagate();
    void learn(Clause conflict);
    void undo(std::size_t level);

    void more_active(Variable variable);
    Variable most_active();
    void up(std::size_t place);
    void down(std::size_t place);
    void put(Variable variable);
    void move(Variable variable, std::size_t place);

    std::vector<std::uint32_t> words_{0};
    std::vector<std::vector<Watch>> watching_;  // by literal: clauses to examine when it becomes false
    std::vector<Value> values_;                 // by variable
    std::vector<bool> phases_;                  // the last value of each variable
    std::vector<std::uint32_t> levels_;
    std::vector<Clause> reasons_;
    std::vector<bool> seen_;
    std::vector<double> activity_;
    std::vector<Variable> heap_;  // the most active first
    std::vector<std::size_t> places_;
    std::vector<Literal> trail_;
    std::vector<std::size_t> starts_;  // of the levels above 0
    std::size_t done_ = 0;
    std::size_t steps_ = 0;  // examined clauses
    double bump_ = 1.0;
    bool contradiction_ = false;
};

}  // namespace hornbook::planner::clauses
