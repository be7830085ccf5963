#include "play/core/python.hpp"
#include "theories/othello/native/othello.hpp"

NB_MODULE(_native, module) { play::bind<othello::Othello>(module); }
