#include "network/meaning.hpp"

#include <algorithm>
#include <map>

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
            auto& done = found_.does.emplace_back();
            for (const auto move : moves) {
                done.push_back(literal_of(move) = found_.circuit.input());
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
        std::vector<Literal> next;
        for (const auto atom : rules_.next) {
            next.push_back(literal_of(atom));
        }
        found_.next = next_where(std::move(next));
        for (const auto& moves : rules_.legal) {
            std::vector<Literal> literals;
            for (const auto move : moves) {
                literals.push_back(literal_of(move));
            }
            found_.legal.push_back(legal_where(std::move(literals)));
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

    // Factors out the conditions that most moves need.
    Legal legal_where(std::vector<Literal> moves) {
        constexpr std::uint32_t enough = 4;
        std::map<Literal, std::uint32_t> uses;
        for (const auto& move : moves) {
            for (const auto literal : found_.circuit.parts(move)) {
                ++uses[literal];
            }
        }
        Legal legal;
        legal.then.assign(moves.size(), always_false);
        const auto most = std::ranges::max_element(uses, {}, [](const auto& used) { return used.second; });
        if (most != uses.end() && most->second >= enough && most->first != always_true && most->first != always_false) {
            legal.enabled = most->first;
            for (std::size_t move = 0; move < moves.size(); ++move) {
                const auto needs = found_.circuit.parts(moves[move]);
                if (std::ranges::binary_search(needs, legal.enabled)) {
                    std::vector<Literal> rest(needs.begin(), needs.end());
                    std::erase(rest, legal.enabled);
                    legal.then[move] = found_.circuit.all_of(std::move(rest));
                    moves[move] = always_false;
                }
            }
        }
        legal.always = std::move(moves);
        return legal;
    }

    // Factors out the parts that need a move on which many fluents depend.
    Next next_where(std::vector<Literal> fluents) {
        constexpr std::size_t enough = 64;
        constexpr std::size_t share = 8;  // so that no row is nearly empty
        auto& circuit = found_.circuit;
        std::vector<std::size_t> uses(circuit.nodes());
        for (Node node = 0; node < circuit.nodes(); ++node) {
            if (circuit.kind(node) == Kind::gate) {
                for (const auto literal : circuit.literals(node)) {
                    uses[node_of(literal)] += is_negated(literal) ? 0 : 1;
                }
            }
        }
        Next next;
        std::map<Literal, std::size_t> rows;
        for (std::size_t role = 0; role < found_.does.size(); ++role) {
            for (std::size_t move = 0; move < found_.does[role].size(); ++move) {
                const auto done = found_.does[role][move];
                if (uses[node_of(done)] >= std::max(enough, fluents.size() / share)) {
                    rows.emplace(done, next.rows.size());
                    next.rows.push_back({role, move, std::vector<Literal>(fluents.size(), always_false)});
                }
            }
        }
        if (!rows.empty()) {
            for (std::size_t fluent = 0; fluent < fluents.size(); ++fluent) {
                fluents[fluent] = without_rows(fluents[fluent], rows, fluent, next.rows);
            }
        }
        next.always = std::move(fluents);
        return next;
    }

    // The part of a literal's alternatives that needs no move with a row; the others are put into the rows.
    Literal without_rows(Literal literal, const std::map<Literal, std::size_t>& row_of, std::size_t fluent,
                         std::vector<Next::Row>& rows) {
        auto& circuit = found_.circuit;
        std::vector<Literal> alternatives{literal};
        if (is_negated(literal) && circuit.kind(node_of(literal)) == Kind::gate) {
            const auto all = circuit.literals(node_of(literal));
            alternatives.assign(all.begin(), all.end());
            std::ranges::transform(alternatives, alternatives.begin(), negation);
        }
        std::vector<Literal> rest;
        std::map<std::size_t, std::vector<Literal>> moved;
        for (const auto& alternative : alternatives) {
            const auto all = circuit.parts(alternative);
            std::vector<Literal> needs(all.begin(), all.end());
            const auto done = std::ranges::find_if(needs, [&](Literal each) { return row_of.contains(each); });
            if (done == needs.end()) {
                rest.push_back(alternative);
            } else {
                const auto row = row_of.at(*done);
                needs.erase(done);
                moved[row].push_back(circuit.all_of(std::move(needs)));
            }
        }
        if (moved.empty()) {
            return literal;
        }
        for (auto& [row, then] : moved) {
            rows[row].then[fluent] = circuit.any_of(std::move(then));
        }
        return circuit.any_of(std::move(rest));
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
