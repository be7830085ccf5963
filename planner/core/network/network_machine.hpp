// A machine that propagates changes through the network of a game's ground rules.
//
// A state has a bit for each fluent, in the necessary number of words; a move is its number in the ground
// rules. The cost of `look` is proportional to the difference from the previously selected state.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machine/machine.hpp"
#include "network/lane_net.hpp"
#include "network/net.hpp"

namespace hornbook::planner {

// The networks of a game: for one state at a time, and for many at once. They do not change, so machines share them.
struct Networks {
    std::shared_ptr<const network::Net> for_one;
    std::shared_ptr<const network::LaneNet> for_many;
};

class NetworkMachine final : public Machine {
  public:
    // Throws std::invalid_argument for invalid rules, std::length_error for too many, and the exceptions of
    // `on_pause`, which is called from time to time during the construction of the network.
    explicit NetworkMachine(const network::GroundRules& rules, std::function<void()> on_pause = [] {});
    explicit NetworkMachine(Networks networks);
    const Networks& networks() const { return networks_; }

    std::size_t roles() const override { return net_->legal.size(); }
    void initial(std::vector<Word>& out) override;
    // Throws std::invalid_argument if the words are no state.
    void look(State state) override;
    bool terminal() override { return is_marked(net_->terminal); }
    std::span<const Move> legal(std::size_t role) override;
    int goal(std::size_t role) override;
    void next(std::span<const Move> joint, std::vector<Word>& out) override;
    std::unique_ptr<Machine> another() const override { return std::make_unique<NetworkMachine>(networks_); }

    // Nodes and connections, as measures of size.
    std::size_t nodes() const { return net_->nodes; }
    std::size_t connections() const { return net_->targets.size(); }

  private:
    // The fixpoint of a cycle: its true atoms, and for each rule the number of unsatisfied conditions.
    struct CycleState {
        std::vector<char> holds;
        std::vector<std::uint32_t> missing;
    };

    bool is_marked(network::Place place) const {
        return (changed_[place / network::word_bits] >> (place % network::word_bits) & 1U) != 0;
    }
    void mark(network::Place place) {
        changed_[place / network::word_bits] ^= Word{1} << (place % network::word_bits);
    }
    // Adds the part of the next state that depends on a role's move.
    void add_next(const network::RoleWords& role, std::size_t move, Word* out);
    void run(const std::vector<network::Segment>& segments);
    void propagate(network::Words words);
    void run_cycle(const network::Segment& segment);
    void conclude(const network::NetCycle& cycle, CycleState& state, std::vector<std::uint32_t>& concluded);

    Networks networks_;
    const network::Net* net_;  // networks_.for_one
    std::vector<std::int32_t> counters_;
    std::vector<Word> changed_;
    std::vector<Word> values_;  // of places that are taken from the queue
    std::vector<CycleState> cycles_;
    std::vector<Move> done_;  // the moves in the network; empty if there are none yet
    std::vector<Move> legal_;
    std::vector<Word> after_;
};

}  // namespace hornbook::planner
