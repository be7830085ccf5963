#include "circuit/circuit.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace hornbook::planner::network {

namespace {

constexpr std::size_t most_literals = std::size_t{1} << 31U;

std::uint64_t hash_of(std::span<const Literal> literals) {
    std::uint64_t hash = literals.size();
    for (const auto literal : literals) {
        hash = (hash ^ literal) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29U;
    }
    return hash;
}

void sort_out(std::vector<Literal>& literals) {
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
}

}  // namespace

Circuit::Circuit(std::function<void()> on_pause) : on_pause_(std::move(on_pause)), starts_{0} { add(Kind::constant, {}); }

Node Circuit::add(Kind kind, std::span<const Literal> literals) {
    if (literals_.size() + literals.size() > most_literals || kinds_.size() > most_literals / 2) {
        throw std::length_error("a network of more than two thousand million connections");
    }
    kinds_.push_back(kind);
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    starts_.push_back(literals_.size());
    return static_cast<Node>(kinds_.size() - 1);
}

Literal Circuit::input() { return 2 * add(Kind::input, {}); }

std::vector<Literal> Circuit::inputs_with_one_true(std::size_t many) {
    std::vector<Literal> found;
    const auto first = static_cast<Node>(nodes());
    for (std::size_t made = 0; made < many; ++made) {
        found.push_back(input());
    }
    with_one_true_.emplace_back(first, static_cast<Node>(nodes()));
    return found;
}

Node Circuit::open_cycle(std::uint32_t atoms) {
    const auto first = static_cast<Node>(nodes());
    for (std::uint32_t atom = 0; atom < atoms; ++atom) {
        add(Kind::of_cycle, {});
    }
    return first;
}

Literal Circuit::all_of(std::vector<Literal> literals) {
    if (++calls_ % calls_between_pauses == 0) {
        on_pause_();
    }
    sort_out(literals);
    complement(literals);
    if (!literals.empty() && literals.front() == always_true) {
        literals.erase(literals.begin());
    }
    for (std::size_t place = 0; place < literals.size(); ++place) {
        if (literals[place] == always_false ||
            (place > 0 && literals[place] == negation(literals[place - 1]))) {
            return always_false;
        }
    }
    if (literals.empty()) {
        return always_true;
    }
    if (literals.size() == 1) {
        return literals.front();
    }
    const auto hash = hash_of(literals);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto place = begin; place != end; ++place) {
        if (std::ranges::equal(this->literals(place->second), literals)) {
            return 2 * place->second;
        }
    }
    const auto gate = add(Kind::gate, literals);
    known_.emplace(hash, gate);
    return 2 * gate;
}

void Circuit::complement(std::vector<Literal>& literals) {
    for (const auto& [first, last] : with_one_true_) {
        const auto begin = std::ranges::lower_bound(literals, 2 * first);
        const auto end = std::ranges::lower_bound(begin, literals.end(), 2 * last);
        const auto false_ones = std::count_if(begin, end, is_negated);
        if (2 * static_cast<std::size_t>(false_ones) <= last - first) {
            continue;
        }
        std::vector<Literal> others;
        for (auto input = first; input < last; ++input) {
            if (!std::binary_search(begin, end, negation(2 * input))) {
                others.push_back(negation(2 * input));
            }
        }
        literals.erase(std::remove_if(begin, end, is_negated), end);
        literals.push_back(negation(all_of(std::move(others))));
        sort_out(literals);
    }
}

std::span<const Literal> Circuit::parts(const Literal& literal) const {
    const auto node = node_of(literal);
    return is_negated(literal) || kinds_[node] != Kind::gate ? std::span(&literal, 1) : literals(node);
}

Literal Circuit::any_of(std::vector<Literal> alternatives) {
    while (true) {
        sort_out(alternatives);
        std::erase(alternatives, always_false);
        if (alternatives.size() < 2) {
            break;
        }
        auto common = common_parts(alternatives);
        if (!common.empty()) {
            // Conditions that all alternatives need are tested once.
            common.push_back(any_of(without(alternatives, common)));
            return all_of(std::move(common));
        }
        const auto before = alternatives.size();
        alternatives = factored(least(alternatives));
        if (alternatives.size() == before) {
            break;
        }
    }
    for (auto& alternative : alternatives) {
        alternative = negation(alternative);
    }
    return negation(all_of(std::move(alternatives)));
}

std::vector<Literal> Circuit::common_parts(std::span<const Literal> alternatives) const {
    const auto first = parts(alternatives.front());
    std::vector<Literal> common(first.begin(), first.end());
    for (const auto& alternative : alternatives) {
        std::vector<Literal> both;
        std::ranges::set_intersection(common, parts(alternative), std::back_inserter(both));
        common = std::move(both);
        if (common.empty()) {
            break;
        }
    }
    return common;
}

std::vector<Literal> Circuit::without(std::span<const Literal> alternatives, std::span<const Literal> known) {
    std::vector<Literal> found;
    for (const auto& alternative : alternatives) {
        std::vector<Literal> rest;
        std::ranges::set_difference(parts(alternative), known, std::back_inserter(rest));
        found.push_back(all_of(std::move(rest)));
    }
    return found;
}

std::vector<Literal> Circuit::least(std::span<const Literal> alternatives) const {
    std::vector<Literal> found;
    for (const auto& alternative : alternatives) {
        const auto needs = parts(alternative);
        const bool adds_nothing = needs.size() > 1 && std::ranges::any_of(needs, [&](Literal literal) {
                                      return std::ranges::binary_search(alternatives, literal);
                                  });
        if (!adds_nothing) {
            found.push_back(alternative);
        }
    }
    return found;
}

std::vector<Literal> Circuit::factored(std::span<const Literal> alternatives) {
    std::unordered_map<Literal, std::uint32_t> uses;
    for (const auto& alternative : alternatives) {
        for (const auto literal : parts(alternative)) {
            ++uses[literal];
        }
    }
    // Group each alternative with others that need the literal which it shares with most.
    std::map<Literal, std::vector<Literal>> groups;
    for (const auto& alternative : alternatives) {
        const auto of_it = parts(alternative);
        const auto shared = *std::ranges::max_element(of_it, {}, [&](Literal literal) { return uses[literal]; });
        groups[shared].push_back(alternative);
    }
    std::vector<Literal> found;
    for (const auto& [shared, group] : groups) {
        found.push_back(any_of(group));
    }
    return found;
}

}  // namespace hornbook::planner::network
