#include "position.hpp"

namespace reading {

Grid::Grid(int rows, int columns)
    : points_(rows * columns),
      neighbours_(static_cast<std::size_t>(points_)),
      beside_(static_cast<std::size_t>(points_)) {
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const auto point = static_cast<std::size_t>(row * columns + column);
            all_.add(static_cast<Point>(point));
            const auto join = [&](bool is_there, int other) {
                if (is_there) {
                    Few& few = neighbours_[point];
                    few.points[few.count++] = static_cast<Point>(other);
                    beside_[point].add(static_cast<Point>(other));
                }
            };
            const int here = static_cast<int>(point);
            join(row > 0, here - columns);
            join(column > 0, here - 1);
            join(column < columns - 1, here + 1);
            join(row < rows - 1, here + columns);
        }
    }
}

Block block_of(const Grid& grid, const Position& position, Point stone) {
    const Zone& own = position.stones(position.at(stone));
    Block block;
    block.stones.add(stone);
    std::array<Point, MAX_POINTS> waiting;
    std::size_t count = 0;
    waiting[count++] = stone;
    while (count > 0) {
        grid.neighbours(waiting[--count], [&](Point beside) {
            if (own.has(beside)) {
                if (!block.stones.has(beside)) {
                    block.stones.add(beside);
                    waiting[count++] = beside;
                }
            } else if (position.is_empty(beside)) {
                block.liberties.add(beside);
            }
        });
    }
    return block;
}

Zone around(const Grid& grid, const Zone& points) {
    Zone found;
    points.each([&](Point point) { found |= grid.beside(point); });
    return found;
}

std::optional<Played> play(const Grid& grid, const Position& position, Colour player, Point point) {
    if (!position.is_empty(point)) {
        return std::nullopt;
    }
    Played after{position, {}};
    Position& made = after.position;
    made.ban = NONE;
    made.stones(player).add(point);
    const Colour other = opponent(player);
    grid.neighbours(point, [&](Point beside) {
        if (made.stones(other).has(beside) && !after.captured.has(beside)) {
            const Block block = block_of(grid, made, beside);
            if (block.liberties.is_empty()) {
                after.captured |= block.stones;
            }
        }
    });
    // Blocks captured by one move touch each other only through points of other blocks. All are found before
    // any is removed, since none of them has a liberty while the others are on the board.
    made.stones(other) = made.stones(other) - after.captured;
    const Block own = block_of(grid, made, point);
    if (own.liberties.is_empty()) {
        return std::nullopt;
    }
    if (after.captured.size() == 1 && own.stones.size() == 1 && own.liberties.size() == 1) {
        made.ban = after.captured.first();
    }
    return after;
}

}  // namespace reading
