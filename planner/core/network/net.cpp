#include "network/net.hpp"

#include <algorithm>
#include <stdexcept>

namespace hornbook::planner::network {

namespace {

constexpr std::uint8_t for_look = 1;
constexpr std::uint8_t for_next = 2;
constexpr std::uint8_t for_goal = 4;
constexpr Place nowhere = ~Place{0};

class Layout {
  public:
    Layout(const Meaning& meaning, const Factors& factors)
        : meaning_(meaning), factors_(factors), circuit_(meaning.circuit) {}

    Net lay_out(const std::vector<Atom>& initial) {
        find_needs();
        find_stages();
        net_.fluents = static_cast<std::uint32_t>(meaning_.fluents.size());
        places_.assign(circuit_.nodes(), nowhere);
        place_inputs(meaning_.fluents);
        align();
        net_.look.push_back({{0, word()}});
        place_part(for_look, net_.look);
        place_part(for_next | for_goal, net_.shared);
        const auto done = word();
        for (const auto& moves : meaning_.does) {
            net_.moves.push_back(static_cast<std::uint32_t>(moves.size()));
            net_.does.push_back(end_);
            place_inputs(moves);
        }
        align();
        net_.next.push_back({{done, word()}});
        place_part(for_next, net_.next);
        place_part(for_goal, net_.goal);
        place_answers();
        net_.words = word();
        connect();
        net_.initial.assign(words_for(net_.fluents), 0);
        for (const auto fluent : initial) {
            net_.initial[static_cast<std::size_t>(fluent) / word_bits] |=
                Word{1} << (static_cast<std::size_t>(fluent) % word_bits);
        }
        return std::move(net_);
    }

  private:
    // A place with the value of the literal.
    struct Sink {
        Literal literal;
        Place place;
    };

    std::uint32_t word() const { return end_ / word_bits; }
    void align() { end_ = words_for(end_) * word_bits; }

    void take(Place many) {
        if (nowhere - end_ <= many + word_bits) {
            throw std::length_error("a network of more than four thousand million nodes");
        }
        end_ += many;
        net_.nodes += many;
    }

    // The uses of each node, and their number.

    void need(Literal literal, std::uint8_t what) {
        needs_[node_of(literal)] |= what;
        ++uses_[node_of(literal)];
    }

    void need_answer(Literal literal, std::uint8_t what) {
        need(literal, what);
        is_told_[node_of(literal)] = 1;
    }

    void find_needs() {
        needs_.assign(circuit_.nodes(), 0);
        uses_.assign(circuit_.nodes(), 0);
        is_told_.assign(circuit_.nodes(), 0);
        need_answer(meaning_.terminal, for_look);
        for (const auto& [always, then, enabled] : factors_.legal) {
            for (const auto literal : always) {
                need_answer(literal, for_look);
            }
            for (const auto literal : then) {
                need_answer(literal, for_look);
            }
            need_answer(enabled, for_look);
        }
        for (const auto literal : factors_.next.always) {
            need_answer(literal, for_next);
        }
        for (const auto& [otherwise, effects] : factors_.next.roles) {
            for (std::uint32_t fluent = 0; fluent < otherwise.size(); ++fluent) {
                if (is_tested(fluent, otherwise[fluent])) {
                    need_answer(otherwise[fluent], for_next);
                }
            }
            for (const auto& of_move : effects) {
                for (const auto& [fluent, then] : of_move) {
                    if (is_tested(fluent, then)) {
                        need_answer(then, for_next);
                    }
                }
            }
        }
        for (const auto& worths : meaning_.goals) {
            for (const auto& [worth, literal] : worths) {
                need_answer(literal, for_goal);
            }
        }
        auto cycle = circuit_.cycles().rbegin();
        for (auto node = static_cast<Node>(circuit_.nodes()); node-- > 0;) {
            if (circuit_.kind(node) == Kind::of_cycle) {
                if (node > cycle->first) {
                    continue;
                }
                std::uint8_t what = 0;
                for (std::uint32_t atom = 0; atom < cycle->atoms; ++atom) {
                    what |= needs_[node + atom];
                }
                std::fill_n(needs_.begin() + node, cycle->atoms, what);
                if (what != 0) {
                    for (const auto& rule : cycle->rules) {
                        need_answer(rule.outside, what);
                    }
                }
                ++cycle;
            } else if (needs_[node] != 0 && circuit_.kind(node) == Kind::gate) {
                for (const auto literal : circuit_.literals(node)) {
                    need(literal, needs_[node]);
                }
            }
        }
        for (const auto& moves : meaning_.does) {
            for (const auto literal : moves) {
                if ((needs_[node_of(literal)] & ~for_next) != 0) {
                    throw std::invalid_argument("what is legal, the end or a worth rests on what is done");
                }
            }
        }
    }

