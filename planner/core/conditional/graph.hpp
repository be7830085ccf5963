// The visited states of a game, and their successors: the basis of planners for several roles.
//
// One role moves first, and the others reply to it, all together. A state has a row for each move of the
// role, which contains the successor for each joint reply. States are numbered in the order of their
// discovery; 0 is the first state of the game. A state is `waiting` until it is expanded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conditional/watch.hpp"
#include "machine/machine.hpp"
#include "sequential/state_store.hpp"

namespace hornbook::planner {

using Index = StateId;
using Worth = std::int32_t;

constexpr Worth waiting = -3;   // not visited yet
constexpr Worth goes_on = -2;   // it has rows
constexpr Worth no_end = -1;    // over without exactly one goal, or a role cannot move: value 0 for the role

class Graph {
  public:
    // `most_bytes` is the approximate memory limit of the graph.
    Graph(Machine& machine, std::size_t role, State start, std::size_t most_bytes);

    Index size() const { return static_cast<Index>(nodes_.size()); }
    std::size_t expanded() const { return expanded_; }
    std::size_t bytes() const;

    // For a terminal state: its value for the role. Otherwise one of the constants above.
    Worth worth(Index state) const { return nodes_[state].worth; }
    std::size_t moves(Index state) const { return nodes_[state].moves; }

    // The successors of a move of the role, by the index of the joint reply.
    std::span<const Index> row(Index state, std::size_t move) const {
        const auto& node = nodes_[state];
        return {edges_.data() + node.edges + move * node.replies, node.replies};
    }

    State state(Index state) const { return states_.at(state); }

    // Expands a waiting state. Returns false, without any change, if that needs too much memory. Throws the
    // exceptions of the watch: then the state is still waiting, and some of its successors may have been
    // added.
    bool expand(Index state, Watch& watch);

    // The role's moves by number, and the joint replies, each with a move of every other role, in the order
    // of the rows. Queries the machine again. Throws the exceptions of the watch.
    struct Names {
        std::vector<Move> moves;
        std::vector<std::vector<Move>> replies;
    };
    Names names(Index state, Watch& watch);

  private:
    struct Node {
        std::uint64_t edges;
        std::uint32_t moves;
        std::uint32_t replies;
        Worth worth;
    };

    Index add(State state);
    bool read_legal();
    std::size_t replies_of_others() const;
    bool next_reply(std::vector<std::size_t>& places, std::vector<Move>& joint) const;

    Machine& machine_;
    std::size_t role_;
    std::size_t most_bytes_;
    std::size_t expanded_ = 0;
    StateStore states_;
    std::vector<Node> nodes_;
    std::vector<Index> edges_;
    std::vector<std::vector<Move>> legal_;
    std::vector<Word> buffer_;
    std::vector<Index> found_;
};

}  // namespace hornbook::planner
