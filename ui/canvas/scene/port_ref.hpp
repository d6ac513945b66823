// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <compare>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// One input or output of a node.
struct PortRef {
  NodeId node = 0;
  bool output = false;
  int port = 0;
  auto operator<=>(const PortRef&) const = default;
};

}  // namespace nw::ui
