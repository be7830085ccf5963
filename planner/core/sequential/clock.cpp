#include "sequential/clock.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace hornbook::planner {

namespace {

// The analysis of a sheet or a machine is wrong: no result of a search would be proved.
[[noreturn]] void wrong_phase() { throw std::logic_error("the clock does not follow from the number of moves"); }

}  // namespace

void Splitter::board(State state, std::size_t phase, std::vector<Word>& out) const {
    const auto& expected = clock_.phases[phase];
    if (clock_.encoding == Encoding::bits) {
        for (std::size_t word = 0; word < state.size(); ++word) {
            if ((state[word] & clock_.shown[word]) != expected[word]) wrong_phase();
        }
        for (const std::size_t word : kept_) out.push_back(state[word] & ~(clock_.shown[word] | clock_.idle[word]));
        return;
    }
    auto due = expected.begin();
    for (const Word number : state) {
        if (has(shown_, number)) {
            if (due == expected.end() || *due != number) wrong_phase();
            ++due;
        } else if (!has(idle_, number)) {
            out.push_back(number);
        }
    }
    if (due != expected.end()) wrong_phase();
}

void Splitter::state(State board, std::size_t phase, std::vector<Word>& out) const {
    const auto& shown = clock_.phases[phase];
    if (clock_.encoding == Encoding::bits) {
        const std::size_t begin = out.size();
        out.insert(out.end(), shown.begin(), shown.end());
        for (std::size_t place = 0; place < kept_.size(); ++place) out[begin + kept_[place]] |= board[place];
    } else {
        std::merge(board.begin(), board.end(), shown.begin(), shown.end(), std::back_inserter(out));
    }
}

}  // namespace hornbook::planner
