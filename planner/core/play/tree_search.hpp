// Monte Carlo tree search for any game. UCT (Kocsis and Szepesvári 2006) descends the tree by upper confidence
// bounds, plays a random game from the leaf, and counts its goal values along the path. Roles that choose at the
// same time choose independently of each other (decoupled UCT: Finnsson and Björnsson 2008). A role with
// only one legal move has no choice, so games by turns have the usual tree.
//
// With RAVE (Gelly and Silver 2007), in every state a move is also judged by games in which its role made it
// later.
//
// In games of one role, and of two roles whose goal values have the same sum in all ends seen, moves that are proved to be
// no better than another one are no longer considered, and a search ends when its first state is
// decided (MCTS-Solver: Winands, Björnsson and Saito 2008). In other games the bounds are reported, and only a
// move that guarantees the value 100 is preferred.
//
// Several threads descend one tree, each with its own machine. A game in progress counts as worth 0 for its
// moves, so the threads take different paths (virtual loss: Chaslot, Winands and van den Herik 2008).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "machine/machine.hpp"
#include "play/game_tree.hpp"
#include "play/limits.hpp"
#include "play/playouts.hpp"
#include "play/spin_lock.hpp"

namespace hornbook::planner {

// Random games are cut after this number of moves. Then each role gets its goal value in the last state. A
// missing one counts as 0 for a single role, and as an equal share of 100 for several roles.
constexpr std::size_t most_plies_of_a_game = 1000;

// A legal move of the first state: the number of its games, their mean goal value, and bounds of the value that
// it guarantees.
struct RootMove {
    Move move = 0;
    std::uint64_t visits = 0;
    double worth = 0;
    int lower = 0;
    int upper = most_worth;
};

struct TreeResult {
    Move move = -1;    // -1 if the role has no legal move or the game is over
    double worth = 0;  // the mean goal value of the role after the move, or the exact one
    int lower = 0;     // bounds of the value that the role can guarantee
    int upper = most_worth;
    std::uint64_t playouts = 0;
    std::size_t nodes = 0;  // of the whole tree
    std::size_t depth = 0;  // the length of the longest path
    std::vector<std::vector<Move>> line;  // joint moves
    std::vector<RootMove> moves;
};

class TreeSearch {
  public:
    // The machine must not be used while a search runs, unless it can be copied.
    TreeSearch(Machine& machine, bool rave, std::uint64_t seed, std::size_t most_bytes);

    // Searches up to a time, a number of random games, or a signal. One thread with the same seed, calls and numbers of
    // games has the same results. A machine that cannot be copied is searched by one thread.
    // `look_for_signals` is called from time to time in the calling thread; its exceptions end the search. Throws
    // std::runtime_error if a search is running.
    TreeResult run(State state, std::size_t role, double seconds, std::uint64_t playouts, std::size_t threads,
                   const StopSignal* stop, const std::function<void()>& look_for_signals);

  private:
    // The path of a game through the tree, and what is remembered of the game.
    struct Step {
        NodeId node;
        std::size_t first_pick;
    };
    struct Worker {
        Worker(std::unique_ptr<Machine> own_machine, Machine& shared, std::uint64_t seed, std::size_t roles);

        std::unique_ptr<Machine> own;
        Machine& machine;
        Random random;
        std::vector<Step> path;
        std::vector<std::uint32_t> picks;
        std::vector<Word> state;
        std::vector<Word> after;
        std::vector<Move> joint;
        std::vector<int> worths;
        std::vector<std::vector<std::uint64_t>> made;  // by role and move, the last game with it
        std::uint64_t game = 0;
        std::size_t plies = 0;
        bool is_decided = false;  // the path ends in a node with known values
        bool is_ended = false;    // `worths` are those of an end
    };

    void prepare(State state, std::size_t threads);
    void work(Worker& worker, Limits limits, const std::function<void()>& look_for_signals);
    void descend(Worker& worker);
    bool play(Worker& worker, Limits& limits);
    void back_up(Worker& worker);
    void abandon(Worker& worker);
    std::uint32_t select(Worker& worker, NodeId node, const Choice& choice);
    double rating(const TreeEdge& edge, double log_visits) const;
    bool is_decided(NodeId node) const;
    void remember(Worker& worker, std::size_t role, Move move) const;
    bool was_made(const Worker& worker, std::size_t role, Move move) const;
    void note_end(const std::vector<int>& worths);
    TreeResult result(std::size_t role);
    std::uint32_t best_edge(NodeId node, std::size_t place) const;
    bool is_preferred(NodeId node, std::size_t place, std::uint32_t edge) const;
    std::vector<std::vector<Move>> best_line();

    Machine& machine_;
    const std::size_t roles_;
    const bool rave_;
    const std::uint64_t seed_;
    const std::size_t most_bytes_;
    std::unique_ptr<GameTree> tree_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::mutex running_;

    // Of the current search; `tree_lock_` protects these and the tree.
    SpinLock tree_lock_;
    NodeId root_ = 0;
    std::uint64_t most_playouts_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t playouts_ = 0;
    std::size_t depth_ = 0;
    std::vector<double> worths_;  // of each role, in all games of this search
    int sum_of_worths_ = -1;      // of the first end seen
    bool has_constant_sum_;
};

}  // namespace hornbook::planner
