// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/hover.hpp"

#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/hit_test.hpp"

namespace nw::ui {

Hover::Hover(GraphScene& scene) : scene_(scene) {
  connect(&scene_, &GraphScene::scopeChanged, this, [this] {
    node_ = 0;
    wire_.reset();
  });
  connect(&scene_, &GraphScene::contentChanged, this, [this] {
    if (node_ && !scene_.elements().node(node_)) node_ = 0;
    if (wire_ && !scene_.elements().connection(*wire_)) wire_.reset();
  });
}

void Hover::move(QPointF at, qreal reach) {
  NodeItem* item = nodeAt(scene_, at);
  const NodeItem::Part part = item ? item->partAt(at) : NodeItem::Part::none;
  if (NodeItem* old = scene_.elements().node(node_); old && old != item) old->setHovered(false);
  node_ = item ? item->id() : 0;
  if (item) item->setHovered(true, part);
  previewFix(item, part);
  highlight(item ? nullptr : connectionAt(scene_, at, reach));
}

void Hover::highlight(const ConnectionItem* wire) {
  if (wire_ && scene_.elements().connection(*wire_)) scene_.elements().connection(*wire_)->setHovered(false);
  wire_ = wire ? std::optional(wire->connection()) : std::nullopt;
  if (wire_) scene_.elements().connection(*wire_)->setHovered(true);
}

void Hover::previewFix(const NodeItem* item, NodeItem::Part part) {
  if (!item || part != NodeItem::Part::fix) return previewed_ ? endPreview() : void();
  if (previewed_ == item->id()) return;
  const auto& problems = scene_.index().problems(item->id());
  if (problems.empty() || problems.front()->fixes.empty()) return;
  previewed_ = item->id();
  scene_.preview(repairEdit(scene_, item->id(), 0));
}

void Hover::endPreview() {
  previewed_ = 0;
  scene_.endPreview();
}

}  // namespace nw::ui
