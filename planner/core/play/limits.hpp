// The limits of a search: a time, and a signal from another thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace hornbook::planner {

// Ends each search that was given this signal, once it is set. Any thread may set it.
class StopSignal {
  public:
    void set() { is_set_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return is_set_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> is_set_ = false;
};

using SearchClock = std::chrono::steady_clock;

// The calling thread looks for signals of the system at these intervals.
constexpr auto between_looks_for_signals = std::chrono::milliseconds(50);

// The time `seconds` from now; without an end if that is far away.
inline SearchClock::time_point time_after(double seconds) {
    constexpr double far = 1e8;
    const auto now = SearchClock::now();
    if (!(seconds < far)) {
        return SearchClock::time_point::max();
    }
    return now + std::chrono::duration_cast<SearchClock::duration>(std::chrono::duration<double>(std::max(seconds, 0.0)));
}

// Looks at the clock and at signals about once in a millisecond, although it is called for each state, which may take
// less than a microsecond or much longer. Each thread has its own.
class Limits {
  public:
    Limits(SearchClock::time_point until, const StopSignal* stop, const StopSignal& stop_all)
        : until_(until), stop_(stop), stop_all_(stop_all) {}

    // Whether the search has to end.
    bool reached() {
        if (--left_ > 0) {
            return false;
        }
        const auto now = SearchClock::now();
        constexpr auto interval = std::chrono::milliseconds(1);
        stride_ = now - looked_ > interval ? std::max(stride_ / 2, 1) : std::min(2 * stride_, most_stride);
        looked_ = now;
        left_ = stride_;
        return now >= until_ || stop_all_.is_set() || (stop_ != nullptr && stop_->is_set());
    }

  private:
    static constexpr int most_stride = 4096;

    SearchClock::time_point until_;
    const StopSignal* stop_;
    const StopSignal& stop_all_;
    SearchClock::time_point looked_ = SearchClock::now();
    int stride_ = 1;
    int left_ = 1;
};

}  // namespace hornbook::planner
