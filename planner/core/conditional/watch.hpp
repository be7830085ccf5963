// When work has to stop: at a time, or when whoever waits says so.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace hornbook::planner {

using Time = std::chrono::steady_clock;

// The time is up.
struct Late {};

class Watch {
  public:
    // `look_for_signals` is called now and then; what it throws ends the work.
    explicit Watch(std::function<void()> look_for_signals) : look_for_signals_(std::move(look_for_signals)) {}

    void stop_at(Time::time_point until) { until_ = until; }

    // To be called for each small piece of work: every so many of them, throws Late where the time is up.
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
