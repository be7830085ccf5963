// Interruption of long computations by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook::planner {

// Throws the exception of a Python signal handler, such as KeyboardInterrupt.
inline void look_for_signals() {
    const nanobind::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
        throw nanobind::python_error();
    }
}

}  // namespace hornbook::planner
