#include "play/core/python.hpp"
#include "theories/go/native/go.hpp"

NB_MODULE(_native, module) { play::bind<go::Go>(module); }
