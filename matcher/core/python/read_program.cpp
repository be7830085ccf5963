// Reading checks each part of a program before it is used: its type, its range, and that it fits the predicates.
// Every failed check is the same `Malformed`, because Python finds the message (read_program.hpp).
#include "python/read_program.hpp"

#include <algorithm>
#include <string_view>

#include "data/words.hpp"

namespace nb = nanobind;

namespace hornbook {

namespace {

// Narrow a size without truncation; no input is that long, but the check is cheap.
std::uint32_t narrow(std::size_t size) {
    if (size > std::numeric_limits<std::int32_t>::max()) {
        throw Malformed();
    }
    return static_cast<std::uint32_t>(size);
}

// The items of a tuple or list, which this object keeps alive.
class Items {
public:
    explicit Items(nb::handle source) : sequence_(nb::steal(PySequence_Fast(source.ptr(), "a sequence is needed"))) {
        if (!sequence_.is_valid()) {
            PyErr_Clear();
            throw Malformed();
        }
    }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence_.ptr()));
    }
    nb::handle operator[](std::size_t place) const {
        return PySequence_Fast_GET_ITEM(sequence_.ptr(), static_cast<Py_ssize_t>(place));
    }

private:
    nb::object sequence_;
};


// An attribute with an interned name, for faster lookup.
class Name {
public:
    explicit Name(const char* name) : name_(PyUnicode_InternFromString(name)) {}
    // The attribute with this name.
    nb::object of(nb::handle source) const {
        PyObject* found = PyObject_GetAttr(source.ptr(), name_);
        if (found == nullptr) {
            PyErr_Clear();
            throw Malformed();
        }
        return nb::steal(found);
    }

private:
    PyObject* name_;
};

struct Names {
    Name id{"id"}, head{"head"}, body{"body"}, variables{"variables"}, index{"index"}, predicate{"predicate"},
        terms{"terms"}, op{"operator"}, left{"left"}, right{"right"}, set{"set"}, members{"members"},
        conditions{"conditions"}, result{"result"}, sets{"sets"}, width{"width"}, excluded{"excluded"},
        function{"function"}, operands{"operands"}, of{"of"}, count{"count"}, member{"member"}, key{"key"},
        as_written{"as_written"};
};

const Names& names() {
    static const Names names;
    return names;
}

// A Python integer of 64 bits.
Cell cell_of(nb::handle source) {
    if (!PyLong_Check(source.ptr())) {
        throw Malformed();
    }
    int overflow = 0;
    const long long cell = PyLong_AsLongLongAndOverflow(source.ptr(), &overflow);
    if (overflow != 0) {
        throw Malformed();
    }
    return cell;
}

// A Python text as UTF-8, valid as long as the object.
std::string_view text_of(nb::handle source) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(source.ptr()) ? PyUnicode_AsUTF8AndSize(source.ptr(), &size) : nullptr;
    if (text == nullptr) {
        PyErr_Clear();
        throw Malformed();
    }
    return {text, static_cast<std::size_t>(size)};
}

// The enumerator with the index that a word has in a table of words (data/words.hpp).
template <class Value, std::size_t N>
Value named(nb::handle source, const char* const (&words)[N]) {
    const auto found = std::find(std::begin(words), std::end(words), text_of(source));
    if (found == std::end(words)) {
        throw Malformed();
    }
    return static_cast<Value>(found - std::begin(words));
}

void require(bool holds) {
    if (!holds) {
        throw Malformed();
    }
}

// Whether an object is of exactly this class.
bool is_a(nb::handle source, const nb::object& type) {
    return reinterpret_cast<PyObject*>(Py_TYPE(source.ptr())) == type.ptr();
}

}  // namespace

const Classes& classes() {
    // Never freed: modules may be destroyed earlier at exit.
    static const Classes* all = [] {
        const nb::module_ program = nb::module_::import_("hornbook.matcher.program.coded");
        const auto get = [&](const char* name) { return nb::object(program.attr(name)); };
        return new Classes{get("Var"), get("Apply"), get("Call"), get("Match"), get("Compare"), get("AllOf"), get("CountOf"),
                           get("AggregateOf"), get("AbsentOf"), get("Fact"), get("SetPremise"), get("Derivation")};
    }();
    return *all;
}

PythonCalled::PythonCalled(nb::object function) : function_(std::move(function)), of_(names().of.of(function_)) {}

// The result for some cells, from the cache or from Python; false if there is none.
bool PythonCalled::call(const Cell* operands, std::size_t count, Cell& result) {
    asked_.assign(operands, operands + count);
    const auto found = known_.find(asked_);
    if (found != known_.end()) {
        result = found->second.value_or(0);
        return found->second.has_value();
    }
    const nb::gil_scoped_acquire python;
    nb::object given = of_(python_cells(operands, count));
    std::optional<Cell> value;
    if (!given.is_none()) {
        value = nb::cast<Cell>(given);
    }
    if (known_.size() >= MOST_KEPT) {
        known_.clear();
    }
    known_.emplace(asked_, value);
    result = value.value_or(0);
    return value.has_value();
}

