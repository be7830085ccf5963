// The rules of an engine and their plans: each rule is planned once for full matching. On demand it is
// planned for each predicate whose facts change, for each head that is to be proved, and for separate
// evaluation.
//
// Invariants between updates: a rule that is not removed is in every requested trie whose predicate it reads
// or concludes. In a trie of changes it may be missing as long as it needs a relation without facts. Removed
// rules stay in the tries, where walks skip them, until most rules are removed and all plans are rebuilt.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "data/facts.hpp"
#include "data/profile.hpp"
#include "data/strata.hpp"
#include "plan/conjunction.hpp"
#include "plan/pushdown.hpp"
#include "plan/trie.hpp"

namespace hornbook {

// The maximal numbers of items; tests use smaller ones.
struct Capacity {
    Row rows = Relation::MOST_ROWS;
    std::uint32_t derivations = Relation::MOST_DERIVATIONS;
    RuleNumber rules = std::numeric_limits<std::int32_t>::max();
};

class Plans {
public:
    // The parts of a guarded rule that are evaluated for one kind of walk of a trie.
    struct Guarded {
        std::unique_ptr<Conjunction> candidate;  // null until it is needed, if the rule is accepted
        std::vector<bool> known;   // the variables that a trie binds
        std::vector<Early> early;  // the guards that are steps of its plans
    };

    Plans(Facts& facts, Statistics&& statistics, RuleNumber most_rules, Budget& budget, Profiling& profiling);

    PredicateId add_relation(const Predicate& predicate);
    // Use the measurements of the predicate with this users' number for a relation.
    void expect(PredicateId id, PredicateId number);

    // Rules.
    void add(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers);
    void remove(RuleNumber number);   // it may be restored later
    void restore(RuleNumber number);
    void drop(RuleNumber number);     // a removed rule is dropped permanently
    void discard(RuleNumber number);  // an added rule is dropped permanently
    void rebuild();                   // if most rules are removed
    [[nodiscard]] std::vector<RuleNumber> with_helpers(const std::vector<RuleNumber>& numbers) const;
    [[nodiscard]] std::size_t rules() const { return rules_.size(); }
    [[nodiscard]] const Rule& rule(RuleNumber number) const { return *rules_[number]; }
    [[nodiscard]] bool is_removed(RuleNumber number) const { return is_removed_[number] != 0; }
    // Includes removed ones.
    [[nodiscard]] const std::vector<RuleNumber>& concluding(PredicateId predicate) const { return concluding_[predicate]; }
    [[nodiscard]] bool is_read(PredicateId predicate) const { return !reading_[predicate].empty(); }
    // Whether no two instances of a predicate's rules have the same head.
    [[nodiscard]] bool has_injective_heads(PredicateId predicate) const { return heads_[predicate].are_injective; }

    [[nodiscard]] const Dependencies& dependencies() const { return dependencies_; }
    enum class Arranged : std::uint8_t { AS_BEFORE, ANEW, ANEW_WITH_OTHER_SUPPORT };
    // Recompute the strata if dependencies have changed. Throws RefusedProgram if there is no stratification.
    Arranged arrange();
    void arrange_again() { dependencies_.arrange(facts_.relations().size()); }  // after rules were restored or
                                                                                // dropped

