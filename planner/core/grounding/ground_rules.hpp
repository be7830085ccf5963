// Consecutive ground rules: heads, and bodies of literals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "grounding/atom_table.hpp"

namespace hornbook::planner::grounding {

// An atom, present or absent.
class Literal {
  public:
    Literal() = default;
    Literal(Number atom, bool is_absent) : code_(2 * atom + (is_absent ? 1 : 0)) {}

    Number atom() const { return code_ / 2; }
    bool is_absent() const { return (code_ & 1U) != 0; }
    auto operator<=>(const Literal&) const = default;

  private:
    std::uint32_t code_ = 0;
};

class GroundRules {
  public:
    std::size_t size() const { return heads_.size(); }
    Number head(std::size_t rule) const { return heads_[rule]; }
    std::span<const Literal> body(std::size_t rule) const {
        return {body_.data() + starts_[rule], starts_[rule + 1] - starts_[rule]};
    }
    std::size_t literals() const { return body_.size(); }
    std::size_t bytes() const {
        return heads_.capacity() * sizeof(Number) + starts_.capacity() * sizeof(std::uint32_t) +
               body_.capacity() * sizeof(Literal);
    }

    // Adds a rule with distinct literals, unless it is unsatisfiable or trivial. It sorts `body`.
    void add(Number head, std::vector<Literal>& body) {
        std::sort(body.begin(), body.end());
        body.erase(std::unique(body.begin(), body.end()), body.end());
        for (std::size_t place = 0; place < body.size(); ++place) {
            const bool is_both = place > 0 && body[place].atom() == body[place - 1].atom();
            if (is_both || body[place] == Literal(head, false)) {
                return;
            }
        }
        append(head, body);
    }

    // Adds a rule whose body is sorted.
    void append(Number head, std::span<const Literal> body) {
        if (body_.size() + body.size() > most) {
            throw std::length_error("more conditions than there are numbers");
        }
        heads_.push_back(head);
        body_.insert(body_.end(), body.begin(), body.end());
        starts_.push_back(static_cast<std::uint32_t>(body_.size()));
    }

  private:
    // The limit of Python's arrays of `int`.
    static constexpr std::size_t most = (std::size_t{1} << 31U) - 1;

    std::vector<Number> heads_;
    std::vector<std::uint32_t> starts_ = {0};
    std::vector<Literal> body_;
};

// For each key its positions.
class Places {
  public:
    // `each(note)` calls `note(key, place)` for all pairs, the same ones each time.
    template <class Each>
    Places(std::size_t keys, Each&& each) : starts_(keys + 1) {
        each([&](Number key, std::size_t) { ++starts_[key + 1]; });
        for (std::size_t key = 0; key < keys; ++key) {
            starts_[key + 1] += starts_[key];
        }
        places_.resize(starts_[keys]);
        std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
        each([&](Number key, std::size_t place) { places_[next[key]++] = static_cast<std::uint32_t>(place); });
    }

    std::span<const std::uint32_t> of(Number key) const {
        return {places_.data() + starts_[key], starts_[key + 1] - starts_[key]};
    }
    std::span<std::uint32_t> of(Number key) { return {places_.data() + starts_[key], starts_[key + 1] - starts_[key]}; }

  private:
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> places_;
};

}  // namespace hornbook::planner::grounding
