// Many rules by hand: a prefix trie over the rules' conditions, matched afresh by backtracking.
//
// Invariants: the facts are dense arrays over the points of the board, and no match is stored. An update is
// matched by traversing the whole trie before and after it, and reporting the matches that read the changed
// colour. Reads a program as benchmarks/engine/program_text.py writes it, with the predicates colour,
// neighbour and liberties in this order, and prints one JSON object.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <vector>

constexpr int most_points = 128, most_variables = 16, match_widths = 10, first_match = 3;
constexpr int colour_of = 0, neighbour_of = 1, liberties_of = 2;

// Terms as in the program: a cell, or -1 - the number of a variable. Kinds with "new" bind a variable.
enum class Kind : std::uint8_t { new_colour, colour, new_neighbour, neighbour, liberties };

struct Condition {
    Kind kind;
    std::uint8_t first, second;
    bool operator==(const Condition&) const = default;
};

struct Rule {
    int number, width;
    std::vector<Condition> body;
};

struct Board {
    std::array<int, most_points> colours{}, liberties{};
    std::array<std::vector<std::uint8_t>, most_points> neighbours;
    std::array<std::array<bool, most_points>, most_points> beside{};
    int points = 0;
};

struct Update {
    int point, old_colour, new_colour;
};

struct Program {
    Board board;
    std::vector<Rule> rules;
    std::vector<Update> updates;
};

// Matches as rows: the number of the rule and the points of its variables, by the number of variables.
using Rows = std::array<std::vector<std::int32_t>, match_widths + 1>;

int term(const std::string& word) {
    return word[0] == '?' ? -1 - std::stoi(word.substr(1)) : std::stoi(word);
}

Condition condition(const std::string& text, int& bound) {
    std::istringstream words(text);
    int predicate;
    std::string one, other;
    words >> predicate >> one >> other;
    const int left = -1 - term(one);
    const bool fresh = left == bound;
    const int right = predicate == neighbour_of ? -1 - term(other) : term(other);
    const bool binds = predicate == neighbour_of && right == bound;
    if (left < 0 || left > bound || right < 0 || (fresh && predicate != colour_of)
        || (predicate == neighbour_of && right > bound) || predicate > liberties_of) {
        std::cerr << "the trie by hand does not know such a condition: " << text << "\n";
        std::exit(3);
    }
    if (fresh || binds) ++bound;
    const Kind kind = predicate == liberties_of ? Kind::liberties
        : predicate == neighbour_of ? (binds ? Kind::new_neighbour : Kind::neighbour)
        : fresh ? Kind::new_colour : Kind::colour;
    return {kind, std::uint8_t(left), std::uint8_t(right)};
}

Program read(const char* path) {
    Program program;
    Board& board = program.board;
    const std::array<std::string, 3> known{"colour", "neighbour", "liberties"};
    std::size_t names = 0;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(1));
        if (line[0] == 'p' && names < 3) {
            std::string name;
            words >> name;
            if (name != known[names++]) {
                std::cerr << "the trie by hand knows boards of points alone\n";
                std::exit(3);
            }
        } else if (line[0] == 'f') {
            int predicate, left, right;
            words >> predicate >> left >> right;
            if (predicate == colour_of) {
                board.colours[left] = right;
                board.points = std::max(board.points, left + 1);
            } else if (predicate == neighbour_of) {
                board.neighbours[left].push_back(right);
                board.beside[left][right] = true;
            } else {
                board.liberties[left] = right;
            }
        } else if (line[0] == 'u') {
            int predicate, point, old_colour, new_colour;
            std::string bar;
            words >> predicate >> point >> old_colour >> bar >> predicate >> point >> new_colour;
            program.updates.push_back({point, old_colour, new_colour});
        } else if (line[0] == 'r') {
            std::string part;
            std::getline(words, part, '|');
            std::istringstream head(part);
            int predicate, bound = 0;
            Rule rule;
            head >> predicate >> rule.number;
            rule.width = predicate - first_match + 1;
            while (std::getline(words, part, '|')) rule.body.push_back(condition(part, bound));
            program.rules.push_back(std::move(rule));
        }
    }
    return program;
}

struct Node {
    Condition condition;
    std::uint32_t first_child, last_child, first_rule, last_rule;
};

class Trie {
public:
    explicit Trie(const std::vector<Rule>& rules) {
        struct Growing {
            Condition condition;
            std::vector<std::uint32_t> children, rules;
        };
        std::vector<Growing> growing(1);
        std::unordered_map<std::uint64_t, std::uint32_t> places;
        for (std::uint32_t r = 0; r < rules.size(); ++r) {
            std::uint32_t at = 0;
            for (const Condition& c : rules[r].body) {
                const std::uint64_t key = (std::uint64_t{at} << 24) | (std::uint64_t(c.kind) << 16)
                    | (std::uint64_t{c.first} << 8) | c.second;
                const auto [place, fresh] = places.try_emplace(key, std::uint32_t(growing.size()));
                if (fresh) {
                    growing[at].children.push_back(place->second);
                    growing.push_back({c, {}, {}});
                }
                at = place->second;
            }
            growing[at].rules.push_back(r);
        }
        // The layout places the children of a node next to each other.
        std::vector<std::uint32_t> order{0};
        nodes_.reserve(growing.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            const Growing& old = growing[order[i]];
            const auto child = std::uint32_t(order.size()), rule = std::uint32_t(rules_.size());
            order.insert(order.end(), old.children.begin(), old.children.end());
            for (const std::uint32_t r : old.rules) rules_.push_back({rules[r].number, rules[r].width});
            nodes_.push_back(
                {old.condition, child, std::uint32_t(order.size()), rule, std::uint32_t(rules_.size())});
        }
    }

