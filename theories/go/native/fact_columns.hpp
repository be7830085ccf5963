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

// The blocks of a board, in the order of their lowest points.
struct FactBlocks {
    std::vector<int> of;      // by point: the number of its block, or -1
    [[nodiscard]] int at(int point) const { return of[static_cast<std::size_t>(point)]; }
    std::vector<int> lowest;  // the lowest point of each block

    void find(const FactBoard& board) {
        of.assign(board.colours.size(), -1);
        lowest.clear();
        for (int first = 0; first < board.points(); ++first) {
            if (board.colours[static_cast<std::size_t>(first)] == EMPTY || of[static_cast<std::size_t>(first)] >= 0) {
                continue;
            }
            const int number = static_cast<int>(lowest.size());
            lowest.push_back(first);
            of[static_cast<std::size_t>(first)] = number;
            open_.push_back(first);
            while (!open_.empty()) {
                const int point = open_.back();
                open_.pop_back();
                board.each_neighbour(point, [&](int other) {
                    const auto next = static_cast<std::size_t>(other);
                    if (of[next] < 0 && board.colours[next] == board.colours[static_cast<std::size_t>(first)]) {
                        of[next] = number;
                        open_.push_back(other);
                    }
                });
            }
        }
    }
    [[nodiscard]] bool all_have_liberties(const FactBoard& board) const {
        std::vector<bool> has_one(lowest.size());
        for (int point = 0; point < board.points(); ++point) {
            board.each_neighbour(point, [&](int other) {
                if (const int number = of[static_cast<std::size_t>(other)]; number >= 0 && of[static_cast<std::size_t>(point)] < 0) {
                    has_one[static_cast<std::size_t>(number)] = true;
                }
            });
        }
        return std::find(has_one.begin(), has_one.end(), false) == has_one.end();
    }

private:
    std::vector<int> open_;
};

// The stones of a block with its liberties and the stones of the other side next to it, each in ascending order.
struct FactBlock {
    Colour colour = EMPTY;
    std::vector<int> stones, liberties, contacts;
};

// The blocks in the order of their lowest points, and the block of each point or -1.
inline std::vector<FactBlock> blocks_of(const FactBoard& board, std::vector<int>& block_of) {
    FactBlocks blocks;
    blocks.find(board);
    std::vector<FactBlock> found(blocks.lowest.size());
    for (int point = 0; point < board.points(); ++point) {
        const int own = blocks.at(point);
        if (own >= 0) {
            found[static_cast<std::size_t>(own)].colour = board.colours[static_cast<std::size_t>(point)];
            found[static_cast<std::size_t>(own)].stones.push_back(point);
        }
        board.each_neighbour(point, [&](int other) {
            const int number = blocks.at(other);
            if (number >= 0 && number != own) {
                FactBlock& block = found[static_cast<std::size_t>(number)];
                std::vector<int>& set = own < 0 ? block.liberties : block.contacts;
                if (set.empty() || set.back() != point) {
                    set.push_back(point);
                }
            }
        });
    }
    block_of = std::move(blocks.of);
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
    FactBlocks blocks;
    blocks.find(board);
    if (!blocks.all_have_liberties(board)) {
        return std::nullopt;
    }
    return board;
}

// Rows of one relation, as columns. Facts of states begin with the number of the state.
class FactColumns {
public:
    // More rows of a width, at most as many as stated. They belong to the columns when this object ends.
    template <std::size_t WIDTH>
    class More {
    public:
        More(FactColumns& columns, std::size_t most) : of_(columns) {
            columns.columns_.resize(WIDTH);
            for (std::size_t column = 0; column < WIDTH; ++column) {
                std::vector<std::int64_t>& cells = columns.columns_[column];
                if (columns.rows_ + most > cells.size()) {
                    cells.resize(std::max(2 * cells.size(), columns.rows_ + most));
                }
                next_[column] = cells.data() + columns.rows_;
            }
        }
        More(const More&) = delete;
        More& operator=(const More&) = delete;
        ~More() { of_.rows_ += rows_; }
        template <class... Cells>
        void add(Cells... cells) {
            static_assert(sizeof...(cells) == WIDTH);
            std::size_t column = 0;
            ((next_[column++][rows_] = cells), ...);
            ++rows_;
        }

