#include "resolution/solver.hpp"

namespace hornbook::planner::resolution {

namespace {

constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_cells = 200'000'000;  // in tables: about 2 GB with overheads
constexpr std::uint64_t between_pauses = 1U << 17U;
// The limits for a relation that is concluded in advance: its work, its size, and its estimated number of facts.
constexpr std::uint64_t most_shared_steps = 40'000'000;
constexpr std::uint64_t most_shared_cells = 8'000'000;
constexpr double most_shared_guess = 1e8;

}  // namespace

Solver::Solver(Program program)
    : program_(std::move(program)), stored_(program_.relations.size()), planning_(program_, stored_, versions_),
      is_left_(stored_.size(), false), most_steps_(unbounded), most_cells_(most_cells) {
    for (std::size_t relation = 0; relation < stored_.size(); ++relation) {
        if (!program_.relations[relation].concluded) {
            stored_[relation] = std::make_unique<Stored>(program_.relations[relation].width);
        }
    }
    for (const Fact& fact : program_.facts) {
        told(fact.relation).add(fact.cells.data());
    }
    conclude_shared();
}

void Solver::conclude_shared() {
    for (const std::uint32_t relation : program_.shared) {
        const bool rests_on_unknown = std::any_of(program_.rules.begin(), program_.rules.end(), [&](const Rule& rule) {
            return rule.relation == relation && std::any_of(rule.body.begin(), rule.body.end(), [&](const Condition& each) {
                const bool is_of_facts = each.kind == Condition::Kind::match || each.kind == Condition::Kind::absent;
                return is_of_facts && each.relation != relation && stored_[each.relation] == nullptr &&
                       is_left_[each.relation];
            });
        });
        is_left_[relation] = rests_on_unknown || !store(relation);
    }
    planning_.clear();
    changed(Rests::on_nothing);
}

// Conclude all facts of a relation, if there are not too many.
bool Solver::store(std::uint32_t relation) {
    const std::uint32_t width = program_.relations[relation].width;
    Pattern& all = pattern(relation, Modes(width, Mode::wanted));
    planning_.plan(all);
    if (all.guess.answers > most_shared_guess) {
        return false;
    }
    most_steps_ = steps_ + most_shared_steps;
    most_cells_ = most_shared_cells;
    bool is_small = true;
    try {
        const Goal& goal = solve(all, nullptr);
        auto stored = std::make_unique<Stored>(width);
        for (std::uint32_t answer = 0; answer < goal.count; ++answer) {
            stored->add(goal.answers.data() + std::size_t{answer} * width);
        }
        stored_[relation] = std::move(stored);
    } catch (const Exhausted&) {
        is_small = false;
    }
    most_steps_ = unbounded;
    most_cells_ = most_cells;
    return is_small;
}

void Solver::changed(Rests rests) {
    for (auto each = static_cast<std::size_t>(rests); each < versions_.size(); ++each) {
        ++versions_[each];
    }
    cells_ = 0;
}

const Goal& Solver::solve(std::uint32_t relation, const Modes& modes, const Cell* key) {
    return solve(pattern(relation, modes), key);
}

const Goal& Solver::solve(Pattern& pattern, const Cell* key) {
    const std::uint32_t number = pattern.table.find(key);
    const Goal& goal = pattern.table.goal(number);
    ++pattern.asked;
    if (goal.status != Status::complete) {
        try {
            begin(pattern, number);
            run();
        } catch (...) {
            reset();
            throw;
        }
    }
    pattern.answered += goal.count;
    return goal;
}

// Reset after an interruption: the tables are not complete.
void Solver::reset() {
    stack_.clear();
    registers_.clear();
    cursors_.clear();
    partial_.clear();
    planning_.forget();
    cells_ = 0;
}

void Solver::begin(Pattern& pattern, std::uint32_t goal) {
    if (pattern.planned == Pattern::Planned::no) {
        planning_.plan(pattern);
    }
    const auto depth = static_cast<std::uint32_t>(stack_.size());
    Goal& found = pattern.table.goal(goal);
    found.status = Status::active;
    found.depth = depth;
    stack_.push_back({&pattern, goal, 0, nullptr, 0, none, registers_.size(), cursors_.size(), partial_.size(),
                      additions_, unbounded, steps_});
    cells_ += pattern.key_width + 8;
}

void Solver::run() {
    while (!stack_.empty()) {
        if (work()) {
            finish();
        }
    }
}

// Work on the topmost goal until it is done, or until it waits for another one (then return false).
bool Solver::work() {
    Activation& now = stack_.back();
    Going going = now.plan == nullptr ? Going::into_plan : Going::waiting;
    for (;;) {
        if (++steps_ % between_pauses == 0) {
            pause();
        }
        switch (going) {
        case Going::into_plan:
            if (!begin_plan(now)) {
                return true;
            }
            going = Going::on;
            break;
        case Going::on:
        case Going::waiting:
            if (now.step == now.plan->steps.size()) {
                if (answer(now)) {
                    return true;
                }
                now.step = now.plan->after_answer;
                going = now.step == none ? Going::into_plan : Going::again;
                break;
            }
            going = enter(now, now.plan->steps[now.step], going == Going::waiting);
            if (going == Going::waiting) {
                return false;
            }
            break;
        case Going::again: going = resume(now, now.plan->steps[now.step]); break;
        case Going::done: return true;
        }
    }
}

void Solver::pause() {
    if (steps_ >= most_steps_ || cells_ > most_cells_) {
        throw Exhausted("more than can be concluded");
    }
    if (on_pause) {
        on_pause();
    }
}

// Enter the next plan whose key matches the goal's; return false if there is none.
bool Solver::begin_plan(Activation& now) {
    const Pattern& pattern = *now.pattern;
    const Cell* key = pattern.table.key(now.goal);
    const std::vector<std::uint32_t>* chosen = nullptr;
    if (pattern.chosen_by != none) {
        const auto found = pattern.by_word.find(key[pattern.chosen_by]);
        chosen = found == pattern.by_word.end() ? &pattern.for_others : &found->second;
    }
    const std::size_t count = chosen == nullptr ? pattern.plans.size() : chosen->size();
    while (now.tried < count) {
        const Plan& plan = pattern.plans[chosen == nullptr ? now.tried : (*chosen)[now.tried]];
        ++now.tried;
        registers_.resize(now.registers + plan.variables);
        bool fits = true;
        for (std::size_t place = 0; fits && place < plan.key.size(); ++place) {
            if (plan.is_first[place]) {
                registers_[now.registers + variable_of(plan.key[place])] = key[place];
            } else {
                fits = value(now, plan.key[place]) == key[place];
            }
        }
        if (fits) {
            now.plan = &plan;
            now.step = 0;
            cursors_.resize(now.cursors + plan.steps.size());
            return true;
        }
    }
    return false;
}

// Start a step, or continue it after the goal that it waited for.
Solver::Going Solver::enter(Activation& now, const Step& step, bool waited) {
    bool holds = false;
    switch (step.kind) {
    case Step::Kind::scan:
    case Step::Kind::found:
    case Step::Kind::lacking: {
        const std::uint32_t row = step.index != nullptr ? step.index->first(key(now, step))
                                  : step.stored->rows() == 0 ? none
                                                             : 0;
        if (step.kind == Step::Kind::scan) {
            cursors_[now.cursors + now.step].at = row;
            if (row == none || !scan(now, step)) {
                break;
            }
            ++now.step;
            return Going::on;
        }
        holds = (row != none) == (step.kind == Step::Kind::found);
        break;
    }
    case Step::Kind::ask:
    case Step::Kind::holds:
    case Step::Kind::fails: {
        Cursor& cursor = cursors_[now.cursors + now.step];
        if (!waited) {
            Table& table = step.pattern->table;
            const std::uint32_t number = table.find(key(now, step));
            cursor = {&table.goal(number), 0};
            ++step.pattern->asked;
            if (cursor.goal->status == Status::fresh) {
                begin(*step.pattern, number);
                return Going::waiting;
            }
        }
        step.pattern->answered += cursor.goal->count;
        if (cursor.goal->status != Status::complete) {
            now.low = std::min(now.low, cursor.goal->depth);
        }
        if (step.kind == Step::Kind::ask) {
            if (!ask(now, step)) {
                break;
            }
            ++now.step;
            return Going::on;
        }
        holds = (cursor.goal->count != 0) == (step.kind == Step::Kind::holds);
        if (!holds && cursor.goal->status != Status::complete) {
            now.read = std::min(now.read, additions_);
        }
        break;
    }
    case Step::Kind::equal: holds = value(now, step.key[0]) == value(now, step.key[1]); break;
    case Step::Kind::differ: holds = value(now, step.key[0]) != value(now, step.key[1]); break;
    case Step::Kind::set:
        registers_[now.registers + variable_of(step.key[0])] = value(now, step.key[1]);
        holds = true;
        break;
    }
    if (holds) {
        ++now.step;
        return Going::on;
    }
    now.step = step.blame;
    return now.step == none ? Going::into_plan : Going::again;
}

// The next row or answer of a step that had one.
Solver::Going Solver::resume(Activation& now, const Step& step) {
    if (step.kind == Step::Kind::scan ? scan(now, step) : ask(now, step)) {
        ++now.step;
        return Going::on;
    }
    now.step = step.back;
    return now.step == none ? Going::into_plan : Going::again;
}

bool Solver::ask(Activation& now, const Step& step) {
    Cursor& cursor = cursors_[now.cursors + now.step];
    while (cursor.at < cursor.goal->count) {
        const Cell* cells = cursor.goal->answers.data() + std::size_t{cursor.at} * step.pattern->answer_width;
        ++cursor.at;
        if (take(now, step, cells)) {
            return true;
        }
    }
    if (cursor.goal->status != Status::complete) {
        now.read = std::min(now.read, additions_);
    }
    return false;
}

bool Solver::scan(Activation& now, const Step& step) {
    Cursor& cursor = cursors_[now.cursors + now.step];
    while (cursor.at != none) {
        const std::uint32_t row = cursor.at;
        if (step.index != nullptr) {
            cursor.at = step.index->after(row);
        } else {
            cursor.at = row + 1 == step.stored->rows() ? none : row + 1;
        }
        if (take(now, step, step.stored->row(row))) {
            return true;
        }
    }
    return false;
}

bool Solver::take(const Activation& now, const Step& step, const Cell* cells) {
    for (const Take& each : step.takes) {
        registers_[now.registers + each.variable] = cells[each.from];
    }
    return std::all_of(step.agrees.begin(), step.agrees.end(), [&](const Take& each) {
        return registers_[now.registers + each.variable] == cells[each.from];
    });
}

// Add the answer of the plan. Return true if no other answer is needed.
bool Solver::answer(Activation& now) {
    Pattern& pattern = *now.pattern;
    const std::vector<Column>& columns = now.plan->answer;
    if (answer_.size() < columns.size()) {
        answer_.resize(columns.size());
    }
    for (std::size_t place = 0; place < columns.size(); ++place) {
        answer_[place] = value(now, columns[place]);
    }
    if (pattern.table.add(pattern.table.goal(now.goal), answer_.data())) {
        ++additions_;
        cells_ += columns.size() + 1;
    }
    return pattern.is_test;
}

// End the topmost goal, or restart it. Return whether it has ended.
bool Solver::finish() {
    Activation& now = stack_.back();
    Goal& goal = now.pattern->table.goal(now.goal);
    const auto depth = static_cast<std::uint32_t>(stack_.size() - 1);
    const bool is_settled = now.pattern->is_test && goal.count != 0;
    if (!is_settled && now.low < depth) {
        goal.status = Status::partial;
        goal.depth = now.low;
        partial_.push_back(&goal);
        stack_[depth - 1].low = std::min(stack_[depth - 1].low, now.low);
        stack_[depth - 1].read = std::min(stack_[depth - 1].read, now.read);
        end(Status::partial);
        return true;
    }
    const bool again = !is_settled && now.low == depth && now.read < additions_;
    if (again || is_settled) {
        // They are queried again, with their current answers.
        for (std::size_t each = now.partial; each < partial_.size(); ++each) {
            partial_[each]->status = Status::fresh;
        }
        partial_.resize(now.partial);
    }
    if (again) {
        now.read = unbounded;
        now.tried = 0;
        now.plan = nullptr;
        now.low = none;
        return false;
    }
    for (std::size_t each = now.partial; each < partial_.size(); ++each) {
        partial_[each]->status = Status::complete;
    }
    partial_.resize(now.partial);
    if (!is_settled || now.low == none) {
        // Complete goals need no further work for these.
        additions_ = now.before;
    }
    end(Status::complete);
    return true;
}

void Solver::end(Status status) {
    const Activation& now = stack_.back();
    now.pattern->table.goal(now.goal).status = status;
    now.pattern->work += steps_ - now.steps;
    registers_.resize(now.registers);
    cursors_.resize(now.cursors);
    stack_.pop_back();
}

}  // namespace hornbook::planner::resolution
