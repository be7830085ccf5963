// The facts of one predicate, stored flat, with the indexes that joins use.
//
// Invariants:
// - A row is the index of one fact. A fact has at most one row, found by its cells. A row with support 0 is
//   no fact (any
//   more); it may become one again.
// - Rows from `tabled_` on were appended as new and are in no table yet: the first search for a fact enters
//   them.
// - A row is *linked* if joins see it: it is then in every awake index exactly once.
// - An index wakes when it is first read, or when sleeping longer would change the order of its chains. If the
//   rows are ascending, it may sleep on: the rows of a key are then searched, in the order of a chain.
// - An index chains the rows of one key. Unlinking keeps a row's neighbours in its chain, so that undoing
//   changes in the
//   reverse order restores every chain exactly (Knuth 2000, "Dancing links").
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/buffer.hpp"
#include "data/faults.hpp"
#include "data/table.hpp"

namespace hornbook {

class Relation;

// The linked rows of a relation, chained by their cells in some columns.
class Index {
public:
    Index(const Relation& relation, std::vector<std::uint32_t> columns);

    // The first row of the chain of a key. If the index is hashed by several columns, the chain may also
    // contain rows of another key, unless `is_exact` is true.
    [[nodiscard]] Row first(const Cell* key) const {
        if (places_ != 0) {
            const std::uint64_t place = box_.place(key);
            return place == OUTSIDE ? NO_ROW : heads_[place];
        }
        const std::uint64_t hash = hash_of(key);
        for (std::size_t slot = mix(hash) & mask_;; slot = (slot + 1) & mask_) {
            if (heads_[slot] == EMPTY || keys_[slot] == hash) {
                return heads_[slot] == EMPTY ? NO_ROW : heads_[slot];
            }
        }
    }
    [[nodiscard]] Row next(Row row) const { return next_[row]; }
    [[nodiscard]] bool is_exact() const { return places_ != 0 || columns_.size() <= 1; }
    [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }
    // How many of its columns are the first ones of the relation, in order.
    [[nodiscard]] std::uint32_t leading() const { return leading_; }
    [[nodiscard]] bool is_asleep() const { return is_asleep_; }
    // Whether the searches so far, with one that reads some more rows, cost less than building the chains.
    bool may_search(Row more, Row rows) {
        constexpr std::uint64_t SEARCH = 2;  // the cost of finding the first row, in rows
        constexpr std::uint64_t BUILD = 8;   // the cost of a row in its chain, in rows
        searched_ += SEARCH + more;
        return searched_ <= BUILD * (rows + SEARCH);
    }
    [[nodiscard]] std::size_t bytes() const {
        return (next_.capacity() + previous_.capacity() + heads_.capacity()) * sizeof(Row) +
               keys_.capacity() * sizeof(std::uint64_t);
    }

    // Build the chains, unless they exist; `fresh` is about to be linked, or NO_ROW.
    void wake(const Relation& relation, Row fresh = NO_ROW) {
        if (is_asleep_) {
            build(relation, fresh);
        }
    }
    void link(const Relation& relation, Row row) {
        if (is_asleep_ && row >= sleeps_from_) {
            sleeps_from_ = row + 1;
            return;
        }
        wake(relation, row);
        enter(relation, row);
    }
    void unlink(const Relation& relation, Row row);
    void relink(const Relation& relation, Row row);  // undoes the last unlink that is not undone yet
    void forget(Row row);  // removes a row that was appended
    void expect(Row rows);  // this is the number of linked rows, and there were none before
    // Remove all rows, which the relation still has, but keep the memory of the table.
    void reset(const Relation& relation);

    // The neighbours that an unlinked row remembers, and a function to set them.
    [[nodiscard]] std::uint64_t neighbours(Row row) const {
        return row < next_.size() ? (std::uint64_t{next_[row]} << 32U) | previous_[row] : NO_NEIGHBOURS;
    }
    void remember(Row row, std::uint64_t neighbours) {
        if (row < next_.size()) {
            next_[row] = static_cast<Row>(neighbours >> 32U);
            previous_[row] = static_cast<Row>(neighbours);
        }
    }
    static constexpr std::uint64_t NO_NEIGHBOURS = (std::uint64_t{NO_ROW - 2} << 32U) | (NO_ROW - 2);

private:
    static constexpr Row EMPTY = NO_ROW - 1;    // a slot without a key
    static constexpr Row UNKNOWN = NO_ROW - 2;  // a neighbour that was never recorded

