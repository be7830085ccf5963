// Updates: given facts and rules change, strata are finished one after the other, and on a fault all is undone.
#include <algorithm>

#include "engine.hpp"

namespace hornbook {

// The estimate of matcher/bounds.py; derivations are found on request and cost nothing.
constexpr std::uint64_t FACT_BYTES = 200;
constexpr std::uint64_t CELL_BYTES = 8;

void Clock::begin(std::optional<double> seconds) {
    deadline_.reset();
    if (seconds) {
        deadline_ = Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(*seconds));
    }
}

void Clock::check() {
    if (deadline_ && Time::now() > *deadline_) {
        throw TooManySeconds();
    }
    if (is_interrupted && is_interrupted()) {
        throw Interrupted();
    }
}

// Sinks

class Engine::AddSink {
public:
    explicit AddSink(Engine& engine) : engine_(engine) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (engine_.is_removed_[terminal.rule]) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            engine_.find_head(terminal, slots);
            return false;
        }
        if (terminal.kind == Terminal::Kind::TRIGGER && terminal.is_finished) {
            engine_.suspect_heads(terminal, slots);
        }
        engine_.candidate(terminal.rule, engine_.projections_[terminal.binding], slots);
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { engine_.overflowed(code, place); }

private:
    Engine& engine_;
};

class Engine::DeleteSink {
public:
    explicit DeleteSink(Engine& engine) : engine_(engine) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (engine_.is_removed_[terminal.rule]) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            engine_.find_head(terminal, slots);
            return false;
        }
        engine_.suspect_heads(terminal, slots);
        if (terminal.kind == Terminal::Kind::TRIGGER && terminal.is_finished) {
            engine_.candidate(terminal.rule, engine_.projections_[terminal.binding], slots);
        }
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { engine_.overflowed(code, place); }

private:
    Engine& engine_;
};

class Engine::ProofSink {
public:
    ProofSink(Engine& engine, const View& view, const Cell* fact) : engine_(engine), view_(view), fact_(fact) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (engine_.is_removed_[terminal.rule]) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            return true;
        }
        const Rule& rule = *engine_.rules_[terminal.rule];
        Reader& reader = engine_.reader_;
        reader.begin(rule.variables);
        reader.view = view_;
        const std::vector<Term>& binding = engine_.projections_[terminal.binding];
        for (Variable variable = 0; variable < rule.variables; ++variable) {
            if (binding[variable].kind != Term::Kind::NONE) {
                reader.values[variable] = value(binding[variable], slots);
            }
        }
        const Conjunction& body = *engine_.guarded_.at(terminal.rule).candidate;
        return engine_.read(terminal.rule, body, Profile::Reading::CANDIDATE, [&](bool overflowed) {
            if (overflowed) {
                engine_.stratum_of(rule.head).overflowed.push_back(terminal.rule);
                return false;
            }
            for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
                if (value(rule.head_terms[column], reader.values.data()) != fact_[column]) {
                    return false;
                }
            }
            return true;
        });
    }
    void overflowed(const Code& code, std::uint32_t place) { engine_.overflowed(code, place); }

private:
    Engine& engine_;
    const View& view_;
    const Cell* fact_;
};

// Walks and readings, counted where that is asked for

template <class Sink>
bool Engine::walk(const Trie& trie, const View& view, Sink& sink) {
    if (is_counted_) {
        const TrieMeter meter(*profile_, profile_->of(trie, trie.tree().size()));
        Walk walk(trie, slots_.data(), view, clock, sink, meter);
        return walk.from_root();
    }
    Walk walk(trie, slots_.data(), view, clock, sink);
    return walk.from_root();
}

template <class Found>
bool Engine::read(RuleNumber number, const Conjunction& body, Profile::Reading reading, Found&& found) {
    if (is_counted_) {
        BodyCounts& counts = profile_->of(number, reading, body.join.size(), body.residuals.size());
        return reader_.solve(body, found, BodyMeter(*profile_, counts));
    }
    return reader_.solve(body, found);
}

// Single changes, each noted in the journal

void Engine::set_support(PredicateId predicate, Row row, std::uint32_t support) {
    Relation& relation = *relations_[predicate];
    const std::uint32_t old = relation.support(row);
    if (row < fresh_from_[predicate]) {
        journal_.note(Journal::Event::SUPPORT, predicate, row, old);
    }
    relation.support(row) = support;
    relation.count_facts(old != 0, support != 0);
    if ((old == 0) != (support == 0) && !relation.is_hidden) {
        const std::uint64_t bytes = FACT_BYTES + CELL_BYTES * relation.arity();
        if (old == 0) {
            estimated_bytes_ += bytes;
            if (++facts_ > most_facts_) {
                throw TooManyFacts();
            }
            if (estimated_bytes_ > most_bytes_) {
                throw TooManyBytes();
            }
        } else {
            estimated_bytes_ -= bytes;
            --facts_;
        }
    }
}