    // A node's level is above those of all that it depends on; its stage is the number of cycles before it.
    void find_stages() {
        levels_.assign(circuit_.nodes(), 0);
        stages_.assign(circuit_.nodes(), 0);
        auto cycle = circuit_.cycles().begin();
        for (Node node = 0; node < circuit_.nodes(); ++node) {
            if (circuit_.kind(node) == Kind::gate) {
                for (const auto literal : circuit_.literals(node)) {
                    rest_on(node, literal);
                }
            } else if (circuit_.kind(node) == Kind::of_cycle) {
                for (const auto& rule : cycle->rules) {
                    rest_on(node, rule.outside);
                }
                ++stages_[node];
                ++levels_[node];
                std::fill_n(stages_.begin() + node, cycle->atoms, stages_[node]);
                std::fill_n(levels_.begin() + node, cycle->atoms, levels_[node]);
                node += cycle->atoms - 1;
                ++cycle;
            }
        }
    }

    void rest_on(Node node, Literal literal) {
        levels_[node] = std::max(levels_[node], levels_[node_of(literal)] + 1);
        stages_[node] = std::max(stages_[node], stages_[node_of(literal)]);
    }

    // Places

    void place_inputs(const std::vector<Literal>& inputs) {
        for (const auto input : inputs) {
            places_[node_of(input)] = end_;
            take(1);
        }
    }

    // Whether a node with these uses belongs to a part: nodes needed for `look` are there even if others need
    // them too.
    static bool stands_in(std::uint8_t what, std::uint8_t part) {
        return (what & for_look) != 0 ? part == for_look : what == part;
    }

    void place_part(std::uint8_t part, std::vector<Segment>& segments) {
        std::vector<Node> nodes;
        for (Node node = 0; node < circuit_.nodes(); ++node) {
            const auto kind = circuit_.kind(node);
            const bool own = kind == Kind::of_cycle || (kind == Kind::gate && !is_answer(node));
            if (own && stands_in(needs_[node], part)) {
                nodes.push_back(node);
            }
        }
        std::ranges::stable_sort(nodes, {}, [this](Node node) { return std::pair(stages_[node], levels_[node]); });
        std::vector<std::uint32_t> cycles;
        for (std::uint32_t cycle = 0; cycle < circuit_.cycles().size(); ++cycle) {
            const auto& told = circuit_.cycles()[cycle];
            if (told.atoms > 0 && stands_in(needs_[told.first], part)) {
                cycles.push_back(cycle);
            }
        }
        std::ranges::stable_sort(cycles, {}, [this](std::uint32_t cycle) { return stage_of(cycle); });
        // A cycle is evaluated after the nodes of its stage, and before its own atoms, which are in the next one.
        auto cycle = cycles.begin();
        auto node = nodes.begin();
        while (node != nodes.end() || cycle != cycles.end()) {
            const auto begin = word();
            while (node != nodes.end() && (cycle == cycles.end() || stages_[*node] <= stage_of(*cycle))) {
                places_[*node] = end_;
                take(1);
                ++node;
            }
            align();
            if (word() > begin) {
                segments.push_back({{begin, word()}});
            }
            if (cycle != cycles.end()) {
                place_relays(*cycle, segments);
                ++cycle;
            }
        }
    }

    std::uint32_t stage_of(std::uint32_t cycle) const { return stages_[circuit_.cycles()[cycle].first] - 1; }

