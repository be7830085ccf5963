// A budget that can stop a long call; long computations spend from it at every small step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbook {

// A budget is queried from time to time whether to continue; it throws if not.
class Budget {
public:
    virtual ~Budget() = default;
    void spend() {
        if (--left_ == 0) {
            left_ = STRIDE;
            check();
        }
    }
    // Spend several small steps at once.
    void spend(std::size_t steps) {
        if (steps < left_) {
            left_ -= static_cast<std::uint32_t>(steps);
        } else {
            left_ = STRIDE;
            check();
        }
    }

protected:
    virtual void check() = 0;

private:
    static constexpr std::uint32_t STRIDE = 4096;
    std::uint32_t left_ = STRIDE;
};

}  // namespace hornbook
