// Random games side by side: a game in each lane.
#pragma once

#include <cstdint>
#include <span>

#include "machine/machine.hpp"
#include "network/lanes.hpp"
#include "play/playouts.hpp"

namespace hornbook::planner {

// As `playouts` for a machine, with the same meaning of all arguments.
Playouts playouts(network::Lanes& lanes, State initial, std::uint64_t seed, std::uint64_t states, double seconds,
                  std::uint64_t most_plies);

}  // namespace hornbook::planner