    void place_relays(std::uint32_t cycle, std::vector<Segment>& segments) {
        const auto begin = word();
        cycles_.push_back({cycle, end_});
        for (const auto& rule : circuit_.cycles()[cycle].rules) {
            place_sink(rule.outside);
        }
        align();
        segments.push_back({{begin, word()}, static_cast<std::int32_t>(cycles_.size() - 1)});
    }

    void place_sink(Literal literal) {
        sinks_.push_back({literal, end_});
        take(1);
    }

    // Whether a node's only use is as an answer, so that it needs no place besides the answer's.
    bool is_answer(Node node) const {
        return uses_[node] == 1 && is_told_[node] != 0 && circuit_.kind(node) == Kind::gate;
    }

    Words place_row(const std::vector<Literal>& literals) {
        const auto begin = word();
        for (const auto literal : literals) {
            place_sink(literal);
        }
        align();
        return {begin, word()};
    }

    // Whether a condition is neither constant nor the fluent itself.
    bool is_tested(std::uint32_t fluent, Literal literal) const {
        return literal != always_true && literal != always_false && literal != meaning_.fluents[fluent];
    }

    void place_next(const NextOfRole& role) {
        RoleWords& words = net_.next_roles.emplace_back();
        words.made_true.assign(words_for(net_.fluents), 0);
        words.kept.assign(words_for(net_.fluents), 0);
        auto otherwise = role.otherwise;
        for (std::uint32_t fluent = 0; fluent < otherwise.size(); ++fluent) {
            auto& literal = otherwise[fluent];
            if (!is_tested(fluent, literal)) {
                const auto bit = Word{1} << (fluent % word_bits);
                words.made_true[fluent / word_bits] |= literal == always_true ? bit : 0;
                words.kept[fluent / word_bits] |= literal == meaning_.fluents[fluent] ? bit : 0;
                literal = always_false;
            }
        }
        words.otherwise = place_row(otherwise);
        for (const auto& effects : role.effects) {
            words.first_change.push_back(static_cast<std::uint32_t>(words.changes.size()));
            words.first_test.push_back(static_cast<std::uint32_t>(words.tests.size()));
            for (const auto& [fluent, then] : effects) {
                const auto bit = Word{1} << (fluent % word_bits);
                const bool is_first = words.changes.size() == words.first_change.back();
                if (is_first || words.changes.back().word != fluent / word_bits) {
                    words.changes.push_back({fluent / word_bits, 0, 0, 0});
                }
                auto& change = words.changes.back();
                change.affected |= bit;
                change.made_true |= then == always_true ? bit : 0;
                change.kept |= then == meaning_.fluents[fluent] ? bit : 0;
                if (is_tested(fluent, then)) {
                    words.tests.push_back({fluent, end_});
                    place_sink(then);
                }
            }
        }
        words.first_change.push_back(static_cast<std::uint32_t>(words.changes.size()));
        words.first_test.push_back(static_cast<std::uint32_t>(words.tests.size()));
        align();
    }

    void place_answers() {
        for (const auto& [always, then, enabled] : factors_.legal) {
            auto& legal = net_.legal.emplace_back();
            legal.always = place_row(always);
            place_row(then);
            legal.enabled = end_;
            place_sink(enabled);
            align();
        }
        net_.next_state = place_row(factors_.next.always);
        for (const auto& role : factors_.next.roles) {
            place_next(role);
        }
        net_.terminal = end_;
        place_sink(meaning_.terminal);
        for (const auto& worths : meaning_.goals) {
            auto& goals = net_.goals.emplace_back();
            for (const auto& [worth, literal] : worths) {
                goals.emplace_back(worth, end_);
                place_sink(literal);
            }
        }
        align();
    }

    // Connections

