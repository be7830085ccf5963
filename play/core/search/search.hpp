// The input, counters and output of every search of a game of two players. Searches are function objects:
// called with a state and a budget they return a `Found`; they share nothing but that form.
//
// An expansion lists the moves of a state; an evaluation queries the game for a state's value, for any
// purpose. All searches count both in the same way, so that none hides its effort. Values are for the player
// to move, as evaluations.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "play/core/game.hpp"

namespace play {

template <class G>
concept GameOfTwo = Game<G> && G::players == 2;

// The limits of a search: it stops at the first one reached.
struct Budget {
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  // expansions and evaluations together
    double seconds = std::numeric_limits<double>::infinity();         // processor seconds
    int depth = 1000;                                                 // moves
    // The part of `nodes` and `seconds` for this decision, if they are also for all later ones. Searches that
    // weigh the cost of thinking use it.
    double share = 1;
    const std::atomic<bool>* stop = nullptr;  // whether another thread ends the search
    bool trace = false;  // whether the steps are recorded

    // The budget for this decision alone.
    Budget own() const {
        Budget found = *this;
        if (share < 1) {
            if (nodes != std::numeric_limits<std::uint64_t>::max()) {
                found.nodes = static_cast<std::uint64_t>(static_cast<double>(nodes) * share) + 1;
            }
            found.seconds *= share;
            found.share = 1;
        }
        return found;
    }

    bool is_bounded() const {
        return stop != nullptr || nodes != std::numeric_limits<std::uint64_t>::max() || seconds != std::numeric_limits<double>::infinity();
    }
};

struct Spent {
    std::uint64_t expansions = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t asked = 0;  // states for which external knowledge was queried
    double seconds = 0;

    std::uint64_t nodes() const { return expansions + evaluations; }
};

// The reason why a search stopped.
enum class Why { OVER, FORCED, KNOWN, SOLVED, LINE_ENDS, WORTH, DEPTH, NODES, SECONDS, STOPPED };

inline const char* text(Why why) {
    switch (why) {
        case Why::OVER: return "the game is over";
        case Why::FORCED: return "nothing to choose";
        case Why::KNOWN: return "proved";
        case Why::WORTH: return "nothing is worth its cost";
        case Why::SOLVED: return "solved";
        case Why::LINE_ENDS: return "the expected line ends the game";
        case Why::DEPTH: return "depth";
        case Why::NODES: return "nodes";
        case Why::SECONDS: return "seconds";
        case Why::STOPPED: return "stopped";
    }
    throw std::logic_error("no reason to stop");
}

// One step of a search: an expansion of a stored tree, or a further depth.
template <GameOfTwo G>
struct Step {
    std::uint64_t nodes = 0;             // spent in it
    std::vector<typename G::Move> line;  // to the expanded state; or the principal variation at this depth
    int value = 0;                       // of the root, afterwards
    double gain = 0;                     // the expected gain, and
    double price = 0;                    // the price that it was compared with, if a search weighs its steps
};

template <GameOfTwo G>
struct Found {
    std::optional<typename G::Move> move;  // none if the game is over, or if nothing was decided within the budget
    int value = 0;
    Spent spent;
    int depth = 0;  // of the whole search; the depth of the longest line if lines differ
    Why why = Why::DEPTH;
    std::vector<typename G::Move> line;  // the principal variation, beginning with this move
    std::vector<Step<G>> steps;          // if they are recorded
};

template <GameOfTwo G>
using Search = std::function<Found<G>(const typename G::State&, const Budget&)>;

// A line of play that a search expects, with its value for the player to move.
template <GameOfTwo G>
struct Line {
    int value = 0;
    std::vector<typename G::Move> moves;
};

// An analysis of a state: the first moves to consider, the number of lines, and a callback for each completed depth.
template <GameOfTwo G>
struct Analysis {
    using Report = std::function<void(int depth, std::uint64_t nodes, const std::vector<Line<G>>& lines)>;

    std::vector<typename G::Move> only;  // the first moves to consider; empty for all
    std::size_t lines = 1;               // the number of best first moves, each with its line
    Report report;                       // called after each completed depth, with the best line first

    bool considers(typename G::Move move) const { return only.empty() || std::find(only.begin(), only.end(), move) != only.end(); }
};

inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Counts, and tests whether the budget is spent.
class Meter {
public:
    // The clock is read only once in `rarely` tests, because reading takes as long as some nodes.
    explicit Meter(const Budget& budget, std::uint64_t rarely = 64) : budget_(budget), rarely_(rarely), began_(processor_seconds()) {}

    void expand() { ++spent_.expansions; }
    void evaluate(std::uint64_t times = 1) { spent_.evaluations += times; }
    void ask() { ++spent_.asked; }

    // Once spent, it stays spent.
    bool is_spent() {
        if (!is_spent_) {
            if (spent_.nodes() >= budget_.nodes) {
                is_spent_ = true;
                why_ = Why::NODES;
            } else if (budget_.stop != nullptr && budget_.stop->load(std::memory_order_relaxed)) {
                is_spent_ = true;
                why_ = Why::STOPPED;
            } else if (timed_ && ++asked_ % rarely_ == 0 && processor_seconds() - began_ >= budget_.seconds) {
                is_spent_ = true;
                why_ = Why::SECONDS;
            }
        }
        return is_spent_;
    }
    Why why() const { return why_; }
    const Budget& budget() const { return budget_; }
    std::uint64_t nodes() const { return spent_.nodes(); }
    double seconds() const { return processor_seconds() - began_; }
    // The spent part of this decision's share.
    double spent_part() const {
        const double part = static_cast<double>(nodes()) / (static_cast<double>(budget_.nodes) * budget_.share);
        return timed_ ? std::max(part, seconds() / (budget_.seconds * budget_.share)) : part;
    }

    Spent spent() const {
        Spent found = spent_;
        found.seconds = seconds();
        return found;
    }

private:
    Budget budget_;
    std::uint64_t rarely_;
    double began_;
    Spent spent_;
    std::uint64_t asked_ = 0;
    bool timed_ = budget_.seconds != std::numeric_limits<double>::infinity();
    bool is_spent_ = false;
    Why why_ = Why::DEPTH;
};

// A window wider than any value; its bounds can be negated.
template <GameOfTwo G>
constexpr int WORST = -1 - (G::greatest > -G::least ? G::greatest : -G::least);

}  // namespace play
