// A machine that propagates changes through the network of a game's ground rules.
//
// A state has a bit for each fluent, in the necessary number of words; a move is its number in the ground
// rules. The cost of `look` is proportional to the difference from the previously selected state.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "machine/machine.hpp"
#include "network/net.hpp"

namespace hornbook::planner {

class NetworkMachine final : public Machine {
  public:
    // Throws std::invalid_argument for invalid rules, std::length_error for too many, and the exceptions of
    // `on_pause`, which is called from time to time during the construction of the network.
    explicit NetworkMachine(const network::GroundRules& rules, std::function<void()> on_pause = [] {});
    // Another machine of the same game, which shares only immutable data with the first one.
    explicit NetworkMachine(std::shared_ptr<const network::Net> net);
    const std::shared_ptr<const network::Net>& net() const { return net_; }

    std::size_t roles() const override { return net_->legal.size(); }
    void initial(std::vector<Word>& out) override;
    // Throws std::invalid_argument if the words are no state.
    void look(State state) override;
    bool terminal() override { return is_marked(net_->terminal); }
    std::span<const Move> legal(std::size_t role) override;
    int goal(std::size_t role) override;
    void next(std::span<const Move> joint, std::vector<Word>& out) override;
    std::unique_ptr<Machine> another() const override { return std::make_unique<NetworkMachine>(net_); }

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
    void run(const std::vector<network::Segment>& segments);
    void propagate(network::Words words);
    void run_cycle(const network::Segment& segment);
    void conclude(const network::NetCycle& cycle, CycleState& state, std::vector<std::uint32_t>& concluded);

    std::shared_ptr<const network::Net> net_;
    std::vector<std::int32_t> counters_;
    std::vector<Word> changed_;
    std::vector<Word> values_;  // of places that are taken from the queue
    std::vector<CycleState> cycles_;
    std::vector<Move> done_;  // the moves in the network; empty if there are none yet
    std::vector<Move> legal_;
};

}  // namespace hornbook::planner