    void connect() {
        net_.counters.assign(end_, -1);
        net_.changed.assign(net_.words, 0);
        const auto each = [this](auto&& connection) {
            for (Node node = 0; node < circuit_.nodes(); ++node) {
                if (circuit_.kind(node) == Kind::gate && places_[node] != nowhere) {
                    for (const auto literal : circuit_.literals(node)) {
                        connection(literal, places_[node]);
                    }
                }
            }
            for (const auto& [literal, place] : sinks_) {
                if (is_answer(node_of(literal))) {
                    for (const auto inner : circuit_.literals(node_of(literal))) {
                        connection(inner, place);
                    }
                } else if (node_of(literal) != node_of(always_true)) {
                    connection(literal, place);
                }
            }
        };
        // For each place: the number of gates that count it, then the index of the first one; likewise for
        // its negation.
        std::vector<std::uint32_t> counting(end_ + 1, 0);
        std::vector<std::uint32_t> negated(end_ + 1, 0);
        std::size_t many = 0;
        each([&](Literal literal, Place) {
            ++(is_negated(literal) ? negated : counting)[places_[node_of(literal)]];
            ++many;
        });
        if (many >= nowhere) {
            throw std::length_error("a network of more than four thousand million connections");
        }
        net_.first.resize(end_ + 1);
        net_.middle.resize(end_);
        std::uint32_t behind = 0;
        for (Place place = 0; place < end_; ++place) {
            net_.first[place] = behind;
            net_.middle[place] = behind + counting[place];
            behind += counting[place] + negated[place];
            counting[place] = net_.first[place];
            negated[place] = net_.middle[place];
        }
        net_.first[end_] = behind;
        net_.targets.resize(behind);
        std::vector<std::int32_t> literals(end_, 0);
        std::vector<std::int32_t> true_first(end_, 0);
        each([&](Literal literal, Place place) {
            net_.targets[(is_negated(literal) ? negated : counting)[places_[node_of(literal)]]++] = place;
            ++literals[place];
            true_first[place] += is_negated(literal) ? 1 : 0;
        });
        for (Place place = 0; place < end_; ++place) {
            if (literals[place] > 0) {
                net_.counters[place] = true_first[place] - literals[place];
                if (net_.counters[place] == 0) {
                    mark(place);
                }
            }
        }
        for (const auto& [literal, place] : sinks_) {
            if (literal == always_true || (is_answer(node_of(literal)) && is_negated(literal))) {
                mark(place);
            }
        }
        for (const auto& [number, relays] : cycles_) {
            const auto& told = circuit_.cycles()[number];
            NetCycle cycle{places_[told.first], relays, told.rules, {}};
            cycle.used.resize(told.atoms);
            for (std::uint32_t rule = 0; rule < told.rules.size(); ++rule) {
                for (const auto atom : told.rules[rule].inside) {
                    cycle.used[atom].push_back(rule);
                }
            }
            net_.cycles.push_back(std::move(cycle));
        }
    }

    void mark(Place place) { net_.changed[place / word_bits] ^= Word{1} << (place % word_bits); }

    const Meaning& meaning_;
    const Factors& factors_;
    const Circuit& circuit_;
    Net net_;
    std::vector<std::uint8_t> needs_;
    std::vector<std::uint32_t> uses_;
    std::vector<char> is_told_;
    std::vector<std::uint32_t> levels_;
    std::vector<std::uint32_t> stages_;
    std::vector<Place> places_;  // by node
    std::vector<Sink> sinks_;
    std::vector<std::pair<std::uint32_t, Place>> cycles_;  // the circuit's number, and the first relay
    Place end_ = 0;
};

}  // namespace

Net net_of(const Meaning& meaning, const Factors& factors, const std::vector<Atom>& initial) {
    return Layout(meaning, factors).lay_out(initial);
}

void check_state(State state, std::size_t fluents) {
    if (state.size() != words_for(fluents) ||
        (fluents % word_bits != 0 && state.back() >> (fluents % word_bits) != 0)) {
        throw std::invalid_argument("these words are no state of this game");
    }
}

void check_joint(std::span<const Move> joint, std::span<const std::uint32_t> moves) {
    if (joint.size() != moves.size()) {
        throw std::invalid_argument("a move for each role is needed");
    }
    for (std::size_t role = 0; role < joint.size(); ++role) {
        if (joint[role] < 0 || static_cast<std::uint32_t>(joint[role]) >= moves[role]) {
            throw std::invalid_argument("no such move");
        }
    }
}

}  // namespace hornbook::planner::network
