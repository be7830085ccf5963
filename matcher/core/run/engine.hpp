// The compiled engine: what matcher/plain/reference.py specifies, incrementally.
//
// An update makes its changes to the given facts, and then finishes stratum after stratum: first what no longer
// follows is taken away, then what follows now is added, each fact one at a time. When a fact is linked (or is
// about to be unlinked), a trie of all conditions that it can match finds the instances of rules that it takes
// part in, each exactly once: the others among its facts are those that are linked then.
//
// Always true between updates:
// - A fact is linked exactly when it is given or derived. Nothing waits in a queue.
// - Where support is *counted*, it is the number of instances that derive the fact, over all rules.
// - Where it is *checked* (recursive predicates, guarded rules), it is 1; a recursive fact that is not given is
//   derived by an instance whose facts of its own component were all born before it, so proofs never circle.
// - A journal holds what was done since the first mark, or since the update began.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "data/journal.hpp"
#include "data/strata.hpp"
#include "plan/conjunction.hpp"
#include "plan/pushdown.hpp"
#include "report/describe.hpp"

namespace hornbook {

// The estimate of matcher/program/bounds.py; derivations are found on request, and cost nothing before.
constexpr std::uint64_t FACT_BYTES = 200;
constexpr std::uint64_t CELL_BYTES = 8;
// What the derivations of a fact cost when all of them are told: each, and a fact for each of its premises.
constexpr std::uint64_t DERIVATION_BYTES = 200;

// The greatest numbers that things get; smaller ones show what happens beyond them.
struct Capacity {
    Row rows = Relation::MOST_ROWS;
    std::uint32_t derivations = Relation::MOST_DERIVATIONS;
    RuleNumber rules = std::numeric_limits<std::int32_t>::max();
};

struct Bounds {
    std::optional<std::uint64_t> facts;
    std::optional<std::uint64_t> bytes;
    std::optional<double> seconds;
};

// Stops a call when its time is over, or when the caller wants it to stop.
class Clock : public Budget {
public:
    std::function<bool()> is_interrupted;
    void begin(std::optional<double> seconds);
    // What is done from now on is not to be stopped, until the next call begins.
    void end() { is_running_ = false; }

protected:
    void check() override;

private:
    using Time = std::chrono::steady_clock;
    std::optional<Time::time_point> deadline_;
    bool is_running_ = false;
};

// Rows of one predicate, cell by cell.
struct Rows {
    PredicateId predicate = 0;
    std::vector<Cell> cells;
    std::size_t count = 0;
};

struct Update {
    std::vector<Rows> add;
    std::vector<Rows> retract;
    std::vector<Rule> add_rules;
    std::vector<RuleNumber> remove_rules;
};

// What an update did to the facts, as rows of each predicate. Cells are copied only when somebody asks, or when
// the engine is about to change and somebody still holds this.
class Change {
public:
    struct Part {
        PredicateId predicate = 0;
        PredicateId number = 0;  // as users know it
        bool has_all = false;  // every linked row was added; `added` does not list them
        std::size_t added_count = 0;
        std::vector<Row> added, removed;
        std::vector<Cell> added_cells, removed_cells;
        std::uint32_t arity = 0;
    };
    std::vector<Part> parts;
    void copy(const Relations& relations);
    // Then another thread may read it while the engine works.
    [[nodiscard]] bool is_copied() const { return is_copied_.load(std::memory_order_acquire); }

private:
    std::atomic<bool> is_copied_ = false;
};

struct Derivation {
    RuleNumber rule = 0;
    std::vector<Cell> values;
    std::vector<bool> known;
    std::vector<Premise> premises;
};

class Engine {
public:
    Engine(Bounds bounds, Statistics statistics, Capacity capacity = {});

    // All or none.
    void add_predicates(const std::vector<Predicate>& predicates);
    [[nodiscard]] const Relations& relations() const { return relations_; }

    // Predicates are numbered by who uses the engine, and the relations that it keeps for itself are not.
    [[nodiscard]] std::size_t predicates() const { return ids_.size(); }
    [[nodiscard]] PredicateId id_of(std::size_t number) const { return ids_[number]; }
    [[nodiscard]] PredicateId number_of(PredicateId id) const { return numbers_[id]; }

    // Throws a fault, and then nothing has changed. The new rules' numbers are put into `numbers`.
    std::shared_ptr<Change> update(Update&& update, std::vector<RuleNumber>& numbers);

    // The distinct values of the variables in the instances of a body, sorted, row after row.
    Rows query(const Body& body, std::uint32_t variables, const std::vector<Variable>& wanted);

