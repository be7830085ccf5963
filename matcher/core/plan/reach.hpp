// What lies between the slots of a walk and a given fact: the ops of a code from which the fact can still be
// found.
//
// A *reader* is an op that reads the fact's predicate. It finds the fact only if the cells of its key are those
// of the fact. If a slot of its key is filled by a row of an earlier op, that row joins the key of the earlier
// op with the fact's cell, and so on. So each op has *demands*: pairs of a slot filled before and a number of
// joins. If no demanded slot is within its number of joins of the fact, no reader from the op on finds the
// fact.
//
// Invariants: demands are necessary for finding the fact, not sufficient. `Distances` are lower bounds.
#pragma once

#include <limits>
#include <vector>

#include "plan/trie.hpp"

namespace hornbook {

// The demands of all ops of a code, for facts of one predicate.
class Reach {
public:
    // A slot, and the maximal number of joins between its cell and the fact.
    struct Demand {
        std::uint32_t slot = 0;
        std::uint32_t joins = 0;
    };
    // The rows of a relation join two of its columns: `to` is nearer to the fact.
    struct Join {
        const Relation* relation = nullptr;
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool operator==(const Join&) const = default;
    };

    Reach(const Code& code, PredicateId predicate);

    // Whether a reader below an op reads the predicate too.
    [[nodiscard]] bool has_reader_below(std::uint32_t place) const { return spans_[place].has_reader_below; }
    // Whether a reader from an op on can find the fact, with these distances and slots.
    template <class Distances>
    [[nodiscard]] bool may_find(std::uint32_t place, const Cell* slots, const Distances& distances) const {
        const Span& span = spans_[place];
        for (const Demand* each = demands_.data() + span.first, *end = each + span.count; each != end; ++each) {
            if (each->slot == ANY || distances.of(slots[each->slot]) <= each->joins) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] const std::vector<Join>& joins() const { return joins_; }
    // The columns of the fact whose cells are demanded.
    [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }
    [[nodiscard]] std::uint32_t most_joins() const { return most_joins_; }

private:
    static constexpr std::uint32_t ANY = std::numeric_limits<std::uint32_t>::max();  // the slot if nothing is demanded
    struct Span {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        bool has_reader_below = false;
    };

    void add(const Code& code, std::uint32_t place, PredicateId predicate);
    void demand(std::uint32_t slot, std::uint32_t joins);
    void demand_key(const Step& step, std::uint32_t joins, std::uint32_t to, bool is_reader);

    std::vector<Span> spans_;  // by op
    std::vector<Demand> demands_;
    std::vector<Join> joins_;
    std::vector<std::uint32_t> columns_;
    std::uint32_t most_joins_ = 0;
    std::vector<Demand> collected_, below_;  // of the op under construction, and of the ops below it
};

// The number of joins between each cell and a fact, over the linked rows of the given joins.
class Distances {
public:
    // `most`: the maximal cost, in steps of a walk; if it is not enough, all distances are 0.
    Distances(const std::vector<const Reach*>& reaches, const Cell* fact, std::uint64_t most);

    [[nodiscard]] std::uint32_t of(Cell cell) const {
        const auto place = static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(base_);
        return place < joins_.size() ? joins_[place] : outside_;
    }
    // The cost, in steps of a walk.
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
    static constexpr std::uint64_t ROWS_A_STEP = 8;  // the rows that are visited here in the time of a step
    static constexpr std::uint32_t FAR = std::numeric_limits<std::uint32_t>::max();
    Cell base_ = 0;
    std::vector<std::uint32_t> joins_;  // by cell - base
    std::uint32_t outside_ = 0;
    std::uint64_t steps_ = 0;
};

}  // namespace hornbook
