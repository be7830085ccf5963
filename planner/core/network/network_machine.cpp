#include "network/network_machine.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

namespace hornbook::planner {

using namespace network;  // its names are many here

namespace {

Networks networks_of(const GroundRules& rules, std::function<void()> on_pause) {
    rules.check();
    auto meaning = meaning_of(rules, std::move(on_pause));
    auto for_many = std::make_shared<const LaneNet>(lane_net_of(meaning));
    const auto factors = factors_of(meaning);
    return {std::make_shared<const Net>(net_of(meaning, factors, rules.initial)), std::move(for_many)};
}

}  // namespace

NetworkMachine::NetworkMachine(const GroundRules& rules, std::function<void()> on_pause)
    : NetworkMachine(networks_of(rules, std::move(on_pause))) {}

NetworkMachine::NetworkMachine(Networks networks)
    : networks_(std::move(networks)), net_(networks_.for_one.get()), counters_(net_->counters), changed_(net_->changed),
      values_(net_->words, 0) {
    for (const auto& cycle : net_->cycles) {
        auto& state = cycles_.emplace_back();
        state.holds.assign(cycle.used.size(), 0);
        for (const auto& rule : cycle.rules) {
            state.missing.push_back(static_cast<std::uint32_t>(rule.inside.size()) + 1);
        }
    }
    look(net_->initial);
}

void NetworkMachine::initial(std::vector<Word>& out) {
    out.insert(out.end(), net_->initial.begin(), net_->initial.end());
}

void NetworkMachine::look(State state) {
    check_state(state, net_->fluents);
    for (std::uint32_t word = 0; word < state.size(); ++word) {
        changed_[word] = values_[word] ^ state[word];
    }
    run(net_->look);
}

std::span<const Move> NetworkMachine::legal(std::size_t role) {
    legal_.clear();
    const auto& [always, enabled] = net_->legal[role];
    const auto [begin, end] = always;
    const auto if_enabled = is_marked(enabled) ? ~Word{0} : 0;
    for (auto word = begin; word < end; ++word) {
        for (auto left = changed_[word] | (changed_[word + end - begin] & if_enabled); left != 0; left &= left - 1) {
            legal_.push_back(static_cast<Move>((word - begin) * word_bits) + std::countr_zero(left));
        }
    }
    return legal_;
}

int NetworkMachine::goal(std::size_t role) {
    run(net_->shared);
    run(net_->goal);
    int found = no_worth;
    for (const auto& [worth, place] : net_->goals[role]) {
        if (is_marked(place)) {
            if (found != no_worth) {
                return no_worth;
            }
            found = worth;
        }
    }
    return found;
}

void NetworkMachine::next(std::span<const Move> joint, std::vector<Word>& out) {
    check_joint(joint, net_->moves);
    for (std::size_t role = 0; role < joint.size(); ++role) {
        if (done_.empty()) {
            mark(net_->does[role] + static_cast<Place>(joint[role]));
        } else if (done_[role] != joint[role]) {
            mark(net_->does[role] + static_cast<Place>(done_[role]));
            mark(net_->does[role] + static_cast<Place>(joint[role]));
        }
    }
    done_.assign(joint.begin(), joint.end());
    run(net_->shared);
    run(net_->next);
    const auto first = out.size();
    out.insert(out.end(), changed_.begin() + net_->next_state.begin, changed_.begin() + net_->next_state.end);
    for (std::size_t role = 0; role < joint.size(); ++role) {
        add_next(net_->next_roles[role], static_cast<std::size_t>(joint[role]), out.data() + first);
    }
}

void NetworkMachine::add_next(const RoleWords& role, std::size_t move, Word* out) {
    const auto words = words_for(net_->fluents);
    after_.resize(words);
    for (std::uint32_t word = 0; word < words; ++word) {
        after_[word] = changed_[role.otherwise.begin + word] | role.made_true[word] | (values_[word] & role.kept[word]);
    }
    for (auto number = role.first_change[move]; number < role.first_change[move + 1]; ++number) {
        const auto& change = role.changes[number];
        auto& word = after_[change.word];
        word = (word & ~change.affected) | change.made_true | (values_[change.word] & change.kept);
    }
    for (auto number = role.first_test[move]; number < role.first_test[move + 1]; ++number) {
        const auto& [fluent, place] = role.tests[number];
        after_[fluent / word_bits] |= static_cast<Word>(is_marked(place)) << (fluent % word_bits);
    }
    for (std::uint32_t word = 0; word < words; ++word) {
        out[word] |= after_[word];
    }
}

void NetworkMachine::run(const std::vector<Segment>& segments) {
    for (const auto& segment : segments) {
        if (segment.cycle == no_cycle) {
            propagate(segment.words);
        } else {
            run_cycle(segment);
        }
    }
}

void NetworkMachine::propagate(Words words) {
    const auto* const first = net_->first.data();
    const auto* const middle = net_->middle.data();
    const auto* const targets = net_->targets.data();
    auto* const counters = counters_.data();
    auto* const changed = changed_.data();
    auto* const values = values_.data();
    // A gate becomes true when its counter reaches 0, and false when it leaves 0.
    const auto count = [=](const Place target) {
        changed[target / word_bits] ^= static_cast<Word>(++counters[target] == 0) << (target % word_bits);
    };
    const auto discount = [=](const Place target) {
        changed[target / word_bits] ^= static_cast<Word>(counters[target]-- == 0) << (target % word_bits);
    };
    for (auto word = words.begin; word < words.end; ++word) {
        // A node may mark others of its own word.
        while (const auto left = changed[word]) {
            const auto lowest = left & (~left + 1);
            changed[word] = left ^ lowest;
            values[word] ^= lowest;
            const auto place = word * word_bits + static_cast<Place>(std::countr_zero(left));
            const auto* target = targets + first[place];
            const auto* const negated = targets + middle[place];
            const auto* const end = targets + first[place + 1];
            if ((values[word] & lowest) != 0) {
                for (; target != negated; ++target) {
                    count(*target);
                }
                for (; target != end; ++target) {
                    discount(*target);
                }
            } else {
                for (; target != negated; ++target) {
                    discount(*target);
                }
                for (; target != end; ++target) {
                    count(*target);
                }
            }
        }
    }
}

void NetworkMachine::run_cycle(const Segment& segment) {
    const auto& cycle = net_->cycles[static_cast<std::size_t>(segment.cycle)];
    auto& state = cycles_[static_cast<std::size_t>(segment.cycle)];
    std::vector<std::uint32_t> concluded;
    bool turned = false;
    bool lost = false;
    for (auto word = segment.words.begin; word < segment.words.end; ++word) {
        auto left = changed_[word];
        changed_[word] = 0;
        values_[word] ^= left;
        turned = turned || left != 0;
        for (; left != 0; left &= left - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
            const auto rule = word * word_bits + bit - cycle.relays;
            if ((values_[word] >> bit & 1U) == 0) {
                lost = lost || state.missing[rule] == 0;
                ++state.missing[rule];
            } else if (--state.missing[rule] == 0) {
                concluded.push_back(cycle.rules[rule].head);
            }
        }
    }
    if (!turned) {
        return;
    }
    if (lost) {
        // A lost conclusion may have supported itself through others: start from the empty set.
        concluded.clear();
        state.holds.assign(state.holds.size(), 0);
        for (std::uint32_t rule = 0; rule < cycle.rules.size(); ++rule) {
            const auto relay = cycle.relays + rule;
            const bool outside = (values_[relay / word_bits] >> (relay % word_bits) & 1U) != 0;
            state.missing[rule] = static_cast<std::uint32_t>(cycle.rules[rule].inside.size()) + (outside ? 0 : 1);
            if (state.missing[rule] == 0) {
                concluded.push_back(cycle.rules[rule].head);
            }
        }
    }
    conclude(cycle, state, concluded);
    for (std::uint32_t atom = 0; atom < state.holds.size(); ++atom) {
        const auto place = cycle.atoms + atom;
        const bool held = (values_[place / word_bits] >> (place % word_bits) & 1U) != 0;
        if (held != (state.holds[atom] != 0)) {
            mark(place);
        }
    }
}

void NetworkMachine::conclude(const NetCycle& cycle, CycleState& state, std::vector<std::uint32_t>& concluded) {
    while (!concluded.empty()) {
        const auto atom = concluded.back();
        concluded.pop_back();
        if (state.holds[atom] != 0) {
            continue;
        }
        state.holds[atom] = 1;
        for (const auto rule : cycle.used[atom]) {
            if (--state.missing[rule] == 0) {
                concluded.push_back(cycle.rules[rule].head);
            }
        }
    }
}

}  // namespace hornbook::planner
