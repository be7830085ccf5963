// Conversion from packed rules (matcher/program/packed.py) to programs. The checks are those of read_program.hpp: the
// bytes may come from a file, so nothing in them is trusted. A misfit is a `Malformed`.
#pragma once

#include "run/engine.hpp"

namespace hornbook {

class PackedReader {
public:
    PackedReader(const Engine& engine, const unsigned char* data, std::size_t size)
        : engine_(engine), relations_(engine.relations()), next_(data), end_(data + size) {}

    [[nodiscard]] bool has_more() const { return next_ != end_; }
    Rule rule();

private:
    std::uint64_t number();
    // A number that is at most `most`.
    std::size_t number(std::size_t most);
    template <class Value, std::size_t N>
    Value named(const char* const (&words)[N]);
    PredicateId predicate();
    Cell cell();
    Variable variable(std::size_t number);
    Term term();
    void terms(std::vector<Term>& result);
    void variables(std::vector<Variable>& result);
    void expression(Expression& result, std::size_t depth = 0);
    ClosedSet closed_set();
    void require_width(const ClosedSet& set, std::size_t width) const;
    void read_body(Body& body);
    void read_inner(Body& body, bool as_written);
    void read_condition(Body& body);
    void read_match(Body& body);
    void read_comparison(Body& body);

    const Engine& engine_;
    const Relations& relations_;
    const unsigned char* next_;
    const unsigned char* const end_;
    // Of the present rule: the number of its variables, and the remaining limits.
    std::uint32_t variables_ = 0;
    std::size_t conditions_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace hornbook
