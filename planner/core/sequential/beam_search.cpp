#include "sequential/beam_search.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace hornbook::planner {

namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

}  // namespace

BeamSearch::BeamSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory)
    : machine_(machine),
      top_(top),
      clock_(std::move(clock)),
      splitter_(clock_),
      memory_(memory),
      begins_(begins.begin(), begins.end()) {
    if (machine.roles() != 1) throw std::invalid_argument("a sequential plan is of a game of one role");
    begin();
}

Status BeamSearch::run(std::size_t states) {
    const std::size_t end = met_ + states;
    while (met_ < end && status_ == Status::searching) {
        if (at_ < layer_.size()) {
            expand(layer_[at_++]);
        } else if (!following_.empty()) {
            next_layer();
        } else if (!narrow_) {
            status_ = Status::exhausted;
        } else {
            width_ *= 2;
            begin();
        }
        if (bytes() > memory_) status_ = Status::full;
    }
    return status_;
}

void BeamSearch::begin() {
    store_ = StateStore();
    steps_.clear();
    layer_.clear();
    following_.clear();
    at_ = depth_ = 0;
    narrow_ = false;
    board_.clear();
    splitter_.board(begins_, 0, board_);
    meet(store_.insert(board_).first, nothing);
    std::swap(layer_, following_);
}

// Make the best successors the next layer.
void BeamSearch::next_layer() {
    const auto better = [](const Candidate& one, const Candidate& other) {
        return std::tuple(-one.worth, -static_cast<std::int64_t>(one.moves), one.order) <
               std::tuple(-other.worth, -static_cast<std::int64_t>(other.moves), other.order);
    };
    if (following_.size() > width_) {
        narrow_ = true;
        const auto end = following_.begin() + static_cast<std::ptrdiff_t>(width_);
        std::nth_element(following_.begin(), end, following_.end(), better);
        following_.erase(end, following_.end());
    }
    std::sort(following_.begin(), following_.end(), better);
    layer_.clear();
    std::swap(layer_, following_);
    at_ = 0;
    ++depth_;
}

void BeamSearch::expand(const Candidate& candidate) {
    words_.clear();
    splitter_.state(store_.at(candidate.board), clock_.phase(depth_), words_);
    machine_.look(words_);
    const auto legal = machine_.legal(0);
    moves_.assign(legal.begin(), legal.end());
    met_ += 1 + moves_.size();
    std::vector<std::pair<StateId, std::uint32_t>> fresh;
    for (const Move move : moves_) {
        words_.clear();
        board_.clear();
        machine_.next({&move, 1}, words_);
        splitter_.board(words_, clock_.phase(depth_ + 1), board_);
        const auto [after, is_new] = store_.insert(board_);
        if (!is_new) continue;
        fresh.emplace_back(after, static_cast<std::uint32_t>(steps_.size()));
        steps_.push_back({candidate.step, move});
    }
    ++depth_;
    for (const auto& [board, step] : fresh) {
        meet(board, step);
        if (status_ != Status::searching) break;
    }
    --depth_;
}

// Visit a board after `depth_` moves, the last of them a step.
void BeamSearch::meet(StateId board, std::uint32_t step) {
    words_.clear();
    splitter_.state(store_.at(board), clock_.phase(depth_), words_);
    machine_.look(words_);
    const int worth = machine_.goal(0);
    if (!machine_.terminal()) {
        // Boards of equal quality are ordered at random, differently each time.
        random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
        following_.push_back({board, step, worth, static_cast<std::uint32_t>(machine_.legal(0).size()),
                              static_cast<std::uint32_t>(random_ >> 33U)});
        return;
    }
    if (worth <= best_) return;
    best_ = worth;
    plan_.clear();
    for (std::uint32_t at = step; at != nothing; at = steps_[at].parent) plan_.push_back(steps_[at].move);
    std::reverse(plan_.begin(), plan_.end());
    if (best_ >= top_) status_ = Status::top;
}

std::size_t BeamSearch::bytes() const {
    return store_.bytes() + steps_.capacity() * sizeof(Step) +
           (layer_.capacity() + following_.capacity()) * sizeof(Candidate);
}

}  // namespace hornbook::planner
