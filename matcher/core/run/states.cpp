#include "run/states.hpp"

#include <algorithm>

namespace hornbook {

void States::add_rules(std::vector<Rule>&& rules, std::vector<RuleNumber>& numbers) {
    engine_.plans_.add(std::move(rules), numbers);
    numbers_ = engine_.plans_.with_helpers(numbers);
    engine_.plans_.arrange();
    engine_.saturation_.arrange();
    is_prepared_ = are_rules_chosen_ = false;
}

void States::add_facts(Group&& facts) {
    for (Rows& rows : facts) {
        shared_.push_back(std::move(rows));
    }
    is_prepared_ = false;
}

// Determine the varying predicates, which only become more, and the rules about them.
void States::find_varying(const StateBlock& block) {
    std::vector<bool> varies = varies_;
    varies.resize(engine_.relations().size());
    for (const auto* lists : {&block.given, &block.removed, &block.last}) {
        for (const StateRows& each : *lists) {
            varies[each.rows.predicate] = varies[each.rows.predicate] || each.rows.count != 0;
        }
    }
    for (bool is_more = !are_rules_chosen_ || varies != varies_; is_more;) {
        is_more = false;
        for (const RuleNumber number : numbers_) {
            const Rule& rule = engine_.plans_.rule(number);
            if (varies[rule.head]) {
                continue;
            }
            std::vector<PredicateId> read;
            mark_predicates(rule.body, read);
            if (std::any_of(read.begin(), read.end(), [&](PredicateId each) { return varies[each]; })) {
                varies[rule.head] = true;
                is_more = true;
            }
        }
    }
    const auto is_equal = [](const Rows& one, const Rows& other) {
        return one.predicate == other.predicate && one.cells == other.cells && one.count == other.count;
    };
    if (!std::equal(block.common.begin(), block.common.end(), common_.begin(), common_.end(), is_equal)) {
        common_ = block.common;
        is_prepared_ = false;
    }
    if (!are_rules_chosen_ || varies != varies_) {
        varies_ = std::move(varies);
        choose_rules(other_rules_, false);
        choose_rules(varying_rules_, true);
        are_rules_chosen_ = true;
        is_prepared_ = false;
    }
}

// Of the relations that a rule matches and no rule concludes: the one with the fewest facts expected, or null.
const Relation* States::needs_given(const Rule& rule) const {
    const auto& measures = engine_.plans_.statistics().measures;
    const Relation* found = nullptr;
    double fewest = std::numeric_limits<double>::infinity();
    for (const Condition& condition : rule.body.conditions) {
        if (condition.kind != Kind::MATCH || engine_.relations()[condition.predicate]->is_concluded) {
            continue;
        }
        const auto measure = measures.find(condition.predicate);
        const double rows = measure == measures.end() ? std::numeric_limits<double>::max() : measure->second.rows;
        if (rows < fewest) {
            fewest = rows;
            found = engine_.relations()[condition.predicate].get();
        }
    }
    return found;
}

// Choose the rules that conclude predicates which vary, or the others.
void States::choose_rules(RuleChoice& choice, bool varying) {
    choice.some = Trie();
    choice.trie = &choice.some;
    choice.guarded.clear();
    choice.heads.clear();
    const auto is_taken = [&](RuleNumber number) { return varies_[engine_.plans_.rule(number).head] == varying; };
    const bool are_all = std::all_of(numbers_.begin(), numbers_.end(), is_taken);
    for (const RuleNumber number : numbers_) {
        const Rule& rule = engine_.plans_.rule(number);
        if (!is_taken(number)) {
            continue;
        }
        if (rule.is_guarded) {
            choice.guarded.emplace_back(number, needs_given(rule));
        } else if (!are_all) {
            engine_.plans_.insert_whole(number, choice.some);
        }
        choice.heads.push_back(rule.head);
    }
    std::sort(choice.heads.begin(), choice.heads.end());
    choice.heads.erase(std::unique(choice.heads.begin(), choice.heads.end()), choice.heads.end());
    choice.some.settle(engine_.plans_.steps(), true);
    if (are_all) {
        choice.trie = &engine_.plans_.whole();
    }
}

// Evaluate some rules on the facts that are given, and check all constraints on some predicates.
template <class LoadLast>
void States::evaluate_rules(const RuleChoice& rules, const std::vector<PredicateId>& predicates, LoadLast&& load_last) {
    std::vector<RuleNumber> guarded;
    for (const auto& [number, needs] : rules.guarded) {
        if (needs == nullptr || needs->linked_count() != 0) {
            guarded.push_back(number);
        }
    }
    engine_.saturation_.begin_state(*rules.trie, guarded, rules.heads);
    engine_.saturation_.saturate();
    load_last();
    engine_.constraints_.check(predicates);
    engine_.facts_.check_bounds();
}

void States::prepare(const StateBlock& block) {
    find_varying(block);
    if (is_prepared_) {
        return;
    }
    std::vector<PredicateId> all, others;
    varying_.clear();
    for (PredicateId predicate = 0; predicate < engine_.relations().size(); ++predicate) {
        all.push_back(predicate);
        (varies_[predicate] ? varying_ : others).push_back(predicate);
    }
    engine_.clock.begin(engine_.facts_.bounds().seconds);
    engine_.saturation_.begin();
    engine_.facts_.end_state(all, {});
    engine_.facts_.begin_state();
    shared_varying_.clear();
    shared_cells_.clear();
    try {
        for (const Group* group : {&shared_, &common_}) {
            for (const Rows& rows : *group) {
                if (varies_[rows.predicate]) {
                    shared_varying_.push_back(rows);
                    const std::size_t arity = engine_.relations()[rows.predicate]->arity();
                    for (std::size_t row = 0; row < rows.count; ++row) {
                        const auto first = rows.cells.begin() + static_cast<std::ptrdiff_t>(row * arity);
                        shared_cells_[rows.predicate].emplace(first, first + static_cast<std::ptrdiff_t>(arity));
                    }
                } else {
                    engine_.saturation_.give_linked(rows, 0, rows.count);
                }
            }
        }
        evaluate_rules(other_rules_, others, [] {});
        counts_ = engine_.facts_.counts();
    } catch (...) {
        engine_.saturation_.forget();
        engine_.facts_.end_state(all, {});
        engine_.facts_.journal_states();
        throw;
    }
    engine_.facts_.journal_states();
    is_prepared_ = true;
}

void States::load(const StateBlock& block, std::size_t state) {
    for (const StateRows& each : block.given) {
        engine_.saturation_.give_linked(each.rows, each.begins[state], each.begins[state + 1],
                                        each.is_ascending ? &each.extent : nullptr);
    }
}

std::vector<Cell> States::cells_of(const StateRows& rows, std::size_t row) const {
    const std::size_t arity = engine_.relations()[rows.rows.predicate]->arity();
    const auto first = rows.rows.cells.begin() + static_cast<std::ptrdiff_t>(row * arity);
    return {first, first + static_cast<std::ptrdiff_t>(arity)};
}

// Add the facts that wait for all others. Rules that need one of them are then matched from it.
void States::load_last(const StateBlock& block, std::size_t state) {
    Group group;
    take_changes(block.last, state, group);
    engine_.saturation_.give(group);
    engine_.saturation_.saturate();
}

// Give a state its facts, found from its ancestors.
void States::load_whole(const StateBlock& block, std::size_t state) {
    std::vector<std::size_t> line{state};
    while (block.parent(line.back()) != NOTHING) {
        line.push_back(static_cast<std::size_t>(block.parent(line.back())));
    }
    std::map<PredicateId, std::vector<std::vector<Cell>>> found;
    for (auto one = line.rbegin(); one != line.rend(); ++one) {
        for (const StateRows& each : block.removed) {
            std::set<std::vector<Cell>> removed;
            for (std::size_t row = each.begins[*one]; row < each.begins[*one + 1]; ++row) {
                removed.insert(cells_of(each, row));
            }
            if (!removed.empty()) {
                std::erase_if(found[each.rows.predicate], [&](const auto& cells) { return removed.contains(cells); });
            }
        }
        for (const auto* rows : {&block.given, &block.last}) {
            for (const StateRows& each : *rows) {
                for (std::size_t row = each.begins[*one]; row < each.begins[*one + 1]; ++row) {
                    found[each.rows.predicate].push_back(cells_of(each, row));
                }
            }
        }
    }
    for (const auto& [predicate, facts] : found) {
        Rows rows;
        rows.predicate = predicate;
        rows.count = facts.size();
        for (const std::vector<Cell>& cells : facts) {
            rows.cells.insert(rows.cells.end(), cells.begin(), cells.end());
        }
        engine_.saturation_.give_linked(rows, 0, rows.count);
    }
}

namespace {

void append_facts(const std::vector<Premise>& premises, std::vector<Fact>& facts) {
    for (const Premise& premise : premises) {
        if (premise.kind == Premise::Kind::FACT || premise.kind == Premise::Kind::SET) {
            facts.push_back(premise.fact);
        }
        append_facts(premise.sets, facts);
        for (const Premise::Member& member : premise.members) {
            facts.push_back(member.fact);
            append_facts(member.premises, facts);
        }
    }
}

}  // namespace

// Take the facts of a predicate that have the least first cell among those with the same last cell.
void States::take_leading(std::size_t state, PredicateId predicate, std::vector<StateResults::Leading>& leading) {
    const Relation& relation = *engine_.relations()[predicate];
    std::map<Cell, Cell> least;  // by the last cell
    const auto each_row = [&](auto&& visit) {
        for (Row row = 0; row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                visit(row, relation.cells(row), relation.cells(row)[relation.arity() - 1]);
            }
        }
    };
    each_row([&](Row, const Cell* cells, Cell last) {
        const auto [place, is_new] = least.emplace(last, cells[0]);
        place->second = std::min(place->second, cells[0]);
    });
    if (least.empty()) {
        return;
    }
    std::uint64_t bytes = engine_.facts_.estimated_bytes();
    each_row([&](Row row, const Cell* cells, Cell last) {
        if (cells[0] != least.at(last)) {
            return;
        }
        StateResults::Leading& one = leading.emplace_back();
        one.state = state;
        one.fact = {engine_.facts_.number_of(predicate), {cells, cells + relation.arity()}};
        std::vector<Derivation> found;
        for (const RuleNumber number : engine_.plans_.concluding(predicate)) {
            if (engine_.derivations(number, predicate, row, View(), found, bytes, true)) {
                append_facts(found[0].premises, one.premises);
                break;
            }
        }
    });
}

