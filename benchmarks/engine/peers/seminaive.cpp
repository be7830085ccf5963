// Recursive workloads by hand: semi-naive evaluation with one hash set of pairs and adjacency lists.
//
// Invariants: a pair is put into the set once, when it is first derived, and each pair is joined once, when
// its turn comes. Reads a program as benchmarks/engine/program_text.py writes it, of which only the facts
// count (the rules are the code below), and prints one JSON object.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Node = std::uint32_t;
using Lists = std::vector<std::vector<Node>>;

struct Pair {
    Node left, right;
};

// Pairs found so far, in order of discovery; open addressing over 64-bit keys.
class Pairs {
public:
    Pairs() : slots_(1 << 16, empty) {}

    void insert(Node left, Node right) {
        ++derivations;
        const std::uint64_t key = (std::uint64_t{left} << 32) | right;
        std::size_t at = place(key);
        while (slots_[at] != empty) {
            if (slots_[at] == key) return;
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = key;
        found.push_back({left, right});
        if (2 * found.size() > slots_.size()) grow();
    }

    std::vector<Pair> found;
    std::uint64_t derivations = 0;

private:
    static constexpr std::uint64_t empty = ~std::uint64_t{0};
    std::vector<std::uint64_t> slots_;

    std::size_t place(std::uint64_t key) const {
        return (key * 0x9E3779B97F4A7C15ull >> 20) & (slots_.size() - 1);
    }

    void grow() {
        std::vector<std::uint64_t> old(slots_.size() * 4, empty);
        old.swap(slots_);
        for (const std::uint64_t key : old) {
            if (key == empty) continue;
            std::size_t at = place(key);
            while (slots_[at] != empty) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = key;
        }
    }
};

// The facts of each predicate of a program, by its number.
struct Given {
    std::vector<std::vector<Pair>> facts;
    Node nodes = 0;

    Lists by_left(std::size_t predicate) const {
        Lists lists(nodes);
        for (const Pair fact : facts[predicate]) lists[fact.left].push_back(fact.right);
        return lists;
    }

    Lists by_right(std::size_t predicate) const {
        Lists lists(nodes);
        for (const Pair fact : facts[predicate]) lists[fact.right].push_back(fact.left);
        return lists;
    }
};

Given read(const char* path) {
    Given given;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line[0] == 'p') given.facts.emplace_back();
        if (line[0] != 'f') continue;
        std::istringstream words(line.substr(1));
        std::size_t predicate;
        Pair pair;
        words >> predicate >> pair.left >> pair.right;
        given.facts[predicate].push_back(pair);
        given.nodes = std::max({given.nodes, pair.left + 1, pair.right + 1});
    }
    return given;
}

// path(x, z) :- path(x, y), edge(y, z).
void close(const Given& given, Pairs& path) {
    const Lists edge = given.by_left(0);
    for (const Pair pair : given.facts[0]) path.insert(pair.left, pair.right);
    for (std::size_t next = 0; next < path.found.size(); ++next) {
        const Pair pair = path.found[next];
        for (const Node z : edge[pair.right]) path.insert(pair.left, z);
    }
}

// same(x, y) :- parent(p, x), parent(p, y).   same(x, y) :- parent(p, x), same(p, q), parent(q, y).
void same_generation(const Given& given, Pairs& same) {
    const Lists children = given.by_left(0);
    for (const auto& siblings : children)
        for (const Node x : siblings)
            for (const Node y : siblings) same.insert(x, y);
    for (std::size_t next = 0; next < same.found.size(); ++next) {
        const Pair pair = same.found[next];
        for (const Node x : children[pair.left])
            for (const Node y : children[pair.right]) same.insert(x, y);
    }
}

// points(y, x) :- address(y, x).   points(y, x) :- assign(y, z), points(z, x).
// points(y, w) :- load(y, x), points(x, z), points(z, w).
// points(z, w) :- store(y, x), points(y, z), points(x, w).
void points_to(const Given& given, Pairs& points) {
    const Lists assigned = given.by_right(1), loaded = given.by_right(2);
    const Lists stored = given.by_left(3), storing = given.by_right(3);
    Lists of(given.nodes), to(given.nodes);  // the pairs whose turn has come
    for (const Pair pair : given.facts[0]) points.insert(pair.left, pair.right);
    for (std::size_t next = 0; next < points.found.size(); ++next) {
        const auto [a, b] = points.found[next];
        // As the second of two pairs before it is listed, and as the first after, so that no
        // two are joined twice.
        for (const Node x : to[a])
            for (const Node y : loaded[x]) points.insert(y, b);
        for (const Node y : storing[a])
            for (const Node z : of[y]) points.insert(z, b);
        of[a].push_back(b);
        to[b].push_back(a);
        for (const Node y : assigned[a]) points.insert(y, b);
        for (const Node y : loaded[a])
            for (const Node w : of[b]) points.insert(y, w);
        for (const Node x : stored[a])
            for (const Node w : of[x]) points.insert(b, w);
    }
}

int main(int, char** arguments) {
    const std::string workload = arguments[1];
    const Given given = read(arguments[2]);
    const std::clock_t start = std::clock();
    Pairs result;
    if (workload.starts_with("closure")) close(given, result);
    else if (workload == "same-generation") same_generation(given, result);
    else points_to(given, result);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::uint64_t checksum = 0;
    for (const Pair pair : result.found)
        checksum += (std::uint64_t{pair.left} * 1000003 + pair.right) % 1000000007;
    std::printf("{\"seconds\": {\"total\": %.6f}, \"result\": {\"tuples\": %zu, \"checksum\": %llu}, "
                "\"derivations\": %llu}\n", seconds, result.found.size(),
                static_cast<unsigned long long>(checksum),
                static_cast<unsigned long long>(result.derivations));
}