    // Plans. A trie needs `slots()` slots once it was requested.
    const Trie& whole();
    // The plans for changes of a predicate. A rule that needs another relation without facts cannot hold, so it
    // is left out and planned once there are such facts; `is_complete`: no rule is left out.
    const Trie& delta(PredicateId predicate, bool is_complete = false);
    // Whether no rule that reads a predicate can hold, because all of them need a relation that has no facts
    // now (left and right unlinking: Doorenbos 1995, chapter 4). Then its changes have no consequences, and
    // their trie is not needed.
    [[nodiscard]] bool is_idle(PredicateId predicate) const;
    const Trie& backward(PredicateId predicate);
    // The remaining number of ops and rows for walking the plans of all rules for the matches of a single
    // fact. After that it is time to build the trie of the predicate's changes. The second function records
    // visits.
    [[nodiscard]] std::uint64_t may_meet(PredicateId predicate) const;
    void have_met(PredicateId predicate, std::uint64_t met) { met_[predicate] += met; }
    const Conjunction& conjunction(RuleNumber number);
    const Conjunction& proof(RuleNumber number);  // for a known head
    void insert_whole(RuleNumber number, Trie& trie);
    void settle();  // merges each trie into one piece
    [[nodiscard]] std::uint32_t slots() const { return slots_; }
    [[nodiscard]] const Trie& known_whole() const { return whole_; }
    [[nodiscard]] const Trie* known_delta(PredicateId predicate) const;
    [[nodiscard]] const Trie* known_backward(PredicateId predicate) const;
    [[nodiscard]] const Conjunction& known_conjunction(RuleNumber number) const { return *conjunctions_.at(number); }
    [[nodiscard]] const Guarded& guarded(RuleNumber number) const { return guarded_.at(number); }
    // The evaluation of a guarded rule whose matches hold. Throws RefusedProgram if the rule is unsafe.
    const Conjunction& candidate(RuleNumber number);
    [[nodiscard]] const Steps& steps() const { return steps_; }
    [[nodiscard]] Steps& steps() { return steps_; }
    [[nodiscard]] const Projections& projections() const { return projections_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t nodes() const;

private:
    // The heads of a predicate's rules are injective if each contains all variables of its body and, for
    // several rules, a constant in one column that increases from rule to rule.
    struct Heads {
        bool are_injective = true;
        std::uint32_t rules = 0;
        std::int32_t column = NOTHING;
        Cell last = 0;
        void take(const Rule& rule);
    };
    // Rules that are not planned yet, because they match a relation without facts.
    struct Unplanned {
        PredicateId need;
        std::vector<RuleNumber> rules;
    };
    struct Delta {
        Trie trie;
        std::size_t planned_for = 0;  // the number of rows
        std::vector<Unplanned> unplanned;
    };

    // rules.cpp
    void prepare(RuleNumber number);
    void note_reader(RuleNumber number, PredicateId predicate);
    static std::vector<bool> bindings(const Rule& rule);
    void plan_guarded(RuleNumber number);
    std::unique_ptr<Conjunction> planned_rule(const Rule& rule, const std::vector<bool>& known);
    RuleNumber new_number();
    PredicateId hidden_relation(std::uint32_t arity);
    std::optional<Rule> fold(Rule& rule);

    // tries.cpp
    void insert_or_defer(RuleNumber number, PredicateId predicate, Delta& delta);
    void insert_deferred(PredicateId predicate, Delta& delta, bool is_complete);
    void drop_delta(PredicateId predicate);
    [[nodiscard]] std::int32_t empty_need(RuleNumber number, PredicateId predicate) const;
    void insert_delta(RuleNumber number, PredicateId predicate, Trie& trie);
    void insert_triggers(RuleNumber number, PredicateId predicate, const Body& body, bool finished, Trie& trie,
                         const Detail* of = nullptr);
    void insert_backward(RuleNumber number, Trie& trie);
    void end_plan(RuleNumber number, Environment& environment, std::vector<bool>& done, Seed seed,
                  std::vector<StepId>& plan, Terminal terminal, Trie& trie);
    [[nodiscard]] static Environment environment_of(const Rule& rule);

    Facts& facts_;
    Relations& relations_;
    Budget& budget_;
    Profiling& profiling_;
    const RuleNumber most_rules_;
    const Statistics given_statistics_;  // by the users' numbers
    Statistics statistics_;
    Steps steps_;
    Projections projections_;
    Planner planner_;

    std::vector<std::unique_ptr<Rule>> rules_;  // by number
    std::vector<std::uint8_t> is_removed_;      // by number; a removal may be undone
    std::vector<RuleNumber> free_numbers_;
    std::size_t dead_rules_ = 0;
    std::unordered_map<RuleNumber, Guarded> guarded_;
    std::unordered_map<RuleNumber, std::unique_ptr<Conjunction>> conjunctions_;
    std::unordered_map<RuleNumber, std::unique_ptr<Conjunction>> proofs_;
    std::vector<std::vector<RuleNumber>> concluding_;  // by predicate; with removed ones
    std::vector<std::vector<RuleNumber>> reading_;     // likewise: the rules that mention it in their body
    std::vector<std::vector<PredicateId>> common_needs_;  // by predicate: the others that all rules reading it match
    std::vector<Heads> heads_;                         // by predicate
    std::vector<bool> is_read_by_guarded_;             // by predicate: by a guarded rule
    std::vector<std::uint64_t> met_;                   // by predicate: ops and rows, since the rules last changed
    std::vector<PredicateId> spare_;                   // hidden relations without a rule
    Dependencies dependencies_;
    Trie whole_;
    std::unordered_map<PredicateId, Delta> delta_;
    std::unordered_map<PredicateId, Trie> backward_;
    std::uint32_t slots_ = 0;
};

// Append the predicates that a body reads.
void mark_predicates(const Body& body, std::vector<PredicateId>& predicates);
// Properties of rule variables for walks and plans.
std::vector<std::uint32_t> occurrences(const Rule& rule);
std::vector<bool> needed_variables(const Rule& rule);

}  // namespace hornbook
