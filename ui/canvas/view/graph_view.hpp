// SPDX-License-Identifier: GPL-3.0-or-later
// The widget that shows a scene. It paints, holds the gesture that is under way, and passes its events to the input
// handlers it was given. GUI thread.
#pragma once
#include <QGraphicsView>
#include <memory>
#include <vector>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/view/callout.hpp"
#include "ui/canvas/view/camera.hpp"
#include "ui/canvas/view/dot_grid.hpp"
#include "ui/canvas/view/gesture.hpp"
#include "ui/canvas/view/input_handler.hpp"

namespace nw::ui {

class LowDetailCache;

/// Types of data on the clipboard and in drag and drop: a palette id; copied nodes.
inline const char* const layerMime = "application/x-netwright-layer";
inline const char* const graphMime = "application/x-netwright-graph+json";

class GraphView : public QGraphicsView {
  Q_OBJECT
 public:
  enum class Tool : quint8 { pointer, frame, note };
  explicit GraphView(GraphScene& scene, QWidget* parent = nullptr);
  ~GraphView() override;
  GraphScene& graph() const { return scene_; }
  Camera& camera() { return camera_; }
  const Camera& camera() const { return camera_; }
  Callout& callout() { return callout_; }
  /// The cached rendering of the low-detail view.
  LowDetailCache& lowDetailCache() { return *far_; }

  /// Handlers receive each event in the order in which they were added, until one consumes it.
  void addInput(std::unique_ptr<InputHandler> handler);

  Tool tool() const { return tool_; }
  void setTool(Tool tool);
  QPointF cursorScene() const;  // below the pointer, or the centre of the view
  bool mapShown() const { return mapShown_; }
  void setMapShown(bool on);  // the overview in the corner; remembered

  /// Cancels the gesture that is under way.
  void begin(std::unique_ptr<Gesture> gesture);
  Gesture* gesture() const { return gesture_.get(); }
  /// Ends the gesture without cancelling it; null: none is under way.
  std::unique_ptr<Gesture> takeGesture();
  void cancel();

 Q_SIGNALS:
  void toolChanged();
  void mapShownChanged(bool on);

 protected:
  void paintEvent(QPaintEvent*) override;
  void drawBackground(QPainter*, const QRectF&) override;
  void drawForeground(QPainter*, const QRectF&) override;
  void scrollContentsBy(int dx, int dy) override;
  void changeEvent(QEvent*) override;
  bool event(QEvent*) override;
  bool viewportEvent(QEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void keyReleaseEvent(QKeyEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dragMoveEvent(QDragMoveEvent*) override;
  void dragLeaveEvent(QDragLeaveEvent*) override;
  void dropEvent(QDropEvent*) override;

 private:
  bool dispatch(QEvent* event);
  void setUp();

  GraphScene& scene_;
  Camera camera_;
  Callout callout_;
  DotGrid dots_;
  std::unique_ptr<LowDetailCache> far_;
  std::unique_ptr<Gesture> gesture_;
  std::vector<std::unique_ptr<InputHandler>> input_;
  Tool tool_ = Tool::pointer;
  bool mapShown_ = true;
};

}  // namespace nw::ui
