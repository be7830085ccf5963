// A circuit laid out for change propagation.
//
// Every node has a place; places are bits of a long row of words. `changed` marks the places whose value is
// about to change. A gate counts its true literals, from minus their number up to 0, where it is true. So the
// row of marks is a queue in which each node follows those that it depends on, and a node that changes twice
// cancels out. Nodes without dependents, which are answers, are not taken from the queue: there the mark
// itself is the value.
//
// The row has parts. The nodes for `terminal` and `legal` come first. Nodes needed only for `next` or only
// for `goal` are in separate parts, in which marks wait until they are queried.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "circuit/meaning.hpp"
#include "machine/machine.hpp"
#include "network/factors.hpp"

namespace hornbook::planner::network {

using Place = std::uint32_t;

constexpr std::uint32_t word_bits = 64;

// Words from `begin` to before `end`.
struct Words {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

constexpr std::int32_t no_cycle = -1;

// Words whose marks are taken in order; for a cycle, those of its outer conditions.
struct Segment {
    Words words;
    std::int32_t cycle = no_cycle;
};

// Atoms count from `atoms`, the first one's place; rules from `relays`, the place of the first one's outer condition.
struct NetCycle {
    Place atoms = 0;
    Place relays = 0;
    std::vector<CycleRule> rules;
    std::vector<std::vector<std::uint32_t>> used;  // for each atom the rules that have it as a condition
};

// A role's legal moves: `always`, and while `enabled` holds, the same number of words after these.
struct LegalWords {
    Words always;
    Place enabled = 0;
};

// The effects of a move in a word of fluents: those on which it has effects, and of these the ones that it makes true
// and the ones that stay as they are.
struct Change {
    std::uint32_t word = 0;
    Word affected = 0;
    Word made_true = 0;
    Word kept = 0;
};

// A fluent that is true after a move if a place is.
struct Test {
    std::uint32_t fluent = 0;
    Place place = 0;
};

// The part of the next state that depends on the move of one role: see NextOfRole in factors.hpp. Before the effects
// of the move, the fluents of the words `otherwise` are true, those of `made_true`, and those of `kept` if they were.
struct RoleWords {
    Words otherwise;
    std::vector<Word> made_true;
    std::vector<Word> kept;
    std::vector<Change> changes;
    std::vector<Test> tests;
    std::vector<std::uint32_t> first_change;  // of each move, and their number
    std::vector<std::uint32_t> first_test;
};

struct Net {
    std::vector<std::uint32_t> first;   // by place: the first of its targets, those that count it,
    std::vector<std::uint32_t> middle;  // and the first of those that count its negation
    std::vector<Place> targets;
    std::vector<std::int32_t> counters;  // by place, if all inputs are false and nothing has been propagated
    std::vector<Word> changed;           // the marks in that state
    std::vector<NetCycle> cycles;
    std::vector<Segment> look;    // for terminal and legal, including fluents
    std::vector<Segment> shared;  // for next and goal
    std::vector<Segment> next;    // for next alone, including moves
    std::vector<Segment> goal;    // for goal alone
    std::uint32_t words = 0;
    std::uint32_t nodes = 0;

    // Inputs and answers. Fluents have the places from 0 on.
    std::uint32_t fluents = 0;
    std::vector<std::uint32_t> moves;  // of each role
    std::vector<Place> does;           // of each role's first move
    std::vector<LegalWords> legal;     // of each role
    Place terminal = 0;
    Words next_state;
    std::vector<RoleWords> next_roles;  // of each role
    std::vector<std::vector<std::pair<int, Place>>> goals;
    std::vector<Word> initial;
};

constexpr std::uint32_t words_for(std::size_t bits) {
    return static_cast<std::uint32_t>((bits + word_bits - 1) / word_bits);
}

Net net_of(const Meaning& meaning, const Factors& factors, const std::vector<Atom>& initial);

// Throw std::invalid_argument if words are no state, or moves no joint move, of a game with these numbers of fluents
// and of moves of each role.
void check_state(State state, std::size_t fluents);
void check_joint(std::span<const Move> joint, std::span<const std::uint32_t> moves);

}  // namespace hornbook::planner::network
