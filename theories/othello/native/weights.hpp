// Weights of the evaluation of Othello, in hundredths of a disc. There is a row for each phase of the game,
// with a weight for each feature and a constant. Written by
//     python benchmarks/games/othello_weights.py --games 3000 --held 1000 --opening 8 --rounds 3 --seed 1 --into weights.hpp
#pragma once

#include <array>

namespace othello {

constexpr std::array<std::array<int, 8>, 4> WEIGHTS = {{
    {14, -9, -43, 1621, -1516, 425, 358, -236},
    {22, 15, -58, 1456, -1073, 193, 379, -225},
    {38, 46, -56, 978, -572, 101, 304, -134},
    {55, 141, -39, 174, -184, 75, 261, -45},
}};

}  // namespace othello
