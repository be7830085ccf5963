// Evaluation of conjunctions as defined by oracles/reference/conjunction.py. A condition whose arithmetic leaves
// 64 bits is unknown, and so is one that reads a variable which no condition could bind. A conjunction is as true as
// its least true condition. See plan/conjunction.hpp for the parts of a planned conjunction.
#pragma once

#include <optional>

#include "plan/conjunction.hpp"
#include "run/walk.hpp"

namespace hornbook {

enum class Truth : std::uint8_t { FALSE, UNKNOWN, TRUE };

// The premise of a condition: nothing, a fact, a closed set, or several.
struct Premise {
    enum class Kind : std::uint8_t { NONE, FACT, SET, SETS };
    struct Member {
        Fact fact;
        std::vector<Premise> premises;
    };
    Kind kind = Kind::NONE;
    Fact fact;  // of a set: its count
    std::vector<Member> members;
    std::vector<Premise> sets;
};

class Reader {
public:
    Reader(const Steps& steps, const Relations& relations, Budget& budget)
        : steps_(steps), relations_(relations), budget_(budget) {}

    View view;                   // the facts that are visible
    std::vector<Cell> values;    // by variable
    std::vector<bool> computed;  // whether a variable that a residual binds has a value; all others have one

    // Prepare for the conjunctions of a rule with this number of variables.
    void begin(std::uint32_t variables) {
        if (values.size() < variables) {
            values.resize(variables);
        }
        computed.assign(values.size(), false);
        met_.clear();
        is_computed_.assign(values.size(), false);
    }

    // Call `found(is_unknown)` for each instance that is not false, with its variables in `values`, until one call
    // returns true; return whether one did. The second form measures the evaluation.
    template <class Found>
    bool solve(const Conjunction& conjunction, Found&& found) {
        NoMeter meter;
        return join(conjunction, 0, found, meter);
    }
    template <class Found>
    bool solve(const Conjunction& conjunction, Found&& found, BodyMeter meter) {
        return join(conjunction, 0, found, meter);
    }

    // The truth of the residuals, once the variables of the matches have values.
    Truth settle(const Conjunction& conjunction, BodyMeter* meter = nullptr);

    // The premises of an instance that was found to be true; `values` still contain it.
    std::vector<Premise> premises(const Conjunction& conjunction);

    // The overflow of an instance that was found to be unknown; `values` still contain it.
    [[nodiscard]] Overflow overflow(const Conjunction& conjunction, std::int64_t rule) const {
        Overflow result{rule, values, conjunction.known, std::nullopt};
        result.values.resize(conjunction.known.size());
        for (const Variable variable : conjunction.computed) {
            result.known[variable] = computed[variable];
        }
        return result;
    }

private:
    // Evaluate the steps of the join from `place` on, each after its early residuals. This recurses once for each step
    // that has rows. Return whether a call of `found` returned true.
    template <class Found, class Meter>
    bool join(const Conjunction& conjunction, std::size_t place, Found& found, Meter& meter) {
        for (;; ++place) {
            if constexpr (Meter::COUNTS) {
                if (place != 0) {
                    meter.accept(place - 1);
                }
            }
            if (place < conjunction.early.size()) {
                for (const std::uint32_t number : conjunction.early[place]) {
                    if (!holds(conjunction, number, meter)) {
                        return false;
                    }
                }
            }
            if (place == conjunction.join.size()) {
                return conclude(conjunction, found, meter);
            }
            const Step& step = steps_[conjunction.join[place]];
            [[maybe_unused]] const auto timed = meter.visit(place);
            if (step.kind == Step::Kind::TEST) {
                if (!compares(value(step.left, values.data()), step.comparison, value(step.right, values.data()))) {
                    return false;
                }
            } else if (step.kind == Step::Kind::ASSIGN) {
                values[step.slot] = value(step.left, values.data());
            } else {
                return for_each_row(step, values.data(), view, budget_,
                                    [&](Row) { return join(conjunction, place + 1, found, meter); });
            }
        }
    }

    // Evaluate the residuals of an instance of the matches, and call `found` unless they are false.
    template <class Found, class Meter>
    bool conclude(const Conjunction& conjunction, Found& found, Meter& meter) {
        const auto take = [&](bool is_unknown) {
            [[maybe_unused]] const auto timed = meter.conclude();
            return found(is_unknown);
        };
        if (conjunction.residuals.empty()) {
            return take(false);
        }
        BodyMeter* counted = nullptr;
        if constexpr (Meter::COUNTS) {
            counted = &meter;
        }
        const Truth truth = settle(conjunction, counted);
        const bool stop = truth != Truth::FALSE && take(truth == Truth::UNKNOWN);
        for (const Variable variable : conjunction.computed) {
            computed[variable] = false;
        }
        return stop;
    }

    // Whether an early residual is true.
    template <class Meter>
    bool holds(const Conjunction& conjunction, std::uint32_t number, Meter& meter) {
        if constexpr (Meter::COUNTS) {
            const auto timed = meter.read(number);
            const bool is_true = read(conjunction.residuals[number]) == Truth::TRUE;
            if (is_true) {
                meter.hold(number);
            }
            return is_true;
        }
        return read(conjunction.residuals[number]) == Truth::TRUE;
    }

    // Whether a residual can be evaluated: at most one of its variables has no value, and it can bind this one.
    [[nodiscard]] bool is_ready(const Residual& residual) const;
    Truth read(const Conjunction& conjunction, const Residual& residual, BodyMeter* meter);
    Truth read(const Residual& residual);
    Truth all_of(const Residual& residual, Premise* premise);
    Truth count_of(const Residual& residual, Premise* premise);
    Truth aggregate(const Residual& residual);
    Truth compare(const Expression& left, Comparison comparison, Outcome of_right, Cell right);
    // Whether a variable that a residual binds has no value yet.
    bool lacks(Variable variable) const { return is_computed_[variable] && !computed[variable]; }
    template <class Take>
    void members(const PlannedSet& set, bool of_count, Take&& take);
    std::vector<Row> sorted_members(const PlannedSet& set);
    Fact fact_of(PredicateId predicate, Row row) const;

    const Steps& steps_;
    const Relations& relations_;
    Budget& budget_;
    std::vector<bool> is_computed_;  // whether a residual binds a variable
    std::vector<const Cell*> united_;  // the members that `count_of` counts
    std::vector<Row> met_;  // the members that each running `all_of` reads, one after the other
};

// Evaluates the guards that are steps (pushdown.hpp), with separate variables.
class EarlyReader : public GuardReader {
public:
    EarlyReader(const Steps& steps, const Relations& relations, Budget& budget)
        : reader_(steps, relations, budget) {}
    bool holds(const Step& step, const Cell* slots, const View& view) override;

private:
    Reader reader_;
};

}  // namespace hornbook
