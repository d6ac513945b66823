// SPDX-License-Identifier: Apache-2.0
// Builds a network with positions: layer below layer, in columns with frames. Private to engine/design.
#pragma once
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

class Draft {
 public:
  explicit Draft(GraphDoc& doc, std::string scope = "") : doc_(doc), scope_(std::move(scope)) {}
  /// Below the layer added before, and fed by it.
  NodeId add(std::string_view type, std::string name, AttrMap attrs = {});
  void connect(NodeId from, NodeId to, int to_port = 0);
  /// The next layer starts a new column on the right; it is still fed by the one added before.
  void column();
  /// Beside what was added last, not connected yet: for a shortcut. add() goes on below it until back_to().
  void branch(NodeId from, double below);
  /// Goes on in the main column, fed by `from`.
  void back_to(NodeId from, double x, double top);
  /// Draws a frame around this column.
  void frame(std::string title);
  double bottom() const { return bottom_; }
  double x() const { return x_; }

 private:
  GraphDoc& doc_;
  std::string scope_;
  NodeId last_ = 0;
  // the column's centre; lower edges of the last card and of what is not framed yet
  double x_ = 0, bottom_ = 0, framed_ = 0;
  bool first_in_column_ = true, last_compact_ = false;
};

/// An instance of a block: its attributes.
AttrMap instance_of(std::string block, AttrMap parameters);
std::vector<std::int64_t> both(std::int64_t n);

}  // namespace nw
