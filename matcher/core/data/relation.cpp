#include "data/relation.hpp"

#include <array>
#include <unordered_set>

namespace hornbook {

namespace {
constexpr std::size_t LARGEST_KEY_ON_STACK = 16;

// The cells of a key, on the stack if it is short.
class Key {
public:
    explicit Key(std::size_t width) {
        if (width > LARGEST_KEY_ON_STACK) {
            long_.resize(width);
        }
    }
    Cell* data() { return long_.empty() ? short_ : long_.data(); }

private:
    Cell short_[LARGEST_KEY_ON_STACK];
    std::vector<Cell> long_;
};
}  // namespace

// Index

Index::Index(const Relation& relation, std::vector<std::uint32_t> columns)
    : columns_(std::move(columns)), sleeps_from_(relation.size()) {
    while (leading_ < columns_.size() && columns_[leading_] == leading_) {
        ++leading_;
    }
}

void Index::build(const Relation& relation, Row fresh) {
    next_.assign(relation.size(), UNKNOWN);
    previous_.assign(relation.size(), UNKNOWN);
    if (!is_fitted_) {
        heads_.clear();
        rebuild(relation);
    }
    is_fitted_ = false;
    const Row size = relation.size();
    for (Row row = 0; row < size; ++row) {
        if (!relation.is_linked(row) || row == fresh) {
            continue;
        }
        const std::uint64_t place = places_ == 0 ? OUTSIDE : box_.place(relation.cells(row), columns_.data());
        if (place == OUTSIDE) {
            enter(relation, row);
        } else {
            push(heads_[place], row);
        }
    }
    is_asleep_ = false;
}

void Index::key_of(const Relation& relation, Row row, Cell* key) const {
    const Cell* cells = relation.cells(row);
    for (std::size_t place = 0; place < columns_.size(); ++place) {
        key[place] = cells[columns_[place]];
    }
}

void Index::push(Row& head, Row row) {
    next_[row] = head;
    previous_[row] = NO_ROW;
    if (head != NO_ROW) {
        previous_[head] = row;
    }
    head = row;
}

Row& Index::head(const Relation& relation, const Cell* key) {
    for (;;) {
        if (places_ != 0) {
            const std::uint64_t place = box_.place(key);
            if (place != OUTSIDE) {
                return heads_[place];
            }
        } else if ((used_ + 1) * 3 <= heads_.size() * 2) {
            const std::uint64_t hash = hash_of(key);
            for (std::size_t slot = mix(hash) & mask_;; slot = (slot + 1) & mask_) {
                if (heads_[slot] == EMPTY) {
                    heads_[slot] = NO_ROW;
                    keys_[slot] = hash;
                    ++used_;
                    return heads_[slot];
                }
                if (keys_[slot] == hash) {
                    return heads_[slot];
                }
            }
        }
        rebuild(relation);
    }
}

void Index::rebuild(const Relation& relation) {
    // The chains keep their order: each is pushed again from its end.
    std::vector<Row> old;
    std::size_t chains = 0;
    for (const Row first : heads_) {
        if (first == NO_ROW || first == EMPTY) {
            continue;
        }
        ++chains;
        const std::size_t begin = old.size();
        for (Row row = first; row != NO_ROW; row = next_[row]) {
            old.push_back(row);
        }
        std::reverse(old.begin() + static_cast<std::ptrdiff_t>(begin), old.end());
    }
    std::vector<Cell> least, greatest;
    for (const std::uint32_t column : columns_) {
        least.push_back(relation.least()[column]);
        greatest.push_back(relation.greatest()[column]);
    }
    box_ = relation.size() == 0 ? Box() : Box::around(least, greatest, most_places(relation.linked_count()));
    places_ = box_.size();
    used_ = 0;
    if (places_ != 0) {
        heads_.assign(places_, NO_ROW);
        keys_ = Buffer<std::uint64_t>();
    } else {
        const std::size_t capacity = power_of_two_above(4 * chains + 8);
        heads_.assign(capacity, EMPTY);
        keys_.assign(capacity, 0);
        mask_ = capacity - 1;
    }
    Key key(columns_.size());
    for (const Row row : old) {
        key_of(relation, row, key.data());
        push(head(relation, key.data()), row);
    }
}

void Index::enter(const Relation& relation, Row row) {
    if (next_.size() <= row) {
        next_.resize(relation.size(), UNKNOWN);
        previous_.resize(relation.size(), UNKNOWN);
    }
    Key key(columns_.size());
    key_of(relation, row, key.data());
    push(head(relation, key.data()), row);
}

void Index::unlink(const Relation& relation, Row row) {
    const Row next = next_[row];
    const Row previous = previous_[row];
    if (previous == NO_ROW) {
        Key key(columns_.size());
        key_of(relation, row, key.data());
        head(relation, key.data()) = next;
    } else {
        next_[previous] = next;
    }
    if (next != NO_ROW) {
        previous_[next] = previous;
    }
}

void Index::relink(const Relation& relation, Row row) {
    if (next_.size() <= row || next_[row] == UNKNOWN) {  // the index is newer than the unlinking
        enter(relation, row);
        return;
    }
    const Row next = next_[row];
    const Row previous = previous_[row];
    if (previous == NO_ROW) {
        Key key(columns_.size());
        key_of(relation, row, key.data());
        head(relation, key.data()) = row;
    } else {
        next_[previous] = row;
    }
    if (next != NO_ROW) {
        previous_[next] = row;
    }
}

void Index::expect(Row rows) {
    is_fitted_ = is_fitted_ || !is_asleep_;  // it was made for no rows
    is_asleep_ = true;
    sleeps_from_ = rows;
}

void Index::reset(const Relation& relation) {
    constexpr std::size_t FEW = 64;
    constexpr std::size_t MOST = 16;  // slots a row
    if (!is_asleep_) {
        if (places_ != 0) {
            const auto size = static_cast<Row>(next_.size());
            for (Row row = 0; row < size; ++row) {
                if (const std::uint64_t place = box_.place(relation.cells(row), columns_.data()); place != OUTSIDE) {
                    heads_[place] = NO_ROW;
                }
            }
            is_fitted_ = true;
        } else if (heads_.size() <= FEW + MOST * relation.size()) {
            heads_.assign(heads_.size(), EMPTY);
            used_ = 0;
            is_fitted_ = true;
        }
        is_asleep_ = true;
    }
    next_.clear();
    previous_.clear();
    sleeps_from_ = 0;
    searched_ = 0;
}

void Index::forget(Row row) {
    if (row < next_.size()) {
        next_[row] = UNKNOWN;
        previous_[row] = UNKNOWN;
    }
}

// Relation

Relation::Relation(const Predicate& of, Row most_rows)
    : predicate(of), stride_(std::size_t{of.arity} + 1), most_rows_(most_rows) {
    least_.assign(of.arity, std::numeric_limits<Cell>::max());
    greatest_.assign(of.arity, std::numeric_limits<Cell>::min());
    distinct_.resize(of.arity);
    rebuild(NO_ROW);
}

Row Relation::find(const Cell* cells, std::uint64_t hash) const {
    constexpr std::uint32_t FEW = 4;  // the number of rows for which a search is cheaper than a table
    if (tabled_ != size_) {
        if (is_ascending_ && predicate.arity != 0 && (!starts_.empty() || searches_ < size_ / FEW)) {
            const auto [row, end] = rows_beginning(cells, predicate.arity);
            return row == end ? NO_ROW : row;
        }
        complete_table();
    }
    if (!direct_.empty()) {
        const std::uint64_t place = box_.place(cells);
        return place == OUTSIDE ? NO_ROW : direct_[place];
    }
    hash = hash != 0 ? hash : this->hash(cells);
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t slot = tag & mask_;; slot = (slot + 1) & mask_) {
        const Slot& found = slots_[slot];
        if (found.row == NO_ROW || (found.tag == tag && has(found.row, cells))) {
            return found.row;
        }
    }
}

