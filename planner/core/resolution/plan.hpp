// Plans for the answers to a pattern of goals: for each rule its conditions in an order, each with its
// bindings.
//
// A pattern is a relation with a mode for each column: bound by goals, wanted, or arbitrary.
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
    // `scan`, `ask`: for each row of stored facts, or each answer; `found`, `lacking`: whether there is a
    // stored fact; `holds`, `fails`: whether there is an answer; `equal`, `differ`, `set`: of the two columns
    // in `key`.
    enum class Kind : std::uint8_t { scan, ask, found, lacking, holds, fails, equal, differ, set };

    Kind kind = Kind::scan;
    std::uint32_t back = none;   // the step to resume when this one has no more results; none: the rule is done
    std::uint32_t blame = none;  // the step to resume if this one has no results at all: steps in between cannot help
    std::vector<Column> key;
    std::vector<Take> takes;
    std::vector<Take> agrees;    // cells that must equal a variable filled by an earlier cell
    Stored* stored = nullptr;
    Index* index = nullptr;      // of stored facts; none if the key is empty
    Pattern* pattern = nullptr;
};

struct Plan {
    std::vector<Column> key;      // the key of a goal must match this: words, and variables that it binds
    std::vector<bool> is_first;   // the first occurrences of variables in the key
    std::vector<Step> steps;
    std::vector<Column> answer;
    std::uint32_t after_answer = none;  // the step to resume after an answer
    std::uint32_t variables = 0;
};

// Estimates for one goal: the amount of work, and the number of answers, at least one.
//
// Conditions are assumed to succeed. Multiplying estimated failure rates would treat them as independent; in
// a chain of relations the remaining work would then seem to be zero, and every order equally good.
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
    bool is_test;  // only the existence of an answer matters
    enum class Planned : std::uint8_t { no, now, yes } planned = Planned::no;
    Guess guess;
    Guess reckoned;  // the estimate from its plans alone
    // Observations: the number of queries, the steps that they took (usually none), and their answers.
    std::uint64_t asked = 0;
    std::uint64_t work = 0;
    std::uint64_t answered = 0;
    std::vector<Plan> plans;
    // If many rules have words in a column of the key: the plans for each word there, and for all others.
    std::uint32_t chosen_by = none;
    std::unordered_map<Cell, std::vector<std::uint32_t>> by_word;
    std::vector<std::uint32_t> for_others;
};

}  // namespace hornbook::planner::resolution
