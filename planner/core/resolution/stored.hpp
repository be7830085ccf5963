// Stored facts, either given or concluded in advance, with indexes that are built at their first use.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "resolution/slots.hpp"

namespace hornbook::planner::resolution {

class Stored;

// The rows of a relation, chained by their cells in some columns. A query includes new rows.
class Index {
public:
    Index(const Stored& rows, std::vector<std::uint32_t> columns) : rows_(rows), columns_(std::move(columns)) {}

    [[nodiscard]] const std::vector<std::uint32_t>& columns() const { return columns_; }
    // The first row with these cells, or none.
    std::uint32_t first(const Cell* key);
    [[nodiscard]] std::uint32_t after(std::uint32_t row) const { return next_[row]; }
    // The number of distinct keys in the columns.
    std::size_t keys();

private:
    void take_up();
    [[nodiscard]] bool is_at(std::uint32_t row, const Cell* key) const;

    const Stored& rows_;
    std::vector<std::uint32_t> columns_;
    std::vector<std::uint32_t> next_;
    std::vector<Cell> key_;
    Slots heads_;
    std::uint64_t version_ = 0;
};

class Stored {
public:
    explicit Stored(std::uint32_t width) : width_(width) {}
    Stored(const Stored&) = delete;
    Stored& operator=(const Stored&) = delete;

    [[nodiscard]] std::uint32_t width() const { return width_; }
    [[nodiscard]] std::uint32_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t version() const { return version_; }
    [[nodiscard]] const Cell* row(std::uint32_t row) const { return cells_.data() + std::size_t{row} * width_; }

    // Adds a fact that is not stored yet.
    void add(const Cell* cells) {
        cells_.insert(cells_.end(), cells, cells + width_);
        ++rows_;
    }
    void clear() {
        cells_.clear();
        rows_ = 0;
        ++version_;
    }
    Index& index(const std::vector<std::uint32_t>& columns) {
        for (const auto& index : indexes_) {
            if (index->columns() == columns) {
                return *index;
            }
        }
        indexes_.push_back(std::make_unique<Index>(*this, columns));
        return *indexes_.back();
    }

private:
    std::uint32_t width_;
    std::uint32_t rows_ = 0;
    std::uint64_t version_ = 1;
    std::vector<Cell> cells_;
    std::vector<std::unique_ptr<Index>> indexes_;
};

inline bool Index::is_at(std::uint32_t row, const Cell* key) const {
    const Cell* cells = rows_.row(row);
    for (std::size_t place = 0; place < columns_.size(); ++place) {
        if (cells[columns_[place]] != key[place]) {
            return false;
        }
    }
    return true;
}

inline void Index::take_up() {
    if (version_ != rows_.version()) {
        version_ = rows_.version();
        heads_.clear();
        next_.clear();
    }
    key_.resize(columns_.size());
    while (next_.size() < rows_.rows()) {
        const auto row = static_cast<std::uint32_t>(next_.size());
        for (std::size_t place = 0; place < columns_.size(); ++place) {
            key_[place] = rows_.row(row)[columns_[place]];
        }
        std::uint32_t& head = heads_.at(hash_of(key_.data(), key_.size()), row,
                                        [&](std::uint32_t other) { return is_at(other, key_.data()); });
        next_.push_back(head == row ? none : head);
        head = row;
    }
}

inline std::uint32_t Index::first(const Cell* key) {
    if (version_ != rows_.version() || next_.size() != rows_.rows()) {
        take_up();
    }
    return heads_.find(hash_of(key, columns_.size()), [&](std::uint32_t row) { return is_at(row, key); });
}

inline std::size_t Index::keys() {
    take_up();
    return heads_.size();
}

}  // namespace hornbook::planner::resolution
