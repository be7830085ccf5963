// The last part of a program that matcher/standalone/cpp.py generates: the functions of hornbook_rules.h, where their
// meaning is described. The generated part before it defines `Matcher`, `put`, `state`, `solve`, `keep`, `clear`,
// `forget`, and the tables RELATIONS, RULES and WORDS, each with a sentinel at its end, VARIABLES, and STATED, which
// ends with a negative number.

struct hornbook_matcher {
    Matcher m;  // the facts; `m.found` has the answers: for each its rule, then the values of its variables
    std::int32_t status = HORNBOOK_OK;
    bool is_solved = false;
    bool kept_conflict = false;        // among the kept facts
    std::vector<std::size_t> answers;  // the position of each in `m.found`
    std::vector<std::string> words;    // the words that the program does not contain, in the order of their codes
    std::unordered_map<std::string, std::int64_t> codes;  // of all words
};

namespace {

constexpr std::int32_t RELATION_COUNT = static_cast<std::int32_t>(sizeof(RELATIONS) / sizeof(RELATIONS[0])) - 1;
constexpr std::int32_t RULE_COUNT = static_cast<std::int32_t>(sizeof(RULES) / sizeof(RULES[0])) - 1;
constexpr std::int64_t WORD_COUNT = static_cast<std::int64_t>(sizeof(WORDS) / sizeof(WORDS[0])) - 1;

bool is_relation(std::int64_t number) { return number >= 0 && number < RELATION_COUNT; }
bool is_rule(std::int32_t number) { return number >= 0 && number < RULE_COUNT; }
bool is_variable(std::int32_t rule, std::int32_t number) {
    return is_rule(rule) && number >= 0 && number < RULES[rule].variables;
}

// Begin a state that has only the kept facts.
void begin_state(hornbook_matcher& matcher) {
    clear(matcher.m);
    matcher.m.found.clear();
    matcher.m.arithmetic.has_overflowed = false;
    matcher.m.conflicts = matcher.kept_conflict;
    matcher.m.is_overfull = matcher.is_solved = false;
    matcher.answers.clear();
    matcher.status = HORNBOOK_OK;
}

// Solve the state, set the status, and sort the answers by rule and values.
void find_answers(hornbook_matcher& matcher) {
    Matcher& m = matcher.m;
    solve(m);
    matcher.status = m.conflicts                   ? HORNBOOK_CONFLICT
                     : m.is_overfull               ? HORNBOOK_OVERFULL
                     : m.arithmetic.has_overflowed ? HORNBOOK_OVERFLOW
                                                   : HORNBOOK_OK;
    if (matcher.status != HORNBOOK_OK) {
        return;
    }
    for (std::size_t place = 0; place < m.found.size();) {
        matcher.answers.push_back(place);
        place += 1 + static_cast<std::size_t>(RULES[m.found[place]].variables);
    }
    std::sort(matcher.answers.begin(), matcher.answers.end(), [&](std::size_t left, std::size_t right) {
        const Cell* one = &m.found[left];
        const Cell* other = &m.found[right];
        if (one[0] != other[0]) {
            return one[0] < other[0];
        }
        const auto width = 1 + static_cast<std::size_t>(RULES[one[0]].variables);
        return std::lexicographical_compare(one, one + width, other, other + width);
    });
}

// Make a call and return the status of the matcher after it: no exception leaves the library.
template <class Call>
std::int32_t status_after(hornbook_matcher& matcher, Call&& call) {
    try {
        call();
    } catch (...) {
        matcher.answers.clear();
        matcher.status = HORNBOOK_NO_MEMORY;
    }
    return matcher.status;
}

}  // namespace

