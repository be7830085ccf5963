// Updates: given facts and rules change, all consequences are derived, and a fault undoes everything.
#include "run/engine.hpp"

namespace hornbook {

void Clock::begin(std::optional<double> seconds) {
    is_running_ = true;
    deadline_.reset();
    // A very long limit could exceed the range of the clock.
    constexpr double FOR_EVER = 1e9;
    if (seconds && *seconds < FOR_EVER) {
        deadline_ = Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(*seconds));
    }
}

void Clock::check() {
    if (!is_running_) {
        return;
    }
    if (deadline_ && Time::now() > *deadline_) {
        throw TooManySeconds();
    }
    if (is_interrupted && is_interrupted()) {
        throw Interrupted();
    }
}

Engine::Engine(Bounds bounds, Statistics statistics, Capacity capacity)
    : facts_(bounds, capacity.rows),
      plans_(facts_, std::move(statistics), capacity.rules, clock, profiling_),
      saturation_(facts_, plans_, clock, profiling_, capacity.derivations),
      constraints_(facts_, clock),
      reader_(plans_.steps(), facts_.relations(), clock) {}

void Engine::add_predicates(const std::vector<Predicate>& predicates) {
    if (relations().size() + predicates.size() > Journal::MOST_PREDICATES) {
        throw TooLarge{"predicates", Journal::MOST_PREDICATES};
    }
    for (const Predicate& predicate : predicates) {
        const auto number = static_cast<PredicateId>(facts_.predicates());
        const auto next = static_cast<PredicateId>(relations().size());
        Predicate known = predicate;
        if (predicate.counts != NOTHING) {
            const auto counted = static_cast<PredicateId>(predicate.counts);
            // It may be one that is added together with it.
            known.counts = static_cast<std::int32_t>(counted < number ? facts_.id_of(counted) : next + counted - number);
        }
        const PredicateId id = plans_.add_relation(known);
        facts_.name(id);
        plans_.expect(id, number);
    }
    constraints_.declare();
}

std::shared_ptr<Change> Engine::update(Update&& update, std::vector<RuleNumber>& numbers) {
    clock.begin(facts_.bounds().seconds);
    const Profile::Run run(profiling_.is_on ? profiling_.profile.get() : nullptr);
    facts_.begin();
    std::vector<RuleNumber> removed;
    try {
        for (const RuleNumber number : plans_.with_helpers(update.remove_rules)) {
            plans_.remove(number);
            removed.push_back(number);
        }
        plans_.add(std::move(update.add_rules), numbers);
        change(update, removed, numbers);
    } catch (...) {
        saturation_.forget();
        facts_.undo();
        take_back(removed, numbers);
        throw;
    }
    clock.end();  // the rest keeps the engine consistent
    std::shared_ptr<Change> change = facts_.end();
    for (const RuleNumber number : removed) {
        plans_.drop(number);
    }
    plans_.rebuild();
    return change;
}

// Derive all consequences of the new facts and rules.
void Engine::change(const Update& update, const std::vector<RuleNumber>& removed, const std::vector<RuleNumber>& added) {
    const Plans::Arranged arranged = plans_.arrange();
    if (arranged != Plans::Arranged::AS_BEFORE) {
        saturation_.arrange();
    }
    saturation_.begin();
    std::size_t changes = 0;
    for (const auto* groups : {&update.add, &update.retract}) {
        for (const Group* group : *groups) {
            for (const Rows& rows : *group) {
                changes += rows.count;
            }
        }
    }
    const std::size_t linked = facts_.linked_count();
    // If most facts change, nearly everything is derived again in any case; if support gets another meaning,
    // everything must be.
    const bool is_anew = arranged == Plans::Arranged::ANEW_WITH_OTHER_SUPPORT || 2 * changes > linked;
    facts_.open_journal();
    if (!is_anew) {
        for (const RuleNumber number : removed) {
            saturation_.lose_whole(number);
        }
        saturation_.begin_rules(plans_.with_helpers(added), linked != 0);
    }
    for (const Group* group : update.retract) {
        saturation_.retract(*group);
    }
    for (const Group* group : update.add) {
        saturation_.give(*group);
    }
    if (is_anew) {
        saturation_.recompute();
    }
    saturation_.saturate();
    constraints_.check();
    facts_.check_bounds();
}

void Engine::take_back(const std::vector<RuleNumber>& removed, const std::vector<RuleNumber>& added) {
    for (const RuleNumber number : removed) {
        plans_.restore(number);
    }
    for (const RuleNumber number : plans_.with_helpers(added)) {
        plans_.discard(number);
    }
    plans_.arrange_again();
    saturation_.arrange();
}

void Engine::count(bool is_counted) {
    if (is_counted) {
        profiling_.profile = std::make_unique<Profile>();
        plans_.settle();
    }
    profiling_.is_on = is_counted;
}

Plans& Engine::arranged_plans() {
    clock.begin(facts_.bounds().seconds);
    if (plans_.arrange() != Plans::Arranged::AS_BEFORE) {  // predicates may have been added since the last update
        saturation_.arrange();
    }
    return plans_;
}

}  // namespace hornbook