void Engine::set_birth(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.is_ranked()) {
        if (row < fresh_from_[predicate]) {
            journal_.note(Journal::Event::BIRTH, predicate, row, relation.birth[row]);
        }
        relation.birth[row] = ++births_;
    }
}

void Engine::link(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (journal_.is_on() && (relation.flags(row) & Relation::WAS_UNLINKED) != 0) {
        const auto indexes = static_cast<std::uint32_t>(relation.indexes());
        for (std::uint32_t index = 0; index < indexes; ++index) {
            journal_.keep(relation.index(index).neighbours(row));
        }
        journal_.note(Journal::Event::RELINKED, predicate, row, indexes);
    } else {
        journal_.note(Journal::Event::LINKED, predicate, row);
    }
    relation.link(row);
    note_change(predicate, row, true);
}

void Engine::unlink(PredicateId predicate, Row row) {
    journal_.note(Journal::Event::UNLINKED, predicate, row);
    relations_[predicate]->unlink(row);
    note_change(predicate, row, false);
}

Engine::Stratum& Engine::stratum_of(PredicateId predicate) {
    Stratum& stratum = strata_[dependencies_.component(predicate)];
    stratum.is_active = true;
    return stratum;
}

void Engine::to_add(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & (Relation::TO_ADD | Relation::LINKED)) == 0) {
        flags |= Relation::TO_ADD;
        stratum_of(predicate).to_add.emplace_back(predicate, row);
    }
}

void Engine::to_delete(PredicateId predicate, Row row) {
    std::uint8_t& flags = relations_[predicate]->flags(row);
    if ((flags & Relation::TO_DELETE) == 0 && (flags & Relation::LINKED) != 0) {
        flags |= Relation::TO_DELETE;
        stratum_of(predicate).to_delete.emplace_back(predicate, row);
    }
}

void Engine::suspect(PredicateId predicate, Row row) {
    Relation& relation = *relations_[predicate];
    if (relation.support(row) == 1 && (relation.flags(row) & Relation::SUSPECT) == 0) {
        relation.flags(row) |= Relation::SUSPECT;
        stratum_of(predicate).suspects.emplace_back(predicate, row);
    }
}

// The conditions of a guarded rule may no longer hold: whatever it may have concluded is to be proved anew.
void Engine::suspect_heads(const Terminal& terminal, const Cell* slots) {
    Relation& relation = *relations_[terminal.predicate];
    const std::vector<Term>& head = projections_[terminal.head];
    std::vector<std::uint32_t> columns;
    std::vector<Cell> key;
    for (std::uint32_t column = 0; column < head.size(); ++column) {
        if (static_cast<std::int32_t>(column) == terminal.constant_column) {
            columns.push_back(column);
            key.push_back(terminal.constant);
        } else if (head[column].kind != Term::Kind::NONE) {
            columns.push_back(column);
            key.push_back(value(head[column], slots));
        }
    }
    if (columns.size() == head.size()) {
        const Row row = relation.find(key.data());
        if (row != NO_ROW) {
            suspect(terminal.predicate, row);
        }
        return;
    }
    const Index& index = relation.index(relation.index_on(columns));
    for (Row row = index.first(key.data()); row != NO_ROW; row = index.next(row)) {
        clock.spend();
        suspect(terminal.predicate, row);
    }
}

void Engine::candidate(RuleNumber number, const std::vector<Term>& binding, const Cell* slots) {
    Stratum& stratum = stratum_of(rules_[number]->head);
    if (std::find(stratum.whole.begin(), stratum.whole.end(), number) != stratum.whole.end()) {
        return;  // it will be read from the beginning
    }
    stratum.candidates.push_back(number);
    for (const Term& term : binding) {
        stratum.candidates.push_back(term.kind == Term::Kind::NONE ? 0 : value(term, slots));
    }
}

void Engine::overflowed(const Code& code, std::uint32_t place) {
    for (std::uint32_t below = place; below != code[place].end; ++below) {
        const Op& op = code[below];
        for (std::uint32_t number = op.terminal; number != op.terminal + op.terminals; ++number) {
            const RuleNumber rule = code.terminal(number).rule;
            if (!is_removed_[rule]) {
                std::vector<RuleNumber>& overflowed = stratum_of(rules_[rule]->head).overflowed;
                if (std::find(overflowed.begin(), overflowed.end(), rule) == overflowed.end()) {
                    overflowed.push_back(rule);
                }
            }
        }
    }
}

