#include "grounding/assembly.hpp"

#include <stdexcept>

#include "grounding/numbering.hpp"

namespace hornbook::planner::grounding {

namespace {

// Conditions of a rule, with the tables that contain their atoms.
class Conditions {
  public:
    Conditions(const AtomTable& table, const Pattern& pattern, std::size_t width)
        : table_(table), terms_(pattern.terms), cells_(terms_.size()) {
        if (terms_.size() != table.width()) {
            throw std::invalid_argument("a condition is as wide as its relation");
        }
        for (const Pattern::Term& term : terms_) {
            if (term.is_column && static_cast<std::size_t>(term.cell) >= width) {
                throw std::invalid_argument("a term is a column of the instances");
            }
        }
    }

    Number of(const Cell* row) {
        for (std::size_t place = 0; place < terms_.size(); ++place) {
            const Pattern::Term term = terms_[place];
            cells_[place] = term.is_column ? row[term.cell] : term.cell;
        }
        return table_.find(cells_.data());
    }

  private:
    const AtomTable& table_;
    std::vector<Pattern::Term> terms_;
    std::vector<Cell> cells_;
};

}  // namespace

void Assembly::relation(PredicateNumber predicate, std::size_t width, Table rows) {
    constexpr std::size_t most = (std::size_t{1} << 31U) - 2;
    if (rows.cells.size() != rows.count * width || tables_.contains(predicate)) {
        throw std::invalid_argument("a relation comes once, in whole rows");
    }
    if (atoms_ + rows.count > most) {
        throw std::length_error("more atoms than there are numbers");
    }
    tables_.try_emplace(predicate, std::move(rows.cells), width, rows.count, atoms_);
    atoms_ += static_cast<Number>(rows.count);
}

const AtomTable& Assembly::table(PredicateNumber predicate) const {
    const auto found = tables_.find(predicate);
    if (found == tables_.end()) {
        throw std::invalid_argument("there is no such relation");
    }
    return found->second;
}

void Assembly::give(PredicateNumber predicate, const Table& rows) {
    for (const Number atom : find(predicate, rows)) {
        if (atom != no_atom) {
            given_.push_back(atom);
        }
    }
}

void Assembly::carry(PredicateNumber source, PredicateNumber target) {
    const AtomTable& from = table(source);
    const AtomTable& to = table(target);
    if (from.width() != to.width()) {
        throw std::invalid_argument("both relations are equally wide");
    }
    for (std::size_t row = 0; row < from.size(); ++row) {
        const Number atom = to.find(from.row(row));
        if (atom != no_atom) {
            carried_.emplace_back(from.first() + row, atom);
        }
    }
}

void Assembly::rules(const Pattern& head, const std::vector<Pattern>& positive, const std::vector<Pattern>& negative,
                     std::size_t width, const Table& rows) {
    if (rows.cells.size() != rows.count * width) {
        throw std::invalid_argument("instances are whole rows");
    }
    Conditions of_head(table(head.predicate), head, width);
    std::vector<Conditions> present;
    std::vector<Conditions> absent;
    for (const Pattern& pattern : positive) {
        present.emplace_back(table(pattern.predicate), pattern, width);
    }
    for (const Pattern& pattern : negative) {
        absent.emplace_back(table(pattern.predicate), pattern, width);
    }
    std::vector<Literal> body;
    for (std::size_t row = 0; row < rows.count; ++row) {
        const Cell* cells = rows.cells.data() + row * width;
        const Number concluded = of_head.of(cells);
        body.clear();
        bool is_complete = concluded != no_atom;
        for (Conditions& condition : present) {
            const Number atom = condition.of(cells);
            is_complete &= atom != no_atom;
            body.emplace_back(atom, false);
        }
        if (!is_complete) {
            throw std::invalid_argument("an instance is of atoms that can hold");
        }
        for (Conditions& condition : absent) {
            const Number atom = condition.of(cells);
            if (atom != no_atom) {
                body.emplace_back(atom, true);
            }
        }
        rules_.add(concluded, body);
    }
}

void Assembly::solve() {
    std::vector<Number> carried(atoms_, no_atom);
    for (const auto& [source, target] : carried_) {
        carried[source] = target;
    }
    truths_ = grounding::truths(rules_, given_, carried);
}

std::vector<Truth> Assembly::truths(PredicateNumber predicate) const {
    const AtomTable& rows = table(predicate);
    const auto first = truths_.begin() + rows.first();
    return {first, first + static_cast<std::ptrdiff_t>(rows.size())};
}

std::vector<Number> Assembly::find(PredicateNumber predicate, const Table& rows) const {
    const AtomTable& atoms = table(predicate);
    if (rows.cells.size() != rows.count * atoms.width()) {
        throw std::invalid_argument("rows are as wide as their relation");
    }
    std::vector<Number> found;
    found.reserve(rows.count);
    for (std::size_t row = 0; row < rows.count; ++row) {
        found.push_back(atoms.find(rows.cells.data() + row * atoms.width()));
    }
    return found;
}

// The rules of atoms that change, without conditions that do not.
GroundRules Assembly::simplified() const {
    GroundRules found;
    std::vector<Literal> body;
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        bool can_hold = truths_[rules_.head(rule)] == Truth::sometimes;
        body.clear();
        for (const Literal literal : rules_.body(rule)) {
            const Truth truth = truths_[literal.atom()];
            if (truth == Truth::sometimes) {
                body.push_back(literal);
            } else {
                can_hold &= (truth == Truth::always) != literal.is_absent();
            }
        }
        if (can_hold) {
            found.append(rules_.head(rule), body);
        }
    }
    return found;
}

Assembled Assembly::finish(const std::vector<Number>& inputs, const std::vector<Number>& asked) const {
    return numbered(simplified(), truths_, inputs, asked);
}

}  // namespace hornbook::planner::grounding
