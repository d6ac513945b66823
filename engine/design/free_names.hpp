// SPDX-License-Identifier: Apache-2.0
// Names to offer in place of one that was rejected.
#pragma once
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

/// The name the node may have that is nearest to `typed`.
std::string nearest_free_name(const GraphDoc&, const std::string& scope, NodeId, std::string_view typed);
/// The name a block may have that is nearest to `typed`.
std::string nearest_block_name(const GraphDoc&, std::string_view typed);

}  // namespace nw
