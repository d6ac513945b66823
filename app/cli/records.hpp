// SPDX-License-Identifier: Apache-2.0
// The records of layers, losses, optimizers and transforms as JSON. Texts are English; the window's catalogues
// translate them. Private to app/cli.
#pragma once
#include <vector>

#include "engine/core/json.hpp"

namespace nw::cli {

/// Layers, losses, optimizers, transforms, each in the order of its list.
std::vector<Json> all_records();

}  // namespace nw::cli
