// Walking a trie: all ways to match its plans, by backtracking over the slots; nothing is stored on the way.
#pragma once

#include <algorithm>

#include "data/profile.hpp"
#include "plan/reach.hpp"

namespace hornbook {

// The visible facts. Rows of `component` that were not born before `born_before` are hidden (a proof of a
// fact uses only facts found before it); `seed` is hidden for the steps that exclude it.
struct View {
    static constexpr std::uint64_t ALWAYS = std::numeric_limits<std::uint64_t>::max();
    Row seed = NO_ROW;
    std::uint64_t born_before = ALWAYS;
    const std::vector<std::uint32_t>* components = nullptr;  // by predicate
    std::uint32_t component = 0;

    [[nodiscard]] bool accepts(const Step& step, Row row) const {
        if (step.is_not_seed && row == seed) {
            return false;
        }
        return born_before == ALWAYS || (*components)[step.predicate] != component ||
               step.relation->birth[row] < born_before;
    }
    [[nodiscard]] bool accepts(PredicateId predicate, const Relation& relation, Row row) const {
        return born_before == ALWAYS || (*components)[predicate] != component || relation.birth[row] < born_before;
    }
};

inline Cell value(const Term& term, const Cell* slots) {
    return term.is_variable() ? slots[term.value] : term.value;
}

// The values of a key's terms; short keys are on the stack.
class Key {
public:
    Key(const std::vector<Term>& terms, const Cell* slots) : width_(terms.size()) {
        if (width_ > SHORT) {
            long_.resize(width_);
            cells_ = long_.data();
        }
        for (std::size_t place = 0; place < width_; ++place) {
            cells_[place] = value(terms[place], slots);
        }
    }
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    [[nodiscard]] const Cell* cells() const { return cells_; }

private:
    static constexpr std::size_t SHORT = 8;
    std::size_t width_;
    Cell short_[SHORT];
    std::vector<Cell> long_;
    Cell* cells_ = short_;
};

// Whether an expression has a value: UNKNOWN if it leaves 64 bits, NONE if a function has no value. The first
// failure within it decides.
enum class Outcome : std::uint8_t { KNOWN, UNKNOWN, NONE };

Outcome evaluate(const Expression& expression, const Cell* slots, Cell& result);

// Calls `found(row)` for each row that a SCAN, LOOKUP or EXACT step finds, with its outputs in the slots,
// until one call returns true; returns whether one did.
template <class Found>
bool for_each_row(const Step& step, Cell* slots, const View& view, Budget& budget, Found&& found) {
    const Relation& relation = *step.relation;
    const auto take = [&](Row row) {
        const Cell* cells = relation.cells(row);
        for (const Field& output : step.outputs) {
            slots[output.slot] = cells[output.column];
        }
        for (const Field& repeated : step.repeated) {
            if (cells[repeated.column] != slots[repeated.slot]) {
                return false;
            }
        }
        return found(row);
    };
    budget.spend();
    if (step.kind == Step::Kind::SCAN) {
        const Row end = relation.size();
        for (Row row = 0; row < end; ++row) {
            if (relation.is_linked(row) && view.accepts(step, row) && take(row)) {
                return true;
            }
        }
        return false;
    }
    const Key wanted(step.key, slots);
    const Cell* key = wanted.cells();
    if (step.kind == Step::Kind::EXACT) {
        const Row row = relation.find(key);
        return row != NO_ROW && relation.is_linked(row) && view.accepts(step, row) && found(row);
    }
    return relation.each_with(step.index, key, [&](Row row) {
        budget.spend();
        return view.accepts(step, row) && take(row);
    });
}

// Whether a SCAN, LOOKUP or EXACT step finds a row. If so, its outputs are in the slots.
inline bool finds_row(const Step& step, Cell* slots, const View& view, Row row) {
    const Relation& relation = *step.relation;
    const Cell* cells = relation.cells(row);
    const std::vector<std::uint32_t>* columns =
        step.kind == Step::Kind::LOOKUP ? &relation.columns_of(step.index) : nullptr;
    for (std::size_t place = 0; place < step.key.size(); ++place) {
        if (cells[columns == nullptr ? place : (*columns)[place]] != value(step.key[place], slots)) {
            return false;
        }
    }
    if (!relation.is_linked(row) || !view.accepts(step, row)) {
        return false;
    }
    for (const Field& output : step.outputs) {
        slots[output.slot] = cells[output.column];
    }
    return std::all_of(step.repeated.begin(), step.repeated.end(),
                       [&](const Field& repeated) { return cells[repeated.column] == slots[repeated.slot]; });
}

// Evaluates the guards that are steps, each separately.
class GuardReader {
public:
    virtual ~GuardReader() = default;
    virtual bool holds(const Step& step, const Cell* slots, const View& view) = 0;
};

// A walk for all matches.
struct Anything {
    static constexpr bool IS_ONE = false;
};

// A walk for the matches of one fact, with a limit on ops and rows.
struct OneFact {
    static constexpr bool IS_ONE = true;
    PredicateId predicate;
    Row row;
    std::uint64_t most;
    const Distances& distances;
    std::uint64_t met = 0;
    bool is_found = false;  // it is among the rows of the current path
    const Reach* reach = nullptr;  // of the current code

