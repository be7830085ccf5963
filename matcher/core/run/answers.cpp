// What is asked of an engine between updates: queries, and derivations, which are found when they are asked for.
#include <algorithm>
#include <numeric>

#include "run/engine.hpp"

namespace hornbook {

Engine::Engine(Bounds bounds, Statistics statistics, Capacity capacity)
    : given_statistics_(std::move(statistics)),
      steps_(relations_),
      planner_(steps_, statistics_, clock),
      bounds_(bounds),
      capacity_(capacity),
      reader_(steps_, relations_, clock), guard_reader_(steps_, relations_, clock) {}

void Engine::add_predicates(const std::vector<Predicate>& predicates) {
    if (relations_.size() + predicates.size() > Journal::MOST_PREDICATES) {
        throw TooLarge{"predicates", Journal::MOST_PREDICATES};
    }
    for (const Predicate& predicate : predicates) {
        add_predicate(predicate);
    }
    note_promises();
}

void Engine::add_predicate(const Predicate& predicate) {
    const auto number = static_cast<PredicateId>(ids_.size());
    ids_.push_back(static_cast<PredicateId>(relations_.size()));
    Predicate known = predicate;
    if (predicate.counts != NOTHING && static_cast<PredicateId>(predicate.counts) <= number) {
        known.counts = static_cast<std::int32_t>(ids_[static_cast<std::size_t>(predicate.counts)]);
    } else if (predicate.counts != NOTHING) {  // of one that is added with it, right after
        known.counts = static_cast<std::int32_t>(ids_.back() + static_cast<PredicateId>(predicate.counts) - number);
    }
    const PredicateId id = add_relation(known);
    numbers_[id] = number;
    if (const auto found = given_statistics_.measures.find(number); found != given_statistics_.measures.end()) {
        statistics_.measures[id] = found->second;
    }
}

PredicateId Engine::add_relation(const Predicate& predicate) {
    if (relations_.size() >= Journal::MOST_PREDICATES) {
        throw TooLarge{"predicates", Journal::MOST_PREDICATES};
    }
    const auto number = static_cast<PredicateId>(relations_.size());
    relations_.push_back(std::make_unique<Relation>(predicate, capacity_.rows));
    numbers_.push_back(0);
    concluding_.emplace_back();
    namings_.emplace_back();
    reading_.emplace_back();
    fresh_from_.push_back(0);
    promises_.emplace_back();
    head_.resize(std::max<std::size_t>(head_.size(), predicate.arity + 1));
    if (predicate.key != NOTHING) {
        std::vector<std::uint32_t> columns(static_cast<std::size_t>(predicate.key));
        std::iota(columns.begin(), columns.end(), 0U);
        promises_[number].key_index = relations_[number]->index_on(columns);
    }
    return number;
}

// Once all predicates are there that others name.
void Engine::note_promises() {
    for (PredicateId number = 0; number < relations_.size(); ++number) {
        const Predicate& predicate = relations_[number]->predicate;
        if (predicate.counts == NOTHING) {
            continue;
        }
        const auto member = static_cast<PredicateId>(predicate.counts);
        std::vector<std::uint32_t> columns(static_cast<std::size_t>(predicate.key));
        std::iota(columns.begin(), columns.end(), 0U);
        promises_[number].members_index = relations_[member]->index_on(columns);
        std::vector<PredicateId>& counted_by = promises_[member].counted_by;
        if (std::find(counted_by.begin(), counted_by.end(), number) == counted_by.end()) {
            counted_by.push_back(number);
        }
    }
}

Rows Engine::query(const Body& body, std::uint32_t variables, const std::vector<Variable>& wanted) {
    clock.begin(bounds_.seconds);
    // A query's steps are its own, so that asking leaves nothing behind.
    Steps steps(relations_);
    Planner planner(steps, statistics_, clock, true);
    std::vector<bool> outside(variables);
    for (const Variable variable : wanted) {
        outside[variable] = true;
    }
    const auto conjunction = planned(body, std::vector<bool>(variables), outside, planner);
    for (const Variable variable : wanted) {
        if (!conjunction->known[variable]) {
            throw RefusedProgram();
        }
    }
    Reader reader(steps, relations_, clock);
    reader.begin(variables);
    Relation answers(Predicate{static_cast<std::uint32_t>(wanted.size()), NOTHING, NOTHING});
    std::uint64_t bytes = estimated_bytes_;
    std::vector<Cell> row(wanted.size() + 1);
    reader.solve(*conjunction, [&](bool is_unknown) {
        if (is_unknown) {
            throw reader.overflow(*conjunction, NOTHING);
        }
        for (std::size_t place = 0; place < wanted.size(); ++place) {
            row[place] = reader.values[wanted[place]];
        }
        if (answers.insert(row.data()).second) {
            bytes += FACT_BYTES + CELL_BYTES * wanted.size();
            if (bounds_.bytes && bytes > *bounds_.bytes) {
                throw TooManyBytes();
            }
        }
        return false;
    });
    std::vector<Row> order(answers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](Row one, Row other) {
        return std::lexicographical_compare(answers.cells(one), answers.cells(one) + wanted.size(),
                                            answers.cells(other), answers.cells(other) + wanted.size());
    });
    Rows result;
    result.count = order.size();
    for (const Row each : order) {
        result.cells.insert(result.cells.end(), answers.cells(each), answers.cells(each) + wanted.size());
    }
    return result;
}

