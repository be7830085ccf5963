#include "sequential/layered_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hornbook::planner {

namespace {

// Sets a bit, and returns whether it was set before.
bool set_bit(std::vector<std::uint64_t>& bits, std::size_t place) {
    const std::size_t word = place / 64;
    if (word >= bits.size()) bits.resize(std::max(word + 1, 2 * bits.size()));
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    const bool was_set = (bits[word] & bit) != 0;
    bits[word] |= bit;
    return was_set;
}

}  // namespace

LayeredSearch::LayeredSearch(Machine& machine, State start, int top, Clock clock, std::size_t memory)
    : machine_(machine),
      top_(top),
      clock_(std::move(clock)),
      splitter_(clock_),
      memory_(memory),
      clocked_(clock_.phases.size() > 1),
      reached_(clock_.phases.size()),
      next_phase_(clock_.phase(1)) {
    if (machine.roles() != 1) throw std::invalid_argument("a sequential plan is of a game of one role");
    splitter_.board(start, 0, board_);
    const StateId first = store_.insert(board_).first;
    set_bit(reached_[0], first);
    entries_.push_back({first, nowhere});
    layer_end_ = 1;
}

Status LayeredSearch::run(std::size_t states) {
    const std::size_t end = visited_ + states;
    while (visited_ < end && status_ == Status::searching) step();
    return status_;
}

void LayeredSearch::step() {
    if (at_ == layer_end_) {
        if (at_ == entries_.size()) {
            status_ = Status::exhausted;
            return;
        }
        enter_layer();
    }
    if (at_ % 64 == 0 && (bytes() > memory_ || entries_.size() > nowhere / 2)) {
        status_ = Status::full;
        return;
    }
    const StateId board = entries_[at_].board;
    const int worth = verdict(board, phase_);
    if (worth == goes_on) {
        expand(board);
    } else if (worth > best_) {
        best_ = worth;
        best_entry_ = at_;
        if (best_ >= top_) status_ = Status::top;
    }
    ++at_;
    ++visited_;
}

void LayeredSearch::enter_layer() {
    layer_end_ = entries_.size();
    ++depth_;
    if (phase_ < clock_.again) std::vector<std::uint64_t>().swap(reached_[phase_]);
    phase_ = next_phase_;
    next_phase_ = clock_.phase(depth_ + 1);
}

int LayeredSearch::verdict(StateId board, std::size_t phase) {
    const int kind = clocked_ ? clock_.kinds[phase] : Clock::single;
    int* stored = nullptr;
    if (kind != Clock::single) {
        const auto number = static_cast<std::size_t>(kind);
        if (number >= verdicts_.size()) verdicts_.resize(number + 1);
        auto& of_kind = verdicts_[number];
        if (board >= of_kind.size()) of_kind.resize(std::max<std::size_t>(board + std::size_t{1}, 2 * of_kind.size()), unknown);
        stored = &of_kind[board];
        if (*stored != unknown) return *stored;
    }
    look(store_.at(board), phase);
    const int worth = machine_.terminal() ? machine_.goal(0) : goes_on;
    if (stored != nullptr) *stored = worth;
    return worth;
}

void LayeredSearch::expand(StateId board) {
    if (clocked_ && board < first_successor_.size() && first_successor_[board] != unexpanded) {
        const std::uint64_t first = first_successor_[board];
        const std::uint64_t end = first + 1 + successors_[first];
        for (std::uint64_t place = first + 1; place < end; ++place) reach(successors_[place]);
        return;
    }
    look(store_.at(board), phase_);
    const auto legal = machine_.legal(0);
    moves_.assign(legal.begin(), legal.end());
    const std::uint64_t first = successors_.size();
    if (clocked_) {
        if (board >= first_successor_.size()) first_successor_.resize(std::max<std::size_t>(board + std::size_t{1}, 2 * first_successor_.size()), unexpanded);
        first_successor_[board] = first;
        successors_.push_back(static_cast<StateId>(moves_.size()));
    }
    for (const Move move : moves_) {
        next_board(move, next_phase_);
        const StateId after = store_.insert(board_).first;
        if (clocked_) successors_.push_back(after);
        reach(after);
    }
}

void LayeredSearch::reach(StateId board) {
    ++visited_;
    if (!set_bit(reached_[next_phase_], board)) entries_.push_back({board, static_cast<std::uint32_t>(at_)});
}

void LayeredSearch::look(State board, std::size_t phase) {
    words_.clear();
    splitter_.state(board, phase, words_);
    machine_.look(words_);
}

void LayeredSearch::next_board(Move move, std::size_t next_phase) {
    words_.clear();
    board_.clear();
    machine_.next({&move, 1}, words_);
    splitter_.board(words_, next_phase, board_);
}

std::vector<Move> LayeredSearch::plan() {
    if (best_ == no_worth) return {};
    std::vector<StateId> boards;
    for (std::size_t place = best_entry_; place != nowhere; place = entries_[place].parent) {
        boards.push_back(entries_[place].board);
    }
    std::reverse(boards.begin(), boards.end());
    std::vector<Move> found;
    for (std::size_t depth = 0; depth + 1 < boards.size(); ++depth) {
        look(store_.at(boards[depth]), clock_.phase(depth));
        const auto legal = machine_.legal(0);
        moves_.assign(legal.begin(), legal.end());
        const State after = store_.at(boards[depth + 1]);
        const auto leads = std::find_if(moves_.begin(), moves_.end(), [&](Move move) {
            next_board(move, clock_.phase(depth + 1));
            return std::equal(after.begin(), after.end(), board_.begin(), board_.end());
        });
        if (leads == moves_.end()) throw std::logic_error("a machine says of one state different things");
        found.push_back(*leads);
    }
    return found;
}

std::size_t LayeredSearch::bytes() const {
    std::size_t sum = store_.bytes() + entries_.size() * sizeof(Entry) + successors_.capacity() * sizeof(StateId) +
                      first_successor_.capacity() * sizeof(std::uint64_t);
    for (const auto& bits : reached_) sum += bits.capacity() * sizeof(std::uint64_t);
    for (const auto& of_kind : verdicts_) sum += of_kind.capacity() * sizeof(int);
    return sum;
}

}  // namespace hornbook::planner