void Relation::clear() {
    const Predicate same = predicate;
    cells_.clear();
    birth.clear();
    free_.clear();
    size_ = 0;
    is_ascending_ = false;
    tabled_ = 0;
    linked_ = 0;
    facts_ = 0;
    least_.assign(same.arity, std::numeric_limits<Cell>::max());
    greatest_.assign(same.arity, std::numeric_limits<Cell>::min());
    slots_ = Buffer<Slot>();
    rebuild(NO_ROW);
    for (auto& index : indexes_) {
        index = std::make_unique<Index>(*this, index->columns());
    }
}

// Find the first rows of all first cells, once several searches need them. Returns false if there are too many cells.
bool Relation::find_starts() const {
    constexpr std::uint32_t FEW = 4;
    constexpr std::uint64_t SPARSE = 64;
    const auto range = static_cast<std::uint64_t>(greatest_[0]) - static_cast<std::uint64_t>(least_[0]);
    if (++searches_ <= FEW || range >= SPARSE + size_) {
        return false;
    }
    starts_.reserve(range + 2);
    for (Row row = 0; row < size_; ++row) {
        const auto place = static_cast<std::uint64_t>(cells(row)[0]) - static_cast<std::uint64_t>(least_[0]);
        while (starts_.size() <= place) {
            starts_.push_back(row);
        }
    }
    while (starts_.size() <= range + 1) {
        starts_.push_back(size_);
    }
    return true;
}

