#include "circuit/meaning.hpp"

#include <algorithm>

namespace hornbook::planner::network {

namespace {

class Reader {
  public:
    Reader(const GroundRules& rules, std::function<void()> on_pause)
        : rules_(rules),
          literals_(static_cast<std::size_t>(rules.atoms), always_false),
          found_(std::move(on_pause)) {}

    Meaning read() {
        for (std::size_t fluent = 0; fluent < rules_.next.size(); ++fluent) {
            found_.fluents.push_back(literals_[fluent] = found_.circuit.input());
        }
        for (const auto& moves : rules_.does) {
            const auto& done = found_.does.emplace_back(found_.circuit.inputs_with_one_true(moves.size()));
            for (std::size_t move = 0; move < moves.size(); ++move) {
                literal_of(moves[move]) = done[move];
            }
        }
        auto cycle = rules_.cycles.begin();
        for (std::size_t rule = 0; rule < rules_.heads.size();) {
            const auto head = rules_.heads[rule];
            while (cycle != rules_.cycles.end() && cycle->second <= head) {
                ++cycle;
            }
            if (cycle != rules_.cycles.end() && cycle->first <= head) {
                rule = read_cycle(rule, cycle->first, cycle->second);
            } else {
                rule = read_atom(rule);
            }
        }
        found_.terminal = literal_of(rules_.terminal);
        for (const auto atom : rules_.next) {
            found_.next.push_back(literal_of(atom));
        }
        for (const auto& moves : rules_.legal) {
            auto& legal = found_.legal.emplace_back();
            for (const auto move : moves) {
                legal.push_back(literal_of(move));
            }
        }
        for (const auto& worths : rules_.goals) {
            auto& goals = found_.goals.emplace_back();
            for (const auto& [worth, atom] : worths) {
                goals.emplace_back(worth, literal_of(atom));
            }
        }
        return std::move(found_);
    }

  private:
    Literal& literal_of(Atom atom) { return literals_[static_cast<std::size_t>(atom)]; }

    std::span<const Atom> positive(std::size_t rule) const {
        return {rules_.positive.data() + rules_.positive_starts[rule],
                rules_.positive.data() + rules_.positive_starts[rule + 1]};
    }
    std::span<const Atom> negative(std::size_t rule) const {
        return {rules_.negative.data() + rules_.negative_starts[rule],
                rules_.negative.data() + rules_.negative_starts[rule + 1]};
    }

    // The conditions of a rule except the atoms from `first` to before `last`.
    Literal needed(std::size_t rule, Atom first, Atom last) {
        std::vector<Literal> all;
        for (const auto atom : positive(rule)) {
            if (atom < first || atom >= last) {
                all.push_back(literal_of(atom));
            }
        }
        for (const auto atom : negative(rule)) {
            all.push_back(negation(literal_of(atom)));
        }
        return found_.circuit.all_of(std::move(all));
    }

    // Returns the index of the first rule after those of the atom.
    std::size_t read_atom(std::size_t rule) {
        const auto head = rules_.heads[rule];
        std::vector<Literal> alternatives;
        for (; rule < rules_.heads.size() && rules_.heads[rule] == head; ++rule) {
            alternatives.push_back(needed(rule, 0, 0));
        }
        literal_of(head) = found_.circuit.any_of(std::move(alternatives));
        return rule;
    }

    // Returns the index of the first rule after those of the cycle.
    std::size_t read_cycle(std::size_t rule, Atom first, Atom last) {
        Cycle cycle;
        for (; rule < rules_.heads.size() && rules_.heads[rule] < last; ++rule) {
            const auto outside = needed(rule, first, last);
            if (outside == always_false) {
                continue;
            }
            auto& made = cycle.rules.emplace_back();
            made.head = static_cast<std::uint32_t>(rules_.heads[rule] - first);
            made.outside = outside;
            for (const auto atom : positive(rule)) {
                if (atom >= first && atom < last) {
                    made.inside.push_back(static_cast<std::uint32_t>(atom - first));
                }
            }
            std::ranges::sort(made.inside);
            const auto [from, to] = std::ranges::unique(made.inside);
            made.inside.erase(from, to);
        }
        cycle.atoms = static_cast<std::uint32_t>(last - first);
        cycle.first = found_.circuit.open_cycle(cycle.atoms);
        for (std::uint32_t atom = 0; atom < cycle.atoms; ++atom) {
            literal_of(first + static_cast<Atom>(atom)) = 2 * (cycle.first + atom);
        }
        found_.circuit.close_cycle(std::move(cycle));
        return rule;
    }

    const GroundRules& rules_;
    std::vector<Literal> literals_;  // of atoms
    Meaning found_;
};

}  // namespace

Meaning meaning_of(const GroundRules& rules, std::function<void()> on_pause) {
    return Reader(rules, std::move(on_pause)).read();
}

}  // namespace hornbook::planner::network
