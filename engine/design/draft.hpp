// SPDX-License-Identifier: Apache-2.0
// Builds a network with positions: each layer below the previous one, in columns with frames. Private to engine/design.
#pragma once
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

class Draft {
 public:
  explicit Draft(GraphDoc& doc, std::string scope = "") : doc_(doc), scope_(std::move(scope)) {}
  /// Adds a layer below the previous one and connects them.
  NodeId add(std::string_view type, std::string name, AttrMap attrs = {});
  void connect(NodeId from, NodeId to, int to_port = 0);
  /// Starts a new column on the right for the next layer, which is still connected to the previous one.
  void column();
  /// Adds an unconnected layer beside the previous one, for a shortcut. add() continues below it until back_to().
  void branch(NodeId from, double below);
  /// Continues in the main column; the next layer is connected to `from`.
  void back_to(NodeId from, double x, double top);
  /// Adds a frame around this column.
  void frame(std::string title);
  double bottom() const { return bottom_; }
  double x() const { return x_; }

 private:
  GraphDoc& doc_;
  std::string scope_;
  NodeId last_ = 0;
  // the column's centre; lower edges of the last node and of the part without a frame
  double x_ = 0, bottom_ = 0, framed_ = 0;
  bool first_in_column_ = true, last_compact_ = false;
};

/// The attributes of a block instance.
AttrMap instance_of(std::string block, AttrMap parameters);
std::vector<std::int64_t> both(std::int64_t n);

}  // namespace nw
