// Goal-directed evaluation with tables: a goal is solved when it is queried, and once for each version of its
// inputs.
//
// Active goals are on a stack, each below the goal that it waits for. A goal that queries one below it uses
// the current answers of that goal. The lowest of such mutually dependent goals is repeated until no answer
// is new (linear tabling: Shen, Yuan, You and Zhou 2001; Zhou and Sato 2003). Rules are stratified, so a goal
// whose absence is queried never depends on one below it.
#pragma once

#include <functional>
#include <stdexcept>

#include "resolution/planning.hpp"

namespace hornbook::planner::resolution {

// There are more conclusions than allowed.
class Exhausted : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Solver {
public:
    // Concludes the facts that many states share. Relations with too many facts for that are evaluated goal by goal.
    explicit Solver(Program program);
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    [[nodiscard]] const Program& program() const { return program_; }
    // The facts of a relation without rules. After a change, `changed` must be called.
    Stored& told(std::uint32_t relation) { return *stored_[relation]; }
    [[nodiscard]] bool is_stored(std::uint32_t relation) const { return stored_[relation] != nullptr; }
    // To be called after a change of the input facts of relations with this dependency.
    void changed(Rests rests);
    // Rebuilds plans from observations.
    void learn() { planning_.learn(); }

    // The answers to a goal, which must be of a concluded relation: `count` answers, each with the wanted
    // columns, one after the other. Valid until the next call. Throws Exhausted.
    const Goal& solve(std::uint32_t relation, const Modes& modes, const Cell* key);
    // Likewise for a result of `pattern`, which stays valid.
    const Goal& solve(Pattern& pattern, const Cell* key);
    Pattern& pattern(std::uint32_t relation, const Modes& modes) { return planning_.pattern(relation, modes); }

    // Called from time to time while a goal is solved; its exceptions end that.
    std::function<void()> on_pause;

private:
    // An active goal.
    struct Activation {
        Pattern* pattern;
        std::uint32_t goal;
        std::uint32_t tried;      // number of plans
        const Plan* plan;         // none before the first one
        std::uint32_t step;
        std::uint32_t low;        // the lowest goal on the stack that the answers depend on
        std::size_t registers;    // the first one
        std::size_t cursors;
        std::size_t partial;      // the number of partial goals before
        std::uint64_t before;     // the number of answers when the goal was started
        std::uint64_t read;       // the number of answers when the first unfinished goal was read to its end
        std::uint64_t steps;      // the number of earlier steps
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
    std::vector<bool> is_left_;  // shared, but not concluded in advance
    std::vector<Activation> stack_;
    std::vector<Cell> registers_;
    std::vector<Cursor> cursors_;
    std::vector<Goal*> partial_;
    std::vector<Cell> key_;
    std::vector<Cell> answer_;
    std::uint64_t additions_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t most_steps_;
    std::uint64_t cells_ = 0;  // in tables, since these were last cleared
    std::uint64_t most_cells_;
};

}  // namespace hornbook::planner::resolution
