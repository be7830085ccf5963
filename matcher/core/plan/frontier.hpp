// The order of one body's conditions under construction. The candidates are the conditions that share a
// variable with the matched ones, and those that make one of these a pure lookup; or all conditions if there
// are none. So the cost of choosing depends on the neighbourhood, not on the length of the body.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>

#include "plan/plan.hpp"

namespace hornbook {

class Frontier {
public:
    Frontier(const Body& body, const std::vector<bool>& done, const Environment& environment, Budget& budget)
        : body_(body), done_(done), environment_(environment), budget_(budget), mentions_(environment.of.size()),
          is_near_(body.conditions.size()), promises_(body.conditions.size(), UNKNOWN) {
        for (std::uint32_t place = 0; place < body.conditions.size(); ++place) {
            const Condition& condition = body.conditions[place];
            if (done[place] || condition.kind != Kind::MATCH) {
                continue;
            }
            matches_.push_back(place);
            for (std::uint32_t column = 0; column < condition.count; ++column) {
                const Term& term = body.terms_of(condition)[column];
                if (term.is_variable()) {
                    mentions_[term.index()].push_back(place);
                }
            }
        }
        for (Variable variable = 0; variable < environment.of.size(); ++variable) {
            if (environment.of[variable].is_variable()) {
                learn(variable);
            }
        }
    }

    void learn(Variable variable) {
        for (const std::uint32_t place : mentions_[variable]) {
            promises_[place] = UNKNOWN;
            if (!done_[place] && !is_near_[place] && environment_.of[variable].is_variable()) {
                is_near_[place] = true;
                near_.push_back(place);
            }
        }
    }

    // The best remaining condition, or none. `promise(condition)` returns the expected number of rows.
    template <class Promise>
    std::optional<std::uint32_t> next(Promise&& promise) {
        std::erase_if(near_, [&](std::uint32_t place) { return done_[place]; });
        best_.reset();
        for (const std::uint32_t place : near_) {
            consider(place, promise);
        }
        for (const std::uint32_t place : near_) {
            if (least_ == 0 || body_.as_written) {
                break;  // no condition has fewer expected rows
            }
            consider_bridges(body_.conditions[place], promise);
        }
        if (near_.empty()) {
            std::erase_if(matches_, [&](std::uint32_t place) { return done_[place]; });
            for (const std::uint32_t place : matches_) {
                consider(place, promise);
            }
        }
        return best_;
    }

    // The expected number of rows of the best condition.
    [[nodiscard]] double least() const { return least_; }

private:
    static constexpr double UNKNOWN = -1;

    template <class Promise>
    double promised(std::uint32_t place, Promise&& promise) {
        if (promises_[place] == UNKNOWN) {
            promises_[place] = promise(body_.conditions[place]);
        }
        return promises_[place];
    }

    template <class Promise>
    void consider(std::uint32_t place, Promise&& promise) {
        budget_.spend();
        const Condition& condition = body_.conditions[place];
        const double rows = promised(place, promise);
        if (!best_ || rows < least_ ||
            (rows == least_ && place != *best_ && is_before(condition, body_.conditions[*best_]))) {
            best_ = place;
            least_ = rows;
        }
    }

    // Conditions that bind the last unknown variables of a near one.
    template <class Promise>
    void consider_bridges(const Condition& near, Promise&& promise) {
        const Term* terms = body_.terms_of(near);
        for (std::uint32_t column = 0; column < near.count; ++column) {
            if (environment_.knows(terms[column])) {
                continue;
            }
            for (const std::uint32_t place : mentions_[terms[column].index()]) {
                budget_.spend();
                const Condition& other = body_.conditions[place];
                const Term* others = body_.terms_of(other);
                if (!done_[place] && !is_near_[place] &&
                    std::all_of(terms, terms + near.count, [&](const Term& term) {
                        return environment_.knows(term) || std::find(others, others + other.count, term) != others + other.count;
                    }) &&
                    2 * promised(place, promise) < least_) {  // the near condition is then read with known cells only
                    consider(place, promise);
                }
            }
        }
    }

    // A fixed order of conditions with equal estimates, independent of variable names.
    [[nodiscard]] bool is_before(const Condition& one, const Condition& other) const {
        if (one.predicate != other.predicate) {
            return one.predicate < other.predicate;
        }
        for (std::uint32_t column = 0; column < one.count; ++column) {
            const Term a = environment_(body_.terms_of(one)[column]);
            const Term b = environment_(body_.terms_of(other)[column]);
            if (!(a == b)) {
                return std::tuple(a.kind, a.value) < std::tuple(b.kind, b.value);
            }
        }
        return false;
    }

    const Body& body_;
    const std::vector<bool>& done_;
    const Environment& environment_;
    Budget& budget_;
    std::vector<std::vector<std::uint32_t>> mentions_;  // by variable: the matches that mention it
    std::vector<std::uint32_t> matches_, near_;
    std::vector<bool> is_near_;
    std::vector<double> promises_;
    std::optional<std::uint32_t> best_;
    double least_ = 0;
};

}  // namespace hornbook
