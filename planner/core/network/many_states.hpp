// Answers about lists of states, evaluated in lanes.
#pragma once

#include <memory>
#include <vector>

#include "machine/machine.hpp"
#include "network/lane_net.hpp"

namespace hornbook::planner::network {

using States = std::vector<std::vector<Word>>;

// The answers about a state, as those of a Machine.
struct Look {
    bool terminal = false;
    std::vector<std::vector<Move>> legal;  // for each role
    std::vector<int> goals;                // for each role
};

// Throw std::invalid_argument if words are no state, moves no joint move, or the numbers of states and of joint moves
// differ.
std::vector<Look> look_all(const std::shared_ptr<const LaneNet>& net, const States& states);
States next_all(const std::shared_ptr<const LaneNet>& net, const States& states,
                const std::vector<std::vector<Move>>& joints);

}  // namespace hornbook::planner::network
