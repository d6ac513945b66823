// SPDX-License-Identifier: GPL-3.0-or-later
// Gestures that span an area: box select, pan, drawing and resizing of frames and notes.
#include <QCursor>
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "ui/canvas/editors/text_editors.hpp"
#include "ui/canvas/gestures/gestures.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class BoxGesture final : public Gesture {
 public:
  BoxGesture(GraphView& view, QPointF start, Qt::KeyboardModifiers keys)
      : view_(view), scene_(view.graph()), start_(start), at_(start) {
    for (QGraphicsItem* item : scene_.selectedItems()) before_.insert(item);
    if (!(keys & (Qt::ShiftModifier | Qt::ControlModifier))) scene_.clearSelection();
  }

  void move(QPointF at, Qt::KeyboardModifiers keys) override {
    at_ = at;
    const QRectF box = QRectF(start_, at_).normalized();
    scene_.selection().choose([&](const QGraphicsItem& item) {
      switch (item.type()) {
        case NodeItem::Type:
          return chosen(item, box.intersects(static_cast<const NodeItem&>(item).outline()), keys);
        case FrameItem::Type:
          return chosen(item, box.contains(static_cast<const FrameItem&>(item).outline()), keys);
        case NoteItem::Type:
          return chosen(item, box.intersects(static_cast<const NoteItem&>(item).outline()), keys);
        default:
          return item.isSelected();
      }
    });
    view_.viewport()->update();
  }

  void release(QPointF, Qt::KeyboardModifiers) override { view_.viewport()->update(); }
  void cancel() override {
    scene_.selection().choose([this](const QGraphicsItem& item) { return before_.contains(&item); });
  }

  void paint(QPainter& p) override {
    QColor fill = theme().ring;
    fill.setAlphaF(0.12);
    QPen pen(theme().ring, 1);
    pen.setCosmetic(true);
    p.setPen(pen);
    p.setBrush(fill);
    p.drawRect(QRectF(start_, at_).normalized());
  }

 private:
  /// Shift adds the items in the box to the selection, Ctrl toggles them, otherwise the box replaces the selection.
  bool chosen(const QGraphicsItem& item, bool inside, Qt::KeyboardModifiers keys) const {
    const bool was = before_.contains(&item);
    const bool keep = keys & (Qt::ShiftModifier | Qt::ControlModifier);
    return !keep ? inside : keys & Qt::ControlModifier ? was != inside : was || inside;
  }

  GraphView& view_;
  GraphScene& scene_;
  QPointF start_, at_;
  std::unordered_set<const QGraphicsItem*> before_;
};

class PanGesture final : public Gesture {
 public:
  explicit PanGesture(GraphView& view) : view_(view), last_(QPointF()) {
    view_.viewport()->setCursor(Qt::ClosedHandCursor);
  }
  ~PanGesture() override { view_.viewport()->unsetCursor(); }
  void move(QPointF at, Qt::KeyboardModifiers) override {
    const QPointF here = view_.viewportTransform().map(at);
    if (!started_) last_ = here;
    started_ = true;
    view_.camera().scrollBy(here - last_);
    last_ = here;
  }
  void release(QPointF, Qt::KeyboardModifiers) override {}

 private:
  GraphView& view_;
  QPointF last_;
  bool started_ = false;
};

Rect toRect(const QRectF& r) {
  return {std::round(r.x()), std::round(r.y()), std::round(r.width()), std::round(r.height())};
}

class DrawFrameGesture final : public Gesture {
 public:
  DrawFrameGesture(GraphView& view, QPointF start) : view_(view), start_(start), at_(start) {}
  void move(QPointF at, Qt::KeyboardModifiers) override {
    at_ = at;
    view_.viewport()->update();
  }
  void release(QPointF at, Qt::KeyboardModifiers) override {
    at_ = at;
    GraphScene& scene = view_.graph();
    QRectF box = QRectF(start_, at_).normalized();
    if (box.width() < 60 || box.height() < 50) box = QRectF(start_, QSizeF(card::width + 2 * card::framePadding, 240));
    const ItemId id = scene.doc().next_id();
    const Frame frame{canvasText(QT_TRANSLATE_NOOP("canvas", "Frame")).toStdString(), toRect(box)};
    if (scene.session().push({PutFrame{scene.scope(), id, frame}},
                             canvasText(QT_TRANSLATE_NOOP("canvas", "Add frame"))))
      editFrameTitle(view_, id);
    view_.setTool(GraphView::Tool::pointer);
  }
  void paint(QPainter& p) override {
    p.setPen(QPen(theme().ring, 1.4, Qt::DashLine));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(QRectF(start_, at_).normalized(), radius::frame, radius::frame);
  }

 private:
  GraphView& view_;
  QPointF start_, at_;
};

class ResizeGesture final : public Gesture {
 public:
  ResizeGesture(GraphView& view, ItemId id, bool note)
      : view_(view), id_(id), note_(note), before_(item()->outline()) {}
  void move(QPointF at, Qt::KeyboardModifiers keys) override {
    QSizeF size(std::max(80.0, at.x() - before_.left()), std::max(44.0, at.y() - before_.top()));
    if (keys & Qt::ShiftModifier)
      size = {std::round(size.width() / card::snap) * card::snap, std::round(size.height() / card::snap) * card::snap};
    if (BoxItem* box = item()) box->setOutline(QRectF(before_.topLeft(), size));
  }
  void release(QPointF, Qt::KeyboardModifiers) override {
    GraphScene& scene = view_.graph();
    if (!item()) return;  // another edit has removed it meanwhile: an undo with the keyboard, for example
    const Rect rect = toRect(item()->outline());
    Edit edit;
    if (note_) {
      Note note = scene.graph().notes.at(id_);
      note.rect = rect;
      edit = {PutNote{scene.scope(), id_, note}};
    } else {
      Frame frame = scene.graph().frames.at(id_);
      frame.rect = rect;
      edit = {PutFrame{scene.scope(), id_, frame}};
    }
    if (!scene.session().push(edit, canvasText(QT_TRANSLATE_NOOP("canvas", "Resize")))) cancel();
  }
  void cancel() override {
    if (BoxItem* box = item()) box->setOutline(before_);
  }

 private:
  BoxItem* item() const {
    return note_ ? static_cast<BoxItem*>(view_.graph().elements().note(id_)) : view_.graph().elements().frame(id_);
  }
  GraphView& view_;
  ItemId id_;
  bool note_;
  QRectF before_;
};

}  // namespace

std::unique_ptr<Gesture> boxGesture(GraphView& view, QPointF start, Qt::KeyboardModifiers keys) {
  return std::make_unique<BoxGesture>(view, start, keys);
}
std::unique_ptr<Gesture> panGesture(GraphView& view) { return std::make_unique<PanGesture>(view); }
std::unique_ptr<Gesture> drawFrameGesture(GraphView& view, QPointF start) {
  return std::make_unique<DrawFrameGesture>(view, start);
}
std::unique_ptr<Gesture> resizeGesture(GraphView& view, ItemId id, bool note) {
  return std::make_unique<ResizeGesture>(view, id, note);
}

}  // namespace nw::ui
