#include "plan/reach.hpp"

#include <algorithm>

namespace hornbook {

namespace {

// The column of a relation that the cell of a key at this place is compared with.
std::uint32_t column_of(const Step& step, std::uint32_t place) {
    return step.kind == Step::Kind::LOOKUP ? step.relation->columns_of(step.index)[place] : place;
}

// The place of the slot in a key that was filled first, or NOTHING.
std::int32_t earliest(const std::vector<Term>& key) {
    std::int32_t found = NOTHING;
    for (std::size_t place = 0; place < key.size(); ++place) {
        if (key[place].is_variable() && (found == NOTHING || key[place].value < key[static_cast<std::size_t>(found)].value)) {
            found = static_cast<std::int32_t>(place);
        }
    }
    return found;
}

// The output of a step that fills a slot from a row, or null.
const Field* output(const Step& step, std::uint32_t slot) {
    const auto found = std::find_if(step.outputs.begin(), step.outputs.end(), [&](const Field& field) { return field.slot == slot; });
    return found == step.outputs.end() ? nullptr : &*found;
}

// Whether a step fills a slot, from a row or by a calculation.
bool fills(const Step& step, std::uint32_t slot) {
    const bool calculates = step.kind == Step::Kind::CALCULATE || step.kind == Step::Kind::ASSIGN;
    return (calculates && step.slot == slot) || output(step, slot) != nullptr;
}

template <class Item>
void add_once(std::vector<Item>& items, const Item& item) {
    if (std::find(items.begin(), items.end(), item) == items.end()) {
        items.push_back(item);
    }
}

}  // namespace

// Reach

// The ops below an op follow it.
Reach::Reach(const Code& code, PredicateId predicate) : spans_(code.size()) {
    for (std::uint32_t place = code.size(); place-- > 0;) {
        add(code, place, predicate);
    }
    collected_ = below_ = {};
}

void Reach::add(const Code& code, std::uint32_t place, PredicateId predicate) {
    const Op& op = code[place];
    const bool is_reader = op.kind == Op::Kind::MATCH && op.step->predicate == predicate;
    const auto fills_demanded = [&](const Span& span) {
        const auto first = demands_.begin() + span.first;
        return op.step != nullptr && std::any_of(first, first + span.count, [&](const Demand& each) {
            return fills(*op.step, each.slot);
        });
    };
    Span& span = spans_[place];
    const bool is_one = op.end != place + 1 && code[place + 1].end == op.end;
    if (is_one && !is_reader && !fills_demanded(spans_[place + 1])) {  // true for most ops
        span = spans_[place + 1];
        span.has_reader_below = span.count != 0;
        return;
    }
    collected_.clear();
    for (std::uint32_t child = place + 1; child != op.end; child = code[child].end) {
        for (std::uint32_t number = 0; number < spans_[child].count; ++number) {
            const Demand each = demands_[spans_[child].first + number];
            demand(each.slot, each.joins);
        }
    }
    span.has_reader_below = !collected_.empty();
    // Demands of slots that this op fills become demands of slots before it.
    if (op.step != nullptr) {
        below_.swap(collected_);
        collected_.clear();
        for (const Demand& each : below_) {
            if (!fills(*op.step, each.slot)) {
                demand(each.slot, each.joins);
            } else if (op.kind == Op::Kind::MATCH) {
                demand_key(*op.step, each.joins + 1, output(*op.step, each.slot)->column, false);
            } else {
                demand(ANY, 0);
            }
        }
    }
    if (is_reader) {
        demand_key(*op.step, 0, 0, true);
    }
    span.first = static_cast<std::uint32_t>(demands_.size());
    span.count = static_cast<std::uint32_t>(collected_.size());
    demands_.insert(demands_.end(), collected_.begin(), collected_.end());
}

void Reach::demand(std::uint32_t slot, std::uint32_t joins) {
    if (!collected_.empty() && collected_.front().slot == ANY) {
        return;
    }
    if (slot == ANY) {
        collected_.assign(1, {ANY, 0});
        return;
    }
    const auto found = std::find_if(collected_.begin(), collected_.end(), [&](const Demand& each) { return each.slot == slot; });
    if (found == collected_.end()) {
        collected_.push_back({slot, joins});
    } else {
        found->joins = std::max(found->joins, joins);
    }
    most_joins_ = std::max(most_joins_, joins);
}

// Demand the slot of a step's key that was filled first. The step reads the fact itself, or its row joins that
// slot with the column `to`.
void Reach::demand_key(const Step& step, std::uint32_t joins, std::uint32_t to, bool is_reader) {
    const std::int32_t place = earliest(step.key);
    if (place == NOTHING) {
        demand(ANY, 0);
        return;
    }
    const std::uint32_t column = column_of(step, static_cast<std::uint32_t>(place));
    if (is_reader) {
        add_once(columns_, column);
    } else {
        add_once(joins_, Join{step.relation, column, to});
    }
    demand(step.key[static_cast<std::size_t>(place)].index(), joins);
}

// Distances

Distances::Distances(const std::vector<const Reach*>& reaches, const Cell* fact, std::uint64_t most) {
    std::vector<Reach::Join> joins;
    std::vector<Cell> sources;
    std::uint32_t most_joins = 0;
    for (const Reach* reach : reaches) {
        for (const Reach::Join& join : reach->joins()) {
            add_once(joins, join);
        }
        for (const std::uint32_t column : reach->columns()) {
            add_once(sources, fact[column]);
        }
        most_joins = std::max(most_joins, reach->most_joins());
    }
    std::erase_if(joins, [](const Reach::Join& join) { return join.relation->linked_count() == 0; });
    if (sources.empty()) {
        return;
    }
    Cell least = *std::min_element(sources.begin(), sources.end());
    Cell greatest = *std::max_element(sources.begin(), sources.end());
    std::uint64_t rows = 0;
    for (const Reach::Join& join : joins) {
        rows += join.relation->size();
        for (const std::uint32_t column : {join.from, join.to}) {
            least = std::min(least, join.relation->least()[column]);
            greatest = std::max(greatest, join.relation->greatest()[column]);
        }
    }
    const std::uint64_t range = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
    if (range >= most_places(rows) || rows * most_joins > most * ROWS_A_STEP) {
        return;
    }
    base_ = least;
    outside_ = FAR;
    joins_.assign(range + 1, FAR);
    const auto at = [&](Cell cell) -> std::uint32_t& {
        return joins_[static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(base_)];
    };
    for (const Cell source : sources) {
        at(source) = 0;
    }
    bool is_changed = true;
    for (std::uint32_t number = 0; number < most_joins && is_changed; ++number) {
        is_changed = false;
        for (const Reach::Join& join : joins) {
            const Row end = join.relation->size();
            for (Row row = 0; row < end; ++row) {
                const Cell* cells = join.relation->cells(row);
                std::uint32_t& from = at(cells[join.from]);
                if (from == FAR && at(cells[join.to]) == number && join.relation->is_linked(row)) {
                    from = number + 1;
                    is_changed = true;
                }
            }
        }
        steps_ += rows / ROWS_A_STEP;
    }
}

}  // namespace hornbook