    [[nodiscard]] std::uint64_t hash_of(const Cell* key) const {
        return columns_.size() == 1 ? static_cast<std::uint64_t>(key[0]) : hash_cells(key, columns_.size());
    }
    void key_of(const Relation& relation, Row row, Cell* key) const;
    void build(const Relation& relation, Row fresh);
    void enter(const Relation& relation, Row row);
    Row& head(const Relation& relation, const Cell* key);
    void rebuild(const Relation& relation);
    void push(Row& head, Row row);

    std::vector<std::uint32_t> columns_;
    std::uint32_t leading_ = 0;
    std::uint64_t searched_ = 0;  // rows, since the last reset
    Buffer<Row> next_, previous_;
    Buffer<Row> heads_;
    Buffer<std::uint64_t> keys_;
    Box box_;
    std::uint64_t places_ = 0;
    std::size_t mask_ = 0;
    std::size_t used_ = 0;
    bool is_asleep_ = true;
    bool is_fitted_ = false;  // the table was made for earlier rows and is empty
    Row sleeps_from_;  // while it sleeps: rows from here on come last in any case
};

class Relation {
public:
    // `most_rows`: throws TooLarge for more rows.
    explicit Relation(const Predicate& predicate, Row most_rows = MOST_ROWS);
    const Predicate predicate;
    // The last numbers have other meanings: no row, an empty slot, an unknown neighbour.
    static constexpr Row MOST_ROWS = NO_ROW - 2;

    // The support of a row: the highest bit if the fact is given, the others for the number of its derivations.
    static constexpr std::uint32_t GIVEN = 1U << 31U;
    static constexpr std::uint32_t MOST_DERIVATIONS = GIVEN - 1;

    [[nodiscard]] std::uint32_t arity() const { return predicate.arity; }
    [[nodiscard]] Row size() const { return size_; }
    [[nodiscard]] std::size_t linked_count() const { return linked_; }
    [[nodiscard]] const Cell* cells(Row row) const { return cells_.data() + std::size_t{row} * stride_ + 1; }
    [[nodiscard]] std::uint32_t& support(Row row) { return header(row).support; }
    [[nodiscard]] std::uint32_t support(Row row) const { return header(row).support; }
    [[nodiscard]] std::uint8_t& flags(Row row) { return header(row).flags; }
    [[nodiscard]] std::uint8_t flags(Row row) const { return header(row).flags; }
    [[nodiscard]] bool is_linked(Row row) const { return (flags(row) & LINKED) != 0; }
    [[nodiscard]] bool is_given(Row row) const { return (support(row) & GIVEN) != 0; }

    // Other data of a row; it precedes its cells, so that both enter the cache together.
    struct Header {
        std::uint32_t support;
        std::uint8_t flags;
        std::uint8_t change;  // the effect of update number `epoch`
        std::uint16_t epoch;
    };
    static_assert(sizeof(Header) == sizeof(Cell));
    [[nodiscard]] Header& header(Row row) {
        return *reinterpret_cast<Header*>(cells_.data() + std::size_t{row} * stride_);
    }

    [[nodiscard]] Row find(const Cell* cells) const { return find(cells, hash(cells)); }
    // The row of a fact, and whether it is new (then its support is 0 and it is not linked).
    std::pair<Row, bool> insert(const Cell* cells) { return insert(cells, hash(cells)); }

