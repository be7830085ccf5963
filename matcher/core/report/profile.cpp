// What was counted, laid to nodes, to rules and to their conditions.
//
// A node that several rules share costs each of them an equal part of its time; all of them were there as often as
// it was visited.
#include "run/profile.hpp"

#include <algorithm>
#include <map>

#include "report/origins.hpp"
#include "run/engine.hpp"

namespace hornbook {

class Engine::Blame {
public:
    Blame(const Engine& engine, double seconds_per_tick) : engine_(engine), seconds_per_tick_(seconds_per_tick) {}

    // `is_retired`: the numbers of its nodes are those of another trie now.
    void trie(TrieName name, const Trie& trie, bool is_retired = false) {
        const TrieCounts* counts = engine_.profile_->find(trie);
        if (counts == nullptr) {
            return;
        }
        const Tree& tree = trie.tree();
        const std::size_t size = counts->nodes.size();
        parents_.assign(size, 0);
        std::vector<std::pair<RuleNumber, NodeId>> plans;
        for (NodeId node = 0; node < size; ++node) {
            for (NodeId child = tree[node].child; child != 0; child = tree[child].sibling) {
                if (child < size) {
                    parents_[child] = node;
                }
            }
            ProfileReport::OfNode of{name, node, counts->nodes[node].visits, counts->nodes[node].rows, 0,
                                     seconds(counts->nodes[node])};
            const Account& conclusion = counts->conclusions[node];
            std::vector<RuleNumber> rules;
            for (std::uint32_t number = tree[node].terminal; number != 0; number = tree.before(number)) {
                if (const RuleNumber rule = tree.terminal(number).rule; engine_.is_removed_[rule] == 0) {
                    plans.emplace_back(rule, node);
                    rules.push_back(rule);
                }
            }
            of.found = conclusion.visits * rules.size();
            for (const RuleNumber rule : rules) {
                // What a guarded rule's trie leads to is only the beginning of its reading.
                const bool is_guarded = engine_.rules_[rule]->is_guarded;
                lay(rule, is_guarded ? ProfileReport::BEGINNING : ProfileReport::CONCLUSION, conclusion, rules.size());
            }
            if (rules.empty()) {
                report.rest += seconds(conclusion);
            }
            if (of.visits != 0 && !is_retired) {
                report.nodes.push_back(of);
            }
        }
        std::sort(plans.begin(), plans.end());
        share(name, tree, *counts, plans);
    }

    void body(RuleNumber number, Profile::Reading reading, const BodyCounts& counts) {
        const Rule& rule = *engine_.rules_[number];
        if (engine_.is_removed_[number] != 0) {
            report.rest += seconds(counts.conclusion);
            for (const auto* accounts : {&counts.joins, &counts.residuals}) {
                for (const Account& account : *accounts) {
                    report.rest += seconds(account);
                }
            }
            return;
        }
        const bool is_whole = reading == Profile::Reading::WHOLE;
        const Conjunction& read = is_whole ? *engine_.conjunctions_.at(number) : *engine_.guarded_.at(number).candidate;
        Beginning beginning;
        beginning.known = is_whole ? std::vector<bool>(rule.variables) : engine_.guarded_.at(number).known;
        const auto places = origins(rule.body, beginning, 0, engine_.steps_, read.join);
        for (std::size_t at = 0; at < counts.joins.size(); ++at) {
            lay(number, places.empty() ? ProfileReport::BEGINNING : places[at], counts.joins[at], 1);
        }
        for (std::size_t at = 0; at < counts.residuals.size(); ++at) {
            lay(number, static_cast<std::int32_t>(read.residuals[at].place), counts.residuals[at], 1);
        }
        lay(number, ProfileReport::CONCLUSION, counts.conclusion, 1);
    }

    ProfileReport take() {
        report.rest += seconds(engine_.profile_->rest);
        report.storing = seconds(engine_.profile_->storing);
        report.seconds = report.rest + report.storing;
        for (const auto& [key, part] : parts_) {
            report.parts.push_back(part);
            report.seconds += part.seconds;
        }
        return std::move(report);
    }

private:
    [[nodiscard]] double seconds(const Account& account) const {
        return static_cast<double>(account.ticks) * seconds_per_tick_;
    }

    void lay(RuleNumber rule, std::int32_t part, const Account& account, std::size_t rules) {
        if (account.visits == 0) {
            return;
        }
        ProfileReport::OfPart& of = parts_[{rule, part}];
        of.rule = rule;
        of.part = part;
        of.visits += account.visits;
        of.rows += account.rows;
        of.seconds += seconds(account) / static_cast<double>(rules);
    }

