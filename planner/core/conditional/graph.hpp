// The states of a game that were found so far, and what follows each: the part that planners for several roles work on.
//
// One role moves first, and the others reply to it, all together: a state has a row for each move of the role, and in it the
// state that follows each joint reply. States are numbered as they are found; 0 is where the game begins. A state is `waiting`
// until somebody expands it.
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

constexpr Worth waiting = -3;   // nobody has looked at it
constexpr Worth goes_on = -2;   // it has rows
constexpr Worth no_end = -1;    // over without one goal, or nobody can go on: worth nothing to the role

class Graph {
  public:
    // `most_bytes` is about what the graph may take.
    Graph(Machine& machine, std::size_t role, State start, std::size_t most_bytes);

    Index size() const { return static_cast<Index>(nodes_.size()); }
    std::size_t expanded() const { return expanded_; }
    std::size_t bytes() const;

    // Where the game is over: what it is worth to the role. Else one of the constants above.
    Worth worth(Index state) const { return nodes_[state].worth; }
    std::size_t moves(Index state) const { return nodes_[state].moves; }

    // What follows a move of the role, by place of the joint reply.
    std::span<const Index> row(Index state, std::size_t move) const {
        const auto& node = nodes_[state];
        return {edges_.data() + node.edges + move * node.replies, node.replies};
    }

    State state(Index state) const { return states_.at(state); }

    // Looks at a waiting state and finds what follows. False, and nothing is changed, where that needs too much room. Throws
    // what the watch throws: then the state waits as before, and some of what follows may have been found.
    bool expand(Index state, Watch& watch);

    // The role's moves by number, and the joint replies, each a move of every other role, in the order of the rows. Asks the
    // machine again. Throws what the watch throws.
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