    void match(const Board& board, Rows& rows) {
        board_ = &board;
        rows_ = &rows;
        children<false>(nodes_[0], 0, false);
    }

    // The matches that read the colour of one point.
    void match_reading(const Board& board, int point, Rows& rows) {
        board_ = &board;
        rows_ = &rows;
        point_ = point;
        children<true>(nodes_[0], 0, false);
    }

    std::size_t size() const { return nodes_.size(); }

private:
    struct Named {
        int number, width;
    };
    std::vector<Node> nodes_;
    std::vector<Named> rules_;
    std::array<std::uint8_t, most_variables> binding_;
    const Board* board_ = nullptr;
    Rows* rows_ = nullptr;
    int point_ = -1;

    template <bool only_reading>
    void children(const Node& node, int bound, bool read) {
        if (!only_reading || read)
            for (std::uint32_t r = node.first_rule; r < node.last_rule; ++r) {
                auto& rows = (*rows_)[rules_[r].width];
                rows.push_back(rules_[r].number);
                rows.insert(rows.end(), binding_.begin(), binding_.begin() + rules_[r].width);
            }
        for (std::uint32_t c = node.first_child; c < node.last_child; ++c) {
            const Node& child = nodes_[c];
            const auto [kind, first, second] = child.condition;
            switch (kind) {
            case Kind::new_colour:
                for (int point = 0; point < board_->points; ++point)
                    if (board_->colours[point] == second) {
                        binding_[first] = point;
                        children<only_reading>(child, bound + 1, read || point == point_);
                    }
                break;
            case Kind::colour:
                if (board_->colours[binding_[first]] == second)
                    children<only_reading>(child, bound, read || binding_[first] == point_);
                break;
            case Kind::new_neighbour:
                for (const std::uint8_t point : board_->neighbours[binding_[first]]) {
                    binding_[second] = point;
                    children<only_reading>(child, bound + 1, read);
                }
                break;
            case Kind::neighbour:
                if (board_->beside[binding_[first]][binding_[second]])
                    children<only_reading>(child, bound, read);
                break;
            case Kind::liberties:
                if (board_->liberties[binding_[first]] == second) children<only_reading>(child, bound, read);
                break;
            }
        }
    }
};

std::uint64_t count(const Rows& rows) {
    std::uint64_t found = 0;
    for (std::size_t width = 1; width < rows.size(); ++width) found += rows[width].size() / (width + 1);
    return found;
}

std::uint64_t checksum(const Rows& rows) {
    std::uint64_t sum = 0;
    for (std::size_t width = 1; width < rows.size(); ++width)
        for (std::size_t at = 0; at < rows[width].size();) {
            std::uint64_t row = 0;
            for (std::size_t cell = 0; cell <= width; ++cell)
                row = (row * 1000003 + std::uint64_t(rows[width][at++])) % 1000000007;
            sum += row;
        }
    return sum;
}

void clear(Rows& rows) {
    for (auto& each : rows) each.clear();
}

long resident() {
    long pages = 0, all = 0;
    std::ifstream("/proc/self/statm") >> all >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

double seconds_since(std::clock_t start) { return double(std::clock() - start) / CLOCKS_PER_SEC; }

int main(int, char** arguments) {
    Program program = read(arguments[1]);
    Board& board = program.board;
    const long before = resident();
    std::clock_t start = std::clock();
    Trie trie(program.rules);
    const double adding = seconds_since(start);

    Rows rows, gone, come;
    start = std::clock();
    trie.match(board, rows);
    const double matching = seconds_since(start);
    const long after = resident();
    std::uint64_t matches = count(rows), changed = 0, changed_sum = 0;
    std::printf("{\"result\": {\"matches\": %llu, \"checksum\": %llu", (unsigned long long)matches,
                (unsigned long long)checksum(rows));

    std::vector<double> times;
    std::string totals;
    for (const Update& update : program.updates) {
        clear(gone);
        clear(come);
        start = std::clock();
        trie.match_reading(board, update.point, gone);
        board.colours[update.point] = update.new_colour;
        trie.match_reading(board, update.point, come);
        times.push_back(seconds_since(start));
        matches += count(come) - count(gone);
        changed += count(come) + count(gone);
        changed_sum += checksum(come) + checksum(gone);
        totals += (totals.empty() ? "" : ", ") + std::to_string(matches);
    }
    std::printf(", \"after\": [%s], \"changed\": %llu, \"changed checksum\": %llu}", totals.c_str(),
                (unsigned long long)changed, (unsigned long long)changed_sum);
    const double first = times.empty() ? 0 : times[0];
    std::sort(times.begin(), times.end());
    const double median = times.empty() ? 0 : times[times.size() / 2];
    std::printf(
        ", \"seconds\": {\"add\": %.9f, \"add once read\": %.9f, \"match\": %.9f, "
        "\"first update\": %.9f, \"update\": %.9f}, "
        "\"bytes\": %ld, \"nodes\": %zu}\n",
        adding, adding, matching, first, median, after - before, trie.size());
}