void Engine::find_head(const Terminal& terminal, const Cell* slots) {
    constexpr std::size_t MOST = 128;
    const auto first = static_cast<std::uint32_t>(heads_cells_.size());
    const PredicateId predicate = terminal.predicate;
    for (const Term& term : projections_[terminal.head]) {
        heads_cells_.push_back(value(term, slots));
    }
    if (terminal.constant_column != NOTHING) {
        heads_cells_[first + static_cast<std::uint32_t>(terminal.constant_column)] = terminal.constant;
    }
    const Cell* cells = heads_cells_.data() + first;
    const Relation& relation = *relations_[predicate];
    const std::uint64_t hash = relation.hash(cells);
    relation.prefetch_slot(cells, hash);
    heads_.push_back({predicate, first, hash});
    if (heads_.size() == MOST) {
        flush_heads();
    }
}

void Engine::flush_heads() {
    if (is_counted_ && !heads_.empty()) {
        const Profile::Timed timed(*profile_, profile_->storing);
        store_heads();
    } else {
        store_heads();
    }
}

void Engine::store_heads() {
    for (const FoundHead& each : heads_) {
        relations_[each.predicate]->prefetch_row(heads_cells_.data() + each.first, each.hash);
    }
    for (const FoundHead& each : heads_) {
        const Cell* cells = heads_cells_.data() + each.first;
        if (heads_are_lost_) {
            lose(each.predicate, cells, each.hash);
        } else {
            derive(each.predicate, cells, each.hash);
        }
    }
    heads_.clear();
    heads_cells_.clear();
}

// One more instance derives a fact.
void Engine::derive(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const auto [row, is_new] = relation.insert(cells, hash);
    const bool is_checked = dependencies_.is_checked(predicate);
    if (is_new) {
        journal_.note(Journal::Event::INSERTED, predicate, row);
    } else if (is_checked && (relation.support(row) & ~Relation::GIVEN) != 0) {
        return;
    }
    const std::uint32_t old = relation.support(row);
    if (old == 0 && relation.is_linked(row) && dependencies_.is_recursive(predicate)) {
        // It is about to be deleted, and may be a premise of this instance itself. Whether it follows all the
        // same is asked once it is gone.
        return;
    }
    set_support(predicate, row, old + 1);
    if (old == 0) {
        set_birth(predicate, row);
        if (!reading_[predicate].empty()) {
            to_add(predicate, row);
        } else if (!relation.is_linked(row)) {  // nobody waits for it
            link(predicate, row);
        }
    }
}

// One instance less derives a fact.
void Engine::lose(PredicateId predicate, const Cell* cells, std::uint64_t hash) {
    Relation& relation = *relations_[predicate];
    const Row row = relation.find(cells, hash);
    if (row == NO_ROW || (relation.support(row) & ~Relation::GIVEN) == 0) {
        return;
    }
    if (dependencies_.is_checked(predicate)) {
        suspect(predicate, row);
        return;
    }
    const std::uint32_t support = relation.support(row) - 1;
    set_support(predicate, row, support);
    if (support == 0 && !reading_[predicate].empty()) {
        to_delete(predicate, row);
    } else if (support == 0 && relation.is_linked(row)) {
        unlink(predicate, row);
    }
}

// Updates

