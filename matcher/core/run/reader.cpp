// Evaluation of conjunctions: the truth of each condition in three-valued logic, and the premises of true ones.
#include <algorithm>
#include <set>

#include "plan/pushdown.hpp"
#include "run/reader.hpp"

namespace hornbook {

Outcome evaluate(const Expression& expression, const Cell* slots, Cell& result) {
    constexpr std::size_t DEEP = 64;
    Cell short_stack[DEEP];
    std::vector<Cell> long_stack;
    Cell* stack = short_stack;
    if (expression.size() > DEEP) {
        long_stack.resize(expression.size());
        stack = long_stack.data();
    }
    std::size_t height = 0;
    for (const Instruction& each : expression) {
        if (each.is_push) {
            stack[height++] = value(each.term, slots);
            continue;
        }
        if (each.operation == Operator::CALL) {
            height -= each.operands;
            if (!each.called().call(stack + height, each.operands, stack[height])) {
                return Outcome::NONE;
            }
        } else {
            height -= 2;
            if (!apply(each.operation, stack[height], stack[height + 1], stack[height])) {
                return Outcome::UNKNOWN;
            }
        }
        ++height;
    }
    result = stack[0];
    return Outcome::KNOWN;
}

// Whether all variables of a residual have a value, except for one that it binds.
bool Reader::is_ready(const Residual& residual) const {
    const Variable* lacking = nullptr;
    for (const Variable& variable : residual.needs) {
        if (!computed[variable]) {
            if (lacking != nullptr) {
                return false;
            }
            lacking = &variable;
        }
    }
    return lacking == nullptr || std::find(residual.gives.begin(), residual.gives.end(), *lacking) != residual.gives.end();
}

Truth Reader::read(const Conjunction& conjunction, const Residual& residual, BodyMeter* meter) {
    if (meter == nullptr) {
        return read(residual);
    }
    const auto place = static_cast<std::size_t>(&residual - conjunction.residuals.data());
    const auto timed = meter->read(place);
    const Truth truth = read(residual);
    if (truth == Truth::TRUE) {
        meter->hold(place);
    }
    return truth;
}

Truth Reader::settle(const Conjunction& conjunction, BodyMeter* meter) {
    for (const Variable variable : conjunction.computed) {
        is_computed_[variable] = true;
        computed[variable] = false;
    }
    // Usually each is ready in the order of the plan; only an overflow leaves some waiting.
    bool overflowed = false;
    std::vector<const Residual*> left;
    for (const Residual& residual : conjunction.residuals) {
        if (residual.is_early) {
            continue;
        }
        if (!is_ready(residual)) {
            left.push_back(&residual);
            continue;
        }
        const Truth truth = read(conjunction, residual, meter);
        if (truth == Truth::FALSE) {
            return truth;
        }
        overflowed = overflowed || truth == Truth::UNKNOWN;
    }
    for (bool progress = true; progress && !left.empty();) {
        progress = false;
        std::vector<const Residual*> still;
        for (const Residual* residual : left) {
            if (!is_ready(*residual)) {
                still.push_back(residual);
                continue;
            }
            progress = true;
            const Truth truth = read(conjunction, *residual, meter);
            if (truth == Truth::FALSE) {
                return truth;
            }
            overflowed = overflowed || truth == Truth::UNKNOWN;
        }
        left = std::move(still);
    }
    return overflowed || !left.empty() ? Truth::UNKNOWN : Truth::TRUE;
}

Truth Reader::read(const Residual& residual) {
    switch (residual.kind) {
        case Kind::COMPARE: {
            const bool is_turned = is_variable(residual.right) && lacks(residual.right[0].term.index());
            const Expression& left = is_turned ? residual.right : residual.left;
            const Expression& right = is_turned ? residual.left : residual.right;
            Cell value = 0;
            const Outcome outcome = evaluate(right, values.data(), value);
            return compare(left, residual.comparison, outcome, value);
        }
        case Kind::COUNT: return count_of(residual, nullptr);
        case Kind::ALL: return all_of(residual, nullptr);
        case Kind::AGGREGATE: return aggregate(residual);
        case Kind::ABSENT: {
            Truth best = Truth::TRUE;
            solve(*residual.inner, [&](bool overflowed) {
                best = overflowed ? Truth::UNKNOWN : Truth::FALSE;
                return !overflowed;
            });
            return best;
        }
        default: return Truth::TRUE;
    }
}

bool EarlyReader::holds(const Step& step, const Cell* slots, const View& view) {
    const Guard& guard = *step.guard;
    if (reader_.values.size() < guard.variables) {
        reader_.begin(guard.variables);  // such a guard contains no calculations
    }
    for (std::size_t place = 0; place < step.key.size(); ++place) {
        reader_.values[place] = value(step.key[place], slots);
    }
    reader_.view = view;
    return reader_.solve(*guard.reading, [](bool) { return true; });
}

Truth Reader::compare(const Expression& left, Comparison comparison, Outcome of_right, Cell right) {
    const bool is_computed = is_variable(left) && lacks(left[0].term.index());
    Cell value = 0;
    const Outcome of_left = is_computed ? of_right : evaluate(left, values.data(), value);
    if (of_left == Outcome::NONE || of_right == Outcome::NONE) {
        return Truth::FALSE;
    }
    if (of_left == Outcome::UNKNOWN || of_right == Outcome::UNKNOWN) {
        return Truth::UNKNOWN;
    }
    if (is_computed) {
        values[left[0].term.index()] = right;
        computed[left[0].term.index()] = true;
        return Truth::TRUE;
    }
    return compares(value, comparison, right) ? Truth::TRUE : Truth::FALSE;
}

Fact Reader::fact_of(PredicateId predicate, Row row) const {
    const Relation& relation = *relations_[predicate];
    return {predicate, std::vector<Cell>(relation.cells(row), relation.cells(row) + relation.arity())};
}

template <class Take>
void Reader::members(const PlannedSet& set, bool of_count, Take&& take) {
    const PredicateId predicate = of_count ? set.count : set.member;
    const Relation& relation = *relations_[predicate];
    const Key key(set.key, values.data());
    relation.each_with(of_count ? set.count_index : set.member_index, key.cells(), [&](Row row) {
        budget_.spend();
        return view.accepts(predicate, relation, row) && take(row, relation.cells(row));
    });
}

std::vector<Row> Reader::sorted_members(const PlannedSet& set) {
    std::vector<Row> rows;
    members(set, false, [&](Row row, const Cell*) {
        rows.push_back(row);
        return false;
    });
    const Relation& relation = *relations_[set.member];
    std::sort(rows.begin(), rows.end(), [&](Row one, Row other) {
        return std::lexicographical_compare(relation.cells(one), relation.cells(one) + relation.arity(),
                                            relation.cells(other), relation.cells(other) + relation.arity());
    });
    return rows;
}

Truth Reader::all_of(const Residual& residual, Premise* premise) {
    const PlannedSet& set = residual.sets[0];
    std::optional<Cell> least;
    members(set, true, [&](Row, const Cell* cells) {
        least = std::min(least.value_or(cells[set.key.size()]), cells[set.key.size()]);
        return false;
    });
    if (!least) {
        return Truth::FALSE;
    }
    const std::size_t own = met_.size();
    members(set, false, [&](Row row, const Cell*) {
        met_.push_back(row);
        return false;
    });
    const std::size_t end = met_.size();
    auto remaining = static_cast<Cell>(end - own);
    if (remaining < *least) {
        met_.resize(own);
        return Truth::FALSE;
    }
    Cell proved = 0;
    Cell possible = 0;
    std::vector<Premise::Member> proofs;
    // Returns whether the remaining members are irrelevant.
    const auto look_at = [&](Row row, const Cell* cells) {
        --remaining;
        for (std::size_t place = 0; place < residual.variables.size(); ++place) {
            values[residual.variables[place]] = cells[set.key.size() + place];
        }
        bool is_possible = false;
        solve(*residual.inner, [&](bool overflowed) {
            is_possible = true;
            if (overflowed) {
                return false;
            }
            ++proved;
            if (premise != nullptr) {
                proofs.push_back({fact_of(set.member, row), premises(*residual.inner)});
            }
            return true;
        });
        possible += is_possible ? 1 : 0;
        return possible + remaining < *least || (premise == nullptr && proved >= *least);
    };
    if (premise != nullptr) {
        const std::vector<Row> sorted = sorted_members(set);
        std::copy(sorted.begin(), sorted.end(), met_.begin() + static_cast<std::ptrdiff_t>(own));
    }
    for (std::size_t place = own; place < end; ++place) {
        if (look_at(met_[place], relations_[set.member]->cells(met_[place])) && premise == nullptr) {
            break;
        }
    }
    met_.resize(own);
    if (proved < *least) {
        return *least <= possible ? Truth::UNKNOWN : Truth::FALSE;
    }
    if (premise != nullptr) {
        members(set, true, [&](Row row, const Cell* cells) {
            premise->fact = fact_of(set.count, row);
            return cells[set.key.size()] <= proved;
        });
        premise->kind = Premise::Kind::SET;
        premise->members = std::move(proofs);
    }
    return Truth::TRUE;
}

Truth Reader::count_of(const Residual& residual, Premise* premise) {
    united_.clear();
    std::size_t width = 0;
    for (const PlannedSet& set : residual.sets) {
        const std::size_t before = united_.size();
        width = relations_[set.member]->arity() - set.key.size();
        members(set, false, [&](Row, const Cell* cells) {
            united_.push_back(cells + set.key.size());
            return false;
        });
        Row complete = NO_ROW;
        members(set, true, [&](Row row, const Cell* cells) {
            complete = cells[set.key.size()] == static_cast<Cell>(united_.size() - before) ? row : NO_ROW;
            return complete != NO_ROW;
        });
        if (complete == NO_ROW) {
            return Truth::FALSE;
        }
        if (premise != nullptr) {
            Premise found;
            found.kind = Premise::Kind::SET;
            found.fact = fact_of(set.count, complete);
            for (const Row row : sorted_members(set)) {
                found.members.push_back({fact_of(set.member, row), {}});
            }
            premise->sets.push_back(std::move(found));
        }
    }
    if (premise != nullptr) {
        premise->kind = Premise::Kind::SETS;
        return Truth::TRUE;
    }
    if (residual.sets.size() > 1) {
        std::sort(united_.begin(), united_.end(), [&](const Cell* one, const Cell* other) {
            return std::lexicographical_compare(one, one + width, other, other + width);
        });
        const auto is_same = [&](const Cell* one, const Cell* other) { return std::equal(one, one + width, other); };
        united_.erase(std::unique(united_.begin(), united_.end(), is_same), united_.end());
    }
    const auto counted = std::count_if(united_.begin(), united_.end(), [&](const Cell* member) {
        return std::none_of(residual.excluded.begin(), residual.excluded.end(),
                            [&](const Term& term) { return value(term, values.data()) == *member; });
    });
    return compare(residual.left, Comparison::EQUAL, Outcome::KNOWN, counted);
}

Truth Reader::aggregate(const Residual& residual) {
    std::set<std::vector<Cell>> distinct;
    Wide sum = 0;
    Cell least = std::numeric_limits<Cell>::max();
    Cell greatest = std::numeric_limits<Cell>::min();
    bool is_unknown = false;
    bool is_empty = true;
    solve(*residual.inner, [&](bool overflowed) {
        is_unknown = overflowed;
        if (overflowed) {
            return true;
        }
        is_empty = false;
        if (residual.function == Function::COUNT) {
            std::vector<Cell> row;
            for (const Variable variable : residual.variables) {
                row.push_back(values[variable]);
            }
            distinct.insert(std::move(row));
            return false;
        }
        const Cell cell = values[residual.variables[0]];
        sum += cell;
        least = std::min(least, cell);
        greatest = std::max(greatest, cell);
        return false;
    });
    if (is_unknown) {
        return Truth::UNKNOWN;
    }
    switch (residual.function) {
        case Function::COUNT:
            return compare(residual.left, Comparison::EQUAL, Outcome::KNOWN, static_cast<Cell>(distinct.size()));
        case Function::SUM: {
            const bool fits = sum >= std::numeric_limits<Cell>::min() && sum <= std::numeric_limits<Cell>::max();
            return compare(residual.left, Comparison::EQUAL, fits ? Outcome::KNOWN : Outcome::UNKNOWN, static_cast<Cell>(sum));
        }
        default:
            return is_empty ? Truth::FALSE
                            : compare(residual.left, Comparison::EQUAL, Outcome::KNOWN,
                                      residual.function == Function::MIN ? least : greatest);
    }
}

std::vector<Premise> Reader::premises(const Conjunction& conjunction) {
    const Body& body = *conjunction.body;
    std::vector<Premise> result(body.conditions.size());
    for (std::size_t place = 0; place < body.conditions.size(); ++place) {
        const Condition& condition = body.conditions[place];
        if (condition.kind != Kind::MATCH) {
            continue;
        }
        result[place].kind = Premise::Kind::FACT;
        result[place].fact.predicate = condition.predicate;
        for (std::uint32_t column = 0; column < condition.count; ++column) {
            result[place].fact.cells.push_back(value(body.terms_of(condition)[column], values.data()));
        }
    }
    for (const Residual& residual : conjunction.residuals) {
        if (residual.kind == Kind::ALL) {
            all_of(residual, &result[residual.place]);
        } else if (residual.kind == Kind::COUNT) {
            count_of(residual, &result[residual.place]);
        }
    }
    return result;
}

}  // namespace hornbook
