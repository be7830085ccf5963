// Weights of the evaluation of checkers, in thousandths of a score of 1. There is a row for each phase of the
// game, with a weight for each feature and a constant. Written by
//     python benchmarks/games/checkers_weights.py --games 2000 --held 500 --opening 8 --longest 120 --rounds 3 --seed 1 --into weights.hpp
#pragma once

#include <array>

namespace checkers {

constexpr std::array<std::array<int, 8>, 4> WEIGHTS = {{
    {314, 276, 13, 113, -33, 96, -25, 12},
    {191, 194, 13, 102, -7, 99, -27, 23},
    {139, 208, 8, 89, 6, 52, 0, 20},
    {195, 303, 8, 62, 13, 77, 1, 32},
}};

}  // namespace checkers