void States::take_results(std::size_t state, const StateRequest& request, StateResults& results) {
    Rows answers;
    if (request.has_query) {
        if (query_ == nullptr) {
            query_ = std::make_unique<Query>(engine_, request.query, request.query_variables, request.queried);
        }
        answers = query_->answers();
        if (answers.count > request.most_answers) {
            answers.count = request.most_answers;
            answers.cells.resize(answers.count * request.queried.size());
        }
    }
    std::vector<StateResults::Explained> explained;
    for (const PredicateId predicate : request.explained) {
        const Relation& relation = *engine_.relations()[predicate];
        for (Row row = 0; row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                StateResults::Explained& one = explained.emplace_back();
                one.state = state;
                one.fact = {engine_.facts_.number_of(predicate),
                            {relation.cells(row), relation.cells(row) + relation.arity()}};
                one.derivations = engine_.derivations(predicate, row, std::nullopt, request.has_premises);
            }
        }
    }
    std::vector<StateResults::Leading> leading;
    for (const PredicateId predicate : request.leading) {
        take_leading(state, predicate, leading);
    }
    // Nothing fails from here on, except for a lack of memory.
    for (std::size_t place = 0; place < request.requested.size(); ++place) {
        const Relation& relation = *engine_.relations()[request.requested[place]];
        StateTable& table = results.tables[place];
        for (Row row = 0; row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                table.rows.cells.insert(table.rows.cells.end(), relation.cells(row), relation.cells(row) + relation.arity());
                table.states.push_back(static_cast<std::int64_t>(state));
                ++table.rows.count;
            }
        }
    }
    results.answers.rows.cells.insert(results.answers.rows.cells.end(), answers.cells.begin(), answers.cells.end());
    results.answers.rows.count += answers.count;
    results.answers.states.insert(results.answers.states.end(), answers.count, static_cast<std::int64_t>(state));
    std::move(explained.begin(), explained.end(), std::back_inserter(results.explained));
    std::move(leading.begin(), leading.end(), std::back_inserter(results.leading));
}

