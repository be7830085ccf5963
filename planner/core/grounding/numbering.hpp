// The last step: rules of what changes, in the order in which they can be evaluated, each once, and no more than are needed.
#pragma once

#include <vector>

#include "grounding/assembly.hpp"

namespace hornbook::planner::grounding {

Assembled numbered(const GroundRules& rules, const std::vector<Truth>& truths, const std::vector<Number>& inputs,
                   const std::vector<Number>& asked);

}  // namespace hornbook::planner::grounding
