// The actions of a walk where a rule's conditions hold: derive its head, lose an instance of it, or find it proved.
#pragma once

#include <algorithm>

#include "run/saturation.hpp"

namespace hornbook {

class Saturation::AddSink {
public:
    explicit AddSink(Saturation& saturation) : saturation_(saturation) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (saturation_.plans_.is_removed(terminal.rule)) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            saturation_.find_head(terminal, slots);
            return false;
        }
        if (terminal.kind == Terminal::Kind::TRIGGER && terminal.is_finished) {
            saturation_.suspect_heads(terminal, slots);
        }
        saturation_.candidate(terminal.rule, saturation_.plans_.projections()[terminal.binding], slots);
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { saturation_.overflowed(code, place); }

private:
    Saturation& saturation_;
};

// For a complete derivation.
class Saturation::WholeSink {
public:
    explicit WholeSink(Saturation& saturation) : saturation_(saturation) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (saturation_.plans_.is_removed(terminal.rule)) {
            return false;
        }
        if (saturation_.is_appended_[terminal.predicate]) {
            saturation_.append_head(terminal, slots);
        } else {
            saturation_.find_head(terminal, slots);
        }
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { saturation_.overflowed(code, place); }

private:
    Saturation& saturation_;
};

class Saturation::DeleteSink {
public:
    explicit DeleteSink(Saturation& saturation) : saturation_(saturation) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (saturation_.plans_.is_removed(terminal.rule)) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            saturation_.find_head(terminal, slots);
            return false;
        }
        saturation_.suspect_heads(terminal, slots);
        if (terminal.kind == Terminal::Kind::TRIGGER && terminal.is_finished) {
            saturation_.candidate(terminal.rule, saturation_.plans_.projections()[terminal.binding], slots);
        }
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { saturation_.overflowed(code, place); }

private:
    Saturation& saturation_;
};

class Saturation::ProofSink {
public:
    ProofSink(Saturation& saturation, const View& view, const Cell* fact) : saturation_(saturation), view_(view), fact_(fact) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (saturation_.plans_.is_removed(terminal.rule)) {
            return false;
        }
        if (terminal.kind == Terminal::Kind::HEAD) {
            return true;
        }
        const Rule& rule = saturation_.plans_.rule(terminal.rule);
        Reader& reader = saturation_.reader_;
        reader.begin(rule.variables);
        reader.view = view_;
        const std::vector<Term>& binding = saturation_.plans_.projections()[terminal.binding];
        for (Variable variable = 0; variable < rule.variables; ++variable) {
            if (binding[variable].kind != Term::Kind::NONE) {
                reader.values[variable] = value(binding[variable], slots);
            }
        }
        const Conjunction& body = saturation_.plans_.candidate(terminal.rule);
        return saturation_.read(terminal.rule, body, Profile::Reading::CANDIDATE, [&](bool overflowed) {
            if (overflowed) {
                saturation_.stratum_of(rule.head).overflowed.push_back(terminal.rule);
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
    void overflowed(const Code& code, std::uint32_t place) { saturation_.overflowed(code, place); }

private:
    Saturation& saturation_;
    const View& view_;
    const Cell* fact_;
};

// Records the terminals for another sink until the walk is known to be complete. An overflow may be reported twice.
class Saturation::NotingSink {
public:
    explicit NotingSink(Saturation& saturation) : saturation_(saturation), width_(saturation.slots_.size()) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        terminals_.push_back(&terminal);
        slots_.insert(slots_.end(), slots, slots + width_);
        return false;
    }
    void overflowed(const Code& code, std::uint32_t place) { saturation_.overflowed(code, place); }

    template <class Sink>
    void pass_on(Sink& sink) const {
        for (std::size_t number = 0; number < terminals_.size(); ++number) {
            sink.reached(*terminals_[number], slots_.data() + number * width_);
        }
    }

private:
    Saturation& saturation_;
    const std::size_t width_;
    std::vector<const Terminal*> terminals_;
    std::vector<Cell> slots_;  // `width_` of each
};

// Walks and evaluations, measured on request

template <class Sink, class Each>
auto Saturation::with_walk(const Trie& trie, const View& view, Sink& sink, Each&& each) {
    if (profiling_.is_on) {
        const TrieMeter meter(*profiling_.profile, profiling_.profile->of(trie, trie.tree().size()));
        Walk walk(trie, slots_.data(), view, budget_, guard_reader_, sink, meter);
        return each(walk);
    }
    Walk walk(trie, slots_.data(), view, budget_, guard_reader_, sink);
    return each(walk);
}

template <class Sink>
bool Saturation::walk(const Trie& trie, const View& view, Sink& sink) {
    return with_walk(trie, view, sink, [](auto& walk) { return walk.from_root(); });
}

template <class Sink>
void Saturation::walk_from(PredicateId predicate, Row row, std::size_t waiting, Sink& sink) {
    constexpr std::size_t FEW = 8;
    if (plans_.is_idle(predicate) || (waiting <= FEW && walk_all_for(predicate, row, sink))) {
        return;
    }
    const Relation& relation = *relations_[predicate];
    const Trie& trie = plans_.delta(predicate);
    fit_slots();
    copy_cells(relation.cells(row), relation.arity(), slots_.data());
    View view;
    view.seed = row;
    walk(trie, view, sink);
}

// Walk the plans of all rules, as long as that is likely to be faster than building the trie of the
// predicate's changes; otherwise return false without any effect.
template <class Sink>
bool Saturation::walk_all_for(PredicateId predicate, Row row, Sink& sink) {
    const std::uint64_t most = plans_.may_meet(predicate);
    if (most == 0) {
        return false;
    }
    const Trie& trie = plans_.whole();
    fit_slots();
    const View view;
    NotingSink noted(*this);
    std::vector<const Reach*> reaches;
    for (const Code* code : trie.codes()) {
        reaches.push_back(&code->reach(predicate));
    }
    const Distances distances(reaches, relations_[predicate]->cells(row), most);
    Walk walk(trie, slots_.data(), view, budget_, guard_reader_, noted, NoMeter(), OneFact{predicate, row, most, distances});
    walk.from_root();
    plans_.have_met(predicate, walk.sought().met + distances.steps());
    if (walk.sought().is_spent()) {
        return false;
    }
    noted.pass_on(sink);
    return true;
}

template <class Found>
bool Saturation::read(RuleNumber number, const Conjunction& body, Profile::Reading reading, Found&& found) {
    if (profiling_.is_on) {
        BodyCounts& counts = profiling_.profile->of(number, reading, body.join.size(), body.residuals.size());
        return reader_.solve(body, found, BodyMeter(*profiling_.profile, counts));
    }
    return reader_.solve(body, found);
}

}  // namespace hornbook