// Record the current exception as the fault of a state; others, such as an interrupt, end the evaluation.
void States::note_fault(std::size_t state, StateResults& results) {
    const std::exception_ptr fault = std::current_exception();
    const auto note = [&] { results.faults.emplace_back(state, fault); };
    try {
        throw;
    } catch (const KeyConflict&) {
        note();
    } catch (const OverfullSet&) {
        note();
    } catch (const Overflow&) {
        note();
    } catch (const TooLarge&) {
        note();
    } catch (const TooManyFacts&) {
        note();
    } catch (const TooManyBytes&) {
        note();
    } catch (const TooManySeconds&) {
        note();
    }
}

// Evaluate a state from its facts; it stays until the next one. Returns whether it has no fault.
bool States::evaluate_single(const StateBlock& block, std::size_t state, const StateRequest& request,
                            StateResults& results, bool is_staged, const std::function<void()>& load) {
    engine_.clock.begin(engine_.facts_.bounds().seconds);
    engine_.facts_.end_state(varying_, counts_);
    engine_.facts_.begin_state();
    bool is_right = true;
    try {
        for (const Rows& rows : shared_varying_) {
            engine_.saturation_.give_linked(rows, 0, rows.count);
        }
        load();
        evaluate_rules(varying_rules_, varying_, [&] {
            if (is_staged) {
                load_last(block, state);
            }
        });
        take_results(state, request, results);
    } catch (...) {
        engine_.saturation_.forget();
        engine_.facts_.end_state(varying_, counts_);
        engine_.facts_.journal_states();
        if (is_staged) {  // without the last facts there may be an overflow that the whole state has not
            return evaluate_single(block, state, request, results, false, [&] { load_whole(block, state); });
        }
        note_fault(state, results);
        is_right = false;
    }
    engine_.clock.end();
    engine_.facts_.journal_states();
    return is_right;
}

