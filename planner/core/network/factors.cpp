#include "network/factors.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace hornbook::planner::network {

namespace {

// Factors out the condition that most moves need.
Legal legal_where(Circuit& circuit, std::vector<Literal> moves) {
    constexpr std::uint32_t enough = 4;
    std::map<Literal, std::uint32_t> uses;
    for (const auto& move : moves) {
        for (const auto literal : circuit.parts(move)) {
            ++uses[literal];
        }
    }
    Legal legal;
    legal.then.assign(moves.size(), always_false);
    const auto most = std::ranges::max_element(uses, {}, [](const auto& used) { return used.second; });
    if (most != uses.end() && most->second >= enough && most->first != always_true && most->first != always_false) {
        legal.enabled = most->first;
        for (std::size_t move = 0; move < moves.size(); ++move) {
            const auto needs = circuit.parts(moves[move]);
            if (std::ranges::binary_search(needs, legal.enabled)) {
                std::vector<Literal> rest(needs.begin(), needs.end());
                std::erase(rest, legal.enabled);
                legal.then[move] = circuit.all_of(std::move(rest));
                moves[move] = always_false;
            }
        }
    }
    legal.always = std::move(moves);
    return legal;
}

// A condition by the move of one role: `then` for some moves, and `otherwise` for all others.
struct MoveChoice {
    std::size_t role = 0;
    Literal otherwise = always_false;
    std::map<std::uint32_t, Literal> then;

    Literal after(std::uint32_t move) const {
        const auto found = then.find(move);
        return found == then.end() ? otherwise : found->second;
    }
};

// A disjunction of a condition and choices, at most one for each role.
struct Alternatives {
    Literal always = always_false;
    std::vector<MoveChoice> choices;
};

// Finds the parts of conditions that depend on the move of one role. The role makes exactly one move: so such a
// condition is a choice between conditions without moves, and choices of a role can be negated and combined.
class Splitter {
  public:
    explicit Splitter(Meaning& meaning)
        : circuit_(meaning.circuit), nodes_(static_cast<Node>(circuit_.nodes())), roles_of_(nodes_, no_role),
          depths_(nodes_, 0) {
        for (std::size_t role = 0; role < meaning.does.size(); ++role) {
            for (std::uint32_t move = 0; move < meaning.does[role].size(); ++move) {
                const auto node = node_of(meaning.does[role][move]);
                roles_of_[node] = static_cast<std::uint32_t>(role);
                known_.emplace(node, MoveChoice{role, always_false, {{move, always_true}}});
            }
        }
        find_roles();
    }

    Next split(const std::vector<Literal>& fluents, const std::vector<std::vector<Literal>>& does) {
        Next next;
        for (const auto& moves : does) {
            next.roles.push_back({std::vector<Literal>(fluents.size(), always_false),
                                  std::vector<std::vector<Effect>>(moves.size())});
        }
        for (std::uint32_t fluent = 0; fluent < fluents.size(); ++fluent) {
            auto found = alternatives(fluents[fluent]);
            if (work_ > most_work) {
                found = {fluents[fluent], {}};
            }
            next.always.push_back(found.always);
            for (const auto& choice : found.choices) {
                auto& role = next.roles[choice.role];
                role.otherwise[fluent] = choice.otherwise;
                for (const auto& [move, then] : choice.then) {
                    role.effects[move].push_back({fluent, then});
                }
            }
        }
        return next;
    }

  private:
    static constexpr std::uint32_t no_role = ~std::uint32_t{0};
    static constexpr std::uint32_t several = no_role - 1;
    static constexpr std::uint32_t most_depth = 100;             // for recursion
    static constexpr std::size_t most_work = std::size_t{1} << 22U;  // conditions after moves

    // The role on whose move each node depends.
    void find_roles() {
        auto cycle = circuit_.cycles().begin();
        for (Node node = 0; node < nodes_; ++node) {
            if (circuit_.kind(node) == Kind::gate) {
                for (const auto literal : circuit_.literals(node)) {
                    const auto part = roles_of_[node_of(literal)];
                    if (part != no_role) {
                        depths_[node] = std::max(depths_[node], depths_[node_of(literal)] + 1);
                        roles_of_[node] = roles_of_[node] == no_role || roles_of_[node] == part ? part : several;
                    }
                }
                if (depths_[node] > most_depth) {
                    roles_of_[node] = several;
                }
            } else if (circuit_.kind(node) == Kind::of_cycle) {
                const bool moves = std::ranges::any_of(cycle->rules, [this](const CycleRule& rule) {
                    return roles_of_[node_of(rule.outside)] != no_role;
                });
                std::fill_n(roles_of_.begin() + node, cycle->atoms, moves ? several : no_role);
                node += cycle->atoms - 1;
                ++cycle;
            }
        }
    }

