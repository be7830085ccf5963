// From changed facts and rules to all consequences: strata are finished in order. In each of them, facts that
// no longer follow are removed first, then new consequences are added, one fact at a time. When a fact is
// linked (or is about to be unlinked), a trie of all conditions that it can match finds the instances of
// rules that contain it. Each instance is found exactly once: its other facts are those that are linked at
// that time.
//
// Invariants between updates:
// - All queues are empty.
// - *Counted* support is the number of instances that derive the fact, over all rules.
// - *Checked* support (recursive predicates, guarded rules) is 1. A recursive fact that is not given is
//   derived by an
//   instance whose facts of the same component were all born before it, so proofs are never circular.
#pragma once

#include "data/facts.hpp"
#include "data/profile.hpp"
#include "plan/plans.hpp"
#include "run/found.hpp"
#include "run/reader.hpp"

namespace hornbook {

// Rows of one predicate, cell by cell.
struct Rows {
    PredicateId predicate = 0;
    std::vector<Cell> cells;
    std::size_t count = 0;
};

// Of ascending rows: the least and the greatest cell of each column, or of more rows.
struct Extent {
    std::vector<Cell> least, greatest;
};

// Facts that are added or retracted together, with rows of predicates that the engine knows.
using Group = std::vector<Rows>;

class Saturation {
public:
    Saturation(Facts& facts, Plans& plans, Budget& budget, Profiling& profiling, std::uint32_t most_derivations);

    // To be called before each update, and whenever the strata were recomputed.
    void begin();
    void arrange();

    // saturation.cpp
    // Given facts to remove, and to add.
    void retract(const Group& group);
    void give(const Group& group);
    // Remove the instances of a rule that was removed.
    void lose_whole(RuleNumber number);
    // Add the conclusions of new rules from the facts that joins see, including those that are about to be removed.
    void begin_rules(const std::vector<RuleNumber>& numbers, bool has_facts);
    // Derive everything again from the given facts.
    void recompute();
    void saturate();
    // For a complete state (run/states.hpp): the given facts, which joins see at once, and the conclusions of
    // rules from them, by a trie of rules and by guarded rules. `saturate` derives the rest.
    void give_linked(const Rows& rows, std::size_t begin, std::size_t end, const Extent* extent = nullptr);
    void begin_state(const Trie& trie, const std::vector<RuleNumber>& guarded, const std::vector<PredicateId>& heads);
    // Clear all queues.
    void forget();

    // The view for a derivation of a fact from facts that were found before it.
    [[nodiscard]] View founded_view(PredicateId predicate, Row row) const;

private:
    using Queue = std::vector<std::pair<PredicateId, Row>>;
    struct Stratum {
        Queue to_add, to_delete, suspects, deleted;
        std::vector<Cell> candidates;  // entries of a rule and a cell for each of its variables
        std::vector<RuleNumber> whole;  // guarded rules to be evaluated completely
        std::vector<RuleNumber> overflowed;
        bool is_active = false;
    };
    // Heads that are to be derived or lost together, so that each is in the cache when it is processed.
    struct FoundHead {
        PredicateId predicate;
        std::uint32_t first;
        std::uint64_t hash;
    };
    class AddSink;
    class WholeSink;
    class DeleteSink;
    class ProofSink;
    class NotingSink;

    // saturation.cpp
    void delete_phase(std::uint32_t stratum);
    void delete_next(Stratum& stratum);
    void add_phase(std::uint32_t stratum);
    void review(std::uint32_t stratum);
    std::size_t add_run(Stratum& stratum, std::size_t next);
    bool has_more(const Queue& queue, std::size_t next);
    bool is_proved(PredicateId predicate, Row row, bool founded);
    void read_whole(RuleNumber number);
    [[nodiscard]] bool has_facts_for_each(const Body& body) const;
    void read_candidate(const Cell* candidate);
    bool take_instance(RuleNumber number, bool is_unknown);
    void fit_slots();

    // sinks.hpp: walks and evaluations, measured on request
    template <class Sink, class Each>
    auto with_walk(const Trie& trie, const View& view, Sink& sink, Each&& each);
    template <class Sink>
    bool walk(const Trie& trie, const View& view, Sink& sink);
    // The consequences of a fact, while `waiting` facts wait.
    template <class Sink>
    void walk_from(PredicateId predicate, Row row, std::size_t waiting, Sink& sink);
    template <class Sink>
    bool walk_all_for(PredicateId predicate, Row row, Sink& sink);
    template <class Found>
    bool read(RuleNumber number, const Conjunction& body, Profile::Reading reading, Found&& found);

    // support.cpp
    Stratum& stratum_of(PredicateId predicate);
    void to_add(PredicateId predicate, Row row);
    void to_delete(PredicateId predicate, Row row);
    void suspect(PredicateId predicate, Row row);
    void suspect_heads(const Terminal& terminal, const Cell* slots);
    void candidate(RuleNumber number, const std::vector<Term>& binding, const Cell* slots);
    void overflowed(const Code& code, std::uint32_t place);
    void find_head(const Terminal& terminal, const Cell* slots);
    void append_head(const Terminal& terminal, const Cell* slots);
    void take_head(const Terminal& terminal, const Cell* slots, Cell* head) const;
    void append_fact(PredicateId predicate);
    void flush_heads();
    void forget_found();
    void store_heads();
    void derive(PredicateId predicate, const Cell* cells, std::uint64_t hash);
    void begin_fact(PredicateId predicate, Row row);
    void lose(PredicateId predicate, const Cell* cells, std::uint64_t hash);

    Facts& facts_;
    Relations& relations_;
    Plans& plans_;
    Budget& budget_;
    Profiling& profiling_;
    const std::uint32_t most_derivations_;
    std::vector<Stratum> strata_;
    std::vector<bool> is_appended_;  // by predicate: its heads are all new during a complete derivation
    // By predicate, during a complete derivation and for those with checked support: the facts derived until now.
    std::vector<FoundFacts> found_;
    bool is_anew_ = false;  // some of these are active
    Reader reader_;
    EarlyReader guard_reader_;
    std::vector<Cell> slots_;
    std::vector<Cell> head_;
    std::vector<FoundHead> heads_;
    std::vector<Cell> heads_cells_;
    bool heads_are_lost_ = false;
};

}  // namespace hornbook
