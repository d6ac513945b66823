// SPDX-License-Identifier: GPL-3.0-or-later
// Frames around parts of the drawing, and notes. A frame carries what lies in it; a note is text on a soft card.
#pragma once
#include "engine/design/graph_doc.hpp"
#include "ui/canvas/scene/canvas_item.hpp"

namespace nw::ui {

/// What frames and notes share: an id, a rectangle whose top left is the item's position, a handle to resize.
class BoxItem : public CanvasItem {
 public:
  BoxItem(GraphScene& scene, ItemId id);
  ItemId id() const { return id_; }
  QRectF outline() const { return QRectF(pos(), size_); }  // scene coordinates
  QRectF handle() const;                                   // scene coordinates
  QRectF boundingRect() const override { return QRectF(QPointF(), size_).adjusted(-5, -5, 5, 5); }
  void setOutline(const QRectF& rect);
  virtual bool grabs(QPointF scene) const = 0;  // a press here selects and moves it
  virtual void refresh() = 0;

 protected:
  ItemId id_;
  QSizeF size_;
};

/// A frame's title as it is shown: those of the templates in the window's language, a person's own as it was written.
QString frameTitle(const std::string& title);

class FrameItem final : public BoxItem {
 public:
  enum { Type = UserType + 3 };
  FrameItem(GraphScene& scene, ItemId id);
  int type() const override { return Type; }
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;
  bool grabs(QPointF scene) const override;  // the header
  void refresh() override;
  std::vector<NodeId> content() const;  // nodes whose centre lies in it
  bool needsRepaint(std::size_t layers) const { return layers != said_; }

 private:
  std::size_t said_ = 0;    // how many layers, when it was painted last
  bool isTemplate() const;  // none of its layers is fed from outside
};

class NoteItem final : public BoxItem {
 public:
  enum { Type = UserType + 4 };
  NoteItem(GraphScene& scene, ItemId id);
  int type() const override { return Type; }
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;
  bool grabs(QPointF scene) const override { return outline().contains(scene); }
  void refresh() override;
};

}  // namespace nw::ui
