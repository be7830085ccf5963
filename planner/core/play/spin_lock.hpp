// A lock for parts that take about a microsecond: a waiting thread does not sleep, because waking it would take longer
// than the part.
#pragma once

#include <atomic>
#include <thread>

namespace hornbook::planner {

// Meets the requirements of std::unique_lock (BasicLockable).
class SpinLock {
  public:
    void lock() {
        constexpr int tries_before_a_yield = 4096;
        for (int tries = 0; taken_.test_and_set(std::memory_order_acquire);) {
            while (taken_.test(std::memory_order_relaxed)) {
                if (++tries == tries_before_a_yield) {  // the owner may wait for a processor
                    tries = 0;
                    std::this_thread::yield();
                }
            }
        }
    }

    void unlock() { taken_.clear(std::memory_order_release); }

  private:
    std::atomic_flag taken_;
};

}  // namespace hornbook::planner