bool States::has_last(const StateBlock& block, std::size_t state) {
    return std::any_of(block.last.begin(), block.last.end(),
                       [&](const StateRows& each) { return each.begins[state] != each.begins[state + 1]; });
}

// The rows of a state as a group, without shared facts, which are in every state.
void States::take_changes(const std::vector<StateRows>& source, std::size_t state, Group& group) const {
    for (const StateRows& each : source) {
        const auto shared = shared_cells_.find(each.rows.predicate);
        Rows rows;
        rows.predicate = each.rows.predicate;
        for (std::size_t row = each.begins[state]; row < each.begins[state + 1]; ++row) {
            const std::vector<Cell> cells = cells_of(each, row);
            if (shared == shared_cells_.end() || !shared->second.contains(cells)) {
                rows.cells.insert(rows.cells.end(), cells.begin(), cells.end());
                ++rows.count;
            }
        }
        group.push_back(std::move(rows));
    }
}

// Change the state that the engine has to a child of it, until `pop`. Returns whether it has no fault.
bool States::change(const StateBlock& block, std::size_t state, const StateRequest& request, StateResults& results) {
    Group added, removed;
    take_changes(block.given, state, added);
    take_changes(block.last, state, added);
    take_changes(block.removed, state, removed);
    engine_.push();
    try {
        std::vector<RuleNumber> numbers;
        engine_.update(Update{{&added}, {&removed}, {}, {}}, numbers);
        engine_.clock.begin(engine_.facts_.bounds().seconds);
        take_results(state, request, results);
        engine_.clock.end();
        return true;
    } catch (...) {
        engine_.pop();
        note_fault(state, results);
        return false;
    }
}

StateResults States::evaluate(const StateBlock& block, const StateRequest& request) {
    query_.reset();
    StateResults results;
    results.tables.resize(request.requested.size());
    try {
        prepare(block);
    } catch (...) {
        // The facts that do not vary have a fault, so each state has it.
        for (std::size_t state = 0; state < block.states; ++state) {
            note_fault(state, results);
        }
        return results;
    }
    std::vector<std::size_t> path;   // the states that the engine has: a root, and a mark for each other one
    std::vector<std::size_t> later;  // the descendants of states with faults
    std::vector<bool> is_faulty(block.states);
    const auto leave = [&](std::size_t length) {
        while (path.size() > length) {
            if (path.size() > 1) {
                engine_.pop();
            }
            path.pop_back();
        }
    };
    try {
        for (std::size_t state = 0; state < block.states; ++state) {
            const std::int64_t parent = block.parent(state);
            if (parent == NOTHING) {
                leave(0);
                is_faulty[state] = !evaluate_single(block, state, request, results, has_last(block, state), [&] { load(block, state); });
                if (!is_faulty[state]) {
                    path.push_back(state);
                }
                continue;
            }
            if (is_faulty[static_cast<std::size_t>(parent)]) {
                is_faulty[state] = true;
                later.push_back(state);
                continue;
            }
            while (path.back() != static_cast<std::size_t>(parent)) {
                leave(path.size() - 1);
            }
            is_faulty[state] = !change(block, state, request, results);
            if (!is_faulty[state]) {
                path.push_back(state);
            }
        }
        leave(0);
        for (const std::size_t state : later) {
            evaluate_single(block, state, request, results, false, [&] { load_whole(block, state); });
        }
    } catch (...) {
        leave(0);
        query_.reset();
        throw;
    }
    query_.reset();
    return results;
}

}  // namespace hornbook
