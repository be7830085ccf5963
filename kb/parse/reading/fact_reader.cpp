#include "fact_reader.hpp"

#include <limits>
#include <optional>

namespace hornbook::kb {

namespace {

// Longer texts are left to the parser, which has a limit.
constexpr std::size_t LONGEST_TEXT = 16 * 1024 * 1024;
constexpr std::string_view TENSE = "before";

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_in_word(char c) { return is_lower(c) || is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z'); }
bool is_in_quotes(char c) { return c >= ' ' && c <= '~' && c != '\'' && c != '\\'; }

// A position in one text. Each function returns nothing, or false, at what it does not understand.
class Scanner {
public:
    explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    void skip_blanks() {
        while (at_ != end_ && is_blank(*at_)) {
            ++at_;
        }
    }
    [[nodiscard]] bool is_at_end() const { return at_ == end_; }
    [[nodiscard]] bool is_at(char c) const { return at_ != end_ && *at_ == c; }
    bool take(char c) {
        if (!is_at(c)) {
            return false;
        }
        ++at_;
        return true;
    }
    // An unquoted word.
    std::optional<std::string_view> word() {
        if (at_ == end_ || !is_lower(*at_)) {
            return std::nullopt;
        }
        const char* first = at_;
        while (at_ != end_ && is_in_word(*at_)) {
            ++at_;
        }
        return std::string_view(first, static_cast<std::size_t>(at_ - first));
    }
    // A word in quotes, without them.
    std::optional<std::string_view> quoted() {
        const char* first = ++at_;
        while (at_ != end_ && is_in_quotes(*at_)) {
            ++at_;
        }
        const std::string_view found(first, static_cast<std::size_t>(at_ - first));
        if (found.empty() || !take('\'') || is_at('\'')) {
            return std::nullopt;
        }
        return found;
    }
    std::optional<Cell> integer() {
        const bool is_negative = take('-');
        const char* first = at_;
        Cell value = 0;
        for (; at_ != end_ && is_digit(*at_); ++at_) {
            const Cell digit = *at_ - '0';
            if (value > (std::numeric_limits<Cell>::max() - digit) / 10) {
                return std::nullopt;
            }
            value = 10 * value + digit;
        }
        if (at_ == first || (at_ != end_ && is_in_word(*at_))) {
            return std::nullopt;
        }
        return is_negative ? -value : value;
    }

private:
    const char* at_;
    const char* end_;
};

// The work on one list of texts.
class Reading {
public:
    Reading(const FactReader& reader, const std::unordered_map<std::string_view, std::size_t>& by_name,
            const std::unordered_set<std::string_view>& reserved)
        : reader_(reader), by_name_(by_name), reserved_(reserved) {
        for (const Relation& relation : reader.relations()) {
            found_.tables.emplace_back().cells.resize(relation.columns.size());
        }
    }

    void read(std::string_view text) {
        touched_.clear();
        action_.reset();
        const std::size_t words = found_.words.size();
        if (!facts(text)) {
            take_back(words);
            found_.unread.push_back(number_);
        }
        ++number_;
    }

    ReadFacts&& results() { return std::move(found_); }

private:
    bool facts(std::string_view text) {
        if (text.data() == nullptr || text.size() > LONGEST_TEXT) {
            return false;
        }
        Scanner scanner(text);
        for (scanner.skip_blanks(); !scanner.is_at_end(); scanner.skip_blanks()) {
            if (!fact(scanner)) {
                return false;
            }
        }
        return true;
    }

    bool fact(Scanner& scanner) {
        auto name = scanner.word();
        const bool has_tense = name == TENSE;
        if (has_tense) {
            scanner.skip_blanks();
            name = scanner.word();
        }
        if (!name) {
            return false;
        }
        const auto known = by_name_.find(*name);
        if (known == by_name_.end()) {
            return false;
        }
        const std::size_t number = known->second;
        const Relation& relation = reader_.relations()[number];
        if (has_tense && !relation.has_tense) {
            return false;
        }
        row_.clear();
        scanner.skip_blanks();
        if (!relation.columns.empty() && !arguments(scanner, relation)) {
            return false;
        }
        scanner.skip_blanks();
        return scanner.take('.') && add(number);
    }

    bool arguments(Scanner& scanner, const Relation& relation) {
        char mark = '(';
        for (const ColumnKind kind : relation.columns) {
            if (!scanner.take(mark)) {
                return false;
            }
            scanner.skip_blanks();
            if (!argument(scanner, kind)) {
                return false;
            }
            scanner.skip_blanks();
            mark = ',';
        }
        return scanner.take(')');
    }

    bool argument(Scanner& scanner, ColumnKind kind) {
        if (scanner.is_at('\'')) {
            const auto word = scanner.quoted();
            return word && kind != ColumnKind::INTEGER && add_word(*word);
        }
        if (const auto word = scanner.word()) {
            return kind != ColumnKind::INTEGER && !reserved_.contains(*word) && add_word(*word);
        }
        const auto value = scanner.integer();
        if (!value || kind == ColumnKind::WORD) {
            return false;
        }
        if (kind == ColumnKind::INTEGER) {
            row_.push_back(*value);
            return true;
        }
        const auto [place, is_new] = integers_.try_emplace(*value, static_cast<Cell>(found_.words.size()));
        if (is_new) {
            found_.words.push_back({{}, *value, true});
        }
        row_.push_back(place->second);
        return true;
    }

    bool add_word(std::string_view word) {
        const auto [place, is_new] = words_.try_emplace(word, static_cast<Cell>(found_.words.size()));
        if (is_new) {
            found_.words.push_back({word, 0, false});
        }
        row_.push_back(place->second);
        return true;
    }

    // Add the fact of `row_`. Return false for a second action.
    bool add(std::size_t number) {
        if (reader_.relations()[number].is_action) {
            if (action_ && (*action_ != number || action_cells_ != row_)) {
                return false;
            }
            action_ = number;
            action_cells_ = row_;
        }
        FactTable& table = found_.tables[number];
        touched_.push_back(number);
        table.texts.push_back(number_);
        for (std::size_t column = 0; column < row_.size(); ++column) {
            table.cells[column].push_back(row_[column]);
        }
        return true;
    }

    // Remove the facts of the present text, and the words that it alone has.
    void take_back(std::size_t words) {
        for (const std::size_t number : touched_) {
            FactTable& table = found_.tables[number];
            table.texts.pop_back();
            for (auto& column : table.cells) {
                column.pop_back();
            }
        }
        for (std::size_t place = words; place < found_.words.size(); ++place) {
            const ReadFacts::Value& value = found_.words[place];
            if (value.is_integer) {
                integers_.erase(value.integer);
            } else {
                words_.erase(value.word);
            }
        }
        found_.words.resize(words);
    }

    const FactReader& reader_;
    const std::unordered_map<std::string_view, std::size_t>& by_name_;
    const std::unordered_set<std::string_view>& reserved_;
    ReadFacts found_;
    std::unordered_map<std::string_view, Cell> words_;
    std::unordered_map<Cell, Cell> integers_;
    Cell number_ = 0;                    // of the present text
    std::vector<std::size_t> touched_;   // the relation of each of its facts
    std::optional<std::size_t> action_;  // its action
    std::vector<Cell> action_cells_;
    std::vector<Cell> row_;
};

}  // namespace

FactReader::FactReader(std::vector<Relation> relations, std::vector<std::string> reserved)
    : relations_(std::move(relations)), reserved_words_(std::move(reserved)) {
    reserved_.insert(reserved_words_.begin(), reserved_words_.end());
    for (std::size_t number = 0; number < relations_.size(); ++number) {
        if (!reserved_.contains(relations_[number].name)) {
            by_name_.emplace(relations_[number].name, number);
        }
    }
}

ReadFacts FactReader::read(const std::vector<std::string_view>& texts) const {
    Reading reading(*this, by_name_, reserved_);
    for (const std::string_view text : texts) {
        reading.read(text);
    }
    return std::move(reading.results());
}

}  // namespace hornbook::kb
