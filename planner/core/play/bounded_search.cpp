#include "play/bounded_search.hpp"

#include <algorithm>
#include <stdexcept>

namespace hornbook::planner {

namespace {

constexpr int least_worth = 0;
constexpr int greatest_worth = 100;
constexpr int missing_worth = 50;

}  // namespace

BoundedSearch::BoundedSearch(Machine& machine, bool alpha_beta, std::size_t most_bytes)
    : own_(machine.another()),
      machine_(own_ ? *own_ : machine),
      roles_(machine.roles()),
      alpha_beta_(alpha_beta),
      most_bytes_(most_bytes),
      role_(roles_),
      history_(roles_) {}

BoundedResult BoundedSearch::run(State state, std::size_t role, double seconds, std::uint64_t nodes, std::size_t depth,
                                 const StopSignal* stop, const std::function<void()>& look_for_signals) {
    const std::unique_lock only(running_, std::try_to_lock);
    if (!only) {
        throw std::runtime_error("a search with this table is running");
    }
    if (role >= roles_) {
        throw std::invalid_argument("no such role");
    }
    const StopSignal never;
    Limits limits(time_after(seconds), stop, never);
    limits_ = &limits;
    look_for_signals_ = &look_for_signals;
    looked_ = SearchClock::now();
    nodes_ = 0;
    most_nodes_ = nodes;
    begin(state, role);
    BoundedResult result;
    machine_.look(state);
    if (machine_.terminal()) {
        result.worth = result.lower = result.upper = std::clamp(machine_.goal(role), least_worth, greatest_worth);
        result.exact = true;
        return result;
    }
    if (!read_moves(0, -1)) {
        result.upper = 0;
        result.exact = true;
        return result;
    }
    result.move = *std::min_element(frames_[0].moves[role].begin(), frames_[0].moves[role].end());
    for (std::size_t now = 1; now <= std::min(depth, most_depth); ++now) {
        cut_ = false;
        root_move_ = -1;
        try {
            take(search(0, now, least_worth - 1, greatest_worth + 1), now, result);
        } catch (const Late&) {
            if (root_move_ >= 0) {
                take(root_value_, now - 1, result);
            }
            break;
        }
        if (result.exact || !cut_) {
            break;
        }
    }
    result.nodes = nodes_;
    return result;
}

void BoundedSearch::begin(State state, std::size_t role) {
    const bool is_full = states_.bytes() + table_.size() * sizeof(Known) >= most_bytes_;
    if (role != role_ || is_full) {
        states_ = StateStore();
        table_.clear();
    }
    role_ = role;
    if (frames_.empty()) {
        frames_.emplace_back();
    }
    frames_[0].state.assign(state.begin(), state.end());
    for (auto& of_role : history_) {
        std::fill(of_role.begin(), of_role.end(), 0);
    }
}

// A depth in which each move loses gives no reason to prefer one: then the move of the depth before remains.
void BoundedSearch::take(const Value& found, std::size_t depth, BoundedResult& result) {
    if (found.upper > least_worth || result.depth == 0) {
        result.move = root_move_;
        result.line = frames_[0].line;
    }
    result.worth = found.value;
    result.lower = std::max(result.lower, found.lower);
    result.upper = std::min(result.upper, found.upper);
    result.exact = result.lower == result.upper;
    result.depth = depth;
}

void BoundedSearch::count_state() {
    if (nodes_ >= most_nodes_ || limits_->reached()) {
        throw Late{};
    }
    ++nodes_;
    if (nodes_ % 64 == 0) {
        if (const auto now = SearchClock::now(); now - looked_ > between_looks_for_signals) {
            looked_ = now;
            (*look_for_signals_)();
        }
    }
}

BoundedSearch::Known* BoundedSearch::known(State state) {
    if (states_.bytes() + table_.size() * sizeof(Known) < most_bytes_) {
        const auto [number, is_new] = states_.insert(state);
        if (is_new) {
            table_.emplace_back();
        }
        return &table_[number];
    }
    const auto number = states_.find(state);
    return number ? &table_[*number] : nullptr;
}

// The value of the state of a frame.
BoundedSearch::Value BoundedSearch::search(std::size_t ply, std::size_t depth, int alpha, int beta) {
    count_state();
    Frame& frame = frames_[ply];
    frame.line.clear();
    Known* const entry = known(frame.state);
    if (entry != nullptr && ply > 0) {
        if (entry->lower == entry->upper) {
            return {entry->lower, entry->lower, entry->upper};
        }
        if (entry->depth == depth && depth > 0) {
            cut_ = true;  // its value may depend on a depth limit
            if (entry->least == entry->most || entry->least >= beta) {
                return {entry->least, entry->lower, entry->upper};
            }
            if (entry->most <= alpha) {
                return {entry->most, entry->lower, entry->upper};
            }
        }
    }
    machine_.look(frame.state);
    Value found{};
    Move best = entry == nullptr ? -1 : entry->best;
    if (machine_.terminal()) {
        const int worth = std::clamp(machine_.goal(role_), least_worth, greatest_worth);
        found = {worth, worth, worth};
    } else if (depth == 0) {
        cut_ = true;
        return {evaluation(), least_worth, greatest_worth};
    } else if (!read_moves(ply, best)) {
        found = {least_worth, least_worth, least_worth};
    } else {
        found = moves_of(ply, depth, alpha, beta, best);
    }
    if (entry != nullptr) {
        entry->lower = static_cast<std::int16_t>(std::max<int>(entry->lower, found.lower));
        entry->upper = static_cast<std::int16_t>(std::min<int>(entry->upper, found.upper));
        found.lower = entry->lower;
        found.upper = entry->upper;
        found.value = std::clamp(found.value, found.lower, found.upper);
        entry->depth = static_cast<std::uint16_t>(depth);
        entry->least = static_cast<std::int16_t>(found.value > alpha ? found.value : least_worth);
        entry->most = static_cast<std::int16_t>(found.value < beta ? found.value : greatest_worth);
        entry->best = best;
    }
    return found;
}

// The mean of the role's goal value and of its part of all moves, in percent.
int BoundedSearch::evaluation() {
    const int goal = machine_.goal(role_);
    std::size_t own = 0;
    std::size_t all = 0;
    for (std::size_t role = 0; role < roles_; ++role) {
        const auto count = machine_.legal(role).size();
        all += count;
        own += role == role_ ? count : 0;
    }
    const int mobility = all == 0 ? 0 : static_cast<int>(100 * own / all);
    return std::clamp(((goal == no_worth ? missing_worth : goal) + mobility) / 2, least_worth + 1, greatest_worth - 1);
}

// Reads the moves of the looked-at state into a frame, the more successful ones first, and before them `first`. Returns
// false if a role has none.
bool BoundedSearch::read_moves(std::size_t ply, Move first) {
    Frame& frame = frames_[ply];
    frame.moves.resize(roles_);
    frame.chooser = roles_;
    bool several = false;
    for (std::size_t role = 0; role < roles_; ++role) {
        const auto moves = machine_.legal(role);
        if (moves.empty()) {
            return false;
        }
        frame.moves[role].assign(moves.begin(), moves.end());
        if (moves.size() > 1) {
            several = several || frame.chooser != roles_;
            frame.chooser = role;
        }
    }
    if (several) {
        frame.chooser = roles_;
    }
    for (std::size_t role = 0; role < roles_; ++role) {
        auto& history = history_[role];
        auto& moves = frame.moves[role];
        const auto last = static_cast<std::size_t>(*std::max_element(moves.begin(), moves.end()));
        if (last >= history.size()) {
            history.resize(last + 1, 0);
        }
        std::stable_sort(moves.begin(), moves.end(), [&](Move left, Move right) {
            return history[static_cast<std::size_t>(left)] > history[static_cast<std::size_t>(right)];
        });
        if (role == frame.chooser) {
            if (const auto place = std::find(moves.begin(), moves.end(), first); place != moves.end()) {
                std::rotate(moves.begin(), place, place + 1);
            }
        }
    }
    return true;
}

// The role's moves: the greatest value.
BoundedSearch::Value BoundedSearch::moves_of(std::size_t ply, std::size_t depth, int alpha, int beta, Move& best) {
    Frame& frame = frames_[ply];
    frame.joint.resize(roles_);
    Value found{least_worth - 1, least_worth, least_worth};
    std::size_t done = 0;
    for (const auto move : frame.moves[role_]) {
        frame.joint[role_] = move;
        const auto value = replies_to(ply, depth, std::max(alpha, found.value), beta);
        ++done;
        found.lower = std::max(found.lower, value.lower);
        found.upper = std::max(found.upper, value.upper);
        if (value.value > found.value) {
            found.value = value.value;
            if (frame.chooser == role_) {
                best = move;
            }
            if (ply == 0) {
                root_move_ = move;
                root_value_ = {found.value, found.lower, greatest_worth};
            }
        }
        if ((alpha_beta_ && found.value >= beta) || found.lower == greatest_worth) {
            reward(role_, move, depth);
            break;
        }
    }
    if (done < frame.moves[role_].size()) {
        found.upper = greatest_worth;
    }
    if (frame.chooser != role_ && frame.chooser != roles_ && !frame.line.empty()) {
        best = frame.line[0][frame.chooser];
    }
    return found;
}

// The joint replies of the others to the role's move: the least value. The line of the frame is that of the best move.
BoundedSearch::Value BoundedSearch::replies_to(std::size_t ply, std::size_t depth, int alpha, int beta) {
    Frame& frame = frames_[ply];
    frame.places.assign(roles_, 0);
    Value found{greatest_worth + 1, greatest_worth, greatest_worth};
    bool complete = true;
    std::vector<std::vector<Move>> line;
    do {
        for (std::size_t role = 0; role < roles_; ++role) {
            if (role != role_) {
                frame.joint[role] = frame.moves[role][frame.places[role]];
            }
        }
        const auto value = after(ply, depth, alpha, std::min(beta, found.value));
        found.lower = std::min(found.lower, value.lower);
        found.upper = std::min(found.upper, value.upper);
        if (value.value < found.value) {
            found.value = value.value;
            const auto& rest = frames_[ply + 1].line;
            line.assign(1, frame.joint);
            line.insert(line.end(), rest.begin(), rest.end());
        }
        complete = next_reply(frame);
        if (complete && ((alpha_beta_ && found.value <= alpha) || found.upper == least_worth)) {
            if (frame.chooser != role_ && frame.chooser != roles_) {
                reward(frame.chooser, frame.joint[frame.chooser], depth);
            }
            found.lower = least_worth;
            break;
        }
    } while (complete);
    if (found.value > alpha || frame.line.empty()) {
        frame.line = std::move(line);
    }
    return found;
}

// Moves to the next joint reply. Returns false after the last one.
bool BoundedSearch::next_reply(Frame& frame) const {
    for (std::size_t role = 0; role < roles_; ++role) {
        if (role == role_) {
            continue;
        }
        if (++frame.places[role] < frame.moves[role].size()) {
            return true;
        }
        frame.places[role] = 0;
    }
    return false;
}

BoundedSearch::Value BoundedSearch::after(std::size_t ply, std::size_t depth, int alpha, int beta) {
    if (frames_.size() == ply + 1) {
        frames_.emplace_back();
    }
    Frame& frame = frames_[ply];
    Frame& next = frames_[ply + 1];
    machine_.look(frame.state);
    next.state.clear();
    machine_.next(frame.joint, next.state);
    return search(ply + 1, depth - 1, alpha_beta_ ? alpha : least_worth - 1, alpha_beta_ ? beta : greatest_worth + 1);
}

void BoundedSearch::reward(std::size_t role, Move move, std::size_t depth) {
    auto& score = history_[role][static_cast<std::size_t>(move)];
    constexpr std::uint32_t greatest_score = 1U << 30U;
    score = std::min(greatest_score, score + static_cast<std::uint32_t>(depth * depth));
}

}  // namespace hornbook::planner
