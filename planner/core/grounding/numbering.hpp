// The last step: the distinct rules of changing atoms, in evaluation order, without unneeded ones.
#pragma once

#include <vector>

#include "grounding/assembly.hpp"

namespace hornbook::planner::grounding {

Assembled numbered(const GroundRules& rules, const std::vector<Truth>& truths, const std::vector<Number>& inputs,
                   const std::vector<Number>& asked);

}  // namespace hornbook::planner::grounding
