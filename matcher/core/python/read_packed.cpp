#include "python/read_packed.hpp"

#include <algorithm>

#include "data/words.hpp"
#include "python/read_program.hpp"

namespace hornbook {

namespace {

// The first numbers of expressions and conditions, as in matcher/program/packed.py.
constexpr std::uint64_t CELL = 0, APPLY = 1, VARIABLE = 2;
enum class Form : std::uint8_t { MATCH, COMPARE, ALL, COUNT, AGGREGATE, ABSENT };

void require(bool holds) {
    if (!holds) {
        throw Malformed();
    }
}

bool is_term(const Expression& expression) { return expression.size() == 1; }

}  // namespace

std::uint64_t PackedReader::number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0;; shift += 7) {
        require(next_ != end_ && shift < 64);
        const std::uint64_t group = *next_++;
        require(shift < 63 || (group & 126U) == 0);
        result |= (group & 127U) << shift;
        if (group < 128) {
            return result;
        }
    }
}

std::size_t PackedReader::number(std::size_t most) {
    const std::uint64_t found = number();
    require(found <= most);
    return static_cast<std::size_t>(found);
}

// The enumerator with the index that follows in a table of words (data/words.hpp).
template <class Value, std::size_t N>
Value PackedReader::named(const char* const (&)[N]) {
    return static_cast<Value>(number(N - 1));
}

PredicateId PackedReader::predicate() {
    require(engine_.facts().predicates() != 0);
    return engine_.facts().id_of(number(engine_.facts().predicates() - 1));
}

Cell PackedReader::cell() {
    const std::uint64_t found = number();
    const std::uint64_t half = found >> 1U;
    return static_cast<Cell>((found & 1U) == 0 ? half : ~half);
}

// A variable by the number with which its expression begins.
Variable PackedReader::variable(std::size_t number) {
    require(number >= VARIABLE && number - VARIABLE < variables_);
    return static_cast<Variable>(number - VARIABLE);
}

Term PackedReader::term() {
    const std::size_t first = number(MOST_VARIABLES + VARIABLE);
    return first == CELL ? Term::cell(cell()) : Term::variable(variable(first));
}

void PackedReader::terms(std::vector<Term>& result) {
    const std::size_t count = number(MOST_COLUMNS);
    for (std::size_t place = 0; place < count; ++place) {
        result.push_back(term());
    }
}

void PackedReader::variables(std::vector<Variable>& result) {
    const std::size_t count = number(MOST_VARIABLES);
    for (std::size_t place = 0; place < count; ++place) {
        result.push_back(variable(number(MOST_VARIABLES + VARIABLE)));
    }
}

// Append an expression in postfix order.
void PackedReader::expression(Expression& result, std::size_t depth) {
    const std::size_t first = number(MOST_VARIABLES + VARIABLE);
    Instruction instruction;
    if (first == APPLY) {
        require(depth < MOST_CALCULATED);
        const auto operation = named<Operator>(OPERATORS);
        expression(result, depth + 1);
        expression(result, depth + 1);
        instruction.is_push = false;
        instruction.operation = operation;
    } else {
        instruction.term = first == CELL ? Term::cell(cell()) : Term::variable(variable(first));
    }
    result.push_back(instruction);
}

ClosedSet PackedReader::closed_set() {
    ClosedSet set;
    set.count = predicate();
    set.member = predicate();
    terms(set.key);
    return set;
}

// The members of a closed set have `width` cells after the key.
void PackedReader::require_width(const ClosedSet& set, std::size_t width) const {
    const Predicate& count = relations_[set.count]->predicate;
    require(count.counts == static_cast<std::int32_t>(set.member) &&
            static_cast<std::int32_t>(set.key.size()) == count.key &&
            set.key.size() + width == relations_[set.member]->arity());
}

void PackedReader::read_body(Body& body) {
    const std::size_t count = number(conditions_);
    conditions_ -= count;
    body.conditions.reserve(count);
    for (std::size_t place = 0; place < count; ++place) {
        read_condition(body);
    }
}

