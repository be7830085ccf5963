// The tries of an engine as data: the step of each node, the number of rules that share it, and estimates.
#include <algorithm>
#include <unordered_set>

#include "report/describe.hpp"

namespace hornbook {

namespace {

// A trie while it is described.
class Description {
public:
    Description(TrieName name, const Tree& tree, const Plans& plans, Planner& planner)
        : tree_(tree), steps_(plans.steps()), planner_(planner) {
        result_.name = name;
        result_.nodes.resize(tree.size());
        read_nodes();
        count_rules(plans);
        expect();
    }

    DescribedTrie take() { return std::move(result_); }

private:
    void read_nodes() {
        for (NodeId node = 0; node < tree_.size(); ++node) {
            result_.nodes[node].node = node;
            result_.nodes[node].step = node == 0 ? nullptr : &steps_[tree_[node].step];
            result_.nodes[node].bytes = sizeof(Node) + sizeof(Op);
            for (NodeId child = tree_[node].child; child != 0; child = tree_[child].sibling) {
                result_.nodes[child].parent = node;
            }
        }
    }

    void count_rules(const Plans& plans) {
        std::vector<std::pair<RuleNumber, NodeId>> ends;
        for (NodeId node = 0; node < tree_.size(); ++node) {
            for (std::uint32_t number = tree_[node].terminal; number != 0; number = tree_.before(number)) {
                const RuleNumber rule = tree_.terminal(number).rule;
                result_.nodes[node].bytes += 2 * sizeof(Terminal) + sizeof(std::uint32_t);
                if (!plans.is_removed(rule)) {
                    result_.nodes[node].ends.push_back(rule);
                    ends.emplace_back(rule, node);
                }
            }
        }
        // A rule that reaches a node in several ways counts once.
        std::sort(ends.begin(), ends.end());
        std::vector<RuleNumber> last(tree_.size(), std::numeric_limits<RuleNumber>::max());
        for (const auto& [rule, end] : ends) {
            for (NodeId node = end;; node = result_.nodes[node].parent) {
                result_.steps += node == 0 ? 0 : 1;
                if (last[node] != rule) {
                    last[node] = rule;
                    ++result_.nodes[node].rules;
                }
                if (node == 0) {
                    break;
                }
            }
        }
    }

    void expect() {
        for (NodeId node = 1; node < tree_.size(); ++node) {
            DescribedNode& described = result_.nodes[node];
            const DescribedNode& parent = result_.nodes[described.parent];
            described.visits = parent.visits * parent.expected;
            described.expected = expected(*described.step, described.parent);
        }
    }

    double expected(const Step& step, NodeId above) {
        // Default selectivities: Selinger et al. 1979, table 1.
        constexpr double RANGE = 1.0 / 3;
        constexpr double HALF = 1.0 / 2;
        switch (step.kind) {
            case Step::Kind::ASSIGN:
            case Step::Kind::CALCULATE: return 1;
            case Step::Kind::CHECK:
            case Step::Kind::TEST:
                if (step.comparison != Comparison::EQUAL && step.comparison != Comparison::NOT_EQUAL) {
                    return RANGE;
                }
                return step.comparison == Comparison::EQUAL ? equal_share(step, above) : 1 - equal_share(step, above);
            case Step::Kind::GUARD: return HALF;
            default: break;
        }
        std::vector<bool> known(step.relation->arity(), step.kind == Step::Kind::EXACT);
        if (step.kind == Step::Kind::LOOKUP) {
            for (const std::uint32_t column : step.relation->columns_of(step.index)) {
                known[column] = true;
            }
        }
        const double rows = planner_.expected_rows(step.predicate, known);
        return step.kind == Step::Kind::EXACT ? std::min(rows, 1.0) : rows;
    }

    // The probability that two cells are equal: the reciprocal of the number of distinct cells in their columns.
    double equal_share(const Step& step, NodeId above) {
        constexpr double EQUAL = 1.0 / 10;
        if (step.kind == Step::Kind::CHECK) {
            return EQUAL;
        }
        double most = 0;
        for (const Term& term : {step.left, step.right}) {
            if (term.is_variable()) {
                most = std::max(most, distinct(term.index(), above));
            }
        }
        return most == 0 ? EQUAL : 1 / std::max(1.0, most);
    }

    // The expected number of distinct cells in a slot that is filled at a node or above it; 0 if unknown.
    double distinct(std::uint32_t slot, NodeId node) {
        const auto of_column = [&](PredicateId predicate, std::uint32_t column, std::size_t arity) {
            std::vector<bool> known(arity);
            const double all = planner_.expected_rows(predicate, known);
            known[column] = true;
            const double some = planner_.expected_rows(predicate, known);
            return some > 0 ? all / some : 0;
        };
        for (; node != 0; node = result_.nodes[node].parent) {
            const Step& step = *result_.nodes[node].step;
            for (const Field& field : step.outputs) {
                if (field.slot == slot) {
                    return of_column(step.predicate, field.column, step.relation->arity());
                }
            }
            if (step.kind == Step::Kind::CALCULATE && step.slot == slot) {
                return 0;
            }
        }
        if (result_.name.kind == TrieName::Kind::WHOLE) {
            return 0;
        }
        return of_column(result_.name.predicate, slot, planner_.relations()[result_.name.predicate]->arity());
    }

    const Tree& tree_;
    const Steps& steps_;
    Planner& planner_;
    DescribedTrie result_;
};

}  // namespace

Network network_of(Plans& plans, Budget& budget, const std::vector<PredicateId>& predicates) {
    Planner planner(plans.steps(), plans.statistics(), budget, true);
    Network network;
    network.tries.push_back(Description({TrieName::Kind::WHOLE, 0}, plans.known_whole().tree(), plans, planner).take());
    for (const PredicateId predicate : predicates) {
        const Tree& tree = plans.delta(predicate, true).tree();
        network.tries.push_back(Description({TrieName::Kind::CHANGE, predicate}, tree, plans, planner).take());
    }
    for (RuleNumber number = 0; number < plans.rules(); ++number) {
        if (!plans.rule(number).is_guarded || plans.is_removed(number)) {
            continue;
        }
        const Conjunction& body = plans.conjunction(number);
        DescribedBody described;
        described.rule = number;
        for (const StepId step : body.join) {
            described.steps.push_back(&plans.steps()[step]);
        }
        for (const Residual& residual : body.residuals) {
            described.guards.push_back(residual.place);
        }
        network.bodies.push_back(std::move(described));
    }
    return network;
}

Statistics::Measure measure_of(const Relation& relation) {
    Statistics::Measure measure;
    measure.rows = static_cast<double>(relation.linked_count());
    for (std::uint32_t column = 0; column < relation.arity(); ++column) {
        std::unordered_set<Cell> cells;
        for (Row row = 0; row < relation.size(); ++row) {
            if (relation.is_linked(row)) {
                cells.insert(relation.cells(row)[column]);
            }
        }
        measure.distinct.push_back(static_cast<double>(cells.size()));
    }
    return measure;
}

}  // namespace hornbook
