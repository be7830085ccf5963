// Best-first minimax (Korf and Chickering 1993): always expands the leaf at the end of the principal variation.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "play/core/search/tree.hpp"

namespace play {

template <GameOfTwo G>
Found<G> best_first(const typename G::State& state, const Budget& budget, Known<G>& known) {
    if (!budget.is_bounded()) {
        throw std::invalid_argument("best-first minimax needs a limit of nodes or seconds");
    }
    Meter meter(budget.own());
    Tree<G> tree(state, meter);
    if (known.is_asked() && !tree[Tree<G>::ROOT].is_over) {
        if (const auto& bounds = known.of(state, meter); bounds.move.has_value()) {
            return decided(bounds, tree[Tree<G>::ROOT].value, meter);
        }
    }
    Found<G> found;
    while (true) {
        auto leaf = Tree<G>::ROOT;
        int depth = 0;
        for (; tree[leaf].count > 0 && !tree[leaf].is_settled(); ++depth) {
            leaf = tree.best(leaf);
        }
        found.depth = std::max(found.depth, depth);
        if (tree[leaf].is_settled()) {
            found.why = leaf == Tree<G>::ROOT ? Why::OVER : Why::LINE_ENDS;
            break;
        }
        if (depth >= budget.depth || meter.is_spent()) {
            found.why = meter.is_spent() ? meter.why() : Why::DEPTH;
            break;
        }
        tree.expand(leaf);
        tree.back_up(leaf);
        if (known.is_asked()) {
            tree.ask(known, leaf);
        }
        if (budget.trace) {
            found.steps.push_back({meter.nodes(), tree.path(leaf), tree[Tree<G>::ROOT].value, 0, 0});
        }
    }
    found.value = tree[Tree<G>::ROOT].value;
    found.line = tree.line();
    if (!found.line.empty()) {
        found.move = found.line.front();
    }
    found.spent = meter.spent();
    return found;
}

}  // namespace play
