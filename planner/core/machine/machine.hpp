// The interface of a game for every planner: states, moves by number, legal moves, successors, ends and goal
// values.
//
// A state is a sequence of words. Two states are equal if and only if their words are: a machine makes the
// sequence canonical. Sequences of one machine may differ in length. A move is a number within its role's
// list of moves, which a machine may extend while it works, and never changes otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hornbook::planner {

using Word = std::uint64_t;
using State = std::span<const Word>;
using Move = std::int32_t;

// The goal value of a role without a goal, or with several.
constexpr int no_worth = -1;

class Machine {
  public:
    Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    virtual std::size_t roles() const = 0;

    // Appends the first state of the game.
    virtual void initial(std::vector<Word>& out) = 0;

    // Selects a state: all other functions refer to it, until the next call. The words need not outlive this call.
    virtual void look(State state) = 0;

    virtual bool terminal() = 0;

    // A role's legal moves, ascending; valid until the next call of a function that is not const.
    virtual std::span<const Move> legal(std::size_t role) = 0;

    // The goal value of the state for a role, from 0 on, or no_worth.
    virtual int goal(std::size_t role) = 0;

    // Appends the state after a joint move, one legal move for each role. The selected state does not change.
    virtual void next(std::span<const Move> joint, std::vector<Word>& out) = 0;

    // Another machine of the same game with the same words and numbers, which another thread may use. Null if
    // there is none.
    virtual std::unique_ptr<Machine> another() const { return nullptr; }
};

}  // namespace hornbook::planner