// Read the conditions inside of another one.
void PackedReader::read_inner(Body& body, bool as_written) {
    require(depth_ != 0);
    body.as_written = as_written;
    --depth_;
    read_body(body);
    ++depth_;
}

void PackedReader::read_condition(Body& body) {
    const auto form = static_cast<Form>(number(static_cast<std::size_t>(Form::ABSENT)));
    if (form == Form::MATCH) {
        read_match(body);
        return;
    }
    if (form == Form::COMPARE) {
        read_comparison(body);
        return;
    }
    Condition condition;
    Detail detail;
    switch (form) {
        case Form::ALL:
            condition.kind = Kind::ALL;
            detail.sets.push_back(closed_set());
            variables(detail.variables);
            require_width(detail.sets[0], detail.variables.size());
            read_inner(detail.inner, body.as_written);
            break;
        case Form::COUNT: {
            condition.kind = Kind::COUNT;
            expression(detail.left);
            const std::size_t count = number(MOST_CONDITIONS);
            for (std::size_t place = 0; place < count; ++place) {
                detail.sets.push_back(closed_set());
            }
            detail.width = static_cast<std::uint32_t>(number(MOST_COLUMNS));
            for (const ClosedSet& set : detail.sets) {
                require_width(set, detail.width);
            }
            terms(detail.excluded);
            require(detail.excluded.empty() || detail.width == 1);
            break;
        }
        case Form::AGGREGATE:
            condition.kind = Kind::AGGREGATE;
            expression(detail.left);
            detail.function = named<Function>(FUNCTIONS);
            variables(detail.variables);
            require(detail.function == Function::COUNT || detail.variables.size() == 1);
            read_inner(detail.inner, body.as_written);
            break;
        default:
            condition.kind = Kind::ABSENT;
            read_inner(detail.inner, body.as_written);
            break;
    }
    body.append(condition, std::move(detail));
}

void PackedReader::read_match(Body& body) {
    Condition condition;
    condition.first = static_cast<std::uint32_t>(body.terms.size());
    condition.predicate = predicate();
    terms(body.terms);
    condition.count = static_cast<std::uint32_t>(body.terms.size()) - condition.first;
    require(condition.count == relations_[condition.predicate]->arity());
    body.conditions.push_back(condition);
}

// A comparison of two terms is stored like a match; one with arithmetic has a detail.
void PackedReader::read_comparison(Body& body) {
    Condition condition;
    condition.kind = Kind::COMPARE;
    condition.comparison = named<Comparison>(COMPARISONS);
    Detail detail;
    expression(detail.left);
    expression(detail.right);
    if (!is_term(detail.left) || !is_term(detail.right)) {
        body.append(condition, std::move(detail));
        return;
    }
    condition.first = static_cast<std::uint32_t>(body.terms.size());
    condition.count = 2;
    body.terms.push_back(detail.left[0].term);
    body.terms.push_back(detail.right[0].term);
    body.conditions.push_back(condition);
}

Rule PackedReader::rule() {
    Rule rule;
    // The head has variables of the body, whose number follows.
    variables_ = static_cast<std::uint32_t>(MOST_VARIABLES);
    conditions_ = MOST_CONDITIONS;
    depth_ = MOST_NESTED;
    rule.head = predicate();
    terms(rule.head_terms);
    require(rule.head_terms.size() == relations_[rule.head]->arity());
    rule.variables = static_cast<std::uint32_t>(number(MOST_VARIABLES));
    variables_ = rule.variables;
    require(std::all_of(rule.head_terms.begin(), rule.head_terms.end(),
                        [&](const Term& each) { return !each.is_variable() || each.index() < variables_; }));
    rule.body.as_written = number(1) != 0;
    read_body(rule.body);
    rule.is_accepted = true;
    rule.seal();
    return rule;
}

}  // namespace hornbook
