// The change of a state's value when it is searched one step deeper: a distribution for each group of states
// (Russell and Wefald 1988, section 5.3.3). Groups are the leaves of a tree of conditions. Each has a mean
// and a deviation, and all have one shape, such as that of the normal distribution, or an empirical one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "play/core/search/conditions.hpp"

namespace play {

// The value after the step, for the player to move, minus the value before.
struct Error {
    double mean = 0;
    double deviation = 0;  // 0 if the value is exact
};

// A distribution Z with mean 0 and deviation 1, given by E[(z - Z)+] at z from -span to span in equal steps.
// The values in between are interpolated, so Z is concentrated on these points: small steps approximate any
// shape.
class Shape {
public:
    Shape() = default;
    Shape(std::vector<double> below, double span) : below_(std::move(below)), span_(span) {
        if (below_.size() < 3 || !(span > 0)) {
            throw std::invalid_argument("a shape has three values or more, over a span above 0");
        }
        step_ = 2 * span_ / static_cast<double>(below_.size() - 1);
    }

    // E[(z - Z)+]; outside of the span the probability is 0.
    double below(double z) const {
        if (z <= -span_) {
            return 0;
        }
        if (z >= span_) {
            return z;
        }
        const double at = (z + span_) / step_;
        const auto left = std::min(static_cast<std::size_t>(at), below_.size() - 2);
        const double part = at - static_cast<double>(left);
        return below_[left] * (1 - part) + below_[left + 1] * part;
    }

    double span() const { return span_; }
    // P(Z < z), the slope of `below`.
    double chance(double z) const {
        if (z <= -span_ || z >= span_) {
            return z < 0 ? 0 : 1;
        }
        const auto left = std::min(static_cast<std::size_t>((z + span_) / step_), below_.size() - 2);
        return (below_[left + 1] - below_[left]) / step_;
    }

private:
    std::vector<double> below_ = {0, 0.5, 1};
    double span_ = 1;
    double step_ = 1;
};

// A condition up to a threshold leads to the split `low`, above it to `high`; a negative number ~n denotes
// the group n.
struct Split {
    std::size_t condition = 0;
    int threshold = 0;
    int low = -1;
    int high = -1;
};

class ErrorModel {
public:
    ErrorModel() = default;
    ErrorModel(std::vector<Split> splits, std::vector<Error> errors, Shape shape, std::size_t conditions)
        : splits_(std::move(splits)), errors_(std::move(errors)), shape_(std::move(shape)) {
        const auto leads = [this](int to, std::size_t from) {
            return to < 0 ? static_cast<std::size_t>(~to) < errors_.size()
                          : static_cast<std::size_t>(to) > from && static_cast<std::size_t>(to) < splits_.size();
        };
        for (std::size_t number = 0; number < splits_.size(); ++number) {
            const auto& split = splits_[number];
            if (split.condition >= conditions || !leads(split.low, number) || !leads(split.high, number)) {
                throw std::invalid_argument("a split of errors names no condition, or leads back or nowhere");
            }
        }
        if (errors_.empty()) {
            throw std::invalid_argument("statistics of errors have a group or more");
        }
        bound();
    }

    // The error of a state with that evaluation.
    template <Game G>
    Error error(const typename G::State& state, int evaluation) const {
        if (splits_.empty()) {
            return errors_[0];
        }
        const auto found = conditions<G>(state, evaluation);
        int at = 0;
        while (at >= 0) {
            const auto& split = splits_[static_cast<std::size_t>(at)];
            at = found[split.condition] <= split.threshold ? split.low : split.high;
        }
        return errors_[static_cast<std::size_t>(~at)];
    }

    // E[(bound - X)+] for a value X with that error. Without a deviation X is the value itself.
    double below(double bound, double value, const Error& error) const {
        const double gap = bound - value - error.mean;
        return error.deviation > 0 ? error.deviation * shape_.below(gap / error.deviation) : std::max(gap, 0.0);
    }
    // P(X < bound).
    double chance_below(double bound, double value, const Error& error) const {
        const double gap = bound - value - error.mean;
        return error.deviation > 0 ? shape_.chance(gap / error.deviation) : gap > 0 ? 1.0 : 0.0;
    }
    // Upper bounds of these over all errors, for a bound at this distance above the value.
    double most_below(double gap) const { return at_most(most_below_, gap); }
    double most_above(double gap) const { return at_most(most_above_, -gap); }
    // E[(X - bound)+].
    double above(double bound, double value, const Error& error) const {
        return below(bound, value, error) - (bound - value - error.mean);
    }

private:
    static constexpr std::size_t BINS = 256;

    // Both increase with the distance beyond the bound, so in each bin they are greatest at its end.
    void bound() {
        for (const auto& error : errors_) {
            reach_ = std::max(reach_, std::abs(error.mean) + error.deviation * shape_.span());
        }
        for (std::size_t bin = 0; bin < BINS; ++bin) {
            const double end = reach_ * (2 * static_cast<double>(bin + 1) / BINS - 1);
            for (const auto& error : errors_) {
                most_below_[bin] = std::max(most_below_[bin], below(end, 0, error));
                most_above_[bin] = std::max(most_above_[bin], above(-end, 0, error));
            }
        }
    }
    double at_most(const std::array<double, BINS>& most, double across) const {
        if (across >= reach_) {
            return std::numeric_limits<double>::infinity();
        }
        return across < -reach_ ? 0 : most[static_cast<std::size_t>((across + reach_) / (2 * reach_) * BINS)];
    }

    std::vector<Split> splits_;
    std::vector<Error> errors_ = {{0, 0}};
    Shape shape_;
    double reach_ = 0;  // no error is larger
    std::array<double, BINS> most_below_{};
    std::array<double, BINS> most_above_{};
};

}  // namespace play
