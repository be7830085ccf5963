// A machine that queries a Python object: for games without a compiled machine, and for tests of planners
// against the reference.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "machine/machine.hpp"

namespace hornbook::planner {

// Takes Python's lock for each call.
class ForeignMachine final : public Machine {
  public:
    explicit ForeignMachine(nanobind::object game)
        : game_(std::move(game)), roles_(nanobind::cast<std::size_t>(game_.attr("role_count"))) {}

    std::size_t roles() const override { return roles_; }

    void initial(std::vector<Word>& out) override {
        const nanobind::gil_scoped_acquire lock;
        append(game_.attr("initial")(), out);
    }

    void look(State state) override {
        const nanobind::gil_scoped_acquire lock;
        game_.attr("look")(std::vector<Word>(state.begin(), state.end()));
    }

    bool terminal() override {
        const nanobind::gil_scoped_acquire lock;
        return nanobind::cast<bool>(game_.attr("terminal")());
    }

    std::span<const Move> legal(std::size_t role) override {
        const nanobind::gil_scoped_acquire lock;
        legal_ = nanobind::cast<std::vector<Move>>(game_.attr("legal")(role));
        return legal_;
    }

    int goal(std::size_t role) override {
        const nanobind::gil_scoped_acquire lock;
        return nanobind::cast<int>(game_.attr("goal")(role));
    }

    void next(std::span<const Move> joint, std::vector<Word>& out) override {
        const nanobind::gil_scoped_acquire lock;
        append(game_.attr("next")(std::vector<Move>(joint.begin(), joint.end())), out);
    }

  private:
    static void append(const nanobind::object& words, std::vector<Word>& out) {
        const auto found = nanobind::cast<std::vector<Word>>(words);
        out.insert(out.end(), found.begin(), found.end());
    }

    nanobind::object game_;
    std::size_t roles_;
    std::vector<Move> legal_;
};

}  // namespace hornbook::planner
