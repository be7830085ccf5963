#include "conditional/proof_numbers.hpp"

#include <algorithm>

namespace hornbook::planner {

namespace {

constexpr int steps_between_checks = 64;

// The threshold up to which a child is searched before its sibling: a quarter above the sibling's number, so that
// the search does not return after each single step (Pawlewicz and Lew 2007).
std::uint32_t raised_threshold(std::uint32_t number, std::uint32_t infinite) {
    return number >= infinite ? infinite : std::min(infinite, number + number / 4 + 1);
}

// The number of a state by the weak rule: the largest number of its successors, plus one for each other open one.
std::uint32_t with_others(std::uint32_t largest, std::uint32_t others, std::uint32_t infinite) {
    return largest == 0 || largest >= infinite ? largest : std::min(infinite - 1, largest + others);
}

// The threshold of a successor, for a threshold of the state: the inverse of with_others.
std::uint32_t without_others(std::uint32_t number, std::uint32_t others, std::uint32_t infinite) {
    return number >= infinite ? infinite : number > others ? number - others : 0;
}

}  // namespace

void ProofNumbers::begin(const Graph& graph, Worth least, const std::vector<Worth>& guaranteed,
                         const std::vector<Worth>& possible) {
    least_ = least;
    numbers_.assign(graph.size(), {1, 1});
    on_path_.assign(graph.size(), false);
    for (Index state = 0; state < graph.size(); ++state) {
        if (guaranteed[state] >= least) {
            numbers_[state] = {0, infinite};
        } else if (possible[state] < least) {
            numbers_[state] = {infinite, 0};
        }
    }
    path_.assign(1, {0, infinite, infinite});
}

ProofNumbers::Stop ProofNumbers::work(Graph& graph, Time::time_point until, std::size_t most_expanded,
                                       Watch& watch) {
    // Other searches may have added states.
    numbers_.resize(graph.size(), {1, 1});
    on_path_.resize(graph.size(), false);
    int steps = 0;
    while (!path_.empty()) {
        if (++steps == steps_between_checks) {
            steps = 0;
            if (Time::now() >= until || graph.expanded() >= most_expanded) {
                return Stop::late;
            }
        }
        const Frame frame = path_.back();
        const Index state = frame.state;
        if (graph.worth(state) == waiting) {
            if (!graph.expand(state, watch)) {
                return Stop::full;
            }
            numbers_.resize(graph.size(), {1, 1});
            on_path_.resize(graph.size(), false);
        }
        Chosen chosen{};
        if (const Worth worth = graph.worth(state); worth != goes_on) {
            chosen.numbers = at_end(worth);
        } else if (const Pair known = numbers_[state]; known.proof == 0 || known.disproof == 0) {
            chosen.numbers = known;
        } else {
            on_path_[state] = true;
            chosen = choose(graph, frame, watch);
        }
        numbers_[state] = chosen.numbers;
        if (chosen.numbers.proof == 0 || chosen.numbers.disproof == 0 || chosen.numbers.proof >= frame.proof ||
            chosen.numbers.disproof >= frame.disproof) {
            on_path_[state] = false;
            path_.pop_back();
        } else {
            path_.push_back(chosen.child);
        }
    }
    return Stop::decided;
}

// The numbers of a state, and the next state to search: after the move that is easiest to prove, the reply
// that is easiest to disprove.
ProofNumbers::Chosen ProofNumbers::choose(const Graph& graph, const Frame& frame, Watch& watch) const {
    Number proof = infinite, second_proof = infinite;  // the two smallest proof numbers of the moves
    Number most_disproof = 0, open_moves = 0;
    // Of the replies to the chosen move: the second smallest disproof number, and the number of unproved ones.
    Number second_disproof = infinite, open_replies = 0;
    Index child = 0;
    for (std::size_t move = 0; move < graph.moves(frame.state); ++move) {
        Number most_proof = 0, open = 0;
        Number disproof = infinite, second = infinite;
        Index easiest = 0;
        for (const Index after : graph.row(frame.state, move)) {
            watch.step();
            const Pair numbers = numbers_of(after);
            most_proof = std::max(most_proof, numbers.proof);
            open += numbers.proof != 0;
            if (numbers.disproof < disproof) {
                second = disproof;
                disproof = numbers.disproof;
                easiest = after;
            } else if (after != easiest) {
                second = std::min(second, numbers.disproof);
            }
        }
        const Number proof_of_row = with_others(most_proof, open > 0 ? open - 1 : 0, infinite);
        if (proof_of_row == 0) {
            return {{0, infinite}, {}};
        }
        most_disproof = std::max(most_disproof, disproof);
        open_moves += disproof != 0;
        if (proof_of_row < proof) {
            second_proof = proof;
            proof = proof_of_row;
            child = easiest;
            second_disproof = second;
            open_replies = open;
        } else {
            second_proof = std::min(second_proof, proof_of_row);
        }
    }
    if (open_moves == 0) {
        return {{infinite, 0}, {}};
    }
    const Pair numbers{proof, with_others(most_disproof, open_moves - 1, infinite)};
    const Number proof_of_move = std::min(frame.proof, raised_threshold(second_proof, infinite));
    const Number disproof_of_move = without_others(frame.disproof, open_moves - 1, infinite);
    return {numbers,
            {child, without_others(proof_of_move, open_replies > 0 ? open_replies - 1 : 0, infinite),
             std::min(disproof_of_move, raised_threshold(second_disproof, infinite))}};
}

}  // namespace hornbook::planner