    private:
        FactColumns& of_;
        std::array<std::int64_t*, WIDTH> next_;
        std::size_t rows_ = 0;
    };

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] const std::vector<std::vector<std::int64_t>>& columns() const { return columns_; }

private:
    std::vector<std::vector<std::int64_t>> columns_;
    std::size_t rows_ = 0;
};

// The cells of the words.
struct FactWords {
    std::vector<std::int64_t> points;  // of the shape, by point
    std::array<std::int64_t, 3> colours{};
    std::int64_t free = 0, banned = 0;
};

// The facts of boards, by relation, and the points that are queried about; and the blocks of the last board.
struct FactTables {
    using Sets = std::vector<std::vector<int>>;  // points in the order of their cells, by block

    std::map<std::string, FactColumns> given;
    FactColumns queried;
    FactBlocks blocks;
    Sets stones, liberties, contacts;
};

class FactWriter {
public:
    FactWriter(int rows, int columns, FactWords words) : words_(std::move(words)), order_(words_.points.size()) {
        shape_.rows = rows;
        shape_.columns = columns;
        std::iota(order_.begin(), order_.end(), 0);
        const auto sort = [&](std::vector<int>& points) {
            std::sort(points.begin(), points.end(), [&](int one, int other) { return at(one) < at(other); });
        };
        sort(order_);
        std::sort(colours_.begin(), colours_.end(), [&](Colour one, Colour other) { return cell(one) < cell(other); });
        around_.resize(order_.size());
        for (const int point : order_) {
            std::vector<int>& others = around_[static_cast<std::size_t>(point)];
            shape_.each_neighbour(point, [&](int other) { others.push_back(other); });
            sort(others);
        }
    }

    [[nodiscard]] bool fits(const FactBoard& board) const {
        return board.rows == shape_.rows && board.columns == shape_.columns;
    }
    // The facts that all boards of the shape have. Without `with_ko`, no ko forbids a point.
    std::map<std::string, FactColumns> common(bool with_ko) const {
        std::map<std::string, FactColumns> found;
        write_shape(found);
        if (with_ko) {
            FactColumns::More<3> ko(found["ko"], 2 * order_.size());
            each_ko(shape_, [&](std::int64_t player, std::int64_t point, std::int64_t is) { ko.add(player, point, is); });
        }
        return found;
    }

    // Write the facts of a board for one defender; `with_ko` also those about ko.
    void write(const FactBoard& board, std::int64_t state, Colour defender, bool with_ko, FactTables& tables) const {
        auto& given = tables.given;
        FactColumns::More<2>(given["defender"], 1).add(state, cell(defender));
        write_points(board, state, given);
        if (with_ko) {
            FactColumns::More<4> ko(given["ko"], 2 * order_.size());
            each_ko(board, [&](std::int64_t player, std::int64_t point, std::int64_t is) { ko.add(state, player, point, is); });
        }
        find_sets(board, tables);
        write_sets(tables, state, given["stones"], given["same_block"], tables.stones);
        write_sets(tables, state, given["liberties"], given["liberty"], tables.liberties);
        write_sets(tables, state, given["contacts"], given["contact"], tables.contacts);
    }

    // Write the lowest points of the defender's blocks, about which all games are queried. The board is the last one.
    void ask(const FactBoard& board, std::int64_t state, Colour defender, FactTables& tables) const {
        const FactBlocks& blocks = tables.blocks;
        FactColumns::More<2> found(tables.queried, blocks.lowest.size());
        for (const int point : order_) {
            const int number = blocks.at(point);
            if (number >= 0 && colour_of(board, point) == defender && blocks.lowest[static_cast<std::size_t>(number)] == point) {
                found.add(state, at(point));
            }
        }
    }
    void query_about(std::int64_t state, int point, FactTables& tables) const {
        FactColumns::More<2>(tables.queried, 1).add(state, at(point));
    }

private:
    static constexpr std::size_t MOST_AROUND = 4;