PredicateId ProgramReader::predicate(nb::handle source) const {
    const Cell number = cell_of(source);
    require(number >= 0 && static_cast<std::uint64_t>(number) < engine_.facts().predicates());
    return engine_.facts().id_of(static_cast<std::size_t>(number));
}

Variable ProgramReader::variable(nb::handle source) const {
    require(is_a(source, classes().var));
    const Cell index = cell_of(names().index.of(source));
    require(index >= 0 && index < static_cast<Cell>(MOST_VARIABLES));
    return static_cast<Variable>(index);
}

// `variables`, here and below: one more than the greatest number of a variable until now. It grows.
Term ProgramReader::term(nb::handle source, std::uint32_t* variables) const {
    if (is_a(source, classes().var)) {
        const Variable index = variable(source);
        *variables = std::max(*variables, index + 1);
        return Term::variable(index);
    }
    return Term::cell(cell_of(source));
}

void ProgramReader::terms(nb::handle source, std::vector<Term>& result, std::uint32_t* variables) const {
    const Items items(source);
    for (std::size_t place = 0; place < items.size(); ++place) {
        result.push_back(term(items[place], variables));
    }
}

// Append an expression in postfix order. `depth` is its depth in the whole expression.
void ProgramReader::expression(nb::handle source, Expression& result, std::uint32_t* variables,
                               std::size_t depth) const {
    Instruction instruction;
    if (is_a(source, classes().apply)) {
        require(depth < MOST_CALCULATED);
        expression(names().left.of(source), result, variables, depth + 1);
        expression(names().right.of(source), result, variables, depth + 1);
        instruction.is_push = false;
        instruction.operation = named<Operator>(names().op.of(source), OPERATORS);
    } else if (is_a(source, classes().call)) {
        require(depth < MOST_CALCULATED);
        const Items operands(names().operands.of(source));
        require(operands.size() > 0 && operands.size() <= MOST_OPERANDS);
        for (std::size_t place = 0; place < operands.size(); ++place) {
            expression(operands[place], result, variables, depth + 1);
        }
        const nb::object function = names().function.of(source);
        std::unique_ptr<Called>& kept = engine_.functions()[function.ptr()];
        if (!kept) {
            kept = std::make_unique<PythonCalled>(function);
        }
        instruction = Instruction::call(*kept, static_cast<std::uint16_t>(operands.size()));
    } else {
        instruction.term = term(source, variables);
    }
    result.push_back(instruction);
}

// A closed set whose members have `width` cells after the key.
ClosedSet ProgramReader::closed_set(nb::handle source, std::size_t width, std::uint32_t* variables) const {
    ClosedSet set;
    set.count = predicate(names().count.of(source));
    set.member = predicate(names().member.of(source));
    terms(names().key.of(source), set.key, variables);
    const Predicate& count = relations_[set.count]->predicate;
    require(count.counts == static_cast<std::int32_t>(set.member) &&
            static_cast<std::int32_t>(set.key.size()) == count.key &&
            set.key.size() + width == relations_[set.member]->arity());
    return set;
}

void ProgramReader::read_body(nb::handle conditions, Body& body, std::uint32_t* variables, Room& room) const {
    const Items items(conditions);
    require(items.size() <= room.conditions);
    room.conditions -= items.size();
    body.conditions.reserve(items.size());
    for (std::size_t place = 0; place < items.size(); ++place) {
        read_condition(items[place], body, variables, room);
    }
}

// Read the conditions inside of another one.
void ProgramReader::read_inner(nb::handle conditions, Body& body, std::uint32_t* variables, Room& room) const {
    require(room.depth != 0);
    --room.depth;
    read_body(conditions, body, variables, room);
    ++room.depth;
}

