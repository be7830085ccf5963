#include "play/lane_playouts.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

namespace hornbook::planner {

namespace {

using network::lanes;
using network::Row;
using network::row_words;
using network::word_bits;

// Exchanges bit c of word r with bit r of word c: Warren, Hacker's Delight, section 7-3.
void transpose(std::array<Word, word_bits>& words) {
    Word mask = ~Word{0} >> 32U;
    for (std::size_t width = 32; width != 0; width >>= 1U, mask ^= mask << width) {
        for (std::size_t low = 0; low < word_bits; low = ((low | width) + 1) & ~width) {
            const auto both = (words[low] >> width ^ words[low | width]) & mask;
            words[low] ^= both << width;
            words[low | width] ^= both;
        }
    }
}

std::uint64_t count_of(const Row& row) {
    std::uint64_t found = 0;
    for (const auto word : row.words) {
        found += static_cast<std::uint64_t>(std::popcount(word));
    }
    return found;
}

bool is_empty(const Row& row) {
    return std::ranges::all_of(row.words, [](Word word) { return word == 0; });
}

class LaneGames {
  public:
    LaneGames(network::Lanes& states, State initial, std::uint64_t seed, std::uint64_t most_plies)
        : states_(states), net_(states.net()), initial_(initial), random_(seed), most_plies_(most_plies),
          plies_(lanes, 0) {
        found_.worths.assign(net_.legal.size(), 0);
        begin(active_);
    }

    Playouts play(std::uint64_t states, double seconds) {
        using Clock = std::chrono::steady_clock;
        const auto until = Clock::now() + std::chrono::duration<double>(seconds);
        while (!is_empty(active_) && Clock::now() < until) {
            step(states);
        }
        return found_;
    }

  private:
    void step(std::uint64_t states) {
        states_.look();
        found_.states += count_of(active_);
        const auto over = states_.value(net_.terminal);
        Row ended;
        Row stuck;
        Row cut;
        for (std::size_t role = 0; role < net_.legal.size(); ++role) {
            choose(role, stuck);
        }
        for (std::size_t word = 0; word < row_words; ++word) {
            ended.words[word] = over.words[word] & active_.words[word];
            stuck.words[word] &= active_.words[word] & ~over.words[word];
            const auto going_on = active_.words[word] & ~over.words[word] & ~stuck.words[word];
            for (auto left = going_on; left != 0; left &= left - 1) {
                const auto lane = word * word_bits + static_cast<std::size_t>(std::countr_zero(left));
                if (plies_[lane]++ == most_plies_) {
                    cut.words[word] |= left & (~left + 1);
                }
            }
        }
        states_.next();
        if (!is_empty(ended)) {
            add_worths(ended);
        }
        found_.stuck += count_of(stuck);
        found_.cut += count_of(cut);
        for (std::size_t word = 0; word < row_words; ++word) {
            ended.words[word] |= stuck.words[word] | cut.words[word];
        }
        found_.games += count_of(ended);
        after_.resize(net_.next_state.size());
        std::ranges::transform(net_.next_state, after_.begin(), [this](auto fluent) { return states_.value(fluent); });
        for (std::size_t fluent = 0; fluent < after_.size(); ++fluent) {
            states_.fluent(fluent) = after_[fluent];
        }
        if (!is_empty(ended)) {
            begin(ended);
            if (found_.states >= states) {
                for (std::size_t word = 0; word < row_words; ++word) {
                    active_.words[word] &= ~ended.words[word];
                }
            }
        }
    }

    // Put the first state into some lanes.
    void begin(const Row& begun) {
        for (std::size_t fluent = 0; fluent < net_.next_state.size(); ++fluent) {
            const bool holds = (initial_[fluent / word_bits] >> (fluent % word_bits) & 1U) != 0;
            for (std::size_t word = 0; word < row_words; ++word) {
                auto& now = states_.fluent(fluent).words[word];
                now = holds ? now | begun.words[word] : now & ~begun.words[word];
            }
        }
        for (std::size_t word = 0; word < row_words; ++word) {
            for (auto left = begun.words[word]; left != 0; left &= left - 1) {
                plies_[word * word_bits + static_cast<std::size_t>(std::countr_zero(left))] = 0;
            }
        }
    }

