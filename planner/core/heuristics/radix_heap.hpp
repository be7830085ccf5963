// A queue of atoms by cost for Dijkstra's algorithm: costs never fall below the last one taken.
//
// A bucket holds the entries whose cost differs from the last one in the same highest bit (Ahuja, Mehlhorn, Orlin
// and Tarjan, Faster Algorithms for the Shortest Path Problem, JACM 37 (1990)).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tasks/task.hpp"

namespace hornbook::planner::tasks {

class RadixHeap {
  public:
    struct Entry {
        Cost cost;
        Atom atom;
    };

    bool empty() const { return size_ == 0; }

    void clear() {
        for (auto& bucket : buckets_) bucket.clear();
        size_ = 0;
        last_ = 0;
    }

    // `cost` is at least the cost of the entry that was taken last.
    void push(Cost cost, Atom atom) {
        buckets_[bucket_of(cost)].push_back({cost, atom});
        ++size_;
    }

    Entry pop() {
        if (buckets_[0].empty()) refill();
        const Entry found = buckets_[0].back();
        buckets_[0].pop_back();
        --size_;
        return found;
    }

  private:
    std::size_t bucket_of(Cost cost) const {
        return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(cost ^ last_)));
    }

    // Distributes the first bucket that is not empty, so that its least entries are in bucket 0.
    void refill() {
        std::size_t first = 1;
        while (buckets_[first].empty()) ++first;
        auto& bucket = buckets_[first];
        last_ = bucket.front().cost;
        for (const Entry& entry : bucket) last_ = entry.cost < last_ ? entry.cost : last_;
        for (const Entry& entry : bucket) buckets_[bucket_of(entry.cost)].push_back(entry);
        bucket.clear();
    }

    std::array<std::vector<Entry>, 65> buckets_;
    std::size_t size_ = 0;
    Cost last_ = 0;
};

}  // namespace hornbook::planner::tasks
