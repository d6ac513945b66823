// SPDX-License-Identifier: Apache-2.0
#include "engine/design/draft.hpp"

#include <algorithm>
#include <cassert>

#include "engine/design/layer_type.hpp"

namespace nw {
namespace {

// Sizes of nodes on the canvas, in logical pixels.
constexpr double card_width = 260, card_height = 60, compact_height = 36, gap = 48, compact_gap = 30, column_gap = 92;
constexpr double frame_header = 32, frame_padding = 14;

bool is_compact(std::string_view type) {
  const LayerType* layer = find_layer(type);
  if (!layer) return false;
  const std::string_view group = layer->group;
  return group == "Normalization" || group == "Activation" || group == "Regularization" || group == "Shape" ||
         type.starts_with("Block");
}

void put(GraphDoc& doc, const Edit& edit) {
  const auto undo = doc.apply(edit);
  assert(undo && "a template draws what a document takes");
  (void)undo;
}

}  // namespace

AttrMap instance_of(std::string block, AttrMap parameters) {
  parameters["block"] = std::move(block);
  return parameters;
}

std::vector<std::int64_t> both(std::int64_t n) { return {n, n}; }

NodeId Draft::add(std::string_view type, std::string name, AttrMap attrs) {
  const bool compact = is_compact(type) && type != "Block";
  const double height = compact ? compact_height : card_height;
  const double top = first_in_column_ ? bottom_ : bottom_ + (compact || last_compact_ ? compact_gap : gap);
  Node node{.type = std::string(type),
            .name = std::move(name),
            .attrs = std::move(attrs),
            .position = {x_, top + height / 2}};
  NodeId id = 0;
  put(doc_, add_node(doc_, scope_, std::move(node), &id));
  if (last_ != 0) connect(last_, id);
  last_ = id;
  last_compact_ = compact;
  first_in_column_ = false;
  bottom_ = top + height;
  framed_ = std::max(framed_, bottom_);
  return id;
}

void Draft::connect(NodeId from, NodeId to, int to_port) {
  put(doc_, {PutConnection{scope_, {from, 0, to, to_port}, true}});
}

void Draft::column() {
  x_ += card_width + column_gap;
  bottom_ = 0;
  first_in_column_ = true;
}

void Draft::branch(NodeId from, double below) {
  x_ += card_width + column_gap;
  last_ = from;
  bottom_ = below;
  first_in_column_ = true;
}

void Draft::back_to(NodeId from, double x, double top) {
  x_ = x;
  last_ = from;
  bottom_ = top;
  last_compact_ = true;
  first_in_column_ = false;
}

void Draft::frame(std::string title) {
  const Rect rect{x_ - card_width / 2 - frame_padding, -frame_header - frame_padding, card_width + 2 * frame_padding,
                  framed_ + frame_header + 2 * frame_padding};
  put(doc_, {PutFrame{scope_, doc_.next_id(), Frame{std::move(title), rect}}});
  framed_ = 0;
}

}  // namespace nw
