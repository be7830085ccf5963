#include "network/lane_net.hpp"

#include <algorithm>
#include <tuple>

namespace hornbook::planner::network {

namespace {

enum class Part : std::uint8_t { look, next, goal, none };

class LaneLayout {
  public:
    explicit LaneLayout(const Meaning& meaning)
        : meaning_(meaning), circuit_(meaning.circuit), parts_(circuit_.nodes(), Part::none),
          levels_(circuit_.nodes(), 0), rows_(circuit_.nodes(), 0) {}

    LaneNet lay_out() {
        find_parts();
        find_levels();
        net_.rows = 1;
        place_inputs(meaning_.fluents);
        for (const auto& moves : meaning_.does) {
            net_.moves.push_back(static_cast<std::uint32_t>(moves.size()));
            net_.does.push_back(net_.rows);
            place_inputs(moves);
        }
        net_.cycles = circuit_.cycles();
        place_part(Part::look, net_.look);
        place_part(Part::next, net_.next);
        place_part(Part::goal, net_.goal);
        for (auto& cycle : net_.cycles) {
            cycle.first = rows_[cycle.first];
            for (auto& rule : cycle.rules) {
                rule.outside = moved(rule.outside);
            }
        }
        for (const auto literal : meaning_.next) {
            net_.next_state.push_back(moved(literal));
        }
        for (const auto& moves : meaning_.legal) {
            auto& legal = net_.legal.emplace_back();
            for (const auto literal : moves) {
                legal.push_back(moved(literal));
            }
        }
        net_.terminal = moved(meaning_.terminal);
        for (const auto& worths : meaning_.goals) {
            auto& goals = net_.goals.emplace_back();
            for (const auto& [worth, literal] : worths) {
                goals.emplace_back(worth, moved(literal));
            }
        }
        return std::move(net_);
    }

  private:
    Literal moved(Literal literal) const { return 2 * rows_[node_of(literal)] + (is_negated(literal) ? 1 : 0); }

    void need(Literal literal, Part part) { parts_[node_of(literal)] = std::min(parts_[node_of(literal)], part); }

    // The first part that needs each node.
    void find_parts() {
        need(meaning_.terminal, Part::look);
        for (const auto& moves : meaning_.legal) {
            for (const auto literal : moves) {
                need(literal, Part::look);
            }
        }
        for (const auto literal : meaning_.next) {
            need(literal, Part::next);
        }
        for (const auto& worths : meaning_.goals) {
            for (const auto& [worth, literal] : worths) {
                need(literal, Part::goal);
            }
        }
        auto cycle = circuit_.cycles().rbegin();
        for (auto node = static_cast<Node>(circuit_.nodes()); node-- > 0;) {
            if (circuit_.kind(node) == Kind::of_cycle) {
                if (node == cycle->first) {
                    const auto atoms = parts_.begin() + node;
                    const auto part = *std::min_element(atoms, atoms + cycle->atoms);
                    std::fill_n(atoms, cycle->atoms, part);
                    for (const auto& rule : cycle->rules) {
                        need(rule.outside, part);
                    }
                    ++cycle;
                }
            } else if (circuit_.kind(node) == Kind::gate) {
                for (const auto literal : circuit_.literals(node)) {
                    need(literal, parts_[node]);
                }
            }
        }
    }

    // A node's level is above those of all that it depends on.
    void find_levels() {
        auto cycle = circuit_.cycles().begin();
        for (Node node = 0; node < circuit_.nodes(); ++node) {
            if (circuit_.kind(node) == Kind::gate) {
                for (const auto literal : circuit_.literals(node)) {
                    levels_[node] = std::max(levels_[node], levels_[node_of(literal)] + 1);
                }
            } else if (circuit_.kind(node) == Kind::of_cycle) {
                for (const auto& rule : cycle->rules) {
                    levels_[node] = std::max(levels_[node], levels_[node_of(rule.outside)] + 1);
                }
                std::fill_n(levels_.begin() + node, cycle->atoms, levels_[node]);
                node += cycle->atoms - 1;
                ++cycle;
            }
        }
    }

    void place_inputs(const std::vector<Literal>& inputs) {
        for (const auto input : inputs) {
            rows_[node_of(input)] = net_.rows++;
        }
    }

    std::uint32_t negated(Node gate) const {
        return static_cast<std::uint32_t>(std::ranges::count_if(circuit_.literals(gate), is_negated));
    }

    // Gates, and the first node of each cycle.
    void place_part(Part part, std::vector<LaneNet::Step>& steps) {
        std::vector<std::tuple<std::uint32_t, std::size_t, std::uint32_t, Node>> nodes;
        std::int32_t cycle = 0;
        for (Node node = 0; node < circuit_.nodes(); ++node) {
            if (circuit_.kind(node) == Kind::gate && parts_[node] == part) {
                nodes.emplace_back(levels_[node], circuit_.literals(node).size(), negated(node), node);
            } else if (circuit_.kind(node) == Kind::of_cycle) {
                if (parts_[node] == part) {
                    nodes.emplace_back(levels_[node], 0, static_cast<std::uint32_t>(cycle), node);
                }
                node += circuit_.cycles()[static_cast<std::size_t>(cycle)].atoms - 1;
                ++cycle;
            }
        }
        std::ranges::sort(nodes);
        for (auto first = nodes.begin(); first != nodes.end();) {
            const auto [level, literals, of_it, node] = *first;
            if (literals == 0) {
                place_cycle(static_cast<std::int32_t>(of_it));
                steps.push_back({{}, static_cast<std::int32_t>(of_it)});
                ++first;
                continue;
            }
            const auto positive = static_cast<std::uint32_t>(literals) - of_it;
            LaneNet::Gates gates{net_.rows, 0, positive, of_it, net_.operands.size()};
            for (; first != nodes.end() && std::get<0>(*first) == level && std::get<1>(*first) == literals &&
                   std::get<2>(*first) == of_it;
                 ++first, ++gates.many) {
                place_gate(std::get<3>(*first));
            }
            steps.push_back({gates});
        }
    }

    void place_gate(Node gate) {
        rows_[gate] = net_.rows++;
        for (const bool is_second : {false, true}) {
            for (const auto literal : circuit_.literals(gate)) {
                if (is_negated(literal) == is_second) {
                    net_.operands.push_back(rows_[node_of(literal)]);
                }
            }
        }
    }

    void place_cycle(std::int32_t number) {
        const auto& cycle = circuit_.cycles()[static_cast<std::size_t>(number)];
        for (std::uint32_t atom = 0; atom < cycle.atoms; ++atom) {
            rows_[cycle.first + atom] = net_.rows++;
        }
    }

    const Meaning& meaning_;
    const Circuit& circuit_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> levels_;
    std::vector<std::uint32_t> rows_;  // by node
    LaneNet net_;
};

}  // namespace

LaneNet lane_net_of(const Meaning& meaning) { return LaneLayout(meaning).lay_out(); }

}  // namespace hornbook::planner::network
