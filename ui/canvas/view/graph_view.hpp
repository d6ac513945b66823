// SPDX-License-Identifier: GPL-3.0-or-later
// The window on the scene: zoom, pan, and the hands' gestures. Keyboard works alone too. GUI thread.
#pragma once
#include <QGraphicsView>
#include <QPixmap>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/gesture.hpp"

namespace nw::ui {

class AddList;
class FarPicture;

inline const char* const layerMime = "application/x-netwright-layer";
inline const char* const graphMime = "application/x-netwright-graph+json";

class GraphView : public QGraphicsView {
  Q_OBJECT
 public:
  enum class Tool : quint8 { pointer, frame, note };
  explicit GraphView(GraphScene& scene, QWidget* parent = nullptr);
  ~GraphView() override;
  GraphScene& graph() const { return scene_; }

  qreal zoom() const { return transform().m11(); }
  void setZoom(qreal zoom, QPointF viewportAnchor);
  void zoomStep(int steps);  // around the middle
  void fitRect(const QRectF& scene);
  /// What floats over the canvas: a bar at the top (its height, 0: none) and something in the lower right corner.
  void setFloating(int top, QSize corner);
  void fitAll() { fitRect(scene_.contentRect()); }
  /// card::smallestZoom, or less where the network needs it to fit.
  qreal smallestZoom() const;
  /// Where cards lie in the viewport.
  std::vector<QRect> shownCards() const;
  void fitSelection();     // all when nothing is selected
  void reveal(NodeId id);  // scrolls as little as needed
  Tool tool() const { return tool_; }
  void setTool(Tool tool);

  /// Where tests and helpers press: viewport coordinates.
  QPoint portPosition(NodeId id, bool output, int port = 0) const;
  QPoint nodePosition(NodeId id) const;
  QPoint fixPosition(NodeId id) const;  // middle of its Fix button
  QPointF cursorScene() const;          // under the mouse, or the middle of the view

  /// A layer from the palette hovers here (viewport coordinates); drop it; or it left again.
  void hoverLayer(QPoint at);
  NodeId dropLayer(const QString& id, QPoint at);
  void endHover();
  /// The list to add by typing: at a point; `from`: only what fits this port, and wired to it.
  void openAddList(QPointF scene, std::optional<PortRef> from = {});
  AddList* addList() const { return addList_; }
  void editName(NodeId id);
  void editBlockName(NodeId id);  // of the definition that this instance shows
  void editFrameTitle(ItemId id);
  void editNote(ItemId id);
  void begin(std::unique_ptr<Gesture> gesture);
  Gesture* gesture() const { return gesture_.get(); }
  void cancel();
  /// A short sentence beside the place it is about; goes by itself.
  void say(const QString& sentence, QPointF scene, bool wrong = true);
  void scrollBy(QPointF viewportDelta);
  bool mapShown() const { return mapShown_; }
  void setMapShown(bool on);  // the overview in the corner
  /// The picture of the canvas that is kept while it is seen from far away.
  FarPicture& farPicture() { return *far_; }

 Q_SIGNALS:
  void zoomChanged(qreal zoom);
  void toolChanged();
  void viewMoved();
  void mapShownChanged(bool on);

 protected:
  void paintEvent(QPaintEvent*) override;
  void drawBackground(QPainter*, const QRectF&) override;
  void drawForeground(QPainter*, const QRectF&) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void keyReleaseEvent(QKeyEvent*) override;
  bool event(QEvent*) override;
  bool viewportEvent(QEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dragMoveEvent(QDragMoveEvent*) override;
  void dragLeaveEvent(QDragLeaveEvent*) override;
  void dropEvent(QDropEvent*) override;
  void scrollContentsBy(int dx, int dy) override;
  void changeEvent(QEvent*) override;

 private:
  std::unique_ptr<Gesture> gestureFor(QPointF scene, Qt::KeyboardModifiers keys);
  std::unique_ptr<Gesture> gestureOn(const PortRef& port, QPointF scene, Qt::KeyboardModifiers keys);
  bool pressStrip(QPointF scene);
  bool grabBox(QPointF scene, Qt::KeyboardModifiers keys, std::unique_ptr<Gesture>* gesture);
  void select(class QGraphicsItem* item, Qt::KeyboardModifiers keys);
  void hover(QPointF scene);
  void previewRepair(const NodeItem* item, NodeItem::Part part);
  void endPreview();
  void finishIfDone();
  qreal reach(qreal pixels) const { return pixels / std::min<qreal>(1, zoom()); }

  QRectF itemsIn(const QRectF& room) const;
  QRectF room() const;  // of the viewport, free of what floats
  void drawDots(QPainter& p, const QRect& area);
  GraphScene& scene_;
  std::unique_ptr<FarPicture> far_;
  int floatingTop_ = 0;
  QSize floatingCorner_;
  std::unique_ptr<Gesture> gesture_;
  Tool tool_ = Tool::pointer;
  bool space_ = false, knife_ = false, mapShown_ = true;
  NodeId hovered_ = 0, previewed_ = 0;
  std::optional<Connection> hoveredWire_, target_;
  AddList* addList_ = nullptr;
  QString sentence_;
  QPointF sentenceAt_;
  bool sentenceWrong_ = true;
  QTimer sentenceTimer_;
  QPixmap dots_;
  QString dotsKey_;
};

}  // namespace nw::ui
