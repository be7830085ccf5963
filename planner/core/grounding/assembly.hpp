// From atoms and instances of rules to a ground program: see planner/grounding/ground_program.py.
//
// The calls come in this order: relations, then initial facts, carried relations and instances, then
// `finish`.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "grounding/constants.hpp"
#include "grounding/ground_rules.hpp"

namespace hornbook::planner::grounding {

using PredicateNumber = std::uint32_t;

// Consecutive rows of cells.
struct Table {
    std::vector<Cell> cells;
    std::size_t count = 0;
};

// A condition of a rule: each term is a cell, or the column of an instance.
struct Pattern {
    struct Term {
        Cell cell = 0;
        bool is_column = false;
    };
    PredicateNumber predicate = 0;
    std::vector<Term> terms;
};

// The arrays of a ground program.
struct Assembled {
    std::vector<std::int32_t> asked;
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> positive_starts = {0};
    std::vector<std::int32_t> positive;
    std::vector<std::int32_t> negative_starts = {0};
    std::vector<std::int32_t> negative;
    std::vector<std::int32_t> cycles;
    std::int32_t atoms = 0;
};

class Assembly {
  public:
    // The possible facts of a relation. Each relation is added once.
    void relation(PredicateNumber predicate, std::size_t width, Table rows);

    // The facts of the first state. Rows that are no atoms are omitted.
    void give(PredicateNumber predicate, const Table& rows);

    // Facts of `source` can hold for `target`.
    void carry(PredicateNumber source, PredicateNumber target);

    // A rule, and a row for each instance. Conditions refer to relations that were added.
    void rules(const Pattern& head, const std::vector<Pattern>& positive, const std::vector<Pattern>& negative,
               std::size_t width, const Table& rows);

    std::size_t rule_count() const { return rules_.size(); }
    std::size_t rule_bytes() const { return rules_.bytes(); }

    // Determines the atoms that change.
    void solve();

    // After `solve`: the truth of each row of a relation.
    std::vector<Truth> truths(PredicateNumber predicate) const;

    // The atoms of rows, no_atom if there is none.
    std::vector<Number> find(PredicateNumber predicate, const Table& rows) const;

    // After `solve`: the rules that the atoms `asked` depend on, renumbered, with the numbers of these atoms.
    // `inputs` come first.
    Assembled finish(const std::vector<Number>& inputs, const std::vector<Number>& asked) const;

  private:
    const AtomTable& table(PredicateNumber predicate) const;
    GroundRules simplified() const;

    std::map<PredicateNumber, AtomTable> tables_;
    Number atoms_ = 0;
    GroundRules rules_;
    std::vector<Number> given_;
    std::vector<std::pair<Number, Number>> carried_;
    std::vector<Truth> truths_;
};

}  // namespace hornbook::planner::grounding