    void enter(const Code& code) { reach = &code.reach(predicate); }
    // Whether rules from an op on may hold with the fact.
    [[nodiscard]] bool may_find(std::uint32_t place, const Cell* slots) const {
        return is_found || reach->may_find(place, slots, distances);
    }
    // Whether only the fact itself can lead to its matches at an op: no row was the fact so far, and no op below
    // reads its predicate.
    [[nodiscard]] bool can_be_only_row(const Op& op, std::uint32_t place) const {
        return !is_found && op.step->predicate == predicate && !reach->has_reader_below(place);
    }
    [[nodiscard]] bool is_spent() const { return met > most; }
};

// A sink has `bool reached(const Terminal&, const Cell* slots)`, which returns true to stop, and `void
// overflowed(const Code&, std::uint32_t place)` for an op whose arithmetic leaves 64 bits: everything below
// it is neither true nor false. A meter that counts is notified of each visited node, of each accepted row,
// and of the processing of terminals.
template <class Sink, class Meter = NoMeter, class Sought = Anything>
class Walk {
public:
    Walk(const Trie& trie, Cell* slots, const View& view, Budget& budget, GuardReader& guards, Sink& sink,
         Meter meter = {}, Sought sought = {})
        : trie_(trie), code_(trie.codes().front()), slots_(slots), view_(view), budget_(budget), guards_(guards),
          sink_(sink), meter_(meter), sought_(sought) {}

    [[nodiscard]] const Sought& sought() const { return sought_; }

    // Whether the sink stopped the walk.
    bool from_root() {
        for (const Code* code : trie_.codes()) {
            code_ = code;
            if constexpr (Sought::IS_ONE) {
                sought_.enter(*code);
            }
            if (walk(0, code->size())) {
                return true;
            }
        }
        return false;
    }

private:
    // Execute all ops from one index to another, which is the end of some subtree; recurses once for each op
    // that has rows.
    bool walk(std::uint32_t place, std::uint32_t end) {
        while (place != end) {
            const Op& op = (*code_)[place];
            if constexpr (Sought::IS_ONE) {
                ++sought_.met;
                if (op.kind != Op::Kind::FOUND && !sought_.may_find(place, slots_)) {
                    place = op.end;
                    continue;
                }
            }
            switch (op.is_unlinked() ? Op::Kind::LEFT_OUT : op.kind) {
                case Op::Kind::LEFT_OUT: place = op.end; break;
                case Op::Kind::MATCH: {
                    [[maybe_unused]] const auto timed = meter_.visit(op.node);
                    if constexpr (Sought::IS_ONE) {
                        if (sought_.can_be_only_row(op, place)) {
                            budget_.spend();
                            if (finds_row(*op.step, slots_, view_, sought_.row) && go_on(place, op, sought_.row)) {
                                return true;
                            }
                            place = op.end;
                            break;
                        }
                    }
                    if (for_each_row(*op.step, slots_, view_, budget_,
                                     [&](Row row) { return go_on(place, op, row); })) {
                        return true;
                    }
                    place = op.end;
                    break;
                }
                case Op::Kind::SWITCH: {
                    const std::uint32_t found = code_->table(op.operand).find(slots_[op.slot]);
                    if (found == 0 || (*code_)[found].is_unlinked()) {
                        place = op.end;
                        break;
                    }
                    if constexpr (Sought::IS_ONE) {
                        if (!sought_.may_find(found, slots_)) {
                            place = op.end;
                            break;
                        }
                    }
                    [[maybe_unused]] const auto timed = meter_.visit((*code_)[found].node);
                    if (accept((*code_)[found])) {
                        return true;
                    }
                    place = found + 1;
                    break;
                }
                case Op::Kind::FOUND: place = static_cast<std::uint32_t>(op.operand); break;
                default: {
                    [[maybe_unused]] const auto timed = meter_.visit(op.node);
                    const bool is_entered = holds(place, op);
                    if (is_entered && accept(op)) {
                        return true;
                    }
                    place = is_entered ? place + 1 : op.end;
                }
            }
        }
        return false;
    }

