// SPDX-License-Identifier: GPL-3.0-or-later
// The items of one scope of the document (the network, or a block's definition). It listens to the session and
// repaints; it never changes the document. Positions of items differ from the document only while a gesture previews a
// move.
#pragma once
#include <QGraphicsScene>
#include <optional>
#include <string>

#include "engine/compile/compile.hpp"
#include "ui/canvas/scene/display_options.hpp"
#include "ui/canvas/scene/edit_preview.hpp"
#include "ui/canvas/scene/graph_index.hpp"
#include "ui/canvas/scene/scene_elements.hpp"
#include "ui/canvas/scene/scene_selection.hpp"

namespace nw::ui {

class Session;

class GraphScene : public QGraphicsScene {
  Q_OBJECT
 public:
  explicit GraphScene(Session& session, QObject* parent = nullptr);
  ~GraphScene() override;

  Session& session() const { return session_; }
  const GraphDoc& doc() const;
  const Graph& graph() const;
  const std::string& scope() const { return scope_; }
  void setScope(const std::string& scope);

  const NodeInfo* facts(NodeId) const;  // of the last analysis; null: unknown
  const GraphIndex& index() const { return index_; }
  DisplayOptions& display() { return display_; }
  const DisplayOptions& display() const { return display_; }
  SceneSelection& selection() { return selection_; }
  const SceneSelection& selection() const { return selection_; }
  SceneElements& elements() { return elements_; }
  const SceneElements& elements() const { return elements_; }
  /// Shows the effect of an edit of the document, until the next preview() or endPreview().
  void preview(const Edit& edit);
  void endPreview();
  const std::optional<EditPreview>& ghost() const { return editPreview_; }

 Q_SIGNALS:
  void scopeChanged();
  void contentChanged();  // items came, went or moved
  void lookChanged();     // analysis arrived
  /// The selection differs from the one before, and the scene shows the document as it is now. Listeners connect to
  /// this signal: Qt's selectionChanged() is also emitted for each selected item that a change of the document removes.
  void selectionUpdated();
  // the area to repaint; null: the whole scene
  void placeChanged(const QRectF& place);
  void inspectorWanted();  // Enter on a node

 private:
  void rebuild();
  void removeItems();
  void addItems();
  void follow(const Edit& edit);
  void applyEdit(const Edit& edit);
  void announceContent();
  void applyAnalysis();
  void repaintAll();

  Session& session_;
  std::string scope_;
  GraphIndex index_;
  SceneElements elements_;
  DisplayOptions display_;
  SceneSelection selection_;
  std::optional<EditPreview> editPreview_;
};

}  // namespace nw::ui