// Search ascending rows, which mostly have few columns, of which the first ones decide.
std::pair<Row, Row> Relation::search_rows(const Cell* key, std::uint32_t width, Row first, Row end) const {
    const auto compared = [&](Row row) {
        const Cell* own = cells(row);
        for (std::uint32_t column = 0; column < width; ++column) {
            if (own[column] != key[column]) {
                return own[column] < key[column] ? -1 : 1;
            }
        }
        return 0;
    };
    for (Row left = end - first; left > 0;) {
        const Row half = left / 2;
        if (compared(first + half) < 0) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    Row last = first;
    while (last < end && compared(last) == 0) {
        ++last;
    }
    return {first, last};
}

void Relation::append_given(const Cell* facts, std::size_t count, const Cell* least, const Cell* greatest) {
    if (count > most_rows_ - size_) {
        refuse_row();
    }
    const std::size_t arity = predicate.arity;
    cells_.reserve(cells_.size() + count * stride_);
    for (std::size_t place = 0; place < count; ++place, facts += arity) {
        copy_cells(facts, arity, cells_.data() + cells_.size() + 1);
        cells_.take_room(stride_);
        header(size_++) = {GIVEN, LINKED, 0, 0};
    }
    for (std::size_t column = 0; column < arity && count != 0; ++column) {
        least_[column] = std::min(least_[column], least[column]);
        greatest_[column] = std::max(greatest_[column], greatest[column]);
    }
    is_ascending_ = true;
    searches_ = 0;
    starts_.clear();
    linked_ += count;
    if (is_ranked_) {
        birth.resize(size_, 0);
    }
    for (const auto& index : indexes_) {
        index->expect(size_);
    }
}

void Relation::reset() {
    constexpr std::size_t FEW = 64;
    constexpr std::size_t MOST = 16;  // slots a row
    for (const auto& index : indexes_) {
        index->reset(*this);
    }
    const bool is_kept = !direct_.empty() || slots_.size() <= FEW + MOST * size_;
    if (!direct_.empty()) {
        for (Row row = 0; row < tabled_; ++row) {
            if (const std::uint64_t place = box_.place(cells(row)); place != OUTSIDE) {
                direct_[place] = NO_ROW;
            }
        }
    } else if (is_kept) {
        slots_.assign(slots_.size(), {0, NO_ROW});
        used_ = 0;
    }
    cells_.clear();
    birth.clear();
    free_.clear();
    size_ = 0;
    is_ascending_ = false;
    tabled_ = 0;
    linked_ = 0;
    facts_ = 0;
    if (!is_kept) {
        slots_ = Buffer<Slot>();
        rebuild(NO_ROW);
    }
}

void Relation::place(Row row, std::uint64_t hash) const {
    const auto tag = static_cast<std::uint32_t>(hash);
    std::size_t slot = tag & mask_;
    while (slots_[slot].row != NO_ROW) {
        slot = (slot + 1) & mask_;
    }
    slots_[slot] = {tag, row};
    ++used_;
}

// Rebuild the table, with room for all rows, including a row that is not in it yet.
void Relation::rebuild(Row fresh) const {
    const Row rows = size_ - static_cast<Row>(free_.size());
    box_ = size_ == 0 && predicate.arity != 0 ? Box() : Box::around(least_, greatest_, most_places(rows));
    if (box_.size() != 0) {
        slots_ = Buffer<Slot>();
        direct_.assign(box_.size(), NO_ROW);
        for (Row row = 0; row < tabled_; ++row) {
            if ((flags(row) & FREE) == 0) {
                direct_[box_.place(cells(row))] = row;
            }
        }
        if (fresh != NO_ROW) {
            direct_[box_.place(cells(fresh))] = fresh;
        }
        return;
    }
    direct_ = Buffer<Row>();
    const std::size_t capacity = power_of_two_above(std::size_t{rows} * 3);
    const Buffer<Slot> old = std::move(slots_);
    slots_ = Buffer<Slot>();
    slots_.assign(capacity, {0, NO_ROW});
    mask_ = capacity - 1;
    used_ = 0;
    for (const Slot& slot : old) {  // their tags determine their new places, so no row needs to be read
        if (slot.row != NO_ROW) {
            place(slot.row, slot.tag);
        }
    }
    for (Row row = 0; row < tabled_ && old.empty(); ++row) {
        if ((flags(row) & FREE) == 0 && row != fresh) {
            place(row, hash_cells(cells(row), predicate.arity));
        }
    }
    if (fresh != NO_ROW) {
        place(fresh, hash_cells(cells(fresh), predicate.arity));
    }
}

// Enter a row into the table. `hash` may be from an earlier shape of it.
void Relation::enter(Row row, std::uint64_t hash) const {
    if (!direct_.empty()) {
        if (const std::uint64_t place = box_.place(cells(row)); place != OUTSIDE) {
            direct_[place] = row;
            return;
        }
    } else if ((used_ + 1) * 3 <= slots_.size() * 2) {
        place(row, hash != 0 ? hash : this->hash(cells(row)));
        return;
    }
    rebuild(row);
}

void Relation::complete_table() const {
    constexpr Row MANY = 32;  // rows whose slots are prefetched together
    while (size_ - tabled_ >= MANY) {
        std::array<std::uint64_t, MANY> hashes;
        for (Row number = 0; number < MANY; ++number) {
            const Cell* fact = cells(tabled_ + number);
            hashes[number] = hash(fact);
            prefetch_slot(fact, hashes[number]);
        }
        for (Row number = 0; number < MANY; ++number, ++tabled_) {
            enter(tabled_, hashes[number]);
        }
    }
    for (; tabled_ != size_; ++tabled_) {
        enter(tabled_, 0);
    }
}

void Relation::refuse_row() const { throw TooLarge{"facts of one predicate", most_rows_}; }

std::pair<Row, bool> Relation::insert(const Cell* fact, std::uint64_t hash) {
    if (tabled_ != size_) {
        complete_table();
    }
    if (!direct_.empty()) {
        if (const std::uint64_t place = box_.place(fact); place != OUTSIDE && direct_[place] != NO_ROW) {
            return {direct_[place], false};
        }
    } else {
        hash = hash != 0 ? hash : this->hash(fact);
        const auto tag = static_cast<std::uint32_t>(hash);
        for (std::size_t slot = tag & mask_; slots_[slot].row != NO_ROW; slot = (slot + 1) & mask_) {
            if (slots_[slot].tag == tag && has(slots_[slot].row, fact)) {
                return {slots_[slot].row, false};
            }
        }
    }
    Row row = NO_ROW;
    if (free_.empty()) {
        row = append(fact);
    } else {
        row = free_.back();
        free_.pop_back();
        is_ascending_ = false;
        flags(row) = 0;
        std::copy(fact, fact + predicate.arity, cells_.data() + std::size_t{row} * stride_ + 1);
        for (std::size_t column = 0; column < predicate.arity; ++column) {
            least_[column] = std::min(least_[column], fact[column]);
            greatest_[column] = std::max(greatest_[column], fact[column]);
        }
    }
    enter(row, hash);
    tabled_ = size_;
    return {row, true};
}

void Relation::displace(Row row) {
    if (!direct_.empty()) {
        direct_[box_.place(cells(row))] = NO_ROW;
        return;
    }
    std::size_t hole = static_cast<std::uint32_t>(hash_cells(cells(row), predicate.arity)) & mask_;
    while (slots_[hole].row != row) {
        hole = (hole + 1) & mask_;
    }
    // Move up later rows that may be nearer to their home slot, so that no search ends too early.
    for (std::size_t slot = (hole + 1) & mask_; slots_[slot].row != NO_ROW; slot = (slot + 1) & mask_) {
        const std::size_t home = slots_[slot].tag & mask_;
        if (((slot - home) & mask_) >= ((slot - hole) & mask_)) {
            slots_[hole] = slots_[slot];
            hole = slot;
        }
    }
    slots_[hole].row = NO_ROW;
    --used_;
}

void Relation::sweep() {
    constexpr std::size_t FEW = 1024;
    if (size_ - free_.size() - facts_ <= FEW + facts_ / 2) {
        return;
    }
    if (tabled_ != size_) {
        complete_table();
    }
    for (Row row = 0; row < size_; ++row) {
        if (support(row) == 0 && (flags(row) & (LINKED | FREE)) == 0) {
            displace(row);
            flags(row) = FREE;
            free_.push_back(row);
        }
    }
}

void Relation::take_back(Row row) {
    if (row < tabled_) {
        displace(row);
    }
    for (const auto& index : indexes_) {
        index->forget(row);
    }
    if (row + 1 == size_) {
        --size_;
        tabled_ = std::min(tabled_, size_);
        cells_.truncate(std::size_t{size_} * stride_);
        if (is_ranked_) {
            birth.pop_back();
        }
    } else {
        flags(row) = FREE;
        free_.push_back(row);
    }
}

void Relation::link(Row row) {
    flags(row) |= LINKED;
    ++linked_;
    for (const auto& index : indexes_) {
        index->link(*this, row);
    }
}

void Relation::unlink(Row row) {
    for (const auto& index : indexes_) {
        index->wake(*this);
    }
    flags(row) = static_cast<std::uint8_t>((flags(row) & ~LINKED) | WAS_UNLINKED);
    is_ascending_ = false;
    --linked_;
    for (const auto& index : indexes_) {
        index->unlink(*this, row);
    }
}

void Relation::undo_unlink(Row row) {
    for (const auto& index : indexes_) {
        index->wake(*this);  // an index that was created after the row was unlinked
    }
    flags(row) |= LINKED;
    ++linked_;
    for (const auto& index : indexes_) {
        index->relink(*this, row);
    }
}

std::uint32_t Relation::index_on(const std::vector<std::uint32_t>& columns) {
    for (std::uint32_t number = 0; number < indexes_.size(); ++number) {
        if (indexes_[number]->columns() == columns) {
            return number;
        }
    }
    indexes_.push_back(std::make_unique<Index>(*this, columns));
    return static_cast<std::uint32_t>(indexes_.size() - 1);
}

std::size_t Relation::distinct(std::uint32_t column) {
    constexpr std::size_t SAMPLE = 2048;
    Distinct& known = distinct_[column];
    if (known.rows != 0 && linked_ <= 2 * known.rows && 2 * linked_ >= known.rows) {
        return known.values;
    }
    std::unordered_set<Cell> values;
    std::size_t sampled = 0;
    const std::size_t stride = size_ / SAMPLE + 1;
    for (std::size_t row = 0; row < size_; row += stride) {
        if (is_linked(static_cast<Row>(row))) {
            values.insert(cells(static_cast<Row>(row))[column]);
            ++sampled;
        }
    }
    known = {linked_, values.size()};
    if (stride > 1 && sampled != 0) {
        // Estimate the number of values from the number of repetitions in a sample (the birthday problem).
        const std::size_t met = sampled - values.size();
        const std::size_t estimate = met == 0 ? linked_ : sampled * sampled / (2 * met);
        known.values = std::max(values.size(), std::min(linked_, estimate));
    }
    return known.values;
}

void Relation::rank_rows() {
    is_ranked_ = true;
    birth.resize(size_, 0);
}

std::size_t Relation::bytes() const {
    std::size_t bytes = cells_.capacity() * sizeof(Cell) + birth.capacity() * sizeof(std::uint64_t) +
                        direct_.capacity() * sizeof(Row) + slots_.capacity() * sizeof(Slot);
    for (const auto& index : indexes_) {
        bytes += index->bytes();
    }
    return bytes;
}

}  // namespace hornbook
