// Goals of one pattern and their answers, solved once for each version of their inputs (tabling).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "resolution/slots.hpp"

namespace hornbook::planner::resolution {

// `partial`: processed, but dependent on unfinished goals; `fresh` goals may have answers from before.
enum class Status : std::uint8_t { fresh, active, partial, complete };

struct Goal {
    Status status = Status::fresh;
    std::uint32_t depth = 0;  // active: its index on the stack; partial: the lowest index that it depends on
    std::uint32_t count = 0;
    std::vector<Cell> answers;  // consecutive answers
    Slots found;                // indices of answers, if there are many
};

class Table {
public:
    Table(std::uint32_t key_width, std::uint32_t answer_width, const std::uint64_t& version)
        : key_width_(key_width), answer_width_(answer_width), version_(version) {}

    [[nodiscard]] const Cell* key(std::uint32_t goal) const { return keys_.data() + std::size_t{goal} * key_width_; }
    [[nodiscard]] Goal& goal(std::uint32_t number) { return *goals_[number]; }
    [[nodiscard]] std::size_t size() const { return used_; }

    // The number of the goal with this key, which is created if needed.
    std::uint32_t find(const Cell* key) {
        if (made_at_ != version_) {
            forget();
        }
        const auto made = static_cast<std::uint32_t>(used_);
        const std::uint32_t found = slots_.at(hash_of(key, key_width_), made, [&](std::uint32_t other) {
            return std::equal(key, key + key_width_, this->key(other));
        });
        if (found == made) {
            append(key);
        }
        return found;
    }

    // Adds an answer to a goal. Returns false if it existed.
    bool add(Goal& goal, const Cell* answer) {
        if (answer_width_ == 0) {
            const bool is_new = goal.count == 0;
            goal.count = 1;
            return is_new;
        }
        const auto same = [&](std::uint32_t other) {
            return std::equal(answer, answer + answer_width_, goal.answers.data() + std::size_t{other} * answer_width_);
        };
        if (goal.count < few) {
            for (std::uint32_t other = 0; other < goal.count; ++other) {
                if (same(other)) {
                    return false;
                }
            }
        } else {
            if (goal.found.size() == 0) {
                for (std::uint32_t other = 0; other < goal.count; ++other) {
                    const Cell* cells = goal.answers.data() + std::size_t{other} * answer_width_;
                    goal.found.at(hash_of(cells, answer_width_), other, [](std::uint32_t) { return false; });
                }
            }
            if (goal.found.at(hash_of(answer, answer_width_), goal.count, same) != goal.count) {
                return false;
            }
        }
        goal.answers.insert(goal.answers.end(), answer, answer + answer_width_);
        ++goal.count;
        return true;
    }

    void forget() {
        made_at_ = version_;
        slots_.clear();
        keys_.clear();
        used_ = 0;
    }

private:
    static constexpr std::uint32_t few = 12;

    void append(const Cell* key) {
        keys_.insert(keys_.end(), key, key + key_width_);
        if (used_ == goals_.size()) {
            goals_.push_back(std::make_unique<Goal>());
        }
        Goal& goal = *goals_[used_++];
        goal.status = Status::fresh;
        if (goal.found.size() != 0) {
            goal.found.clear();
        }
        goal.count = 0;
        goal.answers.clear();
    }

    std::uint32_t key_width_;
    std::uint32_t answer_width_;
    const std::uint64_t& version_;  // of the inputs of the answers
    std::uint64_t made_at_ = 0;
    std::vector<Cell> keys_;
    std::vector<std::unique_ptr<Goal>> goals_;  // those from `used_` on can be reused
    std::size_t used_ = 0;
    Slots slots_;
};

}  // namespace hornbook::planner::resolution
