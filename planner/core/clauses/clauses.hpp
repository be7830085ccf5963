// Whether clauses of propositional logic can hold together, by search with clause learning (Marques-Silva and Sakallah 1996),
// with two watched literals and the activity of variables (Moskewicz and others 2001), and phases that are kept (Pipatsrisawat
// and Darwiche 2007).
//
// What is learned from one question is kept for the next one: it follows from the clauses, whatever was assumed.
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

    // Whether the clauses can hold together with these literals; nothing where more clauses would be looked at, each as often
    // as one of its two watched literals becomes false.
    std::optional<bool> can_hold(const std::vector<int>& assumptions, std::size_t most_steps);

private:
    using Variable = std::uint32_t;
    // Twice the variable, and one more where it is denied.
    using Literal = std::uint32_t;
    // The place of a clause in words_: its length, and then its literals. None is at 0.
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
    // Assigns what follows; a clause that is false where there is one.
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
    std::vector<std::vector<Watch>> watching_;  // by literal: clauses that are looked at when it becomes false
    std::vector<Value> values_;                 // by variable
    std::vector<bool> phases_;                  // what each variable was last
    std::vector<std::uint32_t> levels_;
    std::vector<Clause> reasons_;
    std::vector<bool> seen_;
    std::vector<double> activity_;
    std::vector<Variable> heap_;  // the most active first
    std::vector<std::size_t> places_;
    std::vector<Literal> trail_;
    std::vector<std::size_t> starts_;  // of the levels above 0
    std::size_t done_ = 0;
    std::size_t steps_ = 0;  // clauses looked at
    double bump_ = 1.0;
    bool contradiction_ = false;
};

}  // namespace hornbook::planner::clauses
