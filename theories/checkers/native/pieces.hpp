// Checkers for the players of Markovitch and Sella (1996, 4.1): an evaluation by pieces only, which is bolder
// when ahead, and a judge who awards the game to a player four men ahead.
#pragma once

#include "theories/checkers/native/checkers.hpp"

namespace checkers {

// `king` and `judged_king` are the values of a king for the players and for the judge, in halves of a man. A
// `bold` player who is ahead prefers fewer pieces on the board; this preference is worth a little less than
// half a man at most.
template <int king, int judged_king, bool bold>
struct Pieces : Checkers {
    static constexpr int evaluation_unit = 1;
    static constexpr int half = 64;  // of a man
    static constexpr int greatest = 100 * half;
    static constexpr int least = -greatest;
    static constexpr int enough = 4;

    static int worth(Bits side, Bits kings, int each) {
        return 2 * count(side & ~kings) + each * count(side & kings);
    }

    static int evaluation(const State& state) {
        if (is_over(state)) {
            return least;
        }
        const int lead = worth(state.own, state.kings, king) - worth(state.other, state.kings, king);
        if (!bold || lead == 0) {
            return lead * half;
        }
        const int left = count(state.own | state.other);
        return lead * half - (lead > 0 ? left : -left);
    }

    // The unit of evaluations per man.
    static constexpr double men = 2.0 * half;

    static int judged(const State& state) {
        const int lead =
            worth(state.own, state.kings, judged_king) - worth(state.other, state.kings, judged_king);
        const int side = state.white ? -1 : 1;
        return lead >= 2 * enough ? side : lead <= -2 * enough ? -side : 0;
    }
};

}  // namespace checkers