void ProgramReader::read_condition(nb::handle source, Body& body, std::uint32_t* variables, Room& room) const {
    const Classes& all = classes();
    if (is_a(source, all.match)) {
        read_match(source, body, variables);
        return;
    }
    if (is_a(source, all.compare)) {
        read_comparison(source, body, variables);
        return;
    }
    Condition condition;
    Detail detail;
    if (is_a(source, all.all_of)) {
        condition.kind = Kind::ALL;
        read_variables(names().members.of(source), detail.variables, variables);
        detail.sets.push_back(closed_set(names().set.of(source), detail.variables.size(), variables));
        detail.inner.as_written = body.as_written;
        read_inner(names().conditions.of(source), detail.inner, variables, room);
    } else if (is_a(source, all.count_of)) {
        condition.kind = Kind::COUNT;
        read_count(source, detail, variables);
    } else if (is_a(source, all.aggregate_of)) {
        condition.kind = Kind::AGGREGATE;
        expression(names().result.of(source), detail.left, variables);
        detail.function = named<Function>(names().function.of(source), FUNCTIONS);
        read_variables(names().variables.of(source), detail.variables, variables);
        require(detail.function == Function::COUNT || detail.variables.size() == 1);
        detail.inner.as_written = body.as_written;
        read_inner(names().conditions.of(source), detail.inner, variables, room);
    } else if (is_a(source, all.absent_of)) {
        condition.kind = Kind::ABSENT;
        detail.inner.as_written = body.as_written;
        read_inner(names().conditions.of(source), detail.inner, variables, room);
    } else {
        throw Malformed();
    }
    body.append(condition, std::move(detail));
}

void ProgramReader::read_match(nb::handle source, Body& body, std::uint32_t* variables) const {
    Condition condition;
    condition.first = narrow(body.terms.size());
    condition.predicate = predicate(names().predicate.of(source));
    terms(names().terms.of(source), body.terms, variables);
    condition.count = narrow(body.terms.size()) - condition.first;
    require(condition.count == relations_[condition.predicate]->arity());
    body.conditions.push_back(condition);
}

// A comparison of two terms is stored like a match; one with arithmetic has a detail.
void ProgramReader::read_comparison(nb::handle source, Body& body, std::uint32_t* variables) const {
    Condition condition;
    condition.kind = Kind::COMPARE;
    condition.comparison = named<Comparison>(names().op.of(source), COMPARISONS);
    const nb::object left = names().left.of(source);
    const nb::object right = names().right.of(source);
    const auto is_calculated = [](nb::handle side) { return is_a(side, classes().apply) || is_a(side, classes().call); };
    if (is_calculated(left) || is_calculated(right)) {
        Detail detail;
        expression(left, detail.left, variables);
        expression(right, detail.right, variables);
        body.append(condition, std::move(detail));
        return;
    }
    condition.first = narrow(body.terms.size());
    condition.count = 2;
    body.terms.push_back(term(left, variables));
    body.terms.push_back(term(right, variables));
    body.conditions.push_back(condition);
}

void ProgramReader::read_count(nb::handle source, Detail& detail, std::uint32_t* variables) const {
    expression(names().result.of(source), detail.left, variables);
    const Cell width = cell_of(names().width.of(source));
    require(width >= 0 && width <= static_cast<Cell>(MOST_COLUMNS));
    detail.width = static_cast<std::uint32_t>(width);
    const nb::object sets = names().sets.of(source);
    const Items items(sets);
    for (std::size_t place = 0; place < items.size(); ++place) {
        detail.sets.push_back(closed_set(items[place], detail.width, variables));
    }
    terms(names().excluded.of(source), detail.excluded, variables);
    require(detail.excluded.empty() || detail.width == 1);
}

void ProgramReader::read_variables(nb::handle source, std::vector<Variable>& result, std::uint32_t* variables) const {
    const Items items(source);
    for (std::size_t place = 0; place < items.size(); ++place) {
        result.push_back(variable(items[place]));
        *variables = std::max(*variables, result.back() + 1);
    }
}

Rule ProgramReader::rule(nb::handle source) const {
    Rule rule;
    std::uint32_t variables = 0;
    const nb::object head = names().head.of(source);
    require(is_a(head, classes().match));
    rule.head = predicate(names().predicate.of(head));
    terms(names().terms.of(head), rule.head_terms, &variables);
    require(rule.head_terms.size() == relations_[rule.head]->arity());
    Room room;
    rule.body.as_written = names().as_written.of(source).is(nb::handle(Py_True));
    read_body(names().body.of(source), rule.body, &variables, room);
    const Cell declared = cell_of(names().variables.of(source));
    require(declared >= static_cast<Cell>(variables) && declared <= static_cast<Cell>(MOST_VARIABLES));
    rule.variables = static_cast<std::uint32_t>(declared);
    rule.seal();
    return rule;
}

Body ProgramReader::body(nb::handle conditions, std::uint32_t& variables) const {
    Body body;
    Room room;
    read_body(conditions, body, &variables, room);
    return body;
}

// `place`: for each predicate, the index of its part of the group, or NOTHING.
void ProgramReader::fact(nb::handle source, Group& rows, std::vector<std::int32_t>& place) const {
    const Items pair(source);
    require(pair.size() == 2);
    const PredicateId number = predicate(pair[0]);
    const Items cells(pair[1]);
    require(cells.size() == relations_[number]->arity());
    if (place[number] == NOTHING) {
        place[number] = static_cast<std::int32_t>(rows.size());
        rows.push_back({number, {}, 0});
    }
    Rows& part = rows[static_cast<std::size_t>(place[number])];
    for (std::size_t column = 0; column < cells.size(); ++column) {
        part.cells.push_back(cell_of(cells[column]));
    }
    ++part.count;
}

