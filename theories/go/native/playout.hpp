// Random playouts of Go: each legal move that does not fill an own eye is equally likely, and a player
// without one passes. Unlike the native step, this board updates blocks and their liberties incrementally,
// because some ten thousand games are played per second.
//
// Liberties are counted once per adjacent stone, with the sums of their places and of the squares of these. A
// block is in atari if all its liberties are one place, which holds if the mean of the squares equals the
// square of the mean.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "play/core/search/sampled.hpp"
#include "theories/go/native/go.hpp"

namespace go {

// Shapes of the eight points around a move that is often good next to the last one, such as bending around a
// stone, cutting and blocking at the border (after Gelly, Wang, Munos and Teytaud 2006). X is one side and O
// the other, with either side to move; x and o are anything but X and O, # is outside.
class Shapes {
public:
    // Codes of two bits a point: 0 and 1 for the sides, 2 for empty, 3 outside.
    Shapes() {
        for (const char* shape : {"XOX..???", "XO...?.?", "XO?X.x.?", "XO?Oo?o?", "XO?OX???", "?X?OOooo",
                                  "X.?O?###", "OX?XO###", "?X?xO###", "?XOxx###", "?OXXO###"}) {
            for (int image = 0; image < 8; ++image) {
                add(shape, image, 0, 0);
            }
        }
    }
    bool has(std::size_t code) const { return found_[code]; }

private:
    // The points of a shape, row by row, without the middle one.
    static constexpr std::array<std::array<int, 2>, 8> AROUND = {
        {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

    void add(const char* shape, int image, std::size_t at, std::size_t code) {
        if (at == 8) {
            found_[code] = true;
            found_[code ^ sides(code)] = true;
            return;
        }
        const char each = shape[at];
        const auto allows = [&](std::size_t colour) {
            switch (each) {
                case 'X': return colour == 0;
                case 'O': return colour == 1;
                case '.': return colour == 2;
                case '#': return colour == 3;
                case 'x': return colour != 0;
                case 'o': return colour != 1;
                default: return true;
            }
        };
        for (std::size_t colour = 0; colour < 4; ++colour) {
            if (allows(colour)) {
                add(shape, image, at + 1, code | colour << (2 * seen(at, image)));
            }
        }
    }
    // The lowest bit of each point that belongs to either side.
    static std::size_t sides(std::size_t code) { return ~(code >> 1) & 0x5555; }
    static std::size_t seen(std::size_t at, int image) {
        int row = AROUND[at][0], column = AROUND[at][1];
        if (image & 1) {
            row = -row;
        }
        if (image & 2) {
            column = -column;
        }
        if (image & 4) {
            std::swap(row, column);
        }
        const int place = 3 * (row + 1) + column + 1;
        return static_cast<std::size_t>(place > 4 ? place - 1 : place);
    }
    std::array<bool, 65536> found_{};
};

inline const Shapes SHAPES;

class PlayoutBoard {
public:
    using Place = std::uint16_t;  // with a wall all around
    static constexpr Place NOWHERE = 0;

    // The first few of a sequence of moves.
    class Few {
    public:
        void add(Place at) {
            if (count_ < moves_.size()) {
                moves_[count_++] = at;
            }
        }
        // A random one, or NOWHERE.
        Place one(play::Random& random) const { return count_ == 0 ? NOWHERE : moves_[random.below(count_)]; }
        std::vector<Place> all() const {
            return {moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(count_)};
        }

    private:
        std::array<Place, 64> moves_;
        std::size_t count_ = 0;
    };

    explicit PlayoutBoard(const State& state) : size_(state.size), wide_(static_cast<Place>(state.size + 1)) {
        steps_ = {1, -1, wide_, -wide_};
        around_ = {-wide_ - 1, -wide_, -wide_ + 1, -1, 1, wide_ - 1, wide_, wide_ + 1};
        std::fill(colours_.begin(), colours_.begin() + wide_ * (size_ + 2) + 1, WALL);
        empty(state).each([&](int row, int column) { add_empty(place(row, column)); });
        for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
            state.stones[side].each([&](int row, int column) { add_empty(place(row, column)); });
        }
        for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
            state.stones[side].each([&](int row, int column) { put(place(row, column), side); });
        }
        ko_ = state.ko == NONE ? NOWHERE : place(state.ko / size_, state.ko % size_);
    }

    Place place(int row, int column) const { return static_cast<Place>((row + 1) * wide_ + column + 1); }
    Point point(Place at) const { return static_cast<Point>((at / wide_ - 1) * size_ + at % wide_ - 1); }
    int lead() const { return stones_[0] - stones_[1]; }  // the stones of black minus those of white

    // A random move of a side, or NOWHERE if it has no acceptable move.
    Place some_move(std::uint8_t side, play::Random& random) {
        for (std::size_t left = empty_count_; left > 0; --left) {
            const std::size_t chosen = random.below(left);
            const Place at = empty_[chosen];
            if (!is_eye(at, side) && is_legal(at, side)) {
                return at;
            }
            exchange(chosen, left - 1);
        }
        return NOWHERE;
    }

