// The fast reader of states: texts of facts in the language become columns of numbers.
//
// It understands a part of the language: ASCII texts of facts whose relations it knows, with words that begin in
// lower case, quoted words without escapes, and integers. A text with anything else is *not understood*, and
// the parser reads it instead. So this reader has no messages, and need not know why a text is wrong.
//
// Invariant: A text that is understood has the same facts as the parser finds in it, and no other error than that
// of a word that its sort does not have, or of facts that contradict each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hornbook::kb {

using Cell = std::int64_t;

enum class ColumnKind : char { WORD = 'w', INTEGER = 'i', MIXED = 'm' };

struct Relation {
    std::string name;
    std::vector<ColumnKind> columns;
    bool has_tense = false;  // whether `before` may precede it
    bool is_action = false;  // a state has one action at most
};

// The facts of one relation in all texts: for each the number of its text, and its cells, column by column.
struct FactTable {
    std::vector<Cell> texts;
    std::vector<std::vector<Cell>> cells;
};

// The facts of some texts. The cell of a word is its place in `words`; so is that of an integer in a mixed column.
struct ReadFacts {
    struct Value {
        std::string_view word;  // a part of a text
        Cell integer = 0;
        bool is_integer = false;
    };
    std::vector<FactTable> tables;  // as the relations of the reader
    std::vector<Value> words;       // distinct, in the order of their first appearance
    std::vector<Cell> unread;       // the texts that are not understood, which have no facts here
};

class FactReader {
public:
    // `reserved` are words that the reader leaves to the parser wherever they are.
    FactReader(std::vector<Relation> relations, std::vector<std::string> reserved);
    FactReader(const FactReader&) = delete;
    FactReader& operator=(const FactReader&) = delete;

    [[nodiscard]] const std::vector<Relation>& relations() const { return relations_; }

    // Read ASCII texts. A text without data is not understood. The results refer to the texts.
    [[nodiscard]] ReadFacts read(const std::vector<std::string_view>& texts) const;

private:
    std::vector<Relation> relations_;
    std::vector<std::string> reserved_words_;
    std::unordered_map<std::string_view, std::size_t> by_name_;
    std::unordered_set<std::string_view> reserved_;
};

}  // namespace hornbook::kb
