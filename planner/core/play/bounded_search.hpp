// Minimax with increasing depth, for one role against all others. The role maximises its goal value, and all
// others minimise it together (the paranoid assumption: Sturtevant and Korf 2000). Where several roles choose, the
// role moves first and the others know its move, so the value is what it can guarantee.
//
// The value of a state at the depth limit is the mean of the role's goal value there, 50 if it is missing, and of
// its part of all legal moves in percent, within 1 to 99 (mobility: Clune 2007). The proved bounds of a state depend
// on ends only: an end without exactly one goal value, or a state in which a role has no legal move, is worth 0.
// They stay in the table, so a later search continues from them.
//
// With alpha-beta, only moves that may change the result are searched. States are found again by their words,
// and moves that led to good results elsewhere are tried first (history heuristic: Schaeffer 1989).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "machine/machine.hpp"
#include "play/limits.hpp"
#include "sequential/state_store.hpp"

namespace hornbook::planner {

constexpr std::size_t most_depth = 1000;

struct BoundedResult {
    Move move = -1;  // -1 if the role has no legal move or the game is over
    int worth = 0;   // the value of the last complete depth, or the exact one
    int lower = 0;   // proved bounds of the value that the role can guarantee
    int upper = 100;
    std::size_t depth = 0;  // the last complete depth
    std::uint64_t nodes = 0;
    bool exact = false;                   // whether the bounds are equal
    std::vector<std::vector<Move>> line;  // joint moves
};

class BoundedSearch {
  public:
    // The machine must not be used while a search runs, unless it can be copied.
    BoundedSearch(Machine& machine, bool alpha_beta, std::size_t most_bytes);

    // Searches up to a time, a number of states, a depth in joint moves, or a signal. `look_for_signals` is called from
    // time to time; its exceptions end the search. Throws std::runtime_error if a search is running.
    BoundedResult run(State state, std::size_t role, double seconds, std::uint64_t nodes, std::size_t depth,
                      const StopSignal* stop, const std::function<void()>& look_for_signals);

  private:
    struct Value {
        int value;  // at the depth
        int lower;  // proved
        int upper;
    };
    // What is known of a state. `least` and `most` bound the value at the depth.
    struct Known {
        std::int16_t least = 0;
        std::int16_t most = 100;
        std::int16_t lower = 0;
        std::int16_t upper = 100;
        std::uint16_t depth = 0;
        Move best = -1;  // of the only role that chooses
    };
    // The moves of a state on the path.
    struct Frame {
        std::vector<Word> state;
        std::vector<std::vector<Move>> moves;
        std::vector<std::size_t> places;
        std::vector<Move> joint;
        std::vector<std::vector<Move>> line;
        std::size_t chooser = 0;  // the only role with several moves; the number of roles if there is none or are several
    };
    struct Late {};

    Value search(std::size_t ply, std::size_t depth, int alpha, int beta);
    Value moves_of(std::size_t ply, std::size_t depth, int alpha, int beta, Move& best);
    Value replies_to(std::size_t ply, std::size_t depth, int alpha, int beta);
    Value after(std::size_t ply, std::size_t depth, int alpha, int beta);
    bool read_moves(std::size_t ply, Move first);
    bool next_reply(Frame& frame) const;
    int evaluation();
    Known* known(State state);
    void reward(std::size_t role, Move move, std::size_t depth);
    void begin(State state, std::size_t role);
    void take(const Value& found, std::size_t depth, BoundedResult& result);
    void count_state();

    std::unique_ptr<Machine> own_;
    Machine& machine_;
    const std::size_t roles_;
    const bool alpha_beta_;
    const std::size_t most_bytes_;
    std::mutex running_;
    std::size_t role_;
    StateStore states_;
    std::deque<Known> table_;
    std::vector<std::vector<std::uint32_t>> history_;

    // Of the current search
    std::deque<Frame> frames_;
    Limits* limits_ = nullptr;
    const std::function<void()>* look_for_signals_ = nullptr;
    SearchClock::time_point looked_;
    std::uint64_t nodes_ = 0;
    std::uint64_t most_nodes_ = 0;
    bool cut_ = false;       // whether the depth limit was reached in this iteration
    Move root_move_ = -1;    // the best one of this iteration, once one is complete
    Value root_value_{};
};

}  // namespace hornbook::planner