// Append the derivations of a fact by one rule; whether one was found where only one is wanted.
bool Engine::derivations(RuleNumber number, PredicateId predicate, Row row, const View& view,
                         std::vector<Derivation>& found, std::uint64_t& bytes, bool only_one) {
    const Rule& rule = *rules_[number];
    if (is_removed_[number] != 0) {
        return false;
    }
    const Conjunction& body = proof(number);
    reader_.begin(rule.variables);
    reader_.view = view;
    const Cell* cells = relations_[predicate]->cells(row);
    std::vector<bool> is_set(rule.variables);
    for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
        const Term& term = rule.head_terms[column];
        if (term.is_cell() ? term.value != cells[column]
                           : is_set[term.index()] && reader_.values[term.index()] != cells[column]) {
            return false;
        }
        if (term.is_variable()) {
            is_set[term.index()] = true;
            reader_.values[term.index()] = cells[column];
        }
    }
    return reader_.solve(body, [&](bool is_unknown) {
        if (is_unknown) {
            return false;
        }
        Derivation derivation;
        derivation.rule = number;
        derivation.known = body.known;
        derivation.values.assign(reader_.values.begin(), reader_.values.begin() + rule.variables);
        derivation.premises = reader_.premises(body);
        renumber(derivation.premises);
        bytes += DERIVATION_BYTES + CELL_BYTES * rule.variables + FACT_BYTES * derivation.premises.size();
        if (!only_one && bounds_.bytes && bytes > *bounds_.bytes) {
            throw TooManyBytes();
        }
        found.push_back(std::move(derivation));
        return only_one;
    });
}

void Engine::renumber(std::vector<Premise>& premises) const {
    for (Premise& premise : premises) {
        if (premise.kind == Premise::Kind::FACT || premise.kind == Premise::Kind::SET) {
            premise.fact.predicate = number_of(premise.fact.predicate);
        }
        renumber(premise.sets);
        for (Premise::Member& member : premise.members) {
            member.fact.predicate = number_of(member.fact.predicate);
            renumber(member.premises);
        }
    }
}

std::optional<Derivation> Engine::derivation(PredicateId predicate, Row row) {
    clock.begin(bounds_.seconds);
    if (relations_[predicate]->is_given(row)) {
        return std::nullopt;
    }
    const View view = founded_view(predicate, row);
    std::vector<Derivation> found;
    std::uint64_t bytes = 0;
    for (const RuleNumber number : concluding_[predicate]) {
        if (derivations(number, predicate, row, view, found, bytes, true)) {
            break;
        }
    }
    return std::move(found.at(0));
}

std::vector<Derivation> Engine::derivations(PredicateId predicate, Row row) {
    clock.begin(bounds_.seconds);
    std::vector<Derivation> found;
    std::uint64_t bytes = estimated_bytes_;
    for (const RuleNumber number : concluding_[predicate]) {
        derivations(number, predicate, row, View(), found, bytes, false);
    }
    return found;
}

std::size_t Engine::bytes() const {
    std::size_t bytes = journal_.bytes() + whole_.bytes();
    for (const auto& relation : relations_) {
        bytes += relation->bytes();
    }
    for (const auto& [predicate, delta] : delta_) {
        bytes += delta.trie.bytes();
    }
    for (const auto& [predicate, trie] : backward_) {
        bytes += trie.bytes();
    }
    return bytes;
}

std::size_t Engine::nodes() const {
    std::size_t nodes = whole_.tree().size();
    for (const auto& [predicate, delta] : delta_) {
        nodes += delta.trie.tree().size();
    }
    return nodes;
}

}  // namespace hornbook
