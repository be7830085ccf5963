#include "play/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

namespace hornbook::planner {

namespace {

constexpr double exploration = 0.7;
// The number of games of a move for which games with the later move have half the weight, times three.
constexpr double rave_games = 500;
constexpr std::size_t longest_line = 100;

}  // namespace

TreeSearch::Worker::Worker(std::unique_ptr<Machine> own_machine, Machine& shared, std::uint64_t seed,
                           std::size_t roles)
    : own(std::move(own_machine)), machine(own ? *own : shared), random(seed), made(roles) {}

TreeSearch::TreeSearch(Machine& machine, bool rave, std::uint64_t seed, std::size_t most_bytes)
    : machine_(machine),
      roles_(machine.roles()),
      rave_(rave),
      seed_(seed),
      most_bytes_(most_bytes),
      tree_(std::make_unique<GameTree>(roles_)),
      has_constant_sum_(roles_ <= 2) {}

TreeResult TreeSearch::run(State state, std::size_t role, double seconds, std::uint64_t playouts, std::size_t threads,
                           const StopSignal* stop, const std::function<void()>& look_for_signals) {
    const std::unique_lock only(running_, std::try_to_lock);
    if (!only) {
        throw std::runtime_error("a search of this tree is running");
    }
    if (role >= roles_) {
        throw std::invalid_argument("no such role");
    }
    const auto until = time_after(seconds);
    most_playouts_ = playouts;
    begun_ = playouts_ = depth_ = 0;
    worths_.assign(roles_, 0);
    StopSignal ending;
    try {
        prepare(state, threads);
        const auto helpers = std::min(threads, workers_.size());
        std::vector<std::exception_ptr> problems(helpers);
        {
            std::vector<std::jthread> running;
            const auto run_one = [&](std::size_t number) {
                try {
                    work(*workers_[number], Limits(until, stop, ending), number == 0 ? look_for_signals : [] {});
                } catch (...) {
                    problems[number] = std::current_exception();
                    ending.set();
                }
            };
            for (std::size_t number = 1; number < helpers; ++number) {
                running.emplace_back(run_one, number);
            }
            run_one(0);
        }
        for (const auto& found : problems) {
            if (found) {
                std::rethrow_exception(found);
            }
        }
        return result(role);
    } catch (...) {
        tree_ = std::make_unique<GameTree>(roles_);  // it may have a node that is not complete
        throw;
    }
}

void TreeSearch::prepare(State state, std::size_t threads) {
    while (workers_.size() < std::max<std::size_t>(threads, 1)) {
        auto own = machine_.another();
        if (!own && !workers_.empty()) {
            break;
        }
        workers_.push_back(std::make_unique<Worker>(std::move(own), machine_, seed_ + workers_.size(), roles_));
    }
    Machine& machine = workers_[0]->machine;
    root_ = tree_->add(machine, state);
    if (tree_->bytes() > most_bytes_ / 2) {
        tree_ = tree_->below(root_);
        root_ = 0;
    }
    if (!(*tree_)[root_].is_over && !(*tree_)[root_].is_open()) {
        tree_->open(machine, root_);
    }
}

void TreeSearch::work(Worker& worker, Limits limits, const std::function<void()>& look_for_signals) {
    auto looked = SearchClock::now();
    std::unique_lock lock(tree_lock_);
    while (begun_ < most_playouts_ && !is_decided(root_) && !(*tree_)[root_].is_over && !limits.reached()) {
        ++begun_;
        descend(worker);
        if (!worker.is_decided) {
            lock.unlock();
            const bool finished = play(worker, limits);
            lock.lock();
            if (!finished) {
                abandon(worker);
                return;
            }
        }
        back_up(worker);
        if (const auto now = SearchClock::now(); now - looked > between_looks_for_signals) {
            looked = now;
            lock.unlock();
            look_for_signals();
            lock.lock();
        }
    }
}

// Whether the bounds decide the value of a state for each role, and are used.
bool TreeSearch::is_decided(NodeId node) const {
    if (!has_constant_sum_) {
        return false;
    }
    for (std::size_t role = 0; role < roles_; ++role) {
        if (tree_->lower(node, role) != tree_->upper(node, role)) {
            return false;
        }
    }
    return true;
}

void TreeSearch::descend(Worker& worker) {
    GameTree& tree = *tree_;
    worker.path.clear();
    worker.picks.clear();
    worker.is_decided = false;
    worker.is_ended = false;
    ++worker.game;
    NodeId node = root_;
    while (true) {
        TreeNode& here = tree[node];
        if (here.is_over || is_decided(node)) {
            worker.is_decided = true;
            worker.is_ended = here.is_over;
            worker.worths.resize(roles_);
            for (std::size_t role = 0; role < roles_; ++role) {
                worker.worths[role] = tree.lower(node, role);
            }
            break;
        }
        const auto plies = worker.path.size();
        const bool has_room = tree.bytes() < most_bytes_;
        if (plies >= most_plies_of_a_game || (!here.is_open() && (here.visits == 0 || !has_room))) {
            const auto words = tree.state(node);
            worker.state.assign(words.begin(), words.end());
            ++here.visits;
            break;
        }
        if (!here.is_open()) {
            tree.open(worker.machine, node);
        }
        const auto first_pick = worker.picks.size();
        for (const auto& choice : here.all_choices()) {
            const auto picked = select(worker, node, choice);
            ++here.edges_of(choice)[picked].visits;
            worker.picks.push_back(picked);
        }
        ++here.visits;
        worker.path.push_back({node, first_pick});
        const std::span<const std::uint32_t> picked(worker.picks.begin() + static_cast<std::ptrdiff_t>(first_pick),
                                                    worker.picks.end());
        if (!has_room && tree.known_successor(node, picked) == no_node) {
            tree.joint_of(worker.machine, node, picked, worker.joint);
            worker.state.clear();
            worker.machine.next(worker.joint, worker.state);
            break;
        }
        node = tree.successor(worker.machine, node, picked);
    }
    worker.plies = worker.path.size();
    depth_ = std::max(depth_, worker.plies);
}

std::uint32_t TreeSearch::select(Worker& worker, NodeId node, const Choice& choice) {
    const TreeNode& here = (*tree_)[node];
    const auto edges = here.edges_of(choice);
    if (choice.count == 1) {
        return 0;
    }
    const double log_visits = std::log(static_cast<double>(here.visits) + 1);
    const auto guaranteed = tree_->lower(node, choice.role);
    // Unvisited moves have equal ratings, so the first one considered is random.
    std::uint32_t edge = worker.random.below(choice.count);
    std::uint32_t best = edge;
    double best_rating = -1;
    for (std::uint32_t left = choice.count; left > 0; --left, edge = edge + 1 == choice.count ? 0 : edge + 1) {
        const TreeEdge& each = edges[edge];
        if (has_constant_sum_ && each.to != no_node && tree_->upper(each.to, choice.role) <= guaranteed) {
            continue;  // proved to be no better than another move
        }
        const double found = rating(each, log_visits);
        if (found > best_rating) {
            best_rating = found;
            best = edge;
        }
    }
    return best;
}

double TreeSearch::rating(const TreeEdge& edge, double log_visits) const {
    constexpr double unvisited = 1e9;
    const auto visits = static_cast<double>(edge.visits);
    if (!rave_ || edge.later_visits == 0) {
        return edge.visits == 0 ? unvisited : edge.worth / (most_worth * visits) + exploration * std::sqrt(log_visits / visits);
    }
    const double later = edge.later_worth / (most_worth * static_cast<double>(edge.later_visits));
    const double weight = std::sqrt(rave_games / (3 * visits + rave_games));
    const double mean = edge.visits == 0 ? later : edge.worth / (most_worth * visits);
    return (1 - weight) * mean + weight * later + exploration * std::sqrt(log_visits / (visits + 1));
}

void TreeSearch::remember(Worker& worker, std::size_t role, Move move) const {
    auto& made = worker.made[role];
    const auto place = static_cast<std::size_t>(move);
    if (place >= made.size()) {
        made.resize(std::max(place + 1, 2 * made.size()), 0);
    }
    made[place] = worker.game;
}

bool TreeSearch::was_made(const Worker& worker, std::size_t role, Move move) const {
    const auto& made = worker.made[role];
    const auto place = static_cast<std::size_t>(move);
    return place < made.size() && made[place] == worker.game;
}

// Plays a random game from `worker.state`. Returns false if a limit was reached before its end.
bool TreeSearch::play(Worker& worker, Limits& limits) {
    Machine& machine = worker.machine;
    worker.joint.resize(roles_);
    worker.worths.assign(roles_, 0);
    machine.look(worker.state);
    for (;; ++worker.plies) {
        if (limits.reached()) {
            return false;
        }
        if (machine.terminal()) {
            for (std::size_t role = 0; role < roles_; ++role) {
                worker.worths[role] = std::clamp(machine.goal(role), 0, most_worth);
            }
            worker.is_ended = true;
            return true;
        }
        if (worker.plies >= most_plies_of_a_game) {
            const int share = roles_ == 1 ? 0 : most_worth / static_cast<int>(roles_);
            for (std::size_t role = 0; role < roles_; ++role) {
                const int worth = machine.goal(role);
                worker.worths[role] = worth == no_worth ? share : std::min(worth, most_worth);
            }
            return true;
        }
        for (std::size_t role = 0; role < roles_; ++role) {
            const auto moves = machine.legal(role);
            if (moves.empty()) {
                worker.worths.assign(roles_, 0);
                worker.is_ended = true;
                return true;
            }
            if (moves.size() == 1) {
                worker.joint[role] = moves[0];
                continue;
            }
            worker.joint[role] = moves[worker.random.below(static_cast<std::uint32_t>(moves.size()))];
            if (rave_) {
                remember(worker, role, worker.joint[role]);
            }
        }
        worker.after.clear();
        machine.next(worker.joint, worker.after);
        worker.state.swap(worker.after);
        machine.look(worker.state);
    }
}

void TreeSearch::back_up(Worker& worker) {
    GameTree& tree = *tree_;
    ++playouts_;
    if (worker.is_ended) {
        note_end(worker.worths);
    }
    for (std::size_t role = 0; role < roles_; ++role) {
        worths_[role] += worker.worths[role];
    }
    bool has_new_bounds = worker.is_decided;
    for (std::size_t ply = worker.path.size(); ply-- > 0;) {
        const auto [node, first_pick] = worker.path[ply];
        TreeNode& here = tree[node];
        std::size_t pick = first_pick;
        for (const auto& choice : here.all_choices()) {
            TreeEdge& edge = here.edges_of(choice)[worker.picks[pick++]];
            edge.worth += worker.worths[choice.role];
            if (rave_) {
                // The path is walked backwards, so all moves remembered are not earlier than this one.
                remember(worker, choice.role, edge.move);
                for (TreeEdge& each : here.edges_of(choice)) {
                    if (was_made(worker, choice.role, each.move)) {
                        each.later_worth += worker.worths[choice.role];
                        ++each.later_visits;
                    }
                }
            }
        }
        has_new_bounds = has_new_bounds && tree.conclude(node);
    }
}

// Takes back the visits of a game without a result.
void TreeSearch::abandon(Worker& worker) {
    for (const auto& [node, first_pick] : worker.path) {
        TreeNode& here = (*tree_)[node];
        std::size_t pick = first_pick;
        for (const auto& choice : here.all_choices()) {
            --here.edges_of(choice)[worker.picks[pick++]].visits;
        }
        --here.visits;
    }
}

void TreeSearch::note_end(const std::vector<int>& worths) {
    if (roles_ != 2 || !has_constant_sum_) {
        return;
    }
    const int sum = worths[0] + worths[1];
    has_constant_sum_ = sum_of_worths_ < 0 || sum == sum_of_worths_;
    sum_of_worths_ = sum;
}

// Whether a move is among those to choose from, because of proved bounds.
bool TreeSearch::is_preferred(NodeId node, std::size_t place, std::uint32_t edge) const {
    const auto role = (*tree_)[node].choices[place].role;
    const auto [least, most] = tree_->bounds_of_edge(node, place, edge);
    const int guaranteed = tree_->lower(node, role);
    return has_constant_sum_ ? most > guaranteed || least >= std::max(guaranteed, 1) : least == most_worth;
}

std::uint32_t TreeSearch::best_edge(NodeId node, std::size_t place) const {
    const auto edges = (*tree_)[node].edges_of((*tree_)[node].choices[place]);
    const auto key = [&](std::uint32_t edge) {
        return std::tuple(is_preferred(node, place, edge), edges[edge].visits, edges[edge].worth);
    };
    std::uint32_t best = 0;
    auto best_key = key(0);
    for (std::uint32_t edge = 1; edge < edges.size(); ++edge) {
        if (const auto found = key(edge); found > best_key) {
            best = edge;
            best_key = found;
        }
    }
    return best;
}

TreeResult TreeSearch::result(std::size_t role) {
    const TreeNode& root = (*tree_)[root_];
    TreeResult found;
    found.playouts = playouts_;
    found.nodes = tree_->size();
    found.depth = depth_;
    found.lower = tree_->lower(root_, role);
    found.upper = tree_->upper(root_, role);
    found.worth = found.lower;
    if (root.is_over) {
        return found;
    }
    bool chooses = false;
    for (std::size_t place = 0; place < root.choice_count; ++place) {
        if (root.choices[place].role != role) {
            continue;
        }
        chooses = true;
        const auto edges = root.edges_of(root.choices[place]);
        for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
            const auto& each = edges[edge];
            const double mean = each.visits == 0 ? 0 : each.worth / static_cast<double>(each.visits);
            const auto [least, most] = tree_->bounds_of_edge(root_, place, edge);
            found.moves.push_back({each.move, each.visits, mean, least, most});
        }
        const auto& best = found.moves[best_edge(root_, place)];
        found.move = best.move;
        found.worth = best.worth;
    }
    if (!chooses) {
        Machine& machine = workers_[0]->machine;
        machine.look(tree_->state(root_));
        found.move = machine.legal(role)[0];
        found.worth = playouts_ == 0 ? 0 : worths_[role] / static_cast<double>(playouts_);
        found.moves.push_back({found.move, root.visits, found.worth, found.lower, found.upper});
    }
    if (has_constant_sum_ && found.lower == found.upper) {
        found.worth = found.lower;
    }
    found.line = best_line();
    return found;
}

// The joint moves from the root that the search prefers.
std::vector<std::vector<Move>> TreeSearch::best_line() {
    Machine& machine = workers_[0]->machine;
    std::vector<std::vector<Move>> line;
    std::vector<std::uint32_t> picked;
    for (NodeId node = root_; node != no_node && line.size() < longest_line; node = tree_->known_successor(node, picked)) {
        const TreeNode& here = (*tree_)[node];
        if (!here.is_open()) {
            break;
        }
        picked.clear();
        for (std::size_t place = 0; place < here.choice_count; ++place) {
            picked.push_back(best_edge(node, place));
        }
        tree_->joint_of(machine, node, picked, line.emplace_back());
    }
    return line;
}

}  // namespace hornbook::planner
