#include "conditional/proof_numbers.hpp"

#include <algorithm>

namespace hornbook::planner {

namespace {

constexpr int steps_between_looks_at_the_clock = 64;

// The limit up to which a child continues before its sibling is searched: a quarter above the sibling's
// number, so that the search does not return after each single step (Pawlewicz and Lew 2007).
std::uint32_t beyond(std::uint32_t number, std::uint32_t never) {
    return number >= never ? never : std::min(never, number + number / 4 + 1);
}

std::uint32_t plus(std::uint32_t largest, std::uint32_t others, std::uint32_t never) {
    return largest == 0 || largest >= never ? largest : std::min(never - 1, largest + others);
}

std::uint32_t less(std::uint32_t number, std::uint32_t others, std::uint32_t never) {
    return number >= never ? never : number > others ? number - others : 0;
}

}  // namespace

void ProofNumbers::begin(const Graph& graph, Worth least, const std::vector<Worth>& guaranteed,
                         const std::vector<Worth>& possible) {
    least_ = least;
    numbers_.assign(graph.size(), {1, 1});
    on_way_.assign(graph.size(), false);
    for (Index state = 0; state < graph.size(); ++state) {
        if (guaranteed[state] >= least) {
            numbers_[state] = {0, never};
        } else if (possible[state] < least) {
            numbers_[state] = {never, 0};
        }
    }
    way_.assign(1, {0, never, never});
}

ProofNumbers::Stop ProofNumbers::work(Graph& graph, Time::time_point until, std::size_t most_expanded,
                                       Watch& watch) {
    // Other searches may have added states.
    numbers_.resize(graph.size(), {1, 1});
    on_way_.resize(graph.size(), false);
    int steps = 0;
    while (!way_.empty()) {
        if (++steps == steps_between_looks_at_the_clock) {
            steps = 0;
            if (Time::now() >= until || graph.expanded() >= most_expanded) {
                return Stop::late;
            }
        }
        const Frame frame = way_.back();
        const Index state = frame.state;
        if (graph.worth(state) == waiting) {
            if (!graph.expand(state, watch)) {
                return Stop::full;
            }
            numbers_.resize(graph.size(), {1, 1});
            on_way_.resize(graph.size(), false);
        }
        Chosen chosen{};
        if (const Worth worth = graph.worth(state); worth != goes_on) {
            chosen.numbers = at_end(worth);
        } else if (const Pair known = numbers_[state]; known.proof == 0 || known.disproof == 0) {
            chosen.numbers = known;
        } else {
            on_way_[state] = true;
            chosen = choose(graph, frame, watch);
        }
        numbers_[state] = chosen.numbers;
        if (chosen.numbers.proof == 0 || chosen.numbers.disproof == 0 || chosen.numbers.proof >= frame.proof ||
            chosen.numbers.disproof >= frame.disproof) {
            on_way_[state] = false;
            way_.pop_back();
        } else {
            way_.push_back(chosen.child);
        }
    }
    return Stop::decided;
}

// The numbers of a state, and the next state to search: after the move that is easiest to prove, the reply
// that is easiest to disprove.
ProofNumbers::Chosen ProofNumbers::choose(const Graph& graph, const Frame& frame, Watch& watch) const {
    Number proof = never, second_proof = never;  // of the moves
    Number most_disproof = 0, open_moves = 0;
    Number second_disproof = never, open_replies = 0;  // of the replies to the move chosen
    Index child = 0;
    for (std::size_t move = 0; move < graph.moves(frame.state); ++move) {
        Number most_proof = 0, open = 0;
        Number disproof = never, second = never;
        Index easiest = 0;
        for (const Index after : graph.row(frame.state, move)) {
            watch.step();
            const Pair numbers = of(after);
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
        const Number here = plus(most_proof, open > 0 ? open - 1 : 0, never);
        if (here == 0) {
            return {{0, never}, {}};
        }
        most_disproof = std::max(most_disproof, disproof);
        open_moves += disproof != 0;
        if (here < proof) {
            second_proof = proof;
            proof = here;
            child = easiest;
            second_disproof = second;
            open_replies = open;
        } else {
            second_proof = std::min(second_proof, here);
        }
    }
    if (open_moves == 0) {
        return {{never, 0}, {}};
    }
    const Pair numbers{proof, plus(most_disproof, open_moves - 1, never)};
    const Number proof_of_move = std::min(frame.proof, beyond(second_proof, never));
    const Number disproof_of_move = less(frame.disproof, open_moves - 1, never);
    return {numbers,
            {child, less(proof_of_move, open_replies > 0 ? open_replies - 1 : 0, never),
             std::min(disproof_of_move, beyond(second_disproof, never))}};
}

}  // namespace hornbook::planner
