#include "resolution/resolution_machine.hpp"

#include <array>

namespace hornbook::planner::resolution {

namespace {

// The numbers of states after which the plans are rebuilt from observations.
constexpr std::array<std::uint64_t, 3> lessons{20, 200, 2000};

}  // namespace

ResolutionMachine::ResolutionMachine(Program program, Spoken spoken)
    : solver_(std::move(program)), spoken_(std::move(spoken)), moves_(spoken_.roles.size()) {}

template <class Taker>
void ResolutionMachine::all(std::uint32_t relation, Taker&& take) {
    if (solver_.is_stored(relation)) {
        const Stored& stored = solver_.told(relation);
        for (std::uint32_t row = 0; row < stored.rows(); ++row) {
            take(stored.row(row));
        }
        return;
    }
    const std::size_t width = solver_.program().relations[relation].width;
    const Goal& goal = solver_.solve(relation, Modes(width, Mode::wanted), nullptr);
    for (std::size_t answer = 0; answer < goal.count; ++answer) {
        take(goal.answers.data() + answer * width);
    }
}

void ResolutionMachine::append_told(const std::vector<Pair>& pairs, std::vector<Word>& out) {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    for (const Pair& pair : pairs) {
        const std::size_t width = solver_.program().relations[pair.told].width;
        all(pair.concluded, [&](const Cell* cells) { out.push_back(fluents_.number(pair.told, cells, width)); });
    }
    std::sort(out.begin() + begin, out.end());
}

void ResolutionMachine::initial(std::vector<Word>& out) { append_told(spoken_.initial, out); }

void ResolutionMachine::look(State state) {
    if (std::any_of(state.begin(), state.end(), [&](Word fluent) { return fluent >= fluents_.size(); })) {
        throw std::out_of_range("no state of this game");
    }
    if (looks_ != 0 && std::equal(state.begin(), state.end(), state_.begin(), state_.end())) {
        return;
    }
    ++looks_;
    if (std::find(lessons.begin(), lessons.end(), looks_) != lessons.end()) {
        solver_.learn();
    }
    for (const std::uint32_t relation : true_) {
        solver_.told(relation).clear();
    }
    true_.clear();
    for (const Word fluent : state) {
        const std::uint32_t relation = fluents_.relation(fluent);
        Stored& stored = solver_.told(relation);
        if (stored.rows() == 0) {
            true_.push_back(relation);
        }
        stored.add(fluents_.cells(fluent).data());
    }
    solver_.changed(Rests::on_state);
    state_.assign(state.begin(), state.end());
    legal_.reset();
}

bool ResolutionMachine::terminal() {
    return std::any_of(spoken_.terminal.begin(), spoken_.terminal.end(), [&](std::uint32_t relation) {
        return solver_.is_stored(relation) ? solver_.told(relation).rows() != 0
                                           : solver_.solve(relation, Modes{}, nullptr).count != 0;
    });
}

std::span<const Move> ResolutionMachine::legal(std::size_t role) {
    if (!legal_) {
        find_legal();
    }
    return (*legal_)[role];
}

void ResolutionMachine::find_legal() {
    std::vector<std::vector<Move>> found(spoken_.roles.size());
    for (const Pair& pair : spoken_.legal) {
        const std::size_t width = solver_.program().relations[pair.told].width;
        all(pair.concluded, [&](const Cell* cells) {
            const auto role = std::find(spoken_.roles.begin(), spoken_.roles.end(), cells[0]);
            if (role != spoken_.roles.end()) {
                const auto number = static_cast<std::size_t>(role - spoken_.roles.begin());
                found[number].push_back(static_cast<Move>(moves_[number].number(pair.told, cells, width)));
            }
        });
    }
    for (std::vector<Move>& moves : found) {
        std::sort(moves.begin(), moves.end());
    }
    legal_ = std::move(found);
}

int ResolutionMachine::goal(std::size_t role) {
    int worth = no_worth;
    std::size_t count = 0;
    for (const std::uint32_t relation : spoken_.goal) {
        const auto take = [&](Cell word) {
            const int found = spoken_.worths[static_cast<std::size_t>(word)];
            if (found >= 0 && !(count == 1 && found == worth)) {
                worth = found;
                ++count;
            }
        };
        const Cell asked = spoken_.roles[role];
        if (solver_.is_stored(relation)) {
            all(relation, [&](const Cell* cells) {
                if (cells[0] == asked) {
                    take(cells[1]);
                }
            });
            continue;
        }
        const Goal& goal = solver_.solve(relation, Modes{Mode::bound, Mode::wanted}, &asked);
        std::for_each(goal.answers.begin(), goal.answers.end(), take);
    }
    return count == 1 ? worth : no_worth;
}

void ResolutionMachine::next(std::span<const Move> joint, std::vector<Word>& out) {
    for (const Pair& pair : spoken_.legal) {
        solver_.told(pair.told).clear();
    }
    for (std::size_t role = 0; role < joint.size(); ++role) {
        const auto move = static_cast<std::size_t>(joint[role]);
        if (move >= moves_[role].size()) {
            throw std::out_of_range("no move of this role");
        }
        solver_.told(moves_[role].relation(move)).add(moves_[role].cells(move).data());
    }
    solver_.changed(Rests::on_moves);
    append_told(spoken_.next, out);
}

}  // namespace hornbook::planner::resolution