    // Moves that capture the last stone of the other side, capture a block that puts an own block next to it
    // in atari, or save such a block by more liberties. A move may occur several times.
    Few urgent_moves(Place last, std::uint8_t side) const {
        Few found;
        const auto add = [&](Place at) {
            if (is_legal(at, side)) {
                found.add(at);
            }
        };
        const Block& other = blocks_[heads_[last]];
        if (is_in_atari(other)) {
            add(liberty(other));
        }
        for (const int step : steps_) {
            const Place next = beside(last, step);
            if (colours_[next] != side || !is_in_atari(blocks_[heads_[next]])) {
                continue;
            }
            const Place escape = liberty(blocks_[heads_[next]]);
            if (is_freed(escape, side)) {
                add(escape);
            }
            Place at = next;
            do {
                for (const int around : steps_) {
                    const Place there = beside(at, around);
                    if (colours_[there] == 1 - side && is_in_atari(blocks_[heads_[there]])) {
                        add(liberty(blocks_[heads_[there]]));
                    }
                }
                at = next_[at];
            } while (at != next);
        }
        return found;
    }

    // Moves next to the last one that make a shape, and are not captured at once.
    Few shaping_moves(Place last, std::uint8_t side) const {
        Few found;
        for (const int step : around_) {
            const Place at = beside(last, step);
            if (colours_[at] == EMPTY && SHAPES.has(code(at)) && is_freed(at, side) && is_legal(at, side)) {
                found.add(at);
            }
        }
        return found;
    }

    bool is_legal(Place at, std::uint8_t side) const {
        if (at == ko_) {
            return false;
        }
        for (const int step : steps_) {
            const Place next = beside(at, step);
            const std::uint8_t colour = colours_[next];
            if (colour == EMPTY ||
                (colour != WALL && is_in_atari(blocks_[heads_[next]]) == (colour != side))) {
                return true;
            }
        }
        return false;
    }

    // Whether all adjacent points belong to a side or the border, and enough diagonal points that the eye
    // cannot become false.
    bool is_eye(Place at, std::uint8_t side) const {
        for (const int step : steps_) {
            const std::uint8_t colour = colours_[beside(at, step)];
            if (colour != side && colour != WALL) {
                return false;
            }
        }
        int others = 0, walls = 0;
        for (const int step : {wide_ + 1, wide_ - 1, 1 - wide_, -1 - wide_}) {
            const std::uint8_t colour = colours_[beside(at, step)];
            others += colour == 1 - side;
            walls += colour == WALL;
        }
        return others + (walls > 0) < 2;
    }

    void pass() { ko_ = NOWHERE; }

    // Puts a stone on an empty point. The move must be legal.
    void put(Place at, std::uint8_t side) {
        remove_empty(at);
        colours_[at] = side;
        heads_[at] = next_[at] = at;
        blocks_[at] = Block{};
        ++stones_[side];
        bool is_alone = true;
        for (const int step : steps_) {
            const Place next = beside(at, step);
            const std::uint8_t colour = colours_[next];
            if (colour == EMPTY) {
                add_liberty(blocks_[at], next);
            } else if (colour != WALL) {
                remove_liberty(blocks_[heads_[next]], at);
            }
            is_alone = is_alone && colour != EMPTY && colour != side;
        }
        ko_ = NOWHERE;
        int taken = 0;
        Place last = NOWHERE;
        for (const int step : steps_) {
            const Place next = beside(at, step);
            const std::uint8_t colour = colours_[next];
            if (colour == side && heads_[next] != heads_[at]) {
                join(heads_[next], heads_[at]);
            } else if (colour == 1 - side && blocks_[heads_[next]].liberties == 0) {
                taken += take(next);
                last = next;
            }
        }
        if (is_alone && taken == 1) {
            ko_ = last;
        }
    }

    // The original state with the current stones.
    State state(const State& from) const {
        State found = from;
        found.stones = {};
        for (int row = 0; row < size_; ++row) {
            for (int column = 0; column < size_; ++column) {
                const std::uint8_t colour = colours_[place(row, column)];
                if (colour < EMPTY) {
                    found.stones[colour].add(row, column);
                }
            }
        }
        return found;
    }

private:
    static constexpr std::uint8_t EMPTY = 2, WALL = 3;
    static constexpr std::size_t ALL = (MOST_SIDE + 1) * (MOST_SIDE + 2) + 1;

    struct Block {
        std::int64_t liberties = 0, sum = 0, squares = 0;
        int stones = 1;
    };

