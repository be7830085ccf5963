// A game evaluated from its rules, goal by goal: for sheets whose rules have too many instances to enumerate.
//
// A state has the ascending numbers of its true terms, assigned when terms first become true.
#pragma once

#include <optional>

#include "machine/machine.hpp"
#include "resolution/interned.hpp"
#include "resolution/solver.hpp"

namespace hornbook::planner::resolution {

class ResolutionMachine final : public Machine {
public:
    ResolutionMachine(Program program, Spoken spoken);

    std::size_t roles() const override { return spoken_.roles.size(); }
    void initial(std::vector<Word>& out) override;
    void look(State state) override;
    bool terminal() override;
    std::span<const Move> legal(std::size_t role) override;
    int goal(std::size_t role) override;
    void next(std::span<const Move> joint, std::vector<Word>& out) override;

    // Called from time to time; its exceptions end a long call.
    void on_pause(std::function<void()> call) { solver_.on_pause = std::move(call); }

    // The numbers of inputs: true terms, and moves of a role (the first column is the role).
    Interned& fluents() { return fluents_; }
    Interned& moves(std::size_t role) { return moves_[role]; }

private:
    void find_legal();
    // Calls `take` with each fact of a relation.
    template <class Taker>
    void all(std::uint32_t relation, Taker&& take);
    void append_told(const std::vector<Pair>& pairs, std::vector<Word>& out);

    Solver solver_;
    Spoken spoken_;
    Interned fluents_;
    std::vector<Interned> moves_;
    std::vector<std::uint32_t> true_;  // relations that have facts in the state
    std::vector<Word> state_;
    std::uint64_t looks_ = 0;
    std::optional<std::vector<std::vector<Move>>> legal_;
};

}  // namespace hornbook::planner::resolution