bool ProgramReader::named_rows(const nb::dict& source, const nb::dict& numbers, const nb::list& columns,
                               Group& group) const {
    for (const auto [name, rows] : source) {
        const nb::handle found = PyDict_GetItemWithError(numbers.ptr(), name.ptr());
        if (!found.is_valid()) {
            PyErr_Clear();
            return false;
        }
        const PredicateId id = predicate(found);
        PyObject* words = columns[nb::cast<std::size_t>(found)].ptr();
        require(PyTuple_CheckExact(words) && PyTuple_GET_SIZE(words) == static_cast<Py_ssize_t>(relations_[id]->arity()));
        const Items each(rows);
        group.push_back({id, {}, each.size()});
        group.back().cells.reserve(each.size() * relations_[id]->arity());
        for (std::size_t number = 0; number < each.size(); ++number) {
            if (!named_row(each[number].ptr(), words, group.back().cells)) {
                return false;
            }
        }
    }
    return true;
}

// Add the cells of a row; return false if a value is not known to fit.
bool ProgramReader::named_row(PyObject* values, PyObject* words, std::vector<Cell>& cells) {
    const Py_ssize_t width = PyTuple_GET_SIZE(words);
    if (!PyTuple_CheckExact(values) || PyTuple_GET_SIZE(values) != width) {
        return false;
    }
    for (Py_ssize_t column = 0; column < width; ++column) {
        PyObject* value = PyTuple_GET_ITEM(values, column);
        PyObject* known = PyTuple_GET_ITEM(words, column);
        PyObject* cell = known != Py_None            ? PyDict_GetItemWithError(known, value)
                         : PyLong_CheckExact(value) ? value
                                                    : nullptr;
        int overflow = 0;
        const long long read = cell == nullptr ? 0 : PyLong_AsLongLongAndOverflow(cell, &overflow);
        if (cell == nullptr || overflow != 0) {
            PyErr_Clear();
            return false;
        }
        cells.push_back(read);
    }
    return true;
}

std::optional<Fact> ProgramReader::fact(nb::handle source) const {
    try {
        Group rows;
        std::vector<std::int32_t> place(relations_.size(), NOTHING);
        fact(source, rows, place);
        return Fact{rows[0].predicate, std::move(rows[0].cells)};
    } catch (const Malformed&) {
        return std::nullopt;
    }
}

nb::tuple python_cells(const Cell* cells, std::size_t count) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(count));
    if (tuple == nullptr) {
        throw nb::python_error();
    }
    for (std::size_t place = 0; place < count; ++place) {
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(place), PyLong_FromLongLong(cells[place]));
    }
    return nb::steal<nb::tuple>(tuple);
}

// The fact is made as a tuple directly: calling its class takes several times as long.
nb::object python_fact(PredicateId predicate, const Cell* cells, std::size_t count) {
    const nb::tuple fields = nb::make_tuple(nb::make_tuple(predicate, python_cells(cells, count)));
    auto* const type = reinterpret_cast<PyTypeObject*>(classes().fact.ptr());
    PyObject* const made = PyTuple_Type.tp_new(type, fields.ptr(), nullptr);
    if (made == nullptr) {
        throw nb::python_error();
    }
    return nb::steal(made);
}

namespace {

nb::object fact_of(const Fact& fact) { return python_fact(fact.predicate, fact.cells.data(), fact.cells.size()); }

nb::object python_premise(const Premise& premise) {
    switch (premise.kind) {
        case Premise::Kind::NONE: return nb::none();
        case Premise::Kind::FACT: return fact_of(premise.fact);
        case Premise::Kind::SET: {
            nb::list members;
            for (const Premise::Member& member : premise.members) {
                members.append(nb::make_tuple(fact_of(member.fact), python_premises(member.premises)));
            }
            return classes().set_premise(fact_of(premise.fact), nb::tuple(members));
        }
        case Premise::Kind::SETS: return python_premises(premise.sets);
    }
    return nb::none();
}

}  // namespace

nb::object python_premises(const std::vector<Premise>& premises) {
    nb::list result;
    for (const Premise& premise : premises) {
        result.append(python_premise(premise));
    }
    return nb::tuple(result);
}

// The first `count` values, with None for those that are not known.
nb::tuple python_values(const std::vector<Cell>& values, const std::vector<bool>& known, std::size_t count) {
    nb::list result;
    for (std::size_t place = 0; place < count; ++place) {
        if (place < known.size() && known[place]) {
            result.append(values[place]);
        } else {
            result.append(nb::none());
        }
    }
    return nb::tuple(result);
}

}  // namespace hornbook