    // Gates that were added since are conditions without moves.
    std::uint32_t role_of(Literal literal) const {
        return node_of(literal) < nodes_ ? roles_of_[node_of(literal)] : no_role;
    }

    Alternatives alternatives(Literal literal) {
        const auto role = role_of(literal);
        if (role == no_role || work_ > most_work) {
            return {literal, {}};
        }
        if (role != several) {
            return {always_false, {choice_of(literal)}};
        }
        const auto node = node_of(literal);
        if (circuit_.kind(node) != Kind::gate || depths_[node] > most_depth) {
            return {literal, {}};
        }
        const auto found = circuit_.literals(node);
        const std::vector<Literal> parts(found.begin(), found.end());
        return is_negated(literal) ? alternatives_of_any(parts) : alternatives_of_all(literal, parts);
    }

    // One of the literals is false.
    Alternatives alternatives_of_any(const std::vector<Literal>& literals) {
        std::vector<Literal> always;
        std::map<std::size_t, std::vector<MoveChoice>> by_role;
        for (const auto literal : literals) {
            auto [rest, choices] = alternatives(negation(literal));
            always.push_back(rest);
            for (auto& choice : choices) {
                by_role[choice.role].push_back(std::move(choice));
            }
        }
        Alternatives all{circuit_.any_of(std::move(always)), {}};
        for (auto& [role, choices] : by_role) {
            for (auto& choice : choices) {
                choice = negated(std::move(choice));
            }
            all.choices.push_back(negated(all_of(choices, {})));
        }
        return all;
    }

    // The conjunction is split only if one of its literals depends on moves.
    Alternatives alternatives_of_all(Literal whole, const std::vector<Literal>& literals) {
        std::vector<Literal> common;
        std::vector<Literal> moved;
        for (const auto literal : literals) {
            (role_of(literal) == no_role ? common : moved).push_back(literal);
        }
        if (moved.size() > 1) {
            return {whole, {}};
        }
        auto all = alternatives(moved.front());
        if (all.choices.empty()) {
            return {whole, {}};
        }
        for (auto& choice : all.choices) {
            choice = all_of(std::span(&choice, 1), common);
        }
        common.push_back(all.always);
        all.always = circuit_.all_of(std::move(common));
        return all;
    }

    // For a literal that depends on the move of one role.
    MoveChoice choice_of(Literal literal) {
        const auto node = node_of(literal);
        auto known = known_.find(node);
        if (known == known_.end()) {
            const auto found = circuit_.literals(node);
            const std::vector<Literal> literals(found.begin(), found.end());
            std::vector<Literal> common;
            std::vector<MoveChoice> choices;
            for (const auto part : literals) {
                if (role_of(part) == no_role) {
                    common.push_back(part);
                } else {
                    choices.push_back(choice_of(part));
                }
            }
            known = known_.emplace(node, all_of(choices, common)).first;
        }
        return is_negated(literal) ? negated(known->second) : known->second;
    }

    static MoveChoice negated(MoveChoice choice) {
        choice.otherwise = negation(choice.otherwise);
        for (auto& [move, then] : choice.then) {
            then = negation(then);
        }
        return choice;
    }

    // The conjunction of choices of a role and of conditions without moves.
    MoveChoice all_of(std::span<const MoveChoice> choices, const std::vector<Literal>& common) {
        MoveChoice all{choices.front().role, always_false, {}};
        const auto together = [&](const auto& of_choice) {
            auto literals = common;
            std::ranges::transform(choices, std::back_inserter(literals), of_choice);
            work_ += literals.size();
            return circuit_.all_of(std::move(literals));
        };
        all.otherwise = together([](const MoveChoice& choice) { return choice.otherwise; });
        for (const auto& choice : choices) {
            for (const auto& effect : choice.then) {
                const auto move = effect.first;
                if (work_ <= most_work && !all.then.contains(move)) {
                    all.then.emplace(move, together([&](const MoveChoice& each) { return each.after(move); }));
                }
            }
        }
        std::erase_if(all.then, [&](const auto& effect) { return effect.second == all.otherwise; });
        return all;
    }

    Circuit& circuit_;
    Node nodes_;  // of the meaning
    std::vector<std::uint32_t> roles_of_;
    std::vector<std::uint32_t> depths_;
    std::unordered_map<Node, MoveChoice> known_;
    std::size_t work_ = 0;
};

}  // namespace

Factors factors_of(Meaning& meaning) {
    Factors factors;
    factors.next = Splitter(meaning).split(meaning.next, meaning.does);
    for (const auto& moves : meaning.legal) {
        factors.legal.push_back(legal_where(meaning.circuit, moves));
    }
    return factors;
}

}  // namespace hornbook::planner::network
