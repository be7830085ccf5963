// The network and a profile as Python data for the classes of matcher/compiled/network.py.
#include "python/describe_to_python.hpp"

#include "data/words.hpp"

#include "report/origins.hpp"

namespace nb = nanobind;

namespace hornbook {

namespace {

constexpr const char* STEPS[] = {"scan", "lookup", "exact", "test", "calculate", "check", "assign", "guard"};
constexpr const char* TRIES[] = {"whole", "change", "proof"};

nb::object python_term(const Term& term) {
    switch (term.kind) {
        case Term::Kind::NONE: return nb::none();
        case Term::Kind::CELL: return nb::int_(term.value);
        case Term::Kind::VARIABLE: return classes().var(term.value);
    }
    return nb::none();
}

nb::object python_expression(const Expression& expression) {
    std::vector<nb::object> stack;
    for (const Instruction& each : expression) {
        if (each.is_push) {
            stack.push_back(python_term(each.term));
            continue;
        }
        if (each.operation == Operator::CALL) {
            nb::list operands;
            const std::size_t first = stack.size() - each.operands;
            for (std::size_t place = first; place < stack.size(); ++place) {
                operands.append(stack[place]);
            }
            stack.resize(first);
            const auto& called = static_cast<const PythonCalled&>(each.called());
            stack.push_back(classes().call(called.function(), nb::tuple(operands)));
            continue;
        }
        const nb::object right = stack.back();
        stack.pop_back();
        stack.back() = classes().apply(word_of(each.operation), stack.back(), right);
    }
    return stack.at(0);
}

nb::object python_comparison(const Step& step) {
    const char* comparison = word_of(step.comparison);
    switch (step.kind) {
        case Step::Kind::TEST: return classes().compare(comparison, python_term(step.left), python_term(step.right));
        case Step::Kind::CHECK:
            return classes().compare(comparison, python_expression(step.left_expression),
                                     python_expression(step.right_expression));
        case Step::Kind::ASSIGN: return classes().compare("=", classes().var(step.slot), python_term(step.left));
        case Step::Kind::CALCULATE:
            return classes().compare("=", classes().var(step.slot), python_expression(step.right_expression));
        default: return nb::none();
    }
}

// (kind, predicate, terms, slots filled, not the changed fact, comparison)
nb::object python_step(const Step* step) {
    if (step == nullptr) {
        return nb::none();
    }
    nb::list terms;
    nb::list fills;
    if (step->relation != nullptr) {
        for (const Term& term : terms_of(*step)) {
            terms.append(python_term(term));
        }
        for (const Field& field : step->outputs) {
            fills.append(field.slot);
        }
    } else if (step->kind == Step::Kind::ASSIGN || step->kind == Step::Kind::CALCULATE) {
        fills.append(step->slot);
    }
    const nb::object predicate = step->relation == nullptr ? nb::none() : nb::object(nb::int_(step->predicate));
    return nb::make_tuple(STEPS[static_cast<std::size_t>(step->kind)], predicate, nb::tuple(terms), nb::tuple(fills),
                          step->is_not_seed, python_comparison(*step));
}

nb::object python_name(const TrieName& name) {
    const bool is_whole = name.kind == TrieName::Kind::WHOLE;
    return nb::make_tuple(TRIES[static_cast<std::size_t>(name.kind)],
                          is_whole ? nb::none() : nb::object(nb::int_(name.predicate)));
}

}  // namespace

nb::object python_network(const Network& network) {
    nb::list tries;
    for (const DescribedTrie& trie : network.tries) {
        nb::list nodes;
        for (const DescribedNode& node : trie.nodes) {
            nb::list ends;
            for (const RuleNumber rule : node.ends) {
                ends.append(rule);
            }
            nodes.append(nb::make_tuple(node.parent, python_step(node.step), node.rules, ends, node.expected,
                                        node.visits, node.bytes));
        }
        tries.append(nb::make_tuple(python_name(trie.name), nodes, trie.steps));
    }
    nb::list bodies;
    for (const DescribedBody& body : network.bodies) {
        nb::list steps;
        for (const Step* step : body.steps) {
            steps.append(python_step(step));
        }
        nb::list guards;
        for (const std::uint32_t place : body.guards) {
            guards.append(place);
        }
        bodies.append(nb::make_tuple(body.rule, nb::tuple(steps), nb::tuple(guards)));
    }
    return nb::make_tuple(tries, bodies);
}

nb::object python_report(const ProfileReport& report) {
    nb::list nodes;
    for (const ProfileReport::OfNode& node : report.nodes) {
        nodes.append(nb::make_tuple(python_name(node.trie), node.node, node.visits, node.rows, node.found,
                                    node.seconds));
    }
    nb::list parts;
    for (const ProfileReport::OfPart& part : report.parts) {
        parts.append(nb::make_tuple(part.rule, part.part, part.visits, part.rows, part.seconds));
    }
    return nb::make_tuple(report.seconds, report.storing, report.rest, nodes, parts);
}

}  // namespace hornbook
