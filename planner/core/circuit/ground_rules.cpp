#include "circuit/ground_rules.hpp"

#include <limits>
#include <span>
#include <stdexcept>

namespace hornbook::planner::network {

namespace {

void require(bool holds, const char* otherwise) {
    if (!holds) {
        throw std::invalid_argument(otherwise);
    }
}

void require_rows(const std::vector<std::int32_t>& starts, std::size_t rules, std::size_t conditions) {
    require(starts.size() == rules + 1 && starts.front() == 0 &&
                static_cast<std::size_t>(starts.back()) == conditions,
            "the conditions do not belong to the rules");
    for (std::size_t rule = 0; rule < rules; ++rule) {
        require(starts[rule] <= starts[rule + 1], "the conditions do not belong to the rules");
    }
}

}  // namespace

void GroundRules::check() const {
    const auto known = [this](std::span<const Atom> all) {
        for (const auto atom : all) {
            require(0 <= atom && atom < atoms, "no such atom");
        }
    };
    known(initial);
    known(next);
    known(heads);
    known(positive);
    known(negative);
    known({&terminal, 1});
    require(next.size() <= static_cast<std::size_t>(atoms), "more fluents than atoms");
    for (const auto fluent : initial) {
        require(static_cast<std::size_t>(fluent) < next.size(), "no such fluent");
    }
    require(does.size() == legal.size() && does.size() == goals.size(), "moves and goals are of different roles");
    std::vector<char> given(static_cast<std::size_t>(atoms), 0);
    std::fill_n(given.begin(), next.size(), char{1});
    for (std::size_t role = 0; role < does.size(); ++role) {
        require(does[role].size() == legal[role].size(), "what is done and what is legal are of different moves");
        known(does[role]);
        known(legal[role]);
        for (const auto atom : does[role]) {
            require(!given[static_cast<std::size_t>(atom)], "two inputs have one atom");
            given[static_cast<std::size_t>(atom)] = 1;
        }
        for (const auto& [worth, atom] : goals[role]) {
            require(0 <= worth && worth <= std::numeric_limits<int>::max(), "no such goal");
            known({&atom, 1});
        }
    }
    require_rows(positive_starts, heads.size(), positive.size());
    require_rows(negative_starts, heads.size(), negative.size());
    Atom behind = 0;
    for (const auto& [first, last] : cycles) {
        require(behind <= first && first < last && last <= atoms, "cycles do not ascend");
        behind = last;
    }
    auto cycle = cycles.begin();
    for (std::size_t rule = 0; rule < heads.size(); ++rule) {
        const auto head = heads[rule];
        require(!given[static_cast<std::size_t>(head)], "a rule concludes an input");
        require(rule == 0 || heads[rule - 1] <= head, "rules do not stand in the order of their heads");
        while (cycle != cycles.end() && cycle->second <= head) {
            ++cycle;
        }
        const bool inside = cycle != cycles.end() && cycle->first <= head;
        for (auto place = positive_starts[rule]; place < positive_starts[rule + 1]; ++place) {
            const auto atom = positive[static_cast<std::size_t>(place)];
            require(atom < (inside ? cycle->second : head), "a rule rests on a later atom");
        }
        for (auto place = negative_starts[rule]; place < negative_starts[rule + 1]; ++place) {
            const auto atom = negative[static_cast<std::size_t>(place)];
            require(atom < (inside ? cycle->first : head), "a rule rests on the absence of a later atom");
        }
    }
}

}  // namespace hornbook::planner::network
