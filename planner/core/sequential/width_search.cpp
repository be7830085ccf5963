#include "sequential/width_search.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace hornbook::planner {

namespace {

bool was_set(std::vector<bool>& marks, std::size_t place) {
    if (place >= marks.size()) marks.resize(std::max(place + 1, 2 * marks.size()));
    const bool was = marks[place];
    marks[place] = true;
    return was;
}

}  // namespace

WidthSearch::WidthSearch(Machine& machine, State begins, int top, Clock clock, std::size_t memory)
    : machine_(machine), top_(top), clock_(std::move(clock)), splitter_(clock_), memory_(memory) {
    if (machine.roles() != 1) throw std::invalid_argument("a sequential plan is of a game of one role");
    splitter_.board(begins, 0, board_);
    const StateId first = store_.insert(board_).first;
    origins_.push_back({nobody, 0});
    meet(first);
}

Status WidthSearch::run(std::size_t states) {
    const std::size_t end = met_ + states;
    while (met_ < end && status_ == Status::searching) {
        const StateId board = take();
        if (board == nobody) {
            status_ = Status::exhausted;
        } else if (bytes() > memory_) {
            status_ = Status::full;
        } else {
            expand(board);
            ++expanded_;
        }
    }
    return status_;
}

// Among boards of equal quality, the newest and the oldest one alternately.
StateId WidthSearch::take() {
    for (auto queue = open_.rbegin(); queue != open_.rend(); ++queue) {
        if (queue->empty()) continue;
        const bool newest = expanded_ % 2 == 0;
        const StateId board = newest ? queue->back() : queue->front();
        if (newest) {
            queue->pop_back();
        } else {
            queue->pop_front();
        }
        return board;
    }
    return nobody;
}

void WidthSearch::expand(StateId board) {
    const std::size_t depth = origins_[board].depth;
    words_.clear();
    splitter_.state(store_.at(board), clock_.phase(depth), words_);
    machine_.look(words_);
    const auto legal = machine_.legal(0);
    moves_.assign(legal.begin(), legal.end());
    met_ += 1 + moves_.size();
    fresh_.clear();
    for (const Move move : moves_) {
        next_board(move, depth + 1);
        const auto [after, is_new] = store_.insert(board_);
        if (!is_new) continue;
        origins_.push_back({board, static_cast<std::uint32_t>(depth + 1)});
        fresh_.push_back(after);
    }
    for (const StateId after : fresh_) {
        meet(after);
        if (status_ != Status::searching) return;
    }
}

// Visit a board for the first time.
void WidthSearch::meet(StateId board) {
    words_.clear();
    splitter_.state(store_.at(board), clock_.phase(origins_[board].depth), words_);
    machine_.look(words_);
    const int worth = machine_.goal(0);
    if (machine_.terminal()) {
        if (worth > best_) {
            best_ = worth;
            best_board_ = board;
            if (best_ >= top_) status_ = Status::top;
        }
        return;
    }
    const auto place = static_cast<std::size_t>(std::clamp(worth, no_worth, 100) + 1);
    open_[(novelties - 1 - novelty(board, seen_[place])) * worths + place].push_back(board);
}

// 0 if a fluent is true for the first time, 1 if a pair is, and otherwise 2.
std::size_t WidthSearch::novelty(StateId board, Seen& seen) {
    now_.clear();
    before_.clear();
    fluents_of(store_.at(board), now_);
    if (origins_[board].parent != nobody) fluents_of(store_.at(origins_[board].parent), before_);
    bool fluent_is_new = false, pair_is_new = false;
    for (const std::size_t fluent : now_) fluent_is_new |= !was_set(seen.fluents, fluent);
    // A pair of fluents that were true before is new only after a change of value; such pairs are skipped.
    for (const std::size_t one : now_) {
        if (one >= most_paired || std::binary_search(before_.begin(), before_.end(), one)) continue;
        for (const std::size_t other : now_) {
            if (other >= most_paired) break;
            const auto [low, high] = std::minmax(one, other);
            pair_is_new |= !was_set(seen.pairs, high * (high + 1) / 2 + low);
        }
    }
    return fluent_is_new ? 0 : pair_is_new ? 1 : 2;
}

// The numbers of the true fluents of a board, ascending.
void WidthSearch::fluents_of(State board, std::vector<std::size_t>& out) const {
    if (clock_.encoding == Encoding::numbers) {
        out.assign(board.begin(), board.end());
        return;
    }
    for (std::size_t word = 0; word < board.size(); ++word) {
        for (Word left = board[word]; left != 0; left &= left - 1) {
            out.push_back(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
        }
    }
}

void WidthSearch::next_board(Move move, std::size_t depth) {
    words_.clear();
    board_.clear();
    machine_.next({&move, 1}, words_);
    splitter_.board(words_, clock_.phase(depth), board_);
}

std::vector<Move> WidthSearch::plan() {
    std::vector<Move> found;
    if (best_board_ == nobody) return found;
    for (StateId board = best_board_; origins_[board].parent != nobody; board = origins_[board].parent) {
        const StateId parent = origins_[board].parent;
        const std::size_t depth = origins_[parent].depth;
        words_.clear();
        splitter_.state(store_.at(parent), clock_.phase(depth), words_);
        machine_.look(words_);
        const auto legal = machine_.legal(0);
        moves_.assign(legal.begin(), legal.end());
        const State after = store_.at(board);
        const auto leads = std::find_if(moves_.begin(), moves_.end(), [&](Move move) {
            next_board(move, depth + 1);
            return std::equal(after.begin(), after.end(), board_.begin(), board_.end());
        });
        if (leads == moves_.end()) throw std::logic_error("a machine says of one state different things");
        found.push_back(*leads);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::size_t WidthSearch::bytes() const {
    // A board is in at most one queue.
    std::size_t sum = store_.bytes() + origins_.size() * (sizeof(Origin) + sizeof(StateId));
    for (const Seen& seen : seen_) sum += (seen.fluents.capacity() + seen.pairs.capacity()) / 8;
    return sum;
}

}  // namespace hornbook::planner
