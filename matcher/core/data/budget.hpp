// What may stop a long call: whoever goes on for long spends of it, at every small step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hornbook {

// Something that is asked now and then whether to go on; it throws when not.
class Budget {
public:
    virtual ~Budget() = default;
    void spend() {
        if (--left_ == 0) {
            left_ = STRIDE;
            check();
        }
    }
    // So many small steps at once.
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
