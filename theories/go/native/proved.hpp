// Conclusions of rules about blocks, and the positions where they stay true. A proof depends on the points of
// its ground: on any board with the same stones there, and no ko ban there, it proves the same. A conclusion
// about one position thus applies to many others, and a few comparisons decide whether it applies.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "theories/go/native/go.hpp"

namespace go {

enum class Fate : std::uint8_t { LOST, SAFE };

// A block is lost, or safe, with the other side moving first; or, with a first move, with its own
// side moving first.
struct Proved {
    Fate fate = Fate::LOST;
    std::uint8_t owner = 0;
    Point first = NONE;
    Rows block;  // the stones of the block
    Rows ground;
    std::array<Rows, 2> there{};  // the stones on the ground

    bool operator==(const Proved&) const = default;

    // The side that benefits.
    int side() const { return fate == Fate::SAFE ? owner : 1 - owner; }
};

// Applicability of a conclusion to a position.
enum class Validity : std::uint8_t {
    SILENT,  // it does not apply
    FIRST,  // it holds for the side that benefits, if that side moves first
    HOLDS,  // it holds with either side to move
    ANSWERED  // the other side has moved, and there is an answer; the side that benefits is to move
};

inline Validity validity(const Proved& proved, const State& state) {
    const std::size_t side = static_cast<std::size_t>(proved.side()), other = 1 - side;
    if (!((state.stones[side] & proved.ground) == proved.there[side])) {
        return Validity::SILENT;
    }
    if (state.ko != NONE && !(single(state, state.ko) & proved.ground).is_empty()) {
        return Validity::SILENT;
    }
    const Rows now = state.stones[other] & proved.ground;
    if (now == proved.there[other]) {
        return proved.first != NONE ? Validity::FIRST : Validity::HOLDS;
    }
    // One more stone of the other side that captured nothing is a reply, and the proof has an
    // answer to each reply.
    if (proved.first == NONE && state.mover == side && (proved.there[other] - now).is_empty() &&
        (now - proved.there[other]).size() == 1) {
        return Validity::ANSWERED;
    }
    return Validity::SILENT;
}

// Known conclusions about blocks.
class Conclusions {
public:
    // Adds a conclusion about a position: `lost d4 on c3 d3`, `lost d4 by f5 on c3`, `safe d4 on c3`. Known
    // conclusions are not added again. Throws std::invalid_argument.
    void add(const State& state, const std::string& text) {
        const Proved found = read(state, text);
        if (std::find(all_.begin(), all_.end(), found) != all_.end()) {
            return;
        }
        all_.push_back(found);
        ++version_;
        // After its first move, if that captures nothing, the conclusion holds with either side to move.
        if (found.first != NONE && found.first != PASS) {
            const Rows put = single(state, found.first);
            const State before = with_mover(state, found.side());
            if ((empty(state) & put).is_empty() || !is_legal(before, found.first) ||
                !captured(before, put).is_empty()) {
                return;
            }
            Proved then = found;
            then.first = NONE;
            then.ground |= put;
            then.there[static_cast<std::size_t>(found.side())] |= put;
            all_.push_back(then);
        }
    }

    // Drops conclusions that cannot apply soon after this position: more than `most` points differ.
    void keep(const State& state, int most) {
        const auto is_far = [&](const Proved& proved) {
            int points = 0;
            for (std::size_t side = 0; side < 2; ++side) {
                const Rows now = state.stones[side] & proved.ground;
                points += (now - proved.there[side]).size() + (proved.there[side] - now).size();
            }
            return points > most;
        };
        std::erase_if(all_, is_far);
    }

    const std::vector<Proved>& all() const { return all_; }
    // The version changes if a conclusion is added.
    std::uint32_t version() const { return version_; }

private:
    static State with_mover(State state, int mover) {
        if (state.mover != mover) {
            state.mover = static_cast<std::uint8_t>(mover);
            state.ko = NONE;
        }
        return state;
    }

    static Point point_of(const State& state, const std::string& name) {
        const std::size_t column = name.empty() ? std::string::npos : std::string(Go::LETTERS).find(name[0]);
        int row = 0;
        for (std::size_t place = 1; place < name.size() && place < 3; ++place) {
            row = name[place] >= '0' && name[place] <= '9' ? 10 * row + name[place] - '0' : -100;
        }
        if (column == std::string::npos || column >= state.size || row < 1 || row > state.size ||
            name.size() > 3) {
            throw std::invalid_argument("`" + name + "` is no point of the board");
        }
        return state.point(row - 1, static_cast<int>(column));
    }

    static Proved read(const State& state, const std::string& text) {
        std::istringstream words(text);
        std::string fate, block, word;
        words >> fate >> block >> word;
        if (fate != "lost" && fate != "safe") {
            throw std::invalid_argument("a block is lost or safe");
        }
        Proved found;
        found.fate = fate == "lost" ? Fate::LOST : Fate::SAFE;
        const Rows stone = single(state, point_of(state, block));
        const bool is_black = !(stone & state.stones[0]).is_empty();
        if (!is_black && (stone & state.stones[1]).is_empty()) {
            throw std::invalid_argument("no stone is on `" + block + "`");
        }
        found.owner = is_black ? 0 : 1;
        found.block = stone.joined(state.stones[found.owner]);
        if (word == "by") {
            words >> word;
            found.first = word == "pass" ? PASS : point_of(state, word);
            words >> word;
        }
        if (word != "on") {
            throw std::invalid_argument("what a conclusion rests on is missing");
        }
        found.ground = found.block;
        while (words >> word) {
            found.ground |= single(state, point_of(state, word));
        }
        for (std::size_t side = 0; side < 2; ++side) {
            found.there[side] = state.stones[side] & found.ground;
        }
        return found;
    }

    std::vector<Proved> all_;
    std::uint32_t version_ = 0;
};

// The known fates of a position's blocks.
inline Fates fates(const State& state, const Conclusions& known) {
    Fates found;
    for (const Proved& proved : known.all()) {
        const std::size_t owner = proved.owner;
        if (proved.first != NONE || !(proved.block - state.stones[owner]).is_empty()) {
            continue;
        }
        const Validity how = validity(proved, state);
        if (how == Validity::HOLDS || how == Validity::ANSWERED) {
            (proved.fate == Fate::LOST ? found.lost : found.safe)[owner] |= proved.block;
        }
    }
    return found;
}

}  // namespace go
