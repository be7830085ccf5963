// A clock that stops a call after its time limit, or on the caller's request.
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
    // Do not interrupt the rest of this call.
    void end() { is_running_ = false; }

protected:
    void check() override;

private:
    using Time = std::chrono::steady_clock;
    std::optional<Time::time_point> deadline_;
    bool is_running_ = false;
};

}  // namespace hornbook
