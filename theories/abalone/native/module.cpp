#include "play/core/python.hpp"
#include "theories/abalone/native/abalone.hpp"

NB_MODULE(_native, module) { play::bind<abalone::Abalone>(module); }
