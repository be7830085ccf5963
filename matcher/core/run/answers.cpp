// Requests between updates: queries, and derivations, which are reconstructed on demand.
#include <algorithm>
#include <numeric>

#include "run/engine.hpp"

namespace hornbook {

Query::Query(Engine& engine, const Body& body, std::uint32_t variables, std::vector<Variable> requested)
    : engine_(engine),
      steps_(engine.facts_.relations()),
      variables_(variables),
      requested_(std::move(requested)),
      reader_(steps_, engine.facts_.relations(), engine.clock),
      answers_(Predicate{static_cast<std::uint32_t>(requested_.size()), NOTHING, NOTHING}) {
    Planner planner(steps_, engine.plans_.statistics(), engine.clock, true);
    std::vector<bool> outside(variables);
    for (const Variable variable : requested_) {
        outside[variable] = true;
    }
    conjunction_ = planned(body, std::vector<bool>(variables), outside, planner);
    for (const Variable variable : requested_) {
        if (!conjunction_->known[variable]) {
            throw RefusedProgram();
        }
    }
}

Rows Query::answers() {
    const Facts& facts = engine_.facts_;
    const std::size_t width = requested_.size();
    reader_.begin(variables_);
    answers_.reset();
    std::uint64_t bytes = facts.estimated_bytes();
    std::vector<Cell> row(width + 1);
    reader_.solve(*conjunction_, [&](bool is_unknown) {
        if (is_unknown) {
            throw reader_.overflow(*conjunction_, NOTHING);
        }
        for (std::size_t place = 0; place < width; ++place) {
            row[place] = reader_.values[requested_[place]];
        }
        if (answers_.insert(row.data()).second) {
            bytes += FACT_BYTES + CELL_BYTES * width;
            if (facts.bounds().bytes && bytes > *facts.bounds().bytes) {
                throw TooManyBytes();
            }
        }
        return false;
    });
    std::vector<Row> order(answers_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](Row one, Row other) {
        return std::lexicographical_compare(answers_.cells(one), answers_.cells(one) + width,
                                            answers_.cells(other), answers_.cells(other) + width);
    });
    Rows result;
    result.count = order.size();
    for (const Row each : order) {
        result.cells.insert(result.cells.end(), answers_.cells(each), answers_.cells(each) + width);
    }
    return result;
}

Rows Engine::query(const Body& body, std::uint32_t variables, const std::vector<Variable>& requested) {
    clock.begin(facts_.bounds().seconds);
    return Query(*this, body, variables, requested).answers();
}

// Whether a fact matches a rule's head.
bool Engine::fits_head(const Rule& rule, const Cell* cells) {
    const std::vector<Term>& terms = rule.head_terms;
    for (std::size_t column = 0; column < terms.size(); ++column) {
        if (terms[column].is_cell()) {
            if (terms[column].value != cells[column]) {
                return false;
            }
            continue;
        }
        for (std::size_t before = 0; before < column; ++before) {
            if (terms[before].is_variable() && terms[before].index() == terms[column].index() &&
                cells[before] != cells[column]) {
                return false;
            }
        }
    }
    return true;
}

// Call `found` for the instances of a rule that derive a fact, until it returns true; return whether it did.
template <class Found>
bool Engine::instances(RuleNumber number, PredicateId predicate, Row row, const View& view, Found&& found) {
    const Rule& rule = plans_.rule(number);
    const Cell* cells = facts_[predicate].cells(row);
    if (plans_.is_removed(number) || !fits_head(rule, cells)) {
        return false;
    }
    const Conjunction& body = plans_.proof(number);
    reader_.begin(rule.variables);
    reader_.view = view;
    for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
        if (rule.head_terms[column].is_variable()) {
            reader_.values[rule.head_terms[column].index()] = cells[column];
        }
    }
    return reader_.solve(body, [&](bool is_unknown) { return !is_unknown && found(); });
}

std::vector<RuleNumber> Engine::derived_by(PredicateId predicate, Row row) {
    clock.begin(facts_.bounds().seconds);
    std::vector<RuleNumber> found;
    for (const RuleNumber number : plans_.concluding(predicate)) {
        if (instances(number, predicate, row, View(), [] { return true; })) {
            found.push_back(number);
        }
    }
    return found;
}

