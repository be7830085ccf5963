// The network and a profile as Python data.
#pragma once

#include "python/read_program.hpp"
#include "report/describe.hpp"

namespace hornbook {

// (tries, bodies): for each trie a name, its nodes by number, and the number of steps of its plans.
nanobind::object python_network(const Network& network);

// (seconds, seconds for storing conclusions, seconds of no rule, nodes, parts of rules)
nanobind::object python_report(const ProfileReport& report);

}  // namespace hornbook
