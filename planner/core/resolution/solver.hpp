// Goal-directed evaluation with tables: a goal is worked out when it is asked for, and once for what it rests on.
//
// Goals that are being worked on stand on a stack, each with the goal above it that it waits for. A goal that asks for one
// below it takes the answers that are there so far; the lowest of the goals that so rest on each other is worked on again
// until no answer is new (linear tabling: Shen, Yuan, You and Zhou 2001; Zhou and Sato 2003). Rules are stratified, so that
// a goal whose absence is asked for never rests on one below it.
#pragma once

#include <functional>
#include <stdexcept>

#include "resolution/planning.hpp"

namespace hornbook::planner::resolution {

// There is more to conclude than was allowed.
class Exhausted : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Solver {
public:
    // Concludes what many states share. Relations that have too many facts for that are asked for goal by goal.
    explicit Solver(Program program);
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    [[nodiscard]] const Program& program() const { return program_; }
    // The facts of a relation that no rule concludes. Who changes them calls `changed` afterwards.
    Stored& told(std::uint32_t relation) { return *stored_[relation]; }
    [[nodiscard]] bool is_stored(std::uint32_t relation) const { return stored_[relation] != nullptr; }
    // Told facts of relations that rest on this have changed.
    void changed(Rests rests);
    // Makes new plans from what was seen.
    void learn() { planning_.learn(); }

    // The answers to a goal: of each the columns that are wanted, one behind the other; `count` of them. Valid until the
    // next call. The relation is concluded by rules. Raises Exhausted.
    const Goal& solve(std::uint32_t relation, const Modes& modes, const Cell* key);
    // The same for a pattern of `pattern`, which stays valid.
    const Goal& solve(Pattern& pattern, const Cell* key);
    Pattern& pattern(std::uint32_t relation, const Modes& modes) { return planning_.pattern(relation, modes); }

    // Called now and then while a goal is worked on; what it throws ends that.
    std::function<void()> on_pause;

private:
    // A goal that is worked on.
    struct Activation {
        Pattern* pattern;
        std::uint32_t goal;
        std::uint32_t tried;      // plans
        const Plan* plan;         // none before the first one
        std::uint32_t step;
        std::uint32_t low;        // the lowest goal on the stack that the answers rest on
        std::size_t registers;    // the first one
        std::size_t cursors;
        std::size_t partial;      // so many goals were partial before
        std::uint64_t before;     // so many answers were there when the goal was begun
        std::uint64_t read;       // so many were there when the first of the goals that are not done was read to its end
        std::uint64_t steps;      // that had been made before
    };
    struct Cursor {
        Goal* goal;
        std::uint32_t at;  // the next answer or row
    };
    enum class Going : std::uint8_t { into_plan, on, again, waiting, done };

    void conclude_shared();
    bool store(std::uint32_t relation);

    void begin(Pattern& pattern, std::uint32_t goal);
    void run();
    bool work();
    bool begin_plan(Activation& now);
    Going enter(Activation& now, const Step& step, bool waited);
    Going resume(Activation& now, const Step& step);
    bool ask(Activation& now, const Step& step);
    bool scan(Activation& now, const Step& step);
    bool take(const Activation& now, const Step& step, const Cell* cells);
    bool answer(Activation& now);
    bool finish();
    void end(Status status);
    void reset();
    void pause();

    Cell value(const Activation& now, Column column) const {
        return is_variable(column) ? registers_[now.registers + variable_of(column)] : column;
    }
    const Cell* key(const Activation& now, const Step& step) {
        if (key_.size() < step.key.size()) {
            key_.resize(step.key.size());
        }
        for (std::size_t place = 0; place < step.key.size(); ++place) {
            key_[place] = value(now, step.key[place]);
        }
        return key_.data();
    }

    Program program_;
    std::vector<std::unique_ptr<Stored>> stored_;
    std::vector<std::uint64_t> versions_{1, 1, 1};
    Planning planning_;
    std::vector<bool> is_left_;  // shared, but not concluded beforehand
    std::vector<Activation> stack_;
    std::vector<Cell> registers_;
    std::vector<Cursor> cursors_;
    std::vector<Goal*> partial_;
    std::vector<Cell> key_;
    std::vector<Cell> answer_;
    std::uint64_t additions_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t most_steps_;
    std::uint64_t cells_ = 0;  // in tables, since these were last emptied
    std::uint64_t most_cells_;
};

}  // namespace hornbook::planner::resolution
