// A watch that stops work at a time, or on a signal.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace hornbook::planner {

using Time = std::chrono::steady_clock;

// The time limit is reached.
struct Late {};

class Watch {
  public:
    // `look_for_signals` is called from time to time; its exceptions end the work.
    explicit Watch(std::function<void()> look_for_signals) : look_for_signals_(std::move(look_for_signals)) {}

    void stop_at(Time::time_point until) { until_ = until; }

    // To be called for each small step: at regular intervals, it throws Late after the time limit.
    void step() {
        if (++steps_ < steps_between_looks) {
            return;
        }
        steps_ = 0;
        look_for_signals_();
        if (Time::now() >= until_) {
            throw Late{};
        }
    }

  private:
    static constexpr int steps_between_looks = 1024;

    std::function<void()> look_for_signals_;
    Time::time_point until_ = Time::time_point::max();
    int steps_ = 0;
};

}  // namespace hornbook::planner
