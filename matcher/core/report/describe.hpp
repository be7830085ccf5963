// The network as data, for those who want to see it: nodes of tries, and rules that are read by themselves.
//
// Always true: the nodes of a trie stand by number, so each comes after its parent; removed rules do not count.
#pragma once

#include <vector>

#include "plan/plans.hpp"

namespace hornbook {

// Which trie: of full matching, of changes to a predicate's facts, of proofs of them.
struct TrieName {
    enum class Kind : std::uint8_t { WHOLE, CHANGE, PROOF };
    Kind kind = Kind::WHOLE;
    PredicateId predicate = 0;
};

struct DescribedNode {
    NodeId node = 0;
    NodeId parent = 0;
    const Step* step = nullptr;  // none at the root
    std::uint32_t rules = 0;     // how many rules go through it
    std::vector<RuleNumber> ends;
    double expected = 1;  // rows to expect each time it is come to; of a test, the share that passes
    double visits = 1;    // how often to expect to come to it, in one walk
    std::size_t bytes = 0;
};

struct DescribedTrie {
    TrieName name;
    std::vector<DescribedNode> nodes;
    std::size_t steps = 0;  // of all plans in it, shared or not
};

// A guarded rule as it is read from the beginning: its slots are its variables.
struct DescribedBody {
    RuleNumber rule = 0;
    std::vector<const Step*> steps;
    std::vector<std::uint32_t> guards;  // places in its body, in the order in which they are read
};

struct Network {
    std::vector<DescribedTrie> tries;
    std::vector<DescribedBody> bodies;
};

// Where the time of the updates went that were counted.
struct ProfileReport {
    struct OfNode {
        TrieName trie;
        NodeId node = 0;
        std::uint64_t visits = 0, rows = 0, found = 0;
        double seconds = 0;
    };
    // The part of a rule: a condition's place in its body, or one of these.
    static constexpr std::int32_t BEGINNING = -1;   // to come to it at all
    static constexpr std::int32_t CONCLUSION = -2;  // what follows from its instances
    struct OfPart {
        RuleNumber rule = 0;
        std::int32_t part = BEGINNING;
        std::uint64_t visits = 0, rows = 0;
        double seconds = 0;
    };
    std::vector<OfNode> nodes;
    std::vector<OfPart> parts;  // by rule, then by part
    double storing = 0;  // to enter what rules conclude into the relations
    double rest = 0;     // what no rule is to blame for
    double seconds = 0;
};

// The tries of full matching and of changes to these predicates, and the guarded rules.
Network network_of(Plans& plans, Budget& budget, const std::vector<PredicateId>& predicates);
// The rows of a relation now, and how many different cells each of its columns has.
Statistics::Measure measure_of(const Relation& relation);
// What was counted, laid to nodes, rules and conditions.
ProfileReport report_of(const Profile& profile, const Plans& plans, const Facts& facts);

}  // namespace hornbook
