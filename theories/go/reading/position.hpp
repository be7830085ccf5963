// A position of Go and the rules of a move: capture, suicide illegal, simple ko. Its only history is the one
// point that ko forbids to the player to move; every block on it has a liberty.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "zone.hpp"

namespace reading {

enum class Colour : std::uint8_t { EMPTY, BLACK, WHITE };

constexpr Colour opponent(Colour player) { return player == Colour::BLACK ? Colour::WHITE : Colour::BLACK; }

// The neighbours of points on a board with given numbers of rows and columns.
class Grid {
public:
    Grid(int rows, int columns);

    int points() const { return points_; }
    const Zone& all() const { return all_; }
    const Zone& beside(Point point) const { return beside_[static_cast<std::size_t>(point)]; }

    template <class Visit>
    void neighbours(Point point, Visit&& visit) const {
        const Few& few = neighbours_[static_cast<std::size_t>(point)];
        for (std::size_t place = 0; place < few.count; ++place) {
            visit(few.points[place]);
        }
    }

private:
    struct Few {
        std::array<Point, 4> points{};
        std::size_t count = 0;
    };
    int points_;
    Zone all_;
    std::vector<Few> neighbours_;
    std::vector<Zone> beside_;
};

// Stones of one colour joined along lines, and their adjacent empty points.
struct Block {
    Zone stones;
    Zone liberties;
};

struct Position {
    Zone black;
    Zone white;
    // Forbidden by ko to the player who moves next; the position does not store this player.
    Point ban = NONE;

    Colour at(Point point) const {
        return black.has(point) ? Colour::BLACK : white.has(point) ? Colour::WHITE : Colour::EMPTY;
    }
    const Zone& stones(Colour player) const { return player == Colour::BLACK ? black : white; }
    Zone& stones(Colour player) { return player == Colour::BLACK ? black : white; }
    bool is_empty(Point point) const { return !black.has(point) && !white.has(point); }
    Zone empty(const Grid& grid) const { return grid.all() - black - white; }
};

// The block of a stone.
Block block_of(const Grid& grid, const Position& position, Point stone);

// The neighbours of some points, which may be among them.
Zone around(const Grid& grid, const Zone& points);

struct Played {
    Position position;
    Zone captured;
};

// The position after a player's move, or nothing if it is illegal for a reason other than ko: on a stone, or
// suicide. The caller checks `ban`.
std::optional<Played> play(const Grid& grid, const Position& position, Colour player, Point point);

}  // namespace reading
