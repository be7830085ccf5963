// The atoms that can hold in some state, and those that hold in every state.
#pragma once

#include <cstdint>
#include <vector>

#include "grounding/ground_rules.hpp"

namespace hornbook::planner::grounding {

enum class Truth : std::uint8_t { never, sometimes, always };

// `given` can hold initially. If an atom can hold, so can the one that it carries over to, unless that is
// no_atom. The result is a fixpoint of two mutually dependent sets: fewer possible atoms mean more certain
// ones, and vice versa.
std::vector<Truth> truths(const GroundRules& rules, const std::vector<Number>& given,
                          const std::vector<Number>& carried);

}  // namespace hornbook::planner::grounding