    // Each visited node to the rules that go through it, and there to the condition that its step is of.
    void share(TrieName name, const Tree& tree, const TrieCounts& counts,
               const std::vector<std::pair<RuleNumber, NodeId>>& plans) {
        constexpr RuleNumber NOBODY = std::numeric_limits<RuleNumber>::max();
        std::vector<std::size_t> rules(counts.nodes.size());
        std::vector<RuleNumber> last(counts.nodes.size(), NOBODY);
        const auto climb = [&](RuleNumber rule, NodeId end, auto&& take) {
            for (NodeId node = end;; node = parents_[node]) {
                if (last[node] != rule) {
                    last[node] = rule;
                    take(node);
                }
                if (node == 0) {
                    return;
                }
            }
        };
        for (const auto& [rule, end] : plans) {
            climb(rule, end, [&](NodeId node) { ++rules[node]; });
        }
        std::fill(last.begin(), last.end(), NOBODY);
        for (const auto& [rule, end] : plans) {
            std::vector<NodeId> path;
            for (NodeId node = end; node != 0; node = parents_[node]) {
                path.push_back(node);
            }
            std::reverse(path.begin(), path.end());
            if (counts.nodes[0].visits == 0) {
                continue;
            }
            const std::vector<std::int32_t> places = path.empty() || counts.nodes[path[0]].visits == 0
                                                         ? std::vector<std::int32_t>()
                                                         : places_of(name, tree, rule, path);
            climb(rule, end, [&](NodeId node) {
                const auto at = std::find(path.begin(), path.end(), node);
                const bool is_known = at != path.end() && !places.empty();
                const std::int32_t place = is_known ? places[static_cast<std::size_t>(at - path.begin())] : NOTHING;
                lay(rule, place == NOTHING ? ProfileReport::BEGINNING : place, counts.nodes[node], rules[node]);
            });
        }
        for (NodeId node = 0; node < counts.nodes.size(); ++node) {
            if (rules[node] == 0) {
                report.rest += seconds(counts.nodes[node]);
            }
        }
    }

    std::vector<std::int32_t> places_of(TrieName name, const Tree& tree, RuleNumber number,
                                        const std::vector<NodeId>& path) {
        const Rule& rule = *engine_.rules_[number];
        std::vector<StepId> plan;
        for (const NodeId node : path) {
            plan.push_back(tree[node].step);
        }
        std::vector<Beginning> possible;
        if (name.kind == TrieName::Kind::CHANGE) {
            const std::vector<bool>* known = rule.is_guarded ? &engine_.guarded_.at(number).known : nullptr;
            const std::uint32_t arity = engine_.relations_[name.predicate]->arity();
            possible = beginnings(rule.body, name.predicate, arity, rule.variables, known);
        } else {
            Beginning one;
            one.ignored.resize(rule.variables);
            if (name.kind == TrieName::Kind::PROOF) {
                one.terms = rule.head_terms;
            }
            possible.push_back(std::move(one));
        }
        for (const Beginning& beginning : possible) {
            auto places = origins(rule.body, beginning, name.predicate, engine_.steps_, plan);
            if (!places.empty()) {
                return places;
            }
        }
        return {};
    }

    const Engine& engine_;
    const double seconds_per_tick_;
    std::vector<NodeId> parents_;
    std::map<std::pair<RuleNumber, std::int32_t>, ProfileReport::OfPart> parts_;
    ProfileReport report;
};

void Engine::count(bool is_counted) {
    if (is_counted) {
        profile_ = std::make_unique<Profile>();
        whole_.settle(steps_, true);
        for (auto& [predicate, delta] : delta_) {
            delta.trie.settle(steps_, true);
        }
        for (auto& [predicate, trie] : backward_) {
            trie.settle(steps_, true);
        }
    }
    is_counted_ = is_counted;
}

ProfileReport Engine::profile_report() const {
    if (profile_ == nullptr) {
        return {};
    }
    Blame blame(*this, profile_->seconds_per_tick());
    blame.trie({TrieName::Kind::WHOLE, 0}, whole_);
    for (PredicateId predicate = 0; predicate < relations_.size(); ++predicate) {
        if (const auto found = delta_.find(predicate); found != delta_.end()) {
            blame.trie({TrieName::Kind::CHANGE, predicate}, found->second.trie);
        }
        if (const auto found = backward_.find(predicate); found != backward_.end()) {
            blame.trie({TrieName::Kind::PROOF, predicate}, found->second);
        }
    }
    for (const auto& [predicate, trie] : profile_->retired()) {
        blame.trie({TrieName::Kind::CHANGE, predicate}, *trie, true);
    }
    for (const auto& [key, counts] : profile_->bodies()) {
        blame.body(key.first, key.second, counts);
    }
    return blame.take();
}

}  // namespace hornbook
