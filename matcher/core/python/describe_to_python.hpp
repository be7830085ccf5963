// The network and a profile as Python data.
#pragma once

#include "python/read_program.hpp"
#include "report/describe.hpp"

namespace hornbook {

// (tries, bodies): each trie a name, its nodes by number, and how many steps its plans have.
nanobind::object python_network(const Network& network);

// (seconds, those to store what is found, those of no rule, nodes, parts of rules)
nanobind::object python_report(const ProfileReport& report);

}  // namespace hornbook
