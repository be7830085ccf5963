#include "grounding/numbering.hpp"

#include <algorithm>

namespace hornbook::planner::grounding {

namespace {

// For each atom its distinct rules, in the order of their bodies.
Places different(const GroundRules& rules, std::size_t atoms) {
    Places all(atoms, [&](auto&& note) {
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
            note(rules.head(rule), rule);
        }
    });
    const auto is_before = [&](std::uint32_t one, std::uint32_t other) {
        const auto first = rules.body(one);
        const auto second = rules.body(other);
        return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
    };
    const auto is_same = [&](std::uint32_t one, std::uint32_t other) {
        const auto first = rules.body(one);
        const auto second = rules.body(other);
        return std::equal(first.begin(), first.end(), second.begin(), second.end());
    };
    std::vector<std::uint8_t> is_kept(rules.size(), 1);
    for (std::size_t atom = 0; atom < atoms; ++atom) {
        const auto own = all.of(static_cast<Number>(atom));
        std::sort(own.begin(), own.end(), is_before);
        for (std::size_t place = 1; place < own.size(); ++place) {
            is_kept[own[place]] = is_same(own[place - 1], own[place]) ? 0 : 1;
        }
    }
    return Places(atoms, [&](auto&& note) {
        for (std::size_t atom = 0; atom < atoms; ++atom) {
            for (const std::uint32_t rule : all.of(static_cast<Number>(atom))) {
                if (is_kept[rule] != 0) {
                    note(static_cast<Number>(atom), rule);
                }
            }
        }
    });
}

// Strongly connected components (Tarjan 1972), without recursion: each comes after all that it depends on.
class Order {
  public:
    Order(const GroundRules& rules, const Places& by_head, std::size_t atoms)
        : rules_(rules), by_head_(by_head), index_(atoms, unseen), low_(atoms) {}

    // Numbers the dependencies of an atom, from `next` on.
    template <class Component>
    void visit(Number root, Component&& component) {
        if (index_[root] != unseen) {
            return;
        }
        enter(root);
        while (!path_.empty()) {
            Step& step = path_.back();
            const auto own = by_head_.of(step.atom);
            if (step.rule == own.size()) {
                leave(component);
                continue;
            }
            const auto body = rules_.body(own[step.rule]);
            if (step.place == body.size()) {
                ++step.rule;
                step.place = 0;
                continue;
            }
            const Number atom = step.atom;
            const Number below = body[step.place++].atom();
            if (index_[below] == unseen) {
                enter(below);
            } else {
                low_[atom] = std::min(low_[atom], index_[below]);
            }
        }
    }

  private:
    struct Step {
        Number atom;
        std::size_t rule;
        std::size_t place;
    };

    void enter(Number atom) {
        index_[atom] = low_[atom] = count_++;
        stack_.push_back(atom);
        path_.push_back({atom, 0, 0});
    }

    template <class Component>
    void leave(Component&& component) {
        const Number atom = path_.back().atom;
        path_.pop_back();
        if (!path_.empty()) {
            const Number above = path_.back().atom;
            low_[above] = std::min(low_[above], low_[atom]);
        }
        if (low_[atom] != index_[atom]) {
            return;
        }
        const auto first = std::find(stack_.rbegin(), stack_.rend(), atom).base() - 1;
        component(std::span<const Number>(first, stack_.end()));
        for (auto each = first; each != stack_.end(); ++each) {
            // A finished node is lower than every later one.
            index_[*each] = finished;
        }
        stack_.erase(first, stack_.end());
    }

    static constexpr std::uint32_t unseen = ~std::uint32_t{0};
    static constexpr std::uint32_t finished = unseen - 1;

    const GroundRules& rules_;
    const Places& by_head_;
    std::vector<std::uint32_t> index_;
    std::vector<std::uint32_t> low_;
    std::uint32_t count_ = 0;
    std::vector<Number> stack_;
    std::vector<Step> path_;
};

}  // namespace

Assembled numbered(const GroundRules& rules, const std::vector<Truth>& truths, const std::vector<Number>& inputs,
                   const std::vector<Number>& asked) {
    const std::size_t atoms = truths.size();
    const Places by_head = different(rules, atoms);
    constexpr std::int32_t nowhere = -1;
    std::vector<std::int32_t> numbers(atoms, nowhere);
    Assembled found;
    for (const Number atom : inputs) {
        numbers[atom] = found.atoms++;
    }
    const std::int32_t never = found.atoms++;
    const std::int32_t always = found.atoms++;
    found.heads.push_back(always);
    found.positive_starts.push_back(0);
    found.negative_starts.push_back(0);

    const auto write = [&](Number atom) {
        for (const std::uint32_t rule : by_head.of(atom)) {
            const auto first_positive = static_cast<std::ptrdiff_t>(found.positive.size());
            const auto first_negative = static_cast<std::ptrdiff_t>(found.negative.size());
            for (const Literal literal : rules.body(rule)) {
                (literal.is_absent() ? found.negative : found.positive).push_back(numbers[literal.atom()]);
            }
            std::sort(found.positive.begin() + first_positive, found.positive.end());
            std::sort(found.negative.begin() + first_negative, found.negative.end());
            found.heads.push_back(numbers[atom]);
            found.positive_starts.push_back(static_cast<std::int32_t>(found.positive.size()));
            found.negative_starts.push_back(static_cast<std::int32_t>(found.negative.size()));
        }
    };
    const auto place = [&](std::span<const Number> component) {
        if (numbers[component[0]] != nowhere) {
            return;
        }
        if (component.size() > 1) {
            found.cycles.push_back(found.atoms);
            found.cycles.push_back(found.atoms + static_cast<std::int32_t>(component.size()));
        }
        for (const Number atom : component) {
            numbers[atom] = found.atoms++;
        }
        for (const Number atom : component) {
            write(atom);
        }
    };
    Order order(rules, by_head, atoms);
    for (const Number atom : asked) {
        if (atom == no_atom || truths[atom] == Truth::never) {
            found.asked.push_back(never);
        } else if (truths[atom] == Truth::always) {
            found.asked.push_back(always);
        } else {
            order.visit(atom, place);
            found.asked.push_back(numbers[atom]);
        }
    }
    return found;
}

}  // namespace hornbook::planner::grounding
