#include "grounding/constants.hpp"

namespace hornbook::planner::grounding {

namespace {

using Flags = std::vector<std::uint8_t>;

class Fixpoint {
  public:
    Fixpoint(const GroundRules& rules, std::size_t atoms, const std::vector<Number>& carried)
        : rules_(rules), atoms_(atoms), carried_(carried), waiting_(atoms, [&](auto&& note) {
              for (std::size_t rule = 0; rule < rules.size(); ++rule) {
                  for (const Literal literal : rules.body(rule)) {
                      if (!literal.is_absent()) {
                          note(literal.atom(), rule);
                      }
                  }
              }
          }) {}

    // The consequences of `given` by the rules without a barred absent atom.
    Flags least(const std::vector<Number>& given, const Flags& barred, bool carries) const {
        Flags found(atoms_, 0);
        std::vector<Number> todo;
        const auto reach = [&](Number atom) {
            if (found[atom] == 0) {
                found[atom] = 1;
                todo.push_back(atom);
            }
        };
        std::vector<std::uint32_t> left(rules_.size());
        for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
            bool is_barred = false;
            for (const Literal literal : rules_.body(rule)) {
                is_barred |= literal.is_absent() && barred[literal.atom()] != 0;
                left[rule] += literal.is_absent() ? 0 : 1;
            }
            if (is_barred) {
                left[rule] = ~std::uint32_t{0};
            } else if (left[rule] == 0) {
                reach(rules_.head(rule));
            }
        }
        for (const Number atom : given) {
            reach(atom);
        }
        while (!todo.empty()) {
            const Number atom = todo.back();
            todo.pop_back();
            if (carries && carried_[atom] != no_atom) {
                reach(carried_[atom]);
            }
            for (const std::uint32_t rule : waiting_.of(atom)) {
                if (--left[rule] == 0) {
                    reach(rules_.head(rule));
                }
            }
        }
        return found;
    }

  private:
    const GroundRules& rules_;
    std::size_t atoms_;
    const std::vector<Number>& carried_;
    Places waiting_;
};

}  // namespace

std::vector<Truth> truths(const GroundRules& rules, const std::vector<Number>& given,
                          const std::vector<Number>& carried) {
    const std::size_t atoms = carried.size();
    const Fixpoint fixpoint(rules, atoms, carried);
    Flags certain(atoms, 0);
    while (true) {
        const Flags possible = fixpoint.least(given, certain, true);
        Flags sure = fixpoint.least({}, possible, false);
        if (sure == certain) {
            std::vector<Truth> found(atoms);
            for (std::size_t atom = 0; atom < atoms; ++atom) {
                found[atom] = certain[atom] != 0 ? Truth::always : possible[atom] != 0 ? Truth::sometimes : Truth::never;
            }
            return found;
        }
        certain = std::move(sure);
    }
}

}  // namespace hornbook::planner::grounding
