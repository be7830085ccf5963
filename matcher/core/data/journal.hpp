// A journal of changes to the facts, so that they can be undone in the reverse order: for a mark, and for an
// update that fails. Undoing restores rows, supports, births and the order of every chain exactly.
#pragma once

#include "data/buffer.hpp"
#include "data/cell.hpp"

namespace hornbook {

class Journal {
public:
    // RELINKED: a row was linked that remembered its former neighbours. They are stored here, one index after
    // the other, followed by their number.
    enum class Event : std::uint8_t { INSERTED, LINKED, RELINKED, UNLINKED, SUPPORT, BIRTH };
    struct Entry {
        Event event;
        PredicateId predicate;
        Row row;
        std::uint64_t old;  // SUPPORT, BIRTH: the previous value; RELINKED: the number of stored neighbours
    };

    // Nothing is recorded while it is off: an update that began without facts is undone by removing everything.
    void switch_on(bool on) { is_on_ = on; }
    [[nodiscard]] bool is_on() const { return is_on_; }

    void note(Event event, PredicateId predicate, Row row) {
        if (!is_on_) {
            return;
        }
        entries_.push_back((static_cast<std::uint64_t>(event) << EVENT_SHIFT) |
                           (static_cast<std::uint64_t>(predicate) << PREDICATE_SHIFT) | row);
    }
    void note(Event event, PredicateId predicate, Row row, std::uint64_t old) {
        if (is_on_) {
            keep(old);
            note(event, predicate, row);
        }
    }
    void keep(std::uint64_t old) { old_.push_back(old); }
    std::uint64_t take_kept() {
        const std::uint64_t old = old_.back();
        old_.pop_back();
        return old;
    }
    Entry take_last() {
        Entry entry = at(entries_.size() - 1);
        entries_.pop_back();
        if (entry.event == Event::SUPPORT || entry.event == Event::BIRTH || entry.event == Event::RELINKED) {
            entry.old = take_kept();
        }
        return entry;
    }
    // An entry without the old value.
    [[nodiscard]] Entry at(std::size_t place) const {
        const std::uint64_t entry = entries_[place];
        return {static_cast<Event>(entry >> EVENT_SHIFT),
                static_cast<PredicateId>((entry >> PREDICATE_SHIFT) & PREDICATE_MASK), static_cast<Row>(entry), 0};
    }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    void clear() {
        entries_.clear();
        old_.clear();
        if (entries_.capacity() > MOST_KEPT) {
            entries_ = Buffer<std::uint64_t>();
            old_ = Buffer<std::uint64_t>();
        }
    }
    [[nodiscard]] std::size_t bytes() const { return (entries_.capacity() + old_.capacity()) * sizeof(std::uint64_t); }

    static constexpr PredicateId MOST_PREDICATES = 1U << 28U;

private:
    static constexpr unsigned EVENT_SHIFT = 60;
    static constexpr unsigned PREDICATE_SHIFT = 32;
    static constexpr std::uint64_t PREDICATE_MASK = MOST_PREDICATES - 1;
    static constexpr std::size_t MOST_KEPT = 1U << 20U;

    Buffer<std::uint64_t> entries_;
    Buffer<std::uint64_t> old_;
    bool is_on_ = true;
};

}  // namespace hornbook
