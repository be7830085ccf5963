// Complete evaluation of many states. All states share the rules and some facts; the others differ.
//
// A predicate *varies* if a state has facts of it, or if a rule that concludes it reads one that varies. What
// does not vary is evaluated once. For each state, the facts of the varying predicates are removed, those of the
// state are added, and all rules that conclude varying predicates are evaluated, without a journal. A state may
// also be a few changes away from its parent. Then the engine makes these changes, and undoes them afterwards.
//
// Invariants:
// - The results for a state are those of an engine that has only its facts and the shared ones.
// - A fault in a state has no effect on other states.
#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "run/engine.hpp"

namespace hornbook {

// The facts of one predicate in many states: those of state s are the rows from `begins[s]` to `begins[s + 1]`.
struct StateRows {
    Rows rows;
    std::vector<std::size_t> begins;
    bool is_ascending = false;  // the rows of each state
    Extent extent;  // of the rows of all states
};

// States in an order in which each is followed by its children and their descendants.
struct StateBlock {
    std::size_t states = 0;
    Group common;                    // the given facts that all states of the block have
    std::vector<StateRows> given;    // of a state with a parent: the facts that the parent has not
    std::vector<StateRows> removed;  // of the parent's given facts
    std::vector<StateRows> last;     // given facts that are added after all consequences of the others
    std::vector<std::int64_t> parents;  // NOTHING for none; empty if no state has one

    [[nodiscard]] std::int64_t parent(std::size_t state) const { return parents.empty() ? NOTHING : parents[state]; }
};

// Rows with the state of each.
struct StateTable {
    Rows rows;
    std::vector<std::int64_t> states;
};

struct StateRequest {
    std::vector<PredicateId> requested;     // the predicates whose facts are returned
    std::vector<PredicateId> explained;  // those whose facts are returned with all derivations
    // Those of whose facts with the same last cell the ones with the least first cell are returned, each with the
    // facts of one derivation.
    std::vector<PredicateId> leading;
    bool has_premises = false;           // whether derivations have their premises
    Body query;
    std::uint32_t query_variables = 0;
    std::vector<Variable> queried;
    bool has_query = false;
    std::size_t most_answers = std::numeric_limits<std::size_t>::max();  // of a state; others are left out
};

struct StateResults {
    struct Explained {
        std::size_t state = 0;
        Fact fact;
        std::vector<Derivation> derivations;
    };
    struct Leading {
        std::size_t state = 0;
        Fact fact;
        std::vector<Fact> premises;  // with those of closed sets; some are repeated
    };
    std::vector<StateTable> tables;  // as in `requested`
    StateTable answers;
    std::vector<Explained> explained;
    std::vector<Leading> leading;
    std::vector<std::pair<std::size_t, std::exception_ptr>> faults;  // by state
};

class States {
public:
    // An engine without facts, rules and marks, which nothing else changes.
    explicit States(Engine& engine) : engine_(engine) {}

    // Rules and shared facts, before the first evaluation. `add_rules` throws RefusedProgram.
    void add_rules(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers);
    void add_facts(Group&& facts);

    // Evaluate states. Throws Interrupted, or RefusedProgram for the query; other faults are results.
    StateResults evaluate(const StateBlock& block, const StateRequest& request);

private:
    // Rules that are evaluated together.
    struct RuleChoice {
        Trie some;  // all but guarded ones, if the choice has not all rules
        const Trie* trie = nullptr;
        // Each with a relation of given facts that it needs, or null.
        std::vector<std::pair<RuleNumber, const Relation*>> guarded;
        std::vector<PredicateId> heads;
    };

    void prepare(const StateBlock& block);
    void find_varying(const StateBlock& block);
    [[nodiscard]] const Relation* needs_given(const Rule& rule) const;
    void choose_rules(RuleChoice& choice, bool varying);
    template <class LoadLast>
    void evaluate_rules(const RuleChoice& rules, const std::vector<PredicateId>& predicates, LoadLast&& load_last);
    void load(const StateBlock& block, std::size_t state);
    void load_last(const StateBlock& block, std::size_t state);
    [[nodiscard]] std::vector<Cell> cells_of(const StateRows& rows, std::size_t row) const;
    void take_changes(const std::vector<StateRows>& source, std::size_t state, Group& group) const;
    void load_whole(const StateBlock& block, std::size_t state);
    void take_leading(std::size_t state, PredicateId predicate, std::vector<StateResults::Leading>& leading);
    void take_results(std::size_t state, const StateRequest& request, StateResults& results);
    bool evaluate_single(const StateBlock& block, std::size_t state, const StateRequest& request, StateResults& results,
                        bool is_staged, const std::function<void()>& load);
    static bool has_last(const StateBlock& block, std::size_t state);
    bool change(const StateBlock& block, std::size_t state, const StateRequest& request, StateResults& results);
    static void note_fault(std::size_t state, StateResults& results);

    Engine& engine_;
    std::vector<RuleNumber> numbers_;
    Group shared_;
    Group common_;                       // the facts that all states of the last block had
    std::vector<bool> varies_;           // by predicate
    std::vector<PredicateId> varying_;
    Group shared_varying_;               // the shared facts of varying predicates
    std::map<PredicateId, std::set<std::vector<Cell>>> shared_cells_;  // the same
    RuleChoice varying_rules_, other_rules_;  // those that conclude predicates which vary, and the others
    bool are_rules_chosen_ = false;
    Facts::Counts counts_;
    bool is_prepared_ = false;
    std::unique_ptr<Query> query_;
};

}  // namespace hornbook