    // One derivation of a fact that rests on what was found before it; none if it is given.
    std::optional<Derivation> derivation(PredicateId predicate, Row row);
    // All derivations of a fact from the facts.
    std::vector<Derivation> derivations(PredicateId predicate, Row row);

    // describe.cpp: the tries as data, of full matching and of changes to these predicates.
    Network network(const std::vector<PredicateId>& predicates);
    // The rows of a predicate now, and how many different cells each of its columns has.
    [[nodiscard]] Statistics::Measure measure(PredicateId predicate) const;

    // profile.cpp: count from now on where the time of updates goes, or no longer. `is_counted` forgets nothing.
    void count(bool is_counted);
    [[nodiscard]] ProfileReport profile_report() const;

    void push();
    void pop();
    [[nodiscard]] std::size_t marks() const { return marks_.size(); }

    [[nodiscard]] std::uint64_t facts() const { return facts_; }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t nodes() const;

    Clock clock;

private:
    struct Guarded {
        std::unique_ptr<Conjunction> candidate;  // for what a trie binds
        std::vector<bool> known;
        std::vector<Early> early;  // the guards that are steps of its plans
    };
    struct Mark {
        std::size_t journal;
        std::uint64_t births;
    };
    using Queue = std::vector<std::pair<PredicateId, Row>>;
    struct Stratum {
        Queue to_add, to_delete, suspects, deleted;
        std::vector<Cell> candidates;  // rule, then a cell for each of its variables, again and again
        std::vector<RuleNumber> whole;  // guarded rules to be read from the beginning
        std::vector<RuleNumber> overflowed;
        bool is_active = false;
    };
    class AddSink;
    class WholeSink;
    class DeleteSink;
    class ProofSink;
    class Blame;

    // answers.cpp
    void add_predicate(const Predicate& predicate);
    void note_promises();

    // rules.cpp
    void add_rules(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers);
    void prepare(RuleNumber number);
    RuleNumber new_number();
    std::optional<Rule> fold(Rule& rule);
    PredicateId add_relation(const Predicate& predicate);
    [[nodiscard]] std::vector<RuleNumber> with_helpers(const std::vector<RuleNumber>& numbers) const;
    void arrange();
    void insert_whole(RuleNumber number, Trie& trie);
    void insert_delta(RuleNumber number, PredicateId predicate, Trie& trie);
    void insert_triggers(RuleNumber number, PredicateId predicate, const Body& body, bool finished, Trie& trie);
    void insert_backward(RuleNumber number, Trie& trie);
    void end_plan(RuleNumber number, Environment& environment, std::vector<bool>& done, Seed seed,
                  std::vector<StepId>& plan, Terminal terminal, Trie& trie);
    Environment environment_of(const Rule& rule) const;
    const Trie& delta(PredicateId predicate);
    const Trie& backward(PredicateId predicate);
    const Conjunction& conjunction(RuleNumber number);
    const Conjunction& proof(RuleNumber number);
    void rebuild_tries();

    // update.cpp
    void change_given(const Update& update);
    void saturate();
    void recompute();
    void delete_phase(std::uint32_t stratum);
    void add_phase(std::uint32_t stratum);
    void review(std::uint32_t stratum);
    bool is_proved(PredicateId predicate, Row row, bool founded);
    template <class Sink>
    bool walk(const Trie& trie, const View& view, Sink& sink);
    template <class Found>
    bool read(RuleNumber number, const Conjunction& body, Profile::Reading reading, Found&& found);
    void read_whole(RuleNumber number);
    void read_candidate(const Cell* candidate);
    void derive(PredicateId predicate, const Cell* cells, std::uint64_t hash);
    void begin_fact(PredicateId predicate, Row row);
    void find_head(const Terminal& terminal, const Cell* slots);
    void append_head(const Terminal& terminal, const Cell* slots);
    void check_promises(std::size_t from);
    void check_bounds() const;
    void begin_changes();
    void note_change(PredicateId predicate, Row row, bool is_linked);
    std::shared_ptr<Change> changes();
    void commit();
    void roll_back(std::size_t size);
    void forget_queues();
    void keep_last_change();

    void remove_rule(RuleNumber number);
    void restore_rule(RuleNumber number);
    void drop_rule(RuleNumber number);
    void discard_rule(RuleNumber number);
    void lose_whole(RuleNumber number);
    void begin_rules(const std::vector<RuleNumber>& numbers, bool has_facts);
    bool take_instance(RuleNumber number, bool is_unknown);
    void lose(PredicateId predicate, const Cell* cells, std::uint64_t hash);
    void suspect_heads(const Terminal& terminal, const Cell* slots);