    // For many lookups, each can be prefetched into the cache during the others: first its slot in the table,
    // then its row.
    [[nodiscard]] std::uint64_t hash(const Cell* cells) const {
        return direct_.empty() ? hash_cells(cells, predicate.arity) : 0;
    }
    void prefetch_slot(const Cell* cells, std::uint64_t hash) const {
        if (direct_.empty()) {
            __builtin_prefetch(&slots_[static_cast<std::uint32_t>(hash) & mask_]);
        } else if (const std::uint64_t place = box_.place(cells); place != OUTSIDE) {
            __builtin_prefetch(&direct_[place]);
        }
    }
    void prefetch_row(const Cell* cells, std::uint64_t hash) const {
        Row row = NO_ROW;
        if (direct_.empty()) {
            row = slots_[static_cast<std::uint32_t>(hash) & mask_].row;
        } else if (const std::uint64_t place = box_.place(cells); place != OUTSIDE) {
            row = direct_[place];
        }
        if (row != NO_ROW) {
            __builtin_prefetch(this->cells(row) - 1);
            __builtin_prefetch(this->cells(row) + predicate.arity - 1);
        }
    }
    // `hash` may be from an earlier shape of the table.
    [[nodiscard]] Row find(const Cell* cells, std::uint64_t hash) const;
    std::pair<Row, bool> insert(const Cell* cells, std::uint64_t hash);
    // The place for the cells of the next row; data written there is no fact before `append_room`.
    Cell* room() {
        if (cells_.size() + stride_ > cells_.capacity()) {
            cells_.reserve(cells_.size() + stride_);
        }
        return cells_.data() + cells_.size() + 1;
    }
    // A row for a fact that has none, as the caller guarantees; there is no lookup.
    Row append_room(std::uint32_t support = 0);
    Row append(const Cell* cells) {
        copy_cells(cells, predicate.arity, room());
        return append_room();
    }
    void clear();  // removes all facts
    // Remove all facts, but keep the memory of tables and indexes for others. No journal may mention its rows.
    void reset();
    void count_facts(bool was_fact, bool is_fact) {
        facts_ += static_cast<std::size_t>(is_fact) - static_cast<std::size_t>(was_fact);
    }
    void count_facts(std::size_t more) { facts_ += more; }
    // Append given facts in ascending order to a relation without facts, and link them. The ranges of their
    // columns may be too large.
    void append_given(const Cell* cells, std::size_t count, const Cell* least, const Cell* greatest);
    // Whether all rows are linked, and each is greater than the one before it. False if that is not known.
    [[nodiscard]] bool is_ascending() const { return is_ascending_; }
    // Rows without a fact are kept, because facts often return; if they are many, they may be reused.
    void sweep();
    void take_back(Row row);  // undoes `insert` of a new row

    void link(Row row);
    void unlink(Row row);
    void undo_unlink(Row row);

    // The number of the index on these columns, which is created if needed.
    std::uint32_t index_on(const std::vector<std::uint32_t>& columns);
    // An index for reading.
    [[nodiscard]] const Index& index(std::uint32_t number) const {
        Index& index = *indexes_[number];
        index.wake(*this);
        return index;
    }
    // Calls `take(row)` for the linked rows with a key in the columns of an index, until one call returns true;
    // returns whether one did.
    template <class Take>
    bool each_with(std::uint32_t number, const Cell* key, Take&& take) const;
    [[nodiscard]] const std::vector<std::uint32_t>& columns_of(std::uint32_t number) const { return indexes_[number]->columns(); }
    [[nodiscard]] std::size_t indexes() const { return indexes_.size(); }
    // The neighbours that an unlinked row remembers in an index, and a function to set them.
    [[nodiscard]] std::uint64_t neighbours(std::uint32_t index, Row row) const { return indexes_[index]->neighbours(row); }
    void remember(std::uint32_t index, Row row, std::uint64_t neighbours) { indexes_[index]->remember(row, neighbours); }

    // The approximate number of distinct cells of the linked rows in a column, from a sample if there are
    // many. It is measured again after the relation has doubled.
    [[nodiscard]] std::size_t distinct(std::uint32_t column);

    void rank_rows();  // from now on each row has a birth
    [[nodiscard]] bool is_ranked() const { return is_ranked_; }
    [[nodiscard]] std::size_t bytes() const;

    [[nodiscard]] const std::vector<Cell>& least() const { return least_; }
    [[nodiscard]] const std::vector<Cell>& greatest() const { return greatest_; }

    bool is_concluded = false;  // rules conclude it
    bool is_hidden = false;     // it stores a part of a body, and is not visible to users
    Buffer<std::uint64_t> birth;  // its neighbours are remembered