extern "C" {

int32_t hornbook_version(void) { return HORNBOOK_RULES_VERSION; }
const char* hornbook_fingerprint(void) { return FINGERPRINT; }

int32_t hornbook_relations(void) { return RELATION_COUNT; }
int32_t hornbook_relation(const char* name) {
    for (std::int32_t number = 0; number < RELATION_COUNT; ++number) {
        if (std::strcmp(RELATIONS[number].name, name) == 0) {
            return number;
        }
    }
    return -1;
}
const char* hornbook_relation_name(int32_t relation) { return is_relation(relation) ? RELATIONS[relation].name : nullptr; }
int32_t hornbook_relation_columns(int32_t relation) { return is_relation(relation) ? RELATIONS[relation].columns : -1; }
int32_t hornbook_relation_is_word(int32_t relation, int32_t column) {
    if (!is_relation(relation) || column < 0 || column >= RELATIONS[relation].columns) {
        return -1;
    }
    return static_cast<std::int32_t>(RELATIONS[relation].is_word >> static_cast<unsigned>(column) & 1U);
}

int32_t hornbook_rules(void) { return RULE_COUNT; }
const char* hornbook_rule_name(int32_t rule) { return is_rule(rule) ? RULES[rule].name : nullptr; }
const char* hornbook_rule_says(int32_t rule) { return is_rule(rule) ? RULES[rule].says : nullptr; }
int32_t hornbook_rule_variables(int32_t rule) { return is_rule(rule) ? RULES[rule].variables : -1; }
const char* hornbook_rule_variable(int32_t rule, int32_t variable) {
    return is_variable(rule, variable) ? VARIABLES[RULES[rule].first + variable].name : nullptr;
}
int32_t hornbook_rule_variable_is_word(int32_t rule, int32_t variable) {
    return is_variable(rule, variable) ? (VARIABLES[RULES[rule].first + variable].is_word ? 1 : 0) : -1;
}

hornbook_matcher* hornbook_open(void) {
    hornbook_matcher* matcher = nullptr;
    try {
        matcher = new hornbook_matcher;
        for (std::int64_t code = 0; code < WORD_COUNT; ++code) {
            matcher->codes.emplace(WORDS[code], code);
        }
        for (const Cell* fact = STATED; *fact >= 0; fact += 1 + RELATIONS[*fact].columns) {
            put(matcher->m, static_cast<std::int32_t>(*fact), fact + 1);
        }
        state(matcher->m);
        matcher->kept_conflict = matcher->m.conflicts;
        begin_state(*matcher);
    } catch (...) {
        delete matcher;
        return nullptr;
    }
    return matcher;
}
void hornbook_close(hornbook_matcher* matcher) { delete matcher; }

int64_t hornbook_code(hornbook_matcher* matcher, const char* word) {
    try {
        const auto next = WORD_COUNT + static_cast<std::int64_t>(matcher->words.size());
        const auto known = matcher->codes.find(word);
        if (known != matcher->codes.end()) {
            return known->second;
        }
        matcher->words.emplace_back(word);
        matcher->codes.emplace(word, next);
        return next;
    } catch (...) {
        return -1;
    }
}
const char* hornbook_word(const hornbook_matcher* matcher, int64_t code) {
    if (code < 0 || code >= WORD_COUNT + static_cast<std::int64_t>(matcher->words.size())) {
        return nullptr;
    }
    return code < WORD_COUNT ? WORDS[code] : matcher->words[static_cast<std::size_t>(code - WORD_COUNT)].c_str();
}

int32_t hornbook_clear(hornbook_matcher* matcher) {
    return status_after(*matcher, [&] { begin_state(*matcher); });
}

int32_t hornbook_keep(hornbook_matcher* matcher) {
    return status_after(*matcher, [&] {
        if (matcher->is_solved) {
            matcher->status = HORNBOOK_BAD_ARGUMENT;
        }
        if (matcher->status == HORNBOOK_OK) {
            keep(matcher->m);
            matcher->kept_conflict = matcher->m.conflicts;
        }
    });
}

int32_t hornbook_forget(hornbook_matcher* matcher) {
    return status_after(*matcher, [&] {
        forget(matcher->m);
        matcher->kept_conflict = false;
        begin_state(*matcher);
    });
}

int32_t hornbook_add(hornbook_matcher* matcher, int32_t relation, const int64_t* const* columns,
                     int32_t number_of_columns, int64_t rows) {
    return status_after(*matcher, [&] {
        if (!is_relation(relation) || number_of_columns != RELATIONS[relation].columns || rows < 0 ||
            matcher->is_solved) {
            matcher->status = HORNBOOK_BAD_ARGUMENT;
        }
        if (matcher->status != HORNBOOK_OK) {
            return;
        }
        std::vector<Cell> fact(static_cast<std::size_t>(number_of_columns) + 1);
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int32_t column = 0; column < number_of_columns; ++column) {
                fact[static_cast<std::size_t>(column)] = columns[column][row];
            }
            put(matcher->m, relation, fact.data());
        }
    });
}

int32_t hornbook_read(hornbook_matcher* matcher, const int64_t* facts, int64_t length) {
    return status_after(*matcher, [&] {
        if (matcher->is_solved) {
            matcher->status = HORNBOOK_BAD_ARGUMENT;
        }
        for (std::int64_t place = 0; place < length && matcher->status == HORNBOOK_OK;) {
            const std::int64_t relation = facts[place];
            const std::int64_t left = length - place - 2;
            const std::int64_t columns = is_relation(relation) ? RELATIONS[relation].columns : 0;
            if (!is_relation(relation) || left < 0 || facts[place + 1] < 0 ||
                (columns != 0 && facts[place + 1] > left / columns)) {
                matcher->status = HORNBOOK_BAD_ARGUMENT;
                return;
            }
            const std::int64_t rows = facts[place + 1];
            place += 2;
            for (std::int64_t row = 0; row < rows; ++row, place += columns) {
                put(matcher->m, static_cast<std::int32_t>(relation), facts + place);
            }
        }
    });
}

int32_t hornbook_solve(hornbook_matcher* matcher) {
    return status_after(*matcher, [&] {
        if (matcher->status == HORNBOOK_OK && !matcher->is_solved) {
            matcher->is_solved = true;
            find_answers(*matcher);
        }
    });
}

int64_t hornbook_answers(const hornbook_matcher* matcher) { return static_cast<std::int64_t>(matcher->answers.size()); }
int32_t hornbook_answer_rule(const hornbook_matcher* matcher, int64_t answer) {
    return answer < 0 || answer >= hornbook_answers(matcher)
               ? -1
               : static_cast<std::int32_t>(matcher->m.found[matcher->answers[static_cast<std::size_t>(answer)]]);
}
const int64_t* hornbook_answer_values(const hornbook_matcher* matcher, int64_t answer) {
    return answer < 0 || answer >= hornbook_answers(matcher)
               ? nullptr
               : &matcher->m.found[matcher->answers[static_cast<std::size_t>(answer)]] + 1;
}

}  // extern "C"