    [[nodiscard]] std::int64_t at(int point) const { return words_.points[static_cast<std::size_t>(point)]; }
    [[nodiscard]] std::int64_t cell(Colour colour) const { return words_.colours[colour]; }
    [[nodiscard]] const std::vector<int>& around(int point) const { return around_[static_cast<std::size_t>(point)]; }
    static Colour colour_of(const FactBoard& board, int point) { return board.colours[static_cast<std::size_t>(point)]; }

    void write_shape(std::map<std::string, FactColumns>& found) const {
        FactColumns::More<1> named(found["named"], order_.size());
        FactColumns::More<2> neighbours(found["neighbours"], order_.size());
        FactColumns::More<2> neighbour(found["neighbour"], MOST_AROUND * order_.size());
        for (const int point : order_) {
            named.add(at(point));
            neighbours.add(at(point), static_cast<std::int64_t>(around(point).size()));
            for (const int other : around(point)) {
                neighbour.add(at(point), at(other));
            }
        }
    }
    void write_points(const FactBoard& board, std::int64_t state, std::map<std::string, FactColumns>& given) const {
        FactColumns::More<3> colours(given["colour"], order_.size());
        FactColumns::More<4> besides(given["besides"], colours_.size() * order_.size());
        FactColumns::More<4> beside(given["beside"], MOST_AROUND * order_.size());
        for (const int point : order_) {
            const std::int64_t own = at(point);
            colours.add(state, own, cell(colour_of(board, point)));
            for (const Colour each : colours_) {
                std::int64_t count = 0;
                for (const int other : around(point)) {
                    if (colour_of(board, other) == each) {
                        ++count;
                        beside.add(state, own, cell(each), at(other));
                    }
                }
                besides.add(state, own, cell(each), count);
            }
        }
    }
    template <class Take>
    void each_ko(const FactBoard& board, Take&& take) const {
        for (const Colour player : colours_) {
            for (const int point : order_) {
                if (player == EMPTY) {
                    break;
                }
                const bool is_banned = point == board.ko && static_cast<int>(player) == board.banned;
                take(cell(player), at(point), is_banned ? words_.banned : words_.free);
            }
        }
    }
    // The stones of each block, its liberties, and the stones of the other side next to it.
    void find_sets(const FactBoard& board, FactTables& tables) const {
        FactBlocks& blocks = tables.blocks;
        blocks.find(board);
        for (FactTables::Sets* sets : {&tables.stones, &tables.liberties, &tables.contacts}) {
            sets->resize(std::max(sets->size(), blocks.lowest.size()));
            for (std::vector<int>& each : *sets) {
                each.clear();
            }
        }
        for (const int point : order_) {
            const int own = blocks.at(point);
            if (own >= 0) {
                tables.stones[static_cast<std::size_t>(own)].push_back(point);
            }
            for (const int other : around(point)) {
                const int number = blocks.at(other);
                if (number >= 0 && number != own) {
                    std::vector<int>& set = (own < 0 ? tables.liberties : tables.contacts)[static_cast<std::size_t>(number)];
                    if (set.empty() || set.back() != point) {
                        set.push_back(point);
                    }
                }
            }
        }
    }
    void write_sets(const FactTables& tables, std::int64_t state, FactColumns& counts, FactColumns& members,
                    const FactTables::Sets& sets) const {
        const FactBlocks& blocks = tables.blocks;
        std::size_t most = 0;
        for (std::size_t number = 0; number < blocks.lowest.size(); ++number) {
            most += tables.stones[number].size() * sets[number].size();
        }
        FactColumns::More<3> counted(counts, order_.size());
        FactColumns::More<3> listed(members, most);
        for (const int point : order_) {
            if (const int number = blocks.at(point); number >= 0) {
                const std::vector<int>& points = sets[static_cast<std::size_t>(number)];
                counted.add(state, at(point), static_cast<std::int64_t>(points.size()));
                for (const int other : points) {
                    listed.add(state, at(point), at(other));
                }
            }
        }
    }

    FactBoard shape_;
    FactWords words_;
    std::vector<int> order_;  // the points by their cells
    std::array<Colour, 3> colours_{BLACK, WHITE, EMPTY};
    std::vector<std::vector<int>> around_;
};

}  // namespace go