std::shared_ptr<Change> Engine::update(Update&& update, std::vector<RuleNumber>& numbers) {
    keep_last_change();
    clock.begin(bounds_.seconds);
    const Profile::Run run(is_counted_ ? profile_.get() : nullptr);
    const std::size_t begin = journal_.size();
    const std::uint64_t births = births_;
    constexpr std::uint64_t NO_BOUND = std::numeric_limits<std::uint64_t>::max();
    most_facts_ = bounds_.facts ? *bounds_.facts + facts_ : NO_BOUND;
    most_bytes_ = bounds_.bytes ? *bounds_.bytes + estimated_bytes_ : NO_BOUND;
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        fresh_from_[predicate] = relations_[predicate]->size();
    }
    needs_recompute_ = false;
    begin_changes();
    std::vector<RuleNumber> removed;
    try {
        for (const RuleNumber number : with_helpers(update.remove_rules)) {
            remove_rule(number);
            removed.push_back(number);
        }
        add_rules(std::move(update.add_rules), numbers);
        whole_.settle(steps_, is_counted_);
        arrange();
        std::size_t changes = 0;
        for (const auto* rows : {&update.add, &update.retract}) {
            for (const Rows& each : *rows) {
                changes += each.count;
            }
        }
        std::size_t linked = 0;
        for (const auto& relation : relations_) {
            linked += relation->linked_count();
        }
        // Where most facts change, nearly everything is found anew in any case.
        needs_recompute_ = needs_recompute_ || 2 * changes > linked;
        journal_.switch_on(facts_ != 0 || !marks_.empty());
        if (!needs_recompute_) {
            for (const RuleNumber number : removed) {
                lose_whole(number);
            }
            begin_rules(with_helpers(numbers));
        }
        change_given(update);
        if (needs_recompute_) {
            recompute();
        }
        saturate();
        check_promises(begin);
        if ((bounds_.facts && facts_ > *bounds_.facts)) {
            throw TooManyFacts();
        }
        if (bounds_.bytes && estimated_bytes_ > *bounds_.bytes) {
            throw TooManyBytes();
        }
    } catch (...) {
        forget_queues();
        if (journal_.is_on()) {
            roll_back(begin);
        } else {
            for (const auto& relation : relations_) {
                relation->clear();
            }
            facts_ = 0;
            estimated_bytes_ = 0;
            journal_.switch_on(true);
        }
        births_ = births;
        for (const RuleNumber number : removed) {
            restore_rule(number);
        }
        for (const RuleNumber number : with_helpers(numbers)) {
            discard_rule(number);
        }
        dependencies_.arrange(relations_.size());
        strata_.clear();
        strata_.resize(dependencies_.size());
        throw;
    }
    std::shared_ptr<Change> change = changes();
    commit();
    for (const RuleNumber number : removed) {
        drop_rule(number);
    }
    rebuild_tries();
    journal_.switch_on(true);
    last_change_ = change;
    return change;
}

// Given facts that come and go: what is both retracted and added is given afterwards.
void Engine::change_given(const Update& update) {
    for (const Rows& rows : update.retract) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            const Row row = relation.find(rows.cells.data() + place * relation.arity());
            if (row == NO_ROW || !relation.is_given(row)) {
                continue;
            }
            const std::uint32_t support = relation.support(row) & ~Relation::GIVEN;
            set_support(rows.predicate, row, support);
            if (support == 0) {
                to_delete(rows.predicate, row);
            } else if (dependencies_.is_checked(rows.predicate)) {
                suspect(rows.predicate, row);
            }
        }
    }
    for (const Rows& rows : update.add) {
        Relation& relation = *relations_[rows.predicate];
        for (std::size_t place = 0; place < rows.count; ++place) {
            clock.spend();
            const auto [row, is_new] = relation.insert(rows.cells.data() + place * relation.arity());
            if (is_new) {
                journal_.note(Journal::Event::INSERTED, rows.predicate, row);
            }
            const std::uint32_t old = relation.support(row);
            if ((old & Relation::GIVEN) != 0) {
                continue;
            }
            set_support(rows.predicate, row, old | Relation::GIVEN);
            if (old == 0) {
                if (!relation.is_linked(row)) {
                    set_birth(rows.predicate, row);
                }
                to_add(rows.predicate, row);
            }
        }
    }
}

// Everything that is derived is found anew from the given facts.
void Engine::recompute() {
    forget_queues();
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        Relation& relation = *relations_[predicate];
        const Row size = relation.size();
        for (Row row = 0; row < size; ++row) {
            const std::uint32_t support = relation.support(row);
            if (support == 0 && !relation.is_linked(row)) {
                continue;
            }
            clock.spend();
            const std::uint32_t given = support & Relation::GIVEN;
            if (given != support) {
                set_support(predicate, row, given);
            }
            if (given == 0) {
                if (relation.is_linked(row)) {
                    unlink(predicate, row);
                }
                continue;
            }
            set_birth(predicate, row);
            if (!relation.is_linked(row)) {
                link(predicate, row);
            }
        }
    }
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    const View view;
    AddSink sink(*this);
    walk(whole_, view, sink);
    flush_heads();
    for (RuleNumber number = 0; number < rules_.size(); ++number) {
        if (rules_[number]->is_guarded && is_removed_[number] == 0) {
            stratum_of(rules_[number]->head).whole.push_back(number);
        }
    }
}

void Engine::saturate() {
    for (std::uint32_t stratum = 0; stratum < strata_.size(); ++stratum) {
        if (strata_[stratum].is_active) {
            delete_phase(stratum);
            add_phase(stratum);
            review(stratum);
            strata_[stratum].is_active = false;
        }
    }
}

