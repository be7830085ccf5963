// A circuit of conjunctions: the truth of an atom in a state, as a literal over distinct gates.
//
// A literal is a node or its negation. A gate is true if all its literals are; a disjunction is the negation
// of a gate of negations. A gate's literals refer to older nodes, so the order of nodes is an evaluation
// order. An atom of a cycle is a separate node: a cycle computes all its atoms at once, as the least fixpoint
// of its rules, after the nodes outside of it are known.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hornbook::planner::network {

using Node = std::uint32_t;
using Literal = std::uint32_t;  // twice the node, plus one if it is negated

constexpr Literal always_true = 0;
constexpr Literal always_false = 1;

constexpr Node node_of(Literal literal) { return literal / 2; }
constexpr bool is_negated(Literal literal) { return (literal & 1U) != 0; }
constexpr Literal negation(Literal literal) { return literal ^ 1U; }

enum class Kind : std::uint8_t { constant, input, gate, of_cycle };

// A rule inside a cycle: its head and its conditions in the cycle, counted from the cycle's first node, and
// its other conditions.
struct CycleRule {
    std::uint32_t head = 0;
    std::vector<std::uint32_t> inside;
    Literal outside = always_true;
};

struct Cycle {
    Node first = 0;
    std::uint32_t atoms = 0;
    std::vector<CycleRule> rules;
};

class Circuit {
  public:
    // `on_pause` is called from time to time while gates are made; its exceptions end the construction.
    explicit Circuit(std::function<void()> on_pause = [] {});

    Literal input();
    // Inputs of which exactly one is true, such as the moves of a role.
    std::vector<Literal> inputs_with_one_true(std::size_t many);
    // The conjunction; the disjunction.
    Literal all_of(std::vector<Literal> literals);
    Literal any_of(std::vector<Literal> literals);
    // A node for each atom of a cycle; `close_cycle` sets the cycle's rules.
    Node open_cycle(std::uint32_t atoms);
    void close_cycle(Cycle cycle) { cycles_.push_back(std::move(cycle)); }

    std::size_t nodes() const { return kinds_.size(); }
    Kind kind(Node node) const { return kinds_[node]; }
    std::span<const Literal> literals(Node gate) const {
        return {literals_.data() + starts_[gate], starts_[gate + 1] - starts_[gate]};
    }
    // The literals of a gate that is not negated, ascending, or the given literal.
    std::span<const Literal> parts(const Literal& literal) const;
    const std::vector<Cycle>& cycles() const { return cycles_; }

  private:
    Node add(Kind kind, std::span<const Literal> literals);
    // Replaces negations of most of the inputs of which exactly one is true by the disjunction of the other ones.
    void complement(std::vector<Literal>& literals);
    // For alternatives, ascending: their common literals; the rest of each without the known ones; those that
    // are not implied by another one; and a small set obtained by factoring out shared literals.
    std::vector<Literal> common_parts(std::span<const Literal> alternatives) const;
    std::vector<Literal> without(std::span<const Literal> alternatives, std::span<const Literal> known);
    std::vector<Literal> least(std::span<const Literal> alternatives) const;
    std::vector<Literal> factored(std::span<const Literal> alternatives);

    static constexpr std::uint32_t calls_between_pauses = 4096;

    std::function<void()> on_pause_;
    std::uint32_t calls_ = 0;
    std::vector<Kind> kinds_;
    std::vector<std::size_t> starts_;
    std::vector<Literal> literals_;
    std::unordered_multimap<std::uint64_t, Node> known_;  // gates by a hash of their literals
    std::vector<Cycle> cycles_;
    std::vector<std::pair<Node, Node>> with_one_true_;  // the first input, and the one after the last
};

}  // namespace hornbook::planner::network
