// A state taken apart: what the clock shows, what nothing asks for, and the board, which is all the rest.
//
// The clock's part of a state follows from the number of moves alone, and only the end and the worth of a state may rest
// on it (planner/sequential/clocks.py proves this of a sheet). So boards are searched, with the number of moves as clock.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace hornbook::planner {

// How a machine's words stand for what is true.
enum class Encoding {
    bits,    // each fluent is a bit at a place of its own, and all states have the same length
    numbers  // each word is a fluent's number, and they ascend
};

struct Clock {
    Encoding encoding = Encoding::bits;
    // The words of a state in which all is true that the clock ever shows; likewise of what nothing asks for.
    std::vector<Word> shown, idle;
    // What the clock shows after 0, 1, … moves, as the words of a state. Behind the last it is `again` anew.
    std::vector<std::vector<Word>> phases;
    std::size_t again = 0;
    // For each phase its kind: in phases of one kind the same boards are terminal, and of the same worth. Kinds are
    // numbered from 0; `single` is that of a phase like no other.
    std::vector<int> kinds;
    static constexpr int single = -1;

    // The phase after a number of moves.
    std::size_t phase(std::size_t depth) const {
        return depth < phases.size() ? depth : again + (depth - again) % (phases.size() - again);
    }
};

// Takes states apart, and puts them together.
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

    // The board of a state. Throws logic_error if the clock does not show this phase.
    void board(State state, std::size_t phase, std::vector<Word>& out) const;

    // The state with a board at which the clock shows a phase.
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
    // Of bits, the places of the words that boards have anything in; of numbers, those of the clock, and those asked for by nothing.
    std::vector<std::size_t> kept_;
    std::vector<bool> shown_, idle_;
};

}  // namespace hornbook::planner
