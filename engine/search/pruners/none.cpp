// SPDX-License-Identifier: Apache-2.0
// Every trial trains all its epochs.
#include "engine/search/pruner.hpp"

namespace nw {

extern const search::Pruner none_pruner{.name = "none", .summary = text(NW_TR("Every trial trains all its epochs"))};

}  // namespace nw
