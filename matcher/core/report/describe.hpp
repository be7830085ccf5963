// The network as data for inspection: nodes of tries, and rules that are evaluated separately.
//
// Invariants: The nodes of a trie are ordered by number, so each follows its parent; removed rules do not
// count.
#pragma once

#include <vector>

#include "plan/plans.hpp"

namespace hornbook {

// The name of a trie: of full matching, of changes to a predicate's facts, or of proofs of them.
struct TrieName {
    enum class Kind : std::uint8_t { WHOLE, CHANGE, PROOF };
    Kind kind = Kind::WHOLE;
    PredicateId predicate = 0;
};

struct DescribedNode {
    NodeId node = 0;
    NodeId parent = 0;
    const Step* step = nullptr;  // none at the root
    std::uint32_t rules = 0;     // the number of rules through it
    std::vector<RuleNumber> ends;
    double expected = 1;  // the expected rows at each visit; for a test, the share that passes
    double visits = 1;    // the expected visits in one walk
    std::size_t bytes = 0;
};

struct DescribedTrie {
    TrieName name;
    std::vector<DescribedNode> nodes;
    std::size_t steps = 0;  // of all plans in it, shared or not
};

// A guarded rule for a full evaluation: its slots are its variables.
struct DescribedBody {
    RuleNumber rule = 0;
    std::vector<const Step*> steps;
    std::vector<std::uint32_t> guards;  // indices in its body, in the order of their evaluation
};

struct Network {
    std::vector<DescribedTrie> tries;
    std::vector<DescribedBody> bodies;
};

// The times of the measured updates.
struct ProfileReport {
    struct OfNode {
        TrieName trie;
        NodeId node = 0;
        std::uint64_t visits = 0, rows = 0, found = 0;
        double seconds = 0;
    };
    // The part of a rule: a condition's index in its body, or one of these.
    static constexpr std::int32_t BEGINNING = -1;   // reaching the rule at all
    static constexpr std::int32_t CONCLUSION = -2;  // processing its instances
    struct OfPart {
        RuleNumber rule = 0;
        std::int32_t part = BEGINNING;
        std::uint64_t visits = 0, rows = 0;
        double seconds = 0;
    };
    std::vector<OfNode> nodes;
    std::vector<OfPart> parts;  // by rule, then by part
    double storing = 0;  // entering the conclusions of rules into the relations
    double rest = 0;     // time that belongs to no rule
    double seconds = 0;
};

// The tries of full matching and of changes to these predicates, and the guarded rules.
Network network_of(Plans& plans, Budget& budget, const std::vector<PredicateId>& predicates);
// The current number of rows of a relation, and the number of distinct cells of each of its columns.
Statistics::Measure measure_of(const Relation& relation);
// The counts, assigned to nodes, rules and conditions.
ProfileReport report_of(const Profile& profile, const Plans& plans, const Facts& facts);

}  // namespace hornbook