// Whether a queue goes on; heads that were found may be about to join it.
bool Engine::has_more(const Queue& queue, std::size_t next) {
    if (next == queue.size()) {
        flush_heads();
    }
    return next < queue.size();
}

void Engine::delete_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    heads_are_lost_ = true;
    for (;;) {
        while (has_more(stratum.to_delete, 0)) {
            const auto [predicate, row] = stratum.to_delete.back();
            clock.spend();
            stratum.to_delete.pop_back();
            Relation& relation = *relations_[predicate];
            relation.flags(row) &= static_cast<std::uint8_t>(~Relation::TO_DELETE);
            if (relation.support(row) != 0 || !relation.is_linked(row)) {
                continue;
            }
            const Trie& trie = delta(predicate);
            std::copy(relation.cells(row), relation.cells(row) + relation.arity(), slots_.data());
            View view;
            view.seed = row;
            DeleteSink sink(*this);
            walk(trie, view, sink);
            unlink(predicate, row);
            if (dependencies_.is_recursive(predicate)) {
                stratum.deleted.emplace_back(predicate, row);
            }
        }
        if (stratum.suspects.empty()) {
            break;
        }
        const auto [predicate, row] = stratum.suspects.back();
        stratum.suspects.pop_back();
        Relation& relation = *relations_[predicate];
        relation.flags(row) &= static_cast<std::uint8_t>(~Relation::SUSPECT);
        if (relation.support(row) != 1 || is_proved(predicate, row, true)) {
            continue;
        }
        set_support(predicate, row, 0);
        to_delete(predicate, row);
        if (!relation.is_linked(row) && dependencies_.is_recursive(predicate)) {
            stratum.deleted.emplace_back(predicate, row);
        }
    }
    heads_are_lost_ = false;
    // What was deleted because its proof circled or is gone may follow in another way.
    for (const auto& [predicate, row] : stratum.deleted) {
        if (relations_[predicate]->support(row) == 0 && is_proved(predicate, row, false)) {
            set_support(predicate, row, 1);
            set_birth(predicate, row);
            to_add(predicate, row);
        }
    }
    stratum.deleted.clear();
}

void Engine::add_phase(std::uint32_t number) {
    Stratum& stratum = strata_[number];
    std::vector<RuleNumber> whole;
    whole.swap(stratum.whole);
    for (const RuleNumber rule : whole) {
        if (is_removed_[rule] == 0) {
            read_whole(rule);
        }
    }
    constexpr std::size_t FORGOTTEN = 4096;  // places that may stay in front of the queue
    std::size_t next = 0;
    std::vector<Cell> candidates;
    while (has_more(stratum.to_add, next) || !stratum.candidates.empty()) {
        while (has_more(stratum.to_add, next)) {
            if (next > FORGOTTEN && 2 * next > stratum.to_add.size()) {
                stratum.to_add.erase(stratum.to_add.begin(), stratum.to_add.begin() + static_cast<std::ptrdiff_t>(next));
                next = 0;
            }
            const auto [predicate, row] = stratum.to_add[next++];
            clock.spend();
            Relation& relation = *relations_[predicate];
            relation.flags(row) &= static_cast<std::uint8_t>(~Relation::TO_ADD);
            if (relation.support(row) == 0 || relation.is_linked(row)) {
                continue;
            }
            link(predicate, row);
            const Trie& trie = delta(predicate);
            std::copy(relation.cells(row), relation.cells(row) + relation.arity(), slots_.data());
            View view;
            view.seed = row;
            AddSink sink(*this);
            walk(trie, view, sink);
        }
        candidates.clear();
        candidates.swap(stratum.candidates);
        for (std::size_t place = 0; place < candidates.size();) {
            const Cell* one = candidates.data() + place;
            read_candidate(one);
            place += 1 + rules_[static_cast<RuleNumber>(*one)]->variables;
        }
    }
    stratum.to_add.clear();
}

// A rule that overflowed somewhere is read once more: no instance may overflow in a finished stratum.
void Engine::review(std::uint32_t number) {
    std::vector<RuleNumber> overflowed;
    overflowed.swap(strata_[number].overflowed);
    std::sort(overflowed.begin(), overflowed.end());
    overflowed.erase(std::unique(overflowed.begin(), overflowed.end()), overflowed.end());
    for (const RuleNumber rule : overflowed) {
        if (is_removed_[rule] != 0) {
            continue;
        }
        const Conjunction& body = conjunction(rule);
        reader_.begin(rules_[rule]->variables);
        reader_.view = View();
        reader_.solve(body, [&](bool is_unknown) {
            if (is_unknown) {
                throw reader_.overflow(body, rule);
            }
            return false;
        });
    }
}

