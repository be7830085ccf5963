// Patterns and their plans: the next condition of a rule is chosen by estimates from the current numbers of facts.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "resolution/plan.hpp"

namespace hornbook::planner::resolution {

class Planning {
public:
    // `stored` has the facts of each relation; other relations are concluded.
    Planning(const Program& program, const std::vector<std::unique_ptr<Stored>>& stored,
             const std::vector<std::uint64_t>& versions);

    // The pattern of a relation; it has no plans until it is planned.
    Pattern& pattern(std::uint32_t relation, const Modes& modes);
    void plan(Pattern& pattern);
    // Removes patterns and plans.
    void clear() { patterns_.clear(); }
    // Likewise, but later estimates use observations.
    void learn();
    // Removes the answers to all patterns.
    void forget();

private:
    struct Choice;
    class Ordering;

    const Guess& guess(Pattern& pattern);
    void choose(Pattern& pattern) const;

    const Program& program_;
    const std::vector<std::unique_ptr<Stored>>& stored_;
    const std::vector<std::uint64_t>& versions_;  // for each Rests
    std::vector<std::vector<std::uint32_t>> rules_of_;
    std::map<std::pair<std::uint32_t, Modes>, std::unique_ptr<Pattern>> patterns_;
    std::map<std::pair<std::uint32_t, Modes>, Guess> seen_;
    std::map<std::uint32_t, Guess> excess_;  // by relation: the ratio of observed to estimated values
    std::uint32_t depth_ = 0;
};

}  // namespace hornbook::planner::resolution
