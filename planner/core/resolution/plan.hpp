// How the answers to a pattern of goals are found: for each rule its conditions in an order, each with what it binds.
//
// A pattern is a relation, and of each of its columns whether goals bind it, want it, or let it be anything.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "resolution/stored.hpp"
#include "resolution/table.hpp"

namespace hornbook::planner::resolution {

enum class Mode : char { bound = 'b', wanted = 'w', free = 'f' };
using Modes = std::basic_string<Mode>;

struct Pattern;

// A cell that is found, and the variable that takes it.
struct Take {
    std::uint32_t from = 0;
    std::uint32_t variable = 0;
};

struct Step {
    // `scan`, `ask`: for each row of stored facts, or each answer; `found`, `lacking`: whether there is one of stored
    // facts; `holds`, `fails`: whether there is an answer; `equal`, `differ`, `set`: of the two columns in `key`.
    enum class Kind : std::uint8_t { scan, ask, found, lacking, holds, fails, equal, differ, set };

    Kind kind = Kind::scan;
    std::uint32_t back = none;   // the step to take up again when this one has no more; none: the rule is done
    std::uint32_t blame = none;  // the same, when this one has nothing at first: no step between could help
    std::vector<Column> key;
    std::vector<Take> takes;
    std::vector<Take> agrees;    // cells that must be what a variable is, in which an earlier cell stands
    Stored* stored = nullptr;
    Index* index = nullptr;      // of stored facts; none where the key is empty
    Pattern* pattern = nullptr;
};

struct Plan {
    std::vector<Column> key;      // a goal's key must be this: words, and variables that are bound by it
    std::vector<bool> is_first;   // where a variable stands in the key for the first time
    std::vector<Step> steps;
    std::vector<Column> answer;
    std::uint32_t after_answer = none;  // the step to take up again then
    std::uint32_t variables = 0;
};

// Guesses about one goal: how much work it is, and how many answers it has, one at least.
//
// Conditions are taken not to fail. What seems to be known of how often they do would be multiplied as if they had nothing
// to do with each other; in a chain of relations all that is left then seems to be for nothing, and any order good.
struct Guess {
    double work = 1;
    double answers = 1;
};

struct Pattern {
    Pattern(std::uint32_t of, Modes how, const std::uint64_t& version)
        : relation(of), modes(std::move(how)), table(count(Mode::bound), count(Mode::wanted), version),
          key_width(count(Mode::bound)), answer_width(count(Mode::wanted)), is_test(answer_width == 0) {}

    [[nodiscard]] std::uint32_t count(Mode mode) const {
        return static_cast<std::uint32_t>(std::count(modes.begin(), modes.end(), mode));
    }

    std::uint32_t relation;
    Modes modes;
    Table table;
    std::uint32_t key_width;
    std::uint32_t answer_width;
    bool is_test;  // whether there is an answer is all that is asked
    enum class Planned : std::uint8_t { no, now, yes } planned = Planned::no;
    Guess guess;
    Guess reckoned;  // the guess from its plans alone
    // What was seen: how often a goal was asked for, the steps that it took (most often none), and its answers.
    std::uint64_t asked = 0;
    std::uint64_t work = 0;
    std::uint64_t answered = 0;
    std::vector<Plan> plans;
    // Where many rules have words in a column of the key: the plans for each word there, and for all others.
    std::uint32_t chosen_by = none;
    std::unordered_map<Cell, std::vector<std::uint32_t>> by_word;
    std::vector<std::uint32_t> for_others;
};

}  // namespace hornbook::planner::resolution
