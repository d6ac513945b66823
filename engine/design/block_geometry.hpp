// SPDX-License-Identifier: Apache-2.0
// Positions of nodes for grouping and ungrouping.
#pragma once
#include <algorithm>
#include <utility>

#include "engine/design/graph_doc.hpp"

namespace nw {

using Port = std::pair<NodeId, int>;
inline constexpr double card_height = 60, row = 108, column = 300;

struct Bounds {
  double left = 1e300, top = 1e300, right = -1e300, bottom = -1e300;
  void take(const Point& p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  Point centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
  double height() const { return bottom - top; }
};

inline bool is_end(const Node& node) { return node.type == "BlockInput" || node.type == "BlockOutput"; }

}  // namespace nw
