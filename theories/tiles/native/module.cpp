#include "play/core/python.hpp"
#include "theories/tiles/native/tiles.hpp"

NB_MODULE(_native, module) { play::bind<tiles::Tiles>(module); }
