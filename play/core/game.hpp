// The requirements of a search on a game. A game is a struct of static functions; searches are generic.
//
// A state is a plain value that is copied from node to node. There are one or two players, 0 and 1. Moves are
// stored in a list of fixed size, so a search allocates nothing; a move is valid only in the state that
// listed it. A state that is not over lists at least one move (a pass is a move), and one that is over lists
// none.
//
// outcome    of a state that is over, for player 0, in the game's own unit (discs, points; otherwise 1, 0, -1).
//            With one player it is to be maximised.
// evaluation an estimate of the outcome for the player to move, in 1 / `evaluation_unit` of that unit; from `least` to
//            `greatest`. For a state that is over it is the outcome itself. Otherwise it is strictly between `least` and
//            `greatest`, because a search takes these two as certain and stops.
// hash       equal for equal states; a table must compare entries by the whole state, or by all 64 bits.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace play {

// The moves of one state. The game guarantees that there are at most `Most`.
template <class Move, std::size_t Most>
class MoveList {
public:
    void add(Move move) { moves_[size_++] = move; }
    void clear() { size_ = 0; }
    std::size_t size() const { return size_; }
    Move operator[](std::size_t place) const { return moves_[place]; }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }
    Move* begin() { return moves_.data(); }
    Move* end() { return moves_.data() + size_; }

private:
    std::array<Move, Most> moves_;
    std::size_t size_ = 0;
};

template <class G>
using Moves = MoveList<typename G::Move, G::most_moves>;

template <class G>
concept Game = std::is_trivially_copyable_v<typename G::State> && std::is_trivially_copyable_v<typename G::Move> &&
    std::equality_comparable<typename G::State> && std::equality_comparable<typename G::Move> &&
    (G::players == 1 || G::players == 2) && (G::evaluation_unit > 0) && (G::least < G::greatest) &&
    requires(const typename G::State& state, typename G::Move move, Moves<G>& moves, const std::string& text) {
        { G::moves(state, moves) } -> std::same_as<void>;  // into an empty list
        { G::after(state, move) } -> std::same_as<typename G::State>;
        { G::to_move(state) } -> std::same_as<int>;
        { G::is_over(state) } -> std::same_as<bool>;
        { G::outcome(state) } -> std::same_as<int>;
        { G::evaluation(state) } -> std::same_as<int>;
        { G::hash(state) } -> std::same_as<std::uint64_t>;
        // Text forms, equal to those of the game's domain. `read` throws std::invalid_argument.
        { G::read(text) } -> std::same_as<typename G::State>;
        { G::write(state) } -> std::same_as<std::string>;
        { G::write_move(state, move) } -> std::same_as<std::string>;
    };

// A game that counts its moves faster than it lists them.
template <class G>
concept Counting = Game<G> && requires(const typename G::State& state) {
    { G::count_moves(state) } -> std::same_as<std::size_t>;
};

// A game whose evaluation is a weighted sum of features, for fitting the weights and for grouping states.
template <class G>
concept Featured = Game<G> && requires(const typename G::State& state) {
    { G::features(state)[0] } -> std::convertible_to<int>;
    { G::feature_names[0] } -> std::convertible_to<const char*>;
};

}  // namespace play
