#include "data/strata.hpp"

#include <algorithm>

namespace hornbook {

void Dependencies::count(PredicateId head, PredicateId read, bool finished, int by) {
    const std::uint64_t key = (std::uint64_t{head} << 32U) | read;
    Edge& edge = edges_[key];
    const bool was_there = edge.rules != 0;
    const bool was_finished = edge.finished != 0;
    edge.rules += static_cast<std::uint64_t>(by);
    edge.finished += static_cast<std::uint64_t>(finished ? by : 0);
    has_changed_ = has_changed_ || was_there != (edge.rules != 0) || was_finished != (edge.finished != 0);
    if (edge.rules == 0) {
        edges_.erase(key);
    }
}

void Dependencies::count(PredicateId head, const Body& body, bool finished, int by) {
    for (const Condition& condition : body.conditions) {
        if (condition.kind == Kind::MATCH) {
            count(head, condition.predicate, finished, by);
        } else if (condition.detail != NOTHING) {
            const Detail& detail = body.detail_of(condition);
            for (const ClosedSet& set : detail.sets) {
                count(head, set.count, finished, by);
                count(head, set.member, finished, by);
            }
            const bool waits = condition.kind == Kind::AGGREGATE || condition.kind == Kind::ABSENT;
            count(head, detail.inner, finished || waits, by);
        }
    }
}

void Dependencies::count(const Rule& rule, int by) {
    count(rule.head, rule.body, false, by);
    if (rule.is_guarded) {
        std::uint64_t& rules = guarded_[rule.head];
        const bool was_there = rules != 0;
        rules += static_cast<std::uint64_t>(by);
        has_changed_ = has_changed_ || was_there != (rules != 0);
    }
}

bool Dependencies::arrange(std::size_t predicates) {
    std::vector<std::vector<PredicateId>> reads(predicates);
    for (const auto& [key, edge] : edges_) {
        reads[key >> 32U].push_back(static_cast<PredicateId>(key));
    }
    for (auto& each : reads) {
        std::sort(each.begin(), each.end());
    }
    // Tarjan (1972): components come out each after all that it reads. Without recursion, as chains of
    // predicates may be long.
    constexpr std::uint32_t UNSEEN = 0;
    std::vector<std::uint32_t> order(predicates, UNSEEN), low(predicates, 0);
    std::vector<bool> is_open(predicates);
    std::vector<PredicateId> open;
    struct Frame {
        PredicateId predicate;
        std::size_t next;
    };
    std::vector<Frame> frames;
    components_.assign(predicates, 0);
    is_recursive_.assign(predicates, false);
    std::uint32_t seen = 0;
    std::uint32_t components = 0;
    const auto enter = [&](PredicateId predicate) {
        order[predicate] = low[predicate] = ++seen;
        open.push_back(predicate);
        is_open[predicate] = true;
        frames.push_back({predicate, 0});
    };
    for (PredicateId start = 0; start < predicates; ++start) {
        if (order[start] != UNSEEN) {
            continue;
        }
        enter(start);
        while (!frames.empty()) {
            Frame& frame = frames.back();
            const PredicateId predicate = frame.predicate;
            if (frame.next < reads[predicate].size()) {
                const PredicateId read = reads[predicate][frame.next++];
                if (order[read] == UNSEEN) {
                    enter(read);
                } else if (is_open[read]) {
                    low[predicate] = std::min(low[predicate], order[read]);
                }
                continue;
            }
            frames.pop_back();
            if (!frames.empty()) {
                low[frames.back().predicate] = std::min(low[frames.back().predicate], low[predicate]);
            }
            if (low[predicate] != order[predicate]) {
                continue;
            }
            const bool is_cycle = open.back() != predicate ||
                                  std::binary_search(reads[predicate].begin(), reads[predicate].end(), predicate);
            for (PredicateId member = predicate + 1; member != predicate;) {
                member = open.back();
                open.pop_back();
                is_open[member] = false;
                components_[member] = components;
                is_recursive_[member] = is_cycle;
            }
            ++components;
        }
    }
    size_ = components;
    is_checked_ = is_recursive_;
    for (const auto& [predicate, rules] : guarded_) {
        if (rules != 0) {
            is_checked_[predicate] = true;
        }
    }
    has_changed_ = false;
    return std::none_of(edges_.begin(), edges_.end(), [&](const auto& entry) {
        return entry.second.finished != 0 &&
               components_[entry.first >> 32U] == components_[static_cast<PredicateId>(entry.first)];
    });
}

}  // namespace hornbook
