// Lists of numbers, stored one after another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace hornbook::planner::tasks {

class Lists {
  public:
    std::size_t size() const { return starts_.size() - 1; }

    std::span<const std::uint32_t> operator[](std::size_t list) const {
        return {values_.data() + starts_[list], starts_[list + 1] - starts_[list]};
    }

    void append(std::span<const std::uint32_t> list) {
        if (values_.size() + list.size() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error("more conditions than there are numbers");
        }
        values_.insert(values_.end(), list.begin(), list.end());
        starts_.push_back(static_cast<std::uint32_t>(values_.size()));
    }

    // For each value below `values`, the lists that contain it.
    Lists inverted(std::size_t values) const {
        Lists found;
        found.starts_.assign(values + 1, 0);
        for (const std::uint32_t value : values_) ++found.starts_[value + 1];
        for (std::size_t value = 0; value < values; ++value) found.starts_[value + 1] += found.starts_[value];
        found.values_.resize(values_.size());
        std::vector<std::uint32_t> next(found.starts_.begin(), found.starts_.end() - 1);
        for (std::size_t list = 0; list < size(); ++list) {
            for (const std::uint32_t value : (*this)[list]) {
                found.values_[next[value]++] = static_cast<std::uint32_t>(list);
            }
        }
        return found;
    }

  private:
    std::vector<std::uint32_t> starts_ = {0};
    std::vector<std::uint32_t> values_;
};

// Sorts numbers and removes repetitions.
inline void make_set(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace hornbook::planner::tasks