// Whether some rule derives a fact; `founded`: from what was born before it.
bool Engine::is_proved(PredicateId predicate, Row row, bool founded) {
    Relation& relation = *relations_[predicate];
    const Trie& trie = backward(predicate);
    const View view = founded ? founded_view(predicate, row) : View();
    const std::vector<Cell> fact(relation.cells(row), relation.cells(row) + relation.arity());
    std::copy(fact.begin(), fact.end(), slots_.data());
    ProofSink sink(*this, view, fact.data());
    return walk(trie, view, sink);
}

View Engine::founded_view(PredicateId predicate, Row row) const {
    View view;
    if (dependencies_.is_recursive(predicate)) {
        view.born_before = relations_[predicate]->birth[row];
        view.components = &dependencies_.components();
        view.component = dependencies_.component(predicate);
    }
    return view;
}

// Read a guarded rule from the beginning.
void Engine::read_whole(RuleNumber number) {
    const Rule& rule = *rules_[number];
    const Conjunction& body = conjunction(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    read(number, body, Profile::Reading::WHOLE, [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

// Read a guarded rule where its matches were found to hold.
void Engine::read_candidate(const Cell* candidate) {
    const auto number = static_cast<RuleNumber>(candidate[0]);
    const Rule& rule = *rules_[number];
    if (is_removed_[number] != 0) {
        return;
    }
    const Conjunction& body = *guarded_.at(number).candidate;
    reader_.begin(rule.variables);
    reader_.view = View();
    std::copy(candidate + 1, candidate + 1 + rule.variables, reader_.values.begin());
    read(number, body, Profile::Reading::CANDIDATE,
         [&](bool is_unknown) { return take_instance(number, is_unknown); });
}

bool Engine::take_instance(RuleNumber number, bool is_unknown) {
    const Rule& rule = *rules_[number];
    if (is_unknown) {
        stratum_of(rule.head).overflowed.push_back(number);
        return false;
    }
    for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
        head_[column] = value(rule.head_terms[column], reader_.values.data());
    }
    derive(rule.head, head_.data(), 0);
    return false;
}

// Rules that come and go

void Engine::remove_rule(RuleNumber number) {
    is_removed_[number] = 1;
    dependencies_.remove(*rules_[number]);
}

void Engine::restore_rule(RuleNumber number) {
    is_removed_[number] = 0;
    dependencies_.add(*rules_[number]);
}

// A rule that is gone for good; its terminals stay in the tries until these are made anew.
void Engine::drop_rule(RuleNumber number) {
    guarded_.erase(number);
    conjunctions_.erase(number);
    proofs_.erase(number);
    if (relations_[rules_[number]->head]->is_hidden) {
        spare_.push_back(rules_[number]->head);
    }
    rules_[number] = std::make_unique<Rule>();
    is_removed_[number] = 1;
    rules_[number]->is_gone = true;
    ++dead_rules_;
}

void Engine::discard_rule(RuleNumber number) {
    dependencies_.remove(*rules_[number]);
    drop_rule(number);
}

// What a rule that was removed derived has one instance less.
void Engine::lose_whole(RuleNumber number) {
    const Rule& rule = *rules_[number];
    const Conjunction& body = conjunction(number);
    reader_.begin(rule.variables);
    reader_.view = View();
    reader_.solve(body, [&](bool is_unknown) {
        if (!is_unknown) {
            for (std::size_t column = 0; column < rule.head_terms.size(); ++column) {
                head_[column] = value(rule.head_terms[column], reader_.values.data());
            }
            lose(rule.head, head_.data(), 0);
        }
        return false;
    });
}

// What new rules derive from the facts as they are before the update.
void Engine::begin_rules(const std::vector<RuleNumber>& numbers) {
    Trie batch;
    for (const RuleNumber number : numbers) {
        if (rules_[number]->is_guarded) {
            stratum_of(rules_[number]->head).whole.push_back(number);
        } else if (facts_ != 0 || std::none_of(rules_[number]->body.conditions.begin(), rules_[number]->body.conditions.end(),
                                                [](const Condition& each) { return each.kind == Kind::MATCH; })) {
            insert_whole(number, batch);
        }
    }
    batch.settle(steps_);
    if (slots_.size() < most_slots_) {
        slots_.resize(most_slots_);
    }
    const View view;
    AddSink sink(*this);
    Walk walk(batch, slots_.data(), view, clock, sink);
    walk.from_root();
    flush_heads();
}

// Promises

void Engine::check_promises(std::size_t from) {
    const auto fact_of = [&](PredicateId predicate, Row row) {
        const Relation& relation = *relations_[predicate];
        return Fact{number_of(predicate), {relation.cells(row), relation.cells(row) + relation.arity()}};
    };
    const auto width_of = [&](PredicateId predicate) { return static_cast<std::size_t>(relations_[predicate]->predicate.key); };
    // Calls `take(row)` for the linked rows that begin with a key, until one call returns true.
    const auto with_key = [&](PredicateId predicate, std::uint32_t index, std::size_t width, const Cell* key, auto&& take) {
        const Relation& relation = *relations_[predicate];
        for (Row row = relation.index(index).first(key); row != NO_ROW; row = relation.index(index).next(row)) {
            if (std::equal(key, key + width, relation.cells(row)) && take(row)) {
                return;
            }
        }
    };
    const auto check_count = [&](PredicateId counting, Row count) {
        const Relation& relation = *relations_[counting];
        const std::size_t width = width_of(counting);
        std::size_t members = 0;
        with_key(static_cast<PredicateId>(relation.predicate.counts), promises_[counting].members_index, width,
                 relation.cells(count), [&](Row) {
                     ++members;
                     return false;
                 });
        if (static_cast<Cell>(members) > relation.cells(count)[width]) {
            throw OverfullSet{fact_of(counting, count), members};
        }
    };
    const auto check = [&](PredicateId predicate, Row row) {
        const Relation& relation = *relations_[predicate];
        clock.spend();
        const Cell* cells = relation.cells(row);
        if (relation.predicate.key != NOTHING) {
            with_key(predicate, promises_[predicate].key_index, width_of(predicate), cells, [&](Row other) {
                if (other != row) {
                    throw KeyConflict{fact_of(predicate, row), fact_of(predicate, other)};
                }
                return false;
            });
            if (relation.predicate.counts != NOTHING) {
                check_count(predicate, row);
            }
        }
        for (const PredicateId counting : promises_[predicate].counted_by) {
            // The member that was linked last stands first: one look a set is enough.
            Row first = NO_ROW;
            with_key(predicate, promises_[counting].members_index, width_of(counting), cells, [&](Row other) {
                first = other;
                return true;
            });
            if (first == row) {
                with_key(counting, promises_[counting].key_index, width_of(counting), cells, [&](Row count) {
                    check_count(counting, count);
                    return false;
                });
            }
        }
    };
    const auto is_promised = [&](PredicateId predicate) {
        return relations_[predicate]->predicate.key != NOTHING || !promises_[predicate].counted_by.empty();
    };
    for (PredicateId predicate = 0; !journal_.is_on() && predicate < relations_.size(); ++predicate) {
        for (Row row = 0; is_promised(predicate) && row < relations_[predicate]->size(); ++row) {
            if (relations_[predicate]->is_linked(row)) {
                check(predicate, row);
            }
        }
    }
    for (std::size_t place = from; place < journal_.size(); ++place) {
        const Journal::Entry entry = journal_.at(place);
        if ((entry.event == Journal::Event::LINKED || entry.event == Journal::Event::RELINKED) &&
            is_promised(entry.predicate) && relations_[entry.predicate]->is_linked(entry.row)) {
            check(entry.predicate, entry.row);
        }
    }
}

// The journal

// What the update does to a row that is linked or unlinked now; often nothing is left of it at the end.
void Engine::note_change(PredicateId predicate, Row row, bool is_linked) {
    Relation& relation = *relations_[predicate];
    if (!journal_.is_on() || relation.is_hidden) {
        return;
    }
    Relation::Header& header = relation.header(row);
    if (header.epoch == epoch_) {
        header.change ^= CANCELLED;
        has_cancelled_ = true;
        return;
    }
    header.epoch = epoch_;
    header.change = is_linked ? ADDED : REMOVED;
    std::int32_t& place = part_of_[predicate];
    if (place == NOTHING) {
        place = static_cast<std::int32_t>(changing_->parts.size());
        changing_->parts.push_back({predicate, number_of(predicate), false, 0, {}, {}, {}, {}});
    }
    Change::Part& part = changing_->parts[static_cast<std::size_t>(place)];
    (is_linked ? part.added : part.removed).push_back(row);
}

void Engine::begin_changes() {
    if (++epoch_ == 0) {
        for (const auto& relation : relations_) {
            for (Row row = 0; row < relation->size(); ++row) {
                relation->header(row).epoch = 0;
            }
        }
        ++epoch_;
    }
    has_cancelled_ = false;
    part_of_.assign(relations_.size(), NOTHING);
    changing_ = std::make_shared<Change>();
}

std::shared_ptr<Change> Engine::changes() {
    if (!journal_.is_on()) {
        for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
            if (const std::size_t count = relations_[predicate]->linked_count();
                count != 0 && !relations_[predicate]->is_hidden) {
                changing_->parts.push_back({predicate, number_of(predicate), true, count, {}, {}, {}, {}});
            }
        }
    }
    for (Change::Part& part : changing_->parts) {
        for (std::vector<Row>* rows : {&part.added, &part.removed}) {
            if (has_cancelled_) {
                std::erase_if(*rows, [&](Row row) {
                    return (relations_[part.predicate]->header(row).change & CANCELLED) != 0;
                });
            }
        }
        part.added_count = part.has_all ? part.added_count : part.added.size();
    }
    return std::move(changing_);
}

// Without a mark nothing need be undone any more.
void Engine::commit() {
    if (marks_.empty()) {
        journal_.clear();
        for (const auto& relation : relations_) {
            relation->sweep();
        }
    }
}

void Engine::roll_back(std::size_t size) {
    while (journal_.size() > size) {
        const Journal::Entry entry = journal_.take_last();
        Relation& relation = *relations_[entry.predicate];
        const auto count = [&](bool was_fact, bool is_fact) {
            const std::uint64_t bytes = FACT_BYTES + CELL_BYTES * relation.arity();
            relation.count_facts(was_fact, is_fact);
            if (relation.is_hidden) {
                return;
            }
            if (was_fact && !is_fact) {
                --facts_;
                estimated_bytes_ -= bytes;
            } else if (!was_fact && is_fact) {
                ++facts_;
                estimated_bytes_ += bytes;
            }
        };
        switch (entry.event) {
            case Journal::Event::INSERTED:
                count(relation.support(entry.row) != 0, false);
                relation.support(entry.row) = 0;
                relation.take_back(entry.row);
                break;
            case Journal::Event::LINKED: relation.unlink(entry.row); break;
            case Journal::Event::RELINKED: {
                relation.unlink(entry.row);
                const auto kept = static_cast<std::uint32_t>(entry.old);
                for (std::uint32_t index = kept; index < relation.indexes(); ++index) {
                    relation.index(index).remember(entry.row, Index::NO_NEIGHBOURS);
                }
                for (std::uint32_t index = kept; index-- > 0;) {
                    relation.index(index).remember(entry.row, journal_.take_kept());
                }
                break;
            }
            case Journal::Event::UNLINKED: relation.undo_unlink(entry.row); break;
            case Journal::Event::SUPPORT:
                count(relation.support(entry.row) != 0, entry.old != 0);
                relation.support(entry.row) = static_cast<std::uint32_t>(entry.old);
                break;
            case Journal::Event::BIRTH: relation.birth[entry.row] = entry.old; break;
        }
    }
}

// Cells are copied before they change, where somebody still holds what the last update did.
void Engine::keep_last_change() {
    if (const std::shared_ptr<Change> change = last_change_.lock()) {
        change->copy(relations_);
    }
    last_change_.reset();
}

void Change::copy(const Relations& relations) {
    if (is_copied_) {
        return;
    }
    is_copied_ = true;
    for (Part& part : parts) {
        const Relation& relation = *relations[part.predicate];
        for (Row row = 0; part.has_all && row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                part.added_cells.insert(part.added_cells.end(), relation.cells(row), relation.cells(row) + relation.arity());
            }
        }
        for (const auto& [rows, cells] : {std::pair(&part.added, &part.added_cells), std::pair(&part.removed, &part.removed_cells)}) {
            cells->reserve(rows->size() * relation.arity());
            for (const Row row : *rows) {
                cells->insert(cells->end(), relation.cells(row), relation.cells(row) + relation.arity());
            }
        }
    }
}

void Engine::forget_queues() {
    heads_.clear();
    heads_cells_.clear();
    heads_are_lost_ = false;
    constexpr std::uint8_t QUEUED = Relation::TO_ADD | Relation::TO_DELETE | Relation::SUSPECT;
    for (Stratum& stratum : strata_) {
        for (const auto* queue : {&stratum.to_add, &stratum.to_delete, &stratum.suspects}) {
            for (const auto& [predicate, row] : *queue) {
                relations_[predicate]->flags(row) &= static_cast<std::uint8_t>(~QUEUED);
            }
        }
        stratum = Stratum();
    }
}

void Engine::push() { marks_.push_back({journal_.size(), births_}); }

void Engine::pop() {
    keep_last_change();
    roll_back(marks_.back().journal);
    births_ = marks_.back().births;
    marks_.pop_back();
}

}  // namespace hornbook
