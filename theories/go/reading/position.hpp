// A position of Go and the rules of a move: capture, suicide illegal, simple ko. A position has no past but the
// one point that ko forbids to the player to move; every block on it has a liberty.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "zone.hpp"

namespace reading {

enum class Colour : std::uint8_t { EMPTY, BLACK, WHITE };

constexpr Colour opponent(Colour player) { return player == Colour::BLACK ? Colour::WHITE : Colour::BLACK; }

// Which points lie beside which, on a board of so many rows and columns.
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

// Stones of one colour joined along lines, and the empty points beside them.
struct Block {
    Zone stones;
    Zone liberties;
};

struct Position {
    Zone black;
    Zone white;
    // Forbidden by ko to the player who moves next, whom the position does not know.
    Point ban = NONE;

    Colour at(Point point) const {
        return black.has(point) ? Colour::BLACK : white.has(point) ? Colour::WHITE : Colour::EMPTY;
    }
    const Zone& stones(Colour player) const { return player == Colour::BLACK ? black : white; }
    Zone& stones(Colour player) { return player == Colour::BLACK ? black : white; }
    bool is_empty(Point point) const { return !black.has(point) && !white.has(point); }
    Zone empty(const Grid& grid) const { return grid.all() - black - white; }
};

// The block that a stone belongs to.
Block block_of(const Grid& grid, const Position& position, Point stone);

// The points beside some points, which may be among them.
Zone around(const Grid& grid, const Zone& points);

struct Played {
    Position position;
    Zone captured;
};

// What a player's move makes of a position, or nothing where it is illegal for another reason than ko: on a
// stone, or suicide. Whether `ban` forbids it is for the caller to ask.
std::optional<Played> play(const Grid& grid, const Position& position, Colour player, Point point);

}  // namespace reading