    // Set a random legal move of a role in each lane, and add the lanes without a legal move to `stuck`.
    void choose(std::size_t role, Row& stuck) {
        const auto& legal = net_.legal[role];
        const auto blocks = (legal.size() + word_bits - 1) / word_bits;
        for (std::size_t move = 0; move < legal.size(); ++move) {
            states_.done(role, move) = Row{};
        }
        legal_.resize(blocks);
        for (std::size_t word = 0; word < row_words; ++word) {
            for (std::size_t block = 0; block < blocks; ++block) {
                legal_[block].fill(0);
                Word any = 0;
                for (auto move = block * word_bits; move < std::min(legal.size(), (block + 1) * word_bits); ++move) {
                    any |= legal_[block][move % word_bits] = states_.word(legal[move], word);
                }
                if (any != 0) {
                    transpose(legal_[block]);
                }
            }
            for (std::size_t lane = 0; lane < word_bits; ++lane) {
                const auto bit = Word{1} << lane;
                const auto move = chosen(lane);
                if (move < legal.size()) {
                    states_.done(role, move).words[word] |= bit;
                } else {
                    stuck.words[word] |= bit;
                }
            }
        }
    }

    // A random move of a lane, or a number beyond all moves.
    std::size_t chosen(std::size_t lane) {
        std::uint32_t many = 0;
        for (const auto& block : legal_) {
            many += static_cast<std::uint32_t>(std::popcount(block[lane]));
        }
        auto skipped = many == 0 ? 0 : static_cast<int>(random_.below(many));
        for (std::size_t block = 0; block < legal_.size() && many > 0; ++block) {
            auto left = legal_[block][lane];
            const auto here = std::popcount(left);
            if (skipped < here) {
                for (; skipped > 0; --skipped) {
                    left &= left - 1;
                }
                return block * word_bits + static_cast<std::size_t>(std::countr_zero(left));
            }
            skipped -= here;
        }
        return legal_.size() * word_bits;
    }

    // A missing goal value, or one of several, counts as 0.
    void add_worths(const Row& ended) {
        states_.goal();
        for (std::size_t role = 0; role < net_.goals.size(); ++role) {
            Row once;
            Row twice;
            for (const auto& [worth, literal] : net_.goals[role]) {
                const auto has = states_.value(literal);
                for (std::size_t word = 0; word < row_words; ++word) {
                    twice.words[word] |= once.words[word] & has.words[word];
                    once.words[word] |= has.words[word];
                }
            }
            for (const auto& [worth, literal] : net_.goals[role]) {
                auto has = states_.value(literal);
                for (std::size_t word = 0; word < row_words; ++word) {
                    has.words[word] &= ended.words[word] & ~twice.words[word];
                }
                found_.worths[role] += static_cast<std::uint64_t>(worth) * count_of(has);
            }
        }
    }

    network::Lanes& states_;
    const network::LaneNet& net_;
    State initial_;
    Random random_;
    std::uint64_t most_plies_;
    std::vector<std::uint64_t> plies_;
    Row active_{[] {
        Row all;
        all.words.fill(~Word{0});
        return all;
    }()};
    std::vector<std::array<Word, word_bits>> legal_;
    std::vector<Row> after_;
    Playouts found_;
};

}  // namespace

Playouts playouts(network::Lanes& states, State initial, std::uint64_t seed, std::uint64_t most_states, double seconds,
                  std::uint64_t most_plies) {
    return LaneGames(states, initial, seed, most_plies).play(most_states, seconds);
}

}  // namespace hornbook::planner
