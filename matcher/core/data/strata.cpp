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

namespace {

// Tarjan (1972): each component is emitted after all that it reads. It is not recursive, because chains of
// predicates may be long.
class Components {
public:
    explicit Components(const std::vector<std::vector<PredicateId>>& reads)
        : reads_(reads), order_(reads.size(), UNSEEN), low_(reads.size(), 0), is_open_(reads.size()), of(reads.size(), 0),
          is_cyclic(reads.size(), false) {
        for (PredicateId start = 0; start < reads.size(); ++start) {
            if (order_[start] == UNSEEN) {
                enter(start);
                while (!frames_.empty()) {
                    go_on();
                }
            }
        }
    }

private:
    static constexpr std::uint32_t UNSEEN = 0;
    struct Frame {
        PredicateId predicate;
        std::size_t next;
    };

    void enter(PredicateId predicate) {
        order_[predicate] = low_[predicate] = ++seen_;
        open_.push_back(predicate);
        is_open_[predicate] = true;
        frames_.push_back({predicate, 0});
    }

    void go_on() {
        Frame& frame = frames_.back();
        const PredicateId predicate = frame.predicate;
        if (frame.next < reads_[predicate].size()) {
            const PredicateId read = reads_[predicate][frame.next++];
            if (order_[read] == UNSEEN) {
                enter(read);
            } else if (is_open_[read]) {
                low_[predicate] = std::min(low_[predicate], order_[read]);
            }
            return;
        }
        frames_.pop_back();
        if (!frames_.empty()) {
            low_[frames_.back().predicate] = std::min(low_[frames_.back().predicate], low_[predicate]);
        }
        if (low_[predicate] == order_[predicate]) {
            close(predicate);
        }
    }

    void close(PredicateId predicate) {
        const auto& reads = reads_[predicate];
        const bool is_cycle =
            open_.back() != predicate || std::binary_search(reads.begin(), reads.end(), predicate);
        for (PredicateId member = predicate + 1; member != predicate;) {
            member = open_.back();
            open_.pop_back();
            is_open_[member] = false;
            of[member] = count;
            is_cyclic[member] = is_cycle;
        }
        ++count;
    }

    const std::vector<std::vector<PredicateId>>& reads_;
    std::vector<std::uint32_t> order_, low_;
    std::vector<bool> is_open_;
    std::vector<PredicateId> open_;
    std::vector<Frame> frames_;
    std::uint32_t seen_ = 0;

public:
    std::vector<std::uint32_t> of;  // by predicate
    std::vector<bool> is_cyclic;    // by predicate
    std::uint32_t count = 0;
};

}  // namespace

bool Dependencies::arrange(std::size_t predicates) {
    std::vector<std::vector<PredicateId>> reads(predicates);
    for (const auto& [key, edge] : edges_) {
        reads[key >> 32U].push_back(static_cast<PredicateId>(key));
    }
    for (auto& each : reads) {
        std::sort(each.begin(), each.end());
    }
    Components found(reads);
    components_ = std::move(found.of);
    is_recursive_ = std::move(found.is_cyclic);
    size_ = found.count;
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
