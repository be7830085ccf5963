// The changes of an update to the facts, as rows of each predicate. Cells are copied only on demand, or when
// the engine is about to change while the object is still referenced.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "data/relation.hpp"

namespace hornbook {

using Relations = std::vector<std::unique_ptr<Relation>>;

class Change {
public:
    struct Part {
        PredicateId predicate = 0;
        PredicateId number = 0;  // the users' number
        bool has_all = false;  // every linked row was added; `added` does not list them
        std::size_t added_count = 0;
        std::vector<Row> added, removed;
        std::vector<Cell> added_cells, removed_cells;
        std::uint32_t arity = 0;
    };
    std::vector<Part> parts;
    void copy(const Relations& relations);
    // After the copy another thread may read it while the engine works.
    [[nodiscard]] bool is_copied() const { return is_copied_.load(std::memory_order_acquire); }

private:
    std::atomic<bool> is_copied_ = false;
};

}  // namespace hornbook
