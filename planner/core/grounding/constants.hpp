// Which atoms can hold in some state, and which hold in every one.
#pragma once

#include <cstdint>
#include <vector>

#include "grounding/ground_rules.hpp"

namespace hornbook::planner::grounding {

enum class Truth : std::uint8_t { never, sometimes, always };

// `given` can hold from the start; where an atom can hold, so can the one that it carries over to, unless that is no_atom.
// A fixpoint of two that rest on each other: the less is possible, the more is certain, and the other way round.
std::vector<Truth> truths(const GroundRules& rules, const std::vector<Number>& given,
                          const std::vector<Number>& carried);

}  // namespace hornbook::planner::grounding