// Append the derivations of a fact by one rule; return whether one was found if only one is needed.
bool Engine::derivations(RuleNumber number, PredicateId predicate, Row row, const View& view,
                         std::vector<Derivation>& found, std::uint64_t& bytes, bool only_one, bool has_premises) {
    return instances(number, predicate, row, view, [&] {
        found.push_back(instance_read(number, plans_.proof(number), reader_, has_premises));
        const Derivation& derivation = found.back();
        bytes += DERIVATION_BYTES + CELL_BYTES * derivation.values.size() + FACT_BYTES * derivation.premises.size();
        if (!only_one && facts_.bounds().bytes && bytes > *facts_.bounds().bytes) {
            throw TooManyBytes();
        }
        return only_one;
    });
}

// The instance of a rule that a reader has just found to be true.
Derivation Engine::instance_read(RuleNumber number, const Conjunction& body, Reader& reader, bool has_premises) const {
    Derivation derivation;
    derivation.rule = number;
    derivation.known = body.known;
    derivation.values.assign(reader.values.begin(), reader.values.begin() + plans_.rule(number).variables);
    if (has_premises) {
        derivation.premises = reader.premises(body);
        renumber(derivation.premises);
    }
    return derivation;
}

std::vector<Derivation> Engine::founded_derivations(RuleNumber number, PredicateId predicate, Row row,
                                                    const std::vector<std::pair<Variable, Cell>>& where,
                                                    std::size_t most) {
    clock.begin(facts_.bounds().seconds);
    std::vector<Derivation> found;
    if (plans_.is_removed(number)) {
        return found;
    }
    const Rule& rule = plans_.rule(number);
    const Cell* cells = facts_[predicate].cells(row);
    if (rule.head != predicate || !fits_head(rule, cells) || most == 0) {
        return found;
    }
    std::vector<bool> known(rule.variables);
    mark_variables(rule.head_terms, known);
    for (const auto& [variable, cell] : where) {
        known.at(variable) = true;
    }
    Steps steps(facts_.relations());  // separate ones, so that the request leaves no traces
    Planner planner(steps, plans_.statistics(), clock, true);
    const auto body = planned(rule.written ? *rule.written : rule.body, known, known, planner);
    Reader reader(steps, facts_.relations(), clock);
    reader.begin(rule.variables);
    reader.view = saturation_.founded_view(predicate, row);
    for (const auto& [variable, cell] : where) {
        reader.values[variable] = cell;
    }
    for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
        if (rule.head_terms[column].is_variable()) {
            reader.values[rule.head_terms[column].index()] = cells[column];
        }
    }
    reader.solve(*body, [&](bool is_unknown) {
        if (!is_unknown) {
            found.push_back(instance_read(number, *body, reader, true));
        }
        return found.size() == most;
    });
    return found;
}

void Engine::renumber(std::vector<Premise>& premises) const {
    for (Premise& premise : premises) {
        if (premise.kind == Premise::Kind::FACT || premise.kind == Premise::Kind::SET) {
            premise.fact.predicate = facts_.number_of(premise.fact.predicate);
        }
        renumber(premise.sets);
        for (Premise::Member& member : premise.members) {
            member.fact.predicate = facts_.number_of(member.fact.predicate);
            renumber(member.premises);
        }
    }
}

std::optional<Derivation> Engine::derivation(PredicateId predicate, Row row, std::optional<RuleNumber> by) {
    clock.begin(facts_.bounds().seconds);
    std::vector<Derivation> found;
    std::uint64_t bytes = 0;
    if (by) {
        return derivations(*by, predicate, row, View(), found, bytes, true) ? std::optional(std::move(found[0])) : std::nullopt;
    }
    if (facts_[predicate].is_given(row)) {
        return std::nullopt;
    }
    const View view = saturation_.founded_view(predicate, row);
    for (const RuleNumber number : plans_.concluding(predicate)) {
        if (derivations(number, predicate, row, view, found, bytes, true)) {
            break;
        }
    }
    return std::move(found.at(0));
}

std::vector<Derivation> Engine::derivations(PredicateId predicate, Row row, std::optional<RuleNumber> by,
                                            bool has_premises) {
    clock.begin(facts_.bounds().seconds);
    std::vector<Derivation> found;
    std::uint64_t bytes = facts_.estimated_bytes();
    for (const RuleNumber number : plans_.concluding(predicate)) {
        if (!by || *by == number) {
            derivations(number, predicate, row, View(), found, bytes, false, has_premises);
        }
    }
    return found;
}

}  // namespace hornbook
