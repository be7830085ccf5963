#include "play/core/python.hpp"
#include "theories/checkers/native/checkers.hpp"

NB_MODULE(_native, module) { play::bind<checkers::Checkers>(module); }
