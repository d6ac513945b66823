// SPDX-License-Identifier: GPL-3.0-or-later
// Frames around parts of the network, and notes. Moving a frame moves its content; a note is text on a tinted box.
#pragma once
#include "engine/design/graph_doc.hpp"
#include "ui/canvas/scene/canvas_item.hpp"

namespace nw::ui {

/// Base of frames and notes: an id, a rectangle whose top left is the item's position, a handle to resize.
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

/// The displayed title: titles of templates are translated into the window's language, others are unchanged.
QString frameTitle(const std::string& title);

class FrameItem final : public BoxItem {
 public:
  enum { Type = UserType + 3 };
  FrameItem(GraphScene& scene, ItemId id);
  int type() const override { return Type; }
  void paint(QPainter*, const QStyleOptionGraphicsItem*, QWidget*) override;
  bool grabs(QPointF scene) const override;  // the header
  void refresh() override;
  std::vector<NodeId> content() const;  // nodes whose centre is inside the frame
  bool needsRepaint(std::size_t layers) const { return layers != said_; }

 private:
  std::size_t said_ = 0;    // number of layers when the frame was last painted
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
