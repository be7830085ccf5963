// Random games on a machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "machine/machine.hpp"

namespace hornbook::planner {

// xoshiro256++ (Blackman and Vigna, 2021), seeded by splitmix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) {
        for (auto& word : state_) {
            seed += 0x9E3779B97F4A7C15ULL;
            auto mixed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9ULL;
            mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBULL;
            word = mixed ^ (mixed >> 31U);
        }
    }

    std::uint64_t operator()() {
        const auto result = rotated(state_[0] + state_[3], 23) + state_[0];
        const auto shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotated(state_[3], 45);
        return result;
    }

    // A number below `bound`, which is far below 2^32: the upper half of a product, with a bias below 2^-32
    // times the bound.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((*this)() >> 32U) * bound >> 32U);
    }

  private:
    static std::uint64_t rotated(std::uint64_t word, unsigned by) { return (word << by) | (word >> (64U - by)); }

    std::uint64_t state_[4] = {};
};

// `states` are those visited: for each, the end, every role's moves, and then a random move of each role, or
// the goal values. `stuck` games ended because a role had no move, `cut` ones because they were too long.
struct Playouts {
    std::uint64_t states = 0;
    std::uint64_t games = 0;
    std::uint64_t stuck = 0;
    std::uint64_t cut = 0;
    std::vector<std::uint64_t> worths;  // the sum for each role; a missing goal value counts as 0
};

// Games begin while fewer than `states` states have been visited; those that have begun are played to their ends. So
// the mean of the goal values is not biased towards short games. After `seconds`, games are abandoned.
template <typename Played>
Playouts playouts(Played& machine, std::uint64_t seed, std::uint64_t states, double seconds, std::uint64_t most_plies) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint64_t states_between_looks_at_the_clock = 256;
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    Random random(seed);
    Playouts found;
    const auto roles = machine.roles();
    found.worths.assign(roles, 0);
    std::vector<Word> initial;
    machine.initial(initial);
    std::vector<Word> state = initial;
    std::vector<Word> after;
    std::vector<Move> joint(roles);
    std::uint64_t plies = 0;
    while ((plies > 0 || found.states < states) &&
           (found.states % states_between_looks_at_the_clock != 0 || Clock::now() < until)) {
        machine.look(state);
        ++found.states;
        if (machine.terminal()) {
            for (std::size_t role = 0; role < roles; ++role) {
                found.worths[role] += static_cast<std::uint64_t>(std::max(machine.goal(role), 0));
            }
            ++found.games;
            state = initial;
            plies = 0;
            continue;
        }
        bool stuck = false;
        for (std::size_t role = 0; role < roles; ++role) {
            const auto moves = machine.legal(role);
            stuck = stuck || moves.empty();
            joint[role] = moves.empty() ? 0 : moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        }
        found.stuck += stuck ? 1 : 0;
        found.cut += !stuck && plies == most_plies ? 1 : 0;
        if (stuck || plies == most_plies) {
            ++found.games;
            state = initial;
            plies = 0;
            continue;
        }
        after.clear();
        machine.next(joint, after);
        state.swap(after);
        ++plies;
    }
    return found;
}

}  // namespace hornbook::planner
