// The rules of a game for goal-directed evaluation.
//
// Words and relations are numbers from 0 on. A relation either has stored facts or is concluded by rules,
// never both. The creator of a program (planner/gdl/goal_program.py) guarantees the conditions noted at the
// fields.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hornbook::planner::resolution {

using Cell = std::int32_t;
using Column = std::int32_t;  // a word, or variable v of its rule as ~v

inline bool is_variable(Column column) { return column < 0; }
inline std::size_t variable_of(Column column) { return static_cast<std::size_t>(~column); }

// The inputs with which a relation's facts change; each value includes the ones before it.
enum class Rests : std::uint8_t { on_nothing, on_state, on_moves };

struct Relation {
    std::uint32_t width = 0;
    Rests rests = Rests::on_nothing;
    bool concluded = false;  // by rules
};

struct Condition {
    // `absent`: no such fact. Variables that occur nowhere else in the rule occur once, and match anything.
    enum class Kind : std::uint8_t { match, absent, equal, differ };

    Kind kind = Kind::match;
    std::uint32_t relation = 0;   // of match and absent
    std::vector<Column> columns;  // of equal and differ: two
};

struct Rule {
    std::uint32_t relation = 0;
    std::vector<Column> head;
    std::vector<Condition> body;
    std::uint32_t variables = 0;
};

struct Fact {
    std::uint32_t relation = 0;
    std::vector<Cell> cells;
};

// Conclusions of one relation become input of another one: next facts become true, legal moves may be made.
struct Pair {
    std::uint32_t concluded = 0;
    std::uint32_t told = 0;
};

struct Program {
    std::vector<Relation> relations;
    std::vector<Rule> rules;
    std::vector<Fact> facts;  // distinct
    // Relations that are concluded from facts alone and queried in states, each after those that it depends on.
    std::vector<std::uint32_t> shared;
};

// The relations that GDL itself defines, one for each shape of their arguments.
struct Spoken {
    std::vector<Cell> roles;
    std::vector<Pair> initial;
    std::vector<Pair> next;
    std::vector<Pair> legal;               // the first column is the role
    std::vector<std::uint32_t> terminal;   // without columns
    std::vector<std::uint32_t> goal;       // a role and a word
    std::vector<int> worths;               // by word: a number from 0 on, or -1
};

}  // namespace hornbook::planner::resolution
