// A game as every planner sees it: states, moves by number, what is legal, what comes next, the end and its worth.
//
// A state is a sequence of words. Two states are the same if and only if their words are: a machine makes the
// sequence canonical. Sequences of one machine may differ in length. A move is a number within its role's list of moves,
// which a machine may lengthen while it works, and never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hornbook::planner {

using Word = std::uint64_t;
using State = std::span<const Word>;
using Move = std::int32_t;

// What a role's goal is where a state has none, or several.
constexpr int no_worth = -1;

class Machine {
  public:
    Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    virtual std::size_t roles() const = 0;

    // Appends the state at which the game begins.
    virtual void initial(std::vector<Word>& out) = 0;

    // Looks at a state: all that follows is about it, until the next call. The words need not outlive this call.
    virtual void look(State state) = 0;

    virtual bool terminal() = 0;

    // A role's legal moves, ascending; valid until the next call of a function that is not const.
    virtual std::span<const Move> legal(std::size_t role) = 0;

    // What the state is worth to a role, from 0 on, or no_worth.
    virtual int goal(std::size_t role) = 0;

    // Appends the state after a joint move, one legal move for each role. The machine goes on looking at the state before.
    virtual void next(std::span<const Move> joint, std::vector<Word>& out) = 0;
};

}  // namespace hornbook::planner
