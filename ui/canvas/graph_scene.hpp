// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of one scope of the document (the network, or a block's definition). It listens to the session and
// repaints; it never changes the document. Positions of items differ from the document only while a gesture previews a
// move.
#pragma once
#include <QGraphicsScene>
#include <QImage>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/compile/compile.hpp"
#include "ui/canvas/card_grid.hpp"
#include "ui/canvas/ghost.hpp"
#include "ui/canvas/node_look.hpp"
#include "ui/canvas/wire_route.hpp"

namespace nw::ui {

class ConnectionItem;
class FrameItem;
class NodeItem;
class NoteItem;
class Session;

struct PortRef {
  NodeId node = 0;
  bool output = false;
  int port = 0;
  auto operator<=>(const PortRef&) const = default;
};

/// How hot a card is, 0…1, and the figure that says why.
struct NodeHeat {
  double share = 0;
  QString text;
};

/// What is selected in one scope, by id, each list in ascending order.
struct Selection {
  std::vector<NodeId> nodes;
  std::vector<Connection> connections;
  std::vector<ItemId> frames, notes;
  NodeId current = 0;  // the node selected last; 0: none
  bool operator==(const Selection&) const = default;
};

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

  // --- facts for painting
  const NodeFacts* facts(NodeId) const;                       // null: not known
  const std::vector<const Problem*>& problems(NodeId) const;  // worst first
  const NodeEnds& ends(NodeId) const;                         // what is connected to it
  const std::vector<Connection>& inputsOf(NodeId) const;      // those that feed it, by port
  bool isConnected(const PortRef& p) const { return connected_.contains(p); }
  bool isBroken(const PortRef& p) const { return broken_.contains(p); }
  bool isBroken(const Connection&) const;
  /// Which side a further input of Add or Concat is drawn on: where its signal comes from.
  Side sideFor(NodeId node, int port) const;
  bool showShapes() const { return showShapes_; }
  bool showsNothing() const;  // nothing drawn yet
  void setShowShapes(bool on);
  bool showCounts() const { return showCounts_; }
  void setShowCounts(bool on);
  const QImage& sample() const { return sample_; }
  void setSample(const QImage& image);
  const QImage* output(NodeId) const;  // of the layer for a sample; null: not shown
  void setOutputs(std::map<NodeId, QImage> pictures);
  const NodeHeat* heat(NodeId) const;  // null: no tint
  void setHeat(std::map<NodeId, NodeHeat> heat);
  /// Shows what an edit of the document would do, until another is shown or endPreview().
  void preview(const Edit& edit);
  void endPreview();
  const std::optional<Ghost>& ghost() const { return ghost_; }

  // --- items
  NodeItem* node(NodeId) const;
  FrameItem* frame(ItemId) const;
  NoteItem* note(ItemId) const;
  ConnectionItem* connection(const Connection&) const;
  const std::map<NodeId, NodeItem*>& nodes() const { return nodes_; }
  const std::map<Connection, ConnectionItem*>& connections() const { return connections_; }
  const std::map<ItemId, FrameItem*>& frames() const { return frames_; }
  const std::map<ItemId, NoteItem*>& notes() const { return notes_; }
  NodeItem* nodeAt(QPointF scene) const;
  /// The nearest one; those that begin or end at `without` are passed over.
  ConnectionItem* connectionAt(QPointF scene, qreal reach, NodeId without = 0) const;
  std::optional<PortRef> portAt(QPointF scene, qreal reach) const;
  /// Wires of these nodes follow their items.
  void reroute(const std::set<NodeId>& nodes);
  /// Those of this node show whether it is selected.
  void lightWires(NodeId node);
  QRectF contentRect() const;
  /// The shapes on the connections, over wires and cards.
  void paintLabels(QPainter& painter, const QRectF& exposed, qreal zoom) const;

  // --- selection: every id that these return is in the document's open scope and has an item in the scene, at any
  // moment, also while the scene follows a change of the document
  std::vector<NodeId> selectedNodes() const;
  std::vector<Connection> selectedConnections() const;
  std::vector<ItemId> selectedFrames() const;
  std::vector<ItemId> selectedNotes() const;
  void selectOnly(const std::vector<NodeId>& nodes);
  /// Selects the items for which `wanted` is true, and no others; selectionUpdated() is emitted once.
  void choose(const std::function<bool(const QGraphicsItem&)>& wanted);
  /// The node that the keyboard and the inspector act on: the one selected last, 0 when none.
  NodeId current() const;
  void setCurrent(NodeId id);  // selects it alone

 Q_SIGNALS:
  void scopeChanged();
  void contentChanged();  // items came, went or moved
  void lookChanged();     // analysis arrived
  /// The selection differs from the one before, and the scene shows the document as it is now. Listeners connect to
  /// this signal: Qt's selectionChanged() is also emitted for each selected item that a change of the document removes.
  void selectionUpdated();
  // something there looks different now; null: anything may
  void placeChanged(const QRectF& place);
  void inspectorWanted();  // Enter on a node

 private:
  void rebuild();
  void removeItems();
  void addItems();
  void follow(const Edit& edit);
  void applyEdit(const Edit& edit);
  void announceContent();
  void put(const PutNode&, std::set<NodeId>* touched);
  void put(const PutConnection&, std::set<NodeId>* touched);
  void put(const PutFrame&);
  void put(const PutNote&);
  void addConnection(const Connection&);
  void removeConnection(const Connection&);
  void refreshNodes(const std::set<NodeId>& nodes);
  std::set<NodeId> makeRoom();
  void indexCards(const std::set<NodeId>& moved);
  std::unordered_set<ConnectionItem*> wiresAround(const std::set<NodeId>& nodes) const;
  void indexConnections();
  void indexProblems();
  void takeAnalysis();
  bool readSelection();
  void updateSelection();
  void repaintAll();

  Session& session_;
  std::string scope_;
  std::map<NodeId, NodeItem*> nodes_;
  std::map<Connection, ConnectionItem*> connections_;
  std::unordered_map<NodeId, QVector<ConnectionItem*>> wires_;  // by each of their ends
  std::map<ItemId, FrameItem*> frames_;
  std::map<ItemId, NoteItem*> notes_;
  std::set<PortRef> connected_, broken_;
  std::map<NodeId, NodeEnds> ends_;
  std::map<NodeId, std::vector<Connection>> inputs_;
  std::map<NodeId, std::vector<const Problem*>> problems_;
  CardGrid cards_;         // what connections go around
  Selection selection_;    // what the items showed after the last change; readers get what is left of it
  bool changing_ = false;  // items are added and removed: the selection is read when all are there
  bool showShapes_ = true, showCounts_ = true;
  QImage sample_;
  std::map<NodeId, QImage> outputs_;
  std::map<NodeId, NodeHeat> heat_;
  std::optional<Ghost> ghost_;
};

}  // namespace nw::ui
