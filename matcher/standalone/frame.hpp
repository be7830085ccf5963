// The first part of a program that matcher/standalone/cpp.py generates: facts in rows with a hash table, chains of
// rows with equal cells, arithmetic with overflow detection, and aggregates. The struct `Matcher`, with all facts and
// their chains, follows in the second part, and the functions of hornbook_rules.h in the third (interface.hpp).
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "hornbook_rules.h"

namespace {

using Cell = std::int64_t;
using Row = std::uint32_t;
constexpr Row NONE = 0xffffffffU;  // no row: the number of rows is always smaller

// A step of the hash functions.
inline std::uint64_t mixed(std::uint64_t hash) {
    hash *= 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 32U);
}

// N cells; an array has at least one element.
template <unsigned N>
using Key = std::array<Cell, N == 0 ? 1 : N>;

// The facts of a relation, of `Width` cells each; the first `Unique` of them identify a fact. Rows are numbered from 0
// in the order of insertion. The hash table has open addressing: `slots` has a row or NONE at each place.
template <unsigned Width, unsigned Unique>
struct Facts {
    std::vector<Cell> cells;
    std::vector<Row> slots = std::vector<Row>(16, NONE);
    Row size = 0;
    Row kept = 0;    // facts that remain when a state is cleared
    Row stated = 0;  // facts of the theory, which always remain

    const Cell* at(Row row) const { return cells.data() + std::size_t{row} * Width; }

    static std::uint64_t hash(const Cell* key) {
        std::uint64_t sum = 0;
        for (unsigned column = 0; column < Unique; ++column) {
            sum = mixed(sum + static_cast<std::uint64_t>(key[column]));
        }
        return sum;
    }

    // The slot of the row with these cells, or the free slot for it.
    std::size_t slot(const Cell* key) const {
        const std::size_t mask = slots.size() - 1;
        for (std::size_t place = hash(key) & mask;; place = (place + 1) & mask) {
            if (slots[place] == NONE || std::equal(key, key + Unique, at(slots[place]))) {
                return place;
            }
        }
    }

    // The row with these cells, or NONE.
    Row find(const Cell* key) const { return slots[slot(key)]; }

    // Add a fact that is not there; `place` is the result of `slot` for it.
    void append(const Cell* fact, std::size_t place) {
        if (cells.size() < (std::size_t{size} + 1) * Width) {
            cells.resize((std::size_t{size} + 8) * 2 * Width);
        }
        std::copy_n(fact, Width, cells.data() + std::size_t{size} * Width);
        slots[place] = size++;
        if (std::size_t{size} * 2 > slots.size()) {
            slots.assign(slots.size() * 2, NONE);
            for (Row row = 0; row < size; ++row) {
                slots[slot(at(row))] = row;
            }
        }
    }

    // Remove all facts except the kept ones, the last fact first, so that probe sequences stay intact.
    void clear() {
        if (kept == 0) {
            std::fill(slots.begin(), slots.end(), NONE);
        } else {
            for (Row row = size; row-- > kept;) {
                slots[slot(at(row))] = NONE;
            }
        }
        size = kept;
    }
};

// An index: the rows of a relation in chains with equal cells in these columns; the latest row of a chain comes first.
// `heads` is a hash table of the first rows, and `next` has for each row the following one of its chain, or NONE.
template <unsigned Width, unsigned... Columns>
struct Chains {
    static constexpr unsigned WIDTH = sizeof...(Columns);
    std::vector<Row> heads = std::vector<Row>(16, NONE);
    std::vector<Row> next;
    std::size_t used = 0;  // the number of chains

    static std::uint64_t hash(const Key<WIDTH>& key) {
        std::uint64_t sum = 0;
        for (const Cell cell : key) {
            sum = mixed(sum + static_cast<std::uint64_t>(cell));
        }
        return sum;
    }

    // The place of the chain with this key in `heads`, or the free place for it.
    template <class Of>
    std::size_t slot(const Of& facts, const Key<WIDTH>& key) const {
        const std::size_t mask = heads.size() - 1;
        for (std::size_t place = hash(key) & mask;; place = (place + 1) & mask) {
            if (heads[place] == NONE) {
                return place;
            }
            const Cell* cells = facts.at(heads[place]);
            if (key == Key<WIDTH>{cells[Columns]...}) {
                return place;
            }
        }
    }

    // The first row of the chain with this key, or NONE.
    template <class Of>
    Row first(const Of& facts, const Key<WIDTH>& key) const {
        return heads[slot(facts, key)];
    }