    static constexpr std::uint8_t LINKED = 1, TO_ADD = 2, TO_DELETE = 4, SUSPECT = 8, FREE = 32,
                                  WAS_UNLINKED = 64;  // its neighbours are remembered

private:
    [[nodiscard]] bool has(Row row, const Cell* cells) const {
        const Cell* own = this->cells(row);
        for (std::uint32_t column = 0; column < predicate.arity; ++column) {
            if (own[column] != cells[column]) {
                return false;
            }
        }
        return true;
    }
    [[noreturn]] void refuse_row() const;
    void enter(Row row, std::uint64_t hash) const;
    void place(Row row, std::uint64_t hash) const;
    void displace(Row row);
    // The ascending rows that begin with a key, from the first to before the second.
    [[nodiscard]] std::pair<Row, Row> rows_beginning(const Cell* key, std::uint32_t width) const {
        if (starts_.empty() && !find_starts()) {
            return search_rows(key, width, 0, size_);
        }
        const auto place = static_cast<std::uint64_t>(key[0]) - static_cast<std::uint64_t>(least_[0]);
        if (place >= starts_.size() - 1) {
            return {0, 0};
        }
        const Row first = starts_[place], end = starts_[place + 1];
        return width == 1 ? std::pair(first, end) : search_rows(key, width, first, end);
    }
    [[nodiscard]] std::pair<Row, Row> search_rows(const Cell* key, std::uint32_t width, Row first, Row end) const;
    bool find_starts() const;
    void rebuild(Row fresh) const;
    void complete_table() const;

    [[nodiscard]] const Header& header(Row row) const {
        return *reinterpret_cast<const Header*>(cells_.data() + std::size_t{row} * stride_);
    }

    const std::size_t stride_;
    const Row most_rows_;
    Buffer<Cell> cells_;
    Row size_ = 0;
    std::size_t linked_ = 0;
    std::size_t facts_ = 0;
    Buffer<Row> free_;
    std::vector<Cell> least_, greatest_;

    // The table of rows by cells: direct, or hashed with the low half of the hash next to the row. Readers
    // complete it.
    struct Slot {
        std::uint32_t tag;
        Row row;
    };
    mutable Row tabled_ = 0;
    mutable Buffer<Row> direct_;
    mutable Box box_;
    mutable Buffer<Slot> slots_;
    mutable std::size_t mask_ = 0;
    mutable std::size_t used_ = 0;

    std::vector<std::unique_ptr<Index>> indexes_;
    bool is_ranked_ = false;
    bool is_ascending_ = false;
    mutable std::uint32_t searches_ = 0;  // among ascending rows, since the last reset
    mutable Buffer<Row> starts_;  // of ascending rows: the first row of each first cell, from the least one on
    struct Distinct {
        std::size_t rows = 0;
        std::size_t values = 0;
    };
    std::vector<Distinct> distinct_;
};

inline Row Relation::append_room(std::uint32_t support) {
    // Make room first, so that nothing has changed on failure.
    if (size_ >= most_rows_) {
        refuse_row();
    }
    if (is_ranked_) {
        birth.push_back(0);
    }
    const Row row = size_++;
    is_ascending_ = false;
    cells_.take_room(stride_);
    header(row) = {support, 0, 0, 0};
    const Cell* fact = cells(row);
    for (std::size_t column = 0; column < predicate.arity; ++column) {
        if (fact[column] < least_[column]) {
            least_[column] = fact[column];
        }
        if (fact[column] > greatest_[column]) {
            greatest_[column] = fact[column];
        }
    }
    return row;
}

template <class Take>
bool Relation::each_with(std::uint32_t number, const Cell* key, Take&& take) const {
    Index& index = *indexes_[number];
    const std::vector<std::uint32_t>& columns = index.columns();
    const auto has_key = [&](Row row, std::uint32_t from) {
        const Cell* own = cells(row);
        for (std::size_t place = from; place < columns.size(); ++place) {
            if (own[columns[place]] != key[place]) {
                return false;
            }
        }
        return true;
    };
    if (is_ascending_ && index.is_asleep()) {
        const std::uint32_t leading = index.leading();
        auto [first, row] = leading == 0 ? std::pair(Row{0}, size_) : rows_beginning(key, leading);
        if (index.may_search(row - first, size_)) {
            while (row-- > first) {
                if (has_key(row, leading) && take(row)) {
                    return true;
                }
            }
            return false;
        }
    }
    index.wake(*this);
    const bool is_exact = index.is_exact();
    for (Row row = index.first(key); row != NO_ROW; row = index.next(row)) {
        if ((is_exact || has_key(row, 0)) && take(row)) {
            return true;
        }
    }
    return false;
}

}  // namespace hornbook
