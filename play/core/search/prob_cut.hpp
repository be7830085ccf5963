// Multi-ProbCut (Buro 1995, 1997): the value of a deep search is approximately a linear function of that of a
// shallow one. If a shallow search predicts a deep value outside of the window, by a margin of some
// deviations, the deep search is skipped.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "play/core/search/conditions.hpp"

namespace play {

// deep = slope · shallow + offset, with errors of that deviation.
struct ProbCut {
    int deep = 0;
    int shallow = 0;
    double slope = 1;
    double offset = 0;
    double deviation = 0;

    // The least shallow value that makes the deep one likely to reach beta, and the greatest that makes it
    // likely not to exceed alpha.
    std::pair<int, int> bounds(int alpha, int beta, double margin) const {
        const double far = margin * deviation;
        constexpr double most = 1e9;  // beyond any value, and within an int
        return {static_cast<int>(std::ceil(std::min((beta - offset + far) / slope, most))),
                static_cast<int>(std::floor(std::max((alpha - offset - far) / slope, -most)))};
    }
};

// For each depth at most one pair, with a row for each part of a game's progress.
struct ProbCuts {
    std::vector<std::vector<ProbCut>> by_depth;
    double margin = 1.4;

    void add(std::vector<ProbCut> rows) {
        for (const auto& row : rows) {
            if (row.deep != rows[0].deep || row.shallow < 1 || row.shallow >= row.deep || !(row.slope > 0)) {
                throw std::invalid_argument("a deep search is cut by a shallower one, with a slope above 0");
            }
        }
        const auto deep = static_cast<std::size_t>(rows.at(0).deep);
        if (by_depth.size() <= deep) {
            by_depth.resize(deep + 1);
        }
        by_depth[deep] = std::move(rows);
    }

    const ProbCut* at(int depth, int progress) const {
        const auto deep = static_cast<std::size_t>(depth);
        if (deep >= by_depth.size() || by_depth[deep].empty()) {
            return nullptr;
        }
        const auto& rows = by_depth[deep];
        return &rows[static_cast<std::size_t>(progress) * rows.size() / 100];
    }
};

}  // namespace play
