// The weights of the evaluation of Othello, in hundredths of a disc: a row for each phase of the game, and in it a weight for
// each feature and a constant.
#pragma once

#include <array>

namespace othello {

constexpr std::array<std::array<int, 8>, 4> WEIGHTS = {{
    {0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0},
}};

}  // namespace othello
