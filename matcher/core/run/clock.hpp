// Stops a call when its time is over, or when the caller wants it to stop.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "data/budget.hpp"

namespace hornbook {

class Clock : public Budget {
public:
    std::function<bool()> is_interrupted;
    void begin(std::optional<double> seconds);
    // What is done from now on is not to be stopped, until the next call begins.
    void end() { is_running_ = false; }

protected:
    void check() override;

private:
    using Time = std::chrono::steady_clock;
    std::optional<Time::time_point> deadline_;
    bool is_running_ = false;
};

}  // namespace hornbook
