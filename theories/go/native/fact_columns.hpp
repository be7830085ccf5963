// The facts of boards as columns of cells, for many boards of one shape at once. They are those of `parts` in
// theories/go/play/question.py. A cell is the number that the caller gives to a word.
//
// Rows are written in ascending order of their cells within a state, because these are stored fastest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theories/go/native/go.hpp"

namespace go {

enum Colour : std::uint8_t { BLACK, WHITE, EMPTY };

struct BoardBlocks;

// A board of any shape. Points are numbered along each row from the lower left corner.
struct FactBoard {
    int rows = 0, columns = 0;
    std::vector<Colour> colours;
    int ko = -1;      // the point that ko forbids, or -1
    int banned = -1;  // the player to whom ko forbids it
    mutable std::shared_ptr<const BoardBlocks> blocks{};  // as soon as they are needed (capture_play.hpp)

    bool operator==(const FactBoard& other) const {
        return rows == other.rows && columns == other.columns && colours == other.colours && ko == other.ko &&
               banned == other.banned;
    }
    [[nodiscard]] int points() const { return rows * columns; }
    template <class Visit>
    void each_neighbour(int point, Visit&& visit) const {
        const int row = point / columns, column = point % columns;
        if (row > 0) {
            visit(point - columns);
        }
        if (column > 0) {
            visit(point - 1);
        }
        if (column + 1 < columns) {
            visit(point + 1);
        }
        if (row + 1 < rows) {
            visit(point + columns);
        }
    }
};

// The stones of a block with its liberties and the stones of the other side next to it.
struct FactBlock {
    Colour colour = EMPTY;
    std::vector<int> stones, liberties, contacts;
};

// The blocks in the order of their lowest points, and the block of each point or -1.
inline std::vector<FactBlock> blocks_of(const FactBoard& board, std::vector<int>& block_of) {
    std::vector<FactBlock> found;
    block_of.assign(board.colours.size(), -1);
    std::vector<int> seen(board.colours.size(), -1), open;
    for (int first = 0; first < board.points(); ++first) {
        if (board.colours[static_cast<std::size_t>(first)] == EMPTY || block_of[static_cast<std::size_t>(first)] >= 0) {
            continue;
        }
        const int number = static_cast<int>(found.size());
        FactBlock& block = found.emplace_back();
        block.colour = board.colours[static_cast<std::size_t>(first)];
        block_of[static_cast<std::size_t>(first)] = number;
        open.push_back(first);
        while (!open.empty()) {
            const int point = open.back();
            open.pop_back();
            block.stones.push_back(point);
            board.each_neighbour(point, [&](int other) {
                const auto at = static_cast<std::size_t>(other);
                if (board.colours[at] == block.colour) {
                    if (block_of[at] < 0) {
                        block_of[at] = number;
                        open.push_back(other);
                    }
                } else if (seen[at] != number) {
                    seen[at] = number;
                    (board.colours[at] == EMPTY ? block.liberties : block.contacts).push_back(other);
                }
            });
        }
    }
    return found;
}

// The board of a diagram without ko that is written as `print_diagram` writes it, up to spaces, and whose blocks have
// liberties. Anything else gives nothing, and the reader in Python decides what it is.
inline std::optional<FactBoard> read_board(std::string_view text) {
    std::vector<std::vector<Colour>> rows;
    std::vector<int> numbers;
    std::string letters;
    bool has_letters = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        while (!line.empty() && line.back() == ' ') {
            line.remove_suffix(1);
        }
        while (!line.empty() && line.front() == ' ') {
            line.remove_prefix(1);
        }
        if (line.empty() || line == "to play: black" || line == "to play: white") {
            continue;
        }
        if (line.front() == 'a') {
            if (has_letters) {
                return std::nullopt;
            }
            has_letters = true;
            for (const char each : line) {
                if (each != ' ') {
                    letters += each;
                }
            }
            continue;
        }
        int number = -1;
        while (!line.empty() && line.front() >= '0' && line.front() <= '9' && number < 100) {
            number = 10 * std::max(number, 0) + (line.front() - '0');
            line.remove_prefix(1);
        }
        std::vector<Colour>& row = rows.emplace_back();
        numbers.push_back(number);
        for (const char each : line) {
            if (each == 'X') {
                row.push_back(BLACK);
            } else if (each == 'O') {
                row.push_back(WHITE);
            } else if (each == '.') {
                row.push_back(EMPTY);
            } else if (each != ' ') {
                return std::nullopt;
            }
        }
    }
    if (rows.empty() || rows.size() > MOST_SIDE || rows[0].empty() || rows[0].size() > MOST_SIDE) {
        return std::nullopt;
    }
    FactBoard board;
    board.rows = static_cast<int>(rows.size());
    board.columns = static_cast<int>(rows[0].size());
    if (has_letters && letters != std::string_view(Go::LETTERS).substr(0, rows[0].size())) {
        return std::nullopt;
    }
    for (int row = board.rows - 1; row >= 0; --row) {
        const std::vector<Colour>& cells = rows[static_cast<std::size_t>(row)];
        const int number = numbers[static_cast<std::size_t>(row)];
        if (cells.size() != rows[0].size() || (number >= 0 && number != board.rows - row)) {
            return std::nullopt;
        }
        board.colours.insert(board.colours.end(), cells.begin(), cells.end());
    }
    std::vector<int> block_of;
    const std::vector<FactBlock> blocks = blocks_of(board, block_of);
    if (std::any_of(blocks.begin(), blocks.end(), [](const FactBlock& each) { return each.liberties.empty(); })) {
        return std::nullopt;
    }
    return board;
}

