// Many states of a game at once: the evaluation of a LaneNet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "machine/machine.hpp"
#include "network/lane_net.hpp"
#include "network/net.hpp"

namespace hornbook::planner::network {

constexpr std::size_t row_words = 4;
constexpr std::size_t lanes = row_words * word_bits;

// A bit for each lane.
struct alignas(row_words * sizeof(Word)) Row {
    std::array<Word, row_words> words{};
};

class Lanes {
  public:
    // All fluents and moves are false at first.
    explicit Lanes(std::shared_ptr<const LaneNet> net);

    const LaneNet& net() const { return *net_; }
    // The lanes in which a fluent is true, or in which a role makes a move. Exactly one move of each role is true in
    // each lane.
    Row& fluent(std::size_t number) { return rows_[1 + number]; }
    Row& done(std::size_t role, std::size_t move) { return rows_[net_->does[role] + move]; }
    // The lanes in which an answer holds, after the evaluation of its part.
    Row value(Literal answer) const;
    Word word(Literal answer, std::size_t number) const {
        const auto word = rows_[node_of(answer)].words[number];
        return is_negated(answer) ? ~word : word;
    }

    // Makes all fluents and moves false in all lanes.
    void clear();
    // Put a state, or a joint move, into a lane whose fluents, or moves, are all false. Throw std::invalid_argument.
    void set_state(std::size_t lane, State state);
    void set_joint(std::size_t lane, std::span<const Move> joint);

    // Evaluate the answers for terminal and legal, then for next, then for goal. The first one needs the fluents, the
    // second one also the moves.
    void look() { run(net_->look); }
    void next() { run(net_->next); }
    void goal() { run(net_->goal); }

  private:
    void run(const std::vector<LaneNet::Step>& steps);
    void evaluate(const LaneNet::Gates& gates);
    void conclude(const Cycle& cycle);

    std::shared_ptr<const LaneNet> net_;
    std::vector<Row> rows_;
};

}  // namespace hornbook::planner::network
