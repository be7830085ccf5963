#include "heuristics/heuristic.hpp"

#include <algorithm>
#include <stdexcept>

#include "heuristics/landmark_cut.hpp"
#include "heuristics/relaxation_heuristics.hpp"

namespace hornbook::planner::tasks {

namespace {

// 0 in goal states, and the least cost of an operator in all others.
class Blind : public Heuristic {
  public:
    Blind(const Task& task, CostKind costs) : task_(task), least_(infinite) {
        for (OperatorId number = 0; number < task.operators(); ++number) {
            least_ = std::min(least_, costs == CostKind::unit ? 1 : task.cost(number));
        }
    }

    Cost value(State state) override { return task_.is_goal(state) ? 0 : least_; }

  private:
    const Task& task_;
    Cost least_;
};

}  // namespace

std::unique_ptr<Heuristic> heuristic_called(std::string_view name, const Task& task, CostKind costs) {
    if (name == "blind") return std::make_unique<Blind>(task, costs);
    if (name == "max") return std::make_unique<MaxHeuristic>(task, costs);
    if (name == "add") return std::make_unique<AddHeuristic>(task, costs);
    if (name == "ff") return std::make_unique<RelaxedPlanHeuristic>(task, costs);
    if (name == "lmcut") return std::make_unique<LandmarkCut>(task, costs);
    throw std::invalid_argument("no heuristic has this name");
}

bool is_admissible(std::string_view name) { return name == "blind" || name == "max" || name == "lmcut"; }

}  // namespace hornbook::planner::tasks
