#include "network/many_states.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "network/lanes.hpp"
#include "network/net.hpp"

namespace hornbook::planner::network {

namespace {

// The states of a block, one in each lane.
struct Block {
    Lanes& of;
    std::size_t first;
    std::size_t states;

    // Calls `found` with the number of each state in which an answer holds.
    template <typename Found>
    void each_state(Literal answer, Found found) const {
        for (std::size_t word = 0; word * word_bits < states; ++word) {
            for (auto left = of.word(answer, word); left != 0; left &= left - 1) {
                const auto lane = word * word_bits + static_cast<std::size_t>(std::countr_zero(left));
                if (lane < states) {
                    found(first + lane);
                }
            }
        }
    }
};

template <typename Evaluate>
void in_blocks(const std::shared_ptr<const LaneNet>& net, const States& states, Evaluate evaluate) {
    Lanes of(net);
    for (std::size_t first = 0; first < states.size(); first += lanes) {
        const Block block{of, first, std::min(states.size() - first, lanes)};
        of.clear();
        for (std::size_t lane = 0; lane < block.states; ++lane) {
            of.set_state(lane, states[first + lane]);
        }
        evaluate(block);
    }
}

}  // namespace

std::vector<Look> look_all(const std::shared_ptr<const LaneNet>& net, const States& states) {
    const auto roles = net->legal.size();
    std::vector<Look> looks(states.size(), {false, std::vector<std::vector<Move>>(roles), std::vector<int>(roles)});
    in_blocks(net, states, [&](const Block& block) {
        block.of.look();
        block.of.next();  // goal needs some nodes of this part
        block.of.goal();
        block.each_state(net->terminal, [&](std::size_t state) { looks[state].terminal = true; });
        for (std::size_t role = 0; role < roles; ++role) {
            for (std::size_t move = 0; move < net->legal[role].size(); ++move) {
                block.each_state(net->legal[role][move], [&](std::size_t state) {
                    looks[state].legal[role].push_back(static_cast<Move>(move));
                });
            }
            std::vector<std::uint32_t> many(lanes, 0);
            for (const auto& [worth, literal] : net->goals[role]) {
                block.each_state(literal, [&, value = worth](std::size_t state) {
                    looks[state].goals[role] = many[state - block.first]++ == 0 ? value : no_worth;
                });
            }
            for (std::size_t lane = 0; lane < block.states; ++lane) {
                if (many[lane] == 0) {
                    looks[block.first + lane].goals[role] = no_worth;
                }
            }
        }
    });
    return looks;
}

States next_all(const std::shared_ptr<const LaneNet>& net, const States& states,
                const std::vector<std::vector<Move>>& joints) {
    if (states.size() != joints.size()) {
        throw std::invalid_argument("a joint move for each state is needed");
    }
    States after(states.size(), std::vector<Word>(words_for(net->next_state.size()), 0));
    in_blocks(net, states, [&](const Block& block) {
        for (std::size_t lane = 0; lane < block.states; ++lane) {
            block.of.set_joint(lane, joints[block.first + lane]);
        }
        block.of.look();
        block.of.next();
        for (std::size_t fluent = 0; fluent < net->next_state.size(); ++fluent) {
            block.each_state(net->next_state[fluent], [&](std::size_t state) {
                after[state][fluent / word_bits] |= Word{1} << (fluent % word_bits);
            });
        }
    });
    return after;
}

}  // namespace hornbook::planner::network