// Rows of one relation, as columns. Facts of states begin with the number of the state.
using FactColumns = std::vector<std::vector<std::int64_t>>;

// The cells of the words.
struct FactWords {
    std::vector<std::int64_t> points;  // of the shape, by point
    std::array<std::int64_t, 3> colours{};
    std::int64_t free = 0, banned = 0;
};

// The facts of boards, by relation, and the points that are queried about.
struct FactTables {
    std::map<std::string, FactColumns> given;
    FactColumns queried;
};

class FactWriter {
public:
    FactWriter(int rows, int columns, FactWords words) : words_(std::move(words)), order_(words_.points.size()) {
        shape_.rows = rows;
        shape_.columns = columns;
        std::iota(order_.begin(), order_.end(), 0);
        sort(order_);
        std::sort(colours_.begin(), colours_.end(), [&](Colour one, Colour other) { return cell(one) < cell(other); });
        around_.resize(words_.points.size());
        for (int each = 0; each < shape_.points(); ++each) {
            std::vector<int>& others = around_[static_cast<std::size_t>(each)];
            shape_.each_neighbour(each, [&](int other) { others.push_back(other); });
            sort(others);
        }
    }

    [[nodiscard]] bool fits(const FactBoard& board) const {
        return board.rows == shape_.rows && board.columns == shape_.columns;
    }
    // The facts that all boards of the shape have. Without `with_ko`, no ko forbids a point.
    std::map<std::string, FactColumns> common(bool with_ko) const {
        std::map<std::string, FactColumns> found;
        FactColumns &neighbours = found["neighbours"], &neighbour = found["neighbour"], &named = found["named"];
        for (const int point : order_) {
            const std::vector<int>& others = around(point);
            add(named, {at(point)});
            add(neighbours, {at(point), static_cast<std::int64_t>(others.size())});
            for (const int other : others) {
                add(neighbour, {at(point), at(other)});
            }
        }
        if (with_ko) {
            write_ko(shape_, found["ko"], {});
        }
        return found;
    }

