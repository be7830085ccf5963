#include "play/core/python.hpp"
#include "theories/chess/native/chess.hpp"

NB_MODULE(_native, module) { play::bind<chess::Chess>(module); }
