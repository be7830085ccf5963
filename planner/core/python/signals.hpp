// Ctrl-C ends what takes long.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

// Throws what a Python signal handler raised, such as KeyboardInterrupt.
inline void look_for_signals() {
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
        throw nanobind::python_error();
    }
}

}  // namespace hornbook::planner
