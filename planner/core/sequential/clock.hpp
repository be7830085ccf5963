// The decomposition of a state: the clock, the irrelevant fluents, and the board, which is all the rest.
//
// The clock is a function of the number of moves, and only the end and the value of a state may depend on it
// (planner/sequential/dependencies.py proves this for a sheet). So boards are searched, with the number of
// moves as clock.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace hornbook::planner {

// The meaning of a machine's words.
enum class Encoding {
    bits,    // each fluent is a bit at a fixed place, and all states have the same length
    numbers  // each word is a fluent's number, in ascending order
};

struct Clock {
    Encoding encoding = Encoding::bits;
    // The words of the state with all fluents of the clock; likewise for the irrelevant fluents.
    std::vector<Word> shown, idle;
    // The fluents of the clock after 0, 1, … moves, as the words of a state. The last phase is followed by
    // phase `again`.
    std::vector<std::vector<Word>> phases;
    std::size_t again = 0;
    // For each phase its kind: in phases of one kind the same boards are terminal, with the same value. Kinds
    // are numbered from 0; `single` marks a phase that equals no other.
    std::vector<int> kinds;
    static constexpr int single = -1;

    // The phase after a number of moves.
    std::size_t phase(std::size_t depth) const {
        return depth < phases.size() ? depth : again + (depth - again) % (phases.size() - again);
    }
};

// Decomposes states, and recomposes them.
class Splitter {
  public:
    explicit Splitter(const Clock& clock) : clock_(clock) {
        if (clock.encoding == Encoding::numbers) {
            mark(clock.shown, shown_);
            mark(clock.idle, idle_);
            return;
        }
        for (std::size_t word = 0; word < clock.shown.size(); ++word) {
            if (~(clock.shown[word] | clock.idle[word]) != 0) kept_.push_back(word);
        }
    }

    // The board of a state. Throws logic_error if the state's clock differs from this phase.
    void board(State state, std::size_t phase, std::vector<Word>& out) const;

    // The state with a board and the clock of a phase.
    void state(State board, std::size_t phase, std::vector<Word>& out) const;

  private:
    static void mark(std::span<const Word> numbers, std::vector<bool>& marks) {
        for (const Word number : numbers) {
            if (number >= marks.size()) marks.resize(number + 1);
            marks[number] = true;
        }
    }
    static bool has(const std::vector<bool>& marks, Word number) { return number < marks.size() && marks[number]; }

    const Clock& clock_;
    // For bits, the indices of the words with any bits of boards; for numbers, those of the clock, and
    // irrelevant ones.
    std::vector<std::size_t> kept_;
    std::vector<bool> shown_, idle_;
};

}  // namespace hornbook::planner