    // Continue from a row that an op has found.
    bool go_on(std::uint32_t place, const Op& op, [[maybe_unused]] Row row) {
        if constexpr (Sought::IS_ONE) {
            if (++sought_.met > sought_.most) {
                return true;
            }
            const bool was_found = sought_.is_found;
            sought_.is_found = was_found || (row == sought_.row && op.step->predicate == sought_.predicate);
            const bool is_stopped = accept(op) || walk(place + 1, op.end);
            sought_.is_found = was_found;
            return is_stopped;
        } else {
            return accept(op) || walk(place + 1, op.end);
        }
    }

    // Process the terminals of a node after it is entered.
    bool accept(const Op& op) {
        if constexpr (Sought::IS_ONE) {
            if (!sought_.is_found) {
                return false;
            }
        }
        if constexpr (Meter::COUNTS) {
            meter_.accept(op.node);
        }
        if (op.terminals == 0) {
            return false;
        }
        [[maybe_unused]] const auto timed = meter_.conclude(op.node);
        for (std::uint32_t number = op.terminal, end = number + op.terminals; number != end; ++number) {
            if (sink_.reached(code_->terminal(number), slots_)) {
                return true;
            }
        }
        return false;
    }

    bool holds(std::uint32_t place, const Op& op) {
        switch (op.kind) {
            case Op::Kind::EQUAL: return slots_[op.slot] == op.operand;
            case Op::Kind::TEST: return compares(slots_[op.slot], op.comparison, slots_[op.operand]);
            case Op::Kind::OTHER: return calculate(place, op);
            default: return true;
        }
    }

    bool calculate(std::uint32_t place, const Op& op) {
        const Step& step = *op.step;
        if (step.kind == Step::Kind::GUARD) {
            return guards_.holds(step, slots_, view_);
        }
        if (step.kind == Step::Kind::TEST) {
            return compares(value(step.left, slots_), step.comparison, value(step.right, slots_));
        }
        if (step.kind == Step::Kind::ASSIGN) {
            slots_[step.slot] = value(step.left, slots_);
            return true;
        }
        if (step.kind == Step::Kind::CALCULATE) {
            const Outcome outcome = evaluate(step.right_expression, slots_, slots_[step.slot]);
            if (outcome == Outcome::UNKNOWN) {
                sink_.overflowed(*code_, place);
            }
            return outcome == Outcome::KNOWN;
        }
        Cell left = 0;
        Cell right = 0;
        const Outcome of_left = evaluate(step.left_expression, slots_, left);
        const Outcome of_right = evaluate(step.right_expression, slots_, right);
        if (of_left != Outcome::KNOWN || of_right != Outcome::KNOWN) {
            if (of_left != Outcome::NONE && of_right != Outcome::NONE) {
                sink_.overflowed(*code_, place);
            }
            return false;
        }
        return compares(left, step.comparison, right);
    }

    const Trie& trie_;
    const Code* code_;
    Cell* slots_;
    const View& view_;
    Budget& budget_;
    GuardReader& guards_;
    Sink& sink_;
    [[no_unique_address]] Meter meter_;
    [[no_unique_address]] Sought sought_;
};

}  // namespace hornbook
