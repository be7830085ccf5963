#include "play/core/allocation/python.hpp"
#include "play/core/python.hpp"
#include "theories/checkers/native/allocation.hpp"
#include "theories/checkers/native/checkers.hpp"

NB_MODULE(_native, module) {
    play::bind<checkers::Checkers>(module);
    auto allocation = module.def_submodule("allocation");
    play::allocation::bind<checkers::Allocation>(allocation);
}
