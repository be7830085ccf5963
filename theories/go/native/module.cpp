#include "play/core/python.hpp"
#include "theories/go/native/fact_columns_python.hpp"
#include "theories/go/native/go.hpp"
#include "theories/go/native/guided_python.hpp"
#include "theories/go/native/playout_python.hpp"

NB_MODULE(_native, module) {
    play::bind<go::Go>(module);
    go::bind_fact_columns(module);
    go::bind_guided(module);
    go::bind_playouts(module);
}
