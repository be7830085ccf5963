// The time of updates: counts and time for each node of a trie, for the conclusions of rules, and for each
// condition of a rule that is evaluated separately.
//
// Invariants: During an update, the time is charged to exactly one account at each moment, so the accounts
// together are the total. A walk without profiling contains no code from here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "data/cell.hpp"

namespace hornbook {

class Trie;

struct Account {
    std::uint64_t visits = 0;  // the number of visits
    std::uint64_t rows = 0;    // the number of rows found
    std::uint64_t ticks = 0;   // the time spent there, without the nodes below
};

struct TrieCounts {
    std::vector<Account> nodes;
    std::vector<Account> conclusions;  // of all rules that end at a node
};

// A conjunction that is evaluated: the steps of its join, the conditions after it, and the processing of its
// instances.
struct BodyCounts {
    std::vector<Account> joins;
    std::vector<Account> residuals;
    Account conclusion;
};

class Profile {
public:
    enum class Reading : std::uint8_t { WHOLE, CANDIDATE };

    // An update from its beginning to its end, also on failure; without a profile it does nothing.
    class Run {
    public:
        explicit Run(Profile* profile) : profile_(profile) {
            if (profile_ != nullptr) {
                profile_->current_ = &profile_->rest;
                profile_->last_ = ticks_now();
            }
        }
        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;
        ~Run() {
            if (profile_ != nullptr) {
                profile_->charge(profile_->rest);
            }
        }

    private:
        Profile* profile_;
    };

    // Charges time to an account during its lifetime, and then to the previous one.
    class Timed {
    public:
        Timed(Profile& profile, Account& account) : profile_(profile), before_(profile.charge(account)) {}
        Timed(const Timed&) = delete;
        Timed& operator=(const Timed&) = delete;
        ~Timed() { profile_.charge(before_); }

    private:
        Profile& profile_;
        Account& before_;
    };

    TrieCounts& of(const Trie& trie, std::size_t nodes) {
        TrieCounts& counts = tries_[&trie];
        counts.nodes.resize(nodes);
        counts.conclusions.resize(nodes);
        return counts;
    }
    BodyCounts& of(RuleNumber rule, Reading reading, std::size_t joins, std::size_t residuals) {
        BodyCounts& counts = bodies_[{rule, reading}];
        counts.joins.resize(joins);
        counts.residuals.resize(residuals);
        return counts;
    }
    [[nodiscard]] const TrieCounts* find(const Trie& trie) const {
        const auto found = tries_.find(&trie);
        return found == tries_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<std::pair<RuleNumber, Reading>, BodyCounts>& bodies() const { return bodies_; }

    // Keep the counts of a trie that is replaced.
    void retire(PredicateId predicate, const Trie& old, std::shared_ptr<const Trie> kept) {
        if (auto counts = tries_.extract(&old); !counts.empty()) {
            counts.key() = kept.get();
            tries_.insert(std::move(counts));
            retired_.emplace_back(predicate, std::move(kept));
        }
    }
    [[nodiscard]] const auto& retired() const { return retired_; }
    // When tries are rebuilt and rules get other numbers, restart the counts.
    void forget() {
        tries_.clear();
        bodies_.clear();
        retired_.clear();
        rest = storing = Account();
    }
    [[nodiscard]] double seconds_per_tick() const {
        const std::chrono::duration<double> seconds = Time::now() - began_;
        const std::uint64_t ticks = ticks_now() - began_ticks_;
        return ticks == 0 ? 0 : seconds.count() / static_cast<double>(ticks);
    }

    Account rest;     // time that belongs to no rule: links, the journal, constraints
    Account storing;  // entering the conclusions of rules into the relations

private:
    using Time = std::chrono::steady_clock;

    static std::uint64_t ticks_now() {
#if defined(__x86_64__) || defined(__i386__)
        return __builtin_ia32_rdtsc();
#else
        return static_cast<std::uint64_t>(Time::now().time_since_epoch().count());
#endif
    }
    Account& charge(Account& next) {
        const std::uint64_t now = ticks_now();
        current_->ticks += now - last_;
        last_ = now;
        Account& before = *current_;
        current_ = &next;
        return before;
    }

    std::unordered_map<const Trie*, TrieCounts> tries_;
    std::vector<std::pair<PredicateId, std::shared_ptr<const Trie>>> retired_;
    std::map<std::pair<RuleNumber, Reading>, BodyCounts> bodies_;
    Account* current_ = &rest;
    std::uint64_t last_ = ticks_now();
    std::uint64_t began_ticks_ = ticks_now();
    Time::time_point began_ = Time::now();
};

// The meter of a walk: nothing, or the counts of its trie.
struct NoMeter {
    static constexpr bool COUNTS = false;
    struct Nothing {};
    static Nothing visit(std::size_t) { return {}; }
    static Nothing conclude(std::uint32_t = 0) { return {}; }
};

class TrieMeter {
public:
    static constexpr bool COUNTS = true;
    TrieMeter(Profile& profile, TrieCounts& counts) : profile_(&profile), counts_(&counts) {}

    [[nodiscard]] Profile::Timed visit(std::uint32_t node) {
        ++counts_->nodes[node].visits;
        return {*profile_, counts_->nodes[node]};
    }
    void accept(std::uint32_t node) { ++counts_->nodes[node].rows; }
    [[nodiscard]] Profile::Timed conclude(std::uint32_t node) {
        ++counts_->conclusions[node].visits;
        return {*profile_, counts_->conclusions[node]};
    }

private:
    Profile* profile_;
    TrieCounts* counts_;
};

class BodyMeter {
public:
    static constexpr bool COUNTS = true;
    BodyMeter(Profile& profile, BodyCounts& counts) : profile_(&profile), counts_(&counts) {}

    [[nodiscard]] Profile::Timed visit(std::size_t place) {
        ++counts_->joins[place].visits;
        return {*profile_, counts_->joins[place]};
    }
    void accept(std::size_t place) { ++counts_->joins[place].rows; }
    [[nodiscard]] Profile::Timed read(std::size_t residual) {
        ++counts_->residuals[residual].visits;
        return {*profile_, counts_->residuals[residual]};
    }
    void hold(std::size_t residual) { ++counts_->residuals[residual].rows; }
    [[nodiscard]] Profile::Timed conclude() {
        ++counts_->conclusion.visits;
        return {*profile_, counts_->conclusion};
    }

private:
    Profile* profile_;
    BodyCounts* counts_;
};

// Whether updates are measured now; the counts remain when measuring ends.
struct Profiling {
    std::unique_ptr<Profile> profile;
    bool is_on = false;
};

}  // namespace hornbook
