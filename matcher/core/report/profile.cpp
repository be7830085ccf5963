// The counts, assigned to nodes, to rules and to their conditions.
//
// If several rules share a node, each gets an equal part of its time, and all of its visits.

#include <algorithm>
#include <map>

#include "report/describe.hpp"
#include "report/origins.hpp"

namespace hornbook {

namespace {

class Blame {
public:
    Blame(const Profile& profile, const Plans& plans, const Facts& facts)
        : profile_(profile), plans_(plans), facts_(facts), seconds_per_tick_(profile.seconds_per_tick()) {}

    // `is_retired`: the numbers of its nodes belong to another trie now.
    void trie(TrieName name, const Trie& trie, bool is_retired = false) {
        const TrieCounts* counts = profile_.find(trie);
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
                if (const RuleNumber rule = tree.terminal(number).rule; !plans_.is_removed(rule)) {
                    plans.emplace_back(rule, node);
                    rules.push_back(rule);
                }
            }
            of.found = conclusion.visits * rules.size();
            for (const RuleNumber rule : rules) {
                // The results of a guarded rule's trie are only the beginning of its evaluation.
                const bool is_guarded = plans_.rule(rule).is_guarded;
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
        const Rule& rule = plans_.rule(number);
        if (plans_.is_removed(number)) {
            report.rest += seconds(counts.conclusion);
            for (const auto* accounts : {&counts.joins, &counts.residuals}) {
                for (const Account& account : *accounts) {
                    report.rest += seconds(account);
                }
            }
            return;
        }
        const bool is_whole = reading == Profile::Reading::WHOLE;
        const Conjunction& read = is_whole ? plans_.known_conjunction(number) : *plans_.guarded(number).candidate;
        Beginning beginning;
        beginning.known = is_whole ? std::vector<bool>(rule.variables) : plans_.guarded(number).known;
        const auto places = origins(rule.body, beginning, 0, plans_.steps(), read.join);
        for (std::size_t at = 0; at < counts.joins.size(); ++at) {
            lay(number, places.empty() ? ProfileReport::BEGINNING : places[at], counts.joins[at], 1);
        }
        for (std::size_t at = 0; at < counts.residuals.size(); ++at) {
            lay(number, static_cast<std::int32_t>(read.residuals[at].place), counts.residuals[at], 1);
        }
        lay(number, ProfileReport::CONCLUSION, counts.conclusion, 1);
    }

    ProfileReport take() {
        report.rest += seconds(profile_.rest);
        report.storing = seconds(profile_.storing);
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

    // Distribute each visited node to the rules that go through it, and to the condition of its step.
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
        const Rule& rule = plans_.rule(number);
        std::vector<StepId> plan;
        for (const NodeId node : path) {
            plan.push_back(tree[node].step);
        }
        std::vector<Beginning> possible;
        if (name.kind == TrieName::Kind::CHANGE) {
            const std::vector<bool>* known = rule.is_guarded ? &plans_.guarded(number).known : nullptr;
            const std::uint32_t arity = facts_[name.predicate].arity();
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
            auto places = origins(rule.body, beginning, name.predicate, plans_.steps(), plan);
            if (!places.empty()) {
                return places;
            }
        }
        return {};
    }

    const Profile& profile_;
    const Plans& plans_;
    const Facts& facts_;
    const double seconds_per_tick_;
    std::vector<NodeId> parents_;
    std::map<std::pair<RuleNumber, std::int32_t>, ProfileReport::OfPart> parts_;
    ProfileReport report;
};

}  // namespace

ProfileReport report_of(const Profile& profile, const Plans& plans, const Facts& facts) {
    Blame blame(profile, plans, facts);
    blame.trie({TrieName::Kind::WHOLE, 0}, plans.known_whole());
    for (PredicateId predicate = 0; predicate < facts.relations().size(); ++predicate) {
        if (const Trie* trie = plans.known_delta(predicate)) {
            blame.trie({TrieName::Kind::CHANGE, predicate}, *trie);
        }
        if (const Trie* trie = plans.known_backward(predicate)) {
            blame.trie({TrieName::Kind::PROOF, predicate}, *trie);
        }
    }
    for (const auto& [predicate, trie] : profile.retired()) {
        blame.trie({TrieName::Kind::CHANGE, predicate}, *trie, true);
    }
    for (const auto& [key, counts] : profile.bodies()) {
        blame.body(key.first, key.second, counts);
    }
    return blame.take();
}

}  // namespace hornbook