    // Write the facts of a board for one defender; `with_ko` also those about ko.
    void write(const FactBoard& board, std::int64_t state, Colour defender, bool with_ko, FactTables& tables) const {
        auto& given = tables.given;
        FactColumns &colour = given["colour"], &besides = given["besides"], &beside = given["beside"];
        add(given["defender"], {state, cell(defender)});
        for (const int point : order_) {
            add(colour, {state, at(point), cell(board.colours[static_cast<std::size_t>(point)])});
            const std::vector<int>& others = around(point);
            for (const Colour each : colours_) {
                std::int64_t count = 0;
                for (const int other : others) {
                    if (board.colours[static_cast<std::size_t>(other)] == each) {
                        ++count;
                        add(beside, {state, at(point), cell(each), at(other)});
                    }
                }
                add(besides, {state, at(point), cell(each), count});
            }
        }
        if (with_ko) {
            write_ko(board, given["ko"], state);
        }
        std::vector<int> block_of;
        std::vector<FactBlock> blocks = blocks_of(board, block_of);
        for (FactBlock& block : blocks) {
            sort(block.stones);
            sort(block.liberties);
            sort(block.contacts);
        }
        write_sets(blocks, block_of, state, "stones", "same_block", &FactBlock::stones, given);
        write_sets(blocks, block_of, state, "liberties", "liberty", &FactBlock::liberties, given);
        write_sets(blocks, block_of, state, "contacts", "contact", &FactBlock::contacts, given);
    }

    // Write the lowest points of the defender's blocks, about which all games are queried.
    void ask(const FactBoard& board, std::int64_t state, Colour defender, FactTables& tables) const {
        std::vector<int> block_of, lowest;
        for (const FactBlock& block : blocks_of(board, block_of)) {
            if (block.colour == defender) {
                lowest.push_back(*std::min_element(block.stones.begin(), block.stones.end()));
            }
        }
        sort(lowest);
        for (const int point : lowest) {
            add(tables.queried, {state, at(point)});
        }
    }
    void query_about(std::int64_t state, int point, FactTables& tables) const { add(tables.queried, {state, at(point)}); }

private:
    [[nodiscard]] std::int64_t at(int point) const { return words_.points[static_cast<std::size_t>(point)]; }
    [[nodiscard]] std::int64_t cell(Colour colour) const { return words_.colours[colour]; }
    void sort(std::vector<int>& points) const {
        std::sort(points.begin(), points.end(), [&](int one, int other) { return at(one) < at(other); });
    }
    [[nodiscard]] const std::vector<int>& around(int point) const { return around_[static_cast<std::size_t>(point)]; }
    static void add(FactColumns& columns, std::initializer_list<std::int64_t> row) {
        columns.resize(row.size());
        std::size_t column = 0;
        for (const std::int64_t each : row) {
            columns[column++].push_back(each);
        }
    }
    void write_ko(const FactBoard& board, FactColumns& columns, std::optional<std::int64_t> state) const {
        for (const Colour player : colours_) {
            for (const int point : order_) {
                if (player == EMPTY) {
                    break;
                }
                const bool is_banned = point == board.ko && static_cast<int>(player) == board.banned;
                const std::int64_t is = is_banned ? words_.banned : words_.free;
                if (state) {
                    add(columns, {*state, cell(player), at(point), is});
                } else {
                    add(columns, {cell(player), at(point), is});
                }
            }
        }
    }
    void write_sets(const std::vector<FactBlock>& blocks, const std::vector<int>& block_of, std::int64_t state,
                    const char* count, const char* member, std::vector<int> FactBlock::*set,
                    std::map<std::string, FactColumns>& given) const {
        FactColumns &counts = given[count], &members = given[member];
        for (const int point : order_) {
            const int number = block_of[static_cast<std::size_t>(point)];
            if (number >= 0) {
                const std::vector<int>& points = blocks[static_cast<std::size_t>(number)].*set;
                add(counts, {state, at(point), static_cast<std::int64_t>(points.size())});
                for (const int other : points) {
                    add(members, {state, at(point), at(other)});
                }
            }
        }
    }

    FactBoard shape_;
    FactWords words_;
    std::vector<int> order_;  // the points by their cells
    std::array<Colour, 3> colours_{BLACK, WHITE, EMPTY};
    std::vector<std::vector<int>> around_;  // the neighbours of each point, by their cells
};

}  // namespace go
