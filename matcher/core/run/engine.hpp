// The compiled engine: an incremental implementation of oracles/reference/engine.py. It has facts
// (data/facts.hpp), the plans of its rules (plan/plans.hpp), the saturation by both (saturation.hpp) and the
// constraints (constraints.hpp). Each update is complete or has no effect.
#pragma once

#include <map>

#include "data/facts.hpp"
#include "plan/plans.hpp"
#include "run/clock.hpp"
#include "run/constraints.hpp"
#include "run/saturation.hpp"

namespace hornbook {

// A fact that is both retracted and added is given afterwards.
struct Update {
    std::vector<const Group*> add;
    std::vector<const Group*> retract;
    std::vector<Rule> add_rules;
    std::vector<RuleNumber> remove_rules;
};

struct Derivation {
    RuleNumber rule = 0;
    std::vector<Cell> values;
    std::vector<bool> known;
    std::vector<Premise> premises;
};

class Engine;

// A query that is planned once, for several states of an engine's facts.
class Query {
public:
    // Throws RefusedProgram if the body does not bind the variables.
    Query(Engine& engine, const Body& body, std::uint32_t variables, std::vector<Variable> requested);
    // The distinct values of the variables in the instances of the body, sorted, row after row.
    Rows answers();

private:
    Engine& engine_;
    Steps steps_;  // separate ones, so that the query leaves no traces
    const std::uint32_t variables_;
    const std::vector<Variable> requested_;
    std::shared_ptr<const Conjunction> conjunction_;
    Reader reader_;
    Relation answers_;
};

class Engine {
public:
    Engine(Bounds bounds, Statistics statistics, Capacity capacity = {});

    // The functions that its rules and queries call, by the identities of their origins.
    using Functions = std::map<const void*, std::unique_ptr<Called>>;
    [[nodiscard]] Functions& functions() const { return *functions_; }

    // All or none.
    void add_predicates(const std::vector<Predicate>& predicates);
    [[nodiscard]] const Facts& facts() const { return facts_; }
    [[nodiscard]] const Relations& relations() const { return facts_.relations(); }

    // Throws a fault without any change. The new rules' numbers are stored in `numbers`.
    std::shared_ptr<Change> update(Update&& update, std::vector<RuleNumber>& numbers);
    void push() { facts_.push(); }
    void pop() { facts_.pop(); }

    // answers.cpp
    // The distinct values of the variables in the instances of a body, sorted, row after row.
    Rows query(const Body& body, std::uint32_t variables, const std::vector<Variable>& requested);
    // A derivation of a fact from facts that were found earlier; none if it is given. Or the first one by a rule.
    std::optional<Derivation> derivation(PredicateId predicate, Row row, std::optional<RuleNumber> by);
    // The rules that derive a fact from the facts.
    std::vector<RuleNumber> derived_by(PredicateId predicate, Row row);
    // All derivations of a fact from the facts, or those by one rule.
    std::vector<Derivation> derivations(PredicateId predicate, Row row, std::optional<RuleNumber> by,
                                        bool has_premises = true);
    // At most `most` derivations of a fact by one rule, from facts that were found earlier, with values of some
    // variables that do not occur in the head.
    std::vector<Derivation> founded_derivations(RuleNumber number, PredicateId predicate, Row row,
                                                const std::vector<std::pair<Variable, Cell>>& where,
                                                std::size_t most);

    // The plans with the current strata, for report/.
    Plans& arranged_plans();
    [[nodiscard]] const Plans& plans() const { return plans_; }
    // Start or stop measuring the time of updates; `is_counted` keeps the counts.
    void count(bool is_counted);
    [[nodiscard]] const Profile* profile() const { return profiling_.profile.get(); }

    [[nodiscard]] std::size_t bytes() const { return facts_.bytes() + plans_.bytes(); }
    [[nodiscard]] std::size_t nodes() const { return plans_.nodes(); }

    Clock clock;

private:
    friend class Query;
    friend class States;

    void change(const Update& update, const std::vector<RuleNumber>& removed, const std::vector<RuleNumber>& added);
    void take_back(const std::vector<RuleNumber>& removed, const std::vector<RuleNumber>& added);
    bool derivations(RuleNumber number, PredicateId predicate, Row row, const View& view,
                     std::vector<Derivation>& found, std::uint64_t& bytes, bool only_one, bool has_premises = true);
    template <class Found>
    bool instances(RuleNumber number, PredicateId predicate, Row row, const View& view, Found&& found);
    Derivation instance_read(RuleNumber number, const Conjunction& body, Reader& reader, bool has_premises) const;
    static bool fits_head(const Rule& rule, const Cell* cells);
    void renumber(std::vector<Premise>& premises) const;

    std::unique_ptr<Functions> functions_ = std::make_unique<Functions>();
    Facts facts_;
    Profiling profiling_;
    Plans plans_;
    Saturation saturation_;
    Constraints constraints_;
    Reader reader_;
};

}  // namespace hornbook
