// What a walk does where a rule's conditions hold: derive its head, lose an instance of it, or find it proved.
#pragma once

#include <algorithm>

#include "run/engine.hpp"

namespace hornbook {

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

// Where everything is found anew.
class Engine::WholeSink {
public:
    explicit WholeSink(Engine& engine) : engine_(engine) {}

    bool reached(const Terminal& terminal, const Cell* slots) {
        if (engine_.is_removed_[terminal.rule]) {
            return false;
        }
        if (engine_.is_appended_[terminal.predicate]) {
            engine_.append_head(terminal, slots);
        } else {
            engine_.find_head(terminal, slots);
        }
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
        Walk walk(trie, slots_.data(), view, clock, guard_reader_, sink, meter);
        return walk.from_root();
    }
    Walk walk(trie, slots_.data(), view, clock, guard_reader_, sink);
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

}  // namespace hornbook