    std::size_t code(Place at) const {
        std::size_t found = 0;
        for (std::size_t place = 8; place-- > 0;) {
            found = found << 2 | colours_[beside(at, around_[place])];
        }
        return found;
    }
    static Place beside(Place at, int step) { return static_cast<Place>(at + step); }
    static bool is_in_atari(const Block& block) {
        return block.liberties * block.squares == block.sum * block.sum;
    }
    // of a block in atari
    static Place liberty(const Block& block) { return static_cast<Place>(block.sum / block.liberties); }
    // Whether a stone of a side there has two liberties or joins a block that is not in atari.
    bool is_freed(Place at, std::uint8_t side) const {
        int free = 0;
        for (const int step : steps_) {
            const Place next = beside(at, step);
            const std::uint8_t colour = colours_[next];
            free += colour == EMPTY;
            if (colour == side && !is_in_atari(blocks_[heads_[next]]) &&
                blocks_[heads_[next]].liberties > 2) {
                return true;
            }
        }
        return free > 1;
    }
    static void add_liberty(Block& block, std::int64_t at) {
        ++block.liberties;
        block.sum += at;
        block.squares += at * at;
    }
    static void remove_liberty(Block& block, std::int64_t at) {
        --block.liberties;
        block.sum -= at;
        block.squares -= at * at;
    }

    void join(Place one, Place other) {
        if (blocks_[one].stones > blocks_[other].stones) {
            std::swap(one, other);
        }
        Block& block = blocks_[other];
        block.liberties += blocks_[one].liberties;
        block.sum += blocks_[one].sum;
        block.squares += blocks_[one].squares;
        block.stones += blocks_[one].stones;
        Place at = one;
        do {
            heads_[at] = other;
            at = next_[at];
        } while (at != one);
        std::swap(next_[one], next_[other]);
    }

    // Captures the block of a stone, and returns the number of its stones.
    int take(Place stone) {
        int count = 0;
        Place at = stone;
        do {
            --stones_[colours_[at]];
            add_empty(at);
            for (const int step : steps_) {
                const Place next = beside(at, step);
                if (colours_[next] < EMPTY) {
                    add_liberty(blocks_[heads_[next]], at);
                }
            }
            ++count;
            at = next_[at];
        } while (at != stone);
        return count;
    }

    void add_empty(Place at) {
        colours_[at] = EMPTY;
        where_[at] = static_cast<Place>(empty_count_);
        empty_[empty_count_++] = at;
    }
    void remove_empty(Place at) {
        exchange(where_[at], --empty_count_);
    }
    void exchange(std::size_t one, std::size_t other) {
        std::swap(empty_[one], empty_[other]);
        where_[empty_[one]] = static_cast<Place>(one);
        where_[empty_[other]] = static_cast<Place>(other);
    }

    int size_;
    Place wide_;
    Place ko_ = NOWHERE;
    std::size_t empty_count_ = 0;
    std::array<int, 2> stones_{};
    std::array<int, 4> steps_;
    std::array<int, 8> around_;
    std::array<std::uint8_t, ALL> colours_;
    std::array<Place, ALL> heads_, next_, where_, empty_;
    std::array<Block, ALL> blocks_;
};

// Plays a game until two passes end it. It also ends after three times as many moves as the board has points,
// or with a lead in stones that is hardly ever overturned. Every move is passed to `each`: its side and its
// place, or NOWHERE for a pass.
template <typename Each>
void play_out(PlayoutBoard& board, const State& from, const play::Sampling& how, play::Random& random,
              const Each& each) {
    constexpr auto NOWHERE = PlayoutBoard::NOWHERE;
    const int points = from.size * from.size, lead = points / 3 + 5;
    std::uint8_t side = from.mover;
    auto last = NOWHERE;
    int passes = from.passes;
    for (int ply = 0; passes < 2 && ply < 3 * points && board.lead() < lead && board.lead() > -lead; ++ply) {
        auto at = how.local && last != NOWHERE ? board.urgent_moves(last, side).one(random) : NOWHERE;
        if (at == NOWHERE && how.shapes && last != NOWHERE) {
            at = board.shaping_moves(last, side).one(random);
        }
        if (at == NOWHERE) {
            at = board.some_move(side, random);
        }
        last = at;
        each(side, at);
        if (at == NOWHERE) {
            board.pass();
            ++passes;
        } else {
            board.put(at, side);
            passes = 0;
        }
        side = static_cast<std::uint8_t>(1 - side);
    }
}

// The result of one game for black, as an evaluation. Stones on the final board are counted as alive.
template <typename Moved>
int value_of_playout(const State& from, const play::Sampling& how, play::Random& random, Moved& moved) {
    PlayoutBoard board(from);
    play_out(board, from, how, random, [&](std::uint8_t side, PlayoutBoard::Place at) {
        if (at != PlayoutBoard::NOWHERE) {
            moved.add(side, board.point(at));
        }
    });
    return area(board.state(from)) * Go::evaluation_unit;
}

}  // namespace go

template <>
struct play::Playout<go::Go> {
    static int value(const go::State& state, const Sampling& how, Random& random, Moved<go::Go>& moved) {
        return go::value_of_playout(state, how, random, moved);
    }
};