    void set_support(PredicateId predicate, Row row, std::uint32_t support);
    void set_birth(PredicateId predicate, Row row);
    void link(PredicateId predicate, Row row);
    void unlink(PredicateId predicate, Row row);
    void to_add(PredicateId predicate, Row row);
    void to_delete(PredicateId predicate, Row row);
    void suspect(PredicateId predicate, Row row);
    void flush_heads();
    void store_heads();
    bool has_more(const Queue& queue, std::size_t next);
    void candidate(RuleNumber number, const std::vector<Term>& binding, const Cell* slots);
    void overflowed(const Code& code, std::uint32_t place);
    Stratum& stratum_of(PredicateId predicate);
    void renumber(std::vector<Premise>& premises) const;
    bool derivations(RuleNumber number, PredicateId predicate, Row row, const View& view,
                     std::vector<Derivation>& found, std::uint64_t& bytes, bool only_one);
    [[nodiscard]] View founded_view(PredicateId predicate, Row row) const;

    Relations relations_;
    std::vector<PredicateId> ids_;      // of the predicates that users know
    std::vector<PredicateId> numbers_;  // by predicate: how users know it
    std::vector<PredicateId> spare_;    // hidden relations without a rule
    Statistics given_statistics_;       // by the users' numbers
    Steps steps_;
    Projections projections_;
    Statistics statistics_;
    Planner planner_;
    Bounds bounds_;
    const Capacity capacity_;

    std::vector<std::unique_ptr<Rule>> rules_;  // by number
    std::vector<std::uint8_t> is_removed_;      // by number; a removal may yet be undone
    std::vector<RuleNumber> free_numbers_;
    std::size_t dead_rules_ = 0;
    std::unordered_map<RuleNumber, Guarded> guarded_;
    std::unordered_map<RuleNumber, std::unique_ptr<Conjunction>> conjunctions_;
    std::unordered_map<RuleNumber, std::unique_ptr<Conjunction>> proofs_;  // for a head that is known
    std::vector<std::vector<RuleNumber>> concluding_;  // by predicate; with removed ones
    std::vector<std::vector<RuleNumber>> reading_;     // the same: the rules that mention it in their body
    // Whether no two instances of a predicate's rules have the same head: each says all variables of its body, and
    // where there are several rules, a constant in one column that grows from rule to rule.
    struct Naming {
        bool holds = true;
        std::uint32_t rules = 0;
        std::int32_t column = NOTHING;
        Cell last = 0;
        void take(const Rule& rule);
    };
    std::vector<Naming> namings_;  // by predicate
    std::vector<bool> is_appended_;  // by predicate: its heads are all new while everything is found anew
    struct Promise {
        std::uint32_t key_index = 0;      // on the key of a predicate that has one
        std::uint32_t members_index = 0;  // on the key of the set that a predicate counts
        std::vector<PredicateId> counted_by;
    };
    std::vector<Promise> promises_;  // by predicate
    Dependencies dependencies_;
    Trie whole_;
    struct Delta {
        Trie trie;
        std::size_t planned_for = 0;  // rows
    };
    std::unordered_map<PredicateId, Delta> delta_;
    std::unordered_map<PredicateId, Trie> backward_;

    std::vector<Stratum> strata_;
    Journal journal_;
    std::vector<Mark> marks_;
    std::vector<Row> fresh_from_;  // by predicate: rows from here on were appended by this update
    std::uint64_t births_ = 0;
    std::uint64_t facts_ = 0;
    std::uint64_t estimated_bytes_ = 0;
    std::uint64_t most_facts_ = 0;
    std::uint64_t most_bytes_ = 0;
    bool needs_recompute_ = false;
    // What the update does is noted in the rows' headers under its epoch, so nothing need be cleared.
    static constexpr std::uint8_t ADDED = 1, REMOVED = 2, CANCELLED = 4;
    std::shared_ptr<Change> changing_;
    std::vector<std::int32_t> part_of_;  // by predicate: its part of what changes
    std::uint16_t epoch_ = 0;
    bool has_cancelled_ = false;
    std::weak_ptr<Change> last_change_;

    std::unique_ptr<Profile> profile_;  // kept when counting ends
    bool is_counted_ = false;
    Reader reader_;
    EarlyReader guard_reader_;
    std::vector<Cell> slots_;
    std::vector<Cell> head_;
    // Heads that were found and are to be derived, or to be lost, together: so each is in the cache by its turn.
    struct FoundHead {
        PredicateId predicate;
        std::uint32_t first;
        std::uint64_t hash;
    };
    std::vector<FoundHead> heads_;
    std::vector<Cell> heads_cells_;
    bool heads_are_lost_ = false;
    std::uint32_t most_slots_ = 0;
};

}  // namespace hornbook
