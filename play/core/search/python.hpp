// Searches in the Python module of a game of two players: `search` makes one by its name, and calling it decides.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "play/core/search/alpha_beta.hpp"
#include "play/core/search/best_among.hpp"
#include "play/core/search/best_first.hpp"
#include "play/core/search/conditions.hpp"
#include "play/core/search/deepening.hpp"
#include "play/core/search/known.hpp"
#include "play/core/search/mgss.hpp"
#include "play/core/search/prob_cut.hpp"
#include "play/core/search/sampled.hpp"

namespace play {

namespace nb = nanobind;
using namespace nb::literals;

// A search by its name. Searches that give several lines and report every depth also have a table.
template <GameOfTwo G>
struct Searcher {
    std::function<Found<G>(const typename G::State&, const Budget&, const Analysis<G>&)> decide;
    bool gives_lines = false;
};

// Ends a search from another thread. Each module has a separate class.
template <GameOfTwo G>
struct Stop {
    std::atomic<bool> is_set = false;
};

// A budget from the arguments of a Python call. Throws std::invalid_argument.
inline Budget budget_of(std::optional<std::uint64_t> nodes, std::optional<double> seconds, std::optional<int> depth, double share,
                        const std::atomic<bool>* stop, bool trace) {
    Budget budget;
    budget.nodes = nodes.value_or(budget.nodes);
    budget.seconds = seconds.value_or(budget.seconds);
    budget.depth = depth.value_or(budget.depth);
    budget.share = share;
    budget.stop = stop;
    budget.trace = trace;
    if (budget.depth < 1 || !(budget.seconds > 0) || budget.nodes < 1 || !(share > 0)) {
        throw std::invalid_argument("a budget is more than nothing");
    }
    return budget;
}

// The pairs of depths of (deep, shallow, rows of (slope, offset, deviation)).
inline ProbCuts prob_cuts(const nb::list& pairs, double margin) {
    ProbCuts cuts;
    cuts.margin = margin;
    for (const nb::handle pair : pairs) {
        std::vector<ProbCut> rows;
        for (const nb::handle row : pair[2]) {
            rows.push_back({nb::cast<int>(pair[0]), nb::cast<int>(pair[1]), nb::cast<double>(row[0]), nb::cast<double>(row[1]),
                            nb::cast<double>(row[2])});
        }
        cuts.add(std::move(rows));
    }
    return cuts;
}

// From {"splits": (condition, threshold, low, high), ..., "groups": (mean, deviation), ..., "shape": numbers, "span": number}.
template <GameOfTwo G>
ErrorModel error_model(const nb::handle& errors) {
    std::vector<Split> splits;
    for (const nb::handle row : nb::borrow(errors["splits"])) {
        splits.push_back({nb::cast<std::size_t>(row[0]), nb::cast<int>(row[1]), nb::cast<int>(row[2]), nb::cast<int>(row[3])});
    }
    std::vector<Error> groups;
    for (const nb::handle row : nb::borrow(errors["groups"])) {
        groups.push_back({nb::cast<double>(row[0]), nb::cast<double>(row[1])});
    }
    Shape shape(nb::cast<std::vector<double>>(errors["shape"]), nb::cast<double>(errors["span"]));
    return {std::move(splits), std::move(groups), std::move(shape), condition_names<G>().size()};
}

// A query by a Python function, which returns the least and the greatest value and a move that reaches the
// least one, each None if unknown.
template <GameOfTwo G>
typename Known<G>::Ask asking(const nb::callable& function) {
    // It may be released by a thread that does not hold the interpreter lock.
    const std::shared_ptr<nb::callable> kept(new nb::callable(function), [](nb::callable* last) {
        const nb::gil_scoped_acquire held;
        delete last;
    });
    return [kept](const typename G::State& state) {
        const nb::gil_scoped_acquire held;
        const auto [least, greatest, move] =
            nb::cast<std::tuple<std::optional<int>, std::optional<int>, std::optional<std::string>>>((*kept)(state));
        Bounds<G> bounds;
        bounds.least = least.value_or(bounds.least);
        bounds.greatest = greatest.value_or(bounds.greatest);
        if (bounds.least > bounds.greatest) {
            throw std::invalid_argument("what is known of a state contradicts itself");
        }
        if (move.has_value()) {
            Moves<G> moves;
            G::moves(state, moves);
            const auto found = std::find_if(moves.begin(), moves.end(), [&](const auto& each) { return G::write_move(state, each) == *move; });
            if (found == moves.end()) {
                throw std::invalid_argument("`" + *move + "` is known of a state, and is no legal move there");
            }
            bounds.move = *found;
        }
        return bounds;
    };
}

inline bool is_sampled(const std::string& name) { return name == "uct" || name == "uct-rave"; }

// The variants of sampled trees, with changes for experiments.
inline Sampling sampling(const std::string& name, const nb::dict& statistics) {
    Sampling how;
    if (name == "uct-rave") {
        how.rave = 3000;
        how.exploration = 0.1;
    }
    const auto change = [&](const char* key, auto& value) {
        if (statistics.contains(key)) {
            value = nb::cast<std::remove_reference_t<decltype(value)>>(statistics[key]);
        }
    };
    change("exploration", how.exploration);
    change("rave", how.rave);
    change("before", how.before);
    change("seed", how.seed);
    change("local", how.local);
    change("shapes", how.shapes);
    return how;
}

// The search of that name that decides once without a table, with the game's statistics that it needs.
template <GameOfTwo G>
Search<G> plain_search_of(const std::string& name, const nb::dict& statistics, const std::shared_ptr<Known<G>>& known) {
    if (name == "alpha-beta" || name == "ordered-alpha-beta") {
        if (known->is_asked()) {
            throw std::invalid_argument("`" + name + "` remembers no states, so it asks nobody about them");
        }
        const Order order = name == "alpha-beta" ? Order::LISTED : Order::EVALUATED;
        return [order](const typename G::State& state, const Budget& budget) { return alpha_beta<G>(state, budget, order); };
    }
    if (name == "best-first") {
        return [known](const typename G::State& state, const Budget& budget) { return best_first<G>(state, budget, *known); };
    }
    if (name == "mgss") {
        const auto model = std::make_shared<ErrorModel>(error_model<G>(statistics["errors"]));
        const double price = nb::cast<double>(statistics["price"]);
        const bool all = nb::cast<bool>(statistics["all"]), sets = nb::cast<bool>(statistics["sets"]);
        return [model, price, all, sets, known](const typename G::State& state, const Budget& budget) {
            return Mgss<G>(state, budget, *model, price, *known, all, sets).found();
        };
    }
    if (is_sampled(name)) {
        const Sampling how = sampling(name, statistics);
        if (how.rave > 0 && !Moved<G>::is_kept) {
            throw std::invalid_argument("`" + name + "` is for games whose moves are the same in all states, as squares are");
        }
        if (known->is_asked()) {
            throw std::invalid_argument("`" + name + "` asks nobody about states");
        }
        return [how](const typename G::State& state, const Budget& budget) { return Sampled<G>(state, budget, how).found(); };
    }
    throw std::invalid_argument("no search is named `" + name + "`");
}

// The search of that name with the game's statistics that it needs. The table of a search has the same
// lifetime; without `megabytes` its size is suitable for a move of a second.
template <GameOfTwo G>
Searcher<G> search_of(const std::string& name, const nb::dict& statistics, const std::shared_ptr<Known<G>>& known,
                      std::optional<std::size_t> megabytes = {}) {
    if (name == "deepening" || name == "multi-prob-cut") {
        ProbCuts cuts;
        if (name == "multi-prob-cut") {
            cuts = prob_cuts(nb::cast<nb::list>(statistics["cuts"]), nb::cast<double>(statistics["margin"]));
        }
        const int bits = megabytes.has_value() ? Deepening<G>::bits_within(*megabytes) : 16;
        const auto search = std::make_shared<Deepening<G>>(bits, std::move(cuts), *known);
        return {[search](const typename G::State& state, const Budget& budget, const Analysis<G>& analysis) {
                    return (*search)(state, budget, analysis);
                },
                true};
    }
    const Search<G> search = plain_search_of<G>(name, statistics, known);
    return {[search](const typename G::State& state, const Budget& budget, const Analysis<G>& analysis) {
        Found<G> found = analysis.only.empty() ? search(state, budget) : best_among<G>(search, state, budget, analysis.only);
        if (analysis.report && found.move.has_value()) {
            analysis.report(found.depth, found.spent.nodes(), {{found.value, found.line}});
        }
        return found;
    }};
}

template <GameOfTwo G>
std::vector<std::string> line_of(const typename G::State& state, const std::vector<typename G::Move>& line) {
    std::vector<std::string> texts;
    typename G::State at = state;
    for (const auto move : line) {
        texts.push_back(G::write_move(at, move));
        at = G::after(at, move);
    }
    return texts;
}

template <GameOfTwo G>
std::vector<typename G::Move> moves_named(const typename G::State& state, const std::vector<std::string>& names) {
    Moves<G> moves;
    G::moves(state, moves);
    std::vector<typename G::Move> found;
    for (const std::string& name : names) {
        const auto move = std::find_if(moves.begin(), moves.end(), [&](const auto each) { return G::write_move(state, each) == name; });
        if (move == moves.end()) {
            throw std::invalid_argument("`" + name + "` is no legal move");
        }
        found.push_back(*move);
    }
    return found;
}

// The arguments of a Python call in addition to a budget.
template <GameOfTwo G>
Analysis<G> analysis_of(const Searcher<G>& searcher, const typename G::State& state, const std::vector<std::string>& only,
                        std::size_t lines, const std::optional<nb::callable>& report) {
    if (lines < 1 || (lines > 1 && !searcher.gives_lines)) {
        throw std::invalid_argument(lines < 1 ? "an analysis has a line or more" : "this search gives one line");
    }
    Analysis<G> analysis{moves_named<G>(state, only), lines, {}};
    if (report.has_value()) {
        analysis.report = [state, report](int depth, std::uint64_t nodes, const std::vector<Line<G>>& found) {
            const nb::gil_scoped_acquire held;
            nb::list told;
            for (const auto& line : found) {
                told.append(nb::make_tuple(line.value, line_of<G>(state, line.moves)));
            }
            (*report)(depth, nodes, told);
        };
    }
    return analysis;
}

template <GameOfTwo G>
nb::dict decide(const Searcher<G>& searcher, const typename G::State& state, const Budget& budget, const Analysis<G>& analysis) {
    Found<G> found;
    {
        nb::gil_scoped_release released;
        found = searcher.decide(state, budget, analysis);
    }
    nb::dict told;
    told["move"] = found.move.has_value() ? nb::cast(G::write_move(state, *found.move)) : nb::none();
    told["value"] = found.value;
    told["expansions"] = found.spent.expansions;
    told["evaluations"] = found.spent.evaluations;
    told["asked"] = found.spent.asked;
    told["seconds"] = found.spent.seconds;
    told["depth"] = found.depth;
    told["why"] = text(found.why);
    told["line"] = line_of<G>(state, found.line);
    nb::list steps;
    for (const auto& step : found.steps) {
        steps.append(nb::make_tuple(step.nodes, line_of<G>(state, step.line), step.value, step.gain, step.price));
    }
    told["steps"] = steps;
    return told;
}

// The tree of MGSS* after a number of nodes, for tests. For each node: its parent, whether the first player
// is to move, and whether it is a leaf that is not over. Then its value for the first player, and mean and
// deviation of its error. Then the gains; that of the best set of leaves, and its leaf to be expanded; and
// the known bounds of each node.
template <GameOfTwo G>
nb::tuple mgss_tree(const typename G::State& state, std::uint64_t nodes, const nb::dict& statistics,
                    const std::optional<nb::callable>& asked) {
    const auto model = error_model<G>(statistics["errors"]);
    Budget budget;
    budget.nodes = nodes;
    Known<G> known = asked.has_value() ? Known<G>(asking<G>(*asked), 0) : Known<G>();
    Mgss<G> search(state, budget, model, nb::cast<double>(statistics["price"]), known, true, nb::cast<bool>(statistics["sets"]));
    nb::list found, bounds;
    for (typename Tree<G>::Index place = 0; place < search.tree().size(); ++place) {
        const auto& node = search.tree()[place];
        const bool is_open = node.count == 0 && !node.is_over;
        const Error error = is_open ? search.error(place) : Error{};
        found.append(nb::make_tuple(node.parent, node.is_mine, is_open, node.value, error.mean, error.deviation));
        bounds.append(nb::make_tuple(node.least, node.greatest));
    }
    auto gains = search.gains();
    const auto [gain, leaf] = search.best_set();
    return nb::make_tuple(found, gains, nb::make_tuple(gain, leaf), bounds);
}

// The tree of a sampled search, for tests. For each node: its parent, the move to it, and its children as the
// first index and their number. Then its samples, the number of half games that player 0 won in these, and
// both numbers for samples with the move made later.
template <GameOfTwo G>
nb::list sampled_tree(const typename G::State& state, std::uint64_t nodes, const std::string& name, const nb::dict& statistics) {
    Budget budget;
    budget.nodes = nodes;
    const Sampled<G> search(state, budget, sampling(name, statistics));
    nb::list found;
    std::vector<typename G::State> states;
    for (const auto& node : search.tree()) {
        const bool is_root = states.empty();
        states.push_back(is_root ? state : G::after(states[node.parent], node.move));
        found.append(nb::make_tuple(node.parent, is_root ? std::string() : G::write_move(states[node.parent], node.move), node.first, node.count,
                                    node.samples, node.won, node.others, node.others_won));
    }
    return found;
}

template <GameOfTwo G>
void bind_searches(nb::module_& module, nb::class_<typename G::State>& state) {
    state.def_prop_ro("conditions", [](const typename G::State& self) {
        const auto found = conditions<G>(self, G::evaluation(self));
        return std::vector<int>(found.begin(), found.end());
    });
    module.attr("CONDITIONS") = nb::tuple(nb::cast(condition_names<G>()));
    if constexpr (Symmetric<G>) {
        state.def_prop_ro("canonical", &G::canonical);
    }
    nb::class_<Stop<G>>(module, "Stop", nb::is_final()).def(nb::init<>()).def("set", [](Stop<G>& self) {
        self.is_set = true;
    });
    nb::class_<Searcher<G>>(module, "Search", nb::is_final())
        .def(
            "__call__",
            [](const Searcher<G>& self, const typename G::State& at, std::optional<std::uint64_t> nodes,
               std::optional<double> seconds, std::optional<int> depth, double share, const Stop<G>* stop,
               bool trace, const std::vector<std::string>& only, std::size_t lines, const std::optional<nb::callable>& report) {
                const Budget budget = budget_of(nodes, seconds, depth, share, stop == nullptr ? nullptr : &stop->is_set, trace);
                return decide<G>(self, at, budget, analysis_of<G>(self, at, only, lines, report));
            },
            "state"_a, nb::kw_only(), "nodes"_a = nb::none(), "seconds"_a = nb::none(), "depth"_a = nb::none(),
            "share"_a = 1.0, "stop"_a.none() = nb::none(), "trace"_a = false, "only"_a = std::vector<std::string>(),
            "lines"_a = 1, "report"_a = nb::none())
        .def_prop_ro("gives_lines", [](const Searcher<G>& self) { return self.gives_lines; });
    module.def(
        "search",
        [](const std::string& name, const nb::dict& statistics, const std::optional<nb::callable>& known, std::uint64_t after,
           std::optional<std::size_t> megabytes) {
            return search_of<G>(
                name, statistics,
                known.has_value() ? std::make_shared<Known<G>>(asking<G>(*known), after) : std::make_shared<Known<G>>(),
                megabytes);
        },
        "name"_a, "statistics"_a = nb::dict(), "known"_a = nb::none(), "after"_a = 0,
        "megabytes"_a = nb::none());
    module.def("sampled_tree", &sampled_tree<G>, "state"_a, "nodes"_a, "name"_a, "statistics"_a = nb::dict());
    module.def("mgss_tree", &mgss_tree<G>, "state"_a, "nodes"_a, "statistics"_a, "known"_a = nb::none());
}

}  // namespace play
