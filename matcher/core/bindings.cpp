// The Python module `matcher._core`.

#include <nanobind/nanobind.h>

NB_MODULE(_core, m) {
    m.attr("__version__") = HORNBOOK_VERSION;
}