    // Add a row to its chain. Rows are linked in ascending order.
    template <class Of>
    void link(const Of& facts, Row row) {
        const Cell* cells = facts.at(row);
        const std::size_t place = slot(facts, {cells[Columns]...});
        used += heads[place] == NONE ? 1 : 0;
        if (next.size() <= row) {
            next.resize(std::size_t{row} * 2 + 16);
        }
        next[row] = heads[place];
        heads[place] = row;
        if (used * 2 > heads.size()) {
            heads.assign(heads.size() * 2, NONE);
            used = 0;
            for (Row again = 0; again <= row; ++again) {
                link(facts, again);
            }
        }
    }

    // Remove all rows except the kept ones. To be called before `facts.clear()`.
    template <class Of>
    void clear(const Of& facts) {
        if (facts.kept == 0) {
            std::fill(heads.begin(), heads.end(), NONE);
            used = 0;
            return;
        }
        for (Row row = facts.size; row-- > facts.kept;) {
            const Cell* cells = facts.at(row);
            const std::size_t place = slot(facts, {cells[Columns]...});
            heads[place] = next[row];
            used -= heads[place] == NONE ? 1 : 0;
        }
    }
};

// Arithmetic; a result that leaves 64 bits has no value, and is recorded.
struct Arithmetic {
    bool has_overflowed = false;

    // Record whether an operation overflows, and return its value.
    Cell noted(bool overflows, Cell value) {
        has_overflowed = has_overflowed || overflows;
        return value;
    }
    Cell add(Cell left, Cell right) {
        Cell result = 0;
        const bool overflows = __builtin_add_overflow(left, right, &result);
        return noted(overflows, result);
    }
    Cell subtract(Cell left, Cell right) {
        Cell result = 0;
        const bool overflows = __builtin_sub_overflow(left, right, &result);
        return noted(overflows, result);
    }
    Cell multiply(Cell left, Cell right) {
        Cell result = 0;
        const bool overflows = __builtin_mul_overflow(left, right, &result);
        return noted(overflows, result);
    }
    Cell divide(Cell left, Cell right) {  // rounded down
        if (right == 0 || (right == -1 && left == INT64_MIN)) {
            return noted(true, 0);
        }
        const Cell result = left / right;
        return left % right != 0 && (left < 0) != (right < 0) ? result - 1 : result;
    }
    Cell modulo(Cell left, Cell right) {  // has the sign of the divisor
        if (right == 0) {
            return noted(true, 0);
        }
        const Cell result = right == -1 ? 0 : left % right;
        return result != 0 && (result < 0) != (right < 0) ? result + right : result;
    }
    Cell shift_left(Cell left, Cell right) {
        if (right < 0 || right > 63) {
            return noted(true, 0);
        }
        if (right == 63) {  // 2 to the power of 63 is no cell
            return noted(left != 0 && left != -1, left == 0 ? 0 : INT64_MIN);
        }
        return multiply(left, Cell{1} << right);
    }
    Cell shift_right(Cell left, Cell right) {
        const bool overflows = right < 0 || right > 63;
        return noted(overflows, overflows ? 0 : left >> right);
    }
};

enum class Function { COUNT, MIN, MAX, SUM };

// An aggregate of results of N cells: the number of distinct ones, or the least, the greatest or the sum of their only
// cells. Each result is taken, then `finish` computes `value`.
struct Total {
    Cell value = 0;
    std::size_t found = 0;  // the number of results taken
    bool overflows = false;
    __int128 sum = 0;
    std::vector<Cell> rows;  // COUNT: the cells of the results

    template <Function F, unsigned N>
    void take(const Key<N>& cells) {
        ++found;
        if (F == Function::COUNT) {
            rows.insert(rows.end(), cells.begin(), cells.begin() + N);
        } else if (F == Function::SUM) {
            sum += cells[0];
        } else if (found == 1 || (F == Function::MIN ? cells[0] < value : cells[0] > value)) {
            value = cells[0];
        }
    }

    // Compute the value; whether there is one. The least and the greatest of no results do not exist.
    template <Function F, unsigned N>
    bool finish(Arithmetic& arithmetic) {
        if (F == Function::COUNT) {
            value = N == 0 ? (found != 0 ? 1 : 0) : different<N>();
        } else if (F == Function::SUM) {
            value = static_cast<Cell>(sum);
            arithmetic.noted(sum != value, 0);
        }
        return F == Function::COUNT || F == Function::SUM || found != 0;
    }

    // The number of distinct results.
    template <unsigned N>
    Cell different() {
        std::vector<Key<N>> keys(found);
        for (std::size_t place = 0; place < found; ++place) {
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(place * N), N, keys[place].begin());
        }
        std::sort(keys.begin(), keys.end());
        return static_cast<Cell>(std::unique(keys.begin(), keys.end()) - keys.begin());
    }
};

}  // namespace
