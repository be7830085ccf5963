#include "network/lanes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace hornbook::planner::network {

Lanes::Lanes(std::shared_ptr<const LaneNet> net) : net_(std::move(net)), rows_(net_->rows) {
    rows_[0].words.fill(~Word{0});
}

Row Lanes::value(Literal answer) const {
    Row found = rows_[node_of(answer)];
    if (is_negated(answer)) {
        for (auto& word : found.words) {
            word = ~word;
        }
    }
    return found;
}

void Lanes::clear() {
    const auto moves = std::accumulate(net_->moves.begin(), net_->moves.end(), std::size_t{0});
    std::fill_n(rows_.begin() + 1, net_->next_state.size() + moves, Row{});
}

void Lanes::set_state(std::size_t lane, State state) {
    check_state(state, net_->next_state.size());
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (auto left = state[word]; left != 0; left &= left - 1) {
            const auto number = word * word_bits + static_cast<std::size_t>(std::countr_zero(left));
            fluent(number).words[lane / word_bits] |= Word{1} << (lane % word_bits);
        }
    }
}

void Lanes::set_joint(std::size_t lane, std::span<const Move> joint) {
    check_joint(joint, net_->moves);
    for (std::size_t role = 0; role < joint.size(); ++role) {
        done(role, static_cast<std::size_t>(joint[role])).words[lane / word_bits] |= Word{1} << (lane % word_bits);
    }
}

void Lanes::run(const std::vector<LaneNet::Step>& steps) {
    for (const auto& step : steps) {
        if (step.cycle < 0) {
            evaluate(step.gates);
        } else {
            conclude(net_->cycles[static_cast<std::size_t>(step.cycle)]);
        }
    }
}

void Lanes::evaluate(const LaneNet::Gates& gates) {
    const auto* operand = net_->operands.data() + gates.operands;
    auto* const rows = rows_.data();
    for (auto* gate = rows + gates.first; gate != rows + gates.first + gates.many; ++gate) {
        Row all;
        all.words.fill(~Word{0});
        for (std::uint32_t left = gates.positive; left > 0; --left, ++operand) {
            const auto& row = rows[*operand];
            for (std::size_t word = 0; word < row_words; ++word) {
                all.words[word] &= row.words[word];
            }
        }
        for (std::uint32_t left = gates.negated; left > 0; --left, ++operand) {
            const auto& row = rows[*operand];
            for (std::size_t word = 0; word < row_words; ++word) {
                all.words[word] &= ~row.words[word];
            }
        }
        *gate = all;
    }
}

// The least fixpoint, in all lanes at once: rules are applied until nothing is new in any lane.
void Lanes::conclude(const Cycle& cycle) {
    auto* const atoms = rows_.data() + cycle.first;
    std::fill_n(atoms, cycle.atoms, Row{});
    for (Word added = ~Word{0}; added != 0;) {
        added = 0;
        for (const auto& rule : cycle.rules) {
            auto all = value(rule.outside);
            auto& head = atoms[rule.head];
            for (std::size_t word = 0; word < row_words; ++word) {
                auto& found = all.words[word];
                for (const auto atom : rule.inside) {
                    found &= atoms[atom].words[word];
                }
                added |= found & ~head.words[word];
                head.words[word] |= found;
            }
        }
    }
}

}  // namespace hornbook::planner::network
